// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/ext/exposure.hpp"

#include "mpi/environment.hpp"
#include "mpi/error.hpp"

namespace steelyard::imb {

std::string window_advice() {
  if (!mpi::library_version().starts_with("Open MPI")) return {};
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
  mpi::check(MPI_Win_create(area.base, area.layout.slots.bytes, 1, info.get(), point.comm, window_.put()),
             "MPI_Win_create");
  mpi::check(MPI_Win_set_errhandler(window_.get(), MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  mpi::check(fence(), "MPI_Win_fence");
}

}  // namespace steelyard::imb
