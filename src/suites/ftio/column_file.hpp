// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "measure/clock.hpp"
#include "mpi/communicator.hpp"
#include "mpi/file.hpp"
#include "suites/ftio/settings.hpp"

/// Files with the columns of a process. Source: FTIO paper, 3.5.
namespace steelyard::ftio {

/// `count` pieces of the same length at equal distances in the file, one after the other in memory. Each is
/// one call.
struct Pieces {
  std::int64_t offset = 0, bytes = 0;
  std::int64_t count = 1, distance = 0;
  [[nodiscard]] std::int64_t total_byte() const { return bytes * count; }
};

/// Place of the files of a run, and how they are made.
struct FileSite {
  const mpi::Communicator* team = nullptr;
  std::filesystem::path directory;
  FileAccess access = FileAccess::posix;
  PageCache cache = PageCache::keep;
  mpi::Hints hints = {};
  std::int64_t column_byte = 0;   // of one process
  std::int64_t segment_byte = 0;  // of the shortest call
};

/// Fate of a file when it is closed: it is removed, or moved beside the directory that is removed at the end.
enum class Ending { removed, kept };

/// Beginning of all names.
inline constexpr std::string_view file_prefix = "ftio.";

/// Columns of this process in an open file; offset 0 is its first element. Reads and writes are
/// independent of other processes; sync, the destructor and the making of one are collective where
/// processes share a file. What goes wrong is thrown as std::filesystem::filesystem_error or mpi::Error on
/// the process where it happens.
class ColumnFile {
 public:
  virtual ~ColumnFile() = default;
  virtual void read(const Pieces& pieces, Complex* to) = 0;
  virtual void write(const Pieces& pieces, const Complex* from) = 0;
  /// Brings data to the disk, and out of memory where that was asked for.
  virtual void sync() = 0;
  virtual void at_end(Ending ending) = 0;
  /// Implementation of MPI-IO: OMPIO, ROMIO; empty without MPI-IO.
  [[nodiscard]] virtual std::string implementation() const { return {}; }
};

/// Makes a new file; one of that name must not exist. Collective. Throws measure::SharedFailure where
/// processes share it.
[[nodiscard]] std::unique_ptr<ColumnFile> open_columns(const FileSite& site);

/// Path of the file that holds the columns of this process: ftio.000003, or ftio.shared.
[[nodiscard]] std::filesystem::path column_path(const FileSite& site);

/// Work of a process while others wait for it in collective calls: after the first failure it does nothing
/// more with its file, but goes on communicating.
class Effort {
 public:
  /// Acts unless something has failed before.
  template <class Act>
  void operator()(Act&& act) noexcept {
    if (!failure_) always(std::forward<Act>(act));
  }
  template <class Act>
  void always(Act&& act) noexcept {
    try {
      act();
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
  }
  [[nodiscard]] bool failed() const { return failure_ != nullptr; }
  [[noreturn]] void rethrow() const { std::rethrow_exception(failure_); }

 private:
  std::exception_ptr failure_;
};

/// Times and traffic of one process in one phase.
struct PhaseSums {
  double time_s = 0;  // between the barriers
  double io_s = 0, communication_s = 0;
  Traffic traffic;
};

/// Meter of one process, which times and counts its own calls.
class Meter {
 public:
  void begin(PhaseSums& sums) { sums_ = &sums; }
  void read(ColumnFile& file, const Pieces& pieces, Complex* to);
  void write(ColumnFile& file, const Pieces& pieces, const Complex* from);
  void sync(ColumnFile& file);
  /// Counts the time of act() as communication.
  template <class Act>
  void communicate(Act&& act) {
    const double start_s = now_s();
    act();
    sums_->communication_s += now_s() - start_s;
  }
  [[nodiscard]] double now_s() const { return clock_.seconds(clock_.now()); }

 private:
  measure::MonoSource clock_;
  PhaseSums* sums_ = nullptr;
};

}  // namespace steelyard::ftio
