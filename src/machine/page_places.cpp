// SPDX-License-Identifier: Apache-2.0
#include "machine/page_places.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>

#include "machine/source.hpp"
#include "machine/text.hpp"

namespace steelyard::machine {
namespace {

constexpr std::int64_t kibibyte = 1 << 10, least_area_byte = 1 << 20;

/// An area by the words of its line: "7f1b28000000 default anon=512 dirty=512 N0=500 N1=12 kernelpagesize_kB=4".
PagePlaces area(std::string_view line, int domain) {
  std::int64_t pages = 0, remote = 0, page_byte = 0;
  for (const auto word : words(line)) {
    const auto equals = word.find('=');
    if (equals == word.npos) continue;
    const auto name = word.substr(0, equals);
    if (name == "file") return {};
    const auto value = whole(word.substr(equals + 1));
    if (name == "kernelpagesize_kB") page_byte = value.value_or(0) * kibibyte;
    const auto number = name.starts_with("N") ? whole(name.substr(1)) : std::nullopt;
    if (!number || !value) continue;
    pages += *value;
    if (*number != domain) remote += *value;
  }
  if (pages * page_byte < least_area_byte) return {};
  return {pages * page_byte, remote * page_byte};
}

}  // namespace

std::optional<int> one_domain_of_several(const Roots& roots) {
  const auto entries = Source(roots).names("/sys/devices/system/node");
  const auto is_domain = [](const std::string& name) {
    return name.starts_with("node") && whole(std::string_view(name).substr(4)).has_value();
  };
  return std::ranges::count_if(entries, is_domain) < 2 ? std::nullopt : own_domain(roots);
}

PagePlaces page_places(int domain, const Roots& roots) {
  PagePlaces all;
  std::istringstream lines(Source(roots).peek("/proc/self/numa_maps").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const auto one = area(line, domain);
    all.byte += one.byte;
    all.remote_byte += one.remote_byte;
  }
  return all;
}

}  // namespace steelyard::machine
