// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/ext/transfer.hpp"

#include <algorithm>

#include "mpi/environment.hpp"
#include "mpi/error.hpp"

namespace steelyard::imb {

// In version 5 nothing stands behind osc/rdma that makes a window of the user's memory without UCX.
std::string window_advice() {
  if (!mpi::library_version().starts_with("Open MPI v4")) return {};
  return "; 'mpiexec --mca osc ^rdma' makes windows in another way";
}

mpi::InfoHandle window_hints(const Settings& settings) {
  mpi::InfoHandle info;
  if (settings.hints.empty()) return info;
  mpi::check(MPI_Info_create(info.put()), "MPI_Info_create");
  for (const auto& [key, value] : settings.hints)
    mpi::check(MPI_Info_set(info.get(), key.c_str(), value.c_str()), "MPI_Info_set");
  return info;
}

Exposure::Exposure(const Point& point, const Area& area) {
  const auto info = window_hints(point.settings);
  mpi::check(MPI_Win_create(area.base, area.layout.slots.bytes, 1, info.get(), point.comm(), window_.put()),
             "MPI_Win_create");
  mpi::return_errors(window_.get());
  mpi::check(fence(), "MPI_Win_fence");
}

namespace {

Area first_sections(const Area& area, std::uint64_t count) {
  const auto bytes = static_cast<std::int64_t>(count) * area.layout.slots.offset;
  return {area.base, {bytes, {.offset = bytes, .slots = 1, .bytes = bytes}}};
}

}  // namespace

CheckedEpoch checked_epoch(const Point& point, std::uint64_t transfers) {
  CheckedEpoch epoch{.sides = point.checked_sides()};
  const auto& slots = point.receive.layout.slots;
  if (point.mode != Mode::aggregate || slots.offset != point.size.count()) return epoch;
  epoch.transfers = std::clamp<std::uint64_t>(transfers, 1, static_cast<std::uint64_t>(slots.slots));
  epoch.sides.send_slots = point.send.layout;
  epoch.sides.send = first_sections(point.send, epoch.transfers);
  epoch.sides.receive = first_sections(point.receive, epoch.transfers);
  return epoch;
}

}  // namespace steelyard::imb
