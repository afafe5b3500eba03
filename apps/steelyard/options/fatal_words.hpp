// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options/values.hpp"

/// Verdicts that --fail-on names.
namespace steelyard::cli {

/// Places in `known` of the words of --fail-on, without "none". Throws UsageError for another word, with the nearest
/// one, and for a list without any.
[[nodiscard]] std::vector<std::size_t> fatal_places(const Values& values,
                                                    const std::vector<std::string>& known);

template <class Verdict>
using FatalWord = std::pair<std::string_view, Verdict>;

/// The verdicts of those words. Throws as fatal_places.
template <class Verdict>
[[nodiscard]] std::set<Verdict> fatal_of_words(const Values& values,
                                               std::span<const FatalWord<Verdict>> known) {
  std::vector<std::string> words;
  for (const auto& [word, verdict] : known) words.emplace_back(word);
  std::set<Verdict> found;
  for (const std::size_t place : fatal_places(values, words)) found.insert(known[place].second);
  return found;
}

}  // namespace steelyard::cli
