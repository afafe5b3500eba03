// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/pattern_run.hpp"

#include <algorithm>
#include <utility>

#include "measure/workload.hpp"
#include "suites/beffio/record.hpp"

namespace steelyard::beffio {
namespace {

Direction direction_of(Access access) {
  return access == Access::read ? Direction::in : Direction::out;
}

PatternFigures figures_of(const PointFacts& facts, const PatternResult& result) {
  const auto byte = [](Bytes bytes) { return static_cast<double>(bytes.count()); };
  const Pattern& pattern = facts.pattern;
  const PatternTimes& times = result.times;
  PatternFigures figures;
  figures.number = pattern.number;
  figures.type = text(pattern.type);
  figures.position = pattern.position;
  figures.units = pattern.units;
  figures.chunk_byte = byte(pattern.disk);
  figures.memory_byte = byte(pattern.memory);
  figures.calls = static_cast<double>(result.calls);
  figures.moved_byte = static_cast<double>(bytes_of(pattern, result.calls) * facts.processes);
  figures.scheduled_s = facts.scheduled_s;
  figures.time_s = times.total_s;
  figures.io_s = times.io_s;
  figures.barrier_s = times.barrier_s;
  figures.broadcast_s = times.broadcast_s;
  figures.sync_s = times.sync_s;
  figures.last_call_s = times.last_call_s;
  figures.last_control_s = times.last_control_s;
  figures.control_rounds = static_cast<std::int64_t>(times.rounds);
  figures.segment_byte = facts.segment_byte;
  figures.cache_byte = facts.cache_byte;
  figures.open_s = facts.open_s;
  figures.close_s = result.close_s;
  figures.pointer = facts.pointer;
  figures.file = facts.file;
  figures.mpi_io = facts.mpi_io;
  figures.cut = text(result.cut);
  figures.open_hints = facts.open_hints;
  figures.hints = facts.hints;
  figures.hints_in_effect = words_of(result.hints_in_effect);
  figures.overlong = facts.overlong;
  return figures;
}

}  // namespace

void read_back(const Written& written, ReadBack how, Mismatches& wrong) {
  const auto parts = parts_to_read(written.pattern, written.calls, how);
  if (parts.empty()) return;
  mpi::File file(mpi::Communicator::self(), written.path, MPI_MODE_RDONLY);
  std::vector<std::uint64_t> words;
  for (const Part& part : parts) {
    words.assign(static_cast<std::size_t>(part.count), 0);
    const auto at =
        written.layout->offset(written.pattern.number, {written.origin.rank, part.call, part.chunk}) +
        part.first * element_byte;
    // Words that a short file lacks stay 0, which no written word is.
    static_cast<void>(file.read_at(at, words.data(), part.count * element_byte));
    compare({part.call, part.chunk, written.pattern.disk.count() / element_byte, part.first, words},
            written.origin, wrong);
  }
  file.close();
}

PatternRun::PatternRun(Plan plan, Checking check, PatternResult& result)
    : plan_(std::move(plan)),
      check_(std::move(check)),
      result_(result),
      wrong_(plan_.site.settings->told_errors),
      view_(*plan_.file, plan_.pattern, plan_.begin, plan_.segment_begin) {
  const auto words = static_cast<std::size_t>(plan_.pattern.memory.count() / element_byte);
  const auto memory = plan_.memory.first(words);
  if (direction_of(plan_.file->access()) == Direction::out)
    Body(plan_.origin).fill(memory);
  else
    std::ranges::fill(memory, 0);
  const auto call = call_of(plan_.pattern.type, plan_.site.written->pointer());
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
  // The view has brought the pattern's hints, and the file may be closed in a moment.
  if (plan_.tells_hints) guarded([&] { result_.hints_in_effect = plan_.file->hints(); });
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
  if (error_ != 0 || failure_) return 0;
  const auto next = next_batch(length.control, length.scheduled_s,
                               {now_s() - start_s_, result_.calls, result_.times.last_call_s});
  result_.stopped = next > 0 && length.stop && length.stop();
  if (result_.stopped) return 0;
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

record::PointRecord point_record(const PointFacts& facts, const PatternResult& result,
                                 record::PointRecord record) {
  const auto figures = figures_of(facts, result);
  put_figures(figures, record);
  if (result.stopped) {
    record.status = record::Status::partial;
    record.reason.emplace();
    record.reason->code = record::ReasonCode::interrupted;
    record.reason->text = "stopped before its time was over";
  }
  if (figures.moved_byte > 0 && figures.time_s > 0)
    record.metrics.emplace_back("bandwidth_byte_s", figures.byte_s());
  record.metrics.emplace_back("time_s", figures.time_s);
  record.primary = figures.moved_byte > 0 ? "bandwidth_byte_s" : "time_s";
  record.lower_is_better = figures.moved_byte == 0;
  return record;
}

}  // namespace steelyard::beffio
