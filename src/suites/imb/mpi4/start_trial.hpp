// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "suites/imb/collectives.hpp"
#include "suites/imb/point.hpp"

/// Trial of persistent collectives on the processes that will measure them: an MPI library may fail at a later start of
/// a request on some of them, while the others wait in it for ever.
namespace steelyard::imb {

/// Makes a request for a point, root 0; the arguments that MPI may still look at live as long as the result.
using MakeRequest = std::shared_ptr<const void> (*)(const Point& point, MPI_Request* request, int& error);

template <class Collective, auto make>
[[nodiscard]] std::shared_ptr<const void> made_request(const Point& point, MPI_Request* request, int& error) {
  auto collective = std::make_shared<const Collective>(point);
  const Turn turn{point.send.base, point.receive.base, 0};
  error = collective->call(make, turn, MPI_INFO_NULL, request);
  return collective;
}

/// Starts a small request of the point's benchmark three times, once for every point.trial; without one nothing is
/// tried. Throws measure::SharedFailure, `unsupported` where MPI fails; the point's group can still be used then.
/// Collective over the group.
void require_starts(const Point& point, MakeRequest make);

}  // namespace steelyard::imb
