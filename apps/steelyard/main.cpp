// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <csignal>

#include "commands/program.hpp"
#include "process/library_threads.hpp"
#include "process/standard_output.hpp"

namespace {

// A standard stream that was closed leaves its number to the next file or pipe that is opened, here and in
// the launcher, and what is printed goes there.
void fill_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1) static_cast<void>(open("/dev/null", O_RDWR));
}

}  // namespace

int main(int argc, char** argv) {
  steelyard::cli::end_of_loading();
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
