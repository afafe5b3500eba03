// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/records.hpp"
#include "suites/imb/definition.hpp"

namespace steelyard::formats {

/// Configuration of a run, as the text needs it. Members that a run record lacks keep these defaults.
struct ImbSetup {
  const imb::Part* part = nullptr;
  imb::Version version = imb::Version::v31;
  std::optional<imb::Version> measured_by;  // another version, whose rules held while this was measured
  std::optional<int> multi;
  std::optional<std::pair<int, int>> map;
  bool check = false;
  bool show_tail = false;
  bool user_sizes = false;
  std::int64_t listed_sizes = 0;  // of the user's own; 0: unknown
  std::int64_t min_byte = 0, max_byte = 0;
  std::string data_type = "MPI_BYTE", reduction_type = "MPI_FLOAT", op = "MPI_SUM";
  std::int64_t off_cache_byte = 0, off_cache_line_byte = 0;
  std::vector<std::string> remarks;                        // options that change a measuring rule
  std::vector<std::string> benchmarks;                     // in the order of the plan
  std::vector<std::pair<std::string, std::string>> hints;  // of files
  int world = 1;
};
/// Setup of the first part of IMB in the plan (imb-mpi1 if there is none), or of a certain one.
[[nodiscard]] ImbSetup imb_setup(const record::RunRecord& run);
[[nodiscard]] ImbSetup imb_setup(const record::RunRecord& run, const imb::Part& part);

/// Map of "2x3" -> {2, 3}; nullopt if the text is not of that form.
[[nodiscard]] std::optional<std::pair<int, int>> parse_map(std::string_view text);

/// Head before the first table: title, machine, command, lengths, types, benchmarks to run. The throughput line,
/// avoided caches, changed rules and checking are lines of ours. The date is that of the run record in UTC.
[[nodiscard]] std::string imb_head(const record::RunRecord& run, const ImbSetup& setup);

/// Output of -list: title, suite, and in ASCII order the benchmarks with their remarks; marked are those that
/// do not run unless they are named, which depends on the rules.
[[nodiscard]] std::string imb_list(const imb::Part& part, imb::Version version,
                                   std::string_view program_version);

/// Time in the form of asctime: "2026-11-20T08:36:21Z" -> "Fri Nov 20 08:36:21 2026"; other texts stay as they are.
[[nodiscard]] std::string asctime_form(const std::string& utc);

}  // namespace steelyard::formats
