// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "record/records.hpp"

/// Filter of runs: "machine=lion* nodes=16 mpi!=*4.1.4*".
namespace steelyard::comparison {

/// Whether a text matches a pattern with * (any text) and ? (one character).
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text);

/// Words that are no NAME=PATTERN, or a NAME that runs do not have; what() has the nearest one.
class UnknownRunName : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

class RunFilter {
 public:
  /// Parses NAME=PATTERN or NAME!=PATTERN, with blanks between several, which must all hold. Names are those
  /// of run_names(); the pattern of a value that has commas ("Open MPI v4.1.4, package: ...") may be of what
  /// stands before the first. Throws UnknownRunName.
  static RunFilter parse(std::string_view words);
  [[nodiscard]] bool accepts(const record::RunRecord& run) const;
  /// Conditions that do not hold, with what the run has: "machine vm instead of lion*, nodes 1 instead of 16";
  /// empty if it is accepted.
  [[nodiscard]] std::string obstacles(const record::RunRecord& run) const;
  [[nodiscard]] bool empty() const { return conditions_.empty(); }
  /// Pattern that the value of this name has to match; empty if any will do.
  [[nodiscard]] std::string pattern_of(std::string_view name) const;
  /// The conditions as parse() reads them.
  [[nodiscard]] std::string words() const;

 private:
  struct Condition {
    std::string name, pattern;
    bool equal = true;

    [[nodiscard]] bool holds(const std::string& word) const;
    [[nodiscard]] std::string missed_by(const std::string& word) const;
  };
  std::vector<Condition> conditions_;
};

/// Names for the filter: machine name nodes processes threads mpi kernel compiler blas version commit layout
/// job; label.X is one too.
[[nodiscard]] const std::vector<std::string>& run_names();

/// Value of a run under one of these names; empty if it has none.
[[nodiscard]] std::string run_word(const record::RunRecord& run, std::string_view name);

}  // namespace steelyard::comparison
