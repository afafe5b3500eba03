// SPDX-License-Identifier: Apache-2.0
#include "process/descriptor.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>

namespace steelyard::cli {
namespace {

// Waits until a read or write does more than to say that it must wait. False if it is not wanted any more.
bool wait_until_ready(int descriptor, short events, int abandoned) {
  std::array<pollfd, 2> watched{pollfd{descriptor, events, 0}, pollfd{abandoned, POLLIN, 0}};
  while (poll(watched.data(), watched.size(), -1) < 0)
    if (errno != EINTR) return true;
  return watched[1].revents == 0;
}

bool must_wait() {
  return errno == EINTR || errno == EAGAIN;
}

}  // namespace

int write_all(int descriptor, std::string_view text, int abandoned) {
  while (!text.empty()) {
    if (!wait_until_ready(descriptor, POLLOUT, abandoned)) return EPIPE;
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written >= 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (!must_wait())
      return errno;
  }
  return 0;
}

void read_all(int descriptor, const std::function<void(std::string_view)>& take, int abandoned) {
  std::array<char, PIPE_BUF> buffer{};
  while (wait_until_ready(descriptor, POLLIN, abandoned)) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count == 0 || (count < 0 && !must_wait())) return;
    if (count > 0) take({buffer.data(), static_cast<std::size_t>(count)});
  }
}

}  // namespace steelyard::cli
