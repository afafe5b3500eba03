// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <mpi.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <limits>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine_bench.hpp"
#include "measure/failure.hpp"
#include "mpi/error.hpp"

namespace steelyard::measure {
namespace {

using fake::Behaviour;
using fake::Bench;
using fake::Script;
using testing::HasSubstr;

const record::Reason& reason(const Bench& bench, std::size_t task) {
  EXPECT_EQ(bench.outcomes.at(task).status, record::Status::failed);
  return bench.outcomes.at(task).reason.value();
}

/// Interleaved and classic schedules fail alike.
class failing_point : public testing::TestWithParam<bool> {
 protected:
  Team team = fake::everybody();
  int last = team.active.size() - 1;
  Bench bench;
  Script schedule{{Trial{1, std::nullopt}, Visit{0, 1, 8}, Visit{0, 1, 8}}, GetParam()};

  /// A point that behaves so on the last rank only, between two that work.
  void measure(const Behaviour& bad) {
    measure_three(bad);
    if (!team.active.is_root()) return;
    EXPECT_THAT(bench.order, testing::ElementsAre(0, 1, 2));
    EXPECT_EQ(bench.outcomes.at(0).status, record::Status::ok);
    EXPECT_EQ(bench.outcomes.at(2).status, record::Status::ok);
  }
  /// The same where nothing more is measured with these communicators: in rounds both of the others are left,
  /// one after the other the last one is.
  void measure_in_vain(const Behaviour& bad) {
    measure_three(bad);
    EXPECT_TRUE(bench.engine().spoilt());
    const auto left = bench.engine().left_out();
    const std::vector<std::size_t> expected =
        GetParam() ? std::vector<std::size_t>{0, 2} : std::vector<std::size_t>{2};
    EXPECT_THAT(std::vector<std::size_t>(left.begin(), left.end()), testing::ElementsAreArray(expected));
    EXPECT_EQ(bench.engine().in_flight(), -1);
    if (!team.active.is_root()) return;
    EXPECT_EQ(bench.order, GetParam() ? std::vector<std::size_t>{1} : (std::vector<std::size_t>{0, 1}));
  }

 private:
  void measure_three(const Behaviour& bad) {
    const Behaviour behaviour = team.active.rank() == last ? bad : Behaviour{};
    const std::vector<Task> tasks{bench.task(schedule), bench.task(schedule, behaviour),
                                  bench.task(schedule)};
    EXPECT_FALSE(bench.measure(team, tasks));
  }
};

TEST_P(failing_point, allocation_that_fails_on_one_rank_is_a_memory_failure_of_that_rank) {
  measure({.on_open = [](int) { throw std::bad_alloc(); }});
  if (!team.active.is_root()) return;
  EXPECT_EQ(reason(bench, 1).code, record::ReasonCode::memory);
  EXPECT_EQ(reason(bench, 1).rank, last);
  EXPECT_TRUE(reason(bench, 1).host.has_value());
}

TEST_P(failing_point, a_clock_that_goes_back_on_one_rank_has_measured_nothing) {
  int left = 5;  // the trial is good, and so is the first visit up to here
  measure({.cost = [&left](std::uint64_t) { return Ticks{--left == 0 ? -5000 : 100}; }});
  if (!team.active.is_root()) return;
  EXPECT_EQ(reason(bench, 1).rank, last);
  EXPECT_THAT(reason(bench, 1).text, HasSubstr("the clock went back by 5000 ns"));
}

TEST_P(failing_point, exception_on_one_rank_keeps_its_words) {
  measure({.on_open = [](int) { throw std::runtime_error("the window is too small"); }});
  if (!team.active.is_root()) return;
  EXPECT_EQ(reason(bench, 1).code, record::ReasonCode::internal);
  EXPECT_EQ(reason(bench, 1).text, "the window is too small");
}

TEST_P(failing_point, mpi_error_while_opening_keeps_call_and_class) {
  measure({.on_open = [](int) { mpi::check(MPI_ERR_NO_SPACE, "MPI_File_open"); }});
  if (!team.active.is_root()) return;
  EXPECT_EQ(reason(bench, 1).code, record::ReasonCode::space);
  EXPECT_EQ(reason(bench, 1).mpi_call, "MPI_File_open");
  EXPECT_EQ(reason(bench, 1).mpi_class, "MPI_ERR_NO_SPACE");
}

TEST_P(failing_point, what_its_suite_finds_impossible_is_skipped) {
  record::Reason why;
  why.code = record::ReasonCode::unsupported;
  why.text = "starts only once";
  measure({.on_open = [&why](int) { throw SharedFailure(why); }});
  EXPECT_FALSE(bench.engine().spoilt());
  if (!team.active.is_root()) return;
  EXPECT_EQ(bench.outcomes.at(1).status, record::Status::skipped);
  EXPECT_EQ(bench.outcomes.at(1).reason.value().text, why.text);
}

TEST_P(failing_point, what_mpi_refuses_is_a_failure) {
  measure({.on_open = [](int) { mpi::check(MPI_ERR_UNSUPPORTED_OPERATION, "MPI_File_open"); }});
  if (team.active.is_root()) {
    EXPECT_EQ(reason(bench, 1).code, record::ReasonCode::unsupported);
  }
}

TEST_P(failing_point, error_code_of_an_operation_on_one_rank_ends_the_point_everywhere) {
  measure_in_vain({.code = [](std::uint64_t first) { return first > 4 ? MPI_ERR_TRUNCATE : MPI_SUCCESS; }});
  if (!team.active.is_root()) return;
  EXPECT_EQ(reason(bench, 1).code, record::ReasonCode::mpi_error);
  EXPECT_EQ(reason(bench, 1).mpi_class, "MPI_ERR_TRUNCATE");
  EXPECT_EQ(reason(bench, 1).mpi_call, "MPI operation");
  EXPECT_EQ(reason(bench, 1).rank, last);
}

TEST_P(failing_point, error_code_of_an_operation_of_several_calls_names_the_one_that_failed) {
  measure_in_vain({.code = [](std::uint64_t) {
    int error = MPI_SUCCESS;
    keep_first(error, MPI_SUCCESS, "MPI_Start");
    keep_first(error, MPI_ERR_TRUNCATE, "MPI_Wait");
    keep_first(error, MPI_ERR_COUNT, "MPI_Test");
    return error;
  }});
  if (!team.active.is_root()) return;
  EXPECT_EQ(reason(bench, 1).mpi_class, "MPI_ERR_TRUNCATE");
  EXPECT_EQ(reason(bench, 1).mpi_call, "MPI_Wait");
}

TEST_P(failing_point, error_in_a_trial_ends_the_point_too) {
  measure_in_vain({.code = [](std::uint64_t) { return MPI_ERR_COUNT; }});
  if (team.active.is_root()) {
    EXPECT_EQ(reason(bench, 1).mpi_class, "MPI_ERR_COUNT");
  }
}

INSTANTIATE_TEST_SUITE_P(engine, failing_point, testing::Bool(),
                         [](const auto& p) { return p.param ? "in_rounds" : "alone"; });

TEST(failing_points, lowest_of_several_failing_ranks_is_named) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule({Visit{0, 1, 8}}, true);
  const int rank = team.active.rank();
  Behaviour behaviour;
  if (rank >= 1)
    behaviour.on_open = [rank](int) { throw std::runtime_error("rank " + std::to_string(rank)); };
  bench.measure(team, {bench.task(schedule, behaviour)});
  if (team.active.is_root() && team.active.size() > 1) {
    EXPECT_EQ(reason(bench, 0).text, "rank 1");
  }
}

// As on a host that has lost its file system.
TEST(required_path, that_one_rank_does_not_find_is_told_to_all) {
  const auto world = mpi::Communicator::world();
  const int last = world.size() - 1;
  EXPECT_NO_THROW(require_path(world, "/"));
  try {
    require_path(world, world.rank() == last ? "/no such directory" : "/");
    ADD_FAILURE() << "nothing was missed";
  } catch (const SharedFailure& failure) {
    EXPECT_EQ(failure.reason().code, record::ReasonCode::file_system);
    EXPECT_EQ(failure.reason().rank, last);
    EXPECT_THAT(failure.what(), HasSubstr("no such directory"));
  }
}

TEST(verification, errors_of_one_rank_are_summed_and_their_first_words_kept) {
  const Team team = fake::everybody();
  const int last = team.active.size() - 1;
  Bench bench;
  const Script schedule({Visit{0, 1, 8}}, false);
  Behaviour behaviour;
  behaviour.checking = [&team, last] {
    return team.active.rank() == last ? CheckResult{3, 0.5, "byte 17: found 0x5a, expected 0x13"}
                                      : CheckResult{};
  };
  Task task = bench.task(schedule, behaviour);
  task.verify_repetitions = 4;
  bench.measure(team, {task});
  if (!team.active.is_root()) return;
  const record::Check& check = bench.outcomes.at(0).check.value();
  EXPECT_EQ(bench.outcomes.at(0).status, record::Status::ok);
  EXPECT_EQ(check.errors, 3);
  EXPECT_EQ(check.worst, 0.5);
  EXPECT_FALSE(check.first.empty());
}

// A record has no place for such a deviation.
TEST(verification, deviation_that_is_not_finite_leaves_the_errors_and_no_number) {
  const Team team = fake::everybody();
  for (const double deviation :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (int rank = 0; rank < team.active.size(); ++rank) {
      Bench bench;
      const Script schedule({Visit{0, 1, 8}}, false);
      Behaviour behaviour;
      behaviour.checking = [&team, rank, deviation] {
        return team.active.rank() == rank ? CheckResult{1, deviation, "scaled residual"}
                                          : CheckResult{0, 0.25, ""};
      };
      Task task = bench.task(schedule, behaviour);
      task.verify_repetitions = 1;
      bench.measure(team, {task});
      if (!team.active.is_root()) continue;
      const record::Check& check = bench.outcomes.at(0).check.value();
      EXPECT_EQ(check.errors, 1);
      EXPECT_FALSE(check.worst.has_value()) << deviation << " on " << rank;
      EXPECT_FALSE(check.first.empty());
    }
}

TEST(verification, nothing_to_check_anywhere_is_no_check) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule({Visit{0, 1, 8}}, false);
  Task task = bench.task(schedule);
  task.verify_repetitions = 4;
  bench.measure(team, {task});
  if (team.active.is_root()) {
    EXPECT_FALSE(bench.outcomes.at(0).check.has_value());
  }
}

TEST(verification, correct_data_are_a_check_without_errors) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule({Visit{0, 1, 8}}, false);
  Task task = bench.task(schedule, {.checking = [] { return CheckResult{}; }});
  task.verify_repetitions = 1;
  bench.measure(team, {task});
  if (!team.active.is_root()) return;
  EXPECT_EQ(bench.outcomes.at(0).check.value().errors, 0);
  EXPECT_TRUE(bench.outcomes.at(0).check.value().first.empty());
}

/// A number that all processes of a node see.
class SharedNumber {
 public:
  explicit SharedNumber(const Team& team) {
    const MPI_Aint own = team.active.is_root() ? sizeof(std::atomic<int>) : 0;
    MPI_Aint bytes = 0;
    int unit = 0;
    MPI_Win_allocate_shared(own, 1, MPI_INFO_NULL, team.active.get(), &number_, &window_);
    MPI_Win_shared_query(window_, 0, &bytes, &unit, &number_);
    if (team.active.is_root()) new (number_) std::atomic<int>(0);
    team.active.barrier();
  }
  SharedNumber(const SharedNumber&) = delete;
  SharedNumber& operator=(const SharedNumber&) = delete;
  ~SharedNumber() { MPI_Win_free(&window_); }
  std::atomic<int>& operator*() const { return *static_cast<std::atomic<int>*>(number_); }

 private:
  void* number_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

// The target of a one-sided operation has nothing to wait for, and is the first to end it.
TEST(verification, nobody_prepares_a_check_while_another_process_still_works) {
  const Team team = fake::everybody();
  Bench bench;
  const SharedNumber at_work(team);
  Behaviour behaviour;
  behaviour.code = [&](std::uint64_t) {
    if (!team.active.is_root()) return 0;
    ++*at_work;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --*at_work;
    return 0;
  };
  behaviour.checking = [&] { return CheckResult{*at_work, 1.0, "somebody works"}; };
  const Script once({Visit{0, 1, 2}}, true), often(std::vector<Decision>(4, Visit{0, 1, 2}), true);
  std::vector<Task> tasks;
  for (const Script* schedule : {&once, &often, &once, &often}) {
    tasks.push_back(bench.task(*schedule, behaviour));
    tasks.back().verify_repetitions = 1;
  }
  bench.measure(team, tasks);
  if (!team.active.is_root()) return;
  for (const auto& [index, outcome] : bench.outcomes) EXPECT_EQ(outcome.check.value().errors, 0) << index;
}

TEST(verification, mpi_error_in_the_pass_fails_the_point) {
  const Team team = fake::everybody();
  Bench bench;
  const Script schedule({Visit{0, 1, 8}}, false);
  Behaviour behaviour;
  behaviour.checking = []() -> std::optional<CheckResult> { throw mpi::Error("MPI_Recv", MPI_ERR_TRUNCATE); };
  Task task = bench.task(schedule, behaviour);
  task.verify_repetitions = 1;
  bench.measure(team, {task});
  if (team.active.is_root()) {
    EXPECT_EQ(reason(bench, 0).mpi_call, "MPI_Recv");
  }
}

TEST(stop_request, points_with_enough_batches_are_partial_and_the_others_leave_no_trace) {
  const Team team = fake::everybody();
  int asked = 0;
  Bench bench(Bench::quiet(), [&asked] { return ++asked > 3; });
  const Script many(std::vector<Decision>(50, Visit{0, 1, 5}), true);
  const Script few(std::vector<Decision>(50, Visit{0, 1, 1}), true);
  EXPECT_TRUE(bench.measure(team, {bench.task(many), bench.task(few)}));
  if (!team.active.is_root()) return;
  EXPECT_THAT(bench.order, testing::ElementsAre(0));
  EXPECT_EQ(bench.outcomes.at(0).status, record::Status::partial);
  EXPECT_EQ(bench.outcomes.at(0).reason.value().code, record::ReasonCode::interrupted);
  EXPECT_EQ(bench.outcomes.at(0).schedule.stop, "interrupted");
  EXPECT_EQ(bench.outcomes.at(0).schedule.visits, 3);
}

TEST(stop_request, classic_points_already_delivered_stay_and_later_ones_are_not_begun) {
  const Team team = fake::everybody();
  int asked = 0;
  Bench bench(Bench::quiet(), [&asked] { return ++asked > 2; });
  const Script schedule({Visit{0, 10, 1}}, false);
  EXPECT_TRUE(bench.measure(team, std::vector<Task>(4, bench.task(schedule))));
  EXPECT_EQ(bench.calls.size(), 1U);
  if (!team.active.is_root()) return;
  EXPECT_THAT(bench.order, testing::ElementsAre(0));
  EXPECT_EQ(bench.outcomes.at(0).status, record::Status::ok);
}

int io_error(const std::string& text) {
  int code = MPI_SUCCESS;
  MPI_Add_error_code(MPI_ERR_IO, &code);
  MPI_Add_error_string(code, text.c_str());
  return code;
}

record::ReasonCode reason_of_io_error(const std::string& text) {
  return attempt([&] { mpi::check(io_error(text), "MPI_File_write_at"); }).value().code;
}

TEST(error_of_files, that_tells_of_no_room_is_one_of_space) {
  const mpi::Error added("MPI_File_write_at", io_error("any words"));
  if (added.error_class != "MPI_ERR_IO" || added.text.find("any words") == std::string::npos)
    GTEST_SKIP() << "this library gives no words to a code of an old class";
  EXPECT_EQ(reason_of_io_error("Other I/O error No space left on device"), record::ReasonCode::space);
  EXPECT_EQ(reason_of_io_error("Other I/O error Disk quota exceeded"), record::ReasonCode::space);
  EXPECT_EQ(reason_of_io_error("Other I/O error Input/output error"), record::ReasonCode::file_system);
}

TEST(error_of_files, without_a_class_leaves_messages_alone) {
  const auto code_of = [](int error, const char* call, int system_error) {
    errno = system_error;
    return attempt([&] { mpi::check(error, call); }).value().code;
  };
  for (const int error : {MPI_ERR_OTHER, MPI_ERR_UNKNOWN, MPI_ERR_INTERN}) {
    EXPECT_EQ(code_of(error, "MPI_File_write", EAGAIN), record::ReasonCode::file_system);
    EXPECT_EQ(code_of(error, "MPI_File_write", ENOSPC), record::ReasonCode::space);
    EXPECT_EQ(code_of(error, "MPI_Send", ENOSPC), record::ReasonCode::mpi_error);
  }
  EXPECT_EQ(code_of(MPI_ERR_TRUNCATE, "MPI_File_write_all", ENOSPC), record::ReasonCode::mpi_error);
}

TEST(stop_request, results_of_earlier_classic_passes_are_kept_as_partial) {
  const Team team = fake::everybody();
  EngineOptions options = Bench::quiet();
  options.classic_passes = 3;
  int asked = 0;
  // Two decisions a point and pass: the request comes in the second pass after the first point.
  Bench bench(options, [&asked] { return ++asked > 6; });
  const Script schedule({Visit{0, 10, 1}}, false);
  EXPECT_TRUE(bench.measure(team, std::vector<Task>(2, bench.task(schedule))));
  if (!team.active.is_root()) return;
  EXPECT_THAT(bench.order, testing::ElementsAre(0, 1));
  EXPECT_EQ(bench.outcomes.at(0).schedule.ops, 20);
  EXPECT_EQ(bench.outcomes.at(1).schedule.ops, 10);
  EXPECT_EQ(bench.outcomes.at(1).status, record::Status::partial);
}

}  // namespace
}  // namespace steelyard::measure
