// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "campaign/resume.hpp"
#include "measuring/prepared.hpp"
#include "record/json.hpp"
#include "record/records.hpp"
#include "words/option_table.hpp"
#include "words/resolve.hpp"

namespace steelyard::cli {

/// Members `config` and `config_sources` of the run record: every option with its value, sizes in bytes
/// ("memory_byte"), durations in seconds ("budget_s"), steps under "step".
struct ConfigRecord {
  record::Document config, sources;
};
[[nodiscard]] ConfigRecord config_record(const Invocation& invocation);

/// The words that such a record was made from, for a resume. Members that are no option are passed over.
void read_config_record(const record::Document& config, const record::Document& sources, Invocation& into);

// What a plan is made from besides words. The first session of a run finds it and keeps it in its run
// record; later ones plan with the same, so that sizes, keys and points stay what they were.

/// Member plan.inputs of the run record.
[[nodiscard]] record::Document plan_inputs(const Values& values, const Place& place);

/// The place of the first session, with the processes of `here`; what the record does not hold is as here.
[[nodiscard]] Place place_planned_with(const record::Document& inputs, Place here);

/// Throws Refused if --sizes-of names a run that was planned with more memory than a process has here.
void refuse_sizes_beyond(const Place& here, const Place& planned, const Values& values);

/// Makes the budget that the first session was divided by that of this one, and its sizes' (first_budget,
/// without words if there was none): a later session's own was for that session.
void set_first_budget(const record::Document& inputs, Values& values);

/// A resume takes the configuration of the run that it continues; only options that do not change the plan
/// may be given again. Throws UsageError that names those that may not.
void check_resume_words(const Invocation& invocation);

/// What of a run record decides how its run is continued.
struct RunConfiguration {
  record::Document config, sources, plan_inputs;
};

/// The invocation with the configuration of the interrupted run under what the user said for this one.
[[nodiscard]] Invocation with_configuration_of(const RunConfiguration& run, const Invocation& invocation);

[[nodiscard]] campaign::Retry retry_of(const Values& values);

/// The run of DIR that would be resumed; nothing is changed. Throws record::ReadError.
[[nodiscard]] record::RunRecord head_to_resume(const std::filesystem::path& directory);

/// Of the run that --sizes-of names, what its sizes follow from; empty without the option. Throws ReadError where
/// there is none, UsageError where its rates were not measured or its budget was another.
[[nodiscard]] record::RunRecord run_of_equal_sizes(const Values& values);

}  // namespace steelyard::cli
