// SPDX-License-Identifier: Apache-2.0
#include "formats/hpcc/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "analysis/hpcc_summary.hpp"
#include "formats/imb/head.hpp"
#include "record/clipped.hpp"
#include "suites/hpcc/stream/loops.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::formats::hpcc {

std::vector<double> numbers(const record::PointRecord& point, std::string_view name) {
  const auto* list = record::list_of(record::find(point.classic, name));
  return list == nullptr ? std::vector<double>{} : *list;
}

double or_minus_one(std::optional<double> value) {
  return value.value_or(-1);
}

std::int64_t whole(std::optional<double> value) {
  return record::clipped<std::int64_t>(or_minus_one(value));
}

std::string plain_number(double value) {
  std::string word = units::format_significant(value, 6);
  if (word.find('.') == std::string::npos) return word + ".0";
  while (word.ends_with('0') && !word.ends_with(".0")) word.pop_back();
  return word;
}

std::string_view outcome(const record::PointRecord& point) {
  if (!point.verified) return "BYPASS";
  return *point.verified ? "PASSED" : "FAILED";
}

std::optional<double> deviation(const record::PointRecord& point) {
  if (!point.check) return std::nullopt;
  const bool infinite = point.verified == false && !point.check->worst;
  return infinite ? std::numeric_limits<double>::quiet_NaN() : point.check->worst;
}

std::string time_text(std::int64_t unix_s) {
  using namespace std::chrono;
  const sys_seconds time{seconds{unix_s}};
  const auto date = floor<days>(time);
  const year_month_day day{date};
  const hh_mm_ss clock{time - date};
  return asctime_form(fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(day.year()),
                                  static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()),
                                  clock.hours().count(), clock.minutes().count(), clock.seconds().count()));
}

std::string current_time(std::int64_t unix_s) {
  return fmt::format("Current time ({}) is {}\n\n", unix_s, time_text(unix_s));
}

std::string ruler(char of, std::size_t n) {
  return std::string(n, of) + '\n';
}

namespace {

constexpr std::string_view stream_rule = "-------------------------------------------------------------\n";

std::string kernel(const record::PointRecord& point) {
  return word_in(point, "kernel");
}

std::string key(const record::PointRecord& point) {
  return point.benchmark + "_" + kernel(point);
}

/// Seconds of the trials one after the other; the first is for warming up and does not count.
std::vector<double> counted_trials(const record::PointRecord& point) {
  auto trials = numbers(point, "passes_s");
  if (!trials.empty()) trials.erase(trials.begin());
  return trials;
}

std::string head(const record::PointRecord& point) {
  using prefix::gibi;
  constexpr double byte_of_element = 8, vectors = 3, scalar = 0.42;
  const double elements = or_minus_one(number_in(point, "STREAM_VectorSize"));
  const std::size_t trials = numbers(point, "passes_s").size();
  return fmt::format("This system uses {:.0f} bytes per DOUBLE PRECISION word.\n{}", byte_of_element,
                     stream_rule) +
         fmt::format("Array size = {}, Offset = 0\n", whole(elements)) +
         fmt::format("Total memory required = {:.4f} GiB.\n", elements * byte_of_element * vectors / gibi) +
         (trials > 0 ? fmt::format("Each test is run {} times.\n", trials) : "") +
         " Of all trials but the first the shortest gives the rate.\n" +
         fmt::format("The SCALAR value used for this run is {:f}\n{}", scalar, stream_rule) +
         fmt::format("Number of Threads requested = {}\n", whole(number_in(point, "STREAM_Threads")));
}

/// Time of a kernel beside the steps of the clock, which count as a microsecond if they are finer.
std::string granularity(Points points, std::optional<double> tick_s) {
  using prefix::micro;
  double shortest_s = 0;
  for (const auto& point : points)
    for (const double trial : counted_trials(point))
      shortest_s = shortest_s > 0 ? std::min(shortest_s, trial) : trial;
  if (!tick_s || !(shortest_s > 0)) return "";
  const double tick = steelyard::hpcc::stream_tick_s(*tick_s) / micro;
  return (*tick_s >= micro
              ? fmt::format("Your clock granularity/precision appears to be {:.0f} microseconds.\n", tick)
              : "Your clock granularity appears to be less than one microsecond.\n") +
         fmt::format("Each test below will take on the order of {:.0f} microseconds.\n", shortest_s / micro) +
         fmt::format("   (= {:.0f} clock ticks)\n", shortest_s / micro / tick) +
         fmt::format(" A rate means something from {} ticks on.\n", steelyard::hpcc::stream_least_ticks) +
         std::string(stream_rule);
}

std::string setup(const record::PointRecord& point) {
  const auto seconds = number_in(point, "setup_s");
  if (!seconds) return "";
  return fmt::format("VERBOSE: total setup time for rank 0 = {:f} seconds\n{}", *seconds, stream_rule);
}

std::string row(const record::PointRecord& point) {
  auto trials = counted_trials(point);
  if (trials.empty()) trials = {-1};
  const auto [least, most] = std::ranges::minmax(trials);
  const double mean = std::accumulate(trials.begin(), trials.end(), 0.0) / static_cast<double>(trials.size());
  return fmt::format("{:<11}{:11.4f}  {:11.4f}  {:11.4f}  {:11.4f}\n", kernel(point) + ":",
                     or_minus_one(number_in(point, key(point))), mean, least, most);
}

const record::PointRecord* worst(Points points) {
  const record::PointRecord* found = nullptr;
  for (const auto& point : points)
    if (measured(point) && (found == nullptr || point.verified == false)) found = &point;
  return found;
}

std::string verdict(const record::PointRecord& point) {
  constexpr double bound = 1e-13;
  if (!point.check) return "";
  if (point.verified == true)
    return fmt::format("Solution Validates: avg error less than {:e} on all three arrays\n", bound);
  return fmt::format("Failed Validation on array a[], b[] or c[], AvgRelAbsErr > epsilon ({:e})\n", bound) +
         fmt::format("     AvgRelAbsErr: {:e}\n", or_minus_one(deviation(point)));
}

using record::PointRecord;

int bits(double words) {
  return static_cast<int>(std::lround(std::log2(words)));
}

std::string found(const PointRecord& point, std::int64_t errors, double words) {
  return fmt::format("Found {} errors in {} locations ({}).\n", errors, whole(words),
                     point.verified == true ? "passed" : "failed");
}

std::string sizes(const PointRecord& point, double words) {
  const int n = bits(words), processes = point.processes;
  const bool even = std::has_single_bit(static_cast<unsigned>(processes));
  std::string lines = fmt::format("Running on {} processors{}\n", processes, even ? " (PowerofTwo)" : "");
  lines += fmt::format("Total Main table size = 2^{} = {} words\n", n, whole(words));
  if (even)
    return lines + fmt::format("PE Main table size = 2^{} = {} words/PE\n",
                               n - bits(static_cast<double>(processes)), whole(words / processes));
  return lines + fmt::format("PE Main table size = (2^{})/{}  = {} words/PE MAX\n", n, processes,
                             whole(std::ceil(words / processes)));
}

std::string updates(const PointRecord& point, double words) {
  const double bound = or_minus_one(number_in(point, point.benchmark + "_TimeBound"));
  std::string lines = fmt::format("Default number of updates (RECOMMENDED) = {}\n", whole(4 * words)) +
                      fmt::format("Number of updates EXECUTED = {}",
                                  whole(number_in(point, point.benchmark + "_ExeUpdates")));
  if (bound > 0) lines += fmt::format(" (for a TIME BOUND of {:.2f} secs)", bound);
  return lines + '\n';
}

std::string cpu_time(std::string_view label, std::optional<double> seconds) {
  return seconds ? fmt::format("{}{:.6f} seconds\n", label, *seconds) : "";
}

std::string distributed(const PointRecord& point) {
  const auto of = [&](const char* end) { return number_in(point, point.benchmark + end); };
  const double words = or_minus_one(of("_N")), rate = or_minus_one(of("_GUPs"));
  return sizes(point, words) + updates(point, words) +
         cpu_time("CPU time used = ", number_in(point, "cpu_s")) +
         fmt::format("Real time used = {:.6f} seconds\n", or_minus_one(of("_time"))) +
         fmt::format("{:.9f} Billion(10^9) Updates    per second [GUP/s]\n", rate) +
         fmt::format("{:.9f} Billion(10^9) Updates/PE per second [GUP/s]\n", rate / point.processes) +
         cpu_time("Verification:  CPU time used = ", number_in(point, "check_cpu_s")) +
         fmt::format("Verification:  Real time used = {:.6f} seconds\n", or_minus_one(of("_CheckTime"))) +
         found(point, whole(of("_Errors")), words);
}

std::string local(const PointRecord& point) {
  const bool lcg = point.benchmark.ends_with("_LCG");
  const double words = or_minus_one(number_in(point, lcg ? "RandomAccess_LCG_N" : "RandomAccess_N"));
  const std::string key = point.benchmark + "_GUPs";
  // A budget may allow fewer than the rule asks for.
  const double updates = number_in(point, "updates").value_or(4 * words);
  std::string lines = fmt::format("Main table size   = 2^{} = {} words\n", bits(words), whole(words)) +
                      fmt::format("Number of updates = {}\n", whole(updates));
  lines += cpu_time("CPU time used  = ", number_in(point, "cpu_s"));
  // Time of the slowest process: time and rate are two forms of one figure.
  if (const auto time = analysis::hpcc_typical_s(point); time && *time > 0)
    lines +=
        fmt::format("Real time used = {:.6f} seconds\n", *time) +
        fmt::format("{:.9f} Billion(10^9) Updates    per second [GUP/s]\n", updates / *time / prefix::giga);
  if (point.check) lines += found(point, point.check->errors, words);
  const std::string whole_lines =
      failing_nodes(point) + selected(point) +
      (is_single(point) ? fmt::format("Single GUP/s {:.6f}\n", or_minus_one(number_in(point, key)))
                        : rates(point, "RandomAccess", "GUP/s", key));
  return in_order(point, lines, whole_lines);
}

/// Different values of a parameter in the order of the points.
std::string list(const char* label, Points points, std::string_view name) {
  std::vector<std::int64_t> values;
  for (const auto& point : points)
    if (const auto value = number_in(point, name); value && std::ranges::count(values, whole(value)) == 0)
      values.push_back(whole(value));
  return fmt::format("{} {}\n", label, fmt::join(values, " "));
}

std::string lists(Points points) {
  return list("M:", points, "order") + list("N:", points, "order") + list("MB:", points, "block") +
         list("NB:", points, "block") + list("P:", points, "grid_rows") + list("Q:", points, "grid_columns");
}

std::string seconds(double time) {
  return time >= 0 && time < 1 ? fmt::format("{:8.4f}", time) : fmt::format("{:8.2f}", time);
}

/// Times of every mapping if the record tells them, else that of the slowest.
std::vector<double> times(const PointRecord& point) {
  auto found = numbers(point, "passes_s");
  if (found.empty()) found = {or_minus_one(number_in(point, "PTRANS_time"))};
  return found;
}

std::string row(std::string_view clock, const PointRecord& point, double time) {
  const double n = or_minus_one(number_in(point, "order"));
  const auto block = whole(number_in(point, "block"));
  const double residual = deviation(point).value_or(0);
  const double rate = time > 0 ? 8 * n * n / time / prefix::giga : 0;
  return fmt::format("{0:<4} {1:5d} {1:5d} {2:3d} {2:3d} {3:3d} {4:3d} {5} {6} {7:8.3f} {8:>5.2f}\n", clock,
                     whole(n), block, whole(number_in(point, "grid_rows")),
                     whole(number_in(point, "grid_columns")), seconds(time), outcome(point), rate, residual);
}

/// Rows of a point, two for each placement: by the clock, and by the processors' time.
std::string rows(const PointRecord& point) {
  const auto wall = times(point), cpu = numbers(point, "cpu_s");
  std::string lines;
  for (std::size_t i = 0; i < wall.size(); ++i) {
    lines += row("WALL", point, wall[i]);
    if (i < cpu.size()) lines += row("CPU", point, cpu[i]);
  }
  return lines;
}

std::string tail(Points points) {
  std::int64_t passed = 0, failed = 0, unchecked = 0, skipped = 0;
  for (const auto& point : points) {
    const auto tests = static_cast<std::int64_t>(measured(point) ? times(point).size() : 1);
    (!measured(point) ? skipped : !point.verified ? unchecked : *point.verified ? passed : failed) += tests;
  }
  std::string lines = fmt::format("\nFinished {:4d} tests, with the following results:\n",
                                  passed + failed + unchecked + skipped);
  if (unchecked == 0 || passed + failed > 0)
    lines += fmt::format("{:5d} tests completed and passed residual checks.\n", passed) +
             fmt::format("{:5d} tests completed and failed residual checks.\n", failed);
  if (unchecked > 0) lines += fmt::format("{:5d} tests completed without checking.\n", unchecked);
  return lines +
         fmt::format("{:5d} tests skipped because of illegal input values.\n\nEND OF TESTS.\n", skipped);
}

}  // namespace

std::string streams(Points points, std::optional<double> tick_s) {
  const auto* some = worst(points);
  if (some == nullptr) return "";
  std::string table = std::string(stream_rule) + head(*some) + std::string(stream_rule) +
                      granularity(points, tick_s) + setup(*some);
  table += "Function      Rate (GB/s)   Avg time     Min time     Max time\n";
  for (const auto& point : points)
    if (measured(point)) table += row(point);
  table += std::string(stream_rule) + verdict(*some) + std::string(stream_rule);
  std::string whole_lines = failing_nodes(*some) + selected(*some);
  for (const auto& point : points)
    if (measured(point)) whole_lines += rates(point, "STREAM", kernel(point) + " GB/s", key(point));
  std::string body = in_order(*some, table, whole_lines);
  for (const auto& point : points)
    if (measured(point)) body += fmt::format("Stores of {}: {}\n", kernel(point), word_in(point, "stores"));
  return body;
}

std::string distributed_updates(Points points) {
  std::string body;
  for (const auto& point : points)
    if (measured(point)) body += distributed(point);
  return body;
}

std::string local_updates(Points points) {
  std::string body;
  for (const auto& point : points)
    if (measured(point)) body += local(point);
  return body;
}

std::string transposition(Points points) {
  std::string body = lists(points);
  body += "TIME   M     N    MB  NB  P   Q     TIME   CHECK   GB/s   RESID\n";
  body += "---- ----- ----- --- --- --- --- -------- ------ -------- -----\n";
  for (const auto& point : points)
    if (measured(point)) body += rows(point);
  return body + tail(points);
}

}  // namespace steelyard::formats::hpcc
