// SPDX-License-Identifier: Apache-2.0
#include "campaign/stop.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <system_error>
#include <utility>

#include "mpi/environment.hpp"
#include "record/file.hpp"
#include "units/utc.hpp"

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
    if (!mpi::active()) std::_Exit(exit_code_of_a_stop);
    mpi::abort(exit_code_of_a_stop);
  }
}

extern "C" void end_the_start(int) {
  std::_Exit(exit_code_of_a_stop);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

constexpr double between_looks_s = 1;
// A run that the file has just stopped may be ending.
constexpr std::chrono::seconds time_to_let_go{3};

std::filesystem::path stop_file(const std::filesystem::path& directory) {
  return directory / "STOP";
}

void install(void (*at_an_end)(int)) {
  // USR2: LSF at its limit of run time, Grid Engine before it kills
  for (const int signal : {SIGUSR1, SIGUSR2}) handle(signal, ask_for_stop);
  handle(SIGTERM, at_an_end);
  // a shell has it ignored by what it starts in the background: Ctrl-C is meant for another program then
  if (!is_ignored(SIGINT)) handle(SIGINT, at_an_end);
  // a closed pipe ends the table, a file-size limit the records: both by an error where it happens
  for (const int signal : {SIGPIPE, SIGXFSZ}) handle(signal, SIG_IGN);
}

}  // namespace

void install_stop_signals() {
  install(ask_for_stop);
}

void install_stop_signals_of_start() {
  install(end_the_start);
}

bool stop_signal_seen() {
  return stop_seen != 0;
}

std::string_view text(StopCause cause) {
  switch (cause) {
    case StopCause::signal:
      return "signal";
    case StopCause::stop_file:
      return "stop_file";
    case StopCause::deadline:
      return "deadline";
    case StopCause::budget:
      return "budget";
    case StopCause::error:
      return "error";
    case StopCause::none:
      break;
  }
  return {};
}

void forget_stop_file(const std::filesystem::path& directory) {
  if (!stop_file_is_there(directory) || !record::wait_for_writer(directory, time_to_let_go)) return;
  std::error_code ignored;
  std::filesystem::remove(stop_file(directory), ignored);
}

bool stop_file_is_there(const std::filesystem::path& directory) {
  std::error_code ignored;
  return std::filesystem::exists(stop_file(directory), ignored);
}

StopWatch::StopWatch(StopRules rules) : rules_(std::move(rules)), start_(std::chrono::steady_clock::now()) {}

double StopWatch::elapsed_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::optional<double> StopWatch::left_to_deadline_s() const {
  if (!rules_.deadline_unix_s) return std::nullopt;
  return *rules_.deadline_unix_s - units::unix_now_s();
}

bool StopWatch::file_is_there() {
  if (rules_.file.empty()) return false;
  const double now = elapsed_s();
  if (file_looked_s_ >= 0 && now - file_looked_s_ < between_looks_s) return false;
  file_looked_s_ = now;
  std::error_code ignored;
  return std::filesystem::exists(rules_.file, ignored);
}

StopCause StopWatch::found() {
  if (stop_signal_seen()) return StopCause::signal;
  if (left_to_deadline_s().value_or(1) <= 0) return StopCause::deadline;
  if (rules_.budget_s && elapsed_s() >= *rules_.budget_s) return StopCause::budget;
  return file_is_there() ? StopCause::stop_file : StopCause::none;
}

StopCause StopWatch::look() {
  if (cause_ == StopCause::none) cause_ = found();
  return cause_;
}

void StopWatch::raise(StopCause cause) {
  if (cause_ == StopCause::none) cause_ = cause;
}

}  // namespace steelyard::campaign
