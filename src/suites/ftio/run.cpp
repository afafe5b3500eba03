// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "mpi/handle.hpp"

namespace steelyard::ftio {
namespace {

constexpr std::int64_t tile = 8;  // two cache lines of elements

/// Row band a and column band b of a Square: i segments.
Pieces mini_square(const Shape& shape, std::int64_t square, std::int64_t a, std::int64_t b) {
  const std::int64_t i = shape.parameter, row = square * shape.band() + a * i;
  return {.offset = row * shape.section().count() + b * i * element_byte,
          .bytes = i * element_byte,
          .count = i,
          .distance = shape.section().count()};
}

void turn_pair(const SquareWork& work, const Pieces& here, const Pieces& mirror, Complex* one,
               Complex* other) {
  work.meter.read(work.file, here, one);
  work.meter.read(work.file, mirror, other);
  transpose_in_place(one, work.shape.parameter);
  transpose_in_place(other, work.shape.parameter);
  work.meter.write(work.file, mirror, one);
  work.meter.write(work.file, here, other);
}

void turn_alone(const SquareWork& work, const Pieces& here, Complex* one) {
  work.meter.read(work.file, here, one);
  transpose_in_place(one, work.shape.parameter);
  work.meter.write(work.file, here, one);
}

void exchange_rows(const SquareWork& work, const mpi::Communicator& team, int partner, int tag,
                   const Pieces& rows, Complex* memory) {
  work.effort([&] { work.meter.read(work.file, rows, memory); });
  work.effort.always([&] {
    const mpi::Transfer sent(rows.bytes / element_byte, MPI_C_DOUBLE_COMPLEX, work.longest);
    work.meter.communicate([&] {
      mpi::check(MPI_Sendrecv_replace(memory, sent.count(), sent.type(), partner, tag, partner, tag,
                                      team.get(), MPI_STATUS_IGNORE),
                 "MPI_Sendrecv_replace");
    });
  });
  work.effort([&] { work.meter.write(work.file, rows, memory); });
}

template <class Part>
double over_timed(const RunResult& result, Part part) {
  double sum = 0;
  for (std::size_t p = 0; p < timed_phases; ++p) sum += result.phases[p].*part;
  return sum;
}

PhaseResult merge(const PhaseSums& own, const mpi::Communicator& team) {
  const double processes = team.size();
  return {.time_s = team.max(own.time_s),
          .io_s = team.sum(own.io_s) / processes,
          .io_min_s = team.min(own.io_s),
          .io_max_s = team.max(own.io_s),
          .communication_s = team.sum(own.communication_s) / processes,
          .traffic = {team.sum(own.traffic.read_byte), team.sum(own.traffic.written_byte),
                      team.sum(own.traffic.calls)}};
}

std::int64_t most_rows(const Batches& batches) {
  return std::max(batches.transform_rows, batches.exchange_rows);
}

Course course(Phase phase) {
  const bool exchanges =
      phase == Phase::first_transforms || phase == Phase::exchange || phase == Phase::second_transforms;
  return exchanges ? Course::together : Course::apart;
}

}  // namespace

void StopNews::begin(Course course) {
  course_ = course;
  step_ = 0;
  next_step_ = distance_ = looks_.first_steps;
  looked_s_ = now_s();
  sent_ = false;
  if (course == Course::apart && !team_->is_root()) send({});  // what comes in is process 0's
}

bool StopNews::leave() {
  if (known_) return true;
  if (++step_ >= next_step_) course_ == Course::together ? look_together() : look_apart();
  return known_;
}

void StopNews::settle() {
  if (course_ == Course::apart && !sent_) send({});
  take();
}

void StopNews::look_together() {
  if (sent_) {
    take();
    distance_ = news_.steps;
  }
  next_step_ = step_ + distance_;
  if (!known_) send({wanted(), next_distance()});
}

/// Steps to the look after the next, at the pace of the last ones, and at most twice as many as before.
std::int64_t StopNews::next_distance() {
  const double took_s = now_s() - looked_s_;
  looked_s_ += took_s;
  const double more = took_s > 0 ? std::min(looks_.apart_s / took_s, 2.0) : 2.0;
  return std::max<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(distance_) * more), 1);
}

void StopNews::look_apart() {
  if (now_s() - looked_s_ < looks_.apart_s) return;
  looked_s_ = now_s();
  if (team_->is_root()) {
    if (wanted()) send({1, 0});
    known_ = sent_;
    return;
  }
  int arrived = 0;
  mpi::check(MPI_Test(&request_, &arrived, MPI_STATUS_IGNORE), "MPI_Test");
  known_ = arrived != 0 && news_.stop != 0;
}

void StopNews::send(const News& news) {
  news_ = news;
  sent_ = true;
  mpi::check(MPI_Ibcast(&news_, sizeof news_, MPI_BYTE, 0, team_->get(), &request_), "MPI_Ibcast");
}

void StopNews::take() {
  mpi::check(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
  known_ = known_ || news_.stop != 0;
}

void transpose_in_place(Complex* square, std::int64_t width) {
  for (std::int64_t top = 0; top < width; top += tile)
    for (std::int64_t left = top; left < width; left += tile)
      for (std::int64_t row = top; row < std::min(top + tile, width); ++row)
        for (std::int64_t column = std::max(left, row + 1); column < std::min(left + tile, width); ++column)
          std::swap(square[row * width + column], square[column * width + row]);
}

void transpose_squares(const SquareWork& work, Complex* one, Complex* other) {
  const Shape& shape = work.shape;
  work.effort([&] {
    for (std::int64_t square = 0; square < shape.processes; ++square)
      for (std::int64_t a = 0; a < shape.parameter; ++a) {
        if (work.leave()) return;
        turn_alone(work, mini_square(shape, square, a, a), one);
        for (std::int64_t b = a + 1; b < shape.parameter && !work.leave(); ++b)
          turn_pair(work, mini_square(shape, square, a, b), mini_square(shape, square, b, a), one, other);
      }
  });
}

void exchange_squares(const SquareWork& work, const mpi::Communicator& team, std::int64_t rows,
                      Complex* memory) {
  const Shape& shape = work.shape;
  const std::int64_t section = shape.section().count(), band = shape.band();
  const int c = shape.processes;
  for (int diagonal = 0; diagonal < c; ++diagonal) {
    const int square = (diagonal - team.rank() + c) % c;
    for (std::int64_t row = 0; row < band; row += rows) {
      if (work.leave()) return;
      if (square == team.rank()) continue;  // a step all the same: the others count theirs
      const Pieces pieces{.offset = (square * band + row) * section,
                          .bytes = std::min(rows, band - row) * section};
      exchange_rows(work, team, square, diagonal, pieces, memory);
    }
  }
}

Comparison::Comparison(std::int64_t order, std::int64_t first)
    : bound_(largest_difference(order)), first_(first) {}

void Comparison::row(std::int64_t row, std::span<const Complex> found, std::span<const Complex> expected) {
  double sum = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const Complex off = found[k] - expected[k];
    const double distance = std::sqrt(off.real() * off.real() + off.imag() * off.imag());
    const auto column = first_ + static_cast<std::int64_t>(k);
    if (!(distance <= bound_)) wrong(column, row, found[k], expected[k]);
    if (!std::isfinite(distance)) {
      ++difference_.not_numbers;
      continue;
    }
    sum += distance;
    if (distance <= difference_.largest) continue;
    difference_.largest = distance;
    difference_.column = column;
    difference_.row = row;
  }
  difference_.total += sum;
}

void Comparison::wrong(std::int64_t column, std::int64_t row, Complex found, Complex expected) {
  if (++difference_.wrong > 1) return;
  std::array<char, 240> words;
  std::snprintf(words.data(), words.size(),
                "column %lld, row %lld: found %.17g%+.17gi, expected %.17g%+.17gi, allowed %.3g",
                static_cast<long long>(column), static_cast<long long>(row), found.real(), found.imag(),
                expected.real(), expected.imag(), bound_);
  difference_.first = words.data();
}

Difference merged(const Difference& own, const mpi::Communicator& team) {
  Difference all = own;
  all.total = team.sum(own.total);
  all.largest = team.max(own.largest);
  const bool mine = own.largest == all.largest;
  const auto holder = static_cast<int>(team.min(static_cast<std::int64_t>(mine ? team.rank() : team.size())));
  all.column = team.broadcast(own.column, holder);
  all.row = team.broadcast(own.row, holder);
  all.wrong = team.sum(own.wrong);
  all.not_numbers = team.sum(own.not_numbers);
  return all;
}

double RunResult::total_s() const {
  return over_timed(*this, &PhaseResult::time_s);
}
double RunResult::io_s() const {
  return over_timed(*this, &PhaseResult::io_s);
}
double RunResult::communication_s() const {
  return over_timed(*this, &PhaseResult::communication_s);
}

std::array<PhaseResult, phase_count> merged(const std::array<PhaseSums, phase_count>& own,
                                            const mpi::Communicator& team) {
  std::array<PhaseResult, phase_count> all;
  for (std::size_t p = 0; p < phase_count; ++p) all[p] = merge(own[p], team);
  return all;
}

std::optional<CyclesPerFlop> cycles_per_flop(const CycleSources& own, double total_s, const Shape& shape,
                                             const mpi::Communicator& team) {
  const bool counted = team.all(own.counted.has_value());
  const double sum = team.sum(own.counted.value_or(0));
  if (counted) return CyclesPerFlop{sum / flops(shape), "perf_event"};
  if (own.told_hz)
    return CyclesPerFlop{shape.processes * *own.told_hz * total_s / flops(shape), "told frequency"};
  const double hertz = team.min(machine::nominal_frequency().value_or(0));
  if (!(hertz > 0)) return std::nullopt;
  return CyclesPerFlop{shape.processes * hertz * total_s / flops(shape), "nominal frequency"};
}

FtioRun::FtioRun(const RunPlan& plan, RunResult& result)
    : plan_(plan),
      result_(result),
      rows_(plan.batches.transform_rows),
      here_(plan.shape, most_rows(plan.batches)),
      there_(plan.shape, most_rows(plan.batches),
             plan.files.cache == PageCache::direct ? PagePlace::begin : PagePlace::middle),
      form_(plan.shape.order(), plan.team->rank() * plan.shape.band(), plan.shape.band()),
      comparison_(plan.shape.order(), plan.team->rank() * plan.shape.band()),
      transform_(*plan.team, plan.shape, rows_, here_.data(), there_.data()),
      news_(*plan.team, plan.stop, plan.looks),
      file_(open_columns(plan.files)) {}

int FtioRun::run(std::uint64_t, std::uint64_t) noexcept {
  const machine::CycleCounter counter;
  for (std::size_t p = 0; p < timed_phases && course_ == Decision::goes_on; ++p) perform(phases[p]);
  cycles_ = counter.cycles();
  return 0;
}

void FtioRun::perform(Phase phase) noexcept {
  PhaseSums& sums = sums_[index(phase)];
  meter_.begin(sums);
  effort_.always([&] {
    if (plan_.begins && plan_.team->is_root()) plan_.begins(phase);
  });
  effort_.always([&] { plan_.team->barrier(); });
  const double start_s = meter_.now_s();
  effort_.always([&] { news_.begin(course(phase)); });
  effort_.always([&] { work(phase); });
  if (syncs(phase)) effort_.always([&] { meter_.sync(*file_); });
  effort_.always([&] { news_.settle(); });
  effort_.always([&] { plan_.team->barrier(); });
  sums.time_s = meter_.now_s() - start_s;
  effort_.always([&] { course_ = agree(); });
  if (!news_.known()) ++result_.ended_phases;
  if (effort_.failed() && course_ == Decision::goes_on) course_ = Decision::failed;
}

FtioRun::Decision FtioRun::agree() {
  if (plan_.team->any(effort_.failed())) return Decision::failed;
  const bool stops = news_.known() || (plan_.team->is_root() && plan_.stop && plan_.stop());
  return plan_.team->broadcast(stops) ? Decision::stopped : Decision::goes_on;
}

/// What a phase that was left has written need not reach the disk, which may take long; but a file of all processes
/// has all of them in the call, and some may have been through.
bool FtioRun::syncs(Phase phase) const {
  const bool needed = !news_.known() || plan_.files.access == FileAccess::shared;
  return phase != Phase::verify && needed;
}

void FtioRun::work(Phase phase) {
  const SquareWork squares{plan_.shape, *file_, meter_, effort_, [this] { return news_.leave(); }};
  switch (phase) {
    case Phase::initialise: return initialise();
    case Phase::first_transforms:
    case Phase::second_transforms: return transform();
    case Phase::transpose: return transpose_squares(squares, here_.data(), there_.data());
    case Phase::exchange:
      return exchange_squares(squares, *plan_.team, plan_.batches.exchange_rows, here_.data());
    case Phase::verify: return compare();
  }
}

Pieces FtioRun::rows(std::int64_t row) const {
  const std::int64_t section = plan_.shape.section().count();
  return {.offset = row * section, .bytes = std::min(rows_, plan_.shape.order() - row) * section};
}

template <class Act>
void FtioRun::each_batch(Act act) {
  for (std::int64_t row = 0; row < plan_.shape.order() && !news_.leave(); row += rows_) act(row, rows(row));
}

void FtioRun::initialise() {
  const auto band = static_cast<std::size_t>(plan_.shape.band());
  each_batch([&](std::int64_t row, const Pieces& pieces) {
    const std::int64_t count = pieces.bytes / plan_.shape.section().count();
    for (std::int64_t r = 0; r < count; ++r)
      form_.input_row(row + r, here_.span().subspan(static_cast<std::size_t>(r) * band, band));
    effort_([&] { meter_.write(*file_, pieces, here_.data()); });
  });
}

void FtioRun::transform() {
  each_batch([&](std::int64_t, const Pieces& pieces) {
    effort_([&] { meter_.read(*file_, pieces, here_.data()); });
    Complex* result = here_.data();
    effort_.always([&] { result = transform_.forward(meter_); });
    effort_([&] { meter_.write(*file_, pieces, result); });
  });
}

void FtioRun::compare() {
  const auto band = static_cast<std::size_t>(plan_.shape.band());
  const auto must_be = there_.span().first(band);
  each_batch([&](std::int64_t row, const Pieces& pieces) {
    effort_([&] { meter_.read(*file_, pieces, here_.data()); });
    const std::int64_t count = pieces.bytes / plan_.shape.section().count();
    for (std::int64_t r = 0; r < count && !effort_.failed(); ++r) {
      form_.expected_row(row + r, must_be);
      comparison_.row(row + r, here_.span().subspan(static_cast<std::size_t>(r) * band, band), must_be);
    }
  });
}

std::optional<measure::CheckResult> FtioRun::verify(std::uint64_t) {
  if (course_ == Decision::goes_on) perform(Phase::verify);
  if (effort_.failed()) effort_.rethrow();
  if (course_ == Decision::failed) return std::nullopt;
  result_.phases = merged(sums_, *plan_.team);
  if (result_.stopped()) return std::nullopt;
  conclude();
  const Difference& own = comparison_.difference();
  return measure::CheckResult{own.wrong, own.largest, own.first};
}

void FtioRun::conclude() {
  const auto& team = *plan_.team;
  result_.difference = merged(comparison_.difference(), team);
  result_.cycles = cycles_per_flop({cycles_, plan_.clock_hz}, result_.total_s(), plan_.shape, team);
  result_.implementation = file_->implementation();
  file_->at_end(plan_.ending);
}

}  // namespace steelyard::ftio
