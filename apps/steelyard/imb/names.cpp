// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <sstream>

#include "imb/options.hpp"
#include "options/checks.hpp"
#include "process/errors.hpp"
#include "process/input_file.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

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

}  // namespace

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

namespace {

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
    std::string list, suggestion;
    for (const PlacedName& word : unknown_) {
      list += (list.empty() ? "'" : ", '") + word.name + "'";
      if (!word.place.empty()) list += " (" + word.place + ")";
      if (const auto near = units::nearest(word.name, all_names()))
        suggestion += (suggestion.empty() ? "did you mean '" : ", '") + *near + "'";
    }
    throw UsageError(
        (unknown_.size() > 1 ? "no benchmarks of these names: " : "no benchmark of this name: ") + list,
        suggestion.empty() ? "'-list' shows all" : suggestion + "? ('-list' shows all)");
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
