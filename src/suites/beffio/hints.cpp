// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/hints.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace steelyard::beffio {
namespace {

using When = HintRule::When;

constexpr std::size_t longest_line = 2000;
constexpr std::string_view blanks = " \t\r";
constexpr std::array<std::string_view, 6> chunk_words = {"1024",  "1032",    "32768",
                                                         "32776", "1048576", "1048584"};

/// Takes words off the front of a line.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}
  std::string_view next() {
    skip();
    const auto end = std::min(rest_.find_first_of(blanks), rest_.size());
    const auto word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return word;
  }
  /// Rest of the line, without blanks at its ends.
  std::string_view remainder() {
    skip();
    const auto last = rest_.find_last_not_of(blanks);
    return last == std::string_view::npos ? std::string_view() : rest_.substr(0, last + 1);
  }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size())); }
  std::string_view rest_;
};

std::optional<int> number(std::string_view word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(std::string_view word, const std::string& what) {
  throw HintError("'" + std::string(word) + "' is no " + what);
}

std::optional<int> processes(std::string_view word, const std::vector<int>& partitions) {
  if (word == "all") return std::nullopt;
  const auto value = number(word);
  if (!value || std::ranges::find(partitions, *value) == partitions.end())
    refuse(word, "partition in use, nor 'all'");
  return value;
}

template <class Kind, std::size_t n>
std::optional<Kind> kind(std::string_view word, const std::array<Kind, n>& kinds, const char* what) {
  if (word == "all") return std::nullopt;
  std::string valid = "all";
  for (const Kind one : kinds) {
    if (text(one) == word) return one;
    valid += ' ' + std::string(text(one));
  }
  refuse(word, std::string(what) + " (" + valid + ")");
}

void set_chunk(std::string_view word, HintRule& rule) {
  if (word == "all") return;
  if (word == "on_open") {
    rule.when = When::open;
  } else if (word == "Lmax") {
    rule.when = When::largest;
  } else if (std::ranges::find(chunk_words, word) != chunk_words.end()) {
    rule.when = When::chunk;
    rule.chunk = Bytes{*number(word)};
  } else {
    refuse(word, "chunk (all on_open Lmax 1024 1032 32768 32776 1048576 1048584)");
  }
}

HintRule rule_of(std::string_view line, const std::vector<int>& partitions) {
  if (line.size() > longest_line) throw HintError("longer than 2000 characters");
  Words words(line);
  HintRule rule;
  rule.processes = processes(words.next(), partitions);
  rule.access = kind(words.next(), accesses, "access method");
  rule.type = kind(words.next(), pattern_types, "pattern type");
  set_chunk(words.next(), rule);
  rule.hint.first = words.next();
  rule.hint.second = words.remainder();
  if (rule.hint.second.empty()) throw HintError("has no key and value");
  return rule;
}

bool is_text(std::string_view line) {
  return !line.empty() && line.front() != '#' && line.find_first_not_of(blanks) != std::string_view::npos;
}

bool applies(const HintRule& rule, const Hints::Place& place) {
  return (!rule.processes || *rule.processes == place.processes) &&
         (!rule.access || *rule.access == place.access) && (!rule.type || *rule.type == place.type);
}

}  // namespace

std::string words_of(const std::vector<Hint>& hints) {
  std::string words;
  for (const auto& [key, value] : hints) {
    if (!words.empty()) words += " :: ";
    words += key;
    words += ' ';
    words += value;
  }
  return words;
}

Hints Hints::parse(std::string_view text, const std::vector<int>& partitions) {
  Hints hints;
  hints.given_ = true;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!is_text(line)) continue;
    try {
      hints.rules_.push_back(rule_of(line, partitions));
    } catch (const HintError& error) {
      throw HintError("line " + std::to_string(number) + ": " + error.what());
    }
  }
  return hints;
}

void Hints::add_everywhere(Hint hint) {
  HintRule rule;
  rule.hint = std::move(hint);
  rules_.push_back(std::move(rule));
  given_ = true;
}

std::vector<Hint> Hints::at_open(const Place& place) const {
  std::vector<Hint> chosen;
  for (const HintRule& rule : rules_)
    if (applies(rule, place) && (rule.when == When::open || rule.when == When::all))
      chosen.push_back(rule.hint);
  return chosen;
}

std::vector<Hint> Hints::at_pattern(const Place& place, const Pattern& pattern) const {
  std::vector<Hint> chosen;
  for (const HintRule& rule : rules_) {
    if (!applies(rule, place)) continue;
    const bool here = rule.when == When::all || (rule.when == When::chunk && rule.chunk == pattern.disk) ||
                      (rule.when == When::largest && pattern.position == largest_position);
    if (here) chosen.push_back(rule.hint);
  }
  return chosen;
}

}  // namespace steelyard::beffio
