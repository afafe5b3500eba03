// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "campaign/resume.hpp"
#include "words/resolve.hpp"

namespace steelyard::cli {

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
