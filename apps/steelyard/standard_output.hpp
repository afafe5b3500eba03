// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <streambuf>

namespace steelyard::cli {

/// Writes std::cout to a descriptor as long as it lives, and remembers why that failed: a stream of the
/// library tells that it did, not why.
class StandardOutput final : public std::streambuf {
 public:
  explicit StandardOutput(int descriptor);
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  ~StandardOutput() override;

  /// The exit code of a program that would end with `code`: 1 in the place of 0, after a line that says why,
  /// if anything was lost. A reader that went away wanted no more.
  [[nodiscard]] int finish(int code);

 protected:
  int_type overflow(int_type character) override;
  int sync() override;

 private:
  int descriptor_;
  bool by_line_;
  int error_ = 0;
  std::streambuf* before_;
  std::array<char, 8192> buffer_;
};

/// What main() does of it.
[[nodiscard]] int lost_output_code(int code, int error);

}  // namespace steelyard::cli
