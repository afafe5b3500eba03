// SPDX-License-Identifier: Apache-2.0
#include "campaign/select.hpp"

#include <algorithm>
#include <optional>

#include "campaign/pattern.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

using Suites = std::span<const suites::Suite* const>;
using Selection = std::vector<Selected>;

std::string full_name(const Selected& one) {
  return std::string(one.suite->name()) + "/" + one.benchmark;
}

bool contains(const Selection& list, const Selected& one) {
  return std::ranges::any_of(
      list, [&](const Selected& s) { return s.suite == one.suite && s.benchmark == one.benchmark; });
}

enum class Extent { default_set, everything };  // what a bare suite name stands for

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

/// The nearest selectable word; somebody who left out the suite is told the full name.
std::optional<std::string> suggestion(const std::string& word, Suites suites) {
  if (auto near = units::nearest(word, valid_words(suites))) return near;
  if (word.find('/') != std::string::npos) return std::nullopt;
  const auto bare = units::nearest(word, bare_benchmarks(suites));
  if (!bare) return std::nullopt;
  return full_name(matches(Pattern("*/" + *bare), suites, Extent::everything).front());
}

void append_quoted(std::string& list, const std::string& word) {
  if (list.find("'" + word + "'") != std::string::npos) return;
  list += (list.empty() ? "'" : ", '") + word + "'";
}

/// One message for all words that match nothing.
class Unknown {
 public:
  void add(const std::string& word, Suites suites) {
    append_quoted(words_, word);
    if (const auto near = suggestion(word, suites)) append_quoted(suggestions_, *near);
  }
  void raise() const {
    if (words_.empty()) return;
    const std::string hint = suggestions_.empty() ? "" : "; did you mean " + suggestions_ + "?";
    throw UsageError("no benchmark matches " + words_ + hint + " ('steelyard list' shows all)");
  }

 private:
  std::string words_, suggestions_;
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

std::vector<Selected> select(std::span<const std::string> patterns, std::span<const std::string> exclude,
                             Suites suites) {
  const std::vector<std::string> every_suite{"*"};
  Unknown unknown;
  Selection wanted =
      gather(patterns.empty() ? std::span(every_suite) : patterns, suites, Extent::default_set, unknown);
  const Selection unwanted = gather(exclude, suites, Extent::everything, unknown);
  unknown.raise();
  std::erase_if(wanted, [&](const Selected& one) { return contains(unwanted, one); });
  if (wanted.empty()) throw UsageError("--exclude removes every selected benchmark");
  return wanted;
}

}  // namespace steelyard::campaign
