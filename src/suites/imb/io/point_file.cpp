// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/io/point_file.hpp"

#include <type_traits>

#include "measure/failure.hpp"
#include "measure/workload.hpp"
#include "suites/imb/io/file_set.hpp"
#include "suites/imb/workloads.hpp"

namespace steelyard::imb {
namespace {

using measure::keep_first;

// A block of most file systems: less than a row has asked for, because its own files may have taken of that.
constexpr std::int64_t pointer_file_byte = 16384;

// Transfer, or its start, by `function`, which takes the offset or goes by a pointer of the file; errors bear `name`.
template <auto function, Name name, class... Last>
int transfer(MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type, Last... last) {
  if constexpr (std::is_invocable_v<decltype(function), MPI_File, MPI_Offset, void*, int, MPI_Datatype,
                                    Last...>)
    return mpi::noted(function(file, at, data, count, type, last...), name.text);
  else
    return mpi::noted(function(file, data, count, type, last...), name.text);
}
template <auto begin, Name name_of_begin, auto end, Name name_of_end>
constexpr SplitCall split{transfer<begin, name_of_begin>, [](MPI_File file, void* data, MPI_Status* status) {
                            return mpi::noted(end(file, data, status), name_of_end.text);
                          }};

// Calls by pointer: individual, explicit, shared.
constexpr BlockingCall writes[] = {
    transfer<MPI_File_write, "MPI_File_write">,
    transfer<MPI_File_write_at, "MPI_File_write_at">,
    transfer<MPI_File_write_shared, "MPI_File_write_shared">,
};
constexpr BlockingCall writes_together[] = {
    transfer<MPI_File_write_all, "MPI_File_write_all">,
    transfer<MPI_File_write_at_all, "MPI_File_write_at_all">,
    transfer<MPI_File_write_ordered, "MPI_File_write_ordered">,
};
constexpr StartCall write_starts[] = {
    transfer<MPI_File_iwrite, "MPI_File_iwrite">,
    transfer<MPI_File_iwrite_at, "MPI_File_iwrite_at">,
    transfer<MPI_File_iwrite_shared, "MPI_File_iwrite_shared">,
};
constexpr SplitCall write_splits[] = {
    split<MPI_File_write_all_begin, "MPI_File_write_all_begin", MPI_File_write_all_end,
          "MPI_File_write_all_end">,
    split<MPI_File_write_at_all_begin, "MPI_File_write_at_all_begin", MPI_File_write_at_all_end,
          "MPI_File_write_at_all_end">,
    split<MPI_File_write_ordered_begin, "MPI_File_write_ordered_begin", MPI_File_write_ordered_end,
          "MPI_File_write_ordered_end">,
};
constexpr BlockingCall reads[] = {
    transfer<MPI_File_read, "MPI_File_read">,
    transfer<MPI_File_read_at, "MPI_File_read_at">,
    transfer<MPI_File_read_shared, "MPI_File_read_shared">,
};
constexpr BlockingCall reads_together[] = {
    transfer<MPI_File_read_all, "MPI_File_read_all">,
    transfer<MPI_File_read_at_all, "MPI_File_read_at_all">,
    transfer<MPI_File_read_ordered, "MPI_File_read_ordered">,
};
constexpr StartCall read_starts[] = {
    transfer<MPI_File_iread, "MPI_File_iread">,
    transfer<MPI_File_iread_at, "MPI_File_iread_at">,
    transfer<MPI_File_iread_shared, "MPI_File_iread_shared">,
};
constexpr SplitCall read_splits[] = {
    split<MPI_File_read_all_begin, "MPI_File_read_all_begin", MPI_File_read_all_end, "MPI_File_read_all_end">,
    split<MPI_File_read_at_all_begin, "MPI_File_read_at_all_begin", MPI_File_read_at_all_end,
          "MPI_File_read_at_all_end">,
    split<MPI_File_read_ordered_begin, "MPI_File_read_ordered_begin", MPI_File_read_ordered_end,
          "MPI_File_read_ordered_end">,
};

std::size_t row(const FileAction& action) {
  return static_cast<std::size_t>(action.pointer);
}

}  // namespace

BlockingCall blocking_call(const FileAction& action) {
  if (action.writes()) return (action.together() ? writes_together : writes)[row(action)];
  return (action.together() ? reads_together : reads)[row(action)];
}

StartCall start_call(const FileAction& action) {
  return (action.writes() ? write_starts : read_starts)[row(action)];
}

SplitCall split_call(const FileAction& action) {
  return (action.writes() ? write_splits : read_splits)[row(action)];
}

std::string call_name(const FileAction& action) {
  constexpr std::string_view alone[] = {"", "_at", "_shared"};
  constexpr std::string_view together[] = {"_all", "_at_all", "_ordered"};
  std::string name = "MPI_File_";
  if (!action.blocks() && !action.together()) name += "i";
  name += action.writes() ? "write" : "read";
  name += (action.together() ? together : alone)[row(action)];
  return name + (!action.blocks() && action.together() ? "_begin" : "");
}

// The file.

mpi::DatatypeHandle tile(const Portion& own, Bytes size) {
  mpi::DatatypeHandle result;
  if (own.bytes == 0) return result;
  const mpi::Transfer part(own.bytes, MPI_BYTE);
  const int count = part.count();
  const MPI_Aint start = own.start;
  const MPI_Datatype type = part.type();
  mpi::DatatypeHandle placed;
  mpi::check(MPI_Type_create_struct(1, &count, &start, &type, placed.put()), "MPI_Type_create_struct");
  mpi::check(MPI_Type_create_resized(placed.get(), 0, size.count(), result.put()), "MPI_Type_create_resized");
  mpi::check(MPI_Type_commit(result.put()), "MPI_Type_commit");
  return result;
}

PointFile::PointFile(const FilePoint& point)
    : action_(point.action),
      comm_(point.file_comm->get()),
      transfer_(point.own().bytes, MPI_BYTE, point.longest_byte),
      data_(point.data),
      step_(point.step()),
      slots_(point.slots),
      portion_byte_(point.own().bytes) {
  if (point.action.tiled()) tile_ = tile(point.own(), point.size);
  if (point.action.pointer == Pointer::explicit_offset) first_ = point.own().start;
}

// The row has asked for room before what it prepares, which takes seconds; MPICH ends all processes where the
// file of the pointer cannot be written.
void PointFile::refuse_without_pointer(const FilePoint& point, const std::filesystem::path& path) {
  if (point.action.pointer != Pointer::shared) return;
  measure::all_or_none(point.team->active, [&] {
    const auto room = room_byte(path.parent_path());
    if (!room || *room >= pointer_file_byte) return;
    throw std::filesystem::filesystem_error("no room for a shared file pointer", path,
                                            std::make_error_code(std::errc::no_space_on_device));
  });
}

std::unique_ptr<PointFile> PointFile::open(const FilePoint& point, const std::filesystem::path& path) {
  refuse_without_pointer(point, path);
  std::unique_ptr<PointFile> result;
  const auto& active = point.team->active;
  const auto opened = measure::agree(active, measure::attempt([&] {
                                       result.reset(new PointFile(point));
                                       result->open_file(point, path);
                                     }));
  if (opened) {
    // Closing is collective: a process whose partners have no file must not wait for them.
    if (result && !point.action.own_file()) result->file_.abandon();
    throw measure::SharedFailure(*opened);
  }
  const auto prepared = measure::agree(active, measure::attempt([&] {
                                         result->set_view(point);
                                         result->refuse_short_file(point);
                                       }));
  if (prepared) throw measure::SharedFailure(*prepared);
  return result;
}

// A file that is read must be there: one that vanished is not made anew.
void PointFile::open_file(const FilePoint& point, const std::filesystem::path& path) {
  const int access = MPI_MODE_RDWR | (action_.writes() ? MPI_MODE_CREATE : 0);
  file_ = mpi::File(*point.file_comm, path.string(), access, point.hints);
}

void PointFile::set_view(const FilePoint& point) {
  const auto type = tile_.get() != MPI_DATATYPE_NULL ? tile_.get() : MPI_BYTE;
  file_.set_view(0, MPI_BYTE, type, point.hints);
  // ROMIO names the file of the shared pointer by the second: what was opened in the same one shares the
  // pointer.
  if (action_.pointer == Pointer::shared) file_.seek_shared(0);
  if (action_.pointer == Pointer::shared && point.interleaved) slot_ = slots_;
}

// A read behind the end of a file is no error to MPI.
void PointFile::refuse_short_file(const FilePoint& point) const {
  if (action_.writes()) return;
  const auto needed = static_cast<std::int64_t>(point.slots) * point.step();
  const auto found = static_cast<std::int64_t>(file_.size());
  if (found >= needed) return;
  throw std::filesystem::filesystem_error("the file has " + std::to_string(found) + " byte, not " +
                                              std::to_string(needed) + ": it was replaced or cut",
                                          point.path,
                                          std::make_error_code(std::errc::no_such_file_or_directory));
}

int PointFile::rewind() noexcept {
  slot_ = 0;
  if (action_.pointer == Pointer::individual)
    return mpi::noted(MPI_File_seek(handle(), 0, MPI_SEEK_SET), "MPI_File_seek");
  return action_.pointer == Pointer::shared ? rewind_shared() : MPI_SUCCESS;
}

// The pointer must not move before everybody has made its last transfer, nor anybody transfer before it has
// moved: who then reads behind the end of the file never returns from a non-blocking read of OMPIO.
int PointFile::rewind_shared() noexcept {
  int error = MPI_SUCCESS;
  keep_first(error, MPI_Barrier(comm_), "MPI_Barrier");
  keep_first(error, MPI_File_seek_shared(handle(), 0, MPI_SEEK_SET), "MPI_File_seek_shared");
  keep_first(error, MPI_Barrier(comm_), "MPI_Barrier");
  return error;
}

// Checks that the last transfer was whole, which some libraries tell in the status alone: what was
// short once stays so.
int PointFile::look_at_last_transfer() noexcept {
  if (!moved_) return MPI_SUCCESS;
  MPI_Count moved = 0;
  const int told = MPI_Get_elements_x(&status_, MPI_BYTE, &moved);
  if (told != MPI_SUCCESS || moved == portion_byte_) return told;
  return action_.writes() ? MPI_ERR_NO_SPACE : MPI_ERR_IO;
}

int PointFile::complete() noexcept {
  int error = MPI_SUCCESS;
  keep_first(error, look_at_last_transfer());
  if (!action_.writes()) return error;
  keep_first(error, MPI_File_sync(handle()), "MPI_File_sync");
  keep_first(error, MPI_Barrier(comm_), "MPI_Barrier");
  keep_first(error, MPI_File_sync(handle()), "MPI_File_sync");
  return error;
}

}  // namespace steelyard::imb
