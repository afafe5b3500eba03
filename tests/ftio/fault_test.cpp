// SPDX-License-Identifier: Apache-2.0
// What goes wrong between the program and the disk, or between processes, must be seen on all processes, and must
// not stop them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <vector>

#include "ftio_bench.hpp"
#include "measure/failure.hpp"

namespace {

/// One exchange of complex numbers of which zeros arrive on the process that plants it, while this lives. What was
/// there before would be no error: in an exchange of one process it is the same.
struct LostExchange {
  static inline const LostExchange* planted = nullptr;
  static inline int calls = 0;
  int hit;
  explicit LostExchange(int which) : hit(which) {
    calls = 0;
    planted = this;
  }
  ~LostExchange() { planted = nullptr; }
  LostExchange(const LostExchange&) = delete;
  LostExchange& operator=(const LostExchange&) = delete;
};

bool is_lost(MPI_Datatype type) {
  if (LostExchange::planted == nullptr || type != MPI_C_DOUBLE_COMPLEX) return false;
  return LostExchange::calls++ == LostExchange::planted->hit;
}

void arrived(void* data, std::int64_t numbers, MPI_Datatype type) {
  if (is_lost(type)) std::fill_n(static_cast<steelyard::ftio::Complex*>(data), numbers, 0);
}

}  // namespace

extern "C" {

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* data, int count,
                 MPI_Datatype type, MPI_Comm comm) {
  int processes = 0;
  PMPI_Comm_size(comm, &processes);
  const int code = PMPI_Alltoall(send, send_count, send_type, data, count, type, comm);
  arrived(data, std::int64_t{count} * processes, type);
  return code;
}

int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int send_tag, int from, int tag,
                         MPI_Comm comm, MPI_Status* status) {
  const int code = PMPI_Sendrecv_replace(data, count, type, to, send_tag, from, tag, comm, status);
  arrived(data, count, type);
  return code;
}

}  // extern "C"

namespace steelyard::ftio {
namespace {

using record::ReasonCode;
using test::world;
using testing::HasSubstr;

int last_rank() {
  return world().size() - 1;
}

/// Writes of one process in the phases before this one.
std::int64_t writes_before(const Shape& shape, Phase phase) {
  std::int64_t sum = 0;
  for (std::size_t p = 0; p < index(phase); ++p) {
    const std::int64_t calls = traffic(shape, phases[p]).calls;
    sum += phases[p] == Phase::initialise ? calls : calls / 2;
  }
  return sum;
}

std::string at(const char* word, std::int64_t number) {
  return word + ("@" + std::to_string(number));
}

}  // namespace

TEST(ftio_fault, a_full_disk_is_told_in_every_phase) {
  const test::Place place;
  const RunPlan plan = test::plan_in(place, test::parameter_from(2));
  for (std::size_t p = 0; p < timed_phases; ++p) {
    if (phases[p] == Phase::exchange && world().size() == 1) continue;
    const test::Spoiled spoiled(at("full", writes_before(plan.shape, phases[p]) + 2), last_rank());
    const auto ran = test::run(plan);
    ASSERT_TRUE(ran.failure) << text(phases[p]);
    EXPECT_EQ(ran.failure->code, ReasonCode::space);
    EXPECT_EQ(ran.failure->rank, last_rank());
    EXPECT_THAT(ran.failure->text, HasSubstr("ftio.00000"));
    EXPECT_FALSE(ran.check);
    EXPECT_TRUE(place.files().empty());
  }
}

TEST(ftio_fault, a_file_that_cannot_be_read_is_told_in_every_phase) {
  const test::Place place;
  const RunPlan plan = test::plan_in(place, test::parameter_from(2));
  const std::int64_t n = plan.shape.order();
  for (const std::int64_t read :
       {std::int64_t{1}, n + 1, n + n * plan.shape.parameter + 1,
        timed_traffic(plan.shape).calls - writes_before(plan.shape, Phase::verify) + 3}) {
    const test::Spoiled spoiled(at("unreadable", read), 0);
    const auto ran = test::run(plan);
    ASSERT_TRUE(ran.failure) << read;
    EXPECT_EQ(ran.failure->code, ReasonCode::file_system);
    EXPECT_EQ(ran.failure->rank, 0);
  }
  EXPECT_TRUE(place.files().empty());
}

TEST(ftio_fault, a_byte_that_changes_on_disk_between_phases_is_seen) {
  const test::Place place;
  const RunPlan plan = test::plan_in(place, test::parameter_from(2));
  for (std::size_t sync = 1; sync <= timed_phases; ++sync) {
    const test::Spoiled spoiled(at("flip", static_cast<std::int64_t>(sync)), last_rank());
    const auto ran = test::run(plan);
    ASSERT_FALSE(ran.failure) << ran.failure->text;
    ASSERT_TRUE(ran.check);
    EXPECT_GT(ran.check->errors, 0) << "after phase " << sync;
  }
  EXPECT_EQ(test::run(plan).check->errors, 0);
}

// A row is exchanged three times in each of two phases; between them each row of a foreign Square once.
TEST(ftio_fault, an_exchange_that_never_arrives_is_seen_wherever_it_is) {
  const test::Place place;
  const RunPlan plan = test::plan_in(place, test::parameter_from(2));
  const int of_rows = 3 * static_cast<int>(plan.shape.order());
  const int of_squares = (plan.shape.processes - 1) * static_cast<int>(plan.shape.band());
  std::vector<int> hits;
  for (const int first : {0, of_rows - 3, of_rows + of_squares, 2 * of_rows + of_squares - 3})
    for (const int step : {0, 1, 2}) hits.push_back(first + step);
  if (of_squares > 0) hits.insert(hits.end(), {of_rows, of_rows + of_squares - 1});
  for (const int hit : hits) {
    const LostExchange lost(world().rank() == last_rank() ? hit : -1);
    const auto ran = test::run(plan);
    ASSERT_FALSE(ran.failure) << ran.failure->text;
    ASSERT_TRUE(ran.check);
    EXPECT_GT(ran.check->errors, 0) << "exchange " << hit;
  }
  EXPECT_EQ(test::run(plan).check->errors, 0);
}

TEST(ftio_fault, the_last_changed_byte_is_located) {
  const test::Place place;
  const RunPlan plan = test::plan_in(place, test::parameter_from(2));
  if (plan.shape.band() < 4) GTEST_SKIP() << "the fourth element lies in another row";
  const test::Spoiled spoiled(at("flip", timed_phases), last_rank());
  const auto ran = test::run(plan);
  EXPECT_EQ(ran.check->errors, 1);
  EXPECT_EQ(ran.result.difference.column, last_rank() * plan.shape.band() + 3);
  EXPECT_EQ(ran.result.difference.row, 0);
}

TEST(ftio_fault, a_file_of_somebody_else_is_not_opened_and_stays) {
  const test::Place place;
  for (const auto access : {FileAccess::posix, FileAccess::mpi, FileAccess::shared}) {
    RunPlan plan = test::plan_in(place, test::parameter_from(2));
    test::set_access(plan, access, PageCache::keep);
    const auto mine = column_path(plan.files);
    if (world().rank() == last_rank()) std::ofstream(mine) << "mine";
    world().barrier();
    const auto failure =
        measure::agree(world(), measure::attempt([&] { static_cast<void>(open_columns(plan.files)); }));
    ASSERT_TRUE(failure) << text(access);
    EXPECT_EQ(failure->code, ReasonCode::file_system);
    std::string word;
    if (world().rank() == last_rank()) std::ifstream(mine) >> word;
    EXPECT_EQ(word, world().rank() == last_rank() ? "mine" : "");
    world().barrier();
    if (world().rank() == last_rank()) std::filesystem::remove(mine);
    world().barrier();
  }
}

TEST(ftio_fault, direct_access_by_parts_of_blocks_is_refused_before_it_writes) {
  const test::Place place;
  RunPlan plan = test::plan_in(place, test::parameter_from(2));
  test::set_access(plan, FileAccess::posix, PageCache::direct);
  const auto failure = measure::attempt([&] { static_cast<void>(open_columns(plan.files)); });
  ASSERT_TRUE(failure);
  EXPECT_THAT(failure->text, HasSubstr("multiple of 32"));
  EXPECT_TRUE(place.files().empty());
}

TEST(ftio_fault, what_is_no_number_is_wrong_and_no_part_of_sums) {
  Comparison comparison(16, 4);
  const std::vector<Complex> expected(2);
  const std::vector<Complex> found = {Complex(std::numeric_limits<double>::quiet_NaN(), 0), Complex(0.5, 0)};
  comparison.row(3, found, expected);
  const Difference all = merged(comparison.difference(), world());
  EXPECT_EQ(all.wrong, 2 * world().size());
  EXPECT_EQ(all.not_numbers, world().size());
  EXPECT_DOUBLE_EQ(all.total, 0.5 * world().size());
  EXPECT_EQ(all.largest, 0.5);
  EXPECT_EQ(all.column, 5);
  EXPECT_EQ(all.row, 3);
  EXPECT_THAT(comparison.difference().first, HasSubstr("column 4, row 3"));
}

}  // namespace steelyard::ftio
