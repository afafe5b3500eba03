// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
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

inline constexpr std::size_t most_input_values = 20;
inline constexpr std::int64_t most_input_value = std::numeric_limits<std::int32_t>::max();
/// Lines with the numbers of PTRANS' own orders and block sizes; each is before that of the values.
inline constexpr int extra_orders_line = 33, extra_blocks_line = 35;

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
