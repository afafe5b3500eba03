// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace steelyard::units {

/// Text as it may reach a terminal, which takes control characters of a name for commands: they are escaped as in
/// a string of C, "\n", "\t", "\x1b"; so are those of two bytes (U+0080 to U+009F), "\u009b". Those of `kept`, for
/// which a format has a way of its own, stay.
[[nodiscard]] std::string controls_escaped(std::string_view text, std::string_view kept = {});

}  // namespace steelyard::units
