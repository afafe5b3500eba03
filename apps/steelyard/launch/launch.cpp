// SPDX-License-Identifier: Apache-2.0
#include "launch/launch.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <pwd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>

#include "launch/children.hpp"
#include "launch/ending.hpp"
#include "launch/wish.hpp"
#include "machine/build_info.hpp"
#include "machine/directory.hpp"
#include "machine/environment.hpp"
#include "options/checks.hpp"
#include "options/command_list.hpp"
#include "process/descriptor.hpp"
#include "process/errors.hpp"
#include "process/standard_output.hpp"
#include "process/version.hpp"
#include "record/file.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

// Time for killed processes to give back their memory and then their result file: without it a resume, or new processes
// that go on, would be refused.
constexpr std::chrono::seconds time_to_let_go{10};

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
    for (const int signal : {SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD}) sigaddset(&watched_, signal);
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
  // The group of the child is not in front: after `stty tostop` its first line would stop it. USR2, which batch systems
  // send to everything in a job, would end a launcher; the processes hear it once they measure.
  for (const int signal : {SIGTTOU, SIGUSR2}) std::signal(signal, SIG_IGN);
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

// Signals to the launcher: the first wish to end becomes USR1, an orderly stop, the second TERM, the third KILL for its
// group: a launcher that waits for a lost host ends by no other signal. QUIT asks for no order: it is a second wish.
class Stopper {
 public:
  Stopper(pid_t launcher, FirstWish& first, const std::function<bool()>& ended)
      : launcher_(launcher), first_(first), ended_(ended) {}
  void pass_on(int signal) {
    const bool wish = signal != SIGUSR1 && signal != SIGUSR2;
    const bool again = passed_on_ || signal == SIGQUIT;
    asked_ = passed_on_ = true;
    if (wish) wishes_ = std::max(wishes_ + 1, signal == SIGQUIT ? 2 : 1);
    const bool kills = wish && wishes_ > 2;
    // Processes that have recorded the end only have their last words left to say.
    if (again && !kills && ended_ && ended_()) return;
    insisted_ = insisted_ || again;
    if (kills)
      kill(-launcher_, SIGKILL);
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
    if (seconds_ == patience_s + grace_s) kill(-launcher_, SIGKILL);
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
    kill(-launcher_, SIGKILL);
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

constexpr int least_processes = 2;

std::string replaced(std::string text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

// Both libraries know the words. Open MPI refuses several processes on one core unless told.
void add_binding(const std::string& place, bool crowded, Library library, std::vector<std::string>& words) {
  if (place == "launcher") return;
  if (library == Library::other)
    throw Refused("--bind: how this MPI library's launcher binds is not known; say it with --launcher");
  const bool overload = library == Library::open_mpi && crowded && place != "none";
  words.insert(words.end(), {library == Library::open_mpi ? "--bind-to" : "-bind-to",
                             place + (overload ? ":overload-allowed" : "")});
}

// Place to which processes are bound. A launcher may bind a process to one core by default,
// which its threads would share.
std::string binding(const Values& values, Library library) {
  const bool threads = values.count("threads").value_or(1) > 1 && library != Library::other;
  return values.word_or("bind", "launcher") == "launcher" && threads ? "none"
                                                                     : values.word_or("bind", "launcher");
}

bool is_more(int processes, const std::optional<int>& room) {
  return room && processes > *room;
}

// Words for processes that find no room. Open MPI refuses more processes than slots unless told, and then lets them
// yield while they wait: right where they share cores, and slow where a job has more cores than slots.
std::vector<std::string> crowd_words(int processes, const Room& room) {
  const bool shares_cores = is_more(processes, room.cores), beyond_slots = is_more(processes, room.slots);
  std::vector<std::string> words;
  if (beyond_slots) words.emplace_back("--oversubscribe");
  if (shares_cores || (beyond_slots && room.cores))
    words.insert(words.end(), {"--mca", "mpi_yield_when_idle", shares_cores ? "1" : "0"});
  return words;
}

/// The MPI launcher that was found at build time.
std::string launcher_found() {
  for (const auto& [name, value] : machine::build_info().options)
    if (name == "launcher" && !value.empty()) return value;
  throw Refused("no MPI launcher was found at build time; name one with --launcher");
}

std::vector<std::string> default_words(int processes, const Room& room, Library library) {
  std::vector<std::string> words{launcher_found(), "-n", std::to_string(processes)};
  // Hydra takes any number of processes, and MPICH has no word for yielding.
  if (library != Library::open_mpi) return words;
  // Without -q Open MPI explains every exit code but 0 in eleven lines.
  words.emplace_back("-q");
  const auto crowd = crowd_words(processes, room);
  words.insert(words.end(), crowd.begin(), crowd.end());
  return words;
}

bool in_container() {
  if (std::filesystem::exists("/.dockerenv") || std::filesystem::exists("/run/.containerenv")) return true;
  return names_container(machine::describe_machine().json());
}

/// Lets the launcher say why it starts nothing, which it was told to keep for itself.
void let_launcher_explain(std::vector<std::string> launcher) {
  if (std::erase(launcher, "-q") == 0) return;
  launcher.emplace_back("true");
  static_cast<void>(start_and_wait(launcher));
}

/// Whether a launcher that was asked to end ended because of that. Words or surroundings that the processes refuse, they
/// have told of.
bool was_of_the_wish(const Finish& finish) {
  const bool is_refusal = finish.code == exit_code::usage || finish.code == exit_code::refused;
  return died_of_the_wish(finish.code) || (finish.insisted && !is_refusal);
}

/// Whether the processes ended well, as far as the launcher's code tells, without the first record of a session.
bool began_nothing(const Invocation& invocation, int code, std::uintmax_t before, std::uintmax_t after) {
  if (code != exit_code::done && code != exit_code::point_failed) return false;
  return before == after && !invocation.values.on("print-environment");
}

// Exit code of the end record; without that record the code of a run that was asked to stop.
int recorded_code(const std::filesystem::path& results) {
  const auto end = recorded_end(results);
  return end ? end->exit_code : exit_code::stopped;
}

// A launcher in whose code a signal that was sent again has its part. Without records only the code 1 can be of it that
// the processes may have had reasons for, too.
bool tells_nothing(const Finish& finish, const std::filesystem::path& results, bool recorded) {
  return finish.insisted && (recorded || (results.empty() && finish.code == exit_code::point_failed));
}

// Command line that continues the run; empty if there is none: only `run` continues records, not a classic front-end.
std::string words_to_resume(const Invocation& invocation, int processes,
                            const std::filesystem::path& results) {
  if (results.empty() || invocation.command->name != "run") return {};
  return "steelyard run --resume -o " + units::in_shell(results.string()) + " -n " +
         std::to_string(processes);
}

// Open MPI takes variables to other nodes only when it is told to.
void pass_variables(const Values& values, std::vector<std::string>& words) {
  for (const auto& [name, given] : values.all())
    if (given.source == Source::environment) words.insert(words.end(), {"-x", given.origin});
}

void tell_children_of_terminal() {
  setenv("STEELYARD_TTY", isatty(STDERR_FILENO) != 0 ? "1" : "0", 1);
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    setenv("COLUMNS", std::to_string(size.ws_col).c_str(), 1);
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

Library library_kind(const std::string& version) {
  if (version.find("Open MPI") != std::string::npos) return Library::open_mpi;
  return version.find("MPICH") != std::string::npos ? Library::mpich : Library::other;
}

std::string srun_words(Library library) {
  if (library == Library::open_mpi) return "srun --mpi=pmix";
  return library == Library::mpich ? "srun --mpi=pmi2" : "srun";
}

Room room_here() {
  return room_for_processes(machine::usable_cores());
}

bool takes_words_of_library(std::string_view launcher) {
  constexpr std::array<std::string_view, 5> others{"srun", "jsrun", "aprun", "ibrun", "lrun"};
  return std::ranges::find(others, std::filesystem::path(launcher).filename().string()) == others.end();
}

int processes_to_launch(const Values& values, const Room& room) {
  if (const auto said = parse_launch(values.word_or("launch", "auto"))) return *said;
  const bool has_more_nodes = room.nodes > 1 && room.slots;
  return std::max(least_processes, has_more_nodes ? *room.slots : machine::usable_cores());
}

void refuse_several_groups(const Values& values, const Room& room, Library library) {
  const bool knows = values.word("launcher") && parse_launch(values.word_or("launch", "auto"));
  if (room.groups < 2 || knows) return;
  throw Refused("this job of Slurm has " + std::to_string(room.groups) +
                " groups, which steelyard does not reach from here; start it with: " + srun_words(library) +
                " --het-group=0-" + std::to_string(room.groups - 1) + " steelyard ...");
}

std::vector<std::string> launcher_words(const Values& values, int processes, const Room& room,
                                        Library library) {
  const auto said = values.word("launcher");
  if (!said) {
    const Library known = takes_words_of_library(launcher_found()) ? library : Library::other;
    auto words = default_words(processes, room, known);
    add_binding(binding(values, known), is_more(processes, room.cores), known, words);
    return words;
  }
  std::vector<std::string> words = units::words_of_shell(*said);
  if (said->find("{n}") == std::string::npos) words.insert(words.end(), {"-n", std::to_string(processes)});
  for (std::string& word : words) word = replaced(word, "{n}", std::to_string(processes));
  return words;
}

std::vector<std::string> child_words(const Invocation& invocation, const FromParent& from_parent) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::vector<std::string> words{error ? invocation.argv[0] : program.string(), launched_word(from_parent)};
  // The child is not called by the classic program's name.
  if (is_link_of(*invocation.command, invocation.argv[0])) words.emplace_back(invocation.command->name);
  words.insert(words.end(), invocation.argv.begin() + 1, invocation.argv.end());
  return words;
}

void permit_root(const Values& values, Library library) {
  const bool asks = library == Library::open_mpi && geteuid() == 0 &&
                    !(variable("OMPI_ALLOW_RUN_AS_ROOT") && variable("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"));
  if (!asks) return;
  if (!values.on("allow-root") && !in_container())
    throw Refused("Open MPI starts nothing as root; --allow-root permits it");
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  if (!values.on("quiet"))
    std::cerr
        << "steelyard: note: running as root; OMPI_ALLOW_RUN_AS_ROOT is set for the processes started\n";
}

void give_home() {
  if (getenv("HOME") == nullptr && getpwuid(geteuid()) == nullptr) setenv("HOME", "/", 1);
}

std::string scarce_room_of_launcher(Library library, const Variables& read) {
  if (library != Library::open_mpi) return {};
  constexpr std::array names{"OMPI_MCA_orte_tmpdir_base", "TMPDIR", "TEMP", "TMP"};
  const auto* const named =
      std::ranges::find_if(names, [&](const char* name) { return read(name).has_value(); });
  const std::string folder = named == names.end() ? "/tmp" : *read(*named);
  machine::Source source{machine::Roots{}};
  const auto facts = machine::directory_facts(source, folder);
  if (!facts.writable)
    return "'" + folder + "' cannot be written, where the launcher of Open MPI keeps its files";
  // Of two processes those of Open MPI 4.1.4 take 8.2 MiB.
  constexpr std::int64_t enough_byte = 10 << 20;
  if (facts.free_byte.value_or(enough_byte) >= enough_byte) return {};
  return "'" + folder + "' has room for " + units::format_size(Bytes{*facts.free_byte}) +
         ": where its files do not fit there, the launcher of Open MPI waits for ever";
}

bool is_too_long_for_launcher(std::string_view host, Library library) {
  constexpr std::size_t longest = 49;
  return library == Library::open_mpi && std::min(host.find_first_of(".0123456789"), host.size()) > longest;
}

bool to_be_launched(const Invocation& invocation) {
  if (!invocation.values.said("launch") || invocation.from_parent) return false;
  if (under_launcher())
    throw UsageError(invocation.values.find("launch")->origin + ": already started by mpiexec");
  return true;
}

bool names_container(const record::Json& machine) {
  const auto container = machine.is_object() ? machine.find("container") : machine.end();
  return container != machine.end() && container->is_object() && container->contains("kind") &&
         !(*container)["kind"].is_null();
}

Finish launch(const Invocation& invocation, const FromParent& from_parent,
              const std::filesystem::path& results) {
  const Values& values = invocation.values;
  const Library library = library_kind(mpi_library());
  const Room room = room_here();
  refuse_several_groups(values, room, library);
  const int processes = processes_to_launch(values, room);
  auto words = launcher_words(values, processes, room, library);
  // The library's launcher starts its processes as children, or one child for each other host.
  const bool is_ours = !values.word("launcher") && takes_words_of_library(words[0]);
  if (library == Library::open_mpi && is_ours) pass_variables(values, words);
  permit_root(values, library);
  if (const auto scarce = scarce_room_of_launcher(library); !scarce.empty())
    std::cerr << "steelyard: warning: " << scarce << '\n';
  give_home();
  tell_children_of_terminal();
  FromParent told = from_parent;
  told.terminal = isatty(STDOUT_FILENO) != 0;
  told.job_tasks = tasks_of_job();
  if (const std::string host = machine::host_name(); host.find(',') == std::string::npos) told.host = host;
  told.processors = machine::affinity().processors;
  const auto launcher = words;
  const auto child = child_words(invocation, told);
  words.insert(words.end(), child.begin(), child.end());
  if (values.on("verbose")) {
    std::string text = "steelyard: starts";
    for (const std::string& word : words) text += ' ' + word;
    std::cerr << text + '\n';
  }
  const auto before = bytes_of_records(results);
  GivenUp given_up(results);
  const bool may_give_up = values.duration("give-up").value_or(Seconds{0}) > Seconds{0} && !results.empty();
  Watching watching;
  const auto recorded = [&] { return before != bytes_of_records(results); };
  if (may_give_up) watching.hopeless = [&given_up] { return given_up(); };
  if (!results.empty()) {
    watching.recorded = recorded;
    watching.ended = [&] { return recorded() && recorded_end(results); };
  }
  watching.children = is_ours ? Children::always : Children::unknown;
  Finish finish = start_and_wait(words, watching);
  // A refused launch has killed nobody: the writer is another run.
  if (!results.empty() && finish.code != exit_code::refused) record::wait_for_writer(results, time_to_let_go);
  const Ending ending{finish.code, results, words_to_resume(invocation, processes, results), finish.insisted,
                      finish.signal};
  const auto lost = [&] {
    finish.lost = true;
    return lost_run(ending);
  };
  if ((finish.recorded || before > 0) && file_is_gone(results)) {
    finish.lost = true;
    finish.code = records_gone(ending);
  } else if (finish.stuck) {
    std::cerr << "steelyard: the launcher stayed when all its processes had ended, and was ended\n";
    const bool without_end = !results.empty() && recorded() && !recorded_end(results);
    finish.code = without_end ? lost() : recorded_code(results);
  } else if (finish.passed_on && !results.empty() && was_of_the_wish(finish) && !recorded()) {
    finish.code = stopped_early(ending, values.on("resume") || from_parent.continues);
  } else if (!results.empty() && began_nothing(invocation, finish.code, before, bytes_of_records(results))) {
    if (is_ours && library == Library::open_mpi) let_launcher_explain(launcher);
    // Processes that were to go on leave a run of which something is measured.
    finish.code = from_parent.continues ? lost() : nothing_begun(finish.code);
  } else if (may_give_up && given_up()) {
    finish.code = lost();
  } else if (!own_exit_code(finish.code) || tells_nothing(finish, results, recorded())) {
    const auto end = recorded() ? recorded_end(results) : std::nullopt;
    finish.code = end ? late_loss(ending, *end) : lost();
  }
  const bool doubtful = finish.code == exit_code::done && finish.asked == Asked::to_stop;
  if (doubtful) finish.code = recorded_code(results);
  return finish;
}

}  // namespace steelyard::cli
