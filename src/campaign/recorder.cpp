// SPDX-License-Identifier: Apache-2.0
#include "campaign/recorder.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <string_view>

#include "analysis/beff_run.hpp"
#include "analysis/beffio_run.hpp"
#include "analysis/ftio_runs.hpp"
#include "analysis/hpcc_summary.hpp"
#include "analysis/screening/screening.hpp"
#include "analysis/warnings.hpp"
#include "campaign/node_events.hpp"
#include "campaign/resume.hpp"
#include "units/text.hpp"

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

/// Record of a point whose numbers cannot be written, without them.
record::PointRecord without_numbers(const record::PointRecord& point, const std::string& why) {
  record::PointRecord bare;
  bare.key = point.key;
  bare.suite = point.suite;
  bare.benchmark = point.benchmark;
  bare.processes = point.processes;
  bare.threads = point.threads;
  bare.groups = point.groups;
  bare.params = point.params;
  bare.status = record::Status::failed;
  bare.reason = record::Reason{record::ReasonCode::internal, why, {}, {}, {}, {}, {}, {}};
  return bare;
}

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

Recorder::Recorder(const Outputs& outputs, bool anonymous, std::span<const record::PointRecord> earlier,
                   std::span<const record::EventRecord> earlier_events)
    : outputs_(outputs), anonymous_(anonymous) {
  for (const record::PointRecord& point : earlier) {
    of_sessions_.insert_or_assign(point.key, Counted{point.status, point.verified});
    count(counts_, point.status, point.verified);
    summaries_.point(point);
    warnings_.point(point);
  }
  for (const record::EventRecord& event : earlier_events) warnings_.event(event);
}

void Recorder::announce(const std::string& what) {
  if (outputs_.progress != nullptr) outputs_.progress->clear();
  std::ostream& errors = outputs_.errors != nullptr ? *outputs_.errors : std::cerr;
  errors << "steelyard: error: " + what + '\n' << std::flush;
}

/// Writes the line. Returns nullopt if that went well or there is no file, else the fault of the record itself.
std::optional<std::string> Recorder::objection(const record::Body& body) {
  if (outputs_.file == nullptr || failed_) return std::nullopt;
  try {
    outputs_.file->write(body);
  } catch (const record::WriteError& error) {
    failed_ = true;
    announce(error.what());
  } catch (const record::NotANumber& error) {
    return error.what();
  }
  return std::nullopt;
}

void Recorder::write(const record::Body& body) {
  if (const auto why = objection(body)) announce("internal error, a record was not written: " + *why);
}

template <class Member, class Record>
void Recorder::texts(Member member, const Record& record) {
  if (outputs_.progress != nullptr && !outputs_.texts.empty()) outputs_.progress->clear();
  for (formats::Writer* text : outputs_.texts) (text->*member)(record);
}

void Recorder::run(record::RunRecord run) {
  const Alone alone(mutex_);
  if (anonymous_) hide_.emplace(run);
  if (hide_) hide_->apply(run);
  const std::string left_out = shorten(run.layout);
  write(run);
  summaries_.run(run);
  texts(&formats::Writer::run, run);
  if (left_out.empty()) return;
  event({record::Severity::warning, "layout_left_out",
         "the layout of " + units::counted(run.processes, "process") + " on " +
             units::counted(run.nodes, "node") + " is too long for a record, which lacks: " + left_out});
}

void Recorder::event(record::EventRecord event) {
  const Alone alone(mutex_);
  if (hide_) hide_->apply(event);
  write(event);
  warnings_.event(event);
  texts(&formats::Writer::event, event);
}

void Recorder::end(record::EndRecord end) {
  const Alone alone(mutex_);
  if (hide_)
    for (std::string& word : end.resume) word = hide_->text(word);
  write(end);
  texts(&formats::Writer::end, end);
}

void Recorder::begin_block() {
  const Alone alone(mutex_);
  of_block_.clear();
}

bool Recorder::has(const std::string& key) const {
  // The plan may name the point by its first group.
  const std::string of_point = key_of_point(key);
  return std::ranges::any_of(of_block_, [&](const auto& one) { return key_of_point(one.first) == of_point; });
}

bool Recorder::point(record::PointRecord point) {
  const Alone alone(mutex_);
  if (hide_) hide_->apply(point);
  if (const auto why = objection(point)) return this->point(without_numbers(point, *why));
  if (failed_) return false;
  tally(point);
  summaries_.point(point);
  warnings_.point(point);
  interrupted_ = interrupted_ || (point.reason && point.reason->code == record::ReasonCode::interrupted);
  texts(&formats::Writer::point, point);
  tell_about(point);
  return true;
}

void Recorder::unfinished(std::vector<record::PointRecord> points) {
  const Alone alone(mutex_);
  if (outputs_.file == nullptr || failed_) return;
  if (hide_)
    for (record::PointRecord& point : points) hide_->apply(point);
  try {
    outputs_.file->keep_unfinished(points);
  } catch (const record::NotANumber&) {
    // Told when the point is recorded.
  }
}

void Recorder::table(const record::TableRecord& table) {
  const Alone alone(mutex_);
  write(table);
  summaries_.table(table);
}

void Recorder::summaries() {
  const Alone alone(mutex_);
  Findings found = summaries_.findings();
  verdicts_ = std::move(found.verdicts);
  for (const record::TableRecord& table : found.tables) write(table);
  for (const record::EventRecord& one : found.events) event(one);
  for (const record::SummaryRecord& summary : summaries_.make()) {
    write(summary);
    texts(&formats::Writer::summary, summary);
  }
}

void Recorder::tally(const record::PointRecord& point) {
  take_out(point.key);
  of_block_.insert_or_assign(point.key, Counted{point.status, point.verified});
  count(counts_, point.status, point.verified);
}

/// Takes the record that stood so far out of the counts: that of this block, or of an earlier session.
void Recorder::take_out(const std::string& key) {
  const auto of_block = of_block_.find(key);
  const auto of_sessions = of_sessions_.find(key);
  if (of_block != of_block_.end())
    count(counts_, of_block->second.first, of_block->second.second, -1);
  else if (of_sessions != of_sessions_.end())
    count(counts_, of_sessions->second.first, of_sessions->second.second, -1);
  if (of_sessions != of_sessions_.end()) of_sessions_.erase(of_sessions);
}

void Recorder::tell_about(const record::PointRecord& point) {
  if (point.verified == std::optional(false))
    event({record::Severity::error, "verification_failed", "wrong data at " + point.key, {}, point.key});
  if (point.status == record::Status::failed)
    event({record::Severity::warning,
           "point_failed",
           point.key + ": " + (point.reason ? point.reason->text : ""),
           {},
           point.key});
}

}  // namespace steelyard::campaign
