// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace steelyard::units::detail {

/// Comma list of values and ranges "A..B", "A..B*F", "A..B+S" (default *2), ascending without duplicates.
/// `value` reads A, B and S and throws ParseError; 0 is accepted outside ranges only. Throws ParseError.
[[nodiscard]] std::vector<std::int64_t> expand(std::string_view words,
                                               const std::function<std::int64_t(std::string_view)>& value);

}  // namespace steelyard::units::detail
