// SPDX-License-Identifier: Apache-2.0
// Windows of this program are freed through a layer that looks what would happen at an error.
#include <gtest/gtest.h>
#include <mpi.h>

#include "measure/clock.hpp"
#include "measure/probe.hpp"
#include "suites/hpcc/foundation/node_memory.hpp"
#include "survey/survey.hpp"

namespace {

// Windows that were freed since the last look, and those of them whose errors would have ended the program.
struct Freed {
  int windows = 0, deadly = 0;
};
Freed freed;

void look_at(MPI_Win window) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Win_get_errhandler(window, &handler);
  ++freed.windows;
  if (handler != MPI_ERRORS_RETURN) ++freed.deadly;
  if (handler != MPI_ERRHANDLER_NULL) PMPI_Errhandler_free(&handler);
}

}  // namespace

extern "C" int MPI_Win_free(MPI_Win* window) {
  look_at(*window);
  return PMPI_Win_free(window);
}

namespace steelyard::survey {
namespace {

class Windows : public ::testing::Test {
 protected:
  Windows() { freed = {}; }
  // Each of so many windows at least returns its errors.
  static void expect_codes(int windows) {
    EXPECT_GE(freed.windows, windows);
    EXPECT_EQ(freed.deadly, 0);
  }
  const mpi::Communicator world = mpi::Communicator::world();
};

TEST_F(Windows, of_memory_that_a_node_shares_return_errors) {
  constexpr std::int64_t some_byte = 1 << 16;
  bool made = false;
  {
    const hpcc::NodeMemory memory(world, some_byte);
    made = memory.available();
  }
  expect_codes(made ? 1 : 0);
}

TEST_F(Windows, of_exchanged_cache_lines_return_errors) {
  measure::TimerOf<measure::MonoSource> timer;
  bool made = false;
  {
    const measure::LineExchange line(world.split_shared(), timer);
    made = line.takes_part();
  }
  expect_codes(made ? 1 : 0);
}

TEST_F(Windows, of_the_survey_return_errors) {
  Wishes wishes;
  wishes.groups = {suites::RateGroup::one_sided};
  static_cast<void>(survey(world, wishes));
  expect_codes(world.size() > 1 ? 1 : 0);  // of one process alone some libraries make none
}

}  // namespace
}  // namespace steelyard::survey
