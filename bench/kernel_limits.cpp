// SPDX-License-Identifier: Apache-2.0
// How near the kernels of HPC Challenge come to what this machine allows, measured beside them: pairs of a
// kernel and of its limit, alternating. Run with 2 processes or more; the argument is the memory of a process
// in MiB that the largest kernel may take (512). Nothing is verified here: the tests do that.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "bench/pairs.hpp"
#include "fourier/transforms.hpp"
#include "suites/hpcc/fft/distributed_fft.hpp"
#include "suites/hpcc/fft/local_fft.hpp"
#include "suites/hpcc/foundation/isa.hpp"
#include "suites/hpcc/ptrans/ptrans.hpp"
#include "suites/hpcc/random_access/distributed_updates.hpp"
#include "suites/hpcc/random_access/local_updates.hpp"
#include "suites/hpcc/stream/stream.hpp"

using namespace steelyard;

namespace {

constexpr int pairs = 9;
constexpr std::size_t batches = 3;

struct Bench {
  const mpi::Communicator& world;
  const measure::Timer& timer;
  std::int64_t memory_byte;  // of a process
};

/// A kernel beside its limit; both do `work` in an execution.
struct Row {
  std::string kernel, limit, unit;
  double work = 1, limit_work = 1;
  double goal = 0;  // part of the limit; 0: none
};

void print(const Row& row, const bench::Comparison& c) {
  const double ours = row.work / c.ours_s, theirs = row.limit_work / c.theirs_s;
  const double scale = row.work / row.limit_work;
  const double part = scale / c.ratio;
  std::printf("%-24s %9.3f %-9s  %-46s %9.3f  %6.3f (%.3f .. %.3f)", row.kernel.c_str(), ours,
              row.unit.c_str(), row.limit.c_str(), theirs, part, scale / c.ratio_high, scale / c.ratio_low);
  if (row.goal > 0) std::printf("  %s %.2f", part >= row.goal ? "reaches" : "MISSES", row.goal);
  std::printf("\n");
}

/// Every process by itself, or the first one alone while the others sleep.
void alone(const Bench& bench, const Row& row, const bench::Variant& ours, const bench::Variant& limit) {
  if (bench.world.is_root())
    print(row, bench::compare(mpi::Communicator::self(), bench.timer, ours, limit, 1, batches, pairs));
  bench.world.sleepy_barrier();
}

void together(const Bench& bench, const Row& row, const bench::Variant& ours, const bench::Variant& limit) {
  const auto found = bench::compare(bench.world, bench.timer, ours, limit, 1, batches, pairs);
  if (bench.world.is_root()) print(row, found);
}

bench::Variant times(std::function<void()> once) {
  return [once = std::move(once)](std::uint64_t count) {
    for (std::uint64_t i = 0; i != count; ++i) once();
  };
}

std::int64_t power_of_two_below(std::int64_t value) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(value)));
}

// STREAM: the best of all mixes of reading and writing the same vectors.

double sum_of(const double* from, std::int64_t n) {
  double result = 0;
  hpcc::run_widest([&]() __attribute__((always_inline)) {
    constexpr int lanes = 64;
    std::array<double, lanes> sums{};
    for (std::int64_t i = 0; i + lanes <= n; i += lanes)
      for (int lane = 0; lane < lanes; ++lane) sums[static_cast<std::size_t>(lane)] += from[i + lane];
    result = std::accumulate(sums.begin(), sums.end(), 0.0);
  });
  return result;
}

struct Mix {
  std::string name;
  double byte;
  std::function<void()> run;
};

std::vector<Mix> mixes(hpcc::Stream& stream, std::int64_t n) {
  std::vector<Mix> all;
  for (const auto kernel : hpcc::stream_kernels)
    for (const auto stores : hpcc::all_stores) {
      if (hpcc::loops_with(stores) == nullptr) continue;
      all.push_back({std::string(text(kernel)) + ", " + std::string(text(stores)) + " stores",
                     static_cast<double>(hpcc::stream_byte(kernel, n)),
                     [&stream, kernel, stores] { stream.run(kernel, stores); }});
    }
  all.push_back({"reading alone", 8.0 * static_cast<double>(n), [&stream, n] {
                   volatile double sink = sum_of(stream.vector(0), n);
                   static_cast<void>(sink);
                 }});
  all.push_back({"copy by the C library", 16.0 * static_cast<double>(n), [&stream, n] {
                   std::memcpy(stream.vector(2), stream.vector(0), static_cast<std::size_t>(8 * n));
                 }});
  return all;
}

void stream(const Bench& bench, bool all_processes) {
  if (!all_processes && !bench.world.is_root()) return bench.world.sleepy_barrier();
  const std::int64_t n = bench.memory_byte / 24;
  hpcc::Stream stream(n);
  const auto stores = stream.fastest(hpcc::StreamKernel::triad);
  std::vector<Mix> candidates = mixes(stream, n);
  const auto comm =
      all_processes ? mpi::Communicator::borrowed(bench.world.get()) : mpi::Communicator::self();
  if (!all_processes && !bench.world.is_root()) return bench.world.sleepy_barrier();
  const auto rate = [&](const Mix& mix) {
    return mix.byte / bench::turn(comm, bench.timer, times(mix.run), 1, batches);
  };
  const Mix best = std::ranges::max(candidates, {}, rate);
  const double triad = static_cast<double>(hpcc::stream_byte(hpcc::StreamKernel::triad, n)) * 1e-9;
  const Row row{all_processes ? "triad, every process" : "triad, one process",
                best.name,
                "GB/s",
                triad,
                best.byte * 1e-9,
                0.95};
  const auto found =
      bench::compare(comm, bench.timer, times([&] { stream.run(hpcc::StreamKernel::triad, stores); }),
                     times(best.run), 1, batches, pairs);
  if (bench.world.is_root()) print(row, found);
  if (!all_processes) bench.world.sleepy_barrier();
}

// RandomAccess of one process: as many words changed at places that nothing has to be waited for.

void random_access(const Bench& bench) {
  const std::int64_t words = power_of_two_below(bench.memory_byte / 8), updates = words / 2;
  const int bits = std::countr_zero(static_cast<std::uint64_t>(words));
  hpcc::LocalUpdates kernel(hpcc::Generator::polynomial, bits, hpcc::Form::optimized, 1, updates);
  std::uint64_t* const table = kernel.table().data();
  const auto bare = [=] {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
    constexpr std::uint64_t ahead = 64;
    const int shift = 64 - bits;
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(updates); ++i) {
      __builtin_prefetch(table + (((i + ahead) * odd) >> shift), 1);
      table[(i * odd) >> shift] ^= i;
    }
  };
  const double work = static_cast<double>(updates) * 1e-9;
  alone(bench, {"RandomAccess, one", "places without a sequence", "GUP/s", work, work, 0.9},
        times([&] { kernel.run(); }), times(bare));
}

// Bytes to every other process and back, in messages of `message` bytes, two under way with each.
void exchange(const mpi::Communicator& comm, std::int64_t bytes, std::int64_t message, std::vector<char>& out,
              std::vector<char>& in) {
  const int size = comm.size();
  std::vector<MPI_Request> requests;
  for (std::int64_t done = 0; done < bytes; done += message) {
    const auto count = static_cast<int>(std::min(message, bytes - done));
    requests.assign(static_cast<std::size_t>(2 * (size - 1)), MPI_REQUEST_NULL);
    for (int step = 1; step < size; ++step) {
      const int to = (comm.rank() + step) % size, from = (comm.rank() - step + size) % size;
      const auto at = static_cast<std::size_t>(2 * (step - 1));
      MPI_Irecv(in.data() + (step - 1) * message, count, MPI_BYTE, from, 1, comm.get(), &requests[at]);
      MPI_Isend(out.data() + (step - 1) * message, count, MPI_BYTE, to, 1, comm.get(), &requests[at + 1]);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }
}

struct Messages {
  Messages(const mpi::Communicator& comm, std::int64_t message)
      : out(static_cast<std::size_t>(message * comm.size()), 'o'), in(out.size(), 'i') {}
  std::vector<char> out, in;
};

/// Updates by messages beside the same bytes in messages of as many values.
void distributed_updates(const Bench& bench) {
  const auto& world = bench.world;
  constexpr std::int64_t message = std::int64_t{512} * 8;
  const std::int64_t words = power_of_two_below(bench.memory_byte / 8 * world.size());
  const int bits = std::countr_zero(static_cast<std::uint64_t>(words));
  hpcc::DistributedUpdates kernel(world, hpcc::Generator::polynomial, bits, hpcc::Form::optimized);
  kernel.prepare(hpcc::Way::messages);
  kernel.limit(std::int64_t{1} << 23);
  const auto updates = static_cast<double>(kernel.updates());
  const auto to_each = static_cast<std::int64_t>(8 * updates / world.size() / world.size());
  Messages buffers(world, message);
  const double work = updates * 1e-9;
  together(bench,
           {"MPIRandomAccess, messages", "the same bytes in messages of 4 KiB", "GUP/s", work, work, 0},
           times([&] { static_cast<void>(kernel.run()); }),
           times([&] { exchange(world, to_each, message, buffers.out, buffers.in); }));
}

// Transforms: the same operations by transforms that stay in the cache.

/// Transforms of length 1024 in 512 KiB until as many operations are done as `flop`.
class InCache {
 public:
  explicit InCache(double flop)
      : in_(static_cast<std::size_t>(count * n), {1, 0}),
        out_(in_),
        work_(static_cast<std::size_t>(fourier::work_elements(n))),
        transforms_({n, count, 1, n}, {fourier::Planning::tried, fourier::Input::used_up},
                    {in_.data(), out_.data()}, work_),
        runs_(std::max<std::int64_t>(1, static_cast<std::int64_t>(flop / one_run))) {
    std::ranges::fill(in_, fourier::Complex{1, 0});
  }
  void run() {
    for (std::int64_t i = 0; i < runs_; ++i) transforms_.run(in_.data(), out_.data());
  }
  [[nodiscard]] double flop() const { return static_cast<double>(runs_) * one_run; }

 private:
  static constexpr std::int64_t n = 1024, count = 16;
  static constexpr double one_run = 5.0 * n * 10 * count;
  std::vector<fourier::Complex> in_, out_, work_;
  fourier::Transforms transforms_;
  std::int64_t runs_;
};

double transform_flop(std::int64_t n) {
  return 5.0 * static_cast<double>(n) * std::log2(static_cast<double>(n));
}

void local_fft(const Bench& bench) {
  const std::int64_t n = power_of_two_below(bench.memory_byte / 64);
  hpcc::LocalFft kernel(n, hpcc::Form::optimized);
  InCache limit(transform_flop(n));
  alone(bench,
        {"FFT, one process", "transforms of 1024 in the cache", "Gflop/s", transform_flop(n) * 1e-9,
         limit.flop() * 1e-9, 0.75},
        times([&] { kernel.run(); }), times([&] { limit.run(); }));
}

/// Three exchanges of all elements, and the operations in the cache.
void distributed_fft(const Bench& bench, hpcc::Way way) {
  const auto& world = bench.world;
  const std::int64_t n = power_of_two_below(bench.memory_byte / 128) * world.size();
  if (std::popcount(static_cast<unsigned>(world.size())) != 1) return;
  hpcc::DistributedFft kernel(world, n, hpcc::Form::optimized);
  kernel.prepare(way);
  if (kernel.way() != way) return;
  InCache limit(transform_flop(n) / world.size());
  const std::int64_t to_each = 16 * n / world.size() / world.size(), message = std::int64_t{1} << 18;
  Messages buffers(world, message);
  const double work = transform_flop(n) * 1e-9;
  together(bench,
           {"MPIFFT, " + std::string(text(way)), "three exchanges, transforms in the cache", "Gflop/s", work,
            work, 0.9},
           times([&] { static_cast<void>(kernel.run()); }), times([&] {
             for (int i = 0; i < 3; ++i) exchange(world, to_each, message, buffers.out, buffers.in);
             limit.run();
           }));
}

/// One exchange of what others need, and an addition of all elements in order.
void ptrans(const Bench& bench, hpcc::Way way) {
  const auto& world = bench.world;
  hpcc::GridMatrix matrix;
  matrix.grid = {1, world.size()};
  matrix.nb = 128;
  matrix.n = static_cast<std::int64_t>(std::sqrt(static_cast<double>(bench.memory_byte / 32 * world.size())));
  matrix.n -= matrix.n % (matrix.nb * world.size());
  hpcc::Ptrans kernel(world, matrix, hpcc::Form::optimized);
  kernel.prepare(way);
  if (kernel.way() != way) return;
  const std::int64_t own = matrix.n * matrix.n / world.size(), to_each = 8 * own / world.size();
  const std::int64_t message = std::int64_t{1} << 18;
  Messages buffers(world, message);
  std::vector<double> from(static_cast<std::size_t>(own), 1.0), to(from);
  const double work = 8.0 * static_cast<double>(matrix.n * matrix.n) * 1e-9;
  together(
      bench,
      {"PTRANS, " + std::string(text(way)), "one exchange, an addition in order", "GB/s", work, work, 0.9},
      times([&] { static_cast<void>(kernel.run()); }), times([&] {
        exchange(world, to_each, message, buffers.out, buffers.in);
        hpcc::run_widest([&]() __attribute__((always_inline)) {
          for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
        });
      }));
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t mebibyte = bench::number_of(argc, argv, 1, 512);
  mpi::Environment environment(&argc, &argv, mpi::ThreadLevel::single);
  const auto world = mpi::Communicator::world();
  const auto timer = measure::make_timer(measure::ClockKind::automatic);
  const Bench bench{world, *timer.timer, mebibyte << 20};
  if (world.is_root())
    std::printf("%-24s %9s %-9s  %-46s %9s  part of it (range), goal\n", "kernel", "rate", "", "limit",
                "rate");
  stream(bench, false);
  stream(bench, true);
  random_access(bench);
  local_fft(bench);
  if (world.size() < 2) return 0;
  distributed_updates(bench);
  for (const auto way : {hpcc::Way::messages, hpcc::Way::shared_memory}) {
    distributed_fft(bench, way);
    ptrans(bench, way);
  }
}
