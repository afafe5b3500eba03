// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <optional>
#include <system_error>

#include "suites/hpcc/foundation/stopwatch.hpp"
#include "units/text.hpp"

namespace steelyard::hpcc {
namespace {

std::string text_of_error(int error) {
  return std::generic_category().message(error);
}

/// NAME=VALUE of this process, with the changes.
std::vector<std::string> changed_environment(const Variables& variables) {
  std::vector<std::string> all;
  const auto changed = [&](std::string_view entry) {
    return std::ranges::any_of(variables,
                               [&](const auto& variable) { return entry.starts_with(variable.first + "="); });
  };
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (!changed(*entry)) all.emplace_back(*entry);
  // What is set comes after what is removed: of one name the last counts.
  for (auto one = variables.begin(); one != variables.end(); ++one) {
    const bool again =
        std::any_of(one + 1, variables.end(), [&](const auto& later) { return later.first == one->first; });
    if (one->second && !again) all.push_back(one->first + "=" + *one->second);
  }
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// A child that crashes leaves no file behind.
class NoCoreFiles {
 public:
  NoCoreFiles() : known_(getrlimit(RLIMIT_CORE, &before_) == 0) {
    const rlimit none{0, before_.rlim_max};
    if (known_) setrlimit(RLIMIT_CORE, &none);
  }
  NoCoreFiles(const NoCoreFiles&) = delete;
  NoCoreFiles& operator=(const NoCoreFiles&) = delete;
  ~NoCoreFiles() {
    if (known_) setrlimit(RLIMIT_CORE, &before_);
  }

 private:
  rlimit before_{};
  bool known_;
};

/// Signals as a new program expects them, its output in the pipe, no input and no place for complaints.
class Start {
 public:
  explicit Start(int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes_);
    sigset_t none{}, all{};
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;
  ~Start() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  /// Error number; 0 for success.
  int operator()(pid_t& child, std::vector<std::string> words, std::vector<std::string> environment) const {
    const NoCoreFiles no_core_files;
    const auto program = words.front();
    return posix_spawn(&child, program.c_str(), &actions_, &attributes_, pointers_to(words).data(),
                       pointers_to(environment).data());
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

std::string name_of_signal(int signal) {
  struct Name {
    int signal;
    const char* name;
  };
  constexpr std::array names{Name{SIGILL, "SIGILL"},  Name{SIGSEGV, "SIGSEGV"}, Name{SIGBUS, "SIGBUS"},
                             Name{SIGFPE, "SIGFPE"},  Name{SIGABRT, "SIGABRT"}, Name{SIGTRAP, "SIGTRAP"},
                             Name{SIGKILL, "SIGKILL"}};
  const auto found = std::ranges::find(names, signal, &Name::signal);
  return found == names.end() ? "signal " + std::to_string(signal) : found->name;
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return "ended by " + name_of_signal(WTERMSIG(status));
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return code == 0 ? "" : "ended with exit code " + std::to_string(code);
}

/// What is left of a child's patience: first until it begins, then until it ends.
class Limit {
 public:
  explicit Limit(const Patience& patience) : patience_(patience), seconds_(patience.to_begin) {}
  void begun() {
    if (begun_) return;
    begun_ = true;
    seconds_ = watch_.seconds() + patience_.to_end;
  }
  [[nodiscard]] double left() const { return seconds_ - watch_.seconds(); }
  [[nodiscard]] double elapsed() const { return watch_.seconds(); }
  [[nodiscard]] std::string text() const {
    return units::format_significant(begun_ ? patience_.to_end : patience_.to_begin, 2) + " s";
  }

 private:
  Stopwatch watch_;
  const Patience& patience_;
  double seconds_;
  bool begun_ = false;
};

/// Reads until the child closes its output; false: patience ended before.
bool read_all(int from, const std::function<bool(const std::string&)>& has_begun, Limit& limit,
              std::string& text) {
  constexpr std::size_t most = 1 << 20;  // whoever prints more prints nonsense
  while (limit.left() > 0 && text.size() <= most) {
    pollfd ready{from, POLLIN, 0};
    const int found = poll(&ready, 1, static_cast<int>(1e3 * limit.left()) + 1);
    if (found < 0 && errno != EINTR) return false;
    if (found <= 0) continue;
    std::array<char, 4096> buffer{};
    const auto n = read(from, buffer.data(), buffer.size());
    if (n == 0) return true;
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) text.append(buffer.data(), static_cast<std::size_t>(n));
    if (has_begun(text)) limit.begun();
  }
  return false;
}

/// Its status if it ends while there is patience; 0 where the system does not keep it.
std::optional<int> status_in_time(pid_t child, const Limit& limit) {
  constexpr timespec nap{0, 500'000};
  do {
    int status = 0;
    const auto ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) return 0;  // whoever ignores ended children does not hear of them
    nanosleep(&nap, nullptr);
  } while (limit.left() > 0);
  return std::nullopt;
}

void end(pid_t child) {
  kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

ChildAnswer ask_child(const std::vector<std::string>& words, const Variables& variables,
                      const std::function<bool(const std::string&)>& has_begun, const Patience& patience) {
  std::array<int, 2> pipe{-1, -1};
  if (pipe2(pipe.data(), O_CLOEXEC) != 0) return {"", "cannot make a pipe: " + text_of_error(errno)};
  Limit limit(patience);
  pid_t child = -1;
  const int error = Start(pipe[1])(child, words, changed_environment(variables));
  close(pipe[1]);
  ChildAnswer answer;
  if (error != 0) {
    answer.failure = "no process can be started: " + text_of_error(error);
  } else {
    const bool closed = read_all(pipe[0], has_begun, limit, answer.text);
    const auto status = closed ? status_in_time(child, limit) : std::nullopt;
    if (!status) end(child);
    answer.failure = status ? how_it_ended(*status) : "did not end within " + limit.text();
  }
  close(pipe[0]);
  answer.seconds = limit.elapsed();
  return answer;
}

}  // namespace steelyard::hpcc
