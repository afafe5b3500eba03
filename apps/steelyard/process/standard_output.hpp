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

  /// Exit code of a program that would end with `code`: that of lost_output_code if anything
  /// was lost. A reader that has gone away wanted no more.
  [[nodiscard]] int finish(int code, bool measured);

 protected:
  int_type overflow(int_type character) override;
  int sync() override;

 private:
  int descriptor_;
  int error_ = 0;
  std::streambuf* before_;
  std::array<char, 8192> buffer_;
};

/// The same for std::cerr, without a buffer, because several threads write there: each text at once and in one piece.
class StandardError final : public std::streambuf {
 public:
  explicit StandardError(int descriptor);
  StandardError(const StandardError&) = delete;
  StandardError& operator=(const StandardError&) = delete;
  ~StandardError() override;

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize length) override;

 private:
  int descriptor_;
  std::streambuf* before_;
};

/// Exit code in the place of `code` for an error number of writing, after a line that says why; 0: nothing was lost. Of
/// a run that has measured 1 for 0, because its records are whole; else 4 for 0, 1 and 3, as of any output that cannot
/// be written.
[[nodiscard]] int lost_output_code(int code, int error, bool measured);

}  // namespace steelyard::cli
