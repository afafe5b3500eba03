// SPDX-License-Identifier: Apache-2.0
#include "input/text_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "process/descriptor.hpp"
#include "process/input_file.hpp"
#include "record/file.hpp"
#include "record/value.hpp"

namespace steelyard::cli {
namespace {

record::ReadError unreadable(const std::string& file, const std::string& why) {
  return record::ReadError("cannot read '" + file + "': " + why);
}

std::ifstream opened(const std::string& file) {
  std::ifstream in = open_to_read(file);
  if (!in) throw unreadable(file, std::generic_category().message(errno));
  return in;
}

/// Text of standard input, which stays at its place if it has one.
std::string text_of_standard_input() {
  const off_t place = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  std::string text;
  read_all(STDIN_FILENO, [&text](std::string_view bytes) {
    text += bytes;
    if (text.size() > most_text_byte) throw unreadable("-", std::string(too_long_a_text));
  });
  if (place >= 0) static_cast<void>(::lseek(STDIN_FILENO, place, SEEK_SET));
  return text;
}

}  // namespace

std::string text_of_file(const std::string& file) {
  if (file == "-") return text_of_standard_input();
  std::string why;
  auto text = read_text(file, why);
  if (!text) throw unreadable(file, why);
  return std::move(*text);
}

std::string hash_of_file(const std::string& file) {
  std::ifstream in = opened(file);
  record::Sha256 sum;
  std::vector<char> piece(std::size_t{1} << 18);
  while (in.read(piece.data(), std::ssize(piece)), in.gcount() > 0)
    sum.add({piece.data(), static_cast<std::size_t>(in.gcount())});
  return sum.text();
}

bool begins_with(const std::string& file, std::string_view text) {
  std::string first(text.size(), '\0');
  if (file == "-") {
    const off_t place = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
    return place >= 0 && ::pread(STDIN_FILENO, first.data(), first.size(), place) == std::ssize(first) &&
           first == text;
  }
  std::ifstream in(file, std::ios::binary);
  return in.read(first.data(), std::ssize(first)) && first == text;
}

}  // namespace steelyard::cli
