// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace steelyard::formats {

/// Printable ASCII as LaTeX prints it literally in a text font of OT1: no command, no ligature.
[[nodiscard]] std::string latex_text(std::string_view ascii);

}  // namespace steelyard::formats
