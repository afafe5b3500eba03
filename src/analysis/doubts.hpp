// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/records.hpp"

/// Why a number deserves less trust than it seems to, in words that stand beside it.
namespace steelyard::analysis {

/// An interval wider than that, as half of its width over the median, is worth a remark.
inline constexpr double wide_half_width = 0.2;

/// Half of the 95 % interval of the primary metric over its median, or of the time where that has none; nothing
/// where no interval is known.
[[nodiscard]] std::optional<double> half_width(const record::PointRecord& point);

struct Doubt {
  std::string code;   // the flag that tells it, or "wide_interval"
  std::string words;  // "+-35 %", "noisy", "too small to stand for this machine"
};

/// Doubts of a point that has values, gravest first; none for others.
[[nodiscard]] std::vector<Doubt> doubts(const record::PointRecord& point);
/// Their words in one line, empty without any.
[[nodiscard]] std::string doubts_in_words(const record::PointRecord& point);

}  // namespace steelyard::analysis
