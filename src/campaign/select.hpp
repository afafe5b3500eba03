// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suites/suite.hpp"

namespace steelyard::campaign {

/// Error in the user's words (exit code 2). what() is one line; suggestion() may be empty.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& text, std::string suggestion = {})
      : std::runtime_error(text), suggestion_(std::move(suggestion)) {}
  [[nodiscard]] const std::string& suggestion() const { return suggestion_; }

 private:
  std::string suggestion_;
};

// The words that select benchmarks: "suite", "suite/benchmark", globs.

/// True if all of `text` matches a glob: * any characters, ? one, [abc] [a-z] [!abc] one of a set. A '[' that
/// is never closed stands for itself.
[[nodiscard]] bool glob_matches(std::string_view glob, std::string_view text);

/// PATTERN in its two parts. The suite part is matched as written, the benchmark part in any case.
class Pattern {
 public:
  explicit Pattern(std::string_view word);
  [[nodiscard]] bool whole_suite() const { return !benchmark_.has_value(); }
  [[nodiscard]] bool matches_suite(std::string_view suite) const { return glob_matches(suite_, suite); }
  [[nodiscard]] bool matches_benchmark(std::string_view benchmark) const;

 private:
  std::string suite_;
  std::optional<std::string> benchmark_;  // lower case
};

// From words to benchmarks. Pure.

/// One selected benchmark of one suite, in the order of the run.
struct Selected {
  const suites::Suite* suite = nullptr;
  std::string benchmark;
};

/// Selects benchmarks by PATTERNs ("suite", "suite/benchmark", globs * ? [abc], benchmark part in any case)
/// from the catalogues. All unknown patterns are reported together, each with its nearest valid word. Order:
/// order of the patterns, within a pattern the order of the catalogue; duplicates dropped. A bare suite name
/// selects its default set. None are left where `exclude` removes all. Throws UsageError.
[[nodiscard]] std::vector<Selected> select(std::span<const std::string> patterns,
                                           std::span<const std::string> exclude,
                                           std::span<const suites::Suite* const> suites);

}  // namespace steelyard::campaign
