// SPDX-License-Identifier: Apache-2.0
#include "campaign/reporter.hpp"

#include <algorithm>

#include "campaign/resume.hpp"
#include "record/point_view.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

std::optional<double> seconds(const std::optional<Seconds>& time) {
  return time ? std::optional(time->value()) : std::nullopt;
}

constexpr double fading = 0.9;  // weight of a finished piece after the next one
constexpr double least_ratio = 0.5, most_ratio = 2;

constexpr std::size_t points_until_trust = 3;
constexpr double most_by_time = 0.95;  // of a block that does not report its stage
constexpr double least_share = 0.02;   // of a block, before it tells anything about the rest

/// Name of a point within its benchmark: "np=4 64 KiB".
std::string describe_point(const suites::BlockPlan& block, const suites::PointPlan& point) {
  return "np=" + std::to_string(block.processes) + " " + units::format_size(Bytes{point.bytes});
}

}  // namespace

RemainingWork::RemainingWork(const Plan& plan, MeasuringRule rule, const std::set<std::string>& kept)
    : plan_(plan),
      rule_(rule),
      kept_(kept_points(plan.blocks, kept)),
      from_(plan.blocks.size() + 1),
      planned_(std::nullopt, {}, rule.point_limit_s) {
  for (std::size_t b = plan.blocks.size(); b-- > 0;) {
    from_[b] = from_[b + 1];
    for (const suites::PointPlan& point : plan.blocks[b].points) {
      if (this->kept(point)) ++points_kept_;
      if (!wanted(point)) continue;
      from_[b].add(point);
    }
  }
  planned_ = allowance(0, seconds(plan.budget));
}

bool RemainingWork::wanted(const suites::PointPlan& point) const {
  return point.measurable() && !kept(point);
}

std::vector<std::size_t> RemainingWork::to_measure(std::size_t block) const {
  std::vector<std::size_t> indices;
  const auto& points = plan_.blocks[block].points;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (wanted(points[i])) indices.push_back(i);
  return indices;
}

double RemainingWork::minimum_s(std::size_t block) const {
  return from_[block].sum_s() - from_[block + 1].sum_s();
}

double RemainingWork::expected_s(const suites::PointPlan& point) const {
  if (!wanted(point)) return 0;
  return campaign::expected_s(point, planned_, rule_);
}

Allowance RemainingWork::allowance(std::size_t block, std::optional<double> left_s) const {
  return {left_s, from_[block], rule_.point_limit_s};
}

void Estimator::finished(double planned_s, double measured_s) {
  planned_ = fading * planned_ + planned_s;
  measured_ = fading * measured_ + measured_s;
}

double Estimator::left_s(double planned_left_s) const {
  return std::max(0.0, planned_left_s * std::clamp(ratio(), least_ratio, most_ratio));
}

void TakenPart::finished(const BlockTime& block, double taken_s) {
  if (!(block.allowed_s > 0)) return;
  const double weight = block.allowed_s, easy = block.easy_s / weight, taken = taken_s / weight;
  weight_ += weight;
  easy_ += weight * easy;
  taken_ += weight * taken;
  easy_squared_ += weight * easy * easy;
  easy_by_taken_ += weight * easy * taken;
}

double TakenPart::expected_s(const BlockTime& block) const {
  constexpr double least = 0.02, most = 1.5;
  constexpr double few = 0.01;  // a variance below which blocks are too much alike for a slope
  if (!(weight_ > 0) || !(block.allowed_s > 0)) return block.allowed_s;
  const double easy = easy_ / weight_, taken = taken_ / weight_;
  const double variance = easy_squared_ / weight_ - easy * easy;
  const double slope = (easy_by_taken_ / weight_ - easy * taken) / (variance + few);
  return block.allowed_s * std::clamp(taken + slope * (block.easy_s / block.allowed_s - easy), least, most);
}

double Habits::by_others_s(const BlockTime& block) const {
  return block.prescribed ? block.allowed_s : all_.expected_s(block);
}

double Habits::expected_s(const std::string& suite, const BlockTime& block) const {
  constexpr double trust = 0.5;  // few blocks of a suite tell little of the next one
  const double by_others_s = this->by_others_s(block);
  const auto found = suites_.find(suite);
  if (found == suites_.end()) return by_others_s;
  return by_others_s * found->second.ratio(block.prescribed ? 0 : trust * by_others_s);
}

void Habits::finished(const std::string& suite, const BlockTime& block, double taken_s) {
  suites_[suite].finished(by_others_s(block), taken_s);
  if (!block.prescribed) all_.finished(block, taken_s);
}

std::string describe_result(const record::PointRecord& record) {
  const record::Statistics* time = record::statistics(record, "time_s");
  if (time == nullptr || !time->median) return {};
  std::string text = "   " + units::format_time(Seconds{*time->median});
  if (!time->ci || *time->median <= 0) return text;
  const double half_width = (time->ci->second - time->ci->first) / (2 * *time->median);
  return text + " +-" + units::format_fixed(100 * half_width, 1) + "%";
}

Reporter::Reporter(Progress* progress, const Plan& plan, const RemainingWork& remaining, double before_s)
    : progress_(progress), remaining_(remaining), longest_s_(plan.longest_s), before_s_(before_s) {
  state_.total = plan.measurable();
  done_ = state_.total;
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    done_ -= remaining.to_measure(b).size();
    for (const suites::PointPlan& point : plan.blocks[b].points)
      suites_[plan.blocks[b].suite].planned_left_s += remaining.expected_s(point);
  }
  planned_s_ = planned_left_s();
}

void Reporter::block_starts(const suites::BlockPlan& block, double elapsed_s) {
  if (!first_block_s_) first_block_s_ = elapsed_s;
  state_.benchmark = block.suite + "/" + block.benchmark;
  state_.point = "np=" + std::to_string(block.processes);
  running_ = {.suite = block.suite, .start_s = elapsed_s, .first = done_};
  for (const suites::PointPlan& point : block.points) {
    const double expected = remaining_.expected_s(point);
    running_.planned_s += expected;
    running_.points += expected > 0 ? 1 : 0;
  }
  running_.whole_s = running_.planned_s;
  show(elapsed_s);
}

void Reporter::point_ends(const suites::BlockPlan& block, const suites::PointPlan& point,
                          const record::PointRecord& record, double measured_s, double elapsed_s) {
  Suite& suite = suites_[block.suite];
  const double planned = remaining_.expected_s(point);
  suite.planned_left_s -= planned;
  running_.planned_s -= planned;
  suite.estimator.finished(planned, measured_s);
  ++done_;
  ++finished_;
  state_.point = describe_point(block, point) + describe_result(record);
  show(elapsed_s);
}

void Reporter::tick(double elapsed_s, const std::optional<suites::BlockProgress>& stage) {
  running_.stage = stage;
  if (stage) state_.point = stage->words;
  show(elapsed_s);
}

bool Reporter::trustworthy() const {
  return running_.stage ? running_.stage->share > least_share : finished_ >= points_until_trust;
}

/// Remaining time. For a block that reports its stage the stage alone gives the rest, not its plan.
double Reporter::left_s(double elapsed_s) const {
  double sum = 0;
  for (const auto& [name, suite] : suites_) {
    const bool told = running_.stage && name == running_.suite;
    sum += suite.estimator.left_s(suite.planned_left_s - (told ? running_.planned_s : 0));
  }
  if (!running_.stage) return sum;
  const double share = std::max(running_.stage->share, least_share);
  return sum + (elapsed_s - running_.start_s) * (1 - share) / share;
}

double Reporter::planned_left_s() const {
  double sum = 0;
  for (const auto& [name, suite] : suites_) sum += suite.planned_left_s;
  return sum;
}

double Reporter::share(double of_block) const {
  if (state_.done >= state_.total) return 1;
  const double left = planned_left_s() - of_block * running_.planned_s;
  return planned_s_ > 0 ? std::clamp(1 - left / planned_s_, 0.0, 1.0) : 0;
}

double Reporter::block_share(double elapsed_s) const {
  if (running_.stage) return running_.stage->share;
  if (running_.whole_s <= 0) return 0;
  return std::clamp((elapsed_s - running_.start_s) / running_.whole_s, 0.0, most_by_time);
}

void Reporter::show(double elapsed_s) {
  const double told = running_.stage ? running_.stage->share : 0;
  const auto staged = static_cast<std::size_t>(told * static_cast<double>(running_.points));
  state_.done = std::max(done_, running_.first + staged);
  state_.share = std::max(state_.share, share(block_share(elapsed_s)));
  state_.elapsed_s = before_s_ + elapsed_s;
  state_.left_s.reset();
  if (trustworthy()) state_.left_s = left_s(elapsed_s);
  // Plans of milliseconds do not count what precedes the first block, and the clock beside it shows whole seconds.
  constexpr double least_excess_s = 1;
  const double measuring_s = elapsed_s - first_block_s_.value_or(0);
  state_.over_plan =
      longest_s_ > 0 && measuring_s > longest_s_ + least_excess_s && state_.done < state_.total;
  if (progress_ != nullptr) progress_->show(state_);
}

void Reporter::clear() {
  if (progress_ != nullptr) progress_->clear();
}

}  // namespace steelyard::campaign
