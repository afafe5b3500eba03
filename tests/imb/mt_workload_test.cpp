// SPDX-License-Identifier: Apache-2.0
// Threads of IMB-MT: what they deliver, when they count, what a check finds. Needs MPI_THREAD_MULTIPLE where there are
// several threads.
#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <cstddef>
#include <utility>

#include "measure/synchronise.hpp"
#include "suites/imb/mt/threaded_workload.hpp"
#include "suites/imb/schedule.hpp"
#include "tests/imb/bench.hpp"

namespace {

/// Received messages of this process after which the last byte of the next one is changed; below 0: none is.
std::atomic<int> messages_before_the_wrong_one{-1};

/// The message whose receive this thread has started last.
thread_local std::pair<void*, std::int64_t> started_message;

std::int64_t byte_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return std::int64_t{size} * count;
}

void arrived(void* data, std::int64_t bytes) {
  // What processes tell each other beside the messages of a benchmark is shorter.
  if (bytes < 1000 || messages_before_the_wrong_one < 0) return;
  if (messages_before_the_wrong_one-- == 0) static_cast<std::byte*>(data)[bytes - 1] ^= std::byte{1};
}

}  // namespace

extern "C" {

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const int code = PMPI_Recv(data, count, type, from, tag, comm, status);
  arrived(data, byte_of(count, type));
  return code;
}

int MPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int to, int send_tag, void* data,
                 int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const int code =
      PMPI_Sendrecv(send, send_count, send_type, to, send_tag, data, count, type, from, tag, comm, status);
  arrived(data, byte_of(count, type));
  return code;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  started_message = {data, byte_of(count, type)};
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  const int code = PMPI_Waitall(count, requests, statuses);
  const auto [data, bytes] = std::exchange(started_message, {});
  arrived(data, bytes);
  return code;
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  const int code = PMPI_Bcast(data, count, type, root, comm);
  if (rank != root) arrived(data, byte_of(count, type));
  return code;
}

int MPI_Reduce(const void* send, void* data, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  const int code = PMPI_Reduce(send, data, count, type, op, root, comm);
  if (rank == root) arrived(data, byte_of(count, type));
  return code;
}

int MPI_Allreduce(const void* send, void* data, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int code = PMPI_Allreduce(send, data, count, type, op, comm);
  arrived(data, byte_of(count, type));
  return code;
}

}  // extern "C"

namespace steelyard::imb {
namespace {

using test::Groups;

bool several_threads_allowed() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

/// Threads of this process with a point of a benchmark each.
class ThreadBench {
 public:
  ThreadBench(const Settings& settings, const mpi::Communicator& group, std::string_view name,
              std::int64_t size, bool crossed = false)
      : settings_(settings),
        definition_(*find(mt(), name)),
        team_(settings.threads, true),
        sides_(sides(settings_, definition_, Bytes{size}, group.size(), 1)) {
    std::vector<std::unique_ptr<measure::Workload>> by_thread;
    for (int t = 0; t < settings.threads; ++t) communicators_.push_back(group.duplicate());
    for (int t = 0; t < settings.threads; ++t) {
      arenas_.push_back(std::make_unique<measure::Arena>(
          measure::Arena::Need{sides_.send.slots.bytes, sides_.receive.slots.bytes}, 0));
      // Crossed: on odd ranks the last thread and the first have each other's communicators.
      const int other = crossed && group.rank() % 2 == 1 ? settings.threads - 1 - t : t;
      const Point point{.settings = settings_,
                        .definition = definition_,
                        .group = communicators_[static_cast<std::size_t>(other)],
                        .rank = group.rank(),
                        .processes = group.size(),
                        .size = Bytes{size},
                        .send = {arenas_.back()->send(0).data(), sides_.send},
                        .receive = {arenas_.back()->receive(0).data(), sides_.receive},
                        .thread = t};
      by_thread.push_back(open_thread(point, team_));
    }
    gap_ = measure::make_synchroniser(measure::Sync::barrier, group, *timer_);
    const bool calls = definition_.table == Table::c;
    workload_ = std::make_unique<ThreadedWorkload>(
        team_, std::move(by_thread), ThreadClocks{.each = calls, .gap = calls ? gap_.get() : nullptr}, true,
        times_);
  }
  [[nodiscard]] ThreadedWorkload& workload() { return *workload_; }
  [[nodiscard]] const ThreadTimes& times() const { return times_; }

 private:
  Settings settings_;
  const Definition& definition_;
  ThreadTeam team_;
  Sides sides_;
  std::vector<mpi::Communicator> communicators_;
  std::vector<std::unique_ptr<measure::Arena>> arenas_;
  std::unique_ptr<measure::Timer> timer_ = measure::make_timer(measure::ClockKind::mono).timer;
  std::unique_ptr<measure::Synchroniser> gap_;
  ThreadTimes times_;
  std::unique_ptr<ThreadedWorkload> workload_;
};

Settings with_threads(int threads) {
  auto settings = defaults(mt(), Version::v31);
  settings.threads = threads;
  settings.window = 3;
  return settings;
}

TEST(mt_threads, deliver_every_byte) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  for (const int threads : {1, 3}) {
    if (threads > 1 && !several_threads_allowed()) continue;
    for (const auto& definition : mt().benchmarks)
      for (const std::int64_t size : {0, 4, 1000, 40000}) {
        ThreadBench bench(with_threads(threads), groups.of(world), definition.name, size);
        const auto found = bench.workload().verify(3);
        EXPECT_EQ(found.has_value(), definition.name != "BarrierMT") << definition.name;
        if (found) {
          EXPECT_EQ(found->errors, 0) << definition.name << " " << size << ": " << found->first;
        }
      }
  }
}

TEST(mt_threads, have_a_check_that_finds_one_wrong_message_of_one_of_them) {
  const Groups groups;
  const auto& all = groups.of(mpi::Communicator::world().size());
  if (all.size() < 2) GTEST_SKIP() << "needs two processes";
  for (const int threads : {1, 3}) {
    if (threads > 1 && !several_threads_allowed()) continue;
    for (const auto& definition : mt().benchmarks) {
      if (definition.name == "BarrierMT") continue;
      ThreadBench bench(with_threads(threads), all, definition.name, 1000);
      messages_before_the_wrong_one = threads - 1;
      const auto found = bench.workload().verify(3);
      const bool planted = messages_before_the_wrong_one.exchange(-1) < 0;
      EXPECT_GT(all.sum(found->errors), 0) << definition.name << " with " << threads;
      EXPECT_TRUE(all.any(planted)) << definition.name;
      EXPECT_EQ(all.sum(bench.workload().verify(2)->errors), 0) << definition.name;
    }
  }
}

TEST(mt_threads, add_characters_that_are_signed) {
  const Groups groups;
  auto settings = with_threads(1);
  settings.data_type = settings.reduction_type = DataType::character;
  for (const auto* name : {"ReduceMT", "AllReduceMT", "BcastMT"}) {
    ThreadBench bench(settings, groups.of(mpi::Communicator::world().size()), name, 77);
    EXPECT_EQ(bench.workload().verify(2)->errors, 0) << name;
  }
}

TEST(mt_threads, have_messages_of_their_own) {
  const int world = mpi::Communicator::world().size();
  if (!several_threads_allowed() || world < 2) GTEST_SKIP() << "needs two processes with threads";
  const Groups groups;
  for (const auto* name : {"PingPongMT", "PingPingMT", "UniBandMT", "BiBandMT"}) {
    auto settings = with_threads(2);
    settings.stride = 1;
    ThreadBench bench(settings, groups.of(world), name, 1000, true);
    const auto found = bench.workload().verify(1);
    EXPECT_GT(groups.of(world).sum(found->errors), 0) << name;
  }
}

TEST(mt_threads, count_while_they_are_told_to) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  const int threads = several_threads_allowed() ? 2 : 1;
  for (const auto* name : {"PingPongMT", "AllReduceMT"}) {
    ThreadBench bench(with_threads(threads), groups.of(world), name, 8);
    EXPECT_EQ(bench.workload().run(0, 5), MPI_SUCCESS);
    EXPECT_EQ(bench.workload().lead_in(20), MPI_SUCCESS);
    bench.workload().begin_counting(2);
    EXPECT_EQ(bench.workload().run(5, 10), MPI_SUCCESS);
    EXPECT_EQ(bench.workload().run(15, 10), MPI_SUCCESS);
    const auto counted = bench.workload().counted_s();
    ASSERT_EQ(counted.size(), 2U);
    EXPECT_EQ(bench.times().operations, 0U) << "before it is known that they count";
    bench.workload().timed(20, counted[0] + counted[1]);
    EXPECT_EQ(bench.times().operations, 20U);
    // A rank without a partner takes no part in any statistic.
    const int rank = mpi::Communicator::world().rank();
    const bool idle =
        std::string_view(name) == "PingPongMT" && (world == 1 || (world % 2 == 1 && rank == world - 1));
    EXPECT_EQ(bench.times().seconds.size(), idle ? 0U : static_cast<std::size_t>(threads)) << name;
    EXPECT_EQ(counted[0] > 0, !idle);
    for (const double seconds : bench.times().seconds) {
      EXPECT_GT(seconds, 0);
      EXPECT_LE(seconds, (counted[0] + counted[1]) * 1.000001);
    }
  }
}

// The first run takes long.
class SlowAtFirst final : public measure::Workload {
 public:
  int run(std::uint64_t, std::uint64_t) noexcept override {
    const double until_s = steady_seconds() + std::exchange(first_s_, 0);
    while (steady_seconds() < until_s) continue;
    return 0;
  }

 private:
  double first_s_ = 0.1;
};

TEST(mt_threads, have_times_without_the_runs_that_only_estimate) {
  ThreadTeam team(1, true);
  std::vector<std::unique_ptr<measure::Workload>> by_thread;
  by_thread.push_back(std::make_unique<SlowAtFirst>());
  ThreadTimes times;
  ThreadedWorkload workload(team, std::move(by_thread), {}, true, times);
  const auto count = [&] {
    EXPECT_EQ(workload.lead_in(10), 0);
    workload.begin_counting(1);
    EXPECT_EQ(workload.run(0, 10), 0);
    return workload.counted_s().front();
  };
  EXPECT_GE(count(), 0.1);  // the trial
  workload.timed(10, count());
  EXPECT_EQ(times.operations, 10U);
  EXPECT_LT(times.seconds.at(0), 0.1);
}

class Counted final : public measure::Workload {
 public:
  explicit Counted(std::vector<std::uint64_t>& calls) : calls_(&calls) {}
  int run(std::uint64_t, std::uint64_t count) noexcept override {
    calls_->push_back(count);
    return 0;
  }

 private:
  std::vector<std::uint64_t>* calls_;
};

TEST(mt_threads, read_the_clock_around_each_call_where_nobody_meets_between_them_too) {
  for (const bool each : {false, true}) {
    ThreadTeam team(1, true);
    std::vector<std::uint64_t> calls;
    std::vector<std::unique_ptr<measure::Workload>> by_thread;
    by_thread.push_back(std::make_unique<Counted>(calls));
    ThreadTimes times;
    ThreadedWorkload workload(team, std::move(by_thread), {.each = each, .gap = nullptr}, true, times);
    EXPECT_EQ(workload.run(0, 3), 0);
    EXPECT_EQ(calls, each ? std::vector<std::uint64_t>({1, 1, 1}) : std::vector<std::uint64_t>({3}));
  }
}

TEST(mt_team, does_the_same_on_all_threads_and_meets) {
  for (const bool crowded : {true, false})
    for (const int threads : {1, 2, 5}) {
      ThreadTeam team(threads, crowded);
      EXPECT_FALSE(team.bound());
      std::vector<int> calls(static_cast<std::size_t>(threads));
      std::atomic<int> before{0};
      std::atomic<bool> together{true};
      for (int round = 0; round < 50; ++round) {
        before = 0;
        team.run([&](int t) {
          ++calls[static_cast<std::size_t>(t)];
          ++before;
          team.meet();
          if (before != threads) together = false;
          team.meet();
        });
      }
      EXPECT_TRUE(together);
      EXPECT_EQ(calls, std::vector<int>(static_cast<std::size_t>(threads), 50));
    }
}

TEST(thread_places, are_crowded_where_threads_are_more_than_processors) {
  const auto world = mpi::Communicator::world();
  EXPECT_FALSE(thread_places(world, 1).crowded);
  EXPECT_TRUE(thread_places(world, 1).processors.empty());
  // On one process alone as well: the others count as one each.
  constexpr int many = 1 << 20;
  const auto places = thread_places(world, world.is_root() ? many : 1);
  EXPECT_TRUE(places.crowded);
  EXPECT_TRUE(places.processors.empty());
}

int allowed_processors() {
  return machine::processors_of_thread().value_or(machine::ProcessorSet{}).count();
}

TEST(threads_of_a_team, keep_to_their_processors_until_it_ends) {
  const int before = allowed_processors();
  {
    ThreadTeam team(2, true, {sched_getcpu(), sched_getcpu()});
    EXPECT_TRUE(team.bound());
    int allowed[2] = {0, 0};
    team.run([&](int t) { allowed[t] = allowed_processors(); });
    EXPECT_EQ(allowed[0], 1);
    EXPECT_EQ(allowed[1], 1);
  }
  EXPECT_EQ(allowed_processors(), before);
}

}  // namespace
}  // namespace steelyard::imb
