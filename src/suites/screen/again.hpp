// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "suites/screen/settings.hpp"

/// Measuring again what stands out, nodes as well as links: its limits and how values are judged.
namespace steelyard::screen {

inline constexpr int again_visits = 3;
inline constexpr std::size_t most_controls = 3;

[[nodiscard]] double tolerance_of(const Settings& settings, std::string_view name);

/// Median of the visits that have a value.
[[nodiscard]] std::optional<double> typical(const std::vector<double>& values);

}  // namespace steelyard::screen
