// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/io/point_file.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "measure/failure.hpp"
#include "mpi/environment.hpp"
#include "suites/imb/io/file_check.hpp"
#include "suites/imb/io/file_set.hpp"
#include "suites/imb/sides.hpp"
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

/// Open MPI's own MPI-IO ends the process when it waits for a transfer that has failed; MPICH's does not go
/// on with a transfer while it is only asked how it stands.
bool asks_before_it_waits() {
  static const bool open_mpi = mpi::library_version().starts_with("Open MPI");
  return open_mpi;
}

// Waits for a transfer and answers its error. MPI_Wait of Open MPI 4.1 ends the process when a transfer of
// OMPIO has failed, so that its status is asked for first.
int finish(MPI_Request& request, MPI_Status& status) noexcept {
  if (request == MPI_REQUEST_NULL) return MPI_SUCCESS;
  if (!asks_before_it_waits()) return mpi::noted(MPI_Wait(&request, &status), "MPI_Wait");
  int done = 0;
  int code = MPI_SUCCESS;
  status.MPI_ERROR = MPI_SUCCESS;
  while (done == 0 && code == MPI_SUCCESS) code = MPI_Request_get_status(request, &done, &status);
  if (code != MPI_SUCCESS || status.MPI_ERROR == MPI_SUCCESS) {
    int error = MPI_SUCCESS;
    keep_first(error, code);
    keep_first(error, MPI_Wait(&request, &status), "MPI_Wait");
    return error;
  }
  // The library's own codes are below 0 and have no class.
  code = status.MPI_ERROR < 0 ? MPI_ERR_IO : status.MPI_ERROR;
  MPI_Request_free(&request);
  return code;
}

// The operations of IMB-IO: what happens in one repetition. Each is made from a point and its open file, and
// answers MPI's return code.

/// MPI_File_write and its kin.
BlockingCall blocking_call(const FileAction& action) {
  if (action.writes()) return (action.together() ? writes_together : writes)[row(action)];
  return (action.together() ? reads_together : reads)[row(action)];
}

// One blocking transfer. Of reads and of writes in aggregate mode.
class BlockingTransfer {
 public:
  BlockingTransfer(const FilePoint& point, PointFile& file)
      : call_(blocking_call(point.action)), file_(&file) {}
  int operator()(std::uint64_t) noexcept {
    MPI_Offset at = 0;
    int error = MPI_SUCCESS;
    keep_first(error, file_->next(at));
    keep_first(error,
               call_(file_->handle(), at, file_->data(), file_->count(), file_->type(), file_->status()));
    return error;
  }

 private:
  BlockingCall call_;
  PointFile* file_;
};

// The same, completed each time: writes in non-aggregate mode.
class CompletedTransfer {
 public:
  CompletedTransfer(const FilePoint& point, PointFile& file) : transfer_(point, file), file_(&file) {}
  int operator()(std::uint64_t i) noexcept {
    int error = transfer_(i);
    keep_first(error, file_->complete());
    return error;
  }

 private:
  BlockingTransfer transfer_;
  PointFile* file_;
};

/// MPI_File_iwrite and its kin, of actions that are not collective.
StartCall start_call(const FileAction& action) {
  return (action.writes() ? write_starts : read_starts)[row(action)];
}

// Initiate, compute, wait (IMB 3.1 User's Guide, 4.2.5).
class OverlappedTransfer {
 public:
  OverlappedTransfer(const FilePoint& point, PointFile& file)
      : call_(start_call(point.action)), file_(&file), kernel_(point.kernel), products_(point.products) {}
  int operator()(std::uint64_t) noexcept {
    MPI_Offset at = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    int error = MPI_SUCCESS;
    keep_first(error, file_->next(at));
    keep_first(error, call_(file_->handle(), at, file_->data(), file_->count(), file_->type(), &request));
    kernel_->multiply(products_);
    keep_first(error, finish(request, *file_->status()));
    return error;
  }

 private:
  StartCall call_;
  PointFile* file_;
  MatrixVector* kernel_;
  std::uint64_t products_;
};

SplitCall split_call(const FileAction& action) {
  return (action.writes() ? write_splits : read_splits)[row(action)];
}

// The same by a split collective call.
class SplitTransfer {
 public:
  SplitTransfer(const FilePoint& point, PointFile& file)
      : call_(split_call(point.action)), file_(&file), kernel_(point.kernel), products_(point.products) {}
  int operator()(std::uint64_t) noexcept {
    MPI_Offset at = 0;
    int error = MPI_SUCCESS;
    keep_first(error, file_->next(at));
    const int begun = call_.begin(file_->handle(), at, file_->data(), file_->count(), file_->type());
    keep_first(error, begun);
    kernel_->multiply(products_);
    // What has not begun cannot be waited for.
    if (begun == MPI_SUCCESS) keep_first(error, call_.end(file_->handle(), file_->data(), file_->status()));
    return error;
  }

 private:
  SplitCall call_;
  PointFile* file_;
  MatrixVector* kernel_;
  std::uint64_t products_;
};

// Later releases: all transfers are started, then everything is computed, then all are waited for.
class TransfersAtOnce {
 public:
  TransfersAtOnce(const FilePoint& point, PointFile& file)
      : call_(start_call(point.action)),
        file_(&file),
        kernel_(point.kernel),
        products_(point.products),
        sections_(point.sections),
        section_byte_(point.own().bytes),
        requests_(point.slots, MPI_REQUEST_NULL) {}
  // More than there are places for go in several turns.
  int run(std::uint64_t count) noexcept {
    int error = MPI_SUCCESS;
    while (count > 0) {
      const auto turn = std::min<std::uint64_t>(count, requests_.size());
      for (std::size_t i = 0; i < turn; ++i) keep_first(error, start(i));
      kernel_->multiply(products_ * turn);
      for (std::size_t i = 0; i < turn; ++i) keep_first(error, finish(requests_[i], *file_->status()));
      count -= turn;
    }
    return error;
  }
  int operator()(std::uint64_t) noexcept { return run(1); }

 private:
  int start(std::size_t i) noexcept {
    MPI_Offset at = 0;
    int error = MPI_SUCCESS;
    keep_first(error, file_->next(at));
    std::byte* const data = file_->data() + static_cast<std::int64_t>(i) % sections_ * section_byte_;
    keep_first(error, call_(file_->handle(), at, data, file_->count(), file_->type(), &requests_[i]));
    return error;
  }

  StartCall call_;
  PointFile* file_;
  MatrixVector* kernel_;
  std::uint64_t products_;
  std::int64_t sections_, section_byte_;
  std::vector<MPI_Request> requests_;  // as many as may be under way
};

// The length of the computation beside a transfer changes nothing of what it moves.
template <class Op>
measure::CheckResult check(const FilePoint& point, std::uint64_t repetitions,
                           const std::function<std::int64_t()>& guards) {
  FilePoint brief = point;
  brief.products = std::min<std::uint64_t>(point.products, 1);
  const auto one = [&](PointFile& file, std::uint64_t i) { return Op(brief, file)(i); };
  auto result = check_file(point, repetitions, one, guards);
  fill_elements(point.rank(), 0, {point.data, static_cast<std::size_t>(point.own().bytes)});
  return result;
}

template <class Op>
class FileWorkload final : public measure::Workload {
 public:
  FileWorkload(const FilePoint& point, std::function<std::int64_t()> guards)
      : point_(point),
        guards_(std::move(guards)),
        file_(PointFile::open(point_, point_.path)),
        loop_(Op(point_, *file_)) {}

  int run(std::uint64_t first, std::uint64_t count) noexcept override { return loop_.run(first, count); }

  // Each transfer of the non-aggregate mode is complete already.
  int complete() noexcept override {
    if constexpr (std::is_same_v<Op, CompletedTransfer>) return MPI_SUCCESS;
    return file_->complete();
  }

  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override {
    using Transfer = std::conditional_t<std::is_same_v<Op, CompletedTransfer>, BlockingTransfer, Op>;
    return check<Transfer>(point_, repetitions, guards_);
  }

 private:
  FilePoint point_;
  std::function<std::int64_t()> guards_;
  std::unique_ptr<PointFile> file_;
  measure::Loop<Op> loop_;
};

// Not a loop over single operations: all are started before the first is waited for.
class AtOnce final : public measure::Workload {
 public:
  AtOnce(const FilePoint& point, std::function<std::int64_t()> guards)
      : point_(point),
        guards_(std::move(guards)),
        file_(PointFile::open(point_, point_.path)),
        transfers_(point_, *file_) {}

  int run(std::uint64_t, std::uint64_t count) noexcept override { return transfers_.run(count); }
  int complete() noexcept override { return file_->complete(); }
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override {
    return check<TransfersAtOnce>(point_, repetitions, guards_);
  }

 private:
  FilePoint point_;
  std::function<std::int64_t()> guards_;
  std::unique_ptr<PointFile> file_;
  TransfersAtOnce transfers_;
};

class OpenClose {
 public:
  explicit OpenClose(const FilePoint& point)
      : comm_(point.file_comm->get()), path_(point.path.string()), info_(mpi::make_info(point.hints)) {}
  int operator()(std::uint64_t) noexcept {
    MPI_File file = MPI_FILE_NULL;
    const int access = MPI_MODE_CREATE | MPI_MODE_RDWR;
    const int opened = MPI_File_open(comm_, path_.c_str(), access, info_.get(), &file);
    if (opened != MPI_SUCCESS) return opened;
    int error = MPI_SUCCESS;
    keep_first(error, MPI_File_write(file, &byte_, 1, MPI_BYTE, MPI_STATUS_IGNORE), "MPI_File_write");
    keep_first(error, MPI_File_close(&file), "MPI_File_close");
    return error;
  }

 private:
  MPI_Comm comm_;
  std::string path_;
  mpi::InfoHandle info_;
  char byte_ = 1;
};

class Bundled final : public measure::Workload {
 public:
  Bundled(std::unique_ptr<measure::Workload> workload, std::uint64_t bundle)
      : workload_(std::move(workload)), bundle_(bundle) {}
  int run(std::uint64_t first, std::uint64_t count) noexcept override {
    int error = MPI_SUCCESS;
    for (std::uint64_t i = first; i != first + count; ++i) {
      keep_first(error, workload_->run(i * bundle_, bundle_));
      keep_first(error, workload_->complete());
    }
    return error;
  }
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override {
    return workload_->verify(repetitions);
  }

 private:
  std::unique_ptr<measure::Workload> workload_;
  std::uint64_t bundle_;
};

}  // namespace

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

std::unique_ptr<measure::Workload> open_file_workload(const FilePoint& point,
                                                      const std::function<std::int64_t()>& guards) {
  const auto& action = point.action;
  if (action.blocks() && point.mode == Mode::non_aggregate)
    return measure::make_workload<FileWorkload<CompletedTransfer>>(point, guards);
  if (action.blocks()) return measure::make_workload<FileWorkload<BlockingTransfer>>(point, guards);
  if (action.together()) return measure::make_workload<FileWorkload<SplitTransfer>>(point, guards);
  if (point.version == Version::v2021) return measure::make_workload<AtOnce>(point, guards);
  return measure::make_workload<FileWorkload<OverlappedTransfer>>(point, guards);
}

std::unique_ptr<measure::Workload> open_close_workload(const FilePoint& point) {
  return measure::make_workload<measure::Loop<OpenClose>>(OpenClose(point));
}

std::unique_ptr<measure::Workload> bundled(std::unique_ptr<measure::Workload> workload,
                                           std::uint64_t bundle) {
  return measure::make_workload<Bundled>(std::move(workload), bundle);
}

}  // namespace steelyard::imb
