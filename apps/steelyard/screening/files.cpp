// SPDX-License-Identifier: Apache-2.0
#include "screening/files.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "errors.hpp"
#include "record/json.hpp"
#include "suites/screen/quantities.hpp"
#include "units/text.hpp"
#include "words/checks.hpp"
#include "words/toml.hpp"

namespace steelyard::cli {
namespace {

std::vector<std::string> quantity_names() {
  std::vector<std::string> names;
  for (const auto& one : screen::quantities) names.emplace_back(one.name);
  return names;
}

std::string nearest_quantity(const std::string& word) {
  const auto near = units::nearest(word, quantity_names());
  if (near) return "; did you mean " + *near + '?';
  std::string all;
  for (const auto& name : quantity_names()) all += (all.empty() ? "" : ", ") + name;
  return " (" + all + ")";
}

/// A tolerance of nothing, or of everything, is a slip.
double parse_tolerance(const std::string& word) {
  const double ratio = units::parse_ratio(word);
  if (!(ratio > 0 && ratio < 1)) throw units::ParseError("'" + word + "' must lie between 0 and 1, as 5%");
  return ratio;
}

double number_of(const toml::table& table, const char* key, const std::string& name) {
  const toml::node* node = table.get(key);
  const auto value = node == nullptr ? std::nullopt : node->value<double>();
  if (value && *value > 0) return *value;
  throw UsageError(place_in(name, node == nullptr ? table.source() : node->source()) + ": " + key +
                   ": must be a number above 0");
}

/// What is written of a quantity has to be of that quantity.
void check_unit(const toml::table& table, const std::string& quantity, const std::string& name) {
  const toml::node* node = table.get("unit");
  if (node == nullptr) return;
  const auto unit = screen::quantity(quantity)->unit;
  if (node->value<std::string>() != std::string(unit))
    throw UsageError(place_in(name, node->source()) + ": unit: " + quantity + " is in " + std::string(unit));
}

double tolerance_of(const toml::table& table, const std::string& name) {
  const double ratio = number_of(table, "tolerance", name);
  if (ratio < 1) return ratio;
  throw UsageError(place_in(name, table.get("tolerance")->source()) +
                   ": tolerance: must lie between 0 and 1, as 0.05");
}

/// A table of a quantity, or of one processor model in it.
screening::Reach reach_of(const toml::table& table, const std::string& quantity, const std::string& name) {
  screening::Reach expected;
  for (const auto& [key, node] : table) {
    static const std::vector<std::string> known_words = {"value", "tolerance", "unit", "processor"};
    const std::string word(key.str());
    if (std::ranges::find(known_words, word) != known_words.end()) continue;
    const auto near = units::nearest(word, known_words);
    throw UsageError(place_in(name, key.source()) + ": unknown word '" + word + '\'' +
                     (near ? "; did you mean " + *near + '?' : ""));
  }
  expected.value = number_of(table, "value", name);
  if (table.contains("tolerance")) expected.tolerance = tolerance_of(table, name);
  check_unit(table, quantity, name);
  return expected;
}

/// [quantity], or [[quantity]] for each processor model.
screening::Expected expected_of(const toml::node& node, const std::string& quantity,
                                const std::string& name) {
  screening::Expected expected;
  const auto take = [&](const toml::table& table) {
    const auto reach = reach_of(table, quantity, name);
    const toml::node* processor = table.get("processor");
    if (processor == nullptr && node.is_array())
      throw UsageError(place_in(name, table.source()) + ": [[" + quantity + "]] needs its processor");
    if (processor == nullptr) {
      static_cast<screening::Reach&>(expected) = reach;
      return;
    }
    const auto model = processor->value<std::string>();
    if (!model || screen::quantity(quantity)->of_pairs ||
        !expected.of_processor.emplace(*model, reach).second)
      throw UsageError(place_in(name, processor->source()) +
                       ": processor: must be the model of a node's processor, each once");
  };
  if (const auto* list = node.as_array()) {
    for (const toml::node& one : *list)
      if (one.is_table()) take(*one.as_table());
    if (!expected.of_processor.empty()) return expected;
  } else if (const auto* table = node.as_table()) {
    take(*table);
    return expected;
  }
  throw UsageError(place_in(name, node.source()) + ": [" + quantity + "] is expected");
}

std::string lower(std::string word) {
  std::ranges::transform(word, word.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

/// Where the list ends whose first letter is at `from`: a comma within brackets is none.
std::size_t end_of_word(std::string_view list, std::size_t from) {
  int depth = 0;
  std::size_t at = from;
  for (; at < list.size() && (depth > 0 || list[at] != ','); ++at)
    depth += list[at] == '[' ? 1 : list[at] == ']' ? -1 : 0;
  return at;
}

constexpr std::int64_t most_of_a_range = 1 << 20;

/// "a[1-3,07]" -> a1 a2 a3 a07
std::vector<std::string> expanded(const std::string& word) {
  const auto open = word.find('['), close = word.find(']');
  if (open == std::string::npos && close == std::string::npos) return {word};
  if (open == std::string::npos || close == std::string::npos || close < open)
    throw units::ParseError("'" + word + "' has a bracket without its other");
  std::vector<std::string> names;
  for (const std::string& part : comma_words(std::string_view(word).substr(open + 1, close - open - 1))) {
    const auto dash = part.find('-');
    const std::string from = part.substr(0, dash),
                      to = dash == std::string::npos ? from : part.substr(dash + 1);
    const auto first = units::parse_count(from, 0, most_of_a_range),
               last = units::parse_count(to, first, most_of_a_range);
    for (std::int64_t number = first; number <= last; ++number) {
      std::string digits = std::to_string(number);
      if (digits.size() < from.size()) digits.insert(0, from.size() - digits.size(), '0');
      names.push_back(word.substr(0, open) + digits + word.substr(close + 1));
    }
  }
  return names;
}

}  // namespace

std::map<std::string, double, std::less<>> parse_tolerances(std::string_view words) {
  std::map<std::string, double, std::less<>> tolerances;
  for (const std::string& one : comma_words(words)) {
    const auto equal = one.find('=');
    const std::string name = one.substr(0, equal);
    if (screen::quantity(name) == nullptr)
      throw units::ParseError("'" + name + "' is no quantity of a screening" + nearest_quantity(name));
    if (equal == std::string::npos)
      throw units::ParseError("'" + one + "' has no value, as in " + name + "=5%");
    if (!tolerances.emplace(name, parse_tolerance(one.substr(equal + 1))).second)
      throw units::ParseError("names " + name + " twice");
  }
  if (tolerances.empty()) throw units::ParseError("names no quantity, as in triad=5%");
  return tolerances;
}

void check_tolerances(std::string_view words) {
  static_cast<void>(parse_tolerances(words));
}

std::map<std::string, screening::Expected, std::less<>> parse_expected(std::string_view text,
                                                                       const std::string& name) {
  std::map<std::string, screening::Expected, std::less<>> expected;
  for (const auto& [key, node] : parse_toml(text, name)) {
    const std::string word(key.str());
    if (screen::quantity(word) == nullptr)
      throw UsageError(place_in(name, key.source()) + ": '" + word + "' is no quantity of a screening" +
                       nearest_quantity(word));
    expected[word] = expected_of(node, word, name);
  }
  if (expected.empty()) throw UsageError(name + ": no quantity is expected of a node");
  return expected;
}

std::string expected_text(const screening::Measured& measured) {
  std::string text =
      "# Expected of a node, by the model of its processors, or of a link: the medians of a screening.\n";
  for (const auto& [name, expected] : screening::reference_of(measured)) {
    const auto* what = screen::quantity(name);
    const bool several = expected.of_processor.size() > 1;
    const auto add = [&](const std::string& processor, double value) {
      text += several ? "\n[[" + name + "]]\n" : "\n[" + name + "]\n";
      if (several || !processor.empty()) text += "processor = " + record::Json(processor).dump() + '\n';
      text += "value = " + units::format_significant(value, 6) + "\nunit = \"" + std::string(what->unit) +
              "\"\ntolerance = " + units::format_fixed(what->tolerance, 2) + '\n';
    };
    for (const auto& [processor, reach] : expected.of_processor) add(processor, reach.value);
    if (expected.of_processor.empty()) add({}, expected.value);
  }
  return text;
}

std::map<std::string, std::string> parse_topology(std::string_view text, const std::string& name) {
  std::map<std::string, std::string> switch_of;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto wrong = [&](const std::string& what) {
      return UsageError(name + ":" + std::to_string(number) + ": " + what);
    };
    std::istringstream words(line.substr(0, line.find('#')));
    std::string switch_name, nodes, word;
    bool of_switches = false;
    while (words >> word) {
      const auto equal = word.find('=');
      const std::string key = lower(word.substr(0, equal));
      if (equal == std::string::npos) throw wrong("'" + word + "' has no =");
      if (key == "switch" || key == "switchname")
        switch_name = word.substr(equal + 1);
      else if (key == "nodes")
        nodes = word.substr(equal + 1);
      else if (key == "switches")
        of_switches = true;
      else if (key != "linkspeed")
        throw wrong("'" + word.substr(0, equal) + "' is none of switch, nodes");
    }
    if (switch_name.empty() && nodes.empty()) continue;
    if (switch_name.empty()) throw wrong("a switch is missing, as in switch=s1 nodes=a[1-32]");
    if (nodes.empty() && !of_switches) throw wrong("nodes are missing, as in switch=s1 nodes=a[1-32]");
    try {
      for (std::size_t at = 0; at < nodes.size();) {
        const auto end = end_of_word(nodes, at);
        for (const auto& host : expanded(nodes.substr(at, end - at))) switch_of[host] = switch_name;
        at = end + 1;
      }
    } catch (const units::ParseError& error) {
      throw wrong(error.what());
    }
  }
  if (switch_of.empty()) throw UsageError(name + ": no node is at a switch");
  return switch_of;
}

}  // namespace steelyard::cli
