// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string_view>

/// A file that only grows by whole lines. Of this room alone.
namespace steelyard::record::detail {

/// Owns a descriptor under an exclusive lock where the file system has locks.
class Appender {
 public:
  /// `flags` go to open(2) besides O_APPEND. Throws WriteError if it cannot be opened or another process
  /// holds the lock, and goes on to for some seconds: it may be ending.
  Appender(std::filesystem::path file, int flags);
  ~Appender();
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;

  /// One write of the whole text, more only if the system took less. Throws WriteError after cutting off what
  /// was written of it.
  void append(std::string_view text);
  /// Throws WriteError if data did not reach the disk. Nothing for what cannot be synced (pipes, devices).
  void sync();
  /// Cuts an incomplete last line off into FILE.torn, or completes it if only the line end lacks. Bytes cut.
  off_t repair();

  [[nodiscard]] bool locked() const { return locked_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  void lock();
  void write_all(std::string_view text);
  [[nodiscard]] off_t size() const;
  [[nodiscard]] std::string last_line() const;
  [[noreturn]] void fail(int error, const char* doing) const;

  std::filesystem::path file_;
  int descriptor_;
  bool locked_ = false;
};

/// Sleeps until no process holds the lock of the file; at once where there is no such file.
void wait_for_unlock(const std::filesystem::path& file, std::chrono::seconds at_most);

}  // namespace steelyard::record::detail
