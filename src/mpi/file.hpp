// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "mpi/communicator.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"

namespace steelyard::mpi {

/// Hints for files, in the order in which they were given.
using Hints = std::vector<std::pair<std::string, std::string>>;

/// Makes an info object; MPI_INFO_NULL for no hints. Throws Error (a key or value that is too long).
[[nodiscard]] InfoHandle make_info(const Hints& hints);
/// All pairs of an info object, in its order.
[[nodiscard]] Hints hints_of(MPI_Info info);

/// File of a communicator that returns errors and closes itself. Every call here throws Error with the MPI
/// call, class and text; timed regions use get() and MPI's own calls. MPI_File_open, close, set_view,
/// set_size, sync, seek_shared, set_info, set_atomicity are collective over the file's communicator, and so
/// are the destructor and the moves that close.
class File {
 public:
  File() = default;  // MPI_FILE_NULL
  File(const Communicator& comm, const std::string& name, int access_mode, const Hints& hints = {});

  [[nodiscard]] MPI_File get() const { return file_.get(); }
  [[nodiscard]] bool valid() const { return file_.get() != MPI_FILE_NULL; }
  /// Closes now and throws its error; does nothing for a closed file.
  void close();
  /// Forgets the file without closing it: for a rank whose file is open while others have none, because
  /// closing is collective.
  void abandon() { *file_.put() = MPI_FILE_NULL; }

  void set_view(MPI_Offset displacement, MPI_Datatype element, MPI_Datatype file_type,
                const Hints& hints = {});
  void set_size(MPI_Offset bytes);
  [[nodiscard]] MPI_Offset size() const;
  void sync();
  void seek_shared(MPI_Offset offset);
  void set_hints(const Hints& hints);
  /// Hints in force, the library's own defaults included.
  [[nodiscard]] Hints hints() const;

  /// Writes any number of bytes (in pieces below 2^30), blocking, at an explicit offset in elements of the
  /// view. A short write is an error of class MPI_ERR_NO_SPACE.
  void write_at(MPI_Offset offset, const void* data, std::int64_t bytes);
  /// Reads likewise. Returns the number of bytes; fewer than asked for only at the end of the file.
  [[nodiscard]] std::int64_t read_at(MPI_Offset offset, void* data, std::int64_t bytes);

  /// Writes and reads by one collective call, of less than 2^31 bytes.
  void write_at_all(MPI_Offset offset, const void* data, int bytes);
  [[nodiscard]] int read_at_all(MPI_Offset offset, void* data, int bytes);

 private:
  FileHandle file_;
};

/// Deletes a file by MPI_File_delete; returns true if there was such a file. Throws Error for any other reason.
bool delete_file(const std::string& name);

/// Implementation of MPI-IO behind an open file: "OMPIO", "ROMIO", or "unknown". Open MPI chooses one at run
/// time, by its component parameters and by file system.
[[nodiscard]] std::string io_implementation(const File& file);

}  // namespace steelyard::mpi
