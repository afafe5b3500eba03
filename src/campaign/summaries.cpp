// SPDX-License-Identifier: Apache-2.0
#include "campaign/summaries.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "analysis/beff_run.hpp"
#include "analysis/beffio_run.hpp"
#include "analysis/ftio_runs.hpp"
#include "analysis/hpcc_summary.hpp"

namespace steelyard::campaign {
namespace {

using Points = std::span<const record::PointRecord>;

bool attempted(const record::PointRecord& point) {
  return point.status != record::Status::skipped;
}

/// Nothing if no loop was run.
std::optional<record::SummaryRecord> beff(const record::RunRecord& head, Points points) {
  if (std::ranges::none_of(points, attempted)) return std::nullopt;
  return analysis::beff_summary(analysis::BeffRun(points), analysis::beff_frame(head));
}

/// Nothing if no pattern was run.
std::optional<record::SummaryRecord> beffio(const record::RunRecord& head, Points points) {
  if (std::ranges::none_of(points, attempted)) return std::nullopt;
  return analysis::beffio_summary(analysis::BeffioRun(points), analysis::beffio_frame(head));
}

std::optional<record::SummaryRecord> hpcc(const record::RunRecord& head, Points points) {
  return analysis::hpcc_summary(points, analysis::hpcc_frame(head));
}

/// Nothing if nothing was run.
std::optional<record::SummaryRecord> ftio(const record::RunRecord& head, Points points) {
  if (std::ranges::none_of(points, attempted)) return std::nullopt;
  return analysis::ftio_summary(analysis::FtioRuns(points), analysis::ftio_departures(head));
}

struct Maker {
  std::string_view suite;
  std::optional<record::SummaryRecord> (*make)(const record::RunRecord& head, Points points);
};
constexpr std::array makers = {Maker{"b-eff", beff}, Maker{"b-eff-io", beffio}, Maker{"hpcc", hpcc},
                               Maker{"ftio", ftio}};

}  // namespace

void Summaries::point(const record::PointRecord& point) {
  if (std::ranges::find(makers, point.suite, &Maker::suite) == makers.end()) return;
  Collected& suite = suites_[point.suite];
  const auto [place, is_new] = suite.position.try_emplace(point.key, suite.points.size());
  if (is_new)
    suite.points.push_back(point);
  else
    suite.points[place->second] = point;
}

std::vector<record::SummaryRecord> Summaries::make() const {
  std::vector<record::SummaryRecord> all;
  for (const Maker& maker : makers) {
    const auto found = suites_.find(std::string(maker.suite));
    if (found == suites_.end()) continue;
    if (auto summary = maker.make(head_, found->second.points)) all.push_back(std::move(*summary));
  }
  return all;
}

}  // namespace steelyard::campaign
