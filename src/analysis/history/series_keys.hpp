// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Parts of the key of a series: "suite/benchmark;parameter=value;... metric.statistic".
namespace steelyard::history {

/// Part "suite/benchmark" of a point's key.
[[nodiscard]] std::string_view benchmark_in(std::string_view key);
/// Key that the points of a curve share: without the size, the metric last. Empty if the point has no size.
[[nodiscard]] std::string curve_in(std::string_view key);
/// Part "message_byte=8" of a key that has a size.
[[nodiscard]] std::string_view size_in(std::string_view key);
/// The metric at the end of a key, without its statistic.
[[nodiscard]] std::string_view metric_in(std::string_view key);

}  // namespace steelyard::history
