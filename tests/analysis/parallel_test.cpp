// SPDX-License-Identifier: Apache-2.0
// Work that several threads share: each piece once, errors as with one thread, as many threads as were counted.
#include "analysis/parallel.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace steelyard::analysis {
namespace {

TEST(share_work, each_piece_is_done_once) {
  std::vector<int> done(1000);
  share_work(done.size(), [&](std::size_t piece, std::size_t thread) {
    ASSERT_LT(thread, threads_for(done.size()));
    ++done[piece];
  });
  EXPECT_EQ(done, std::vector<int>(1000, 1));
  share_work(0, [](std::size_t, std::size_t) { FAIL(); });
}

/// What is thrown where the first piece fails after all others did.
std::string error_of_slow_first_piece() {
  std::atomic<int> failed = 0;
  try {
    share_work(2, [&](std::size_t piece, std::size_t) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
      while (piece == 0 && failed == 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      if (piece == 0 && failed > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ++failed;
      throw std::runtime_error(std::to_string(piece));
    });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

TEST(share_work, error_is_the_one_that_one_thread_would_meet) {
  EXPECT_EQ(error_of_slow_first_piece(), "0");
}

/// Lets this thread use one processor while it lives.
class OnOneProcessor {
 public:
  OnOneProcessor() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    done = sched_setaffinity(0, sizeof one, &one) == 0;
  }
  OnOneProcessor(const OnOneProcessor&) = delete;
  OnOneProcessor& operator=(const OnOneProcessor&) = delete;
  ~OnOneProcessor() { sched_setaffinity(0, sizeof before_, &before_); }
  bool done = false;

 private:
  cpu_set_t before_{};
};

TEST(share_work, threads_are_as_many_as_were_counted_though_processors_are_taken_away) {
  const std::size_t before = threads_for(64);
  EXPECT_EQ(before, std::min<std::size_t>(16, usable_processors()));
  const OnOneProcessor narrowed;
  ASSERT_TRUE(narrowed.done);
  EXPECT_EQ(usable_processors(), 1U);
  EXPECT_EQ(threads_for(64), before);
}

}  // namespace
}  // namespace steelyard::analysis
