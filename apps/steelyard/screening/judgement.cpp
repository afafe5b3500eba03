// SPDX-License-Identifier: Apache-2.0
#include "screening/judgement.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "input/runs.hpp"
#include "input/text_file.hpp"
#include "options/checks.hpp"
#include "options/toml.hpp"
#include "options/values.hpp"
#include "process/errors.hpp"
#include "record/json.hpp"
#include "suites/screen/quantities.hpp"
#include "units/amount.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

std::vector<std::string> quantity_names() {
  std::vector<std::string> names;
  for (const auto& one : screen::quantities) names.emplace_back(one.name);
  return names;
}

std::string nearest_quantity(const std::string& word) {
  const std::string near = units::did_you_mean(word, quantity_names());
  return near.empty() ? " (" + units::joined(quantity_names()) + ")" : near;
}

/// A tolerance between 0 and 1: one of nothing, or of everything, is a slip.
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

/// What one of the table's `unit` is in the unit of the quantity; 1 where none is said.
double unit_of(const toml::table& table, const std::string& quantity, const std::string& name) {
  const toml::node* node = table.get("unit");
  if (node == nullptr) return 1;
  const auto refuse = [&](const std::string& why) {
    throw UsageError(place_in(name, node->source()) + ": unit: " + why);
  };
  units::Amount one;
  try {
    one = units::parse_amount("1 " + node->value<std::string>().value_or(""));
  } catch (const units::ParseError& error) {
    refuse(error.what());
  }
  const std::string unit(screen::quantity(quantity)->unit);
  if (one.unit != unit) refuse(quantity + " is in " + unit);
  return one.value;
}

double tolerance_of(const toml::table& table, const std::string& name) {
  const double ratio = number_of(table, "tolerance", name);
  if (ratio < 1) return ratio;
  throw UsageError(place_in(name, table.get("tolerance")->source()) +
                   ": tolerance: must lie between 0 and 1, as 0.05");
}

/// Expected value of a quantity's table, or of one processor model in it.
screening::Reach reach_of(const toml::table& table, const std::string& quantity, const std::string& name) {
  screening::Reach expected;
  allow_words(table, {"value", "tolerance", "unit", "processor"}, name);
  expected.value = number_of(table, "value", name) * unit_of(table, quantity, name);
  if (table.contains("tolerance")) expected.tolerance = tolerance_of(table, name);
  return expected;
}

/// Expected values of [quantity], or of [[quantity]] for each processor model.
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
    for (const toml::node& one : *list) {
      if (!one.is_table())
        throw UsageError(place_in(name, one.source()) + ": [[" + quantity + "]] is expected");
      take(*one.as_table());
    }
    if (!expected.of_processor.empty()) return expected;
  } else if (const auto* table = node.as_table()) {
    take(*table);
    return expected;
  }
  throw UsageError(place_in(name, node.source()) + ": [" + quantity + "] is expected");
}

/// End of the word of a list that begins at `from`; a comma within brackets is part of the word.
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
  for (const std::string& part : comma_list(std::string_view(word).substr(open + 1, close - open - 1))) {
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

/// Names of a list: "a[1-3],b".
std::vector<std::string> names_of(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < list.size();) {
    const auto end = end_of_word(list, at);
    std::ranges::move(expanded(list.substr(at, end - at)), std::back_inserter(names));
    at = end + 1;
  }
  return names;
}

/// Line of a topology: a switch, and the nodes or switches at it.
struct SwitchLine {
  std::string name, nodes, switches;
};

SwitchLine line_of(const std::string& text) {
  SwitchLine line;
  std::istringstream words(text.substr(0, text.find('#')));
  for (std::string word; words >> word;) {
    const auto equal = word.find('=');
    if (equal == std::string::npos) throw units::ParseError("'" + word + "' has no =");
    const std::string key = units::lower(word.substr(0, equal)), value = word.substr(equal + 1);
    if (key == "switch" || key == "switchname")
      line.name = value;
    else if (key == "nodes")
      line.nodes = value;
    else if (key == "switches")
      line.switches = value;
    else if (key != "linkspeed")
      throw units::ParseError("'" + word.substr(0, equal) + "' is none of switch, nodes, switches");
  }
  const bool says = !line.nodes.empty() || !line.switches.empty();
  if (line.name.empty() && says)
    throw units::ParseError("a switch is missing, as in switch=s1 nodes=a[1-32]");
  if (!line.name.empty() && !says)
    throw units::ParseError("nodes are missing, as in switch=s1 nodes=a[1-32]");
  if (line.name.find('/') != std::string::npos)
    throw units::ParseError("'" + line.name + "': a switch has no / in its name");
  return line;
}

/// Tree of the switches, with the nodes that are at them.
class Tree {
 public:
  void add(const SwitchLine& line) {
    for (const auto& host : names_of(line.nodes)) at_[host] = line.name;
    for (const auto& below : names_of(line.switches)) {
      const auto above = above_.try_emplace(below, line.name).first->second;
      if (above != line.name)
        throw units::ParseError("'" + below + "' is below " + above + " and below " + line.name);
      for (std::string name = line.name; above_.contains(name);) {
        name = above_.at(name);
        if (name == line.name) throw units::ParseError("'" + name + "' is above itself");
      }
    }
  }
  [[nodiscard]] machine::Switches paths() const {
    machine::Switches paths;
    for (const auto& [host, name] : at_) paths[host] = path(name);
    return paths;
  }

 private:
  [[nodiscard]] std::string path(const std::string& name) const {
    const auto above = above_.find(name);
    return above == above_.end() ? name : path(above->second) + '/' + name;
  }
  std::map<std::string, std::string> at_, above_;
};

void tolerate(const std::string& words, screening::References& expected) {
  for (const auto& [name, tolerance] : parse_tolerances(words)) {
    const auto found = expected.find(name);
    if (found == expected.end()) continue;
    found->second.tolerance = tolerance;
    for (auto& [processor, reach] : found->second.of_processor) reach.tolerance = tolerance;
  }
}

/// Expected values, from a table for each quantity with `value` and, if it is to differ from the usual one,
/// `tolerance`. Throws UsageError: "NAME:LINE:COLUMN: what is wrong".
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

screening::Reference reference_at(const std::string& place) {
  if (place.ends_with(".toml")) return {parse_expected(text_of_file(place), place)};
  const auto runs = screened_runs({place});
  screening::Reference reference{screening::reference_of(screening::measured(runs))};
  for (const auto& run : runs) reference.machines.insert(run.head.name);
  return reference;
}

/// Switch of each host, behind those above it: "T/S1". From lines "switch=S nodes=a[1-32],b7", or as Slurm's topology
/// file has them ("SwitchName=S Nodes=..."); other lines begin with # or name switches of switches ("SwitchName=T
/// Switches=S[1-4]"). Throws UsageError: "NAME:LINE: what is wrong".
machine::Switches parse_topology(std::string_view text, const std::string& name) {
  Tree tree;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    try {
      tree.add(line_of(line));
    } catch (const units::ParseError& error) {
      throw UsageError(name + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  auto paths = tree.paths();
  if (paths.empty()) throw UsageError(name + ": no node is at a switch");
  return paths;
}

}  // namespace

std::map<std::string, double, std::less<>> parse_tolerances(std::string_view words) {
  std::map<std::string, double, std::less<>> tolerances;
  for (const std::string& one : comma_list(words)) {
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

std::string expected_text(const screening::Measured& measured) {
  std::string text =
      "# Expected of a node, by the model of its processors, or of a link: the medians of a screening.\n";
  for (const auto& [name, expected] : screening::reference_of(measured)) {
    const auto* what = screen::quantity(name);
    const bool several = expected.of_processor.size() > 1;
    const auto add = [&, &name = name](const std::string& processor, double value) {
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

std::set<std::string> fatal_findings(const Values& values) {
  const std::vector<std::string> known{"slow", "groups", "unstable", "wrong", "missing", "fast"};
  std::set<std::string> words;
  for (const std::size_t place : fatal_places(values, known)) words.insert(known[place]);
  return words;
}

std::vector<record::Run> screened_runs(const std::vector<std::string>& places) {
  std::vector<record::Run> runs;
  for (const std::string& list : places)
    for (const std::string& place : comma_parts(list)) {
      auto some = read_and_tell(place, {});
      std::ranges::move(some, std::back_inserter(runs));
    }
  return runs;
}

screening::Reference said_reference(const Values& values) {
  const auto place = values.word("reference");
  if (!place) return {};
  auto reference = reference_at(*place);
  if (const auto words = values.word("tolerance")) tolerate(*words, reference.expected);
  return reference;
}

machine::Switches said_switches(const Values& values) {
  const auto file = values.word("topology");
  return file ? parse_topology(text_of_file(*file), *file) : machine::Switches{};
}

Judgement said_judgement(const Values& values) {
  Judgement judgement;
  judgement.fatal = fatal_findings(values);
  try {
    judgement.reference = said_reference(values);
  } catch (const screening::Unjudgeable& error) {
    throw UsageError("--reference: " + std::string(error.what()));
  }
  judgement.switch_of = said_switches(values);
  return judgement;
}

}  // namespace steelyard::cli
