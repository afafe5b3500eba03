// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suites/hpcc/blas/library.hpp"

/// Questions to a child process that tries an unknown library, and its answers. Whatever the library does, it
/// does to that process alone.
namespace steelyard::hpcc {

/// A rate that was found while the products were checked.
struct CheckedRate {
  double flop_s = 0;
  std::int64_t order = 0;  // of the matrices; smaller for slow libraries
  std::string wrong = {};  // what is wrong with a product; empty if nothing is
};
/// Rate and check of a library that nobody has seen work, in some hundredths of a second. A small product is
/// compared element by element with one of plain loops, the large ones through a vector. Elements of the
/// factors differ by position, and C is NaN before the product. Throws std::bad_alloc.
[[nodiscard]] CheckedRate checked_rate(const BlasLibrary& library, int threads);

/// A program and its first words; its main passes the words that follow them to answer_as_child().
using ChildProgram = std::vector<std::string>;

/// Main of the child; returns its exit code. Answers on standard output, which is taken from the libraries.
/// `words`: of words_to_find() or words_to_try().
[[nodiscard]] int answer_as_child(std::span<const std::string> words);

/// Words that ask which libraries are installed under these file names. The answer has a line for each file
/// that is about to be loaded, so that one that ends the process is known.
[[nodiscard]] std::vector<std::string> words_to_find(const std::vector<std::string>& files);
struct Installation {
  std::vector<InstalledBlas> found;
  std::string loading;    // the file that was being loaded last
  bool complete = false;  // whether the child came to its end
};
/// Reads the answer to words_to_find(). Passes over other lines, which a library printed.
[[nodiscard]] Installation read_installation(const std::string& answer);

/// Words that ask how fast the candidate multiplies, in a process whose environment
/// is already the candidate's.
[[nodiscard]] std::vector<std::string> words_to_try(const BlasCandidate& candidate, int threads);
struct ChildRate {
  machine::BlasIdentity identity;  // name, version, kernel
  CheckedRate rate;
};
/// Reads the answer to words_to_try(). Returns nullopt if there is none that can be read.
[[nodiscard]] std::optional<ChildRate> read_rate(const std::string& answer);

/// Whether the answer says that the child's own main has begun.
[[nodiscard]] bool has_begun(const std::string& answer);

// A process that may crash or hang without harm to this one. Safe in a process of MPI: its memory, which may
// be registered with a network, is not copied, and no handlers of a fork are called.

/// Limits of waiting for a child, in seconds.
struct Patience {
  double to_begin = 1;  // until it says that it has begun: programs may lie on slow file systems
  double to_end = 0.2;  // from then on
};

struct ChildAnswer {
  std::string text;          // of standard output
  std::string failure = {};  // how it ended, if not well: "ended by SIGILL", "did not end within 0.20 s"
  double seconds = 0;        // from its beginning to its end
};

/// Starts the program with these words and changes of the environment and reads its answer until it ends;
/// kills it when patience ends. Sleeps while it waits. Throws nothing.
[[nodiscard]] ChildAnswer ask_child(const std::vector<std::string>& words, const Variables& variables,
                                    const std::function<bool(const std::string&)>& has_begun,
                                    const Patience& patience);

}  // namespace steelyard::hpcc
