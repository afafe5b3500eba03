// SPDX-License-Identifier: Apache-2.0
#include "imb/grammar.hpp"

#include <algorithm>
#include <functional>
#include <sstream>

#include "imb/options.hpp"
#include "options/checks.hpp"
#include "process/descriptor.hpp"
#include "process/errors.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

constexpr std::int64_t most_messages = std::int64_t{1} << 40;

std::size_t commas(std::string_view word) {
  return static_cast<std::size_t>(std::count(word.begin(), word.end(), ','));
}

// Passes each line to `act` without comment and blanks around; empty ones are skipped.
void for_each_line(const std::string& file, const std::string& option,
                   const std::function<void(std::string_view line, const std::string& place)>& act) {
  std::string why;
  const auto text = read_text(file, why);
  if (!text) throw UsageError(option + ": cannot read '" + file + "': " + why);
  std::istringstream in(*text);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number)
    if (const auto words = units::trimmed(std::string_view(line).substr(0, line.find('#'))); !words.empty())
      act(words, file + ':' + std::to_string(number));
}

// A length without the blanks before its unit, which IMB allows: "2k" of "2 k".
std::string closed_up(std::string_view line) {
  const std::size_t digits = std::min(line.find_first_not_of("0123456789."), line.size());
  const auto unit = units::trimmed(line.substr(digits));
  if (digits == 0 || unit.find_first_of(" \t0123456789") != std::string_view::npos) return std::string(line);
  return std::string(line.substr(0, digits)) + std::string(unit);
}

// Turns words into the original's spelling and gathers those that it does not know.
class NameList {
 public:
  explicit NameList(const imb::Part& part) : part_(part) {}

  std::vector<std::string> known(const std::vector<PlacedName>& words) {
    std::vector<std::string> names;
    for (const PlacedName& word : words) {
      const imb::Definition* definition = imb::find(part_, word.name);
      if (definition != nullptr)
        names.emplace_back(definition->name);
      else
        unknown_.push_back(word);
    }
    return names;
  }

  void refuse_unknown() const {
    if (unknown_.empty()) return;
    std::string list;
    std::vector<std::string> near;
    for (const PlacedName& word : unknown_) {
      list += (list.empty() ? "'" : ", '") + word.name + "'";
      if (!word.place.empty()) list += " (" + word.place + ")";
      if (const auto one = units::nearest(word.name, all_names())) near.push_back(*one);
    }
    throw UsageError(
        (unknown_.size() > 1 ? "no benchmarks of these names: " : "no benchmark of this name: ") + list,
        near.empty() ? "'-list' shows all"
                     : "did you mean " + units::joined_in_quotes(near) + "? ('-list' shows all)");
  }

 private:
  std::vector<std::string> all_names() const {
    std::vector<std::string> names;
    for (const imb::Definition& definition : part_.benchmarks) names.emplace_back(definition.name);
    return names;
  }

  const imb::Part& part_;
  std::vector<PlacedName> unknown_;
};

std::vector<PlacedName> words_of_option(const Values& values, std::string_view option) {
  std::vector<PlacedName> words;
  for (const std::string& list : values.list(option))
    for (std::string& word : comma_words(list)) words.push_back({std::move(word), ""});
  return words;
}

// Refuses words without a name, such as "" or ",": a variable of a script was empty, and all would be measured.
void refuse_empty(const Values& values, const std::vector<PlacedName>& words) {
  const auto& given = values.list("name");
  if (words.empty() && !given.empty())
    throw UsageError("no name of a benchmark in '" + given.front() + "'", "'-list' shows all");
}

std::vector<PlacedName> given_names(const Values& values) {
  std::vector<PlacedName> words = words_of_option(values, "name");
  refuse_empty(values, words);
  for (const std::string& file : values.list("input"))
    for (PlacedName& word : read_names(file)) words.push_back(std::move(word));
  return words;
}

// Refuses a mode that no benchmark of the list has: it would have no effect. The default asks for none.
void refuse_idle_mode(const imb::Part& part, const Values& values, const std::vector<std::string>& names) {
  if (!values.said("aggregate_mode") || values.need("aggregate_mode") == "multi") return;
  const auto has_modes = [&](const std::string& name) {
    return imb::find(part, name)->modes == imb::Modes::both;
  };
  if (std::ranges::none_of(names, has_modes))
    throw UsageError("-aggregate_mode: none of these benchmarks has two modes");
}

}  // namespace

std::pair<int, int> parse_exponents(std::string_view word, int highest) {
  const std::size_t colon = word.find(':');
  const auto exponent = [highest](std::string_view text) {
    return static_cast<int>(units::parse_count(text, 0, highest));
  };
  const int low = colon == std::string_view::npos ? 0 : exponent(word.substr(0, colon));
  const int high = exponent(colon == std::string_view::npos ? word : word.substr(colon + 1));
  if (low > high) throw units::ParseError("range '" + std::string(word) + "' runs backwards");
  return {low, high};
}

std::vector<Bytes> parse_lengths(std::string_view word) {
  std::vector<Bytes> lengths;
  for (const std::string& one : comma_list(word)) {
    const std::vector<Bytes> more =
        one.find("..") == std::string::npos ? std::vector{units::parse_size(one)} : units::parse_sizes(one);
    lengths.insert(lengths.end(), more.begin(), more.end());
  }
  if (lengths.empty()) throw units::ParseError("names no size");
  return lengths;
}

imb::IterationRule parse_iterations(std::string_view word, imb::IterationRule rule) {
  const auto words = comma_words(word);
  if (words.empty() || words.size() > 3 || commas(word) + 1 != words.size())
    throw units::ParseError("'" + std::string(word) +
                            "' is not of the form A[,B[,C]] (example: 1000,40,100)");
  rule.per_sample = units::parse_count(words[0], 1, most_messages);
  if (words.size() > 1) rule.volume = units::parse_count(words[1], 1, most_messages >> 20) * mebi;
  if (words.size() > 2) rule.non_aggregate = units::parse_count(words[2], 1, most_messages);
  return rule;
}

OffCacheWords parse_off_cache(std::string_view word) {
  const auto words = comma_words(word);
  if (words.empty() || words.size() > 2 || commas(word) + 1 != words.size())
    throw units::ParseError("'" + std::string(word) +
                            "' is not of the form MB[,LINE] (examples: -1, 32, 8,64)");
  OffCacheWords out;
  if (const double megabytes = units::parse_number(words[0]); megabytes != -1)
    out.megabytes = parse_positive(words[0]);
  constexpr double most_megabytes = 1 << 20;
  if (out.megabytes.value_or(0) > most_megabytes)
    throw units::ParseError("'" + words[0] + "' MB are more than a cache of 1048576");
  if (words.size() > 1) out.line_byte = units::parse_count(words[1], 1, 1 << 20);
  return out;
}

Seconds parse_pause(std::string_view word) {
  const bool plain = !word.empty() && word.find_first_not_of("0123456789.") == std::string_view::npos;
  constexpr double microsecond = 1e-6;
  return plain ? Seconds{units::parse_number(word) * microsecond} : units::parse_duration(word);
}

std::vector<std::int64_t> parse_element_counts(std::string_view word) {
  std::vector<std::int64_t> counts;
  for (const std::string& one : comma_list(word)) counts.push_back(units::parse_count(one, 0, most_messages));
  if (counts.empty()) throw units::ParseError("names no number of elements");
  return counts;
}

std::int64_t parse_buffer_align(std::string_view word) {
  const std::int64_t bytes = units::parse_count(word, 8, 1 << 21);
  if ((bytes & (bytes - 1)) != 0)
    throw units::ParseError("'" + std::string(word) + "' is no power of two (examples: 64, 4096)");
  return bytes;
}

std::vector<int> parse_part_numbers(std::string_view word) {
  std::vector<int> numbers;
  for (const std::string& one : comma_list(word))
    numbers.push_back(static_cast<int>(units::parse_count(one, 1, 4096)));
  if (numbers.empty()) throw units::ParseError("names no number of parts");
  return numbers;
}

double parse_noise(std::string_view word) {
  constexpr double percent = 0.01, most = 1000;
  const double noise = units::parse_number(word);
  if (!(noise >= 0 && noise <= most))
    throw units::ParseError("'" + std::string(word) + "' is not between 0 and 1000 percent");
  return noise * percent;
}

imb::Cart parse_cart(std::string_view word) {
  constexpr std::int64_t most_dimensions = 3, most_processes = 1 << 24;
  std::vector<int> sides;
  for (std::string_view rest = word;;) {
    const auto cross = rest.find('x');
    sides.push_back(static_cast<int>(units::parse_count(rest.substr(0, cross), 1, most_processes)));
    if (cross == std::string_view::npos) break;
    rest.remove_prefix(cross + 1);
  }
  const bool number = sides.size() == 1;
  if (static_cast<std::int64_t>(sides.size()) > most_dimensions || (number && sides[0] > most_dimensions))
    throw units::ParseError("'" + std::string(word) +
                            "' has more than three dimensions (examples: 2, 3x2, 2x2x2)");
  return number ? imb::Cart{sides[0], {}} : imb::Cart{static_cast<int>(sides.size()), sides};
}

void check_iterations(std::string_view word) {
  static_cast<void>(parse_iterations(word, {}));
}
void check_p2p_iterations(std::string_view word) {
  if (commas(word) > 1)
    throw units::ParseError("'" + std::string(word) + "' is not of the form A[,B] (example: 100000,800)");
  static_cast<void>(parse_iterations(word, {}));
}
std::vector<Bytes> read_lengths(const std::string& file) {
  std::vector<Bytes> lengths;
  for_each_line(file, "-msglen", [&](std::string_view line, const std::string& place) {
    try {
      lengths.push_back(units::parse_size(closed_up(line)));
    } catch (const units::ParseError& error) {
      throw UsageError(place + ": " + error.what());
    }
  });
  if (lengths.empty()) throw UsageError("-msglen: '" + file + "' holds no length");
  return lengths;
}

std::vector<PlacedName> read_names(const std::string& file) {
  std::vector<PlacedName> names;
  for_each_line(file, "-input", [&](std::string_view line, const std::string& place) {
    if (line.find_first_of(" \t") != std::string_view::npos)
      throw UsageError(place + ": more than one word: '" + std::string(line) + "'");
    names.push_back({std::string(line), place});
  });
  if (names.empty()) throw UsageError("-input: '" + file + "' names no benchmark");
  return names;
}

bool names_given(const Values& values) {
  return !values.list("name").empty() || !values.list("input").empty() || !values.list("include").empty();
}

std::vector<std::string> imb_names(const imb::Part& part, const Values& values, imb::Version version) {
  NameList list(part);
  const auto given = given_names(values);
  std::vector<std::string> names = given.empty() ? imb::default_set(part, version) : list.known(given);
  const auto excluded = list.known(words_of_option(values, "exclude"));
  const auto included = list.known(words_of_option(values, "include"));
  list.refuse_unknown();
  std::erase_if(names, [&](const std::string& name) {
    return std::find(excluded.begin(), excluded.end(), name) != excluded.end();
  });
  names.insert(names.begin(), included.begin(), included.end());
  if (names.empty()) throw UsageError("-exclude: leaves no benchmark");
  refuse_idle_mode(part, values, names);
  return names;
}

}  // namespace steelyard::cli
