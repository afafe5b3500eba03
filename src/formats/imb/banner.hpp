// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "suites/imb/definition.hpp"

namespace steelyard::formats {

/// Who runs a table.
struct ImbBanner {
  std::string benchmark;  // plain name
  int processes = 1;      // of one group
  int groups = 1;
  int world = 1;
  std::optional<std::pair<int, int>> map;
  imb::Mode mode = imb::Mode::none;
  std::string grid = {};                                  // "3x2", of neighbours in a grid
  std::optional<std::int64_t> threads = {}, window = {};  // of IMB-MT
  std::string topology = {};                              // "3x2", of collectives of neighbours
  std::optional<std::int64_t> neighbours = {};

  friend bool operator==(const ImbBanner&, const ImbBanner&) = default;
};

/// "PingPong", or "Multi-PingPong" with more than one group, "Stencil2D (3 x 2)" on a grid.
[[nodiscard]] std::string printed_name(const ImbBanner& banner);

/// The lines between the two rules of a table, rules of `width` characters and the empty line before
/// included, and the mode of a benchmark that has modes.
[[nodiscard]] std::string imb_banner(const ImbBanner& banner, int width);

/// What stands in place of a table of threads that none of the processes can run.
[[nodiscard]] std::string imb_no_executions(const std::string& benchmark, int width);

}  // namespace steelyard::formats
