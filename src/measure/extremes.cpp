// SPDX-License-Identifier: Apache-2.0
#include "measure/extremes.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <bit>

#include "mpi/error.hpp"
#include "mpi/transfer.hpp"

namespace steelyard::measure {
namespace {

using Packed = std::array<double, sizeof(Extremes) / sizeof(double)>;

std::optional<double> unless_absent(double value) {
  if (value <= 0) return std::nullopt;
  return value;
}

}  // namespace

void Extremes::set(const stats::Probe& probe) {
  c2c_s = probe.c2c_s.value_or(absent);
  chain_s = probe.chain_s.value_or(absent);
  wide_s = probe.wide_s.value_or(absent);
}

stats::Probe Extremes::probe() const {
  return {unless_absent(c2c_s), unless_absent(chain_s), unless_absent(wide_s)};
}

void Extremes::add(const Extremes& other) {
  failed = std::max(failed, other.failed);
  c2c_s = std::max(c2c_s, other.c2c_s);
  chain_s = std::max(chain_s, other.chain_s);
  wide_s = std::max(wide_s, other.wide_s);
  waited_s += other.waited_s;
  switches += other.switches;
  faults += other.faults;
  migrated = std::max(migrated, other.migrated);
  late += other.late;
}

std::optional<int> Extremes::failed_rank(const mpi::Communicator& active) const {
  if (failed <= 0) return std::nullopt;
  return active.size() - static_cast<int>(failed);
}

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
