// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

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

}  // namespace steelyard::cli
