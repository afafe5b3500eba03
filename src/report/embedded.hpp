// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// Files of web/ that are part of the program. Of this room alone.
namespace steelyard::report {

/// The template with its scripts; empty where it was not built.
[[nodiscard]] std::string_view embedded_page();
/// web/src/style.css.
[[nodiscard]] std::string_view embedded_style();

}  // namespace steelyard::report
