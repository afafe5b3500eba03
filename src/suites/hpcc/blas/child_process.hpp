// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "suites/hpcc/blas/candidates.hpp"

/// A process that may crash or hang without harm to this one. Safe in a process of MPI: its memory, which may
/// be registered with a network, is not copied, and no handlers of a fork are called.
namespace steelyard::hpcc {

/// How long to wait, in seconds.
struct Patience {
  double to_begin = 1;  // until it says that it has: programs may lie on slow file systems
  double to_end = 0.2;  // from then on
};

struct ChildAnswer {
  std::string text;          // of standard output
  std::string failure = {};  // how it ended, if not well: "ended by SIGILL", "did not end within 0.20 s"
  double seconds = 0;        // from its beginning to its end
};

/// Starts the program with these words and changes of the environment, and reads until it ends or patience
/// does; then it is killed. Waits without running. Nothing is thrown.
[[nodiscard]] ChildAnswer ask_child(const std::vector<std::string>& words, const Variables& variables,
                                    const std::function<bool(const std::string&)>& has_begun,
                                    const Patience& patience);

}  // namespace steelyard::hpcc
