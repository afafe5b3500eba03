// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "units/range.hpp"
#include "units/scan.hpp"
#include "units/text.hpp"

namespace steelyard::units {

Counts parse_counts(std::string_view words) {
  const std::string word = detail::lower(words);
  if (word == "all") return {Counts::Kind::all, {}};
  if (word == "pow2") return {Counts::Kind::pow2, {}};
  Counts counts;
  for (const std::int64_t v : detail::expand(
           words, [](auto item) { return parse_count(item, 1, std::numeric_limits<int>::max()); })) {
    counts.values.push_back(static_cast<int>(v));
  }
  return counts;
}

}  // namespace steelyard::units
