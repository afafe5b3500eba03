// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "units/text.hpp"

namespace steelyard::beffio {

namespace {

/// Initial writes of all partitions, in their order.
class Writing {
 public:
  Writing(const Settings& settings, int world, Bytes most)
      : settings_(settings), guard_(most.count()), sizes_(partitions(settings, world)) {
    units_left_ = static_cast<int>(sizes_.size()) * units_of_table();
  }

  /// Whether every pattern is written at least once.
  [[nodiscard]] bool fits() {
    return std::ranges::all_of(sizes_, [this](int processes) { return one(processes); });
  }

 private:
  bool one(int processes) {
    const auto table = pattern_table(settings_, processes);
    for (const Pattern& pattern : table)
      if (!size_driven(pattern.type) && !write(pattern, processes)) return false;
    return segments(table, processes);
  }

  /// Writes a pattern once, or as often as the share allows; returns false if once is beyond the limit.
  bool write(const Pattern& pattern, int processes) {
    const std::int64_t once = pattern.memory.count() * processes;
    const std::int64_t left = guard_.left({written_, 0}).value();
    if (once > left) return false;
    const std::int64_t share = guard_.share({written_, units_left_}, pattern.units).value();
    written_ += std::min(left, std::max(once, share));
    units_left_ -= pattern.units;
    return true;
  }

  bool segments(const PatternTable& table, int processes) {
    const int units = units_of(PatternType::segmented) + units_of(PatternType::segmented_collective);
    const std::int64_t files = segmented_types(settings_) * processes;
    const std::int64_t share = guard_.share({written_, units_left_}, units).value();
    if (!segment(table, {}, settings_.align, Bytes{share / files})) return false;
    written_ += share;
    units_left_ -= units;
    return true;
  }

  const Settings& settings_;
  VolumeGuard guard_;
  std::vector<int> sizes_;
  std::int64_t written_ = 0;
  int units_left_ = 0;
};

bool suffices(const Settings& settings, int world, Bytes most) {
  return Writing(settings, world, most).fits();
}

/// The power of two next to processes^exponent.
int power(int processes, double exponent) {
  return 1 << static_cast<int>(std::lround(exponent * std::log2(processes)));
}

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

[[noreturn]] void refuse(std::string_view word, const std::string& what) {
  throw HintError("'" + std::string(word) + "' is no " + what);
}

std::optional<int> processes(std::string_view word, const std::vector<int>& partitions) {
  if (word == "all") return std::nullopt;
  const auto value = units::read_number<int>(word);
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
    rule.chunk = Bytes{*units::read_number<int>(word)};
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

Settings hurried(Settings settings, int processes) {
  constexpr double total_s = 6;
  constexpr Bytes longest = 2 * mebi;
  const std::int64_t most_byte = std::max(2 * gibi, processes * (64 * mebi)).count();
  settings.partitions = {processes};
  settings.total_s = total_s;
  settings.most_byte = std::min(settings.most_byte.value_or(most_byte), most_byte);
  settings.largest = std::min(longest, largest_chunk(settings));
  return settings;
}

std::vector<std::string> departures(const Settings& settings) {
  std::vector<std::string> list;
  const auto note = [&](bool departs, const char* sentence) {
    if (departs) list.emplace_back(sentence);
  };
  note(settings.largest.has_value(), "largest chunk given instead of 1/128 of the memory");
  note(settings.largest_together.has_value(), "largest chunk of common files limited over all processes");
  note(settings.pointer == Pointer::individual, "type 1 without shared file pointers");
  note(settings.unique, "files opened in unique mode");
  note(settings.rewriting == Rewriting::scatter_only && settings.formula == Formula::published,
       "only type 0 rewritten");
  note(settings.control == Control::each, "a decision after every iteration");
  note(settings.drop_cache, "files dropped from the page cache between the access methods");
  return list;
}

Bytes largest_chunk(const Settings& settings) {
  return settings.largest ? *settings.largest : largest_chunk(settings.memory_mebibyte);
}

Bytes largest_common_chunk(const Settings& settings, int processes) {
  const Bytes largest = largest_chunk(settings);
  if (!settings.largest_together) return largest;
  const std::int64_t share = settings.largest_together->count() / processes / element_byte * element_byte;
  return std::min(largest, Bytes{std::max(share, element_byte)});
}

PatternTable pattern_table(const Settings& settings, int processes) {
  return pattern_table(largest_chunk(settings), largest_common_chunk(settings, processes));
}

std::int64_t segmented_types(const Settings& settings) {
  return settings.random ? 3 : 2;
}

Bytes least_volume(const Settings& settings, int world) {
  std::int64_t below = 0, most = 1;
  while (!suffices(settings, world, most * mebi)) below = most, most *= 2;
  while (most - below > 1) {
    const std::int64_t middle = below + (most - below) / 2;
    (suffices(settings, world, middle * mebi) ? most : below) = middle;
  }
  return most * mebi;
}

Bytes buffer_size(const Settings& settings) {
  return std::max(largest_chunk(settings), settings.align);
}

std::vector<int> partitions(const Settings& settings, int world) {
  return settings.partitions.empty() ? default_partitions(world) : settings.partitions;
}

bool viewed_by_pattern(PatternType type, Pointer pointer) {
  return type == PatternType::scatter || (type == PatternType::shared && pointer == Pointer::individual);
}

bool sets_view(int number, Pointer pointer) {
  const PatternType type = type_of(number);
  return static_cast<std::size_t>(number) == patterns_of(type).first || viewed_by_pattern(type, pointer);
}

std::string_view text(Formula formula) {
  return formula == Formula::published ? "published" : "2.x";
}
std::string_view text(Order order) {
  return order == Order::by_access ? "access" : "partition";
}
std::string_view text(Control control) {
  return control == Control::batched ? "batched" : "each";
}

std::vector<int> default_partitions(int processes) {
  constexpr double small = 0.35, medium = 0.70;
  if (processes == 1) return {1};
  if (processes == 2) return {1, 2};
  if (processes == 3) return {1, 2, 3};
  if (processes == 4) return {2, 3, 4};
  return {power(processes, small), power(processes, medium), processes};
}

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
