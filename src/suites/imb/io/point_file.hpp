// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "measure/engine.hpp"
#include "measure/workload.hpp"
#include "mpi/file.hpp"
#include "mpi/handle.hpp"
#include "suites/imb/computation.hpp"
#include "suites/imb/definition.hpp"
#include "suites/imb/io/rules.hpp"

namespace steelyard::imb {

// Calls of MPI-IO by what a benchmark does. Offsets count where the pointer is explicit; calls that write the
// file only read from `data`.

using BlockingCall = int (*)(MPI_File, MPI_Offset, void* data, int count, MPI_Datatype, MPI_Status*);
using StartCall = int (*)(MPI_File, MPI_Offset, void* data, int count, MPI_Datatype, MPI_Request*);
using BeginCall = int (*)(MPI_File, MPI_Offset, void* data, int count, MPI_Datatype);
using EndCall = int (*)(MPI_File, void* data, MPI_Status*);

/// MPI_File_write_all_begin and _end and their kin, of collective actions.
struct SplitCall {
  BeginCall begin = nullptr;
  EndCall end = nullptr;
};

/// Name of the call that an action makes, for messages: "MPI_File_write_at_all".
[[nodiscard]] std::string call_name(const FileAction& action);

/// Point of IMB-IO on one rank: what its workload is made from. Lives as long as the session.
struct FilePoint {
  FileAction action;
  Mode mode = Mode::aggregate;
  Version version = Version::v31;
  const measure::Team* team = nullptr;
  const mpi::Communicator* file_comm = nullptr;  // the group, or this process alone
  std::filesystem::path path;
  mpi::Hints hints;
  Bytes size;
  std::uint64_t slots = 1;  // repetitions with a place of their own in the file
  std::int64_t longest_byte = std::numeric_limits<int>::max();  // of a call that counts bytes
  bool interleaved = false;  // with other points, whose files are open at the same time
  std::byte* data = nullptr;
  std::int64_t sections = 1;  // of `data`: reads that are under way at the same time
  MatrixVector* kernel = nullptr;
  std::uint64_t products = 0;  // computed beside each transfer

  [[nodiscard]] int rank() const { return team->group.rank(); }
  [[nodiscard]] int processes() const { return team->group.size(); }
  [[nodiscard]] Portion own() const { return portion(action, size, processes(), rank()); }
  [[nodiscard]] std::int64_t step() const { return step_byte(action, size, processes()); }
};

/// File while the operations of a point run on it: opened on its communicator, view set, standing at the
/// first repetition. Functions marked `noexcept` are for timed regions.
class PointFile {
 public:
  /// Opens the file. Collective over all groups. Throws measure::SharedFailure on all ranks
  /// if it fails on one.
  [[nodiscard]] static std::unique_ptr<PointFile> open(const FilePoint& point,
                                                       const std::filesystem::path& path);

  /// Goes to the place of the next repetition; at the end of the places it goes back to the first one, which
  /// is collective for shared pointers.
  int next(MPI_Offset& at) noexcept {
    const int code = slot_ == slots_ ? rewind() : MPI_SUCCESS;
    at = first_ + static_cast<MPI_Offset>(slot_) * step_;
    ++slot_;
    moved_ = true;
    return code;
  }
  /// Assures completion of what was written (IMB 3.1 User's Guide, 4.2.2.2.1); of what was read, that the
  /// last transfer was not short. Collective over the file's communicator for writing actions.
  int complete() noexcept;
  /// Tells whether the last transfer was short. No communication.
  int look_at_last_transfer() noexcept;

  [[nodiscard]] MPI_File handle() const noexcept { return file_.get(); }
  [[nodiscard]] int count() const noexcept { return transfer_.count(); }
  [[nodiscard]] MPI_Datatype type() const noexcept { return transfer_.type(); }
  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] MPI_Status* status() noexcept { return &status_; }
  /// Closes and tells errors. Collective over the file's communicator.
  void close() { file_.close(); }

 private:
  explicit PointFile(const FilePoint& point);
  static void refuse_without_pointer(const FilePoint& point, const std::filesystem::path& path);
  void open_file(const FilePoint& point, const std::filesystem::path& path);
  void set_view(const FilePoint& point);
  void refuse_short_file(const FilePoint& point) const;
  int rewind() noexcept;
  int rewind_shared() noexcept;

  FileAction action_;
  MPI_Comm comm_;
  mpi::Transfer transfer_;
  mpi::DatatypeHandle tile_;
  mpi::File file_;
  std::byte* data_;
  MPI_Offset first_ = 0, step_ = 0;
  std::uint64_t slots_, slot_ = 0;
  std::int64_t portion_byte_;
  bool moved_ = false;
  MPI_Status status_{};
};

/// File type of one process where all have tiles in one file: its portion at its displacement, X long. A null
/// handle for a process without a portion.
[[nodiscard]] mpi::DatatypeHandle tile(const Portion& own, Bytes size);

/// Opens the file of a point, on all ranks of all groups at the same time, with the operation of its
/// benchmark. `guards` returns the number of bytes changed around the buffer since the last call. Throws
/// measure::SharedFailure on all ranks.
[[nodiscard]] std::unique_ptr<measure::Workload> open_file_workload(
    const FilePoint& point, const std::function<std::int64_t()>& guards);

/// Workload of MPI_File_open, one byte written by every process, MPI_File_close.
/// Source: IMB 3.1 User's Guide, 4.2.4.10.
[[nodiscard]] std::unique_ptr<measure::Workload> open_close_workload(const FilePoint& point);

/// Workload of `bundle` operations and their completion as one operation: for every schedule but IMB's own,
/// so that what is completed together is timed together.
[[nodiscard]] std::unique_ptr<measure::Workload> bundled(std::unique_ptr<measure::Workload> workload,
                                                         std::uint64_t bundle);

}  // namespace steelyard::imb
