// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>
#include <utility>

#include "analysis/beff_run.hpp"
#include "analysis/summary_values.hpp"
#include "record/json.hpp"

namespace steelyard::analysis {
namespace {

using record::Json;

std::optional<std::int64_t> whole(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) result.push_back(line);
  return result;
}

std::size_t count(const BeffRun& run, PatternRole role) {
  return static_cast<std::size_t>(std::ranges::count(run.cube().patterns(), role, &PatternRow::role));
}

void expect(std::vector<std::string>& list, std::size_t found, std::size_t wanted, const char* what) {
  if (found != wanted)
    list.push_back(std::to_string(found) + " of " + std::to_string(wanted) + " " + what + " in the records");
}

/// What the records lack; the number of polygons and repetitions is the configuration's to tell.
std::vector<std::string> reasons(const BeffRun& run, const BeffFrame& frame) {
  auto list = frame.not_official_because;
  expect(list, run.cube().lengths().size(), beff_length_count, "message lengths");
  expect(list, count(run, PatternRole::ring), std::size_t{beff_ring_patterns}, "ring patterns");
  if (frame.polygons)
    expect(list, count(run, PatternRole::random), static_cast<std::size_t>(*frame.polygons),
           "random polygons");
  if (frame.repetitions)
    expect(list, static_cast<std::size_t>(run.cube().repetitions()),
           static_cast<std::size_t>(*frame.repetitions), "repetitions");
  if (!run.result().b_eff()) list.emplace_back("some rings or polygons were not measured");
  if (run.missing() > 0) list.push_back(std::to_string(run.missing()) + " loops failed or were skipped");
  if (run.partial() > 0)
    list.push_back(std::to_string(run.partial()) + " loops ended before their rule was satisfied");
  if (run.verified() == false) list.emplace_back("a message check failed");
  return list;
}

}  // namespace

BeffFrame beff_frame(const record::RunRecord& run) {
  BeffFrame frame;
  const Json& config = run.config.json();
  if (!config.is_object() || !config.contains("b-eff")) return frame;
  const Json& own = config["b-eff"];
  frame.memory_per_process_byte = whole(own, "memory_per_process_byte");
  frame.longest_byte = whole(own, "longest_byte");
  frame.seed = whole(own, "seed");
  frame.polygons = whole(own, "polygons");
  frame.repetitions = whole(own, "repetitions");
  frame.mark = record::text_in(own, "mark");
  frame.not_official_because = lines(record::text_in(own, "not_official_because"));
  frame.rmax_flop_s = record::number_in(own, "rmax_flop_s");
  return frame;
}

record::SummaryRecord beff_summary(const BeffRun& run, const BeffFrame& frame) {
  record::SummaryRecord summary;
  summary.name = "b_eff";
  summary.suite = "b-eff";
  summary.processes = run.cube().processes();
  if (frame.longest_byte) summary.params["lmax_byte"] = *frame.longest_byte;
  if (frame.memory_per_process_byte)
    summary.params["memory_per_process_byte"] = *frame.memory_per_process_byte;
  if (frame.seed) summary.params["seed"] = *frame.seed;
  const auto b_eff = run.b_eff();
  const auto& derived = run.derived();
  put(summary, "b_eff_byte_s", b_eff);
  put(summary, "b_eff_per_process_byte_s", b_eff ? std::optional(*b_eff / summary.processes) : std::nullopt);
  put(summary, "b_eff_at_lmax_byte_s", derived.at_longest_byte_s);
  put(summary, "b_eff_rings_at_lmax_byte_s", derived.rings_at_longest_byte_s);
  put(summary, "latency_s", derived.latency_s);
  put(summary, "ring_latency_s", derived.ring_latency_s);
  put(summary, "pingpong_latency_s", derived.pingpong_latency_s);
  put(summary, "pingpong_bandwidth_byte_s", derived.pingpong_bandwidth_byte_s);
  if (frame.memory_per_process_byte && b_eff)
    put(summary, "memory_communication_time_s",
        memory_communication_time(summary.processes * Bytes{*frame.memory_per_process_byte}, Rate{*b_eff})
            .value());
  if (frame.rmax_flop_s && b_eff)
    put(summary, "balance_factor", balance_factor(Rate{*b_eff}, *frame.rmax_flop_s));
  summary.classic.emplace_back("shortened", run.shortened());
  summary.verified = run.verified();
  summary.not_official_because = reasons(run, frame);
  summary.official = summary.not_official_because.empty();
  summary.inputs_select = "b-eff/*";
  summary.inputs_used = static_cast<std::int64_t>(run.points() - run.missing() - run.left_out());
  summary.inputs_missing = static_cast<std::int64_t>(run.missing());
  return summary;
}

}  // namespace steelyard::analysis
