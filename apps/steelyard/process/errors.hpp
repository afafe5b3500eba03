// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "campaign/plan.hpp"

namespace steelyard::cli {

using campaign::UsageError;

/// Refusal by the surroundings (exit code 4); `reasons`: lines that are printed below it as they are.
class Refused : public std::runtime_error {
 public:
  explicit Refused(const std::string& what, std::string reasons = {})
      : std::runtime_error(what), reasons_(std::move(reasons)) {}
  [[nodiscard]] const std::string& reasons() const { return reasons_; }

 private:
  std::string reasons_;
};

/// End of all ranks with this code, when everything has been said.
class Ended : public std::exception {
 public:
  explicit Ended(int code) : code_(code) {}
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

namespace exit_code {
inline constexpr int done = 0;
inline constexpr int point_failed = 1;
inline constexpr int usage = 2;
inline constexpr int judgement = 3;
inline constexpr int refused = 4;
inline constexpr int stopped = 5;
inline constexpr int internal = 70;
}  // namespace exit_code

/// A text that may hold words of the user or of a file, as it is printed within one line: control characters are escaped
/// as in a string of C, and a word that is longer than any name of a file should be is cut after 80 characters.
[[nodiscard]] std::string on_one_line(std::string_view text);
/// The same for each line of a text of several.
[[nodiscard]] std::string on_their_lines(std::string_view text);

/// Prints a line "steelyard: error: WHAT", one with a suggestion and one about help of the command `help_of` (empty: no
/// such line). On standard error, and only on the process that the launcher calls rank 0.
void print_error(const std::string& what, const std::string& suggestion = {},
                 const std::string& help_of = {});

/// The same on this process whatever its rank.
void print_error_here(const std::string& what, const std::string& suggestion = {},
                      const std::string& help_of = {});

/// Prints the exception being handled and returns its exit code. `where` precedes the text, as in
/// "[rank 3 on node07] ".
[[nodiscard]] int explain_current_exception(const std::string& help_of, const std::string& where = {});

/// Its exit code, of one that another process prints.
[[nodiscard]] int code_of_current_exception();

}  // namespace steelyard::cli
