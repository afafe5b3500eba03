// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace steelyard::cli {

/// A word that a preset says for an option of `run`.
struct PresetWord {
  std::string_view option, word;
};

/// Sizes, counts and budgets of one preset of `run`, as words of its options.
struct Preset {
  std::string_view name;
  std::string_view summary;
  std::string_view duration;  // what to expect
  std::span<const std::string_view> select;
  std::span<const PresetWord> words;
};

[[nodiscard]] std::span<const Preset> presets();

/// By name; nullptr if there is none.
[[nodiscard]] const Preset* find_preset(std::string_view name);

}  // namespace steelyard::cli
