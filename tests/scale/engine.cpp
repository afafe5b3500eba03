// SPDX-License-Identifier: Apache-2.0
#include "measure/engine.hpp"

#include <time.h>

#include <algorithm>
#include <cstdio>

#include "measure/workload.hpp"
#include "tests/counted_memory.hpp"
#include "tests/scale/experiments.hpp"
#include "tests/scale/measured.hpp"
#include "tests/scale/traffic.hpp"

namespace steelyard::scale {
namespace {

/// An operation without messages: whatever crosses the network is the engine's own.
struct Pause {
  long nanoseconds;
  int operator()(std::uint64_t) const noexcept {
    const timespec length{0, nanoseconds};
    return nanosleep(&length, nullptr);
  }
};

constexpr long shortest_ns = 20'000;

/// An engine that would ask every process after every operation; planted for the test of the test.
struct AskEverybody {
  MPI_Comm comm;
  bool root;
  std::vector<double>* answers;
  int operator()(std::uint64_t) noexcept {
    int processes = 0;
    MPI_Comm_size(comm, &processes);
    if (root) answers->resize(static_cast<std::size_t>(processes));
    const double own = 1;
    int error = MPI_SUCCESS;
    if (!root) return MPI_Send(&own, 1, MPI_DOUBLE, 0, 0, comm);
    for (int from = 1; from < processes; ++from)
      measure::keep_first(error, MPI_Recv(&(*answers)[static_cast<std::size_t>(from)], 1, MPI_DOUBLE, from, 0,
                                          comm, MPI_STATUS_IGNORE));
    return error;
  }
};

std::unique_ptr<measure::Schedule> schedule_of(const Words& words) {
  if (words.text("schedule", "fixed") == "fixed")
    return measure::fixed_schedule(static_cast<std::uint64_t>(words.whole("operations", 64)), 1);
  measure::AdaptiveRule rule;
  rule.point_budget = Seconds{0.02};
  rule.max_visits = rule.min_visits;  // else a last digit of the clock decides how many there are
  return measure::adaptive_schedule(rule);
}

measure::Task task_of(const measure::Schedule& schedule, const mpi::Communicator& world) {
  measure::Task task;
  task.schedule = &schedule;
  task.open = [rank = world.rank()](int) {
    return std::make_unique<measure::Loop<Pause>>(Pause{shortest_ns + rank % 7 * 100});
  };
  return task;
}

measure::Task asking_task(const measure::Schedule& schedule, const mpi::Communicator& world) {
  measure::Task task;
  task.schedule = &schedule;
  const auto answers = std::make_shared<std::vector<double>>();
  task.open = [&world, answers](int) {
    return std::make_unique<measure::Loop<AskEverybody>>(
        AskEverybody{world.get(), world.is_root(), answers.get()});
  };
  return task;
}

// Of the process that has sent and received most.
std::int64_t busiest(const mpi::Communicator& world, const Traffic& before) {
  const Traffic after = traffic_of(world.rank());
  const auto messages = after.sent - before.sent + after.received - before.received;
  return world.max(static_cast<std::int64_t>(messages));
}

}  // namespace

void engine(const Words& words) {
  const auto world = mpi::Communicator::world();
  const measure::Team team = whole_world();
  const auto schedule = schedule_of(words);
  const bool planted = words.text("planted", "") == "gather";
  const measure::Task tasks[] = {planted ? asking_task(*schedule, world) : task_of(*schedule, world)};
  Instruments instruments;
  measure::Outcome outcome;
  world.barrier();
  const Traffic before = traffic_of(world.rank());
  test::begin_counting_memory();
  instruments.engine().measure(team, tasks,
                               [&](std::size_t, measure::Outcome one) { outcome = std::move(one); });
  const auto memory = test::most_memory_byte();
  const auto messages = busiest(world, before);
  const auto visits = instruments.engine().account().visits;
  const auto largest = world.max(world.is_root() ? std::int64_t{0} : memory);
  if (!world.is_root()) return;
  std::printf(
      "status %s\nmessages %lld\nvisits %lld\nmemory_root_byte %lld\nmemory_others_byte %lld\nslowest_s "
      "%.9g\n",
      std::string(record::text(outcome.status)).c_str(), static_cast<long long>(messages),
      static_cast<long long>(visits), static_cast<long long>(memory), static_cast<long long>(largest),
      outcome.classic.max_s);
}

}  // namespace steelyard::scale
