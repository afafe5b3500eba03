// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "analysis/balance/balance.hpp"

namespace steelyard::balance {
namespace {

using record::Json;
using record::number_in;
using record::text_in;

constexpr int known_version = 1;

std::set<Quantity> quantities_in(const Json& object, const char* name) {
  std::set<Quantity> list;
  for (const Json& one : object.value(name, Json::array()))
    if (const auto quantity = quantity_named(one.get<std::string>())) list.insert(*quantity);
  return list;
}

/// Whole numbers of processes; a double of any size is no int yet.
std::vector<int> counts_in(const Json& object, const char* name) {
  std::vector<int> list;
  for (const Json& one : object.value(name, Json::array())) {
    const double count = one.get<double>();
    if (!(count >= 0 && count < 0x1p31))
      throw std::invalid_argument(std::string("balance: ") + name + " holds no number of processes");
    list.push_back(static_cast<int>(count));
  }
  return list;
}

Doubts doubts(const Json& facts) {
  return {.hpl_order = number_in(facts, "hpl_order"),
          .stream_elements = number_in(facts, "stream_elements"),
          .node_cache_byte = number_in(facts, "node_cache_byte"),
          .cores = number_in(facts, "cores"),
          .adapters_per_node = number_in(facts, "adapters_per_node"),
          .saturation_gain = number_in(facts, "saturation_gain"),
          .failed = quantities_in(facts, "failed"),
          .subset = quantities_in(facts, "subset"),
          .shortened = quantities_in(facts, "shortened"),
          .borrowed_hpl = facts.value("borrowed_hpl", false),
          .optimised = facts.value("optimised", false),
          .oversubscribed = facts.value("oversubscribed", false)};
}

System system_of(const Json& json) {
  System system;
  system.name = text_in(json, "name");
  system.source = text_in(json, "source");
  system.run_type = text_in(json, "run_type");
  system.curve = text_in(json, "curve");
  system.interconnect = text_in(json, "interconnect");
  system.cpu = text_in(json, "cpu");
  system.clock_ghz = number_in(json, "clock_ghz");
  system.year = number_in(json, "year");
  system.processes_per_node = counts_in(json.at("layout"), "processes_per_node");
  system.doubts = doubts(json.value("facts", Json::object()));
  for (const auto& [name, value] : json.at("inputs").items())
    if (const auto quantity = quantity_named(name)) system.inputs.set(*quantity, value.get<double>());
  const Json widths = json.value("relative_half_widths", Json::object());
  for (const auto& [name, value] : widths.items())
    if (const auto quantity = quantity_named(name))
      system.inputs.set_half_width(*quantity, value.get<double>());
  return system;
}

}  // namespace

std::vector<System> systems_of(const record::Document& document) {
  const Json& json = document.json();
  if (!json.is_object() || text_in(json, "format") != "steelyard.balance")
    throw std::invalid_argument("not an object of format steelyard.balance");
  if (number_in(json, "format_version").value_or(0) > known_version)
    throw std::invalid_argument("format_version of the balance is higher than " +
                                std::to_string(known_version));
  std::vector<System> list;
  try {
    for (const Json& one : json.at("systems")) list.push_back(system_of(one));
  } catch (const Json::exception& error) {
    throw std::invalid_argument(std::string("balance: ") + error.what());
  }
  return list;
}

}  // namespace steelyard::balance
