// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace steelyard::units {

/// Moment that "2026-11-20T08:36:21Z" begins with, to the second; of "2026-11-20" its midnight. Returns
/// nullopt for texts that begin otherwise and for days that no calendar has.
[[nodiscard]] std::optional<std::chrono::sys_seconds> utc_moment(std::string_view utc);

/// Seconds since 1970 now.
[[nodiscard]] double unix_now_s();

}  // namespace steelyard::units
