// SPDX-License-Identifier: Apache-2.0
#include "beff_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace steelyard::formats {
namespace {

const std::regex marker("SECTION-([A-Z-]+)-(BEGIN|END)");

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> section_names(const std::string& text) {
  std::vector<std::string> names;
  std::string open;
  for (const auto& line : lines_of(text)) {
    std::smatch found;
    if (line.find("SECTION-") == std::string::npos) continue;
    if (!std::regex_match(line, found, marker))
      throw std::runtime_error("marker does not stand alone: " + line);
    const bool begins = found[2] == "BEGIN";
    if (begins != open.empty() || (!begins && found[1] != open))
      throw std::runtime_error("out of order: " + line);
    open = begins ? found[1].str() : "";
    if (begins) names.push_back(open);
  }
  if (!open.empty()) throw std::runtime_error("not closed: " + open);
  return names;
}

std::vector<std::string> section(const std::string& text, const std::string& name) {
  std::vector<std::string> lines;
  bool inside = false;
  for (const auto& line : lines_of(text)) {
    if (line == "SECTION-" + name + "-END") return lines;
    if (inside) lines.push_back(line);
    if (line == "SECTION-" + name + "-BEGIN") inside = true;
  }
  throw std::runtime_error("no section " + name);
}

std::vector<std::string> matching(const std::vector<std::string>& lines, const std::string& expression) {
  const std::regex regex(expression);
  std::vector<std::string> found;
  for (const auto& line : lines)
    if (std::regex_match(line, regex)) found.push_back(line);
  return found;
}

double last_number(const std::string& line) {
  std::smatch found;
  if (!std::regex_search(line, found, std::regex("([0-9.]+) MByte/s$")))
    throw std::runtime_error("no value: " + line);
  return std::stod(found[1]);
}

std::string last_line_of(const std::string& text) {
  if (text.empty() || text.back() != '\n') throw std::runtime_error("the last line has no end");
  return lines_of(text).back();
}

std::string fixed(int width, int decimals) {
  const std::string point = decimals > 0 ? fmt::format("\\.[0-9]{{{}}}", decimals) : "";
  const int whole = decimals > 0 ? width - decimals - 1 : width;
  std::string any = fmt::format("(?:[0-9]{{{},}}{}", whole + 1, point);
  for (int blanks = 0; blanks < whole; ++blanks)
    any += fmt::format("| {{{}}}[0-9]{{{}}}{}", blanks, whole - blanks, point);
  const int dashes = std::min(width, 7);
  return any + fmt::format("| {{{}}}-{{{}}})", width - dashes, dashes);
}

}  // namespace steelyard::formats
