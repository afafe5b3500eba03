// SPDX-License-Identifier: Apache-2.0
#include "input/metadata.hpp"

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>

#include "input/text_file.hpp"
#include "options/toml.hpp"
#include "process/errors.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

std::string place(const std::string& file, const toml::source_region& source) {
  return place_in(file, source) + ": ";
}

toml::table parsed(const std::string& file) {
  return parse_toml(text_of_file(file), file);
}

/// Members of one table; those that were not asked for are refused.
class Members {
 public:
  Members(const std::string& file, const toml::table& table) : file_(file), table_(table) {}

  std::optional<double> number(const char* key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto value = node->value<double>();
    if (!value || !std::isfinite(*value))
      throw UsageError(place(file_, node->source()) + "'" + key + "' must be a number");
    return value;
  }
  std::optional<std::string> text(const char* key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto* word = node->as_string();
    if (word == nullptr) throw UsageError(place(file_, node->source()) + "'" + key + "' must be a text");
    return word->get();
  }
  double needed(const char* key) {
    if (const auto value = number(key)) return *value;
    throw UsageError(file_ + ": '" + key + "' is missing");
  }
  void refuse_others() const {
    for (const auto& [key, node] : table_)
      if (std::ranges::find(asked_, std::string(key.str())) == asked_.end()) {
        const auto near = units::nearest(key.str(), asked_);
        throw UsageError(place(file_, key.source()) + "unknown '" + std::string(key.str()) + "'",
                         near ? "did you mean '" + *near + "'?" : "");
      }
  }

 private:
  const toml::node* find(const char* key) {
    asked_.emplace_back(key);
    return table_.get(key);
  }
  const std::string& file_;
  const toml::table& table_;
  std::vector<std::string> asked_;
};

void read_system(Members members, Metadata& data) {
  data.name = members.text("name");
  data.interconnect = members.text("interconnect");
  data.cpu = members.text("cpu");
  data.clock_ghz = members.number("clock_ghz");
  data.adapters_per_node = members.number("adapters_per_node");
  data.year = members.number("year");
  members.refuse_others();
}

void read_cost(Members members, Metadata& data) {
  balance::Price price;
  price.purchase = members.needed("purchase");
  price.currency = members.text("currency").value_or("");
  price.years = members.number("years").value_or(0);
  price.kw = members.number("kw").value_or(0);
  price.price_per_kwh = members.number("price_per_kwh").value_or(0);
  price.pue = members.number("pue").value_or(1);
  price.service_per_year = members.number("service").value_or(0);
  members.refuse_others();
  data.price = price;
}

void read_external(Members members, Metadata& data) {
  if (const auto rate = members.number("hpcg_gflops")) data.hpcg_flop_s = *rate * prefix::giga;
  for (const char* key : {"io500_score", "io500_bandwidth_gib_s", "io500_metadata_kiops"})
    if (const auto value = members.number(key)) data.io500.emplace_back(key, *value);
  members.refuse_others();
}

/// Mean over time of a file of lines "seconds watts".
double mean_of_power_file(const std::string& word) {
  std::istringstream in(text_of_file(word));
  double time = 0, watt = 0, last_time = 0, last_watt = 0, energy = 0, first = 0;
  int samples = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::ranges::replace(line, ',', ' ');
    std::istringstream fields(line);
    fields.imbue(std::locale::classic());
    if (!(fields >> time >> watt) || !(fields >> std::ws).eof())
      throw UsageError("--power: '" + word + "': expected 'seconds watts', got '" + line + "'");
    if (samples == 0) first = time;
    if (samples > 0) energy += (time - last_time) * (watt + last_watt) / 2;
    last_time = time;
    last_watt = watt;
    ++samples;
  }
  if (samples < 2 || !(last_time > first))
    throw UsageError("--power: '" + word + "' needs two samples with rising times");
  const double watts = energy / (last_time - first);
  if (!std::isfinite(watts)) throw UsageError("--power: '" + word + "' holds numbers that are too large");
  return watts;
}

/// The watts that a word says; nullopt for others, which name files.
std::optional<double> watts_in(const std::string& word) {
  try {
    return units::parse_number(word);
  } catch (const units::ParseError&) {
    return std::nullopt;
  }
}

}  // namespace

Metadata read_metadata(const std::string& file) {
  const toml::table root = parsed(file);
  Metadata data;
  for (const auto& [key, node] : root) {
    const auto* table = node.as_table();
    const std::string name(key.str());
    if (table != nullptr && name == "system")
      read_system({file, *table}, data);
    else if (table != nullptr && name == "cost")
      read_cost({file, *table}, data);
    else if (table != nullptr && name == "external")
      read_external({file, *table}, data);
    else
      throw UsageError(place(file, key.source()) + "expected [system], [cost] or [external], got '" + name +
                       "'");
  }
  return data;
}

void apply(const Metadata& metadata, balance::System& system) {
  if (metadata.name) system.name = system.curve = *metadata.name;
  if (metadata.interconnect) system.interconnect = *metadata.interconnect;
  if (metadata.cpu) system.cpu = *metadata.cpu;
  if (metadata.clock_ghz) system.clock_ghz = metadata.clock_ghz;
  if (metadata.year) system.year = metadata.year;
  if (metadata.adapters_per_node) system.doubts.adapters_per_node = metadata.adapters_per_node;
  system.inputs.set(balance::Quantity::hpcg_flop_s, metadata.hpcg_flop_s);
}

balance::Profile read_profile(const std::string& word) {
  for (const auto& profile : balance::built_in_profiles())
    if (profile.name == word) return profile;
  const toml::table root = parsed(word);
  Members members(word, root);
  const auto name = members.text("name");
  if (!name) throw UsageError(word + ": 'name' is missing");
  const double memory = members.needed("memory_byte_flop"), network = members.needed("network_byte_flop"),
               messages = members.needed("messages_per_flop");
  members.refuse_others();
  if (!(memory >= 0) || !(network >= 0) || !(messages >= 0))
    throw UsageError(word + ": demands must not be negative");
  return {*name, balance::Demands{memory, network, messages}};
}

double read_power(const std::string& word) {
  const auto number = watts_in(word);
  const double watts = number ? *number : mean_of_power_file(word);
  if (!(watts > 0)) throw UsageError("--power: '" + word + "' must be above 0 W");
  return watts;
}

}  // namespace steelyard::cli
