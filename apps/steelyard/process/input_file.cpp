// SPDX-License-Identifier: Apache-2.0
#include "process/input_file.hpp"

#include <cerrno>
#include <system_error>

namespace steelyard::cli {
namespace {

constexpr std::size_t piece_byte = std::size_t{1} << 16;

bool is_endless(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_character_file(file, ignored) && file != "/dev/null" && file != "/dev/stdin";
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
  if (is_endless(file)) {
    why = "a device is no text";
    return std::nullopt;
  }
  std::ifstream in = open_to_read(file);
  if (in) return read_text(in, why);
  why = std::generic_category().message(errno);
  return std::nullopt;
}

}  // namespace steelyard::cli
