// SPDX-License-Identifier: Apache-2.0
// The timed half of Measurer: contiguous batches, and operations one by one.
#include <algorithm>

#include "measure/measurer.hpp"
#include "measure/synchronise.hpp"

namespace steelyard::measure {
namespace {

constexpr std::uint64_t most_in_flight = 4096;  // times of one rank

// Whether this rank's times enter the result.
bool counts(const Traits& traits) {
  return traits.over_ranks == OverRanks::max || traits.owns_result;
}

}  // namespace

void Measurer::time_contiguous(PointRun& point, const Step& step, VisitEntry& entry) {
  // Readings of a batch: at its end, or after each of its operations.
  const std::uint64_t readings = point.task->single_times > 0 ? step.ops : 1;
  begin_.assign(step.batches * readings + 1, 0);
  const auto values = message_.values(step.batches);
  meet(point);
  const Usage before = usage_.read();
  if (point.task->traits.warm_up_meets) warm_up(point, step.warmup, entry);
  note_error(point, timer_->contiguous(*point.workload, point.next_op, step.ops / readings, begin_));
  own_ = extremes(point, before);
  point.next_op += step.ops * step.batches;
  point.last_s = entry.timed_s = timer_->seconds(begin_.back() - begin_.front());
  const double share = counts(point.task->traits) ? 1 / static_cast<double>(step.ops) : 0;
  for (std::size_t b = 0; b < values.size(); ++b)
    values[b] = timer_->seconds(begin_[(b + 1) * readings] - begin_[b * readings]) * share;
  keep_singles(point, std::span(begin_).first(begin_.size() - 1), std::span(begin_).subspan(1));
  message_.merge(team_->active, own_);
  entry.batches_s.assign(message_.merged().begin(), message_.merged().end());
}

// The maximum over ranks is taken operation by operation; k merged operations then make a batch.
void Measurer::time_each(PointRun& point, const Step& step, VisitEntry& entry) {
  Synchroniser& sync = synchroniser(point, step.shortest_op_s);
  if (auto* window = dynamic_cast<WindowSynchroniser*>(&sync); window != nullptr && step.widen)
    window->widen();
  const std::uint64_t total = step.ops * step.batches;
  const double share = 1 / static_cast<double>(step.ops);
  entry.batches_s.assign(step.batches, 0);
  point.last_s = 0;
  const Extremes probed = own_;
  Extremes worst = own_;
  for (std::uint64_t done = 0; done < total;) {
    const std::uint64_t count = std::min(most_in_flight, total - done);
    own_ = probed;
    entry.timed_s += each_chunk(point, sync, count);
    const auto merged = message_.merged();
    for (std::size_t i = 0; i < count; ++i) entry.batches_s[(done + i) / step.ops] += merged[i] * share;
    worst.add(message_.extremes());
    done += count;
  }
  message_.keep(worst);
}

double Measurer::each_chunk(PointRun& point, Synchroniser& sync, std::size_t count) {
  begin_.assign(count, 0);
  end_.assign(count, 0);
  const auto values = message_.values(count);
  WindowSynchroniser* const window = global_clock(point);
  if (window != nullptr) window->expect(count);
  meet(point);
  const Usage before = usage_.read();
  const Ticks start = timer_->now();
  note_error(point, timer_->each(*point.workload, sync, point.next_op, begin_, end_));
  const double region_s = timer_->seconds(timer_->now() - start);
  own_ = extremes(point, before);
  own_.late = static_cast<double>(sync.take_late());
  point.next_op += count;
  keep_singles(point, begin_, end_);
  const bool counted = counts(point.task->traits);
  for (std::size_t i = 0; i < count; ++i) {
    const double seconds = timer_->seconds(end_[i] - begin_[i]);
    point.last_s += seconds;
    values[i] = counted ? seconds : 0;
  }
  if (window != nullptr)
    own_.late = static_cast<double>(global_times_.merge(*window, *timer_, begin_, end_, values));
  message_.merge(team_->active, own_);
  return region_s;
}

void Measurer::keep_singles(PointRun& point, std::span<const Ticks> begin, std::span<const Ticks> end) const {
  const auto room =
      point.task->single_times - std::min<std::uint64_t>(point.task->single_times, point.singles_s.size());
  const auto count = std::min<std::size_t>(begin.size(), room);
  for (std::size_t i = 0; i < count; ++i)
    point.singles_s.push_back(timer_->seconds(end[i] - begin[i]) / point.task->traits.time_divisor);
  point.last_singles += count;
}

}  // namespace steelyard::measure
