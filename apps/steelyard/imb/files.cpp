// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <fstream>
#include <functional>
#include <system_error>

#include "errors.hpp"
#include "imb/words.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

// Lines without comments and blanks around; empty ones are skipped.
void for_each_line(const std::string& file, const std::string& option,
                   const std::function<void(std::string_view line, const std::string& place)>& act) {
  std::ifstream in(file);
  if (!in)
    throw UsageError(option + ": cannot read '" + file + "': " + std::generic_category().message(errno));
  std::string line;
  for (int number = 1; std::getline(in, line); ++number)
    if (const auto text = units::trimmed(std::string_view(line).substr(0, line.find('#'))); !text.empty())
      act(text, file + ':' + std::to_string(number));
}

}  // namespace

std::vector<Bytes> read_lengths(const std::string& file) {
  std::vector<Bytes> lengths;
  for_each_line(file, "-msglen", [&](std::string_view line, const std::string& place) {
    try {
      lengths.push_back(units::parse_size(line));
    } catch (const units::ParseError& error) {
      throw UsageError(place + ": " + error.what());
    }
  });
  if (lengths.empty()) throw UsageError("-msglen: '" + file + "' holds no length");
  return lengths;
}

std::vector<PlacedName> read_names(const std::string& file) {
  std::vector<PlacedName> names;
  for_each_line(file, "-input", [&](std::string_view line, const std::string& place) {
    if (line.find_first_of(" \t") != std::string_view::npos)
      throw UsageError(place + ": more than one word: '" + std::string(line) + "'");
    names.push_back({std::string(line), place});
  });
  if (names.empty()) throw UsageError("-input: '" + file + "' names no benchmark");
  return names;
}

}  // namespace steelyard::cli
