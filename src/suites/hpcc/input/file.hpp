// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "suites/hpcc/settings.hpp"

/// The input file of the published HPC Challenge suite, hpccinf.txt, whose lines 1 to 31 are HPL.dat. Pure.
namespace steelyard::hpcc {

struct InputFault {
  int line = 0;
  std::string what, found;
  friend bool operator==(const InputFault&, const InputFault&) = default;
};

/// Everything that is wrong with a file. what(): one line "NAME:LINE: WHAT, found "TOKEN"" for each fault.
class InputError : public std::runtime_error {
 public:
  InputError(const std::string& name, std::vector<InputFault> faults);
  [[nodiscard]] const std::vector<InputFault>& faults() const { return faults_; }

 private:
  std::vector<InputFault> faults_;
};

struct InputFile {
  Settings settings;
  std::vector<std::string> notes = {};    // what was read and is not used, and why
  std::string output = {};                // line 3: file of the linear solver alone
  std::int64_t device = standard_output;  // line 4: where it writes; any other number: the file
  static constexpr std::int64_t standard_output = 6, standard_error = 7;
};

/// Problem, extra sizes of PTRANS, threshold and options of the linear solver from the text of a file called
/// `name`; everything else of the settings as in `base`. Only the leading words of a line count. A byte order
/// mark, carriage returns and a missing tail from line 32 on are accepted. With `processes` the grids must
/// not need more. Throws InputError.
[[nodiscard]] InputFile read_input(std::string_view text, const std::string& name, const Settings& base = {},
                                   std::optional<int> processes = std::nullopt);

/// The same of a text of write_input(), which may hold codes that the file does not have. Throws InputError.
[[nodiscard]] InputFile read_written(std::string_view text, const std::string& name);

/// The text of all 36 lines that says the same, for this program and for the published one.
[[nodiscard]] std::string write_input(const Settings& settings);

}  // namespace steelyard::hpcc
