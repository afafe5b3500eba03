// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "measure/counter.hpp"

namespace steelyard::measure {
namespace {

using Moment = std::chrono::steady_clock::time_point;

constexpr int passes = 100;
constexpr std::chrono::milliseconds token_patience{20};

std::vector<std::size_t> own_cores() {
  cpu_set_t set;
  std::vector<std::size_t> cores;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

/// Whether the calling thread now runs on that core.
bool move_to(std::size_t core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

/// A token with the time at which it was given; whose turn it is.
struct Token {
  std::atomic<int> turn{0};
  std::atomic<bool> over{false};
  std::int64_t given = 0;      // owned by the side whose turn it is
  std::int64_t backwards = 0;  // likewise
};

/// One side: takes the token, compares, gives it on. Ends both sides when it has waited too long: another
/// process may hold the core.
void pass(Token& token, int side, std::size_t core, Moment until) {
  if (!move_to(core)) token.over = true;
  for (int i = 0; i < passes; ++i) {
    while (token.turn.load(std::memory_order_acquire) != side) {
      if (token.over || std::chrono::steady_clock::now() > until) {
        token.over = true;
        return;
      }
    }
    const std::int64_t now = read_counter();
    if (now < token.given) ++token.backwards;
    token.given = now;
    token.turn.store(1 - side, std::memory_order_release);
  }
}

std::int64_t backwards_between(std::size_t core, std::size_t neighbour) {
  Token token;
  const Moment until = std::chrono::steady_clock::now() + token_patience;
  std::thread here(pass, std::ref(token), 0, core, until);
  std::thread there(pass, std::ref(token), 1, neighbour, until);
  here.join();
  there.join();
  return token.backwards;
}

}  // namespace

std::int64_t counter_backwards() {
  std::vector<std::size_t> cores = own_cores();
  const auto online = static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_ONLN));
  if (!cores.empty() && cores.back() + 1 < online) cores.push_back(cores.back() + 1);
  std::int64_t backwards = 0;
  for (std::size_t i = 1; i < cores.size(); ++i) backwards += backwards_between(cores[i - 1], cores[i]);
  return backwards;
}

}  // namespace steelyard::measure
