// SPDX-License-Identifier: Apache-2.0
#include "survey/surveyed.hpp"

#include <string_view>

#include "record/json.hpp"

namespace steelyard::survey {
namespace {

using record::Json;
using suites::Rates;

constexpr std::string_view origins[] = {"assumed", "stored", "measured"};

Json panels_json(const Rates& rates) {
  Json panels = Json::array();
  for (const auto& panel : rates.panels)
    panels.push_back({{"block", panel.block},
                      {"update_flop_s", panel.update_flop_s},
                      {"panel_flop_s", panel.panel_flop_s}});
  return panels;
}

void read_panels(const Json& panels, Rates& rates) {
  rates.panels.clear();
  for (const Json& panel : panels)
    rates.panels.push_back({panel.at("block").get<int>(), panel.at("update_flop_s").get<double>(),
                            panel.at("panel_flop_s").get<double>()});
}

Surveyed read(const Json& json) {
  Surveyed surveyed;
  for (const auto& field : suites::rate_fields)
    surveyed.rates.*field.value = json.at("rates").at(field.name).get<double>();
  read_panels(json.at("panels"), surveyed.rates);
  for (const auto& [name, value] : json.at("spread").items()) surveyed.spread[name] = value.get<double>();
  surveyed.assumed = json.at("assumed").get<std::vector<std::string>>();
  surveyed.seconds = json.at("seconds").get<double>();
  surveyed.memory_byte = json.at("memory_byte").get<std::int64_t>();
  surveyed.processor_share = json.value("processor_share", 1.0);
  for (std::size_t i = 0; i < std::size(origins); ++i)
    if (json.at("origin") == origins[i]) surveyed.rates.origin = static_cast<Rates::Origin>(i);
  return surveyed;
}

}  // namespace

record::Document document_of(const Surveyed& surveyed) {
  Json rates = Json::object();
  for (const auto& field : suites::rate_fields) rates[field.name] = surveyed.rates.*field.value;
  return record::Document(Json{{"origin", origins[static_cast<std::size_t>(surveyed.rates.origin)]},
                               {"seconds", surveyed.seconds},
                               {"memory_byte", surveyed.memory_byte},
                               {"processor_share", surveyed.processor_share},
                               {"rates", std::move(rates)},
                               {"panels", panels_json(surveyed.rates)},
                               {"spread", Json(surveyed.spread)},
                               {"assumed", surveyed.assumed}});
}

std::optional<Surveyed> surveyed_of(const record::Document& document) {
  if (!document.json().is_object()) return std::nullopt;
  try {
    return read(document.json());
  } catch (const record::JsonError&) {
    return std::nullopt;
  }
}

}  // namespace steelyard::survey
