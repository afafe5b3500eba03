// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/balance.hpp"
#include "record/json.hpp"
#include "units/quantity.hpp"

namespace steelyard::balance {
namespace {

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
