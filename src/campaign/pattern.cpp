// SPDX-License-Identifier: Apache-2.0
#include "campaign/pattern.hpp"

#include <algorithm>

namespace steelyard::campaign {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

/// A bracket expression at the start of a glob, with the number of characters it takes; 0 = not closed.
struct Set {
  std::string_view members;
  bool negated = false;
  std::size_t length = 0;
};

Set leading_set(std::string_view glob) {
  const bool negated = glob.size() > 1 && glob[1] == '!';
  const std::size_t first = negated ? 2 : 1;
  // a ']' in the first place is a member
  const std::size_t close = glob.find(']', first + 1);
  if (close == std::string_view::npos) return {};
  return {glob.substr(first, close - first), negated, close + 1};
}

bool contains(const Set& set, char c) {
  bool found = false;
  for (std::size_t i = 0; i < set.members.size(); ++i) {
    const bool range = i + 2 < set.members.size() && set.members[i + 1] == '-';
    found = found || (range ? set.members[i] <= c && c <= set.members[i + 2] : set.members[i] == c);
    if (range) i += 2;
  }
  return found != set.negated;
}

bool star_matches(std::string_view rest, std::string_view text) {
  for (std::size_t skipped = 0; skipped <= text.size(); ++skipped)
    if (glob_matches(rest, text.substr(skipped))) return true;
  return false;
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view text) {
  if (glob.empty()) return text.empty();
  if (glob.front() == '*') return star_matches(glob.substr(1), text);
  if (text.empty()) return false;
  const Set set = glob.front() == '[' ? leading_set(glob) : Set{};
  if (set.length > 0)
    return contains(set, text.front()) && glob_matches(glob.substr(set.length), text.substr(1));
  return (glob.front() == '?' || glob.front() == text.front()) &&
         glob_matches(glob.substr(1), text.substr(1));
}

Pattern::Pattern(std::string_view word) : suite_(word.substr(0, word.find('/'))) {
  const std::size_t slash = word.find('/');
  if (slash != std::string_view::npos) benchmark_ = lower(word.substr(slash + 1));
}

bool Pattern::matches_benchmark(std::string_view benchmark) const {
  return !benchmark_ || glob_matches(*benchmark_, lower(benchmark));
}

}  // namespace steelyard::campaign
