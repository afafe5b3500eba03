// SPDX-License-Identifier: Apache-2.0
#include "screening/files.hpp"

#include "options/checks.hpp"
#include "options/toml.hpp"
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
  const auto near = units::nearest(word, quantity_names());
  if (near) return "; did you mean " + *near + '?';
  std::string all;
  for (const auto& name : quantity_names()) all += (all.empty() ? "" : ", ") + name;
  return " (" + all + ")";
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

}  // namespace steelyard::cli
