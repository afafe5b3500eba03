// SPDX-License-Identifier: Apache-2.0
#include "words/presets.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view everything[] = {"imb-mpi1"};

constexpr PresetWord quick[] = {
    {"schedule", "adaptive"}, {"ci", "5%"}, {"budget", "60s"}, {"point-budget", "1s"}, {"np", "pow2"}};
constexpr PresetWord standard[] = {
    {"schedule", "adaptive"}, {"ci", "2%"}, {"budget", "15m"}, {"point-budget", "2s"}, {"np", "pow2"}};
constexpr PresetWord official[] = {{"schedule", "suite"}, {"np", "pow2"}};

constexpr Preset all[] = {
    {"quick", "the whole suite once, in a minute at most", "up to 1 min", everything, quick},
    {"standard", "the whole suite with the adaptive schedule", "up to 15 min", everything, standard},
    {"official", "the suite's own rules and durations", "as long as the rules ask", everything, official},
};

}  // namespace

std::span<const Preset> presets() {
  return all;
}

const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : all)
    if (preset.name == name) return &preset;
  return nullptr;
}

}  // namespace steelyard::cli
