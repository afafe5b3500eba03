// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "formats/beff/overview.hpp"
#include "formats/beff/words.hpp"

namespace steelyard::formats::beff {
namespace {

using Value = std::optional<double>;

constexpr std::string_view mega = "MByte/s", micro = "microsec";

OverviewColumn bandwidth(std::array<std::string_view, 4> heading, int gap, Value accumulated,
                         Value per_process) {
  constexpr int width = 9;
  return {heading,
          mega,
          gap,
          width,
          number(megabytes(accumulated), width, 0),
          per_process ? number(megabytes(per_process), width, 0) : ""};
}

OverviewColumn latency(std::array<std::string_view, 4> heading, Value seconds) {
  constexpr int width = 6;
  return {heading, micro, 4, width, number(microseconds(seconds), width, 3), ""};
}

OverviewColumn longest(const Source& source) {
  const auto bytes = static_cast<double>(source.run.cube().lengths().back().count());
  const Value mebibytes =
      source.run.complete() ? Value(bytes / static_cast<double>(mebi.count())) : std::nullopt;
  return {{"Lmax", "", "", ""}, "", 3, 6, number(mebibytes, 3, 0) + " MB", ""};
}

}  // namespace

std::vector<OverviewColumn> overview_columns(const Source& source) {
  const auto& run = source.run;
  const auto& derived = run.derived();
  const double p = run.cube().processes();
  const Value at_longest = derived.at_longest_byte_s, rings = derived.rings_at_longest_byte_s;
  return {{{"number", "of pro-", "cesses", ""}, "", 2, 5, fmt::format("{:5}", run.cube().processes()), ""},
          bandwidth({"b_eff", "", "", ""}, 4, run.b_eff(), share(run.b_eff(), p)),
          longest(source),
          bandwidth({"b_eff", "at Lmax", "rings &", "random"}, 2, at_longest, share(at_longest, p)),
          bandwidth({"b_eff", "at Lmax", "rings", "only"}, 4, rings, share(rings, p)),
          latency({"Latency", "rings &", "random", ""}, derived.latency_s),
          latency({"Latency", "rings", "only", ""}, derived.ring_latency_s),
          latency({"Latency", "ping-", "pong", ""}, derived.pingpong_latency_s),
          bandwidth({"ping-", "pong", "band-", "width"}, 4, derived.pingpong_bandwidth_byte_s, std::nullopt)};
}

}  // namespace steelyard::formats::beff
