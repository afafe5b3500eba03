// SPDX-License-Identifier: Apache-2.0
#include <csignal>

#include "program.hpp"

int main(int argc, char** argv) {
  // A closed standard output ends a table, not a run.
  std::signal(SIGPIPE, SIG_IGN);
  return steelyard::cli::run_program({argv, argv + argc});
}
