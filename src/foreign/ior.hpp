// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foreign/readers.hpp"

/// Parts common to all forms of IOR's results: tests, and the results of the repetitions of their operations.
namespace steelyard::foreign {

/// Whole bytes of "1 MiB" and "262144 bytes"; nullopt for other texts, and for "9.77 GiB", which is rounded.
[[nodiscard]] std::optional<std::int64_t> ior_size(std::string_view text);
/// Order of the tasks that read, as a parameter: "no", by a constant offset "yes", "random".
[[nodiscard]] std::string order_of_tasks(bool constant, bool random);
/// The same of the words that stand under "ordering inter file".
[[nodiscard]] std::string order_of_tasks(std::string_view words);

/// Results of the repetitions of an operation.
struct Repetitions {
  std::size_t line = 0;
  std::vector<double> byte_s;
  std::optional<double> step;
  std::optional<Number> max, min, mean, sd;  // as a summary prints them
  std::optional<Number> operations_mean;     // op/s of a summary
  std::vector<std::pair<const char*, std::vector<double>>> classic;
  bool failed = false;
  std::string bad_word;
  bool best_only = false;
  bool partial = false;  // less was moved than its options demand

  void note(const char* name, std::string_view word);
};

/// Options of one test and its operations.
struct IorTest {
  std::optional<std::int64_t> id;
  record::Params params;
  bool optioned = false;  // its options were read
  std::optional<int> tasks, nodes;
  std::map<std::string, Repetitions> operations;
  bool warned = false;
};

/// Sets a parameter of a test that is there or not.
void set_yes(record::Params& params, const char* name, bool value);

/// Puts the points of a test into a piece.
void finish_test(IorTest& test, Piece& piece);

/// Reads a result in JSON. Throws Refusal.
[[nodiscard]] Piece read_ior_document(const Block& block, const Description& told);

}  // namespace steelyard::foreign
