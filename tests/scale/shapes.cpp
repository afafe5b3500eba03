// SPDX-License-Identifier: Apache-2.0
// STEELYARD_TEST_SHAPE: 64 hosts on a network of this shape. All links are alike, in both directions:
//   torus       8 x 8, a host on each node; x before y
//   fat-tree    8 leaves of 8 hosts, 4 spines with a link to each leaf; the number of a message's target says by which one
//   dragonfly   4 groups of 2 chassis of 4 routers of 2 hosts; a link between two groups, its end at a router of the first
//               chassis (the simulator wants as many routers there as groups)
#include <array>
#include <stdexcept>

#include "tests/scale/platform.hpp"

using namespace steelyard::scale;
using simgrid::s4u::ClusterCallbacks;
using simgrid::s4u::Link;
using simgrid::s4u::NetZone;

namespace {

using NetPoint = simgrid::kernel::routing::NetPoint;

std::pair<NetPoint*, NetPoint*> host(NetZone* zone, const std::vector<unsigned long>& /*place*/,
                                     unsigned long number) {
  return {zone->create_host(host_name(number), 1e9)->seal()->get_netpoint(), nullptr};
}

struct Links {
  double byte_s = figure("STEELYARD_TEST_BANDWIDTH", 1e9),
         latency_s = figure("STEELYARD_TEST_LATENCY_S", 1e-7);
  Link::SharingPolicy sharing = Link::SharingPolicy::SPLITDUPLEX;
};

NetZone* zone_of(const std::string& shape) {
  const Links links;
  const ClusterCallbacks hosts(host);
  if (shape == "torus")
    return create_torus_zone(shape, nullptr, {8, 8}, hosts, links.byte_s, links.latency_s, links.sharing);
  if (shape == "fat-tree")
    return create_fatTree_zone(shape, nullptr, {2, {8, 8}, {1, 4}, {1, 1}}, hosts, links.byte_s,
                               links.latency_s, links.sharing);
  if (shape == "dragonfly")
    return create_dragonfly_zone(shape, nullptr, {{4, 1}, {2, 1}, {4, 1}, 2}, hosts, links.byte_s,
                                 links.latency_s, links.sharing);
  throw std::invalid_argument("no shape '" + shape + "'");
}

}  // namespace

extern "C" void load_platform(const simgrid::s4u::Engine&) {
  const char* shape = std::getenv("STEELYARD_TEST_SHAPE");
  auto* zone = zone_of(shape == nullptr ? "" : shape);
  zone->seal();
  count_messages_of(*zone);
}
