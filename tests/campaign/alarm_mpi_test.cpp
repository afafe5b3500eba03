// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "campaign/stop.hpp"
#include "mpi/error.hpp"

namespace steelyard::campaign {
namespace {

using namespace std::chrono_literals;

class alarm_of_one_rank : public testing::Test {
 protected:
  mpi::Communicator world_ = mpi::Communicator::world();
  int last_ = world_.size() - 1;
  std::atomic<int> endings_{0};
  record::Reason reason_;

  Alarm::Endings endings() {
    return {[this](const record::Reason& reason) {
              reason_ = reason;
              ++endings_;
            },
            [](const record::Reason&) { ADD_FAILURE() << "rank 0 was to be told"; }};
  }
  void err(int code) {
    if (world_.rank() == last_) {
      EXPECT_EQ(mpi::noted(code, "MPI_Send"), code);
    }
  }
  /// Waits on rank 0.
  bool ended() const {
    for (int i = 0; i < 2000 && endings_ == 0; ++i) std::this_thread::sleep_for(10ms);
    return endings_ > 0;
  }
};

TEST_F(alarm_of_one_rank, ends_the_session_where_the_ranks_do_not_meet_again) {
  Alarm alarm(world_, endings(), 200ms);
  alarm.met(0);
  err(MPI_ERR_TRUNCATE);
  if (world_.is_root() && world_.size() > 1) {
    ASSERT_TRUE(ended());
    EXPECT_EQ(reason_.rank, last_);
    EXPECT_EQ(reason_.mpi_call, "MPI_Send");
    EXPECT_EQ(reason_.mpi_class, "MPI_ERR_TRUNCATE");
  }
  world_.barrier();
}

TEST_F(alarm_of_one_rank, is_settled_where_they_meet) {
  Alarm alarm(world_, endings(), 300ms);
  alarm.met(0);
  err(MPI_ERR_TRUNCATE);
  world_.barrier();
  alarm.met();
  std::this_thread::sleep_for(1s);
  EXPECT_EQ(endings_, 0);
  world_.barrier();
}

TEST_F(alarm_of_one_rank, is_not_settled_by_a_meeting_before_it) {
  Alarm alarm(world_, endings(), 200ms);
  alarm.met(0);
  alarm.met();
  err(MPI_ERR_OTHER);
  if (world_.is_root() && world_.size() > 1) {
    EXPECT_TRUE(ended());
  }
  world_.barrier();
}

TEST_F(alarm_of_one_rank, of_a_process_that_cannot_go_on_does_not_wait) {
  Alarm alarm(world_, endings(), 60s, 100ms);
  record::Reason reason;
  reason.text = "lost";
  reason.rank = last_;
  std::thread other;
  if (world_.rank() == last_) other = std::thread([&] { alarm.cannot_go_on(reason); });
  if (world_.is_root() && world_.size() > 1) {
    ASSERT_TRUE(ended());
    EXPECT_EQ(reason_.text, "lost");
  }
  world_.barrier();
  if (other.joinable()) other.join();
  world_.barrier();
}

TEST_F(alarm_of_one_rank, is_silent_before_and_after) {
  { const Alarm alarm(world_, endings(), 100ms); }
  err(MPI_ERR_OTHER);
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(endings_, 0);
}

TEST_F(alarm_of_one_rank, hears_of_errors_that_are_thrown) {
  Alarm alarm(world_, endings(), 200ms);
  alarm.met(0);
  if (world_.rank() == last_) {
    EXPECT_THROW(mpi::check(MPI_ERR_RANK, "MPI_Recv"), mpi::Error);
  }
  if (world_.is_root() && world_.size() > 1) {
    ASSERT_TRUE(ended());
    EXPECT_EQ(reason_.mpi_call, "MPI_Recv");
  }
  world_.barrier();
}

}  // namespace
}  // namespace steelyard::campaign
