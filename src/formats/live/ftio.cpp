// SPDX-License-Identifier: Apache-2.0
#include "formats/live/ftio.hpp"

#include <fmt/format.h>

#include <optional>

#include "analysis/ftio_runs.hpp"
#include "formats/ftio/sections.hpp"

namespace steelyard::formats {
namespace {

std::string line(std::string_view what, const std::string& text) {
  return fmt::format("  {:<36}{}\n", what, text);
}

std::optional<double> value(const record::SummaryRecord& summary, std::string_view name) {
  for (const auto& [key, metric] : summary.values)
    if (const auto* number = std::get_if<double>(&metric); key == name && number != nullptr) return *number;
  return std::nullopt;
}

std::string validity(const record::SummaryRecord& summary) {
  if (summary.official == true) return line("official", "yes");
  std::string text;
  for (const std::string& reason : summary.not_official_because)
    text += line(text.empty() ? "official" : "", (text.empty() ? "no: " : "    ") + reason);
  return text;
}

}  // namespace

std::string LiveFtio::point(const record::PointRecord& point) {
  if (!analysis::ftio_has_result(point)) return ftio::failure(point);
  const auto run = analysis::ftio_run(point);
  return fmt::format(
      "{}/{}  {:>4} processes  i = {:<4} run {:<3} I/O fraction {:.3f}  {:>10.6f} s  {:>10.3f} Mflop/s{}\n",
      point.suite, point.benchmark, run.processes, run.parameter, run.run, run.io_fraction, run.total_s,
      run.flop_rate_flop_s / 1e6, run.passed ? "" : "  UNVERIFIED");
}

std::string LiveFtio::summary(const record::SummaryRecord& summary) {
  if (summary.name != "ftio") return "";
  std::string text = fmt::format("ftio/FTIO   {} processes\n", summary.processes);
  if (const auto fraction = value(summary, "ftio_io_fraction"))
    text += line("I/O fraction, mean of the runs", fmt::format("{:>12.3f}", *fraction));
  if (const auto rate = value(summary, "ftio_flop_s"))
    text += line("nominal rate", fmt::format("{:>12.3f} Mflop/s", *rate / 1e6));
  if (summary.verified) text += line("checks", *summary.verified ? "all runs right" : "WRONG TRANSFORM");
  return text + validity(summary);
}

}  // namespace steelyard::formats
