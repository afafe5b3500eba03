// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>

#include "record/file.hpp"

namespace steelyard::record {

/// Taker of points, one at a time.
using PointConsumer =
    std::function<void(const RunRecord& head, const Envelope& envelope, const PointRecord& point)>;
/// Taker of runs and their points, one at a time.
struct RunTaker {
  /// A run begins: id, head, end and where it ran are those of the whole run, the rest is not told.
  std::function<void(const Run& run)> run;
  /// A point of that run.
  PointConsumer point;
};

/// Hands over the chosen runs and each point of them as read_runs gives them and in its order. Memory: for a file
/// 8 byte a point, and the records of keys that come several times, as in a resumed run; for standard input and
/// for files whose runs are interleaved, everything. The returned content has the counts and no records. Throws
/// ReadError, and what the taker throws.
FileContent walk_runs(const std::filesystem::path& input, const RunChoice& choice, const RunTaker& taker);
/// False for standard input, pipes and results with points of a killed session, of which walk_runs keeps everything.
[[nodiscard]] bool can_be_walked_again(const std::filesystem::path& input);

}  // namespace steelyard::record
