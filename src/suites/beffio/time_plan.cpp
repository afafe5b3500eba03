// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/time_plan.hpp"

#include <algorithm>
#include <cmath>

#include "suites/beffio/patterns.hpp"

namespace steelyard::beffio {
namespace {

constexpr double steps_of_schedule = 16;

std::uint64_t whole(double value) {
  constexpr double most = 1e18;
  return static_cast<std::uint64_t>(std::clamp(value, 0.0, most));
}

constexpr std::int64_t parts_kept = 20;

}  // namespace

int units_of_table() {
  int all = 0;
  for (const auto type : pattern_types) all += units_of(type);
  return all;
}

int scheduled_units(Rewriting rewriting) {
  const int all = units_of_table();
  const int again = rewriting == Rewriting::all_types ? all : units_of(PatternType::scatter);
  return all + again + all;
}

double unit_s(double total_s, int partitions, Rewriting rewriting) {
  return total_s / partitions / scheduled_units(rewriting);
}

double writing_s(double total_s, Rewriting rewriting) {
  return unit_s(total_s, 1, rewriting) * units_of_table();
}

double WritingTime::scheduled_s(double planned_s, double now_s) {
  if (!allowed_s_ || planned_s <= 0) return planned_s;
  if (!start_s_) start_s_ = now_s;
  const double taken_s = now_s - *start_s_;
  const double pace = done_s_ > 0 ? std::max(1.0, taken_s / done_s_) : 1;
  const double part = std::clamp((*allowed_s_ - taken_s) / (left_s_ * pace), 0.0, 1.0);
  left_s_ = std::max(left_s_ - planned_s, planned_s);
  done_s_ += part * planned_s;
  return part * planned_s;
}

std::uint64_t next_batch(Control control, double scheduled_s, const Pace& pace) {
  const double average_s = pace.elapsed_s / static_cast<double>(pace.done);
  if (control == Control::each) return average_s * static_cast<double>(pace.done + 1) <= scheduled_s ? 1 : 0;
  const double left_s = scheduled_s - pace.elapsed_s;
  if (!(pace.last_s > 0)) return left_s > 0 ? pace.done : 0;
  const double fit = std::floor(left_s / pace.last_s);
  if (fit < 1) return 0;
  const std::uint64_t half = whole(std::ceil(fit / 2));
  const std::uint64_t step = whole(std::ceil(scheduled_s / (steps_of_schedule * pace.last_s)));
  return std::max<std::uint64_t>(1, std::min({pace.done, half, step}));
}

std::int64_t VolumeGuard::within_space(const Space& space, std::int64_t reserve_byte) {
  const std::int64_t kept = std::max(space.total_byte / parts_kept, reserve_byte);
  return std::max<std::int64_t>(0, space.free_byte - kept);
}

std::optional<std::int64_t> VolumeGuard::left(const Progress& progress) const {
  if (!most_) return std::nullopt;
  return std::max<std::int64_t>(0, *most_ - progress.written_byte);
}

std::optional<std::int64_t> VolumeGuard::share(const Progress& progress, int units) const {
  const auto all = left(progress);
  if (!all || progress.units_left <= 0) return all;
  return static_cast<std::int64_t>(static_cast<double>(*all) * units / progress.units_left);
}

}  // namespace steelyard::beffio
