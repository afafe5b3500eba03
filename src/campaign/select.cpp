// SPDX-License-Identifier: Apache-2.0
#include "campaign/select.hpp"

#include <algorithm>

#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

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

using Suites = std::span<const suites::Suite* const>;
using Selection = std::vector<Selected>;

std::string full_name(const Selected& one) {
  return std::string(one.suite->name()) + "/" + one.benchmark;
}

bool contains(const Selection& list, const Selected& one) {
  return std::ranges::any_of(
      list, [&](const Selected& s) { return s.suite == one.suite && s.benchmark == one.benchmark; });
}

enum class Extent { default_set, everything };  // selection by a bare suite name

Selection matches(const Pattern& pattern, Suites suites, Extent extent) {
  Selection found;
  for (const suites::Suite* suite : suites) {
    if (!pattern.matches_suite(suite->name())) continue;
    const bool only_default = pattern.whole_suite() && extent == Extent::default_set;
    for (const suites::BenchmarkInfo& info : suite->catalogue())
      if (pattern.matches_benchmark(info.name) && (info.in_default || !only_default))
        found.push_back({suite, std::string(info.name)});
  }
  return found;
}

std::vector<std::string> bare_benchmarks(Suites suites) {
  std::vector<std::string> names;
  for (const suites::Suite* suite : suites)
    for (const suites::BenchmarkInfo& info : suite->catalogue()) names.emplace_back(info.name);
  return names;
}

std::vector<std::string> valid_words(Suites suites) {
  std::vector<std::string> words;
  for (const suites::Suite* suite : suites) words.emplace_back(suite->name());
  for (const Selected& one : matches(Pattern("*/*"), suites, Extent::everything))
    words.push_back(full_name(one));
  return words;
}

/// Full name of the first benchmark that a pattern means.
std::optional<std::string> first_of(const std::string& pattern, Suites suites) {
  const auto found = matches(Pattern(pattern), suites, Extent::everything);
  return found.empty() ? std::nullopt : std::optional(full_name(found.front()));
}

/// Nearest selectable word: of a word without its suite the benchmark of that name, or the nearest one; else one that
/// ends so, as StarSTREAM does for STREAM.
std::optional<std::string> suggestion(const std::string& word, Suites suites) {
  if (word.empty()) return std::nullopt;
  const std::size_t slash = word.find('/');
  const bool bare = slash == std::string::npos;
  if (auto named = bare ? first_of("*/" + word, suites) : std::nullopt) return named;
  if (auto near = units::nearest(word, valid_words(suites))) return near;
  if (const auto near = bare ? units::nearest(word, bare_benchmarks(suites)) : std::nullopt)
    return first_of("*/" + *near, suites);
  return first_of(bare ? "*/*" + word : word.substr(0, slash + 1) + '*' + word.substr(slash + 1), suites);
}

void add_once(std::vector<std::string>& list, const std::string& word) {
  if (std::ranges::find(list, word) == list.end()) list.push_back(word);
}

/// One message for all words that match nothing.
class Unknown {
 public:
  void add(const std::string& word, Suites suites) {
    add_once(words_, word);
    if (const auto near = suggestion(word, suites)) add_once(near_, *near);
  }
  void raise() const {
    if (words_.empty()) return;
    const std::string hint = near_.empty() ? "" : "; did you mean " + units::joined_in_quotes(near_) + '?';
    throw UsageError("no benchmark matches " + units::joined_in_quotes(words_) + hint +
                     " ('steelyard list' shows all)");
  }

 private:
  std::vector<std::string> words_, near_;
};

Selection gather(std::span<const std::string> words, Suites suites, Extent extent, Unknown& unknown) {
  Selection all;
  for (const std::string& word : words) {
    const Selection found = matches(Pattern(word), suites, extent);
    if (found.empty()) unknown.add(word, suites);
    for (const Selected& one : found)
      if (!contains(all, one)) all.push_back(one);
  }
  return all;
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
  if (slash != std::string_view::npos) benchmark_ = units::lower(word.substr(slash + 1));
}

bool Pattern::matches_benchmark(std::string_view benchmark) const {
  return !benchmark_ || glob_matches(*benchmark_, units::lower(benchmark));
}

std::vector<Selected> select(std::span<const std::string> patterns, std::span<const std::string> exclude,
                             Suites suites) {
  const std::vector<std::string> every_suite{"*"};
  Unknown unknown;
  Selection wanted =
      gather(patterns.empty() ? std::span(every_suite) : patterns, suites, Extent::default_set, unknown);
  const Selection unwanted = gather(exclude, suites, Extent::everything, unknown);
  unknown.raise();
  std::erase_if(wanted, [&](const Selected& one) { return contains(unwanted, one); });
  return wanted;
}

}  // namespace steelyard::campaign
