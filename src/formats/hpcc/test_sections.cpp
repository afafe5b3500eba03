// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "analysis/hpcc_summary.hpp"
#include "analysis/warnings.hpp"
#include "formats/beff/print.hpp"
#include "formats/hpcc/sections.hpp"
#include "suites/hpcc/summary_keys.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

// The tests of one process: parts shared by Single and Star, DGEMM and FFT.

namespace steelyard::formats::hpcc {
namespace {

std::optional<double> in_giga(std::optional<double> per_second) {
  return per_second ? std::optional(*per_second / prefix::giga) : std::nullopt;
}

bool counts_processes(const record::PointRecord& point) {
  return point.benchmark.ends_with("DGEMM") || point.benchmark.ends_with("FFT");
}

/// Times of the whole transform and of the work beside it.
std::string transform_times(const record::PointRecord& point) {
  std::string lines;
  const auto line = [&](std::string_view label, std::optional<double> seconds) {
    if (seconds) lines += fmt::format("{}: {:9.3f}\n", label, *seconds);
  };
  line("Generation time", number_in(point, "generation_s"));
  line("Tuning", number_in(point, "planning_s"));
  line("Computing", analysis::hpcc_typical_s(point));
  line("Inverse FFT", number_in(point, "inverse_s"));
  return lines;
}

/// Line of the largest error; empty if nothing tells it.
std::string largest_error(const record::PointRecord& point, std::string_view key) {
  auto error = number_in(point, key);
  if (const auto found = deviation(point); !error && found && std::isnan(*found)) error = found;
  return error ? fmt::format("max(|x-x0|): {:>9.3e}\n", *error) : "";
}

/// Sentence of a doubt, with what makes the point too small to stand for the machine.
std::string sentence(const record::PointRecord& point, const analysis::Doubt& doubt) {
  std::string text(record::flag_text(doubt.code));
  if (text.empty()) return "";
  const auto condition = word_in(point, "condition");
  if (doubt.code == "not_representative" && !condition.empty()) text += ": " + beff::plain(condition);
  text.front() = static_cast<char>(std::toupper(text.front()));
  return text + ".\n";
}

using prefix::mega, prefix::milli;
using record::PointRecord;

constexpr std::string_view rule = "------------------------------------------------------------------\n";
constexpr double clock_least_s = 1e-6, clock_most_s = 1e-2;

/// The two points of the test: 8 byte, then 2 000 000 byte. A length that was not measured has no values.
class Lengths {
 public:
  explicit Lengths(Points points) {
    for (const auto& point : points)
      if (measured(point)) (has_latencies(point) ? latency_ : bandwidth_) = &point;
  }
  [[nodiscard]] const PointRecord* latency() const { return latency_; }
  [[nodiscard]] const PointRecord* bandwidth() const { return bandwidth_; }
  [[nodiscard]] bool any() const { return latency_ != nullptr || bandwidth_ != nullptr; }
  [[nodiscard]] int processes() const { return (latency_ ? latency_ : bandwidth_)->processes; }

  /// Value of one of them; -1 if it is not known.
  [[nodiscard]] static double value(const PointRecord* point, std::string_view name) {
    return point == nullptr ? -1 : or_minus_one(number_in(*point, name));
  }
  [[nodiscard]] double seconds(std::string_view key) const { return in_base_units(latency_, key); }
  [[nodiscard]] double byte_s(std::string_view key) const { return in_base_units(bandwidth_, key); }

 private:
  static bool has_latencies(const PointRecord& point) {
    return number_in(point, "MaxPingPongLatency_usec").has_value();
  }
  static double in_base_units(const PointRecord* point, std::string_view key) {
    const double found = value(point, key);
    return found < 0 ? -1 : steelyard::hpcc::in_base_units(key, found);
  }

  const PointRecord *latency_ = nullptr, *bandwidth_ = nullptr;
};

/// Value in a unit; an unknown one stays -1.
double in(double value, double unit) {
  return value < 0 ? -1 : value / unit;
}

/// Least, mean and largest time of one message, or of bytes over it. The extremes of one follow from those of the
/// other; the mean does not, unless all pairs are alike.
struct Extremes {
  double least = -1, mean = -1, most = -1;
};

std::string latency_line(const Extremes& s) {
  return fmt::format("Latency   min / avg / max: {:10.6f} / {:10.6f} / {:10.6f} msecs\n", in(s.least, milli),
                     in(s.mean, milli), in(s.most, milli));
}

std::string bandwidth_line(const Extremes& byte_s) {
  return fmt::format("Bandwidth min / avg / max: {:10.3f} / {:10.3f} / {:10.3f} MByte/s\n",
                     in(byte_s.least, mega), in(byte_s.mean, mega), in(byte_s.most, mega));
}

Extremes turned(const Extremes& values, double mean, double byte) {
  const auto over = [&](double value) { return value > 0 ? byte / value : -1; };
  return {over(values.most), mean, over(values.least)};
}

Extremes latencies(const Lengths& lengths) {
  return {lengths.seconds("MinPingPongLatency_usec"), lengths.seconds("AvgPingPongLatency_usec"),
          lengths.seconds("MaxPingPongLatency_usec")};
}

Extremes bandwidths(const Lengths& lengths) {
  return {lengths.byte_s("MinPingPongBandwidth_GBytes"), lengths.byte_s("AvgPingPongBandwidth_GBytes"),
          lengths.byte_s("MaxPingPongBandwidth_GBytes")};
}

double message_byte(const PointRecord& point) {
  return or_minus_one(number_in(point, "message_byte"));
}

std::string message(double byte, const Extremes& s, const Extremes& byte_s) {
  return fmt::format("Message Length: {:.0f}\n", byte) + latency_line(s) + bandwidth_line(byte_s) + '\n';
}

std::string granularity(std::optional<double> tick_s) {
  if (!tick_s) return "";
  return fmt::format("MPI_Wtime granularity.\nMax. MPI_Wtick is {:.9f} sec\n", *tick_s) +
         fmt::format("wtick is set to   {:f} sec  \n\n",
                     std::clamp(std::abs(*tick_s), clock_least_s, clock_most_s));
}

/// Choice of the number of pairs that the budget allows, from a trial between the first and the last process.
std::string choice_of_pairs(const PointRecord& point) {
  const auto of = [&](std::string_view name) { return Lengths::value(&point, name); };
  const double byte = message_byte(point), one_way_s = of("first_to_last_s");
  if (one_way_s < 0) return "";
  const Extremes trial{one_way_s, one_way_s, one_way_s};
  const double byte_s = one_way_s > 0 ? byte / one_way_s : -1;
  const bool by_time = record::is_true(record::find(point.classic, "clock_is_fine"));
  return message(byte, trial, {byte_s, byte_s, byte_s}) +
         (by_time ? "MPI_Wtime granularity is ok.\n" : "Use MPI_Wtick for estimation of max pairs\n") +
         fmt::format("message size:                         {:10.0f}\n", byte) +
         fmt::format("max time :                            {:10.6f} secs\n", of("budget_s")) +
         fmt::format("latency for msg:                      {:10.6f} msecs\n", in(one_way_s, milli)) +
         fmt::format("estimation for ping pong:             {:10.6f} msecs\n", in(of("pair_s"), milli)) +
         fmt::format("max number of ping pong pairs       = {:10.0f}\n", of("affordable_pairs")) +
         fmt::format("max client pings = max server pongs = {:10.0f}\n", of("most_pings")) +
         fmt::format("stride for latency                  = {:10.0f}\n", of("stride"));
}

std::string ring(double byte, double natural_s, double random_s) {
  const auto line = [](std::string_view label, double value, std::string_view unit) {
    return fmt::format("{:<28}{:13.6f} {}\n", label, value, unit);
  };
  const auto byte_s = [&](double s) { return in(s > 0 ? byte / s : -1, mega); };
  return fmt::format("{:<28}{:13.0f} Byte\n", "Message Size:", byte) +
         line("Natural Order Latency:", in(natural_s, milli), "msec") +
         line("Natural Order Bandwidth:", byte_s(natural_s), "MB/s") +
         line("Avg Random Order Latency:", in(random_s, milli), "msec") +
         line("Avg Random Order Bandwidth:", byte_s(random_s), "MB/s") + '\n';
}

std::string rings(const Lengths& lengths) {
  std::string body;
  if (const auto* point = lengths.latency())
    body += ring(message_byte(*point), lengths.seconds("NaturallyOrderedRingLatency_usec"),
                 lengths.seconds("RandomlyOrderedRingLatency_usec"));
  if (const auto* point = lengths.bandwidth()) {
    const double byte = message_byte(*point);
    const auto s = [&](std::string_view name) {
      const double byte_s = lengths.byte_s(name);
      return byte_s > 0 ? byte / byte_s : -1;
    };
    body += ring(byte, s("NaturallyOrderedRingBandwidth_GBytes"), s("RandomlyOrderedRingBandwidth_GBytes"));
  }
  return body;
}

std::string execution_times(const Lengths& lengths) {
  const double parts[] = {
      Lengths::value(lengths.latency(), "pairs_s"), Lengths::value(lengths.bandwidth(), "pairs_s"),
      Lengths::value(lengths.latency(), "rings_s"), Lengths::value(lengths.bandwidth(), "rings_s")};
  double all = 0;
  for (const double part : parts) all += std::max(part, 0.0);
  if (!(all > 0)) return "";
  return fmt::format("Execution time (wall clock)      = {:9.3f} sec on {} processes\n", all,
                     lengths.processes()) +
         fmt::format(" - for cross ping_pong latency   = {:9.3f} sec\n", parts[0]) +
         fmt::format(" - for cross ping_pong bandwidth = {:9.3f} sec\n", parts[1]) +
         fmt::format(" - for ring latency              = {:9.3f} sec\n", parts[2]) +
         fmt::format(" - for ring bandwidth            = {:9.3f} sec\n", parts[3]);
}

std::string major_results(const Lengths& lengths) {
  const auto ms = [&](std::string_view name) { return in(lengths.seconds(name), milli); };
  const auto mb_s = [&](std::string_view name) { return in(lengths.byte_s(name), mega); };
  return "Major Benchmark results:\n------------------------\n\n" +
         fmt::format("Max Ping Pong Latency:            {:13.6f} msecs\n", ms("MaxPingPongLatency_usec")) +
         fmt::format("Randomly Ordered Ring Latency:    {:13.6f} msecs\n",
                     ms("RandomlyOrderedRingLatency_usec")) +
         fmt::format("Min Ping Pong Bandwidth:          {:13.6f} MB/s\n",
                     mb_s("MinPingPongBandwidth_GBytes")) +
         fmt::format("Naturally Ordered Ring Bandwidth: {:13.6f} MB/s\n",
                     mb_s("NaturallyOrderedRingBandwidth_GBytes")) +
         fmt::format("Randomly  Ordered Ring Bandwidth: {:13.6f} MB/s\n",
                     mb_s("RandomlyOrderedRingBandwidth_GBytes"));
}

std::string ring_line(std::string_view order, double latency_s, double byte_s) {
  return fmt::format("On {} ordered ring: latency= {:13.6f} msec, bandwidth= {:13.6f} MB/s\n", order,
                     in(latency_s, milli), in(byte_s, mega));
}

std::string detailed_results(const Lengths& lengths) {
  return "\nDetailed benchmark results:\nPing Pong:\n" + latency_line(latencies(lengths)) +
         bandwidth_line(bandwidths(lengths)) + "Ring:\n" +
         ring_line("naturally", lengths.seconds("NaturallyOrderedRingLatency_usec"),
                   lengths.byte_s("NaturallyOrderedRingBandwidth_GBytes")) +
         ring_line("randomly ", lengths.seconds("RandomlyOrderedRingLatency_usec"),
                   lengths.byte_s("RandomlyOrderedRingBandwidth_GBytes"));
}

std::string conditions(const Lengths& lengths) {
  const auto byte = [](const PointRecord* point) { return Lengths::value(point, "message_byte"); };
  const int processes = lengths.processes();
  const double possible = std::max(Lengths::value(lengths.latency(), "possible_pairs"),
                                   Lengths::value(lengths.bandwidth(), "possible_pairs"));
  return "\nBenchmark conditions:\n" +
         fmt::format(" The latency   measurements were done with {:8.0f} bytes\n", byte(lengths.latency())) +
         fmt::format(" The bandwidth measurements were done with {:8.0f} bytes\n",
                     byte(lengths.bandwidth())) +
         fmt::format(" The ring communication was done in both directions on {} processes\n", processes) +
         " The Ping Pong measurements were done on \n" +
         fmt::format("  -  {:10.0f} pairs of processes for latency benchmarking, and \n",
                     Lengths::value(lengths.latency(), "pairs")) +
         fmt::format("  -  {:10.0f} pairs of processes for bandwidth benchmarking, \n",
                     Lengths::value(lengths.bandwidth(), "pairs")) +
         fmt::format(" out of {0}*({0}-1) = {1:10.0f} possible combinations on {0} processes.\n", processes,
                     possible) +
         " (1 MB/s = 10**6 byte/sec)\n";
}

std::string title() {
  return fmt::format("\n{}Latency-Bandwidth-Benchmark R1.5.1 compatible output of steelyard\n\n", rule);
}

}  // namespace

bool is_single(const record::PointRecord& point) {
  return point.benchmark.starts_with("Single");
}

std::string in_order(const record::PointRecord& point, const std::string& details, const std::string& whole) {
  const bool elsewhere = is_single(point) && number_in(point, "rank").value_or(0) != 0;
  return elsewhere ? whole + details : details + whole;
}

std::string failing_nodes(const record::PointRecord& point) {
  std::int64_t nodes = point.verified == false ? 1 : 0;
  if (point.check && counts_processes(point)) nodes = std::max(nodes, point.check->errors);
  if (!point.verified) nodes = -1;
  return fmt::format("Node(s) with error {}\n", nodes);
}

std::string selected(const record::PointRecord& point) {
  return is_single(point) ? fmt::format("Node selected {}\n", whole(number_in(point, "rank"))) : "";
}

std::string rates(const record::PointRecord& point, const std::string& test, const std::string& unit,
                  std::string_view key) {
  const double mean = or_minus_one(number_in(point, key));
  if (is_single(point)) return fmt::format("Single {} {} {:.6f}\n", test, unit, mean);
  return fmt::format("Minimum {0} {1:.6f}\nAverage {0} {2:.6f}\nMaximum {0} {3:.6f}\n", unit,
                     or_minus_one(in_giga(number_in(point, "least_rate"))),
                     in_giga(number_in(point, "mean_rate")).value_or(mean),
                     or_minus_one(in_giga(number_in(point, "most_rate"))));
}

std::string not_measured(Points points) {
  std::string lines;
  for (const auto& point : points)
    if (!measured(point))
      lines += fmt::format("Not measured: {}\n", point.reason ? point.reason->text : "no reason is known");
  return lines;
}

std::string remarks(Points points) {
  std::string lines;
  const auto known = std::ranges::find_if(points, [](const auto& point) {
    return measured(point) && number_in(point, "memory_share").has_value();
  });
  if (known != points.end()) {
    const double share = 100 * or_minus_one(number_in(*known, "memory_share"));
    lines += fmt::format("Memory: {} % of a process's share of its node\n",
                         share < 0.1 ? units::format_significant(share, 2) : fmt::format("{:.2f}", share));
  }
  std::set<std::string> said;
  for (const auto& point : points)
    for (const auto& doubt : analysis::doubts(point))
      if (auto text = sentence(point, doubt); said.insert(text).second) lines += text;
  for (const auto& point : points)
    if (const auto advice = word_in(point, "Sy_BLAS_advice"); !advice.empty())
      lines += beff::plain(advice) + '\n';
  return lines;
}

std::string multiplication(Points points) {
  std::string body;
  for (const auto& point : points) {
    if (!measured(point)) continue;
    std::string details, whole = failing_nodes(point);
    if (const auto residual = deviation(point)) details = fmt::format("Scaled residual: {:g}\n", *residual);
    whole += selected(point) + rates(point, "DGEMM", "Gflop/s", point.benchmark + "_Gflops");
    body += in_order(point, details, whole);
  }
  return body;
}

std::string local_transform(Points points) {
  std::string body;
  for (const auto& point : points) {
    if (!measured(point)) continue;
    std::string details = fmt::format("Vector size: {}\n", whole(number_in(point, "FFT_N")));
    details += transform_times(point);
    details += largest_error(point, "max_error");
    body += in_order(
        point, details,
        failing_nodes(point) + selected(point) + rates(point, "FFT", "Gflop/s", point.benchmark + "_Gflops"));
  }
  return body;
}

std::string distributed_transform(Points points) {
  std::string body;
  for (const auto& point : points) {
    if (!measured(point)) continue;
    body += fmt::format("Number of nodes: {}\n", whole(number_in(point, "MPIFFT_Procs")));
    body += fmt::format("Vector size: {:20.0f}\n", or_minus_one(number_in(point, "MPIFFT_N")));
    body += transform_times(point);
    body += largest_error(point, "MPIFFT_maxErr");
    body += fmt::format("Gflop/s: {:9.3f}\n", or_minus_one(number_in(point, "MPIFFT_Gflops")));
  }
  return body;
}

std::string messages(Points points, std::optional<double> tick_s) {
  const Lengths lengths(points);
  if (!lengths.any()) return "";
  std::string body = title() + "Details - level 2\n-----------------\n\n" + granularity(tick_s);
  if (const auto* point = lengths.latency()) {
    const auto s = latencies(lengths);
    const double byte = message_byte(*point);
    body += choice_of_pairs(*point) + message(byte, s, turned(s, Lengths::value(point, "mean_byte_s"), byte));
  }
  if (const auto* point = lengths.bandwidth()) {
    const auto byte_s = bandwidths(lengths);
    const double byte = message_byte(*point);
    body += choice_of_pairs(*point) +
            message(byte, turned(byte_s, Lengths::value(point, "mean_one_way_s"), byte), byte_s);
  }
  const std::string between = fmt::format("\n{}", rule);
  return body + rings(lengths) + execution_times(lengths) + title() + major_results(lengths) + between +
         detailed_results(lengths) + between + conditions(lengths) + between;
}

}  // namespace steelyard::formats::hpcc
