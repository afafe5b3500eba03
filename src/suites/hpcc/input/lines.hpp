// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "suites/hpcc/input/file.hpp"

namespace steelyard::hpcc {

/// What a number of the input file may be. `choices` tells the meaning of codes.
struct InputRule {
  std::string_view name;
  std::int64_t low = 0, high = 0;
  std::string_view choices = {};
};

/// The words of an input file line by line, read by rules; what does not follow them is kept as a fault.
class InputLines {
 public:
  explicit InputLines(std::string_view text);

  [[nodiscard]] const std::vector<InputFault>& faults() const { return faults_; }
  void add_fault(int line, std::string what, std::string_view found);
  [[nodiscard]] bool has(int line) const { return static_cast<std::size_t>(line) <= lines_.size(); }
  /// The word of that position, counted from 0; "end of line" if there is none.
  [[nodiscard]] std::string_view word(int line, std::size_t position) const;

  /// The first number of a line, rule.low if it does not follow the rule.
  std::int64_t whole(int line, const InputRule& rule);
  double real(int line, std::string_view name);
  /// The first `count` numbers of a line; fewer if they do not follow the rule.
  std::vector<std::int64_t> list(int line, std::int64_t count, const InputRule& rule);
  /// A line with a number of values and the line after it with the values.
  std::vector<std::int64_t> counted(int line, const InputRule& rule);

 private:
  bool is_missing(int line);

  std::vector<std::vector<std::string_view>> lines_;
  std::vector<InputFault> faults_;
  bool ended_ = false;  // the first missing line was told
};

inline constexpr std::int64_t most_input_values = 20;
[[nodiscard]] InputRule number_of_values();

}  // namespace steelyard::hpcc
