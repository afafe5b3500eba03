// SPDX-License-Identifier: Apache-2.0
// main of tests that run under the launcher: every rank runs every test; the program fails if any rank
// failed, and each says what failed there.
#include <gtest/gtest.h>
#include <mpi.h>

#include <iostream>
#include <string>

#include "mpi/communicator.hpp"
#include "mpi/environment.hpp"

// Tests of threads say which level they need.
#ifndef STEELYARD_TEST_THREAD_LEVEL
#define STEELYARD_TEST_THREAD_LEVEL single
#endif

namespace {

/// Says on another rank than 0 what failed there, and nothing else.
class FailuresOfRank : public testing::EmptyTestEventListener {
 public:
  explicit FailuresOfRank(int rank) : rank_(rank) {}

 private:
  void OnTestStart(const testing::TestInfo& test) override {
    test_ = std::string(test.test_suite_name()) + '.' + test.name();
  }
  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (!part.failed()) return;
    const char* file = part.file_name() == nullptr ? "" : part.file_name();
    std::cerr << "rank " + std::to_string(rank_) + ": " + test_ + ": " + file + ':' +
                     std::to_string(part.line_number()) + ": " + part.message() + '\n';
  }

  std::string test_;
  int rank_;
};

}  // namespace

int main(int argc, char** argv) {
  steelyard::mpi::Environment environment(&argc, &argv,
                                          steelyard::mpi::ThreadLevel::STEELYARD_TEST_THREAD_LEVEL);
  testing::InitGoogleTest(&argc, argv);
  const auto world = steelyard::mpi::Communicator::world();
  if (!world.is_root()) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOfRank(world.rank()));
  }
  const int failed = RUN_ALL_TESTS();
  return world.any(failed != 0) ? 1 : 0;
}
