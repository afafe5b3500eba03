// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "units/quantity.hpp"
#include "units/text.hpp"

/// Verdicts that --fail-on names.
namespace steelyard::cli {

/// Source of a value; a later one is stronger.
enum class Source { fallback, preset, file, environment, command_line };
/// "default", "preset", "file", "environment", "command line".
[[nodiscard]] std::string_view text(Source source);

/// Words of one option as the strongest source gave them.
struct OptionWords {
  std::vector<std::string> words;
  Source source = Source::fallback;
  std::string origin;  // "--sizes", "STEELYARD_OUT", "steelyard.toml:3:1: sizes": begins an error message
};

/// Checked values of a subcommand's options by name. The typed readers parse words that were checked before.
class Values {
 public:
  /// Keeps the stronger source; equal sources: the later one.
  void set(std::string_view name, OptionWords given);
  void forget(std::string_view name);
  [[nodiscard]] const OptionWords* find(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, OptionWords, std::less<>>& all() const { return given_; }

  /// Whether the option was said by the user or a preset; false for the built-in default.
  [[nodiscard]] bool said(std::string_view name) const;
  /// Whether it was said on the command line.
  [[nodiscard]] bool typed(std::string_view name) const;
  [[nodiscard]] bool on(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> word(std::string_view name) const;
  /// The word of an option that has a default. Throws std::logic_error if there is none.
  [[nodiscard]] std::string need(std::string_view name) const;
  [[nodiscard]] std::string word_or(std::string_view name, std::string_view fallback) const {
    return word(name).value_or(std::string(fallback));
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const;
  [[nodiscard]] std::optional<Bytes> size(std::string_view name) const;
  [[nodiscard]] std::optional<std::vector<Bytes>> sizes(std::string_view name) const;
  [[nodiscard]] std::optional<Seconds> duration(std::string_view name) const;
  [[nodiscard]] std::optional<std::int64_t> count(std::string_view name) const;
  [[nodiscard]] std::optional<double> number(std::string_view name) const;
  [[nodiscard]] std::optional<double> ratio(std::string_view name) const;
  [[nodiscard]] std::optional<units::Counts> counts(std::string_view name) const;

 private:
  std::map<std::string, OptionWords, std::less<>> given_;
};

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
