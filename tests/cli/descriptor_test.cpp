// SPDX-License-Identifier: Apache-2.0
#include "process/descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

namespace steelyard::cli {
namespace {

// Ends of a pipe; the writing one blocks if it is told to.
class Ends {
 public:
  explicit Ends(int flags) {
    if (pipe(ends_.data()) == 0) fcntl(ends_[1], F_SETFL, flags);
    std::signal(SIGPIPE, SIG_IGN);
  }
  ~Ends() {
    close_end(0);
    close_end(1);
  }
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  [[nodiscard]] int from() const { return ends_[0]; }
  [[nodiscard]] int to() const { return ends_[1]; }
  void close_end(std::size_t which) {
    if (ends_[which] >= 0) close(ends_[which]);
    ends_[which] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

std::string long_text() {
  std::string text;
  for (int line = 0; line < 50000; ++line) text += std::to_string(line) + '\n';
  return text;
}

void wait_a_while() {
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

TEST(write_all, reaches_a_slow_reader_whole_whether_it_may_block_or_not) {
  for (const int flags : {0, O_NONBLOCK}) {
    Ends ends(flags);
    std::string got;
    std::thread reader([&] {
      wait_a_while();
      read_all(ends.from(), [&](std::string_view piece) { got += piece; });
    });
    EXPECT_EQ(write_all(ends.to(), long_text()), 0);
    ends.close_end(1);
    reader.join();
    EXPECT_EQ(got, long_text());
  }
}

TEST(write_all, ends_when_the_reader_goes) {
  for (const int flags : {0, O_NONBLOCK}) {
    Ends ends(flags);
    std::thread reader([&] {
      wait_a_while();
      ends.close_end(0);
    });
    EXPECT_EQ(write_all(ends.to(), long_text()), EPIPE);
    reader.join();
  }
}

TEST(write_all, ends_when_it_is_abandoned) {
  const Ends ends(0);
  Ends abandoned(0);
  std::thread user([&] {
    wait_a_while();
    abandoned.close_end(1);
  });
  const std::string piece(4096, 'x');
  int error = 0;
  while (error == 0) error = write_all(ends.to(), piece, abandoned.from());
  EXPECT_EQ(error, EPIPE);
  user.join();
}

TEST(write_all, tells_what_is_wrong) {
  const int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  EXPECT_EQ(write_all(full, "text"), ENOSPC);
  close(full);
}

TEST(read_all, ends_when_it_is_abandoned) {
  const Ends ends(0);
  Ends abandoned(0);
  abandoned.close_end(1);
  read_all(
      ends.from(), [](std::string_view) {}, abandoned.from());
  SUCCEED();
}

}  // namespace
}  // namespace steelyard::cli
