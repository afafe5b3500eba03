// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string_view>

/// Members of an object of JSON as they stand in its text: for readers that need few of very many lines.
namespace steelyard::record {

/// Hands over name and value, both as written (texts with their quotes), of every member, until `take` answers false.
/// False where the text is not one whole object, as far as it was looked at; values themselves are not checked.
bool each_member(std::string_view object,
                 const std::function<bool(std::string_view name, std::string_view value)>& take);

/// The text between the quotes; nothing for other values and texts with escapes.
[[nodiscard]] std::optional<std::string_view> plain_text(std::string_view value);
/// Nothing for what is no number.
[[nodiscard]] std::optional<double> plain_number(std::string_view value);

}  // namespace steelyard::record
