// SPDX-License-Identifier: Apache-2.0
#include "launch/launcher_process.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "process/descriptor.hpp"
#include "process/errors.hpp"
#include "process/launched.hpp"
#include "process/standard_output.hpp"
#include "units/text.hpp"

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

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// Whether the program was started with a hangup ignored, as by nohup. Known before libraries are made ready: UCX, which
// MPICH may bring, then puts a handler of its own in the place of that.
bool hangup_was_ignored = false;  // written before main()
void note_start(int, char**, char**) {
  hangup_was_ignored = is_ignored(SIGHUP);
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**,
                                                                             char**) = note_start;

// Signals are blocked in the parent, taken with sigwait, and open again in the child.
class WatchedSignals {
 public:
  WatchedSignals() {
    sigemptyset(&watched_);
    for (const int signal : {SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGCHLD}) sigaddset(&watched_, signal);
    // nohup, and shells for what runs in the background, have these ignored, so that we live on; blocked they would come
    // all the same.
    if (hangup_was_ignored) std::signal(SIGHUP, SIG_IGN);
    for (const int signal : {SIGINT, SIGHUP, SIGQUIT, SIGTSTP})
      if (!is_ignored(signal)) sigaddset(&watched_, signal);
    pthread_sigmask(SIG_BLOCK, &watched_, &before_);
  }
  ~WatchedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WatchedSignals(const WatchedSignals&) = delete;
  WatchedSignals& operator=(const WatchedSignals&) = delete;
  void release_in_child() const { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  [[nodiscard]] int wait() const {
    int signal = 0;
    sigwait(&watched_, &signal);
    return heard(signal);
  }
  /// A signal; nullopt if none came within a second.
  [[nodiscard]] std::optional<int> wait_a_second() const { return wait_for(1); }
  /// A signal that has come; nullopt if none is left. One that is not taken would end us as soon as it is unblocked.
  [[nodiscard]] std::optional<int> take() const { return wait_for(0); }

 private:
  [[nodiscard]] std::optional<int> wait_for(time_t seconds) const {
    const timespec time{.tv_sec = seconds, .tv_nsec = 0};
    const int signal = sigtimedwait(&watched_, nullptr, &time);
    return signal > 0 ? std::optional(heard(signal)) : std::nullopt;
  }
  // Ctrl-Z stops this process alone, and tells nobody else: what is measured cannot wait, and `bg` lets us follow it again.
  static int heard(int signal) {
    if (signal != SIGTSTP) return signal;
    std::cerr << "steelyard: the processes go on measuring while this one is stopped\n";
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGTSTP);
    raise(SIGTSTP);  // stops us when it is open, but not where no shell could let us go on
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    pthread_sigmask(SIG_BLOCK, &one, nullptr);
    return SIGCHLD;
  }
  sigset_t watched_{}, before_{};
};

[[noreturn]] void become(const std::vector<std::string>& words, int output, int report) {
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  if (output >= 0) dup2(output, STDOUT_FILENO);
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
  // The group of the child is not in front: after `stty tostop` its first line would stop it. USR2 and XCPU, which batch
  // systems send to everything in a job, would end a launcher; the processes hear them once they measure.
  for (const int signal : {SIGTTOU, SIGUSR2, SIGXCPU}) std::signal(signal, SIG_IGN);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  static_cast<void>(!::write(report, &error, sizeof error));
  _exit(exit_code::refused);
}

// The error number of a failed exec; 0 once the pipe closes because it succeeded.
int exec_error(Pipe& report) {
  report.close_write();
  int error = 0;
  if (read(report.read_end(), &error, sizeof error) != sizeof error) return 0;
  return error;
}

/// Gets a piece of a child's output, and a descriptor that tells when nobody waits for it any more (write_all).
using TakePiece = std::function<void(std::string_view, int abandoned)>;

// Takes the output of a child in a thread of its own.
class OutputReader {
 public:
  OutputReader(int from, const TakePiece& take) : thread_([this, from, &take] { read(from, take); }) {}
  ~OutputReader() {
    abandoned_.close_write();
    thread_.join();
  }
  OutputReader(const OutputReader&) = delete;
  OutputReader& operator=(const OutputReader&) = delete;

  /// Waits for the end of the output when the child has ended. The user's pager may take no more of it, or a process
  /// that was left behind may hold it: a signal ends the waiting. Returns whether one came.
  [[nodiscard]] bool interrupted_before_the_end(const WatchedSignals& signals) {
    while (!ended_)
      if (signals.wait() != SIGCHLD) return true;
    return false;
  }

 private:
  void read(int from, const TakePiece& take) {
    const int abandoned = abandoned_.read_end();
    read_all(
        from, [&](std::string_view piece) { take(piece, abandoned); }, abandoned);
    ended_ = true;
    kill(getpid(), SIGCHLD);  // wakes who waits for the end
  }

  Pipe abandoned_;
  std::atomic<bool> ended_ = false;
  std::thread thread_;  // last member: starts when the rest is there
};

// Processes below another one, at any depth.
std::vector<pid_t> family_below(pid_t launcher, const std::filesystem::path& proc = "/proc") {
  std::vector<pid_t> family{launcher};
  for (std::size_t i = 0; i < family.size(); ++i)
    for (const pid_t child : children_of(family[i], proc).value_or(std::vector<pid_t>{}))
      // Processes that come and go while we look may be named twice.
      if (std::ranges::find(family, child) == family.end()) family.push_back(child);
  family.erase(family.begin());
  return family;
}

// Kills a launcher with all that it has started here: the processes of Open MPI 5 are in groups of their own, and measure
// on without it.
void kill_with_family(pid_t launcher) {
  const auto family = family_below(launcher);
  kill(-launcher, SIGKILL);
  for (const pid_t process : family) kill(process, SIGKILL);
}

// Numbers of looks.
constexpr int patience_here = 10, patience_elsewhere = 60, looks_to_kill = 4;
// Processes that know the wish record its beginning and its end at once.
constexpr int looks_to_end = 3;
// In a second: threads of an MPI library that wakes now and then to find nothing take less.
constexpr std::int64_t least_ticks = 2;

/// The wish to end, USR1 to a launcher, until it has reached the processes. A launcher that gets it while it starts passes
/// it on to nobody (Open MPI), or waits with its processes for ever (Hydra).
class FirstWish {
 public:
  /// `recorded`: whether the processes have recorded anything; empty = nobody tells, and the launcher is never ended.
  FirstWish(pid_t launcher, const std::function<bool()>& recorded)
      : launcher_(launcher), recorded_(recorded) {}

  void send() {
    sent_ = true;
    reached_ = reached_ || !launched_below(launcher_).empty();
    kill(launcher_, SIGUSR1);
  }
  /// Called every second from then on. Sends the wish once more when there are processes, if there were none before; a
  /// second one would end processes that know the first. Ends a launcher that has recorded nothing while its processes
  /// here did nothing for ten seconds, or for a minute if there are none here to look at.
  void look() {
    if (!sent_) return;
    const auto processes = launched_below(launcher_);
    std::int64_t ticks = 0;
    bool waits_for_disk = false;
    for (const pid_t process : processes) {
      const Activity activity = activity_of(process);
      ticks += activity.processor_ticks;
      waits_for_disk = waits_for_disk || activity.waits_for_disk;
    }
    const bool at_work = waits_for_disk || ticks - ticks_ >= least_ticks;
    ticks_ = ticks;
    const bool here = !processes.empty(), recorded = recorded_ && recorded_();
    repeat(here, recorded);
    if (ended_ || (recorded_ && !recorded)) end_if_idle(here, at_work);
  }
  /// Whether the launcher was ended: nothing was measured, so that nothing is lost.
  [[nodiscard]] bool ended_launcher() const { return ended_; }
  /// Whether the wish had to be sent once more.
  [[nodiscard]] bool was_repeated() const { return repeated_; }

 private:
  void repeat(bool here, bool recorded) {
    if (reached_) return;
    // Processes of other hosts show themselves by what they record.
    if (recorded) ++looks_recorded_;
    if (!here && looks_recorded_ <= looks_to_end) return;
    reached_ = repeated_ = true;
    kill(launcher_, SIGUSR1);
  }
  void end_if_idle(bool here, bool at_work) {
    looks_idle_ = at_work && !ended_ ? 0 : looks_idle_ + 1;
    if (!ended_ && looks_idle_ == (here ? patience_here : patience_elsewhere)) {
      ended_ = true;
      looks_idle_ = 0;
      kill(launcher_, SIGTERM);
    } else if (ended_ && looks_idle_ == looks_to_kill) {
      kill_with_family(launcher_);
    }
  }

  pid_t launcher_;
  const std::function<bool()>& recorded_;
  bool sent_ = false, reached_ = false, repeated_ = false, ended_ = false;
  int looks_recorded_ = 0, looks_idle_ = 0;
  std::int64_t ticks_ = 0;  // of the processor, of all processes at the last look
};

// Signals to the launcher: the first wish to end becomes USR1, an orderly stop, the second TERM, the third KILL for it and
// what it has started: a launcher that waits for a lost host ends by no other signal. QUIT asks for no order: it is a
// second wish.
class Stopper {
 public:
  Stopper(pid_t launcher, FirstWish& first, const std::function<bool()>& ended)
      : launcher_(launcher), first_(first), ended_(ended) {}
  void pass_on(int signal) {
    if (signal == SIGXCPU && passed_on_) return;  // it is repeated, but nobody insists
    const bool wish = signal != SIGUSR1 && signal != SIGUSR2 && signal != SIGXCPU;
    const bool again = passed_on_ || signal == SIGQUIT;
    asked_ = passed_on_ = true;
    if (wish) wishes_ = std::max(wishes_ + 1, signal == SIGQUIT ? 2 : 1);
    const bool kills = wish && wishes_ > 2;
    // Processes that have recorded the end only have their last words left to say.
    if (again && !kills && ended_ && ended_()) return;
    insisted_ = insisted_ || again;
    if (kills)
      kill_with_family(launcher_);
    else if (wish && wishes_ == 2)
      kill(launcher_, SIGTERM);
    else
      first_.send();
  }
  /// Notes a signal that came when the launcher had ended: what comes next is not begun.
  void too_late() { asked_ = true; }
  [[nodiscard]] Asked asked() const { return asked_ ? Asked::to_stop : Asked::nothing; }
  [[nodiscard]] bool passed_on() const { return passed_on_; }
  /// Whether the launcher got more than the first wish, so that its code says nothing.
  [[nodiscard]] bool insisted() const {
    return insisted_ || first_.was_repeated() || first_.ended_launcher();
  }

 private:
  pid_t launcher_;
  FirstWish& first_;
  const std::function<bool()>& ended_;
  int wishes_ = 0;
  bool asked_ = false, passed_on_ = false, insisted_ = false;
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
    if (seconds_ == patience_s + grace_s) kill_with_family(launcher_);
  }

 private:
  static constexpr int patience_s = 8, grace_s = 4;
  pid_t launcher_;
  const std::function<bool()>& hopeless_;
  int seconds_ = 0;
};

// Ends a launcher that stays when all that it had started here is gone: that of Open MPI 4.1 may wait for itself for
// ever once it has passed a signal on. What a launcher starts elsewhere has a child here that waits for it.
class StuckLauncher {
 public:
  StuckLauncher(pid_t launcher, Children children)
      : launcher_(launcher), patience_(children == Children::always ? long_patience : never) {}
  /// Called once when the launcher is asked to end, then every second.
  void look() {
    const auto children = children_of(launcher_);
    if (!children) return;  // nobody tells: it may have any
    if (!children->empty()) patience_ = patience;
    alone_ = std::ranges::none_of(*children, [](pid_t child) { return is_alive(child); }) ? alone_ + 1 : 0;
    if (alone_ <= patience_) return;
    kill_with_family(launcher_);
    ended_ = true;
  }
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  // Numbers of looks. On a busy machine the first child may come late.
  static constexpr int patience = 10, long_patience = 60, never = std::numeric_limits<int>::max();
  pid_t launcher_;
  int patience_, alone_ = 0;
  bool ended_ = false;
};

int code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Finish wait_for(pid_t child, const WatchedSignals& signals, const Watching& watching) {
  FirstWish first(child, watching.recorded);
  Stopper stopper(child, first, watching.ended);
  LastResort last_resort(child, watching.hopeless);
  StuckLauncher stuck(child, watching.children);
  bool recorded = false;
  for (;;) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) {
      while (const auto signal = signals.take())
        if (*signal != SIGCHLD) stopper.too_late();
      return {.code = code_of(status),
              .asked = stopper.asked(),
              .stuck = stuck.ended(),
              .passed_on = stopper.passed_on(),
              .insisted = stopper.insisted(),
              .recorded = recorded,
              .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
    }
    const bool asked = stopper.asked() == Asked::to_stop;
    // Not longer than until the first record: what is measured is not to be disturbed.
    const bool looks = watching.recorded && !recorded;
    const auto signal = watching.hopeless || asked || looks ? signals.wait_a_second() : signals.wait();
    if (signal && *signal == SIGCHLD) continue;
    if (signal) stopper.pass_on(*signal);
    if (!signal && looks) recorded = watching.recorded();
    if (!signal && watching.hopeless) last_resort.look();
    if (!signal && asked) first.look();
    if (signal || asked) stuck.look();
  }
}

// `take` gets the child's standard output; empty: the child inherits ours.
Finish start(const std::vector<std::string>& words, const TakePiece& take, const Watching& watching = {}) {
  Pipe report, output;
  const WatchedSignals signals;
  const pid_t child = fork();
  if (child < 0) throw Refused("cannot start a process: " + std::generic_category().message(errno));
  if (child == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // if we are killed, nobody else ends what was started
    signals.release_in_child();
    become(words, take ? output.write_end() : -1, report.write_end());
  }
  setpgid(child, child);
  output.close_write();
  std::optional<OutputReader> reader;
  try {
    if (take) reader.emplace(output.read_end(), take);
  } catch (const std::system_error&) {  // no thread to read it: nobody would wait for what was started
    kill(-child, SIGKILL);
    waitpid(child, nullptr, 0);
    throw;
  }
  const int error = exec_error(report);
  Finish finish = wait_for(child, signals, watching);
  if (reader && reader->interrupted_before_the_end(signals)) finish.asked = Asked::to_stop;
  reader.reset();
  if (error != 0) throw Refused("cannot start '" + words[0] + "': " + std::generic_category().message(error));
  return finish;
}

namespace fs = std::filesystem;

struct ProcessState {
  char state = 0;
  pid_t parent = 0;
  std::int64_t processor_ticks = 0;
};

// From the parent to the times of the processor, which are fields 14 and 15 of the line.
constexpr int fields_before_times = 9;

// Reads "123 (name) S 45 ...": the name may hold anything, and ends at the last parenthesis. A process that ends
// before its open file is read makes reading fail, at which an iterator over the stream would throw.
std::optional<ProcessState> read_process(const fs::path& directory) {
  std::ifstream file(directory / "stat");
  std::string text;
  std::getline(file, text, '\0');
  const std::size_t name_end = text.rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  ProcessState process;
  std::istringstream rest(text.substr(name_end + 2));
  if (!(rest >> process.state >> process.parent)) return std::nullopt;
  std::string passed;
  for (int field = 0; field < fields_before_times; ++field) rest >> passed;
  std::int64_t user = 0, system = 0;
  if (rest >> user >> system) process.processor_ticks = user + system;
  return process;
}

// Everything in a folder of /proc; what ends meanwhile is no error.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> list;
  std::error_code gone;
  for (fs::directory_iterator at(folder, gone); !gone && at != fs::directory_iterator(); at.increment(gone))
    list.push_back(at->path());
  return list;
}

// Lists of the threads: kernels without CONFIG_PROC_CHILDREN have none.
std::optional<std::vector<pid_t>> listed_children(const fs::path& threads) {
  std::vector<pid_t> list;
  bool is_told = false;
  for (const auto& thread : entries(threads)) {
    std::ifstream file(thread / "children");
    is_told = is_told || file.is_open();
    for (pid_t child = 0; file >> child;) list.push_back(child);
  }
  return is_told ? std::optional(std::move(list)) : std::nullopt;
}

std::optional<pid_t> process_number(const fs::path& directory) {
  return units::read_number<pid_t>(directory.filename().string());
}

std::optional<std::vector<pid_t>> processes_with(pid_t parent, const fs::path& proc) {
  std::vector<pid_t> list;
  bool is_told = false;
  for (const auto& entry : entries(proc)) {
    const auto number = process_number(entry);
    const auto process = number ? read_process(entry) : std::nullopt;
    is_told = is_told || process;
    if (process && process->parent == parent) list.push_back(*number);
  }
  return is_told ? std::optional(std::move(list)) : std::nullopt;
}

// Whether the second word of a process is that of the parent: a launcher has it further behind.
bool is_launched(const fs::path& directory) {
  std::ifstream file(directory / "cmdline", std::ios::binary);
  std::string program, word;
  return std::getline(file, program, '\0') && std::getline(file, word, '\0') &&
         read_launched_word(word).has_value();
}

}  // namespace

Finish start_and_wait(const std::vector<std::string>& words, const Watching& watching) {
  // A launcher dies of a closed pipe, and says nothing of a full disk: its output goes through us.
  if (isatty(STDOUT_FILENO) != 0) return start(words, {}, watching);
  // A failed write ends the copy, not the run: the rest is read and dropped.
  int error = 0;
  const auto copy = [&error](std::string_view piece, int abandoned) {
    if (error == 0) error = write_all(STDOUT_FILENO, piece, abandoned);
  };
  Finish finish = start(words, copy, watching);
  finish.code = lost_output_code(finish.code, error, true);
  return finish;
}

int start_and_read(const std::vector<std::string>& words, std::string& output) {
  const auto keep = [&output](std::string_view piece, int) { output += piece; };
  return start(words, keep).code;
}

std::optional<std::vector<pid_t>> children_of(pid_t parent, const fs::path& proc) {
  auto listed = listed_children(proc / std::to_string(parent) / "task");
  return listed ? std::move(listed) : processes_with(parent, proc);
}

bool is_alive(pid_t process, const fs::path& proc) {
  const auto found = read_process(proc / std::to_string(process));
  return found && found->state != 'Z' && found->state != 'X';
}

std::vector<pid_t> launched_below(pid_t launcher, const fs::path& proc) {
  auto family = family_below(launcher, proc);
  std::erase_if(family, [&](pid_t process) { return !is_launched(proc / std::to_string(process)); });
  return family;
}

Activity activity_of(pid_t process, const fs::path& proc) {
  const auto found = read_process(proc / std::to_string(process));
  return found ? Activity{found->processor_ticks, found->state == 'D'} : Activity{};
}

}  // namespace steelyard::cli
