// SPDX-License-Identifier: Apache-2.0
#include "record/appender.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>

#include "record/conversion.hpp"
#include "record/file.hpp"

namespace steelyard::record::detail {
namespace {

constexpr mode_t readable_by_all = 0666;

// A killed process keeps its locks until its memory is given back, which is after its launcher ended.
constexpr std::chrono::seconds time_to_let_go{3};
constexpr std::chrono::milliseconds between_looks{20};

/// Takes the lock; returns false with the reason in errno if it cannot be had now.
bool takes_lock(int descriptor, int kind) {
  int result = 0;
  do {
    result = ::flock(descriptor, kind | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

bool is_locked(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool locked = !takes_lock(descriptor, LOCK_SH) && errno == EWOULDBLOCK;
  ::close(descriptor);
  return locked;
}

bool is_complete(const std::string& line) {
  try {
    return Elements().read(line).is_object();
  } catch (const ReadError&) {
    return false;
  }
}

WriteError overwrites(const std::filesystem::path& file) {
  return WriteError(file.string() +
                    " exists and is not overwritten; --resume continues it, --append adds a run");
}

/// Begin of every line that this version writes.
std::string head_of_lines() {
  return R"({"format":")" + std::string(format_name) + R"(","format_version":)" +
         std::to_string(format_version) + ',';
}

/// Whether a file that begins with this text is a result. Its first line may be torn, or damaged further behind, and
/// another tool may have written it with blanks.
bool begins_result(std::string_view text) {
  const std::size_t begin = text.find_first_not_of('\n');
  if (begin == std::string_view::npos) return true;
  text.remove_prefix(begin);
  const std::string head = head_of_lines();
  const std::size_t end = text.find('\n');
  if (text.starts_with(head)) return true;
  if (end == std::string_view::npos) return head.starts_with(text);
  try {
    static_cast<void>(from_line(text.substr(0, end)));
    return true;
  } catch (const ReadError&) {
    return false;
  }
}

}  // namespace

bool wait_for_unlock(const std::filesystem::path& file, std::chrono::seconds at_most) {
  const auto until = std::chrono::steady_clock::now() + at_most;
  while (is_locked(file)) {
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(between_looks);
  }
  return true;
}

Appender::Appender(std::filesystem::path file, int flags)
    : file_(std::move(file)),
      descriptor_(::open(file_.c_str(), flags | O_APPEND | O_CLOEXEC, readable_by_all)) {
  if (descriptor_ < 0) {
    if (errno == EEXIST) throw overwrites(file_);
    fail(errno, "cannot be opened");
  }
  try {
    lock();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  has_place_ = is_in_its_place();
}

Appender::~Appender() {
  ::close(descriptor_);
}

void Appender::fail(int error, const char* doing) const {
  throw WriteError(file_.string() + ": " + doing + ": " + std::system_category().message(error));
}

void Appender::lock() {
  locked_ = takes_lock(descriptor_, LOCK_EX);
  if (locked_ || errno != EWOULDBLOCK) return;
  static_cast<void>(wait_for_unlock(file_, time_to_let_go));
  locked_ = takes_lock(descriptor_, LOCK_EX);
  if (!locked_) throw WriteError(file_.string() + ": another steelyard is writing to it");
}

off_t Appender::size() const {
  struct stat info {};
  if (::fstat(descriptor_, &info) != 0) fail(errno, "cannot be examined");
  return info.st_size;
}

void Appender::refuse_content() const {
  if (size() > 0) throw overwrites(file_);
}

void Appender::refuse_other_size(off_t bytes) const {
  if (size() != bytes)
    throw WriteError(file_.string() + ": the run went on meanwhile: another steelyard has written to it");
}

/// Whether the path leads to the open file. True where nobody can tell.
bool Appender::is_in_its_place() const {
  struct stat open {
  }, found{};
  if (::fstat(descriptor_, &open) != 0) return true;
  if (::stat(file_.c_str(), &found) != 0) return errno != ENOENT && errno != ENOTDIR;
  return found.st_dev == open.st_dev && found.st_ino == open.st_ino;
}

void Appender::write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor_, text.data(), text.size());
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) fail(errno, "cannot be written");
  }
}

void Appender::append(std::string_view text) {
  const off_t before = size();
  try {
    write_all(text);
  } catch (const WriteError&) {
    // Devices cannot be cut; there is no line to repair either.
    if (size() > before && ::ftruncate(descriptor_, before) != 0) {
      throw WriteError(file_.string() + ": cannot be written, and its last line is incomplete");
    }
    throw;
  }
}

void Appender::sync() {
  if (has_place_ && !is_in_its_place())
    throw WriteError(file_.string() + " was removed or moved while it was written");
  while (::fdatasync(descriptor_) != 0) {
    if (errno == EINVAL || errno == EROFS || errno == ENOTSUP) return;
    if (errno != EINTR) fail(errno, "cannot be brought to disk");
  }
}

std::string Appender::last_line() const {
  constexpr off_t step = 1 << 16;
  std::string tail;
  for (off_t at = size(); at > 0;) {
    const off_t length = std::min(step, at);
    std::string piece(static_cast<std::size_t>(length), '\0');
    const ssize_t count = ::pread(descriptor_, piece.data(), piece.size(), at -= length);
    if (count != length) fail(count < 0 ? errno : EIO, "cannot be read");
    tail.insert(0, piece);
    const std::size_t end = tail.find_last_not_of('\n');
    const std::size_t start = end == std::string::npos ? end : tail.rfind('\n', end);
    if (start != std::string::npos) return tail.substr(start + 1);
  }
  return tail;
}

void Appender::refuse_foreign() const {
  struct stat info {};
  if (::fstat(descriptor_, &info) != 0) fail(errno, "cannot be examined");
  std::string first(static_cast<std::size_t>(std::min<off_t>(info.st_size, max_line_byte)), '\0');
  const ssize_t count = S_ISREG(info.st_mode) ? ::pread(descriptor_, first.data(), first.size(), 0) : 0;
  if (count < 0) fail(errno, "cannot be read");
  first.resize(static_cast<std::size_t>(count));
  if (S_ISREG(info.st_mode) && begins_result(first)) return;
  throw WriteError(file_.string() + " is no result of steelyard of format version " +
                   std::to_string(format_version) + "; nothing is added to it");
}

off_t Appender::repair() {
  refuse_foreign();
  const std::string line = last_line();
  if (line.find_first_not_of('\n') == std::string::npos) return 0;
  if (is_complete(line)) {
    if (line.back() != '\n') append("\n");
    return 0;
  }
  const auto length = static_cast<off_t>(line.size());
  Appender torn(file_.string() + ".torn", O_WRONLY | O_CREAT);
  torn.append(line);
  torn.sync();
  if (::ftruncate(descriptor_, size() - length) != 0)
    fail(errno, "its incomplete last line cannot be cut off");
  return length;
}

}  // namespace steelyard::record::detail
