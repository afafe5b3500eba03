// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "campaign/resume.hpp"
#include "measuring/measured_suite.hpp"
#include "options/option_table.hpp"
#include "options/resolve.hpp"
#include "record/json.hpp"
#include "record/records.hpp"

namespace steelyard::cli {

/// Members `config` and `config_sources` of the run record: every option with its value, sizes in bytes
/// ("memory_byte"), durations in seconds ("budget_s"), steps under "step".
struct ConfigRecord {
  record::Document config, sources;
};
[[nodiscard]] ConfigRecord config_record(const Invocation& invocation);

// Inputs of a plan besides words. The first session of a run finds them and keeps them in its run record; later ones
// plan with the same, so that sizes, keys and points stay what they were.

/// Member plan.inputs of the run record.
[[nodiscard]] record::Document plan_inputs(const Values& values, const Place& place);

/// The place of the first session, with the processes of `here`; what the record does not hold is as here.
[[nodiscard]] Place place_planned_with(const record::Document& inputs, Place here);

/// Throws Refused if --sizes-of names a run that was planned with more memory than a process has here.
void refuse_sizes_beyond(const Place& here, const Place& planned, const Values& values);

/// Throws UsageError that names the options which a resume may not give again: it takes the configuration of the run
/// that it continues, and only options that do not change the plan may be given.
void check_resume_words(const Invocation& invocation);

/// Members of a run record that decide how its run is continued.
struct RunConfiguration {
  record::Document config, sources, plan_inputs;
};

/// The invocation with the configuration of the interrupted run under what the user said for this one.
[[nodiscard]] Invocation with_configuration_of(const RunConfiguration& run, const Invocation& invocation);

[[nodiscard]] campaign::Retry retry_of(const Values& values);

/// Throws UsageError unless the run in DIR was made by 'steelyard run': one of a front-end or of another program's text
/// has no configuration that could be taken up.
void refuse_other_than_run(const record::RunRecord& head, const std::filesystem::path& directory);

/// The run in DIR that would be resumed; changes nothing. Throws record::ReadError, and UsageError for a run that
/// cannot be resumed.
[[nodiscard]] record::Run run_to_resume(const std::filesystem::path& directory);

/// Members from which the sizes follow of the run that --sizes-of names; an empty record without the option. Throws
/// record::ReadError if there is no run, UsageError if its rates were not measured or its budget was another.
[[nodiscard]] record::RunRecord run_of_equal_sizes(const Values& values);

}  // namespace steelyard::cli
