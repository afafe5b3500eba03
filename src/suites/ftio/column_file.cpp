// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/column_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>

#include "machine/directory.hpp"
#include "machine/move_all.hpp"
#include "measure/failure.hpp"

namespace steelyard::ftio {
namespace {

namespace fs = std::filesystem;
constexpr int new_file = MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR;

/// Removes the file, or moves it out of the directory unless there is one of its name already. Reports no
/// failure: what stays is removed with the directory.
void end_file(const fs::path& path, Ending ending) noexcept {
  std::error_code failed;
  const fs::path to = path.parent_path().parent_path() / path.filename();
  if (ending == Ending::kept && !fs::exists(fs::symlink_status(to, failed))) fs::rename(path, to, failed);
  fs::remove(path, failed);
}

/// Independent calls of MPI-IO: on a file of this process, or on its part of a file of all.
class MpiColumnFile final : public ColumnFile {
 public:
  explicit MpiColumnFile(const FileSite& site)
      : shared_(site.access == FileAccess::shared),
        removes_(!shared_ || site.team->is_root()),
        displacement_(shared_ ? site.team->rank() * site.column_byte : 0),
        path_(column_path(site)),
        cache_(site.cache) {
    if (shared_)
      open_together(site);
    else
      file_ = mpi::File(mpi::Communicator::self(), path_.string(), new_file, site.hints);
  }
  MpiColumnFile(const MpiColumnFile&) = delete;
  MpiColumnFile& operator=(const MpiColumnFile&) = delete;
  ~MpiColumnFile() override {
    static_cast<void>(measure::attempt([this] { file_.close(); }));
    if (removes_) end_file(path_, ending_);
  }

  void read(const Pieces& pieces, Complex* to) override {
    auto* memory = reinterpret_cast<std::byte*>(to);
    for (std::int64_t k = 0; k < pieces.count; ++k) {
      const std::int64_t offset = displacement_ + pieces.offset + k * pieces.distance;
      if (file_.read_at(offset, memory + k * pieces.bytes, pieces.bytes) != pieces.bytes)
        throw std::filesystem::filesystem_error("shorter than what was written", path_,
                                                std::make_error_code(std::errc::io_error));
    }
  }

  void write(const Pieces& pieces, const Complex* from) override {
    const auto* memory = reinterpret_cast<const std::byte*>(from);
    for (std::int64_t k = 0; k < pieces.count; ++k)
      file_.write_at(displacement_ + pieces.offset + k * pieces.distance, memory + k * pieces.bytes,
                     pieces.bytes);
  }

  void sync() override {
    file_.sync();
    if (cache_ == PageCache::drop) machine::drop_pages(path_);
  }

  void at_end(Ending ending) override { ending_ = ending; }
  [[nodiscard]] std::string implementation() const override { return mpi::io_implementation(file_); }

 private:
  /// A process whose file is open leaves it alone if another has none: closing would wait for that one.
  void open_together(const FileSite& site) {
    measure::require_path(*site.team, path_.parent_path());
    const auto own =
        measure::attempt([&] { file_ = mpi::File(*site.team, path_.string(), new_file, site.hints); });
    const auto failure = measure::agree(*site.team, own);
    if (!failure) return;
    file_.abandon();
    throw measure::SharedFailure(*failure);
  }

  bool shared_, removes_;
  std::int64_t displacement_;
  std::filesystem::path path_;
  PageCache cache_;
  mpi::File file_;
  Ending ending_ = Ending::removed;
};

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
      expect(machine::move_all([this](std::byte* at, std::size_t bytes,
                                      off_t offset) { return ::pread(descriptor_, at, bytes, offset); },
                               memory + k * pieces.bytes, pieces.bytes, pieces.offset + k * pieces.distance),
             "cannot read");
  }

  void write(const Pieces& pieces, const Complex* from) override {
    const auto* memory = reinterpret_cast<const std::byte*>(from);
    for (std::int64_t k = 0; k < pieces.count; ++k)
      expect(machine::move_all([this](const std::byte* at, std::size_t bytes,
                                      off_t offset) { return ::pwrite(descriptor_, at, bytes, offset); },
                               memory + k * pieces.bytes, pieces.bytes, pieces.offset + k * pieces.distance),
             "cannot write");
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

  void expect(int number, const char* what) const {
    if (number != 0) fail(what, number);
  }

  fs::path path_;
  PageCache cache_;
  int descriptor_ = -1;
  Ending ending_ = Ending::removed;
};

/// Files that pass the page cache by know blocks only.
void refuse_unless_aligned(const FileSite& site) {
  if (site.cache != PageCache::direct || whole_blocks(site.segment_byte / element_byte)) return;
  throw fs::filesystem_error(
      "direct access needs segments of whole blocks: an input parameter that is a multiple of 32 at least",
      site.directory, std::make_error_code(std::errc::invalid_argument));
}

std::unique_ptr<ColumnFile> open_posix_columns(const FileSite& site) {
  refuse_unless_aligned(site);
  return std::make_unique<PosixColumnFile>(site);
}

}  // namespace

fs::path column_path(const FileSite& site) {
  if (site.access == FileAccess::shared) return site.directory / (std::string(file_prefix) + "shared");
  char number[16];
  std::snprintf(number, sizeof number, "%06d", site.team->rank());
  return site.directory / (std::string(file_prefix) + number);
}

std::unique_ptr<ColumnFile> open_columns(const FileSite& site) {
  if (site.access == FileAccess::posix) return open_posix_columns(site);
  return std::make_unique<MpiColumnFile>(site);
}

void Meter::read(ColumnFile& file, const Pieces& pieces, Complex* to) {
  const double start_s = now_s();
  file.read(pieces, to);
  sums_->io_s += now_s() - start_s;
  sums_->traffic += {pieces.total_byte(), 0, pieces.count};
}

void Meter::write(ColumnFile& file, const Pieces& pieces, const Complex* from) {
  const double start_s = now_s();
  file.write(pieces, from);
  sums_->io_s += now_s() - start_s;
  sums_->traffic += {0, pieces.total_byte(), pieces.count};
}

void Meter::sync(ColumnFile& file) {
  const double start_s = now_s();
  file.sync();
  sums_->io_s += now_s() - start_s;
}

}  // namespace steelyard::ftio
