// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/balance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/balance/flags.hpp"
#include "analysis/balance/merits.hpp"
#include "analysis/balance/ratios.hpp"
#include "record/json.hpp"
#include "units/quantity.hpp"

namespace steelyard::balance {
namespace {

using enum Quantity;

using prefix::giga, prefix::micro;
enum class Divided { yes, no };

struct Definition {
  std::string_view key, title, unit;
  double (*value)(Reading&);
  Divided divided = Divided::yes;
  bool optional = false;
};

constexpr auto definitions = std::to_array<Definition>({
    {"hpl_gflop_s", "HPL", "Gflop/s", [](Reading& r) { return r.of(hpl_flop_s) / giga; }, Divided::no},
    {"hpl_ratio", "HPL/HPL", "", [](Reading& r) { return r.hpl(); }},
    {"dgemm_ratio", "DGEMM", "", [](Reading& r) { return r.accumulated(dgemm_star_flop_s); }},
    {"fft_ratio", "FFT", "", [](Reading& r) { return r.of(fft_global_flop_s); }},
    {"ptrans_ratio_byte_flop", "PTRANS", "byte/flop", [](Reading& r) { return r.of(ptrans_byte_s); }},
    {"stream_copy_ratio_byte_flop", "STREAM copy", "byte/flop",
     [](Reading& r) { return r.accumulated(stream_star_copy_byte_s); }},
    {"random_ring_ratio_byte_flop", "random ring", "byte/flop",
     [](Reading& r) { return r.accumulated(random_ring_byte_s); }},
    {"inverse_random_ring_latency_per_us", "1/latency", "1/us",
     [](Reading& r) { return micro / r.of(random_ring_latency_s); }, Divided::no},
    {"random_access_ratio_update_flop", "RandomAccess", "update/flop",
     [](Reading& r) { return r.of(random_access_global_update_s); }},
    {"io_ratio_byte_flop", "b_eff_io", "byte/flop", [](Reading& r) { return r.of(b_eff_io_byte_s); },
     Divided::yes, true},
    {"cup_factor", "coffee cup", "",
     [](Reading& r) { return r.of(b_eff_io_byte_s) * cup_s / r.of(memory_byte); }, Divided::no, true},
});

double divisor(Reading& read, Normalise by) {
  switch (by) {
    case Normalise::hpl: return read.hpl();
    case Normalise::peak: return read.peak();
    case Normalise::process: return read.of(processes);
    case Normalise::none: break;
  }
  return 1;
}

std::string_view divided_by(Normalise by) {
  switch (by) {
    case Normalise::hpl: return "/HPL";
    case Normalise::peak: return "/peak";
    case Normalise::process: return "/process";
    case Normalise::none: break;
  }
  return "";
}

/// Unit of a column. The definition has the unit of a division by flop/s.
std::string unit(const Definition& column, Normalise by) {
  if (column.divided == Divided::no || by == Normalise::hpl || by == Normalise::peak)
    return std::string(column.unit);
  std::string plain(column.unit.substr(0, column.unit.find('/')));
  return plain.empty() ? "flop/s" : plain + "/s";
}

std::optional<double> value(const Definition& column, const System& system, Normalise by,
                            bool all_on_one_node) {
  Reading read(system.inputs);
  double found = column.value(read);
  if (column.divided == Divided::yes) found /= divisor(read, by);
  if (!read.missing().empty() || !std::isfinite(found)) return std::nullopt;
  auto doubts = touching(flags(system), read.used());
  if (all_on_one_node) std::erase(doubts, Flag::one_node);  // they are alike in that
  return left_out(doubts) ? std::nullopt : std::optional(found);
}

void set_relative(NormalisedColumn& column) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    if (!column.values[i]) continue;
    ++count;
    if (!column.best || *column.values[i] > *column.values[*column.best]) column.best = i;
  }
  column.only_value = count == 1;
  for (const auto& held : column.values)
    column.relative.push_back(held ? std::optional(*held / *column.values[*column.best]) : std::nullopt);
}

struct Accumulated {
  std::string_view name;
  double (*value)(Reading&);
};
constexpr auto accumulated = std::to_array<Accumulated>({
    {"random_ring_byte_s", [](Reading& r) { return r.accumulated(random_ring_byte_s); }},
    {"natural_ring_byte_s", [](Reading& r) { return r.accumulated(natural_ring_byte_s); }},
    {"stream_star_copy_byte_s", [](Reading& r) { return r.accumulated(stream_star_copy_byte_s); }},
    {"stream_star_triad_byte_s", [](Reading& r) { return r.accumulated(stream_star_triad_byte_s); }},
    {"ptrans_byte_s", [](Reading& r) { return r.of(ptrans_byte_s); }},
    {"fft_global_flop_s", [](Reading& r) { return r.of(fft_global_flop_s); }},
    {"random_access_global_update_s", [](Reading& r) { return r.of(random_access_global_update_s); }},
});

std::vector<CurvePoint> points(const Curve& curve, const Accumulated& quantity) {
  std::vector<CurvePoint> list;
  for (const System* system : curve.systems) {
    Reading read(system->inputs);
    const double y = quantity.value(read);
    const double x = read.of(hpl_flop_s);
    if (read.missing().empty() && !left_out(touching(flags(*system), read.used()))) list.push_back({x, y});
  }
  return list;
}

std::vector<Exponent> exponents(const Curve& curve) {
  std::vector<Exponent> list;
  for (const Accumulated& quantity : accumulated) {
    const auto found = tidy(points(curve, quantity));
    if (const auto slope = scaling_exponent(found))
      list.push_back({std::string(quantity.name), *slope, found.size()});
  }
  return list;
}

JudgedCurve judged_curve(const Curve& curve, bool own, const BalanceOptions& options) {
  JudgedCurve result{curve.label, own, {}, exponents(curve), {}};
  for (const System* system : curve.systems) result.systems.push_back(*system);
  std::ranges::stable_sort(result.systems, {},
                           [](const System& s) { return s.inputs.get(hpl_flop_s).value_or(0); });
  for (const double at : options.at_flop_s)
    for (const Ratio& ratio : ratios()) {
      const auto points = ratio_points(curve, ratio);
      if (!points.empty()) result.read_off.push_back({at, &ratio, interpolate(points, at, options.method)});
    }
  return result;
}

Judged judged(System system, std::span<const Curve> references, const BalanceOptions& options) {
  Judged result;
  result.flags = flags(system);
  for (const Ratio& ratio : ratios()) {
    const auto value = flagged_ratio(ratio, system);
    result.ratios.push_back({&ratio, value, standing(ratio, system, value, references, options.method)});
  }
  for (const Ratio& figure : published_figures()) {
    const auto value = flagged_ratio(figure, system);
    const auto place = standing(figure, system, value, references, options.method);
    if (value.value.value && place.reference_n > 0) result.figures.push_back({&figure, value, place});
  }
  result.inter_node = inter_node(system);
  result.memory_communication = memory_communication(system.inputs);
  result.cups = coffee_cups(system);
  result.energy = energy(system);
  if (options.price) result.costs = unit_costs(*options.price, system);
  result.verdict = verdict(system, options.verdict);
  result.system = std::move(system);
  return result;
}

/// Whether a system has values beyond HPL and the network: without any its row would be one dot.
bool fills_columns(const System& system) {
  constexpr std::array needed = {dgemm_star_flop_s, fft_global_flop_s, ptrans_byte_s, stream_star_copy_byte_s,
                                 random_access_global_update_s};
  return std::ranges::any_of(needed, [&](Quantity q) { return system.inputs.get(q).has_value(); });
}

using record::Json;

template <class T>
Json json(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json names(const std::vector<Quantity>& list) {
  Json out = Json::array();
  for (const Quantity q : list) out.push_back(info(q).name);
  return out;
}

Json codes_json(const std::vector<Flag>& flags) {
  Json out = Json::array();
  for (const Flag flag : flags) out.push_back(code(flag));
  return out;
}

Json json(const analysis::RelativeInterval& interval) {
  return {interval.low, interval.high};
}

Json ratio(const RatioRow& row) {
  Json out{{"value", json(row.value.value.value)},
           {"unit", row.ratio->unit},
           {"flags", codes_json(row.value.flags)},
           {"missing", row.value.value.value ? Json::array() : names(row.value.value.missing)},
           {"reference_n", row.standing.reference_n},
           {"reference_median", json(row.standing.median)},
           {"rank", json(row.standing.rank)},
           {"factor", json(row.standing.factor)}};
  if (row.value.value.value && row.value.value.half_width)
    out["relative_half_width"] = *row.value.value.half_width;
  if (row.value.value.interval) out["relative_interval"] = json(*row.value.value.interval);
  return out;
}

Json read_off(const ReadOff& one, Method method) {
  return {{"at_tflop_s", one.at_flop_s / prefix::tera},
          {"ratio", one.ratio->id},
          {"value", json(one.found.value)},
          {"status", text(one.found.reach)},
          {"method", method == Method::linear ? "linear" : "loglog"}};
}

Json demands(const Verdict& verdict) {
  Json out = Json::object();
  for (const auto& [name, d] : verdict.demands)
    out[name] = {{"memory_byte_flop", d.memory_byte_flop},
                 {"network_byte_flop", d.network_byte_flop},
                 {"message_flop", d.message_flop}};
  return out;
}

Json cause_json(const Cause& cause) {
  Json out{{"kind", key(cause.kind)},   {"subject", cause.subject},
           {"explains", Json::array()}, {"gain", cause.gain},
           {"text", cause.remark},      {"cure", cause.cure.empty() ? Json() : Json(cause.cure)}};
  for (const Resource r : cause.explains) out["explains"].push_back(key(r));
  return out;
}

Json verdict_json(const Verdict& verdict) {
  Json out{{"class", verdict.kind ? Json(text(*verdict.kind)) : Json()},
           {"resources", Json::array()},
           {"text", verdict.text},
           {"demands", demands(verdict)},
           {"shares", Json::object()},
           {"gain_of_doubling", Json::object()},
           {"order", Json::array()},
           {"left_out", Json::array()},
           {"causes", Json::array()},
           {"leads", verdict.leads ? Json(key(*verdict.leads)) : Json()}};
  for (const Resource r : verdict.resources) out["resources"].push_back(key(r));
  for (const Resource r : verdict.order) out["order"].push_back(key(r));
  for (const auto& [r, gain] : verdict.gain_of_doubling) out["gain_of_doubling"][std::string(key(r))] = gain;
  for (const auto& [name, shares] : verdict.shares)
    for (const auto& [r, share] : shares) out["shares"][name][std::string(key(r))] = share;
  for (const LeftOut& one : verdict.left_out)
    out["left_out"].push_back({{"resource", key(one.resource)},
                               {"reason", one.reason},
                               {"too_small", one.too_small},
                               {"command", one.command.empty() ? Json() : Json(one.command)}});
  for (const Cause& cause : verdict.causes) out["causes"].push_back(cause_json(cause));
  return out;
}

Json cup(const std::optional<CoffeeCup>& held) {
  if (!held) return nullptr;
  return {{"memory_byte", held->memory_byte},
          {"io_byte_s", held->io_byte_s},
          {"required_io_byte_s", held->required_io_byte_s},
          {"total_memory_time_s", held->total_memory_time_s},
          {"half_memory_time_s", held->half_memory_time_s},
          {"cup_factor", held->factor},
          {"passes", held->passes()}};
}

Json energy_json(const Energy& energy) {
  return {{"mean_power_w", energy.mean_power_w},
          {"gflop_s_per_w", json(energy.gflop_s_per_w)},
          {"pj_per_flop", json(energy.pj_per_flop)},
          {"byte_per_j", json(energy.byte_per_j)},
          {"energy_to_memory_write", json(energy.memory_write_j)}};
}

const JudgedCurve* curve_of(const Balance& balance, const System& system) {
  for (const JudgedCurve& curve : balance.curves)
    if (curve.own && curve.label == system.curve) return &curve;
  return nullptr;
}

Json system_json(const Balance& balance, const Judged& judged) {
  Json out = system_document(judged.system).json();
  Json flags = Json::array();
  for (const Flagged& flagged : judged.flags) flags.push_back(code(flagged.flag));
  out["flags"] = std::move(flags);
  for (const RatioRow& row : judged.ratios) out["ratios"][std::string(row.ratio->id)] = ratio(row);
  for (const RatioRow& row : judged.figures) out["figures"][std::string(row.ratio->id)] = ratio(row);
  if (const auto& time = judged.memory_communication)
    out["memory_communication_time_same_mb_s"] = time->time_same_mb_s;
  if (const auto& inter = judged.inter_node)
    out["inter_node"] = {{"intra_fraction", inter->intra_fraction},
                         {"inter_per_process_byte_s", inter->per_process_byte_s},
                         {"inter_per_node_byte_s", inter->per_node_byte_s}};
  out["interpolated"] = Json::array();
  if (const JudgedCurve* curve = curve_of(balance, judged.system))
    for (const ReadOff& one : curve->read_off)
      out["interpolated"].push_back(read_off(one, balance.options.method));
  out["verdict"] = verdict_json(judged.verdict);
  if (judged.cups.mixed)
    out["coffee_cup"] = {{"b_eff_io", cup(judged.cups.mixed)}, {"b_eff_io_write", cup(judged.cups.writing)}};
  if (!judged.cups.not_judged.empty())
    out["coffee_cup"] = {{"b_eff_io", nullptr}, {"not_judged", judged.cups.not_judged}};
  if (judged.energy) out["energy"] = energy_json(*judged.energy);
  for (const UnitCost& cost : judged.costs) out["cost"][std::string(cost.key)] = cost.cost;
  return out;
}

Json curve_json(const Balance& balance, const JudgedCurve& curve) {
  Json out{{"label", curve.label},
           {"own", curve.own},
           {"points", Json::array()},
           {"exponents", Json::object()},
           {"interpolated", Json::array()}};
  for (const System& system : curve.systems) {
    Json ratios_of = Json::object();
    for (const Ratio& one : ratios())
      if (const auto found = flagged_ratio(one, system); found.value.value)
        ratios_of[std::string(one.id)] = *found.value.value;
    out["points"].push_back({{"name", system.name},
                             {"source", system.source},
                             {"processes", system.processes()},
                             {"threads_per_process", system.threads()},
                             {"hpl_flop_s", json(system.inputs.get(Quantity::hpl_flop_s))},
                             {"ratios", std::move(ratios_of)}});
  }
  for (const Exponent& one : curve.exponents)
    out["exponents"][one.quantity] = {{"value", one.value}, {"points", one.points}};
  for (const ReadOff& one : curve.read_off)
    out["interpolated"].push_back(read_off(one, balance.options.method));
  return out;
}

Json normalised_json(const Balance& balance) {
  Json out{{"columns", Json::array()}, {"best", Json::array()}, {"rows", Json::array()}};
  for (const NormalisedColumn& column : balance.columns) {
    out["columns"].push_back(column.key);
    out["best"].push_back(column.best ? Json{{"value", *column.values[*column.best]},
                                             {"unit", column.unit},
                                             {"system", balance.compared[*column.best].name},
                                             {"only_value", column.only_value}}
                                      : Json());
  }
  for (std::size_t i = 0; i < balance.compared.size(); ++i) {
    Json row{{"system", balance.compared[i].name}, {"values", Json::array()}, {"relative", Json::array()}};
    for (const NormalisedColumn& column : balance.columns) {
      row["values"].push_back(json(column.values[i]));
      row["relative"].push_back(json(column.relative[i]));
    }
    out["rows"].push_back(std::move(row));
  }
  return out;
}

Json provenance_json(const Provenance& provenance) {
  Json out{{"files", Json::array()}, {"steelyard", provenance.version}, {"options", Json::object()}};
  for (const auto& file : provenance.files)
    out["files"].push_back({{"name", file.name}, {"sha256", file.sha256}});
  for (const auto& [name, value] : provenance.options) out["options"][name] = value;
  return out;
}

}  // namespace

std::vector<NormalisedColumn> normalised_columns(std::span<const System> systems, Normalise by) {
  const bool all_on_one_node = std::ranges::all_of(systems, &System::one_node);
  std::vector<NormalisedColumn> columns;
  for (const Definition& definition : definitions) {
    const std::string suffix(
        definition.divided == Divided::yes && definition.key != "hpl_ratio" ? divided_by(by) : "");
    NormalisedColumn column{std::string(definition.key), std::string(definition.title) + suffix,
                            unit(definition, by)};
    if (definition.key == "hpl_ratio" && by != Normalise::hpl)
      column.title = "HPL" + std::string(divided_by(by));
    for (const System& system : systems)
      column.values.push_back(value(definition, system, by, all_on_one_node));
    set_relative(column);
    if (!definition.optional || column.best) columns.push_back(std::move(column));
  }
  return columns;
}

bool Judged::has_ratio() const {
  return std::ranges::any_of(ratios, [](const RatioRow& row) { return row.value.value.value.has_value(); });
}

bool Balance::is_empty() const {
  const auto has_figure = [](const Judged& one) {
    return std::ranges::any_of(merits(one.system, nullptr),
                               [](const Merit& merit) { return merit.value.has_value(); });
  };
  return std::ranges::none_of(systems, [&](const Judged& one) { return one.has_ratio() || has_figure(one); });
}

bool Judged::doubtful() const {
  return std::ranges::any_of(flags, [](const Flagged& flagged) { return is_strict(flagged.flag); });
}

Balance judge(std::vector<System> systems, std::vector<System> references, BalanceOptions options) {
  Balance result{std::move(options), {}, std::move(references), {}, {}, {}};
  const auto reference_curves = curves(result.references);
  for (const Curve& curve : curves(systems))
    result.curves.push_back(judged_curve(curve, true, result.options));
  for (const Curve& curve : reference_curves)
    result.curves.push_back(judged_curve(curve, false, result.options));
  result.compared = systems;
  std::ranges::copy_if(result.references, std::back_inserter(result.compared), fills_columns);
  result.columns = normalised_columns(result.compared, result.options.normalise);
  for (System& system : systems)
    result.systems.push_back(judged(std::move(system), reference_curves, result.options));
  return result;
}

record::Document document(const Balance& balance, const Provenance& provenance) {
  Json out{{"format", "steelyard.balance"},
           {"format_version", 1},
           {"systems", Json::array()},
           {"curves", Json::array()}};
  for (const Judged& judged : balance.systems) out["systems"].push_back(system_json(balance, judged));
  for (const JudgedCurve& curve : balance.curves) out["curves"].push_back(curve_json(balance, curve));
  out["normalised"] = normalised_json(balance);
  if (!balance.systems.empty()) {
    const Json& first = out["systems"].front();
    for (const char* member : {"verdict", "coffee_cup", "energy", "cost"})
      if (first.contains(member)) out[member] = Json(first[member]);
  }
  for (const Flag flag : every_flag())
    out["flags"][code(flag)] = std::string(word(flag)) + ": " + std::string(text(flag));
  out["provenance"] = provenance_json(provenance);
  return record::Document(std::move(out));
}

}  // namespace steelyard::balance
