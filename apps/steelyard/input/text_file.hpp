// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace steelyard::cli {

/// First bytes of the records that this program writes.
inline constexpr std::string_view begin_of_records = R"({"format":"steelyard.result",)";

/// Content of a file, or of standard input for "-", which is read from the same place again if it is a file or held.
/// Throws record::ReadError, also for what read_text refuses.
[[nodiscard]] std::string text_of_file(const std::string& file);
/// record::sha256 of a file's content, read piece by piece; not of standard input. Throws record::ReadError.
[[nodiscard]] std::string hash_of_file(const std::string& file);
/// Whether a file, or standard input for "-", begins with `text`; false if it cannot be read, or not be read again.
[[nodiscard]] bool begins_with(const std::string& file, std::string_view text);

}  // namespace steelyard::cli
