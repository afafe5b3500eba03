// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/io/transfers.hpp"

#include <algorithm>

#include "mpi/environment.hpp"

namespace steelyard::imb {
namespace {

using measure::keep_first;

/// Open MPI's own MPI-IO ends the process when it waits for a transfer that has failed; MPICH's does not go
/// on with a transfer while it is only asked how it stands.
bool asks_before_it_waits() {
  static const bool open_mpi = mpi::library_version().starts_with("Open MPI");
  return open_mpi;
}

}  // namespace

int finish(MPI_Request& request, MPI_Status& status) noexcept {
  if (request == MPI_REQUEST_NULL) return MPI_SUCCESS;
  if (!asks_before_it_waits()) return MPI_Wait(&request, &status);
  int done = 0;
  int code = MPI_SUCCESS;
  status.MPI_ERROR = MPI_SUCCESS;
  while (done == 0 && code == MPI_SUCCESS) code = MPI_Request_get_status(request, &done, &status);
  if (code != MPI_SUCCESS || status.MPI_ERROR == MPI_SUCCESS) {
    int error = MPI_SUCCESS;
    keep_first(error, code);
    keep_first(error, MPI_Wait(&request, &status));
    return error;
  }
  // The library's own codes are below 0 and have no class.
  code = status.MPI_ERROR < 0 ? MPI_ERR_IO : status.MPI_ERROR;
  MPI_Request_free(&request);
  return code;
}

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

}  // namespace steelyard::imb
