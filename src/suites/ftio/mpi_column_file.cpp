// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <filesystem>

#include "machine/file_pages.hpp"
#include "measure/failure.hpp"
#include "suites/ftio/column_file.hpp"

namespace steelyard::ftio {
namespace {

constexpr int new_file = MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR;

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

}  // namespace

std::unique_ptr<ColumnFile> open_mpi_columns(const FileSite& site) {
  return std::make_unique<MpiColumnFile>(site);
}

}  // namespace steelyard::ftio
