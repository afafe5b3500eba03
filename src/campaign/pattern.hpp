// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

/// The words that select benchmarks: "suite", "suite/benchmark", globs.
namespace steelyard::campaign {

/// Whether all of `text` matches a glob: * any characters, ? one, [abc] [a-z] [!abc] one of a set. A '[' that
/// is never closed stands for itself.
[[nodiscard]] bool glob_matches(std::string_view glob, std::string_view text);

/// A PATTERN in its two parts. The suite part is matched as written, the benchmark part in any case.
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

}  // namespace steelyard::campaign
