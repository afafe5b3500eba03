// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/pattern_run.hpp"

#include <algorithm>
#include <utility>

#include "measure/first_error.hpp"

namespace steelyard::beffio {
namespace {

Direction direction_of(Access access) {
  return access == Access::read ? Direction::in : Direction::out;
}

}  // namespace

PatternRun::PatternRun(Plan plan, Checking check, PatternResult& result)
    : plan_(std::move(plan)),
      check_(std::move(check)),
      result_(result),
      wrong_(plan_.site.settings->told_errors),
      view_(*plan_.file, plan_.pattern, plan_.begin, plan_.number, plan_.segment_begin) {
  const auto words = static_cast<std::size_t>(plan_.pattern.memory.count() / element_byte);
  const auto memory = plan_.memory.first(words);
  if (direction_of(plan_.file->access()) == Direction::out)
    Body(plan_.origin).fill(memory);
  else
    std::ranges::fill(memory, 0);
  const auto call = call_of(plan_.pattern.type, plan_.site.course->pointer());
  loop_ = open_loop(call, direction_of(plan_.file->access()),
                    {plan_.file->get(), plan_.pattern, plan_.origin, memory, plan_.places}, wrong_);
}

void PatternRun::guarded(const std::function<void()>& act) noexcept {
  try {
    act();
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
}

int PatternRun::run(std::uint64_t, std::uint64_t) noexcept {
  guarded([&] { team().barrier(); });
  start_s_ = now_s();
  guarded([&] { view_.set(*plan_.file); });
  if (plan_.length.calls)
    repeat_given(*plan_.length.calls);
  else
    repeat_timed();
  finish_writing();
  result_.times.total_s = now_s() - start_s_;
  if (plan_.closes) close();
  return error_;
}

void PatternRun::call(std::uint64_t count) noexcept {
  const double start_s = now_s();
  measure::keep_first(error_, loop_->run(result_.calls, count));
  measure::keep_first(error_, loop_->complete());
  const double taken_s = now_s() - start_s;
  result_.calls += count;
  result_.times.io_s += taken_s;
  if (count > 0) result_.times.last_call_s = taken_s / static_cast<double>(count);
}

void PatternRun::repeat_given(std::uint64_t calls) noexcept {
  call(calls);
}

void PatternRun::repeat_timed() noexcept {
  auto& times = result_.times;
  for (std::uint64_t batch = 1; batch > 0;) {
    call(batch);
    const double start_s = now_s();
    if (plan_.length.control == Control::each) guarded([&] { team().barrier(); });
    const double met_s = now_s();
    if (team().is_root()) batch = decide();
    guarded([&] { batch = team().broadcast(batch); });
    const double told_s = now_s();
    times.barrier_s += met_s - start_s;
    times.broadcast_s += told_s - met_s;
    times.last_control_s = told_s - start_s;
    ++times.rounds;
    if (failure_) return;
  }
}

std::uint64_t PatternRun::decide() {
  const Length& length = plan_.length;
  if (error_ != 0 || failure_ || (length.stop && length.stop())) return 0;
  const auto next = next_batch(length.control, length.scheduled_s,
                               {now_s() - start_s_, result_.calls, result_.times.last_call_s});
  if (next == 0 || !length.room) return next;
  const auto room = length.room(result_.calls);
  if (result_.calls + next <= room.calls) return next;
  result_.cut = room.because;
  return room.calls > result_.calls ? room.calls - result_.calls : 0;
}

void PatternRun::finish_writing() noexcept {
  const double start_s = now_s();
  guarded([&] { team().barrier(); });
  const double met_s = now_s();
  if (plan_.file->access() != Access::read) guarded([&] { plan_.file->sync(); });
  const double synced_s = now_s();
  guarded([&] { team().barrier(); });
  result_.times.sync_s = synced_s - met_s;
  result_.times.barrier_s += now_s() - start_s - result_.times.sync_s;
}

void PatternRun::close() noexcept {
  guarded([&] { result_.close_s = plan_.file->close(); });
}

std::optional<measure::CheckResult> PatternRun::verify(std::uint64_t) {
  if (failure_) std::rethrow_exception(failure_);
  if (!check_(result_, wrong_)) return std::nullopt;
  return wrong_.result();
}

}  // namespace steelyard::beffio
