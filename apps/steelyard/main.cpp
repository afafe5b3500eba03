// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "commands/program.hpp"
#include "process/errors.hpp"
#include "process/standard_output.hpp"

namespace {

// OpenBLAS starts a thread for each processor of the node while it is loaded, for a command that only reads, too. Each
// takes 128 MiB of addresses; where these are limited (ulimit -v) it asks for them again and again, for ever, and where
// threads are (ulimit -u) it ends the program. What computes says itself how many threads it wants.
//
// OpenBLAS reads the variable before main(), and nobody can add one so early: the C library takes the list as the system
// gave it. So one that no library looks at stands aside meanwhile.
char one_thread[] = "OPENBLAS_NUM_THREADS=1";

struct Loading {
  char** entry = nullptr;  // of the environment, whose variable stands aside
  char* variable = nullptr;
  bool timed = false;
} loading;  // written before main()

char** variable_of(char** environment, std::string_view name) {
  for (char** entry = environment; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (text.starts_with(name) && text.substr(name.size()).starts_with('=')) return entry;
  }
  return nullptr;
}

// Version 0.3.29 takes such memory for the first thread, too, which 0.3.21 does not. Where addresses are limited, loading
// that has used so much processor time without an end is given up.
constexpr itimerval patience{{}, {2, 0}}, no_end{};

void give_up_loading(int) {
  constexpr std::string_view why =
      "steelyard: not loaded after 2 s of processor time: addresses are limited (ulimit -v), and some libraries "
      "(OpenBLAS) ask without end for memory that they are refused\n";
  static_cast<void>(!write(STDERR_FILENO, why.data(), why.size()));
  _exit(steelyard::cli::exit_code::refused);
}

void begin_of_loading(int, char**, char** environment) {
  rlimit addresses{};
  if (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY) {
    std::signal(SIGPROF, give_up_loading);
    loading.timed = setitimer(ITIMER_PROF, &patience, nullptr) == 0;
  }
  for (const std::string_view name :
       {"OPENBLAS_NUM_THREADS", "_", "OLDPWD", "SHLVL", "PWD", "LOGNAME", "PATH"}) {
    char** const entry = variable_of(environment, name);
    if (entry == nullptr) continue;
    loading.entry = entry;
    loading.variable = std::exchange(*entry, one_thread);
    return;
  }
}

[[gnu::section(".preinit_array"),
  gnu::used]] void (*const before_libraries_are_ready)(int, char**, char**) = begin_of_loading;

/// Gives a variable of the environment back that stood aside while libraries were loaded, so that OpenBLAS started no
/// threads. The first call of main().
void end_of_loading() noexcept {
  if (loading.entry != nullptr) *loading.entry = loading.variable;
  if (!loading.timed) return;
  setitimer(ITIMER_PROF, &no_end, nullptr);
  std::signal(SIGPROF, SIG_DFL);
}

// A standard stream that was closed leaves its number to the next file or pipe that is opened, here and in
// the launcher, and what is printed goes there.
void fill_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1) static_cast<void>(open("/dev/null", O_RDWR));
}

}  // namespace

int main(int argc, char** argv) {
  end_of_loading();
  fill_closed_streams();
  // A closed standard output ends a table, not a run, and a limit of the size of files is an error where it is met.
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
  // Some programs leave it ignored to what they start: then the end of what we start would be nobody's news.
  std::signal(SIGCHLD, SIG_DFL);
  const steelyard::cli::StandardError errors(STDERR_FILENO);
  steelyard::cli::StandardOutput output(STDOUT_FILENO);
  const auto end = steelyard::cli::run_program({argv, argv + argc});
  return output.finish(end.code, end.measured);
}
