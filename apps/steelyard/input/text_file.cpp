// SPDX-License-Identifier: Apache-2.0
#include "input/text_file.hpp"

#include <cerrno>
#include <fstream>
#include <iostream>
#include <system_error>
#include <utility>
#include <vector>

#include "process/input_file.hpp"
#include "record/file.hpp"
#include "record/value.hpp"

namespace steelyard::cli {
namespace {

std::ifstream opened(const std::string& file) {
  std::ifstream in = open_to_read(file);
  if (!in) throw record::ReadError("cannot read '" + file + "': " + std::generic_category().message(errno));
  return in;
}

}  // namespace

std::string text_of_file(const std::string& file) {
  std::string why;
  auto text = file == "-" ? read_text(std::cin, why) : read_text(file, why);
  if (!text) throw record::ReadError("cannot read '" + file + "': " + why);
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
  std::ifstream in(file, std::ios::binary);
  std::string first(text.size(), '\0');
  return in.read(first.data(), std::ssize(first)) && first == text;
}

}  // namespace steelyard::cli
