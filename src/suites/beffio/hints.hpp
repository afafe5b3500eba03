// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suites/beffio/patterns.hpp"

/// Hints of a run: which info keys are given where. Source: docs/suites/b-eff-io.md, "Hints". Pure.
namespace steelyard::beffio {

using Hint = std::pair<std::string, std::string>;  // key, value

/// Hints in a line of words: "key value :: key value".
[[nodiscard]] std::string words_of(const std::vector<Hint>& hints);

/// Error of a rule that cannot be read: "line 3: 'nobody' is no number of processes ...".
class HintError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Rule that says where a hint applies; nullopt: everywhere.
struct HintRule {
  std::optional<int> processes;
  std::optional<Access> access;
  std::optional<PatternType> type;
  /// open: when a file is opened; chunk: at patterns of this chunk on disk; largest: at those of M_PART; all:
  /// both.
  enum class When { open, chunk, largest, all } when = When::all;
  Bytes chunk{0};
  Hint hint;
};

class Hints {
 public:
  Hints() = default;
  /// Reads the lines of a hint file. Throws HintError with the number of the line; `partitions`: numbers
  /// of processes in use.
  [[nodiscard]] static Hints parse(std::string_view text, const std::vector<int>& partitions);
  /// Adds a hint for all files and patterns.
  void add_everywhere(Hint hint);

  struct Place {
    int processes;
    Access access;
    PatternType type;
  };
  /// Hints in the order of the rules; of one key the later one wins at the MPI library.
  [[nodiscard]] std::vector<Hint> at_open(const Place& place) const;
  [[nodiscard]] std::vector<Hint> at_pattern(const Place& place, const Pattern& pattern) const;
  /// Whether hints were given at all, if only as a file without a rule: those in effect are told then.
  [[nodiscard]] bool given() const { return given_; }
  [[nodiscard]] const std::vector<HintRule>& rules() const { return rules_; }

 private:
  std::vector<HintRule> rules_;
  bool given_ = false;
};

}  // namespace steelyard::beffio
