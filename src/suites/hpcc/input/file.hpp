// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suites/hpcc/settings.hpp"

/// The input file of the published HPC Challenge suite, hpccinf.txt, whose lines 1 to 31 are HPL.dat. Pure.
namespace steelyard::hpcc {

/// Range of a number of the input file; `choices` tells the meaning of codes.
struct InputRule {
  std::string_view name;
  std::int64_t low = 0, high = 0;
  std::string_view choices = {};
};

struct InputFault {
  int line = 0;
  std::string what, found;
  friend bool operator==(const InputFault&, const InputFault&) = default;
};

/// The words of an input file line by line, read by rules; a word that breaks its rule is kept as a fault.
class InputLines {
 public:
  explicit InputLines(std::string_view text);

  [[nodiscard]] const std::vector<InputFault>& faults() const { return faults_; }
  void add_fault(int line, std::string what, std::string_view found) {
    faults_.push_back({line, std::move(what), std::string(found)});
  }
  [[nodiscard]] bool has(int line) const { return static_cast<std::size_t>(line) <= lines_.size(); }
  /// Word at this position, counted from 0; "end of line" if there is none.
  [[nodiscard]] std::string_view word(int line, std::size_t position) const;

  /// First number of a line; rule.low if it does not follow the rule.
  std::int64_t whole(int line, const InputRule& rule);
  double real(int line, std::string_view name);
  /// First `count` numbers of a line; fewer if they do not follow the rule.
  std::vector<std::int64_t> list(int line, std::int64_t count, const InputRule& rule);
  /// Values of a list: this line holds their number, the line after it the values.
  std::vector<std::int64_t> counted(int line, const InputRule& rule);

 private:
  bool is_missing(int line);

  std::vector<std::vector<std::string_view>> lines_;
  std::vector<InputFault> faults_;
  bool ended_ = false;  // the first missing line was told
};

inline constexpr std::size_t most_input_values = 20;
inline constexpr std::int64_t most_input_value = std::numeric_limits<std::int32_t>::max();
/// Lines with the numbers of PTRANS' own orders and block sizes; each is before that of the values.
inline constexpr int extra_orders_line = 33, extra_blocks_line = 35;
[[nodiscard]] InputRule number_of_values();

/// Everything that is wrong with a file. lines(): one "NAME:LINE: WHAT, found "TOKEN"" for each fault; what(): the same,
/// up to the first zero byte.
class InputError : public std::runtime_error {
 public:
  InputError(const std::string& name, std::vector<InputFault> faults);
  [[nodiscard]] const std::vector<InputFault>& faults() const { return faults_; }
  [[nodiscard]] const std::string& lines() const { return lines_; }

 private:
  std::vector<InputFault> faults_;
  std::string lines_;
};

/// What of a line is not used, and why.
struct InputNote {
  int line = 0;
  std::string what;
  friend bool operator==(const InputNote&, const InputNote&) = default;
};

struct InputFile {
  Settings settings;
  std::vector<InputNote> notes = {};
  std::string output = {};                // line 3: file of the linear solver alone; empty if the line is
  std::int64_t device = standard_output;  // line 4: where it writes; any other number: the file
  static constexpr std::int64_t standard_output = 6, standard_error = 7;
};

/// Reads problem, extra sizes of PTRANS, threshold and options of the linear solver from the text of a file
/// called `name`; everything else of the settings is as in `base`. Only the leading words of a line count. A
/// byte order mark, carriage returns and a missing tail from line 32 on are accepted. With `processes` the
/// grids must not need more. Throws InputError.
[[nodiscard]] InputFile read_input(std::string_view text, const std::string& name, const Settings& base = {},
                                   std::optional<int> processes = std::nullopt);

/// Reads a text of write_input(), which may hold codes that the file does not have. Throws InputError.
[[nodiscard]] InputFile read_written(std::string_view text, const std::string& name);

/// Text of all 36 lines with these settings, for this program and for the published one.
[[nodiscard]] std::string write_input(const Settings& settings);

}  // namespace steelyard::hpcc
