// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "measure/first_error.hpp"
#include "suites/imb/io/calls.hpp"
#include "suites/imb/io/point_file.hpp"

/// The operations of IMB-IO: what happens in one repetition. Each is made from a point and its open file, and
/// answers MPI's return code.
namespace steelyard::imb {

/// Waits for a transfer and answers its error. MPI_Wait of Open MPI 4.1 ends the process when a transfer of
/// OMPIO has failed, so that its status is asked for first.
[[nodiscard]] int finish(MPI_Request& request, MPI_Status& status) noexcept;

/// One blocking transfer. Of reads and of writes in aggregate mode.
class BlockingTransfer {
 public:
  BlockingTransfer(const FilePoint& point, PointFile& file)
      : call_(blocking_call(point.action)), file_(&file) {}
  int operator()(std::uint64_t) noexcept {
    MPI_Offset at = 0;
    int error = MPI_SUCCESS;
    measure::keep_first(error, file_->next(at));
    measure::keep_first(
        error, call_(file_->handle(), at, file_->data(), file_->count(), file_->type(), file_->status()));
    return error;
  }

 private:
  BlockingCall call_;
  PointFile* file_;
};

/// The same, completed each time: writes in non-aggregate mode.
class CompletedTransfer {
 public:
  CompletedTransfer(const FilePoint& point, PointFile& file) : transfer_(point, file), file_(&file) {}
  int operator()(std::uint64_t i) noexcept {
    int error = transfer_(i);
    measure::keep_first(error, file_->complete());
    return error;
  }

 private:
  BlockingTransfer transfer_;
  PointFile* file_;
};

/// Initiate, compute, wait [001 section 4.2.5].
class OverlappedTransfer {
 public:
  OverlappedTransfer(const FilePoint& point, PointFile& file)
      : call_(start_call(point.action)), file_(&file), kernel_(point.kernel), products_(point.products) {}
  int operator()(std::uint64_t) noexcept {
    MPI_Offset at = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    int error = MPI_SUCCESS;
    measure::keep_first(error, file_->next(at));
    measure::keep_first(error,
                        call_(file_->handle(), at, file_->data(), file_->count(), file_->type(), &request));
    kernel_->multiply(products_);
    measure::keep_first(error, finish(request, *file_->status()));
    return error;
  }

 private:
  StartCall call_;
  PointFile* file_;
  MatrixVector* kernel_;
  std::uint64_t products_;
};

/// The same by a split collective call.
class SplitTransfer {
 public:
  SplitTransfer(const FilePoint& point, PointFile& file)
      : call_(split_call(point.action)), file_(&file), kernel_(point.kernel), products_(point.products) {}
  int operator()(std::uint64_t) noexcept {
    MPI_Offset at = 0;
    int error = MPI_SUCCESS;
    measure::keep_first(error, file_->next(at));
    const int begun = call_.begin(file_->handle(), at, file_->data(), file_->count(), file_->type());
    measure::keep_first(error, begun);
    kernel_->multiply(products_);
    // What has not begun cannot be waited for.
    if (begun == MPI_SUCCESS)
      measure::keep_first(error, call_.end(file_->handle(), file_->data(), file_->status()));
    return error;
  }

 private:
  SplitCall call_;
  PointFile* file_;
  MatrixVector* kernel_;
  std::uint64_t products_;
};

/// Later releases: all transfers are started, then everything is computed, then all are waited for.
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

}  // namespace steelyard::imb
