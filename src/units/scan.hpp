// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

/// Helpers that the parsers of this folder share. None depends on the process locale.
namespace steelyard::units::detail {

/// The parts between commas; one empty part for an empty text.
[[nodiscard]] std::vector<std::string_view> split_commas(std::string_view text);

/// Length of the leading "12" or "12.5" of a text; 0 if it does not begin with a digit.
[[nodiscard]] std::size_t decimal_length(std::string_view text);

/// All of `text` as a whole number without sign; nullopt if it is none or too large.
[[nodiscard]] std::optional<std::int64_t> whole(std::string_view text);

/// All of `text` as a finite number; nullopt if it is none.
[[nodiscard]] std::optional<double> finite(std::string_view text);

/// Comma list of values and ranges "A..B", "A..B*F", "A..B+S" (default *2), ascending without duplicates.
/// `value` reads A, B and S and throws ParseError; 0 is accepted outside ranges only. Throws ParseError.
[[nodiscard]] std::vector<std::int64_t> expand(std::string_view words,
                                               const std::function<std::int64_t(std::string_view)>& value);

}  // namespace steelyard::units::detail
