// SPDX-License-Identifier: Apache-2.0
#include "survey/rates_store.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>

#include "machine/directory.hpp"
#include "record/file.hpp"

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
                      {"panel_flop_s", panel.panel_flop_s},
                      {"solve_flop_s", panel.solve_flop_s}});
  return panels;
}

void read_panels(const Json& panels, const Rates& assumed, Rates& rates) {
  rates.panels.clear();
  for (const Json& panel : panels)
    rates.panels.push_back({panel.at("block").get<int>(), panel.at("update_flop_s").get<double>(),
                            panel.at("panel_flop_s").get<double>(),
                            panel.value("solve_flop_s", assumed.panels.front().solve_flop_s)});
}

Surveyed read(const Json& json) {
  Surveyed surveyed;
  // Rates that an earlier release did not measure are assumed.
  const Rates assumed = suites::assumed_rates();
  for (const auto& field : suites::rate_fields)
    surveyed.rates.*field.value = json.at("rates").value(field.name, assumed.*field.value);
  read_panels(json.at("panels"), assumed, surveyed.rates);
  for (const auto& [name, value] : json.at("spread").items()) surveyed.spread[name] = value.get<double>();
  surveyed.assumed = json.at("assumed").get<std::vector<std::string>>();
  surveyed.seconds = json.at("seconds").get<double>();
  surveyed.memory_byte = json.at("memory_byte").get<std::int64_t>();
  surveyed.processor_share = json.value("processor_share", 1.0);
  for (std::size_t i = 0; i < std::size(origins); ++i)
    if (json.at("origin") == origins[i]) surveyed.rates.origin = static_cast<Rates::Origin>(i);
  return surveyed;
}

// A busy neighbour changes a rate by a fifth, up or down.
constexpr double near = 1.2;

std::filesystem::path file_of(const std::filesystem::path& store, const Place& place) {
  std::ostringstream words;
  for (const auto& word : {place.machine, place.program, place.blas}) words << word << '\n';
  words << place.processes << '\n' << place.nodes << '\n' << place.threads << '\n';
  constexpr std::size_t enough = 24;
  return store / (record::sha256(words.str()).substr(0, enough) + ".json");
}

/// Rates from which no size follows: the memory that a virtual machine gives changes within minutes, and
/// equal runs gain nothing by a stale expectation.
constexpr std::array timing_only{&suites::Rates::buffer_byte_s, &suites::Rates::first_exchange_byte_s};

bool is_near(double a, double b) {
  return a > 0 && b > 0 && a < near * b && b < near * a;
}

bool panels_near(const suites::Rates& a, const suites::Rates& b) {
  if (a.panels.size() != b.panels.size()) return false;
  for (std::size_t i = 0; i < a.panels.size(); ++i)
    if (a.panels[i].block != b.panels[i].block ||
        !is_near(a.panels[i].update_flop_s, b.panels[i].update_flop_s))
      return false;
  return true;
}

}  // namespace

Rates assumed_rates(int threads) {
  constexpr int most_for_memory = 32;
  const double all = std::max(threads, 1), for_memory = std::min<double>(all, most_for_memory);
  Rates rates = suites::assumed_rates();
  for (const auto rate : {&Rates::product_flop_s, &Rates::product_alone_flop_s}) rates.*rate *= all;
  for (const auto rate : {&Rates::triad_byte_s, &Rates::triad_alone_byte_s, &Rates::access_update_s,
                          &Rates::access_alone_update_s, &Rates::transform_flop_s,
                          &Rates::transform_alone_flop_s, &Rates::touch_byte_s})
    rates.*rate *= for_memory;
  return rates;
}

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

std::filesystem::path default_store() {
  return machine::cache_directory("survey");
}

std::optional<Surveyed> stored(const std::filesystem::path& store, const Place& place) {
  if (store.empty()) return std::nullopt;
  std::ifstream file(file_of(store, place));
  if (!file) return std::nullopt;
  auto found = surveyed_of(record::Document(Json::parse_or_null(file)));
  if (found) found->rates.origin = suites::Rates::Origin::stored;
  return found;
}

void keep(const std::filesystem::path& store, const Place& place, const Surveyed& surveyed) {
  if (store.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(store, ignored);
  const auto file = file_of(store, place);
  auto partial = file;  // of this run alone: others may keep theirs at the same time
  partial += '.' + record::make_run_id() + ".partial";
  {
    std::ofstream out(partial);
    out << document_of(surveyed).json().dump(1) << '\n';
    if (out.flush()) std::filesystem::rename(partial, file, ignored);
  }
  std::filesystem::remove(partial, ignored);
}

Surveyed steadied(const std::optional<Surveyed>& earlier, Surveyed now) {
  if (!earlier) return now;
  for (const auto& field : suites::rate_fields)
    if (std::ranges::find(timing_only, field.value) == timing_only.end() &&
        is_near(earlier->rates.*field.value, now.rates.*field.value))
      now.rates.*field.value = earlier->rates.*field.value;
  if (panels_near(earlier->rates, now.rates)) now.rates.panels = earlier->rates.panels;
  return now;
}

}  // namespace steelyard::survey
