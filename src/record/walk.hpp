// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

#include "record/file.hpp"

namespace steelyard::record {

/// Taker of runs and their points, one at a time.
struct RunTaker {
  /// A run begins: id, head, end and where it ran are those of the whole run, the rest is not told.
  std::function<void(const Run& run)> run;
  /// A point of that run.
  PointConsumer point;
};

/// Hands over the chosen runs and each point of them as read_runs gives them and in its order. Memory and what it returns
/// and throws: as scan_points.
FileContent walk_runs(const std::filesystem::path& input, const RunChoice& choice, const RunTaker& taker);
/// False for standard input, pipes and results with points of a killed session, of which walk_runs keeps everything.
[[nodiscard]] bool can_be_walked_again(const std::filesystem::path& input);

}  // namespace steelyard::record
