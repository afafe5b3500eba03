// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#include "machine/pages.hpp"
#include "measure/buffers.hpp"
#include "measure/failure.hpp"
#include "suites/ftio/row_transform.hpp"
#include "suites/hpcc/dgemm/dgemm.hpp"
#include "suites/hpcc/fft/local_fft.hpp"
#include "suites/hpcc/foundation/threads.hpp"
#include "suites/hpcc/hpl/block_trial.hpp"
#include "suites/hpcc/random_access/distributed_updates.hpp"
#include "suites/hpcc/random_access/local_updates.hpp"
#include "suites/hpcc/stream/stream.hpp"
#include "survey/probes.hpp"

namespace steelyard::survey {
namespace {

using suites::Rates;

constexpr std::ptrdiff_t counted_parts = 3;
/// Part of the survey's time for each kind of memory.
constexpr double part_of_survey = 0.1;

/// Parts in which memory is touched: their bytes and number, an eighth of a process's memory at most.
struct Parts {
  std::int64_t byte = 0, count = 0;
};

Parts parts_of(const Wishes& wishes) {
  constexpr std::int64_t least_byte = 1 << 20, usual_byte = 16 << 20, longest_byte = 512 << 20;
  if (wishes.memory_byte <= 0) return {usual_byte, longest_byte / usual_byte};
  const auto byte = std::clamp(wishes.memory_byte / 32 / least_byte * least_byte, least_byte, usual_byte);
  const auto all_byte = std::min(wishes.memory_byte / 8, longest_byte);
  return {byte, std::max<std::int64_t>(all_byte / byte, counted_parts)};
}

/// Seconds of the last of up to so many parts that were touched in the time: the first ones may be
/// memory that somebody gave back a moment ago. A virtual machine may be given new memory a
/// hundred times slower. Collective.
template <class Touch>
std::vector<double> last_parts(const ProbeClock& clock, std::int64_t parts, Touch touch) {
  std::vector<double> seconds;
  for (std::int64_t i = 0; i < parts && (i < counted_parts || clock.before(1)); ++i)
    seconds.push_back(seconds_together(clock.world(), [&] { touch(i); }));
  seconds.erase(seconds.begin(), seconds.end() - counted_parts);
  return seconds;
}

using ftio::Complex;
using ftio::Shape;

constexpr std::int64_t least_order = 4096;
/// Longest section: with a prime number of processes rows are very long, too long for
/// a survey's memory and time.
constexpr std::int64_t longest_section_byte = 4 << 20;
constexpr int rows_between_looks = 4;
constexpr double rows_long_enough_s = 2e-3;

/// The shortest rows of the benchmark, smooth or not, that are long enough to stand for those of its
/// matrices; the last that were looked at if no short ones are of that kind.
Shape shape_for(int processes, bool smooth) {
  const std::int64_t step = ftio::parameter_step(processes);
  Shape shape{processes, ftio::default_parameter(processes)};
  while (shape.order() < least_order ||
         (ftio::smooth(shape) != smooth && shape.section().count() <= longest_section_byte))
    shape.parameter += step;
  return shape;
}

double work(const Shape& shape) {
  const auto n = static_cast<double>(shape.order());
  return 5 * n * std::log2(n) / shape.processes;
}

void probe_rows(const ProbeClock& clock, const Shape& shape, double suites::Rates::*rate,
                Surveyed& surveyed) {
  if (shape.section().count() > longest_section_byte) return;
  std::vector<Complex> here(static_cast<std::size_t>(shape.band()), Complex(1)), there(here);
  ftio::RowTransform transform(clock.world(), shape, 1, here.data(), there.data());
  ftio::PhaseSums sums;
  ftio::Meter meter;
  meter.begin(sums);
  const auto seconds = seconds_each(clock, rows_long_enough_s, [&](int most) {
    return calls_together(clock, most, rows_between_looks,
                          [&] { static_cast<void>(transform.forward(meter)); });
  });
  RateNotes(surveyed).best_rate(rate, work(shape), seconds);
}

}  // namespace

void probe_memory(const ProbeClock& clock, const Wishes& wishes, Surveyed& surveyed) {
  if (!clock.before(0.6)) return;
  const auto& world = clock.world();
  const Parts parts = world.broadcast(parts_of(wishes));
  RateNotes notes(surveyed);
  const auto note = [&](double Rates::*rate, auto touch) {
    bool lacking = false;
    const ProbeClock own(world, part_of_survey * wishes.seconds);
    const auto seconds = last_parts(own, parts.count, [&](std::int64_t i) {
      try {
        touch(i);
      } catch (const std::bad_alloc&) {
        lacking = true;
      }
    });
    const bool all_have = !world.any(lacking);
    if (all_have) notes.rate(rate, static_cast<double>(parts.byte), seconds);
    return all_have;
  };
  std::vector<machine::HugeArray<std::byte>> huge;
  note(&Rates::touch_byte_s, [&](std::int64_t) {
    huge.emplace_back(parts.byte);
    hpcc::touch_first(huge.back().span(), wishes.threads);
  });
  // The parts above are kept meanwhile: buffers are not made of memory given back a moment ago.
  std::vector<std::unique_ptr<measure::Arena>> buffers;
  const bool filled = note(&Rates::buffer_byte_s, [&](std::int64_t) {
    buffers.push_back(
        std::make_unique<measure::Arena>(measure::Arena::Need{parts.byte / 2, parts.byte / 2}, 0));
  });
  if (filled) probe_first_exchange(ProbeClock(world, part_of_survey * wishes.seconds), buffers, notes);
}

// Kernels of one process.

namespace {

constexpr int kernel_trials = 5, fills = 3;
constexpr auto polynomial = hpcc::Generator::polynomial;
constexpr auto optimized = hpcc::Form::optimized;

/// Rates of a kernel: of all processes at once, and of one alone.
struct Fields {
  double Rates::*together;
  double Rates::*alone;
};

/// Whether one process alone is measured: if there are several, and time.
bool has_alone(const ProbeClock& clock) {
  return clock.world().size() > 1 && clock.before(1);
}

/// Times of a kernel on every process, and on the first one alone, where its work may be another one.
class KernelTimes {
 public:
  KernelTimes(const ProbeClock& clock, ProcessorTime& time, const Fields& fields, RateNotes& notes)
      : clock_(clock), time_(time), fields_(fields), notes_(notes) {}

  void together(double work, const std::function<void()>& run) {
    run();
    const auto seconds = trials_in_time(clock_, kernel_trials, [&] { return time_.seconds_together(run); });
    notes_.rate(fields_.together, work, seconds);
    notes_.rate(fields_.alone, work, seconds);
  }
  void alone(double work, const std::function<void()>& run) {
    notes_.rate(fields_.alone, work,
                trials_in_time(clock_, kernel_trials, [&] { return time_.seconds_alone(run); }));
  }

 private:
  const ProbeClock& clock_;
  ProcessorTime& time_;
  Fields fields_;
  RateNotes& notes_;
};

/// Makes a kernel on all processes that `takes_part`; on none where one lacks the memory. Collective.
template <class Kernel, class... Arguments>
std::unique_ptr<Kernel> made(ProcessorTime& time, bool takes_part, double& seconds, Arguments... arguments) {
  std::unique_ptr<Kernel> kernel;
  seconds = time.seconds_together([&] {
    try {
      if (takes_part) kernel = std::make_unique<Kernel>(arguments...);
    } catch (const std::bad_alloc&) {
    }
  });
  if (time.world().any(takes_part && kernel == nullptr)) kernel.reset();
  return kernel;
}

/// Makes a kernel and notes the rate of the values that it is made of. It is made several times: the first
/// one touches memory, which is a rate of its own.
template <class Kernel, class... Arguments>
std::unique_ptr<Kernel> made_and_noted(const ProbeClock& clock, ProcessorTime& time, RateNotes& notes,
                                       double Rates::*which, double values, Arguments... arguments) {
  std::unique_ptr<Kernel> kernel;
  for (int i = 0; i < fills && (i == 0 || clock.before(1)); ++i) {
    kernel.reset();
    double made_s = 0;
    kernel = made<Kernel>(time, true, made_s, arguments...);
    if (!kernel) break;
    notes.rate(which, values, {made_s});
  }
  return kernel;
}

/// Parts that the probes of kernels share.
struct Probing {
  const ProbeClock& clock;
  const Wishes& wishes;
  ProcessorTime& time;
  RateNotes& notes;
  [[nodiscard]] const mpi::Communicator& world() const { return clock.world(); }
};

constexpr Fields triad_rates{&Rates::triad_byte_s, &Rates::triad_alone_byte_s};
constexpr auto triad = hpcc::StreamKernel::triad;

double triad_work(std::int64_t elements) {
  return 24 * static_cast<double>(elements);
}

void probe_triad(const Probing& at, std::int64_t byte) {
  double made_s = 0;
  const auto n = byte / 24;
  const auto stream = made<hpcc::Stream>(at.time, true, made_s, n, at.wishes.threads);
  if (at.world().any(stream == nullptr)) return;
  const auto stores = at.world().broadcast(stream->fastest(triad));
  KernelTimes(at.clock, at.time, triad_rates, at.notes).together(triad_work(n), [&] {
    stream->run(triad, stores);
  });
}

void probe_triad_alone(const Probing& at, std::int64_t byte) {
  double made_s = 0;
  const auto n = byte / 24;
  const auto stream = made<hpcc::Stream>(at.time, at.world().is_root(), made_s, n, at.wishes.threads);
  if (at.world().broadcast(stream == nullptr)) return;
  auto stores = hpcc::Stores::plain;
  static_cast<void>(at.time.seconds_alone([&] { stores = stream->fastest(triad); }));
  KernelTimes(at.clock, at.time, triad_rates, at.notes).alone(triad_work(n), [&] {
    stream->run(triad, stores);
  });
}

constexpr Fields access_rates{&Rates::access_update_s, &Rates::access_alone_update_s};
constexpr std::int64_t probed_updates = 1 << 20;

int bits_of(std::int64_t byte) {
  return static_cast<int>(std::log2(static_cast<double>(byte / 8)));
}

void probe_updates(const Probing& at, std::int64_t byte) {
  double made_s = 0;
  const auto table = made<hpcc::LocalUpdates>(at.time, true, made_s, polynomial, bits_of(byte), optimized,
                                              at.wishes.threads, probed_updates);
  if (at.world().any(table == nullptr)) return;
  KernelTimes(at.clock, at.time, access_rates, at.notes).together(probed_updates, [&] { table->run(); });
  at.notes.rate(&Rates::undone_update_s, probed_updates, {at.time.seconds_together([&] { table->undo(); })});
  at.notes.rate(&Rates::checked_update_s, probed_updates,
                {at.time.seconds_together([&] { static_cast<void>(table->fingerprint()); })});
}

void probe_updates_alone(const Probing& at, std::int64_t byte) {
  double made_s = 0;
  const auto table = made<hpcc::LocalUpdates>(at.time, at.world().is_root(), made_s, polynomial,
                                              bits_of(byte), optimized, at.wishes.threads, probed_updates);
  if (at.world().broadcast(table == nullptr)) return;
  KernelTimes(at.clock, at.time, access_rates, at.notes).alone(probed_updates, [&] { table->run(); });
}

void probe_transforms(const Probing& at) {
  constexpr std::int64_t n = 1 << 18;
  constexpr double work = 5.0 * n * 18;
  const auto fft = made_and_noted<hpcc::LocalFft>(
      at.clock, at.time, at.notes, &Rates::made_transform_element_s, n, n, optimized, at.wishes.threads);
  if (!fft) return;
  KernelTimes times(at.clock, at.time, {&Rates::transform_flop_s, &Rates::transform_alone_flop_s}, at.notes);
  times.together(work, [&] { fft->run(); });
  at.notes.rate(&Rates::checked_transform_element_s, n,
                {at.time.seconds_together([&] { static_cast<void>(fft->verify()); })});
  if (has_alone(at.clock)) times.alone(work, [&] { fft->run(); });
}

void probe_products(const Probing& at) {
  constexpr std::int64_t n = 512;
  if (!at.wishes.blas) return;
  const auto product =
      made_and_noted<hpcc::Dgemm>(at.clock, at.time, at.notes, &Rates::filled_value_s, 3.0 * n * n, n,
                                  std::uint64_t{1}, *at.wishes.blas, at.wishes.threads);
  if (!product) return;
  KernelTimes times(at.clock, at.time, {&Rates::product_flop_s, &Rates::product_alone_flop_s}, at.notes);
  times.together(2.0 * n * n * n, [&] { product->run(); });
  if (has_alone(at.clock)) times.alone(2.0 * n * n * n, [&] { product->run(); });
}

/// The same on all processes. Collective.
Reach agreed(const mpi::Communicator& world, const Reach& own) {
  return {world.max(own.together_byte), world.max(own.alone_byte)};
}

void probe_shared_updates(const ProbeClock& clock, const Reach& reach, RateNotes& notes) {
  constexpr std::int64_t updates = 1 << 19;
  const auto& world = clock.world();
  const auto words = reach.together_byte / 8 * world.size();
  const int bits = static_cast<int>(std::log2(static_cast<double>(words)));
  try {
    hpcc::DistributedUpdates table(world, polynomial, bits, optimized);
    table.prepare();
    table.limit(updates);
    notes.rate(&Rates::shared_update_s, updates, trials_in_time(clock, kernel_trials, [&] {
      return seconds_together(world, [&] { static_cast<void>(table.run()); });
    }));
  } catch (const measure::SharedFailure&) {  // on all processes: there is not enough memory
  }
}

}  // namespace

Reach reach_of(const Wishes& wishes, double touch_byte_s) {
  constexpr double part_of_survey = 0.2;
  constexpr std::int64_t shortest_byte = 1 << 20, least_byte = 32 << 20, most_byte_of_thread = 768 << 20;
  const auto cache = wishes.cache.or_assumed();
  const auto most_byte = most_byte_of_thread * std::max(wishes.threads, 1);
  const auto touched = static_cast<std::int64_t>(part_of_survey * wishes.seconds * touch_byte_s);
  const auto memory = wishes.memory_byte > 0 ? std::max(wishes.memory_byte / 4, shortest_byte) : most_byte;
  const auto least = std::min(memory, least_byte);
  const auto bound = std::max(least, std::min({memory, touched, most_byte}));
  return {std::clamp(4 * cache.together_byte, least, bound), std::clamp(3 * cache.alone_byte, least, bound)};
}

void probe_kernels(const ProbeClock& clock, const Wishes& wishes, Surveyed& surveyed) {
  ProcessorTime time(clock.world());
  RateNotes notes(surveyed), shared(surveyed);
  // Sizes follow from these rates: they have time even where messages and new memory took all of it.
  const ProbeClock own(clock.world(),
                       std::max(0.8 * wishes.seconds - clock.elapsed_s(), 0.4 * wishes.seconds));
  const Probing at{own, wishes, time, notes};
  probe_products(at);
  if (own.before(1)) probe_transforms(at);
  const Reach reach = agreed(own.world(), reach_of(wishes, surveyed.rates.touch_byte_s));
  if (own.before(1)) probe_triad(at, reach.together_byte);
  if (own.before(1)) probe_updates(at, reach.together_byte);
  if (own.before(1)) probe_shared_updates(own, reach, shared);
  // One process alone comes last: memory beyond all caches is much for one process to use for the first time.
  if (has_alone(own)) probe_triad_alone(at, reach.alone_byte);
  if (has_alone(own)) probe_updates_alone(at, reach.alone_byte);
  if (own.before(1)) probe_products(at);
  surveyed.processor_share = time.share();
  notes.scale(surveyed.processor_share);
}

void probe_solver(const ProbeClock& clock, const Wishes& wishes, Surveyed& surveyed) {
  const bool has_memory = wishes.memory_byte <= 0 || wishes.memory_byte >= hpcc::panel_trial_byte();
  if (!wishes.blas || !has_memory) {
    surveyed.rates.panels.clear();
    return;
  }
  surveyed.rates.panels =
      hpcc::panel_rates(clock.world(), wishes.grid, hpcc::blas::Routines::of(*wishes.blas),
                        [&clock] { return clock.before(1); });
  for (auto& panel : surveyed.rates.panels) {
    panel.update_flop_s *= surveyed.processor_share;
    panel.panel_flop_s *= surveyed.processor_share;
    panel.solve_flop_s *= surveyed.processor_share;
  }
}

void probe_rows(const ProbeClock& survey, Surveyed& surveyed) {
  constexpr double until = 0.55, half = 0.5, least_s = 0.05;
  const auto clock = survey.rest(until, least_s);
  const int processes = clock.world().size();
  const auto rough = shape_for(processes, false), smooth = shape_for(processes, true);
  probe_rows(clock.until(half), rough, &suites::Rates::distributed_row_flop_s, surveyed);
  probe_rows(clock, smooth, &suites::Rates::smooth_row_flop_s, surveyed);
}

}  // namespace steelyard::survey
