// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "measure/clock.hpp"
#include "measure/engine.hpp"
#include "mpi/communicator.hpp"
#include "stats/order.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/session.hpp"

/// What the side-by-side programs share: alternate two ways of doing the same operations, compare medians.
namespace steelyard::bench {

/// Whole number of the command line's i-th word, `otherwise` where there is none. Ends the program with 2 and a line on
/// standard error if it is no number from 1 on; so it is called before MPI is started.
inline int number_of(int argc, char** argv, int i, int otherwise) {
  if (i >= argc) return otherwise;
  const std::string_view word = argv[i];
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size() && number >= 1) return number;
  std::fprintf(stderr, "%s: '%s' is no number from 1 on; bench/README.md tells what it stands for\n", argv[0],
               argv[i]);
  std::exit(2);
}

/// Performs `count` operations.
using Variant = std::function<void(std::uint64_t count)>;

struct Comparison {
  double ours_s = 0, theirs_s = 0;       // medians over pairs, seconds per operation
  double ratio = 1;                      // median of ratios pair by pair
  double ratio_low = 1, ratio_high = 1;  // its order-statistics interval
};

/// One turn of a variant: `batches` batches of `ops` operations; the slowest rank of each batch, median over
/// batches.
inline double turn(const mpi::Communicator& comm, const measure::Timer& timer, const Variant& run,
                   std::uint64_t ops, std::size_t batches) {
  std::vector<double> values;
  run(ops);  // warm-up
  for (std::size_t b = 0; b < batches; ++b) {
    comm.barrier();
    comm.barrier();
    const auto begin = timer.now();
    run(ops);
    values.push_back(timer.seconds(timer.now() - begin) / static_cast<double>(ops));
  }
  for (auto& value : values) value = comm.max(value);
  return stats::median(values);
}

/// `pairs` pairs, the order inside a pair changing from pair to pair. Collective.
inline Comparison compare(const mpi::Communicator& comm, const measure::Timer& timer, const Variant& ours,
                          const Variant& theirs, std::uint64_t ops, std::size_t batches, int pairs) {
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> ratios;
  for (int pair = 0; pair < pairs; ++pair) {
    const bool ours_first = pair % 2 == 0;
    const double first = turn(comm, timer, ours_first ? ours : theirs, ops, batches);
    const double second = turn(comm, timer, ours_first ? theirs : ours, ops, batches);
    a.push_back(ours_first ? first : second);
    b.push_back(ours_first ? second : first);
    ratios.push_back(a.back() / b.back());
  }
  std::sort(ratios.begin(), ratios.end());
  const auto interval =
      stats::median_interval(ratios).value_or(stats::Interval{ratios.front(), ratios.back()});
  return {stats::median(a), stats::median(b), stats::median(ratios), interval.low, interval.high};
}

/// One block of one benchmark of imb-mpi1 at all processes of `world`, and the tasks of its points.
class OpenBlock {
 public:
  OpenBlock(const mpi::Communicator& world, const std::string& benchmark, std::vector<Bytes> sizes) {
    imb::Settings settings;
    settings.npmin = world.size();
    settings.sizes.listed = std::move(sizes);
    suite_ = imb::measurable(imb::mpi1(), settings);
    const std::string names[] = {benchmark};
    block_ = suite_->plan(names, world.size()).front();
    const int color = world.rank() < block_.processes ? 0 : -1;
    team_.active = world.split(color, world.rank());
    team_.group = world.split(color, world.rank());
    if (!team_.takes_part()) return;
    suites::SessionContext context;
    context.team = &team_;
    context.memory_byte = std::int64_t{4} << 30;
    context.verify = false;
    session_ = suite_->open(block_, context);
    tasks_ = session_->tasks();
  }
  [[nodiscard]] bool takes_part() const { return team_.takes_part(); }
  [[nodiscard]] const mpi::Communicator& comm() const { return team_.active; }
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  [[nodiscard]] const measure::Task& task(std::size_t i) const { return tasks_[i]; }

 private:
  std::unique_ptr<suites::Suite> suite_;
  suites::BlockPlan block_;
  measure::Team team_;
  std::unique_ptr<suites::Session> session_;
  std::vector<measure::Task> tasks_;
};

/// Operations 0, 1, 2, ... of a workload.
inline Variant workload_variant(std::shared_ptr<measure::Workload> workload) {
  return [workload, next = std::uint64_t{0}](std::uint64_t count) mutable {
    mpi::check(workload->run(next, count), "workload");
    next += count;
  };
}

}  // namespace steelyard::bench
