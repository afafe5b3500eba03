// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "suites/ftio/column_file.hpp"

namespace steelyard::ftio {
namespace {

namespace fs = std::filesystem;

/// Unbuffered system calls on a file of this process alone.
class PosixColumnFile final : public ColumnFile {
 public:
  explicit PosixColumnFile(const FileSite& site) : path_(column_path(site)), cache_(site.cache) {
    const int direct = cache_ == PageCache::direct ? O_DIRECT : 0;
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | direct, 0600);
    if (descriptor_ < 0) fail("cannot make the file");
  }
  PosixColumnFile(const PosixColumnFile&) = delete;
  PosixColumnFile& operator=(const PosixColumnFile&) = delete;
  ~PosixColumnFile() override {
    ::close(descriptor_);
    end_file(path_, ending_);
  }

  void read(const Pieces& pieces, Complex* to) override {
    auto* memory = reinterpret_cast<std::byte*>(to);
    for (std::int64_t k = 0; k < pieces.count; ++k)
      whole([this](std::byte* at, std::size_t bytes,
                   off_t offset) { return ::pread(descriptor_, at, bytes, offset); },
            memory + k * pieces.bytes, pieces.bytes, pieces.offset + k * pieces.distance, "cannot read");
  }

  void write(const Pieces& pieces, const Complex* from) override {
    const auto* memory = reinterpret_cast<const std::byte*>(from);
    for (std::int64_t k = 0; k < pieces.count; ++k)
      whole([this](const std::byte* at, std::size_t bytes,
                   off_t offset) { return ::pwrite(descriptor_, at, bytes, offset); },
            memory + k * pieces.bytes, pieces.bytes, pieces.offset + k * pieces.distance, "cannot write");
  }

  void sync() override {
    while (::fsync(descriptor_) != 0)
      if (errno != EINTR) fail("cannot be brought to the disk");
    if (cache_ == PageCache::drop) static_cast<void>(::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED));
  }

  void at_end(Ending ending) override { ending_ = ending; }

 private:
  [[noreturn]] void fail(const char* what, int number = errno) const {
    throw fs::filesystem_error(what, path_, std::error_code(number, std::generic_category()));
  }

  /// One call, and more only where the system moved less than it was asked for.
  template <class Call, class Memory>
  void whole(Call call, Memory* memory, std::int64_t bytes, std::int64_t offset, const char* what) const {
    while (bytes > 0) {
      const ssize_t moved = call(memory, static_cast<std::size_t>(bytes), static_cast<off_t>(offset));
      if (moved < 0 && errno == EINTR) continue;
      if (moved < 0) fail(what);
      if (moved == 0) fail(what, EIO);  // the file is shorter than what was written to it
      memory += moved;
      offset += moved;
      bytes -= moved;
    }
  }

  fs::path path_;
  PageCache cache_;
  int descriptor_ = -1;
  Ending ending_ = Ending::removed;
};

/// Files that pass the page cache by know blocks only.
void refuse_unless_aligned(const FileSite& site) {
  constexpr std::int64_t least_block = 512;
  if (site.cache != PageCache::direct || site.segment_byte % least_block == 0) return;
  throw fs::filesystem_error(
      "direct access needs segments of whole blocks: an input parameter that is a multiple of 32 at least",
      site.directory, std::make_error_code(std::errc::invalid_argument));
}

}  // namespace

std::unique_ptr<ColumnFile> open_posix_columns(const FileSite& site) {
  refuse_unless_aligned(site);
  return std::make_unique<PosixColumnFile>(site);
}

}  // namespace steelyard::ftio
