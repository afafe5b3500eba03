// SPDX-License-Identifier: Apache-2.0
#include "record/conversion.hpp"
#include "record/put.hpp"
#include "record/words.hpp"

namespace steelyard::record::detail {
namespace {

Json to_json(const Statistics& s) {
  Json json = Json::object();
  put(json, "over_ranks", s.over_ranks);
  put(json, "n", s.n);
  json["median"] = value_or_null(s.median);
  put(json, "ci", s.ci);
  put(json, "ci_level", s.ci_level);
  put(json, "ci_batches", s.ci_batches);
  put(json, "ci_visits", s.ci_visits);
  put(json, "min", s.min);
  put(json, "p05", s.p05);
  put(json, "p25", s.p25);
  put(json, "p75", s.p75);
  put(json, "p95", s.p95);
  put(json, "p99", s.p99);
  put(json, "max", s.max);
  put(json, "mean", s.mean);
  put(json, "sd", s.sd);
  put(json, "rho", s.rho);
  put(json, "visit_medians", s.visit_medians);
  put(json, "batches", s.batches);
  const bool all = s.n && *s.n == static_cast<std::int64_t>(s.batches.size());
  if (s.batches_thinned) json["batches_kept"] = "thinned";
  if (!s.batches_thinned && all && !s.batches.empty()) json["batches_kept"] = "all";
  return json;
}

struct Alternative {
  template <class T>
  Json operator()(const T& value) const {
    return Json(value);
  }
  Json operator()(const Statistics& value) const { return to_json(value); }
};

}  // namespace

Json to_json(const Value& value) {
  return std::visit(Alternative{}, value);
}

Json to_json(const Metric& metric) {
  return std::visit(Alternative{}, metric);
}

Json to_json(const Params& params) {
  Json json = Json::object();
  for (const auto& [name, value] : params) json[name] = to_json(value);
  return json;
}

Json to_json(const Members& members) {
  Json json = Json::object();
  for (const auto& [name, value] : members) json[name] = to_json(value);
  return json;
}

Json to_json(const Reason& reason) {
  Json json{{"code", text(reason.code)}, {"text", reason.text}};
  put(json, "rank", reason.rank);
  put(json, "host", reason.host);
  put(json, "mpi_call", reason.mpi_call);
  put(json, "mpi_class", reason.mpi_class);
  put(json, "needed_byte", reason.needed_byte);
  put(json, "available_byte", reason.available_byte);
  return json;
}

Json to_json(const Schedule& s) {
  Json json{{"rule", s.rule}};
  put(json, "warmup_ops", s.warmup_ops);
  put(json, "ops", s.ops);
  put(json, "batches", s.batches);
  put(json, "ops_per_batch", s.ops_per_batch);
  put(json, "stop", s.stop);
  put(json, "elapsed_s", s.elapsed_s);
  put(json, "overhead_s", s.overhead_s);
  put(json, "tries", s.tries);
  put(json, "sync", s.sync);
  put(json, "timing", s.timing);
  put(json, "rounds", s.rounds);
  put(json, "visits", s.visits);
  put(json, "placements", s.placements);
  put(json, "pilot_s", s.pilot_s);
  put(json, "clock_share", s.clock_share);
  put(json, "clock_error_s", s.clock_error_s);
  put(json, "clock_error_median_s", s.clock_error_median_s);
  put(json, "clock_sync_s", s.clock_sync_s);
  return json;
}

Json to_json(const Check& check) {
  Json json{{"errors", check.errors}};
  put(json, "worst", check.worst);
  put(json, "limit", check.limit);
  put(json, "first", check.first);
  return json;
}

Json to_json(const State& state) {
  Json json = Json::object();
  put(json, "c2c_s", state.c2c_s);
  put(json, "chain_s", state.chain_s);
  put(json, "wide_s", state.wide_s);
  json["visits"] = state.visits;
  json["share"] = state.share;
  json["median"] = state.median;
  put(json, "ci", state.ci);
  return json;
}

}  // namespace steelyard::record::detail
