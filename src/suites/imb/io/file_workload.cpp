// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/io/file_workload.hpp"

#include <algorithm>
#include <type_traits>

#include "suites/imb/io/file_check.hpp"
#include "suites/imb/io/transfers.hpp"

namespace steelyard::imb {
namespace {

// How long is computed beside a transfer changes nothing of what it moves.
FilePoint hardly_computing(FilePoint point) {
  point.products = std::min<std::uint64_t>(point.products, 1);
  return point;
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
    const auto checked = hardly_computing(point_);
    const auto one = [&](PointFile& file, std::uint64_t i) { return Op(checked, file)(i); };
    auto result = check_file(point_, repetitions, one, guards_);
    fill_elements(point_.rank(), 0, {point_.data, static_cast<std::size_t>(point_.own().bytes)});
    return result;
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
    const auto checked = hardly_computing(point_);
    const auto one = [&](PointFile& file, std::uint64_t i) { return TransfersAtOnce(checked, file)(i); };
    auto result = check_file(point_, repetitions, one, guards_);
    fill_elements(point_.rank(), 0, {point_.data, static_cast<std::size_t>(point_.own().bytes)});
    return result;
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
    measure::keep_first(error, MPI_File_write(file, &byte_, 1, MPI_BYTE, MPI_STATUS_IGNORE));
    measure::keep_first(error, MPI_File_close(&file));
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
      measure::keep_first(error, workload_->run(i * bundle_, bundle_));
      measure::keep_first(error, workload_->complete());
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
