// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/document.hpp"
#include "suites/rates.hpp"

namespace steelyard::survey {

/// The rates of a machine and how they came about.
struct Surveyed {
  suites::Rates rates = suites::assumed_rates();
  std::map<std::string, double, std::less<>> spread;  // by rate: largest over least of its trials, less 1
  std::vector<std::string> assumed;                   // rates that were not measured
  double seconds = 0;                                 // that the measuring took
  double processor_share =
      1;  // of a processor's time that every computing process was given, at least; in the rates
  std::int64_t memory_byte = 0;  // that a process may plan with, as it was found then; 0: not known
};

/// Member `survey` of a run record, and back: nothing for a document that is none.
[[nodiscard]] record::Document document_of(const Surveyed& surveyed);
[[nodiscard]] std::optional<Surveyed> surveyed_of(const record::Document& document);

}  // namespace steelyard::survey
