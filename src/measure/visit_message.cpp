// SPDX-License-Identifier: Apache-2.0
#include "measure/visit_message.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <bit>

#include "mpi/error.hpp"
#include "mpi/transfer.hpp"

namespace steelyard::measure {
namespace {

using Packed = std::array<double, sizeof(Extremes) / sizeof(double)>;

}  // namespace

std::span<double> VisitMessage::values(std::size_t count) {
  count_ = count;
  own_.resize(count + tail);
  merged_.resize(count + tail);
  return {own_.data(), count};
}

void VisitMessage::merge(const mpi::Communicator& active, const Extremes& own) {
  std::ranges::copy(std::bit_cast<Packed>(own), own_.begin() + static_cast<std::ptrdiff_t>(count_));
  const int length = mpi::to_int(static_cast<std::int64_t>(own_.size()));
  mpi::check(MPI_Reduce(own_.data(), merged_.data(), length, MPI_DOUBLE, MPI_MAX, 0, active.get()),
             "MPI_Reduce");
}

Extremes VisitMessage::extremes() const {
  Packed packed{};
  std::ranges::copy(std::span(merged_).last(packed.size()), packed.begin());
  return std::bit_cast<Extremes>(packed);
}

void VisitMessage::keep(const Extremes& extremes) {
  std::ranges::copy(std::bit_cast<Packed>(extremes), merged_.end() - Packed{}.size());
}

}  // namespace steelyard::measure
