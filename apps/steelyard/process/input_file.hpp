// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

namespace steelyard::cli {

/// Longest text that is read whole, and what is said of a longer one.
inline constexpr std::size_t most_text_byte = std::size_t{1} << 30;
inline constexpr std::string_view too_long_a_text = "more than 1 GiB is no text of this kind";

/// Stream over the bytes of a file; it has failed, with the reason in errno, if there is nothing to read. Refuses
/// directories, which a stream of the library opens, to throw at the first character.
[[nodiscard]] std::ifstream open_to_read(const std::filesystem::path& file);

/// Text of a file or of a pipe (/dev/fd/N); nullopt, with the reason in `why`, if it cannot be read. Refuses what may have
/// no end: devices, but for /dev/null and /dev/stdin, pipes with a name, and anything of more than 1 GiB.
[[nodiscard]] std::optional<std::string> read_text(const std::filesystem::path& file, std::string& why);
/// The same of what is left of a stream.
[[nodiscard]] std::optional<std::string> read_text(std::istream& in, std::string& why);

}  // namespace steelyard::cli
