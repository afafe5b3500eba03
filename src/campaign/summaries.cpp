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
#include "analysis/screening/screening.hpp"
#include "analysis/warnings.hpp"

namespace steelyard::campaign {
namespace {

using PointRecords = std::span<const record::PointRecord>;

bool attempted(const record::PointRecord& point) {
  return point.status != record::Status::skipped;
}

/// nullopt if no loop was run.
std::optional<record::SummaryRecord> beff(const record::RunRecord& head, PointRecords points) {
  if (std::ranges::none_of(points, attempted)) return std::nullopt;
  return analysis::beff_summary(analysis::BeffRun(points), analysis::beff_frame(head));
}

void add_page_cache(const std::string& why, record::SummaryRecord& summary) {
  if (!why.empty()) summary.classic.emplace_back("files_in_memory", why);
}

/// nullopt if no pattern was run.
std::optional<record::SummaryRecord> beffio(const record::RunRecord& head, PointRecords points) {
  if (std::ranges::none_of(points, attempted)) return std::nullopt;
  auto summary = analysis::beffio_summary(analysis::BeffioRun(points), analysis::beffio_frame(head));
  add_page_cache(analysis::beffio_in_memory(head, points), summary);
  return summary;
}

std::optional<record::SummaryRecord> hpcc(const record::RunRecord& head, PointRecords points) {
  return analysis::hpcc_summary(points, analysis::hpcc_frame(head));
}

/// nullopt if no point was run.
std::optional<record::SummaryRecord> ftio(const record::RunRecord& head, PointRecords points) {
  if (std::ranges::none_of(points, attempted)) return std::nullopt;
  auto summary = analysis::ftio_summary(analysis::FtioRuns(points), analysis::ftio_departures(head));
  add_page_cache(analysis::ftio_in_memory(head, points), summary);
  return summary;
}

struct Maker {
  std::string_view suite;
  std::optional<record::SummaryRecord> (*make)(const record::RunRecord& head, PointRecords points);
};
/// Suite whose measurements of nodes and links are in tables.
constexpr std::string_view judged_suite = "screen";

constexpr std::array makers = {Maker{"b-eff", beff}, Maker{"b-eff-io", beffio}, Maker{"hpcc", hpcc},
                               Maker{"ftio", ftio}};

}  // namespace

void Summaries::point(const record::PointRecord& point) {
  const bool made = std::ranges::find(makers, point.suite, &Maker::suite) != makers.end();
  if (!made && point.suite != judged_suite) return;
  Collected& suite = suites_[point.suite];
  const auto [place, is_new] = suite.position.try_emplace(point.key, suite.points.size());
  if (is_new)
    suite.points.push_back(point);
  else
    suite.points[place->second] = point;
}

void Summaries::table(const record::TableRecord& table) {
  if (table.suite == judged_suite) tables_.push_back(table);
}

record::Run Summaries::screened() const {
  record::Run run;
  run.head = head_;
  run.tables = tables_;
  run.end.emplace();  // the planned points have been measured
  if (const auto found = suites_.find(std::string(judged_suite)); found != suites_.end())
    run.points = found->second.points;
  return run;
}

Findings Summaries::findings() const {
  if (tables_.empty()) return {};
  const auto judged = screening::judged(screened());
  Findings found{{screening::verdicts(judged)}, screening::events(judged)};
  found.verdicts = judged.found();
  return found;
}

std::vector<record::SummaryRecord> Summaries::make() const {
  std::vector<record::SummaryRecord> all;
  for (const Maker& maker : makers) {
    const auto found = suites_.find(std::string(maker.suite));
    if (found == suites_.end()) continue;
    if (auto summary = maker.make(head_, found->second.points)) all.push_back(std::move(*summary));
  }
  if (!tables_.empty()) all.push_back(screening::summary(screening::judged(screened())));
  return all;
}

}  // namespace steelyard::campaign
