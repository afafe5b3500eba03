// SPDX-License-Identifier: Apache-2.0
#include "formats/beff/print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "record/whereabouts.hpp"
#include "units/text.hpp"

namespace steelyard::formats::beff {
namespace {

using record::Json;

constexpr unsigned char first_printable = 0x20, last_printable = 0x7e;

/// True for the bytes of a character of UTF-8 after its first.
bool continues(unsigned char byte) {
  return (byte & 0xc0u) == 0x80u;
}

Json part(const record::Document& document, const char* name) {
  const Json& json = document.json();
  const auto found = json.find(name);
  return found == json.end() ? Json() : *found;
}

std::string first_host(const record::Document& layout) {
  const Json hosts = part(layout, "hosts");
  const bool known = hosts.is_array() && !hosts.empty() && hosts.front().is_string();
  return known ? plain(hosts.front().get<std::string>()) : "-";
}

}  // namespace

std::string number(std::optional<double> value, int width, int decimals) {
  constexpr int most_dashes = 7;
  if (!value)
    return fmt::format("{:>{}}", std::string(static_cast<std::size_t>(std::min(width, most_dashes)), '-'),
                       width);
  return fmt::format("{:>{}}", units::format_fixed(*value, decimals), width);
}

std::optional<double> megabytes(std::optional<double> byte_s) {
  return share(byte_s, 1e6);
}

std::optional<double> microseconds(std::optional<double> seconds) {
  if (!seconds) return std::nullopt;
  return *seconds * 1e6;
}

std::optional<double> share(std::optional<double> whole, double n) {
  if (!whole) return std::nullopt;
  return *whole / n;
}

std::string plain(std::string_view text) {
  std::string result;
  bool blank = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool control = byte < first_printable || byte == last_printable + 1;
    if (control && !blank) result += ' ';
    blank = control;
    if (control || continues(byte)) continue;
    result += byte > last_printable ? '?' : c;
  }
  return result;
}

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

std::string member(const Json& object, const char* name) {
  if (!object.is_object()) return "-";
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string()) return "-";
  const auto text = plain(found->get<std::string>());
  return text.empty() ? "-" : text;
}

std::string processes_per_node(const record::RunRecord& run) {
  std::map<int, int> counts;
  for (const auto& [host, count] : record::rank_stretches(run)) counts[host] += count;
  if (counts.empty()) return "-";
  const auto [least, most] = std::ranges::minmax_element(counts, {}, &std::map<int, int>::value_type::second);
  return least->second == most->second ? fmt::format("{}", least->second)
                                       : fmt::format("{} to {}", least->second, most->second);
}

Uname uname(const record::Document& machine, const record::Document& layout) {
  const Json own = part(machine, "uname");
  Uname names{member(own, "sysname"), member(own, "nodename"), member(own, "release"), member(own, "version"),
              member(own, "machine")};
  if (names.nodename == "-") names.nodename = first_host(layout);
  return names;
}

}  // namespace steelyard::formats::beff
