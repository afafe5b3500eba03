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

/// A suite that has a text; later ones are further rows of this table.
struct ImbSuite {
  std::string_view name;  // of points, plan and configuration
  std::string_view part;  // in the first line of the head
};
/// The suite of that name, or nullptr if it has no text.
[[nodiscard]] const ImbSuite* imb_suite(std::string_view name);

/// What the text needs to know of a run's configuration. Members that a run record lacks keep these defaults.
struct ImbSetup {
  const ImbSuite* suite = nullptr;
  imb::Version version = imb::Version::v31;
  std::optional<int> multi;
  std::optional<std::pair<int, int>> map;
  bool check = false;
  bool show_tail = false;
  bool user_sizes = false;
  std::int64_t min_byte = 0, max_byte = 0;
  std::string data_type = "MPI_BYTE", reduction_type = "MPI_FLOAT", op = "MPI_SUM";
  std::int64_t off_cache_byte = 0, off_cache_line_byte = 0;
  std::vector<std::string> remarks;     // options that change a measuring rule
  std::vector<std::string> benchmarks;  // in the order of the plan
  int world = 1;
};
[[nodiscard]] ImbSetup imb_setup(const record::RunRecord& run);

/// "2x3" -> {2, 3}; nothing if the text is not of that form.
[[nodiscard]] std::optional<std::pair<int, int>> parse_map(std::string_view text);

}  // namespace steelyard::formats
