// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/io/transfers.hpp"

#include <algorithm>

namespace steelyard::imb {

TransfersAtOnce::TransfersAtOnce(const FilePoint& point, PointFile& file)
    : call_(start_call(point.action)),
      file_(&file),
      kernel_(point.kernel),
      products_(point.products),
      sections_(point.sections),
      section_byte_(point.own().bytes),
      requests_(point.slots, MPI_REQUEST_NULL),
      statuses_(point.slots) {}

int TransfersAtOnce::start(std::size_t i) noexcept {
  MPI_Offset at = 0;
  const int placed = file_->next(at);
  std::byte* const data = file_->data() + static_cast<std::int64_t>(i) % sections_ * section_byte_;
  return first_of(placed, call_(file_->handle(), at, data, file_->count(), file_->type(), &requests_[i]));
}

// More than there are places for go in several turns.
int TransfersAtOnce::run(std::uint64_t count) noexcept {
  int code = MPI_SUCCESS;
  while (count > 0) {
    const auto turn = std::min<std::uint64_t>(count, requests_.size());
    for (std::size_t i = 0; i < turn; ++i) code = first_of(code, start(i));
    kernel_->multiply(products_ * turn);
    code = first_of(code, MPI_Waitall(static_cast<int>(turn), requests_.data(), statuses_.data()));
    *file_->status() = statuses_[turn - 1];
    count -= turn;
  }
  return code;
}

}  // namespace steelyard::imb
