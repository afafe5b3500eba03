// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/series_keys.hpp"

#include <algorithm>
#include <cstddef>

#include "record/point_view.hpp"

namespace steelyard::history {
namespace {

bool is_size(std::string_view parameter) {
  const auto name = parameter.substr(0, parameter.find('='));
  return name == "count_byte" || std::ranges::find(record::length_names, name) != record::length_names.end();
}

}  // namespace

std::string_view benchmark_in(std::string_view key) {
  return key.substr(0, std::min(key.find(';'), key.find(' ')));
}

std::string curve_in(std::string_view key) {
  std::string curve;
  bool sized = false;
  const std::size_t blank = key.rfind(' ');
  const std::string_view words = key.substr(0, blank);
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(';', at), words.size());
    const std::string_view part = words.substr(at, end - at);
    at = end + 1;
    if (is_size(part))
      sized = true;
    else
      curve.append(curve.empty() ? "" : ";").append(part);
  }
  return sized ? curve.append(key.substr(blank)) : std::string();
}

std::string_view size_in(std::string_view key) {
  const std::string_view words = key.substr(0, key.rfind(' '));
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(';', at), words.size());
    if (is_size(words.substr(at, end - at))) return words.substr(at, end - at);
    at = end + 1;
  }
  return words;
}

std::string_view metric_in(std::string_view key) {
  const std::string_view metric = key.substr(key.rfind(' ') + 1);
  return metric.substr(0, metric.find('.'));
}

}  // namespace steelyard::history
