// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "formats/hpcc/sections.hpp"

namespace steelyard::formats::hpcc {
namespace {

using record::PointRecord;

constexpr std::string_view rule = "------------------------------------------------------------------\n";

/// A value of whichever of the two points has it, in msecs or MB/s.
class Both {
 public:
  explicit Both(Points points) : points_(points) {}
  [[nodiscard]] double milliseconds(std::string_view usec) const { return scaled(usec, 1e-3); }
  [[nodiscard]] double megabytes(std::string_view gigabytes) const { return scaled(gigabytes, 1e3); }

 private:
  [[nodiscard]] double scaled(std::string_view name, double factor) const {
    for (const auto& point : points_)
      if (const auto value = measured(point) ? number(point, name) : std::nullopt) return *value * factor;
    return -1;
  }
  Points points_;
};

std::string ping_pong(const PointRecord& point, const Both& both) {
  std::string lines = fmt::format("Message Length: {}\n", whole(number(point, "message_byte")));
  lines += fmt::format("Ping-pong pairs: {} of {} possible\n", whole(number(point, "pairs")),
                       whole(number(point, "possible_pairs")));
  if (number(point, "MinPingPongLatency_usec"))
    lines += fmt::format("Latency   min / avg / max: {:10.6f} / {:10.6f} / {:10.6f} msecs\n",
                         both.milliseconds("MinPingPongLatency_usec"),
                         both.milliseconds("AvgPingPongLatency_usec"),
                         both.milliseconds("MaxPingPongLatency_usec"));
  if (number(point, "MinPingPongBandwidth_GBytes"))
    lines += fmt::format("Bandwidth min / avg / max: {:10.3f} / {:10.3f} / {:10.3f} MByte/s\n",
                         both.megabytes("MinPingPongBandwidth_GBytes"),
                         both.megabytes("AvgPingPongBandwidth_GBytes"),
                         both.megabytes("MaxPingPongBandwidth_GBytes"));
  return lines + '\n';
}

std::string results(const Both& both) {
  return fmt::format("Max Ping Pong Latency:            {:13.6f} msecs\n",
                     both.milliseconds("MaxPingPongLatency_usec")) +
         fmt::format("Randomly Ordered Ring Latency:    {:13.6f} msecs\n",
                     both.milliseconds("RandomlyOrderedRingLatency_usec")) +
         fmt::format("Min Ping Pong Bandwidth:          {:13.6f} MB/s\n",
                     both.megabytes("MinPingPongBandwidth_GBytes")) +
         fmt::format("Naturally Ordered Ring Bandwidth: {:13.6f} MB/s\n",
                     both.megabytes("NaturallyOrderedRingBandwidth_GBytes")) +
         fmt::format("Randomly  Ordered Ring Bandwidth: {:13.6f} MB/s\n",
                     both.megabytes("RandomlyOrderedRingBandwidth_GBytes"));
}

std::string rings(const Both& both) {
  return fmt::format("On naturally ordered ring: latency= {:13.6f} msec, bandwidth= {:13.6f} MB/s\n",
                     both.milliseconds("NaturallyOrderedRingLatency_usec"),
                     both.megabytes("NaturallyOrderedRingBandwidth_GBytes")) +
         fmt::format("On randomly  ordered ring: latency= {:13.6f} msec, bandwidth= {:13.6f} MB/s\n",
                     both.milliseconds("RandomlyOrderedRingLatency_usec"),
                     both.megabytes("RandomlyOrderedRingBandwidth_GBytes"));
}

}  // namespace

std::string messages(Points points, std::optional<double> tick_s) {
  const Both both(points);
  std::string body(rule);
  if (tick_s) body += fmt::format("MPI_Wtime granularity.\nMax. MPI_Wtick is {:.9f} sec\n\n", *tick_s);
  bool any = false;
  for (const auto& point : points) {
    if (!measured(point)) continue;
    any = true;
    body += ping_pong(point, both);
  }
  if (!any) return "";
  return body + results(both) + std::string(rule) + rings(both) + std::string(rule);
}

}  // namespace steelyard::formats::hpcc
