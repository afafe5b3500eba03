// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/references.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "stats/order.hpp"
#include "units/text.hpp"

namespace steelyard::balance {
namespace {

constexpr double same_x = 1e-9, at_point_share = 0.05, farthest = 2;

double power_law(const CurvePoint& a, const CurvePoint& b, double x) {
  return a.y * std::pow(x / a.x, std::log(b.y / a.y) / std::log(b.x / a.x));
}

double line(const CurvePoint& a, const CurvePoint& b, double x) {
  return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
}

constexpr std::size_t fewest_references = 3;

bool counts_as_reference(const System& system) {
  return system.status == Status::measured || system.status == Status::mixed;
}

/// Value of a curve for a machine of the size of `own`, and its relative half-width.
struct Said {
  double value = 0, half_width = 0;
};

/// Value of the system whose number of processes is nearest; nullopt if no system has a value.
std::optional<Said> nearest_size(const Curve& curve, const Ratio& ratio, const System& own) {
  std::optional<Said> found;
  double distance = 0;
  for (const System* system : curve.systems) {
    if (!counts_as_reference(*system)) continue;
    const auto value = flagged_ratio(ratio, *system);
    const double apart = std::abs(std::log(std::max(1.0, system->size()) / std::max(1.0, own.size())));
    if (!value.counts() || (found && apart >= distance)) continue;
    found = Said{*value.value.value, value.value.half_width.value_or(0)};
    distance = apart;
  }
  return found;
}

std::optional<Said> said(const Curve& curve, const Ratio& ratio, const System& own, Method method) {
  const auto at = own.inputs.get(Quantity::hpl_flop_s);
  const auto points = tidy(ratio_points(curve, ratio));
  if (!at || points.empty()) return nearest_size(curve, ratio, own);
  if (*at <= points.front().x) return Said{points.front().y};
  if (*at >= points.back().x) return Said{points.back().y};
  return Said{*interpolate(points, *at, method).value};
}

bool better(const Ratio& ratio, const Said& reference, double own, double own_width) {
  const double margin = reference.half_width * reference.value + own_width * own;
  return ratio.lower_is_better ? reference.value < own - margin : reference.value > own + margin;
}

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using record::Json;

std::string word(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

bool has_text(const Json& system, const std::string& text) {
  const std::string wanted = units::lower(text);
  for (const char* name : {"vendor", "name", "site", "interconnect", "cpu"})
    if (units::lower(word(system, name)).find(wanted) != std::string::npos) return true;
  return false;
}

bool is_kind(const Json& record, const std::string& kind) {
  return kind == "all" || record.at("kind") == kind;
}

struct Holdings {
  std::set<std::string> kinds;
  std::int64_t records = 0;
};

Holdings holdings(const Json& data, const std::string& id, const std::string& kind) {
  Holdings found;
  for (const Json& record : data.at("records"))
    if (record.at("system") == id && is_kind(record, kind)) {
      found.kinds.insert(record.at("kind").get<std::string>());
      ++found.records;
    }
  return found;
}

std::string processes_text(const Json& record) {
  const Json& config = record.at("config");
  const std::string count = word(config, config.contains("mpi_processes") ? "mpi_processes" : "processes");
  const std::string threads = word(config, "threads_per_process");
  return threads.empty() ? count : count + 'x' + threads;
}

/// Place of a table or quote in the document that it is from: "b_eff paper, section 4, Table 1".
std::string place_in_document(const Json& data, const Json& part) {
  return word(data.at("documents").at(word(part, "source")), "name") + ", " + word(part, "where");
}

std::string place_of(const Json& data, const Json& record) {
  return place_in_document(data, data.at("tables").at(record.at("table").get<std::string>()));
}

std::string notes_of(const Json& record) {
  std::string text;
  for (const Json& note : record.value("notes", Json::array()))
    text += (text.empty() ? "" : " ") + note.get<std::string>();
  return text;
}

void add_record(const Json& data, const Json& record, Section& section) {
  const Json printed = record.value("printed", Json::object());
  for (const auto& [name, value] : record.at("values").items()) {
    const Cell number = value.is_number() ? Cell(value.get<double>()) : Cell();
    section.table.rows.push_back({word(record, "id"), word(record, "system"), word(record, "kind"),
                                  processes_text(record), name, number, word(printed, name.c_str()),
                                  word(data.at("units"), name.c_str()), word(record, "status"),
                                  place_of(data, record), notes_of(record)});
  }
}

/// "30", "0.44 to 0.67", "io_fraction 0.44 to 0.67, cycles_per_flop 16 to 55".
std::string quoted_value(const Json& value) {
  if (value.is_array() && value.size() == 2) return value[0].dump() + " to " + value[1].dump();
  if (!value.is_object()) return value.dump();
  std::string text;
  for (const auto& [name, one] : value.items())
    text += (text.empty() ? "" : ", ") + name + ' ' + quoted_value(one);
  return text;
}

/// Documents that have a table of that kind.
std::set<std::string> sources_of(const Json& data, const std::string& kind) {
  std::set<std::string> sources;
  for (const auto& [id, table] : data.at("tables").items())
    if (kind == "all" || word(table, "kind") == kind) sources.insert(word(table, "source"));
  return sources;
}

bool concerns(const Json& disagreement, const std::set<std::string>& ids) {
  const Json& records = disagreement.at("records");
  return std::ranges::any_of(records, [&](const Json& one) { return ids.contains(one.get<std::string>()); });
}

}  // namespace

std::vector<CurvePoint> tidy(std::vector<CurvePoint> points) {
  std::ranges::sort(points, {}, &CurvePoint::x);
  std::vector<CurvePoint> kept;
  for (const CurvePoint& point : points) {
    const bool repeats = !kept.empty() && point.x - kept.back().x <= same_x * kept.back().x;
    if (!repeats)
      kept.push_back(point);
    else if (point.y > kept.back().y)
      kept.back().y = point.y;
  }
  return kept;
}

std::string_view text(Reach reach) {
  switch (reach) {
    case Reach::interpolated: return "interpolated";
    case Reach::extrapolated: return "extrapolated";
    case Reach::at_point: return "at point";
    case Reach::out_of_range: break;
  }
  return "out of range";
}

Interpolated interpolate(std::vector<CurvePoint> points, double x, Method method) {
  points = tidy(std::move(points));
  if (points.empty()) return {};
  const CurvePoint &first = points.front(), &last = points.back();
  if (points.size() == 1)
    return std::abs(x / first.x - 1) <= at_point_share ? Interpolated{first.y, Reach::at_point}
                                                       : Interpolated{};
  if (x < first.x / farthest || x > last.x * farthest) return {};
  if (x < first.x) return {power_law(first, points[1], x), Reach::extrapolated};
  if (x > last.x) return {power_law(points[points.size() - 2], last, x), Reach::extrapolated};
  const auto above =
      std::ranges::find_if(points.begin() + 1, points.end() - 1, [&](const auto& p) { return p.x >= x; });
  const CurvePoint &a = *(above - 1), &b = *above;
  return {method == Method::linear ? line(a, b, x) : power_law(a, b, x), Reach::interpolated};
}

std::optional<double> scaling_exponent(std::vector<CurvePoint> points) {
  points = tidy(std::move(points));
  if (points.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(points.size());
  double mean_x = 0, mean_y = 0, products = 0, squares = 0;
  for (const auto& p : points) {
    mean_x += std::log(p.x) / n;
    mean_y += std::log(p.y) / n;
  }
  for (const auto& p : points) {
    products += (std::log(p.x) - mean_x) * (std::log(p.y) - mean_y);
    squares += (std::log(p.x) - mean_x) * (std::log(p.x) - mean_x);
  }
  return products / squares;
}

FlaggedRatio flagged_ratio(const Ratio& ratio, const System& system) {
  FlaggedRatio result{evaluate(ratio, system.inputs), {}};
  const auto told = system.told_ratios.find(std::string(ratio.id));
  if (!result.value.value && told != system.told_ratios.end()) result.value.value = told->second;
  if (result.value.value) result.flags = touching(flags(system), result.value.used);
  return result;
}

std::vector<Curve> curves(std::span<const System> systems) {
  std::vector<Curve> list;
  for (const System& system : systems) {
    const auto found = std::ranges::find(list, system.curve, &Curve::label);
    if (found == list.end())
      list.push_back({system.curve, {&system}});
    else
      found->systems.push_back(&system);
  }
  return list;
}

std::vector<CurvePoint> ratio_points(const Curve& curve, const Ratio& ratio) {
  std::vector<CurvePoint> points;
  for (const System* system : curve.systems) {
    const auto x = system->inputs.get(Quantity::hpl_flop_s);
    const auto y = flagged_ratio(ratio, *system);
    if (x && y.counts() && counts_as_reference(*system)) points.push_back({*x, *y.value.value});
  }
  return points;
}

Standing standing(const Ratio& ratio, const System& own, const FlaggedRatio& value,
                  std::span<const Curve> references, Method method) {
  std::vector<Said> all;
  for (const Curve& curve : references)
    if (const auto one = said(curve, ratio, own, method)) all.push_back(*one);
  Standing found{static_cast<int>(all.size()), {}, {}, {}};
  if (all.size() < fewest_references) return found;
  std::vector<double> values;
  for (const Said& one : all) values.push_back(one.value);
  found.median = stats::median(values);
  if (!value.counts()) return found;
  const double mine = *value.value.value, width = value.value.half_width.value_or(0);
  found.rank = 1 + static_cast<int>(std::ranges::count_if(
                       all, [&](const Said& one) { return better(ratio, one, mine, width); }));
  found.factor = ratio.lower_is_better ? *found.median / mine : mine / *found.median;
  return found;
}

std::vector<std::string> system_ids(const record::Document& data) {
  std::vector<std::string> ids;
  for (const auto& [id, system] : data.json().at("systems").items()) ids.push_back(id);
  return ids;
}

Section systems_table(const record::Document& document, const CatalogueChoice& choice) {
  const Json& data = document.json();
  Section section = analysis::table_section("systems", "Reference systems");
  section.table.columns = {{"id", "ID", "", ColumnKind::text},
                           {"name", "name", "", ColumnKind::text},
                           {"kinds", "measured", "", ColumnKind::text},
                           {"records", "records", "", ColumnKind::number},
                           {"site", "site", "", ColumnKind::text}};
  for (const auto& [id, system] : data.at("systems").items()) {
    const auto held = holdings(data, id, choice.kind);
    if (held.records == 0 || !has_text(system, choice.text)) continue;
    section.table.rows.push_back(
        {id, word(system, "name"), units::joined(held.kinds), held.records, word(system, "site")});
  }
  std::size_t unowned = 0;
  for (const Json& quote : data.at("quotes")) unowned += quote.contains("system") ? 0U : 1U;
  section.notes.push_back(std::to_string(data.at("quotes").size()) + " values are quoted in running text, " +
                          std::to_string(unowned) + " of them belong to no system of this list: --quotes");
  return section;
}

Section quotes_table(const record::Document& document, const CatalogueChoice& choice) {
  const Json& data = document.json();
  Section section = analysis::table_section("quotes", "Values quoted in running text");
  section.table.columns = {{"id", "quote", "", ColumnKind::text},
                           {"system", "system", "", ColumnKind::text},
                           {"value", "value", "", ColumnKind::text},
                           {"unit", "unit", "", ColumnKind::text},
                           {"what", "what", "", ColumnKind::text},
                           {"source", "source", "", ColumnKind::text, analysis::Audience::programs},
                           {"notes", "notes", "", ColumnKind::text, analysis::Audience::programs}};
  const auto sources = sources_of(data, choice.kind);
  const std::string wanted = units::lower(choice.text);
  for (const Json& quote : data.at("quotes")) {
    const std::string system = word(quote, "system"), what = word(quote, "what");
    const bool has_wanted = units::lower(what).find(wanted) != std::string::npos ||
                            (!system.empty() && has_text(data.at("systems").at(system), wanted));
    if (!has_wanted || !sources.contains(word(quote, "source"))) continue;
    section.table.rows.push_back({word(quote, "id"), system, quoted_value(quote.at("value")),
                                  word(quote, "unit"), what, place_in_document(data, quote),
                                  word(quote, "note")});
  }
  return section;
}

/// Reads quotes such as "balance interpolated at 3 Tflop/s, Cray X1E".
std::vector<QuotedBalance> quoted_balances(const record::Document& document) {
  constexpr std::string_view before = "balance interpolated at ", after = " Tflop/s, ";
  std::vector<QuotedBalance> list;
  for (const Json& quote : document.json().at("quotes")) {
    const std::string what = word(quote, "what");
    const auto end = what.find(after);
    if (!what.starts_with(before) || end == std::string::npos || !quote.at("value").is_number()) continue;
    const std::string name = what.substr(end + after.size());
    list.push_back({name.substr(0, name.find(" (")),
                    units::parse_number(std::string_view(what).substr(before.size(), end - before.size())),
                    quote.at("value").get<double>()});
  }
  return list;
}

Section records_table(const record::Document& document, const CatalogueChoice& choice,
                      const std::vector<std::string>& ids) {
  const Json& data = document.json();
  Section section = analysis::table_section("records", "Measurements as printed");
  const auto programs = [](const char* key) {
    return analysis::Column{key, key, "", ColumnKind::text, analysis::Audience::programs};
  };
  section.table.columns = {{"id", "record", "", ColumnKind::text},
                           {"system", "system", "", ColumnKind::text},
                           programs("kind"),
                           {"processes", "P x T", "", ColumnKind::text},
                           {"key", "value of", "", ColumnKind::text},
                           {"value", "value", "", ColumnKind::number, analysis::Audience::programs},
                           {"printed", "printed", "", ColumnKind::number},
                           {"unit", "unit", "", ColumnKind::text},
                           {"status", "status", "", ColumnKind::text},
                           programs("source"),
                           programs("notes")};
  for (const Json& record : data.at("records")) {
    const std::string system = word(record, "system");
    const bool chosen = ids.empty() || std::ranges::find(ids, system) != ids.end();
    if (chosen && is_kind(record, choice.kind) && has_text(data.at("systems").at(system), choice.text))
      add_record(data, record, section);
  }
  return section;
}

Section system_details(const record::Document& document, const std::string& id) {
  const Json& data = document.json();
  const Json& system = data.at("systems").at(id);
  Section section{"system", word(system, "name")};
  for (const auto& [name, value] : system.items())
    if (name != "name") section.text.push_back(name + ": " + word(system, name.c_str()));
  std::set<std::string> own, sources;
  for (const Json& record : data.at("records")) {
    if (record.at("system") != id) continue;
    own.insert(word(record, "id"));
    sources.insert(place_of(data, record));
    if (const std::string notes = notes_of(record); !notes.empty())
      section.notes.push_back(word(record, "id") + ": " + notes);
  }
  for (const Json& quote : data.at("quotes"))
    if (word(quote, "system") == id) {
      own.insert(word(quote, "id"));
      section.text.push_back("quoted: " + word(quote, "what") + ": " + word(quote, "value") + ' ' +
                             word(quote, "unit"));
    }
  for (const Json& one : data.at("disagreements"))
    if (concerns(one, own)) section.notes.push_back("disagreement: " + word(one, "what"));
  for (const std::string& source : sources) section.notes.push_back("source: " + source);
  return section;
}

}  // namespace steelyard::balance
