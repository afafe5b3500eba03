// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string_view>

/// File that only grows by whole lines. Internal to this folder.
namespace steelyard::record::detail {

/// Owner of a descriptor under an exclusive lock, if the file system has locks.
class Appender {
 public:
  /// Opens the file; `flags` go to open(2) besides O_APPEND. Throws WriteError if it cannot be opened or if
  /// another process holds the lock for more than some seconds: that process may be ending.
  Appender(std::filesystem::path file, int flags);
  ~Appender();
  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;

  /// Throws WriteError if the file holds anything: another process may have written to it before the lock was got.
  void refuse_content() const;
  /// Throws WriteError if the file has another size: another process may have written to it since it was read.
  void refuse_other_size(off_t bytes) const;
  /// Appends the text in one write, in more only if the system took less. Throws WriteError after cutting off
  /// the part that was written.
  void append(std::string_view text);
  /// Syncs the file. Throws WriteError if data did not reach the disk, or if the file was removed or moved, so that nobody
  /// would find what is written. Does nothing for files that cannot be
  /// synced (pipes, devices).
  void sync();
  /// Cuts an incomplete last line off into FILE.torn, or completes it if only the line end is missing.
  /// Returns the number of bytes cut. Throws WriteError, and changes nothing, if the file holds anything but
  /// records of the format version that this program writes, or is no regular file.
  off_t repair();

  [[nodiscard]] bool locked() const { return locked_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  void lock();
  [[nodiscard]] bool is_in_its_place() const;
  void refuse_foreign() const;
  void write_all(std::string_view text);
  [[nodiscard]] off_t size() const;
  [[nodiscard]] std::string last_line() const;
  [[noreturn]] void fail(int error, const char* doing) const;

  std::filesystem::path file_;
  int descriptor_;
  bool locked_ = false;
  bool has_place_ = false;  // its path led to it when it was opened
};

/// Sleeps until no process holds the lock of the file; returns at once if there is no such file. Returns whether nobody
/// holds it any more.
bool wait_for_unlock(const std::filesystem::path& file, std::chrono::seconds at_most);

}  // namespace steelyard::record::detail
