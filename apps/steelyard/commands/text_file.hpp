// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace steelyard::cli {

/// Everything in a file, or on standard input for "-". Throws record::ReadError.
[[nodiscard]] std::string text_of_file(const std::string& file);

}  // namespace steelyard::cli
