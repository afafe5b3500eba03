// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <streambuf>

namespace steelyard::cli {

/// Buffer that writes std::cout to a descriptor as long as it lives, and remembers why that failed: a stream of the
/// library tells that it did, not why.
class StandardOutput final : public std::streambuf {
 public:
  explicit StandardOutput(int descriptor);
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  ~StandardOutput() override;

  /// Exit code of a program that would end with `code`: 1 in the place of 0, after a line that says why, if anything
  /// was lost. A reader that has gone away wanted no more.
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

/// The same for an error number of writing; 0: nothing was lost.
[[nodiscard]] int lost_output_code(int code, int error);

}  // namespace steelyard::cli
