// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <optional>
#include <system_error>
#include <thread>

#include "errors.hpp"
#include "launch/launch.hpp"
#include "standard_output.hpp"

namespace steelyard::cli {
namespace {

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw Refused("cannot make a pipe");
  }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void close_read() { shut(ends_[0]); }
  void close_write() { shut(ends_[1]); }

 private:
  static void shut(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

// Signals are blocked in the parent, taken with sigwait, and open again in the child.
class WatchedSignals {
 public:
  WatchedSignals() {
    sigemptyset(&watched_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGCHLD}) sigaddset(&watched_, signal);
    pthread_sigmask(SIG_BLOCK, &watched_, &before_);
  }
  ~WatchedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WatchedSignals(const WatchedSignals&) = delete;
  WatchedSignals& operator=(const WatchedSignals&) = delete;
  void release_in_child() const { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  [[nodiscard]] int wait() const {
    int signal = 0;
    sigwait(&watched_, &signal);
    return signal;
  }
  /// Nothing if none came within a second.
  [[nodiscard]] std::optional<int> wait_a_second() const {
    const timespec second{.tv_sec = 1, .tv_nsec = 0};
    const int signal = sigtimedwait(&watched_, nullptr, &second);
    return signal > 0 ? std::optional(signal) : std::nullopt;
  }

 private:
  sigset_t watched_{}, before_{};
};

[[noreturn]] void become(const std::vector<std::string>& words, int output, int report) {
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  if (output >= 0) dup2(output, STDOUT_FILENO);
  std::signal(SIGPIPE, SIG_DFL);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  static_cast<void>(!write(report, &error, sizeof error));
  _exit(exit_code::refused);
}

// The error number of a failed exec; 0 once the pipe closes because it succeeded.
int exec_error(Pipe& report) {
  report.close_write();
  int error = 0;
  if (read(report.read_end(), &error, sizeof error) != sizeof error) return 0;
  return error;
}

// What cannot be written ends the copy, not the run: the rest is read and dropped. The error number; 0 if
// all was written.
int copy_output(int from, int to) {
  std::array<char, 4096> buffer{};
  int error = 0;
  for (ssize_t n = 0; (n = read(from, buffer.data(), buffer.size())) > 0;) {
    for (ssize_t done = 0; error == 0 && done < n;) {
      const ssize_t written = write(to, buffer.data() + done, static_cast<std::size_t>(n - done));
      if (written < 0)
        error = errno;
      else
        done += written;
    }
  }
  return error;
}

// What the launcher is told: the first wish to end becomes an orderly stop, the second ends it, the third
// does not ask: a launcher that waits for a lost host ends by no other signal.
class Stopper {
 public:
  explicit Stopper(pid_t launcher) : launcher_(launcher) {}
  void pass_on(int signal) {
    const bool wish = signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
    asked_ = true;
    if (wish) ++wishes_;
    if (!wish || wishes_ == 1)
      kill(launcher_, SIGUSR1);
    else if (wishes_ == 2)
      kill(launcher_, SIGTERM);
    else
      kill(-launcher_, SIGKILL);
  }
  [[nodiscard]] Asked asked() const { return asked_ ? Asked::to_stop : Asked::nothing; }

 private:
  pid_t launcher_;
  int wishes_ = 0;
  bool asked_ = false;
};

// Ends a launcher that has been hopeless for a while.
class LastResort {
 public:
  LastResort(pid_t launcher, const std::function<bool()>& hopeless)
      : launcher_(launcher), hopeless_(hopeless) {}
  void look() {
    if (!hopeless_()) return;
    ++seconds_;
    if (seconds_ == patience_s) kill(launcher_, SIGTERM);
    if (seconds_ == patience_s + grace_s) kill(-launcher_, SIGKILL);
  }

 private:
  static constexpr int patience_s = 8, grace_s = 4;
  pid_t launcher_;
  const std::function<bool()>& hopeless_;
  int seconds_ = 0;
};

int code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Finish wait_for(pid_t child, const WatchedSignals& signals, const std::function<bool()>& hopeless) {
  Stopper stopper(child);
  LastResort last_resort(child, hopeless);
  for (;;) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) return {code_of(status), stopper.asked()};
    const auto signal = hopeless ? signals.wait_a_second() : signals.wait();
    if (!signal)
      last_resort.look();
    else if (*signal != SIGCHLD)
      stopper.pass_on(*signal);
  }
}

// output: where the child's standard output goes through us; nothing = the child inherits ours.
Finish start(const std::vector<std::string>& words, const std::function<void(int)>& read_output,
             const std::function<bool()>& hopeless = {}) {
  Pipe report, output;
  const WatchedSignals signals;
  const pid_t child = fork();
  if (child < 0) throw Refused("cannot start a process: " + std::generic_category().message(errno));
  if (child == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // should we be killed, nobody else ends what was started
    signals.release_in_child();
    become(words, read_output ? output.write_end() : -1, report.write_end());
  }
  setpgid(child, child);
  output.close_write();
  std::thread reader;
  if (read_output) reader = std::thread(read_output, output.read_end());
  const int error = exec_error(report);
  const Finish finish = wait_for(child, signals, hopeless);
  if (reader.joinable()) reader.join();
  if (error != 0) throw Refused("cannot start '" + words[0] + "': " + std::generic_category().message(error));
  return finish;
}

}  // namespace

Finish start_and_wait(const std::vector<std::string>& words, const std::function<bool()>& hopeless) {
  // A launcher dies of a closed pipe, and says nothing of a full disk; we stand between.
  if (isatty(STDOUT_FILENO) != 0) return start(words, {}, hopeless);
  int error = 0;
  Finish finish = start(
      words, [&error](int from) { error = copy_output(from, STDOUT_FILENO); }, hopeless);
  finish.code = lost_output_code(finish.code, error);
  return finish;
}

int start_and_read(const std::vector<std::string>& words, std::string& output) {
  const auto keep = [&output](int from) {
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; (n = read(from, buffer.data(), buffer.size())) > 0;)
      output.append(buffer.data(), static_cast<std::size_t>(n));
  };
  return start(words, keep).code;
}

}  // namespace steelyard::cli
