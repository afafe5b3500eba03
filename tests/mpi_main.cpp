// SPDX-License-Identifier: Apache-2.0
// main of tests that run under the launcher: every rank runs every test; the program fails if any rank
// failed.
#include <gtest/gtest.h>
#include <mpi.h>

#include "mpi/communicator.hpp"
#include "mpi/environment.hpp"

// Tests of threads say which level they need.
#ifndef STEELYARD_TEST_THREAD_LEVEL
#define STEELYARD_TEST_THREAD_LEVEL single
#endif

int main(int argc, char** argv) {
  steelyard::mpi::Environment environment(&argc, &argv,
                                          steelyard::mpi::ThreadLevel::STEELYARD_TEST_THREAD_LEVEL);
  testing::InitGoogleTest(&argc, argv);
  const auto world = steelyard::mpi::Communicator::world();
  if (!world.is_root())
    delete testing::UnitTest::GetInstance()->listeners().Release(
        testing::UnitTest::GetInstance()->listeners().default_result_printer());
  const int failed = RUN_ALL_TESTS();
  return world.any(failed != 0) ? 1 : 0;
}
