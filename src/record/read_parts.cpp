// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "record/fields.hpp"
#include "record/words.hpp"

namespace steelyard::record::detail {
namespace {

std::optional<Value> number_of(const Json& json) {
  if (!json.is_number_integer()) return Value(json.get<double>());
  const bool fits = !json.is_number_unsigned() || json.get<std::uint64_t>() <= INT64_MAX;
  return fits ? Value(json.get<std::int64_t>()) : Value(json.get<double>());
}

std::optional<Value> list_of(const Json& json) {
  const auto is_number = [](const Json& item) { return item.is_number(); };
  if (!std::ranges::all_of(json, is_number)) return std::nullopt;
  return Value(json.get<std::vector<double>>());
}

std::optional<Value> value_of(const Json& json) {
  if (json.is_null()) return Value(nullptr);
  if (json.is_boolean()) return Value(json.get<bool>());
  if (json.is_string()) return Value(json.get<std::string>());
  if (json.is_number()) return number_of(json);
  return json.is_array() ? list_of(json) : std::nullopt;
}

Metric metric_of(const char* name, const Json& json) {
  if (json.is_null()) return nullptr;
  if (json.is_number()) return json.get<double>();
  Statistics statistics;
  assign(name, json, statistics);
  return statistics;
}

}  // namespace

void assign(const char* name, const Json& json, Reason& to) {
  const Fields fields(name, json);
  std::string code;
  fields.need("code", code);
  // Later versions may add codes; their text still says what happened.
  to.code = meaning<ReasonCode>(reason_words, code).value_or(ReasonCode::internal);
  fields.get("text", to.text);
  fields.get("rank", to.rank);
  fields.get("host", to.host);
  fields.get("mpi_call", to.mpi_call);
  fields.get("mpi_class", to.mpi_class);
  fields.get("needed_byte", to.needed_byte);
  fields.get("available_byte", to.available_byte);
}

void assign(const char* name, const Json& json, Schedule& to) {
  const Fields fields(name, json);
  fields.need("rule", to.rule);
  fields.get("warmup_ops", to.warmup_ops);
  fields.get("ops", to.ops);
  fields.get("batches", to.batches);
  fields.get("ops_per_batch", to.ops_per_batch);
  fields.get("stop", to.stop);
  fields.get("elapsed_s", to.elapsed_s);
  fields.get("overhead_s", to.overhead_s);
  fields.get("tries", to.tries);
  fields.get("sync", to.sync);
  fields.get("timing", to.timing);
  fields.get("rounds", to.rounds);
  fields.get("visits", to.visits);
  fields.get("placements", to.placements);
  fields.get("pilot_s", to.pilot_s);
  fields.get("clock_share", to.clock_share);
  fields.get("clock_error_s", to.clock_error_s);
  fields.get("clock_error_median_s", to.clock_error_median_s);
  fields.get("clock_sync_s", to.clock_sync_s);
}

void assign(const char* name, const Json& json, Check& to) {
  const Fields fields(name, json);
  fields.get("errors", to.errors);
  fields.get("worst", to.worst);
  fields.get("limit", to.limit);
  fields.get("first", to.first);
}

void assign(const char* name, const Json& json, State& to) {
  const Fields fields(name, json);
  fields.get("c2c_s", to.c2c_s);
  fields.get("chain_s", to.chain_s);
  fields.get("wide_s", to.wide_s);
  fields.need("visits", to.visits);
  fields.need("share", to.share);
  fields.need("median", to.median);
  fields.get("ci", to.ci);
}

void assign(const char* name, const Json& json, Statistics& to) {
  const Fields fields(name, json);
  fields.get("over_ranks", to.over_ranks);
  fields.get("n", to.n);
  fields.get("median", to.median);
  fields.get("ci", to.ci);
  fields.get("ci_level", to.ci_level);
  fields.get("ci_batches", to.ci_batches);
  fields.get("ci_visits", to.ci_visits);
  fields.get("min", to.min);
  fields.get("p05", to.p05);
  fields.get("p25", to.p25);
  fields.get("p75", to.p75);
  fields.get("p95", to.p95);
  fields.get("p99", to.p99);
  fields.get("max", to.max);
  fields.get("mean", to.mean);
  fields.get("sd", to.sd);
  fields.get("rho", to.rho);
  fields.get("visit_medians", to.visit_medians);
  fields.get("batches", to.batches);
  std::string kept;
  fields.get("batches_kept", kept);
  to.batches_thinned = kept == "thinned";
}

void assign(const char* name, const Json& json, Params& to) {
  if (!json.is_object()) wrong_member(name, "an object", json);
  for (const auto& [member, found] : json.items()) {
    if (auto value = value_of(found)) to.insert_or_assign(member, std::move(*value));
  }
}

void assign(const char* name, const Json& json, Members& to) {
  if (!json.is_object()) wrong_member(name, "an object", json);
  for (const auto& [member, found] : json.items()) {
    if (auto value = value_of(found)) to.emplace_back(member, std::move(*value));
  }
}

void assign(const char* name, const Json& json, NamedMetrics& to) {
  if (!json.is_object()) wrong_member(name, "an object", json);
  for (const auto& [member, found] : json.items()) to.emplace_back(member, metric_of(member.c_str(), found));
}

}  // namespace steelyard::record::detail
