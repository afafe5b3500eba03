// SPDX-License-Identifier: Apache-2.0
#include "commands/text_file.hpp"

#include <cerrno>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>

#include "record/file.hpp"

namespace steelyard::cli {
namespace {

std::string rest_of(std::istream& in) {
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::string text_of_file(const std::string& file) {
  if (file == "-") return rest_of(std::cin);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw record::ReadError("cannot read '" + file + "': " + std::generic_category().message(errno));
  return rest_of(in);
}

}  // namespace steelyard::cli
