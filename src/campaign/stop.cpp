// SPDX-License-Identifier: Apache-2.0
#include "campaign/stop.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <system_error>
#include <utility>

#include "measure/failure.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "record/file.hpp"
#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

constexpr int exit_code_of_a_stop = 5;
// A key press reaches a process twice, from the terminal and through the launcher.
constexpr std::int64_t echo_ns = 500'000'000;

volatile std::sig_atomic_t stop_seen = 0;  // number of the first signal
std::atomic<std::int64_t> first_ns{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

extern "C" void ask_for_stop(int signal) {
  if (stop_seen == 0) {
    first_ns.store(now_ns());
    stop_seen = signal;
  } else if (signal == SIGXCPU) {
    // the kernel repeats it with every further second: nobody insists
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

// At the hard limit of processor time the kernel kills, and `ulimit -t` sets both limits alike: the signal is to come before.
void be_told_before_the_last_second() {
  constexpr rlim_t to_end_s = 5;
  rlimit limit{};
  if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) return;
  limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max - std::min(limit.rlim_max, to_end_s));
  setrlimit(RLIMIT_CPU, &limit);
}

void install(void (*at_an_end)(int)) {
  // USR2: LSF at its limit of run time, Grid Engine before it kills; XCPU: the limit of processor time
  for (const int signal : {SIGUSR1, SIGUSR2, SIGXCPU}) handle(signal, ask_for_stop);
  be_told_before_the_last_second();
  handle(SIGTERM, at_an_end);
  // a shell has it ignored by what it starts in the background: Ctrl-C is meant for another program then
  if (!is_ignored(SIGINT)) handle(SIGINT, at_an_end);
  // a closed pipe ends the table, a file-size limit the records: both by an error where it happens
  for (const int signal : {SIGPIPE, SIGXFSZ}) handle(signal, SIG_IGN);
}

using Clock = std::chrono::steady_clock;

constexpr Alarm::Patience between_looks{500};
constexpr unsigned bits_of_meetings = 32;

std::atomic<Alarm*> current{nullptr};

std::unique_ptr<Mailbox> open_mailbox(bool other_hosts) {
  try {
    return std::make_unique<Mailbox>(other_hosts);
  } catch (const std::system_error&) {
    return nullptr;
  }
}

}  // namespace

void install_stop_signals() {
  install(ask_for_stop);
}

void install_stop_signals_of_start() {
  install(end_the_start);
}

StopCause cause_by_signal() {
  const int seen = stop_seen;
  return seen == 0 ? StopCause::none : seen == SIGXCPU ? StopCause::cpu_limit : StopCause::signal;
}

std::string_view text(StopCause cause) {
  switch (cause) {
    case StopCause::signal: return "signal";
    case StopCause::cpu_limit: return "cpu_limit";
    case StopCause::stop_file: return "stop_file";
    case StopCause::deadline: return "deadline";
    case StopCause::budget: return "budget";
    case StopCause::error: return "error";
    case StopCause::none: break;
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
  if (const auto cause = cause_by_signal(); cause != StopCause::none) return cause;
  if (left_to_deadline_s().value_or(1) <= 0) return StopCause::deadline;
  if (rules_.budget_s && elapsed_s() >= *rules_.budget_s) return StopCause::budget;
  return file_is_there() ? StopCause::stop_file : StopCause::none;
}

StopCause StopWatch::look() {
  if (cause_ == StopCause::none) cause_ = found();
  return cause_;
}

Alarm::Alarm(const mpi::Communicator& world, Endings endings, Patience patience, Patience time_to_end)
    : world_(world), endings_(std::move(endings)), patience_(patience), time_to_end_(time_to_end) {
  if (world.size() == 1) return;
  const bool other_hosts = world.any(world.split_shared().size() < world.size());
  if (world.is_root()) mailbox_ = open_mailbox(other_hosts);
  address_ = world.broadcast(mailbox_ ? mailbox_->address() : std::string());
  if (mailbox_) thread_ = std::jthread([this](const std::stop_token& stop) { listen(stop); });
  current.store(this);
  mpi::error_listener.store(&Alarm::hear);
}

Alarm::~Alarm() {
  if (current.exchange(nullptr) == this) mpi::error_listener.store(nullptr);
  thread_.request_stop();
  if (mailbox_) mailbox_->wake();
}

void Alarm::met() {
  has_told_.store(false, std::memory_order_relaxed);
  meetings_.fetch_add(1);
}

void Alarm::met(std::size_t block) {
  has_told_.store(false, std::memory_order_relaxed);
  meetings_.store((static_cast<std::uint64_t>(block) + 1) << bits_of_meetings);
}

/// Called in the midst of a measurement, on the thread that met the error.
void Alarm::hear(int code, const char* call) noexcept {
  Alarm* const alarm = current.load();
  if (alarm == nullptr || alarm->has_told_.exchange(true)) return;
  try {
    alarm->tell(measure::reason_of_code(code, *call == 0 ? Alarm::some_call : call), false);
  } catch (...) {
    // Out of memory or of threads: processes that wait then are ended by the watchdog or the user.
  }
}

void Alarm::tell(record::Reason reason, bool at_once) {
  Announcement told{std::move(reason), meetings_.load(), at_once};
  if (mailbox_) {
    take(std::move(told));
    return;
  }
  const record::Json message{
      {"reason", measure::pack(told.reason)}, {"meetings", told.meetings}, {"at_once", at_once}};
  if (!address_.empty() && post(address_, message.dump())) return;
  if (!thread_.joinable())
    thread_ = std::jthread([this, told](const std::stop_token& stop) { wait_alone(stop, told); });
}

void Alarm::take(Announcement told) {
  {
    const std::scoped_lock lock(mutex_);
    own_ = std::move(told);
  }
  mailbox_->wake();
}

void Alarm::cannot_go_on(const record::Reason& reason) {
  if (world_.is_root() || address_.empty()) return;
  tell(reason, true);
  std::this_thread::sleep_for(time_to_end_);
}

/// Loop on rank 0. The first error that is not settled in time ends the session.
void Alarm::listen(const std::stop_token& stop) {
  std::optional<Announcement> pending;
  Clock::time_point until;
  while (!stop.stop_requested()) {
    const auto message =
        mailbox_->wait(pending ? std::optional(std::min(between_looks, patience_)) : std::nullopt);
    std::optional<Announcement> told;
    if (message) {
      const auto heard = record::Json::parse(*message);
      told = Announcement{measure::unpack(heard.at("reason").get<std::string>()),
                          heard.at("meetings").get<std::uint64_t>(), heard.at("at_once").get<bool>()};
    } else {
      const std::scoped_lock lock(mutex_);
      told = std::exchange(own_, std::nullopt);
    }
    if (pending && settled(*pending)) pending.reset();
    if (told && (!pending || told->at_once)) {
      until = Clock::now() + (told->at_once ? Patience{0} : patience_);
      pending = std::move(told);
    }
    const bool due = pending && Clock::now() >= until && (pending->at_once || !settled(*pending));
    if (due && !stop.stop_requested()) endings_.on_root(std::exchange(pending, std::nullopt)->reason);
  }
}

/// Waits on a process that could not reach rank 0.
void Alarm::wait_alone(const std::stop_token& stop, const Announcement& told) {
  for (const auto until = Clock::now() + patience_ + time_to_end_; Clock::now() < until;) {
    std::this_thread::sleep_for(between_looks);
    if (stop.stop_requested() || settled(told)) return;
  }
  endings_.alone(told.reason);
}

}  // namespace steelyard::campaign
