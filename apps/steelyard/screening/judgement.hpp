// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/screening/screening.hpp"
#include "options/resolve.hpp"
#include "record/file.hpp"

/// Tolerances, expected values and topology of a screening, from words and files.
/// Rules by which `run` and `screen` judge a screening: --fail-on, --reference, --topology, --tolerance.
namespace steelyard::cli {

/// Tolerances of quantities, "triad=3%,chase=0.2", each once. Throws units::ParseError with the nearest name.
[[nodiscard]] std::map<std::string, double, std::less<>> parse_tolerances(std::string_view words);

/// Medians of a screening as a text that parse_expected reads.
[[nodiscard]] std::string expected_text(const screening::Measured& measured);

/// Words of --fail-on, as Screening::found has them. Throws UsageError with the nearest word.
[[nodiscard]] std::set<std::string> fatal_findings(const Values& values);

/// The last run of each place; `places` are lists with commas. Throws record::ReadError.
[[nodiscard]] std::vector<record::Run> screened_runs(const std::vector<std::string>& places);

/// Reference of --reference; empty without it. --tolerance is stronger than tolerances in a file. Throws UsageError,
/// record::ReadError, screening::Unjudgeable.
[[nodiscard]] screening::Reference said_reference(const Values& values);

/// Switches of --topology; empty without it. Throws UsageError, record::ReadError.
[[nodiscard]] machine::Switches said_switches(const Values& values);

/// All rules of these options, for a run.
struct Judgement {
  screening::Reference reference = {};
  machine::Switches switch_of = {};
  std::set<std::string> fatal = {};  // of --fail-on
};
/// Throws UsageError, record::ReadError.
[[nodiscard]] Judgement said_judgement(const Values& values);

}  // namespace steelyard::cli
