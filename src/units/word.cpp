// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "units/scan.hpp"
#include "units/text.hpp"

namespace steelyard::units {
namespace {

using Row = std::vector<std::size_t>;

/// Next row of the table of Damerau and Levenshtein: distances of a's first i letters to every beginning of
/// b.
void fill_row(Row& row, std::string_view a, std::string_view b, std::size_t i, const Row& above, const Row& two_above) {
  row[0] = i;
  for (std::size_t j = 1; j <= b.size(); ++j) {
    const std::size_t changed = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
    row[j] = std::min({above[j] + 1, row[j - 1] + 1, changed});
    const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
    if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
  }
}

/// Insertions, deletions, changes and swaps of neighbours that turn a into b.
std::size_t distance(std::string_view a, std::string_view b) {
  Row two_above(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(two_above, above);
    std::swap(above, row);
    fill_row(row, a, b, i, above, two_above);
  }
  return row.back();
}

/// Fewer changes than this turn no word into one of the other length.
std::size_t least_distance(std::string_view a, std::string_view b) {
  return std::max(a.size(), b.size()) - std::min(a.size(), b.size());
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> valid) {
  const std::string typed = detail::lower(word);
  std::optional<std::string> best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : valid) {
    if (least_distance(typed, candidate) >= least) continue;
    const std::size_t d = distance(typed, detail::lower(candidate));
    if (d < least) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

std::string parse_word(std::string_view word, std::span<const std::string_view> valid) {
  const std::string typed = detail::lower(word);
  const auto same = [&](std::string_view v) { return detail::lower(v) == typed; };
  const auto found = std::find_if(valid.begin(), valid.end(), same);
  if (found != valid.end()) return std::string{*found};
  const std::vector<std::string> words(valid.begin(), valid.end());
  const auto hint = nearest(word, words);
  throw ParseError(fmt::format("'{}' is not one of {}{}", word, fmt::join(words, ", "),
                               hint ? fmt::format("; did you mean '{}'?", *hint) : ""));
}

}  // namespace steelyard::units
