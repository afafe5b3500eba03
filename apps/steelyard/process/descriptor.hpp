// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>

/// Reading and writing of descriptors to their end. One that does not block (O_NONBLOCK), as another program may have
/// left the user's terminal or pipe, is waited for like any other. `abandoned`: a descriptor that ends the waiting when
/// its writer closes it; -1 for none.
namespace steelyard::cli {

/// Writes all of a text. Returns 0 or the error number: EPIPE if the reader has gone or the text is abandoned. A pipe
/// that blocks can only be abandoned if at most PIPE_BUF bytes are written at once: so many it takes when it has room.
[[nodiscard]] int write_all(int descriptor, std::string_view text, int abandoned = -1);

/// Hands over everything that comes, in pieces of at most PIPE_BUF bytes, until all writers have closed it or it fails.
void read_all(int descriptor, const std::function<void(std::string_view)>& take, int abandoned = -1);

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
