// SPDX-License-Identifier: Apache-2.0
#include "process/input_file.hpp"

#include <cerrno>
#include <string_view>
#include <system_error>

namespace steelyard::cli {
namespace {

constexpr std::size_t piece_byte = std::size_t{1} << 16;

/// Why a file may have no end; empty if it has one. Pipes that a shell makes for a program have no name of their own, and
/// end; one that lies in a directory may have no writer.
std::string_view endless(const std::filesystem::path& file) {
  std::error_code ignored;
  if (file == "/dev/null" || file == "/dev/stdin") return "";
  const auto there = std::filesystem::status(file, ignored);
  if (std::filesystem::is_character_file(there)) return "a device is no text";
  const bool is_named_pipe =
      std::filesystem::is_fifo(there) && !std::filesystem::canonical(file, ignored).empty();
  return is_named_pipe ? "a pipe with a name is no text" : "";
}

}  // namespace

std::ifstream open_to_read(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::error_code ignored;
  if (in && std::filesystem::is_directory(file, ignored)) {
    in.setstate(std::ios::failbit);
    errno = EISDIR;
  }
  return in;
}

std::optional<std::string> read_text(std::istream& in, std::string& why) {
  std::string text;
  for (std::size_t got = piece_byte; got == piece_byte;) {
    const std::size_t before = text.size();
    text.resize(before + piece_byte);
    got = static_cast<std::size_t>(in.read(text.data() + before, piece_byte).gcount());
    text.resize(before + got);
    if (text.size() <= most_text_byte) continue;
    why = too_long_a_text;
    return std::nullopt;
  }
  return text;
}

std::optional<std::string> read_text(const std::filesystem::path& file, std::string& why) {
  if (const auto reason = endless(file); !reason.empty()) {
    why = reason;
    return std::nullopt;
  }
  std::ifstream in = open_to_read(file);
  if (in) return read_text(in, why);
  why = std::generic_category().message(errno);
  return std::nullopt;
}

}  // namespace steelyard::cli
