// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace steelyard::cli {

/// Everything in a file, or on standard input for "-". Throws record::ReadError.
[[nodiscard]] std::string text_of_file(const std::string& file);
/// record::sha256 of that, without holding it; of a file alone. Throws record::ReadError.
[[nodiscard]] std::string hash_of_file(const std::string& file);
/// False for what cannot be read.
[[nodiscard]] bool begins_with(const std::string& file, std::string_view text);

}  // namespace steelyard::cli
