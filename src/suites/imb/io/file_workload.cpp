// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/io/file_workload.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "mpi/environment.hpp"
#include "suites/imb/io/file_check.hpp"

namespace steelyard::imb {
namespace {

using measure::keep_first;

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
  TransfersAtOnce(const FilePoint& point, PointFile& file);
  int run(std::uint64_t count) noexcept;
  int operator()(std::uint64_t) noexcept { return run(1); }

 private:
  int start(std::size_t i) noexcept;

  StartCall call_;
  PointFile* file_;
  MatrixVector* kernel_;
  std::uint64_t products_;
  std::int64_t sections_, section_byte_;
  std::vector<MPI_Request> requests_;  // as many as may be under way
};

TransfersAtOnce::TransfersAtOnce(const FilePoint& point, PointFile& file)
    : call_(start_call(point.action)),
      file_(&file),
      kernel_(point.kernel),
      products_(point.products),
      sections_(point.sections),
      section_byte_(point.own().bytes),
      requests_(point.slots, MPI_REQUEST_NULL) {}

int TransfersAtOnce::start(std::size_t i) noexcept {
  MPI_Offset at = 0;
  int error = MPI_SUCCESS;
  keep_first(error, file_->next(at));
  std::byte* const data = file_->data() + static_cast<std::int64_t>(i) % sections_ * section_byte_;
  keep_first(error, call_(file_->handle(), at, data, file_->count(), file_->type(), &requests_[i]));
  return error;
}

// More than there are places for go in several turns.
int TransfersAtOnce::run(std::uint64_t count) noexcept {
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

std::unique_ptr<measure::Workload> open_file_workload(const FilePoint& point,
                                                      const std::function<std::int64_t()>& guards) {
  const auto& action = point.action;
  if (action.blocks() && point.mode == Mode::non_aggregate)
    return std::make_unique<FileWorkload<CompletedTransfer>>(point, guards);
  if (action.blocks()) return std::make_unique<FileWorkload<BlockingTransfer>>(point, guards);
  if (action.together()) return std::make_unique<FileWorkload<SplitTransfer>>(point, guards);
  if (point.version == Version::v2021) return std::make_unique<AtOnce>(point, guards);
  return std::make_unique<FileWorkload<OverlappedTransfer>>(point, guards);
}

std::unique_ptr<measure::Workload> open_close_workload(const FilePoint& point) {
  return std::make_unique<measure::Loop<OpenClose>>(OpenClose(point));
}

std::unique_ptr<measure::Workload> bundled(std::unique_ptr<measure::Workload> workload,
                                           std::uint64_t bundle) {
  return std::make_unique<Bundled>(std::move(workload), bundle);
}

}  // namespace steelyard::imb
