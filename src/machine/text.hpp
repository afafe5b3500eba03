// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "units/text.hpp"

/// Parsing of the texts of /proc and /sys, and base64. Nothing here throws or depends on the locale.
namespace steelyard::machine {

using units::lower;
using units::trimmed;
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
/// Parts between blanks, tabs and line ends; no empty ones.
[[nodiscard]] std::vector<std::string_view> words(std::string_view text);
[[nodiscard]] std::string upper(std::string_view text);
[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);

/// Whole text as a finite number; nullopt if anything else is in it.
[[nodiscard]] std::optional<std::int64_t> whole(std::string_view text);
[[nodiscard]] std::optional<double> decimal(std::string_view text);

/// Value behind the first line "key : value" (blanks around the colon are free).
[[nodiscard]] std::optional<std::string_view> field(std::string_view text, std::string_view key);
/// Value of the first line "key value".
[[nodiscard]] std::optional<std::int64_t> counter(std::string_view text, std::string_view key);
/// Bytes of "MemTotal:  65536 kB": 67108864.
[[nodiscard]] std::optional<std::int64_t> bytes_of_kilobytes(std::string_view text, std::string_view key);
/// Bytes of "32K", "1024 KB", "2M", "2048kB", as the kernel writes sizes of caches and pages.
[[nodiscard]] std::optional<std::int64_t> cache_bytes(std::string_view text);
/// Chosen word of "always [madvise] never": madvise.
[[nodiscard]] std::optional<std::string_view> chosen(std::string_view text);

/// Conversion of "0-2,8" <-> 0 1 2 8. Parts that are no numbers are left out.
[[nodiscard]] std::vector<int> parse_cpu_list(std::string_view text);
[[nodiscard]] std::string format_cpu_list(std::span<const int> ascending);

/// Base64 by RFC 4648, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace steelyard::machine
