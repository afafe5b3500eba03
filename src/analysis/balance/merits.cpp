// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/merits.hpp"

#include <algorithm>
#include <array>

#include "analysis/balance/flags.hpp"
#include "analysis/balance/measured.hpp"
#include "analysis/warnings.hpp"
#include "record/point_view.hpp"
#include "units/quantity.hpp"

namespace steelyard::balance {
namespace {

using prefix::giga, prefix::micro;
constexpr double one_percent = 0.01;
constexpr std::string_view shortest_message = "imb_latency", best_rate = "imb_bandwidth";

constexpr auto merit_table = std::to_array<MeritFigure>({
    {"hpl", "HPL", "hpcc", "flop/s", "Gflop/s", giga, Quantity::hpl_flop_s},
    {"dgemm", "DGEMM, all processes", "hpcc", "flop/s", "Gflop/s", giga, Quantity::dgemm_star_flop_s, true},
    {"stream_triad", "STREAM triad, all processes", "hpcc", "byte/s", "GB/s", giga,
     Quantity::stream_star_triad_byte_s, true},
    {"fft", "FFT", "hpcc", "flop/s", "Gflop/s", giga, Quantity::fft_global_flop_s},
    {"random_access", "RandomAccess", "hpcc", "update/s", "GUP/s", giga,
     Quantity::random_access_global_update_s},
    {"ptrans", "PTRANS", "hpcc", "byte/s", "GB/s", giga, Quantity::ptrans_byte_s},
    {"random_ring", "random ring, all processes", "hpcc", "byte/s", "GB/s", giga,
     Quantity::random_ring_byte_s, true},
    {"random_ring_latency", "random ring, latency", "hpcc", "s", "us", micro, Quantity::random_ring_latency_s,
     false, true},
    {"pingpong", "ping-pong, least bandwidth", "hpcc", "byte/s", "GB/s", giga, Quantity::pingpong_min_byte_s},
    {"pingpong_latency", "ping-pong, largest latency", "hpcc", "s", "us", micro,
     Quantity::pingpong_max_latency_s, false, true},
    {"b_eff", "b_eff", "b-eff", "byte/s", "GB/s", giga, Quantity::b_eff_byte_s},
    {"b_eff_io", "b_eff_io", "b-eff-io", "byte/s", "GB/s", giga, Quantity::b_eff_io_byte_s},
    {"ftio", "FTIO, share of I/O", "ftio", "", "%", one_percent, Quantity::ftio_io_fraction, false, true},
    {shortest_message, "IMB PingPong, shortest message", "imb-mpi1", "s", "us", micro, {}, false, true},
    {best_rate, "IMB PingPong, best bandwidth", "imb-mpi1", "byte/s", "GB/s", giga, {}},
});

void take_point(const record::PointRecord& point, std::string_view metric, double value, Merit& merit) {
  merit.value = value;
  merit.interval = analysis::relative_interval(point, metric);
  merit.half_width = merit.interval ? analysis::half_width(point, metric) : analysis::half_width(point);
  if (!merit.interval && merit.half_width)  // of a rate whose time may be zero
    merit.interval = analysis::RelativeInterval{-*merit.half_width, *merit.half_width};
  merit.doubt = analysis::standing_in_words(point, merit.interval ? metric : std::string_view());
  merit.wrong = point.verified == false;
  merit.unverified = !point.verified;
}

/// Reads the time of the shortest message and the best rate.
void read_pingpong(const record::Run& run, Merit& latency, Merit& rate) {
  std::optional<std::int64_t> shortest;
  for (const auto& point : run.points) {
    if (!gives_merit(point)) continue;
    if (has_flag(point, not_representative_flag)) continue;
    const auto length = record::whole_of(record::find(point.params, "message_byte"));
    const auto time = record::figure(point, "time_s"), byte_s = record::figure(point, "bandwidth_byte_s");
    if (length && time && (!shortest || *length < *shortest)) {
      shortest = length;
      take_point(point, "time_s", *time, latency);
    }
    if (byte_s && *byte_s > rate.value.value_or(0)) take_point(point, "bandwidth_byte_s", *byte_s, rate);
  }
}

}  // namespace

std::span<const MeritFigure> merit_figures() {
  return merit_table;
}

const MeritFigure* merit_figure(std::string_view key) {
  const auto* found = std::ranges::find(merit_table, key, &MeritFigure::key);
  return found == merit_table.end() ? nullptr : found;
}

bool gives_merit(const record::PointRecord& point) {
  return point.suite == "imb-mpi1" && point.benchmark == "PingPong";
}

std::vector<Merit> merits(const System& system, const record::Run* run) {
  std::vector<Merit> list;
  for (const MeritFigure& figure : merit_table) {
    Merit merit{.figure = &figure};
    if (figure.quantity) {
      merit.value = system.inputs.get(*figure.quantity);
      if (merit.value && figure.per_process) *merit.value *= system.processes();
      merit.half_width = system.inputs.half_width(*figure.quantity);
      merit.interval = system.inputs.interval(*figure.quantity);
      if (merit.value) merit.doubt = doubt_words(system, *figure.quantity);
      merit.wrong = system.doubts.failed.contains(*figure.quantity);
      merit.unverified = system.doubts.unverified.contains(*figure.quantity);
    }
    list.push_back(std::move(merit));
  }
  const auto of = [&](std::string_view key) -> Merit& {
    return *std::ranges::find_if(list, [&](const Merit& one) { return one.figure->key == key; });
  };
  if (run != nullptr) read_pingpong(*run, of(shortest_message), of(best_rate));
  return list;
}

}  // namespace steelyard::balance
