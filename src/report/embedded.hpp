// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// Files of web/ that are part of the program. Internal to this folder.
namespace steelyard::report {

/// Template with its scripts; empty if it was not built.
[[nodiscard]] std::string_view embedded_page();
/// web/src/style.css.
[[nodiscard]] std::string_view embedded_style();

}  // namespace steelyard::report
