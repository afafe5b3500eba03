// SPDX-License-Identifier: Apache-2.0
#include "words/presets.hpp"

#include <algorithm>
#include <vector>

#include "suites/suite_list.hpp"

namespace steelyard::cli {
namespace {

// What a row of the list says a preset takes of its suite.
std::vector<std::string_view> selected(std::string_view suites::SuiteInfo::*of_preset) {
  std::vector<std::string_view> all;
  for (const suites::SuiteInfo& suite : suites::suite_list) {
    const std::string_view words = (suite.*of_preset).empty() ? suite.name : suite.*of_preset;
    if (words == suites::left_out_of_preset) continue;
    for (std::size_t at = 0; at < words.size();) {
      const std::size_t end = std::min(words.find(' ', at), words.size());
      all.push_back(words.substr(at, end - at));
      at = end + 1;
    }
  }
  return all;
}

constexpr PresetWord quick[] = {
    {"schedule", "adaptive"}, {"ci", "5%"}, {"budget", "60s"}, {"point-budget", "1s"}, {"np", "pow2"}};
constexpr PresetWord standard[] = {
    {"schedule", "adaptive"}, {"ci", "2%"}, {"budget", "15m"}, {"point-budget", "2s"}, {"np", "pow2"}};
constexpr PresetWord official[] = {{"schedule", "suite"}, {"np", "pow2"}};

}  // namespace

std::span<const Preset> presets() {
  static const auto everything = selected(&suites::SuiteInfo::official),
                    usual = selected(&suites::SuiteInfo::standard),
                    everything_once = selected(&suites::SuiteInfo::once);
  static const Preset all[] = {
      {"quick", "every resource once, in a minute at most: small sizes, prescribed rules shortened",
       "up to 1 min", everything_once, quick},
      {"standard",
       "the same and what is asked most of later suites, adaptive schedule, as much of the rules as fits",
       "up to 15 min", usual, standard},
      {"official", "everything by the rules of its own and with their durations",
       "as long as the rules ask, hours", everything, official},
  };
  return all;
}

const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : presets())
    if (preset.name == name) return &preset;
  return nullptr;
}

}  // namespace steelyard::cli
