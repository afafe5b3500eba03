// SPDX-License-Identifier: Apache-2.0
// The tests of one process: parts shared by Single and Star, DGEMM and FFT.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "analysis/hpcc_summary.hpp"
#include "analysis/warnings.hpp"
#include "formats/beff/print.hpp"
#include "formats/hpcc/sections.hpp"
#include "units/prefixes.hpp"

namespace steelyard::formats::hpcc {
namespace {

using prefix::giga;

std::optional<double> in_giga(std::optional<double> per_second) {
  return per_second ? std::optional(*per_second / giga) : std::nullopt;
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

namespace {

/// Sentence of a doubt, with what makes the point too small to stand for the machine.
std::string sentence(const record::PointRecord& point, const analysis::Doubt& doubt) {
  std::string text(record::flag_text(doubt.code));
  if (text.empty()) return "";
  const auto condition = word_in(point, "condition");
  if (doubt.code == "not_representative" && !condition.empty()) text += ": " + beff::plain(condition);
  text.front() = static_cast<char>(std::toupper(text.front()));
  return text + ".\n";
}

}  // namespace

std::string remarks(Points points) {
  std::string lines;
  const auto known = std::ranges::find_if(points, [](const auto& point) {
    return measured(point) && number_in(point, "memory_share").has_value();
  });
  if (known != points.end())
    lines += fmt::format("Memory: {:.2f} % of a process's share of its node\n",
                         100 * or_minus_one(number_in(*known, "memory_share")));
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

}  // namespace steelyard::formats::hpcc
