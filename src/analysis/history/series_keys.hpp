// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// What the key of a series is made of: suite/benchmark;parameter=value;... metric.statistic
namespace steelyard::history {

/// suite/benchmark of a point's key.
[[nodiscard]] std::string_view benchmark_in(std::string_view key);
/// The key without its size, the metric last: what the points of a curve share. Empty: the point has no size.
[[nodiscard]] std::string curve_in(std::string_view key);
/// "message_byte=8" of a key that has a size.
[[nodiscard]] std::string_view size_in(std::string_view key);
/// The metric at the end of a key, without its statistic.
[[nodiscard]] std::string_view metric_in(std::string_view key);

}  // namespace steelyard::history
