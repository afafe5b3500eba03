// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suites/hpcc/blas/candidates.hpp"
#include "suites/hpcc/blas/product.hpp"

/// What a process for a library that nobody has seen work is asked, and what it answers. Whatever the library
/// does, it does to that process alone.
namespace steelyard::hpcc {

/// A program whose main hands its words on to answer_as_child(), and the words before those.
using ChildProgram = std::vector<std::string>;

/// Main of the child: answers on standard output, which the libraries lose. `words`: of words_to_find() or
/// words_to_try(). Exit code.
[[nodiscard]] int answer_as_child(std::span<const std::string> words);

/// Which libraries are installed under these file names. The answer has a line for each file that is about
/// to be loaded, so that one that ends the process is known.
[[nodiscard]] std::vector<std::string> words_to_find(const std::vector<std::string>& files);
struct Installation {
  std::vector<InstalledBlas> found;
  std::string loading;    // the file that was being loaded last
  bool complete = false;  // whether the child came to its end
};
/// Lines that are none of ours are what a library printed.
[[nodiscard]] Installation read_installation(const std::string& answer);

/// How fast the candidate multiplies, in a process whose environment is already the candidate's.
[[nodiscard]] std::vector<std::string> words_to_try(const BlasCandidate& candidate, int threads);
struct ChildRate {
  machine::BlasIdentity identity;  // name, version, kernel
  CheckedRate rate;
};
/// Nothing where there is no answer that can be read.
[[nodiscard]] std::optional<ChildRate> read_rate(const std::string& answer);

/// Whether the answer says that the child's own main has begun.
[[nodiscard]] bool has_begun(const std::string& answer);

// A process that may crash or hang without harm to this one. Safe in a process of MPI: its memory, which may
// be registered with a network, is not copied, and no handlers of a fork are called.

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
