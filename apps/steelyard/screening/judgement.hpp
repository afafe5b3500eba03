// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/screening/screening.hpp"
#include "record/file.hpp"
#include "words/resolve.hpp"

/// By what the words of `run` and of `screen` judge a screening: --fail-on, --reference, --topology, --tolerance.
namespace steelyard::cli {

using Verdicts = std::set<screening::Verdict>;

/// Verdicts of --fail-on. Throws UsageError with the nearest word.
[[nodiscard]] Verdicts fatal_verdicts(const Values& values);

/// The last run of each place, of lists of places. Throws record::ReadError.
[[nodiscard]] std::vector<record::Run> screened_runs(const std::vector<std::string>& places);

/// What --reference says; empty without it. What --tolerance says counts more than what a file does. Throws UsageError,
/// record::ReadError, screening::Unjudgeable.
[[nodiscard]] screening::Reference said_reference(const Values& values);

/// What --topology says; empty without it. Throws UsageError, record::ReadError.
[[nodiscard]] machine::Switches said_switches(const Values& values);

/// All of it, for a run. Throws UsageError, record::ReadError.
struct Judgement {
  screening::Reference reference = {};
  machine::Switches switch_of = {};
  std::set<std::string> fatal = {};  // words of verdicts
};
[[nodiscard]] Judgement said_judgement(const Values& values);

}  // namespace steelyard::cli
