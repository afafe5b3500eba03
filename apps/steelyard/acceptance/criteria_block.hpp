// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/acceptance/judge.hpp"
#include "analysis/comparison/run_filter.hpp"
#include "options/toml.hpp"
#include "units/amount.hpp"
#include "units/text.hpp"

namespace steelyard::cli {

/// One table of a file of criteria: every error has the place of the word that it is about.
class CriteriaBlock {
 public:
  using Words = std::span<const std::string_view>;

  CriteriaBlock(const toml::table& table, std::string file, std::string owner)
      : table_(table), file_(std::move(file)), owner_(std::move(owner)) {}

  [[nodiscard]] std::string place() const { return place_in(file_, table_.source()); }
  void name_it(const std::string& owner) { owner_ = owner; }

  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse(const toml::node& node, const std::string& what) const;
  /// Refuses words that are not known.
  void allow(Words known) const;

  [[nodiscard]] const toml::node* find(std::string_view key) const { return table_.get(key); }
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] bool yes(std::string_view key) const;
  [[nodiscard]] std::size_t count(std::string_view key, std::size_t otherwise) const;
  /// Share such as 0.05 or "5%"; nullopt if the key is missing.
  [[nodiscard]] std::optional<double> share(std::string_view key) const;
  /// Amount of a text with its unit. Refuses a bare number: it has lost its unit.
  [[nodiscard]] units::Amount amount_of(const toml::node& node, std::string_view key,
                                        std::string_view needed) const;
  [[nodiscard]] comparison::RunFilter filter(std::string_view key) const;
  /// Enumerator of a valid word; the words stand in the order of the enumerators from `first` on.
  template <class Enum>
  [[nodiscard]] Enum word(std::string_view key, Words valid, Enum otherwise, int first = 0) const {
    const toml::node* node = find(key);
    if (node == nullptr) return otherwise;
    try {
      const std::string found = units::parse_word(text(key), valid);
      return static_cast<Enum>(first + static_cast<int>(std::ranges::find(valid, found) - valid.begin()));
    } catch (const units::ParseError& error) {
      refuse(*node, std::string(key) + ": " + error.what());
    }
  }

 private:
  [[nodiscard]] std::string prefix() const { return owner_.empty() ? "" : owner_ + ": "; }

  const toml::table& table_;
  std::string file_, owner_;
};

inline constexpr std::string_view every_words[] = {"point", "node", "link"};

/// Refuses a criterion that names something unknown, or whose words make no sense together.
void check_criterion(const CriteriaBlock& block, const acceptance::Criterion& criterion);

}  // namespace steelyard::cli
