// SPDX-License-Identifier: Apache-2.0
#include "campaign/signals.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

#include "mpi/environment.hpp"

namespace steelyard::campaign {
namespace {

constexpr int exit_code_of_a_stop = 5;
// A key press reaches a process twice, from the terminal and through the launcher.
constexpr std::int64_t echo_ns = 500'000'000;

volatile std::sig_atomic_t stop_seen = 0;
std::atomic<std::int64_t> first_ns{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

extern "C" void ask_for_stop(int) {
  if (stop_seen == 0) {
    first_ns.store(now_ns());
    stop_seen = 1;
  } else if (now_ns() - first_ns.load() > echo_ns) {
    mpi::abort(exit_code_of_a_stop);
  }
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void install_stop_signals() {
  for (const int signal : {SIGUSR1, SIGINT, SIGTERM}) handle(signal, ask_for_stop);
  // a closed pipe ends the table, a file-size limit the records: both by an error where it happens
  for (const int signal : {SIGPIPE, SIGXFSZ}) handle(signal, SIG_IGN);
}

bool stop_signal_seen() {
  return stop_seen != 0;
}

}  // namespace steelyard::campaign
