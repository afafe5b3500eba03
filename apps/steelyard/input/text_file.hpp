// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace steelyard::cli {

/// Makes an input that can be read only once, standard input (`-`) or a pipe of a shell (/dev/fd/N), one that every
/// reader may read again: its bytes are kept in memory in the place of its descriptor. Does nothing for files, folders and
/// devices. Throws record::ReadError for a pipe with a name, which may have no writer, and for more than 1 GiB that do
/// not begin as records or gzip do.
void hold_input(const std::string& file);

/// Whether an input is named by its descriptor: `-`, /dev/stdin, /dev/fd/N.
[[nodiscard]] bool is_descriptor(const std::string& file);

/// Whether every reader finds the content of an input anew: files, and standard input that is one or is held.
[[nodiscard]] bool can_be_read_again(const std::string& file);

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
