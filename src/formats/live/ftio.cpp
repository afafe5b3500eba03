// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "analysis/ftio_runs.hpp"
#include "analysis/warnings.hpp"
#include "formats/ftio/text.hpp"
#include "formats/live/experiment.hpp"
#include "formats/live/verdict.hpp"

namespace steelyard::formats {
namespace {

/// FTIO: a line per run, and at the end what all of them come to.
class LiveFtio final : public LiveExperiment {
 public:
  [[nodiscard]] bool takes(const record::PointRecord& point) const override { return point.suite == "ftio"; }
  [[nodiscard]] std::string point(const record::PointRecord& point, bool brief) override;
  [[nodiscard]] std::string summary(const record::SummaryRecord& summary, bool brief) override;
};

std::string LiveFtio::point(const record::PointRecord& point, bool) {
  if (!analysis::ftio_has_result(point)) return ftio::failure(point);
  const auto run = analysis::ftio_run(point);
  const std::string doubts = analysis::doubts_in_words(point);
  return fmt::format(
      "{}/{}  {:>4} processes  i = {:<4} run {:<3} I/O fraction {:.3f}  {:>10.6f} s  {:>10.3f} Mflop/s{}{}\n",
      point.suite, point.benchmark, run.processes, run.parameter, run.run, run.io_fraction, run.total_s,
      run.flop_rate_flop_s / 1e6, run.passed ? "" : "  UNVERIFIED", doubts.empty() ? "" : "  " + doubts);
}

std::string LiveFtio::summary(const record::SummaryRecord& summary, bool brief) {
  if (summary.name != "ftio") return "";
  std::string text = fmt::format("ftio/FTIO   {} processes\n", summary.processes);
  if (const auto fraction = summary_value(summary, "ftio_io_fraction"))
    text += summary_line("I/O fraction, mean of the runs", fmt::format("{:>12.3f}", *fraction));
  if (const auto rate = summary_value(summary, "ftio_flop_s"))
    text += summary_line("nominal rate", fmt::format("{:>12.3f} Mflop/s", *rate / 1e6));
  if (summary.verified)
    text += summary_line("checks", *summary.verified ? "all runs right" : "WRONG TRANSFORM");
  return text + official_lines(summary, brief) + page_cache_line(summary);
}

}  // namespace

std::unique_ptr<LiveExperiment> live_ftio() {
  return std::make_unique<LiveFtio>();
}

}  // namespace steelyard::formats
