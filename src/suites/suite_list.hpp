// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "suites/suite.hpp"

/// List of all suites, with what the rest of the program has to know of each. Pure; readers of results use it
/// too. What measures them is listed in apps/steelyard/run/plan.cpp.
namespace steelyard::suites {

/// Mark in place of SELECT words: the preset leaves the suite out.
inline constexpr std::string_view left_out_of_preset = "-";

struct SuiteEntry {
  std::string_view name;  // in words and records
  /// The suite with its own settings: it plans and names its benchmarks.
  std::unique_ptr<Suite> (*definition)() = nullptr;
  std::string_view family;  // part of the report that shows it; empty: one of its own
  double share = 8;         // of the budget of a campaign, relative to other suites
  /// Whether it is measured as a whole by rules of its own, with texts and plots of its own; other suites are
  /// tables over a size, measured until their intervals are narrow.
  bool experiment = false;
  std::string_view point = "size", points = "sizes";  // names of its points
  /// SELECT words of the preset standard; empty: the name.
  std::string_view standard = {};
  std::string_view once =
      {};  // SELECT words with blanks between that measure each of its figures once; empty: the name
  std::string_view official = {};  // SELECT words of the preset official; empty: the name
};

/// Suites in the order in which a campaign measures them: experiments come first, and what is measured
/// until its interval is narrow takes the time that they leave. A campaign that is cut off has the
/// verdict's figures already.
[[nodiscard]] std::span<const SuiteEntry> suite_list();

/// Row of this suite; for an unknown name that of a table over a size, without a family.
[[nodiscard]] SuiteEntry suite_entry(std::string_view name);

/// Every suite with its own settings, in the order in which suites are listed: experiments come last.
[[nodiscard]] std::vector<std::unique_ptr<Suite>> definitions();

/// Pointers to suites, which stay with their owner.
[[nodiscard]] std::vector<const Suite*> pointers(std::span<const std::unique_ptr<Suite>> suites);

}  // namespace steelyard::suites
