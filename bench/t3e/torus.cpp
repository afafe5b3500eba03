// SPDX-License-Identifier: Apache-2.0
// A three-dimensional torus whose nodes have limits of their own: what one message at most gets out of or into
// a node (ONE_WAY), and what sends and receives of a node share (BOTH). Messages that pass through a node take
// nothing of them. A message occupies its way as if it were longer than its data by ENVELOPE byte.
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>

#include "tests/scale/platform.hpp"

using namespace steelyard::scale;
using simgrid::s4u::Link;
using simgrid::s4u::LinkInRoute;
using simgrid::s4u::NetZone;

namespace {

using NetPoint = simgrid::kernel::routing::NetPoint;

unsigned long extent(const char* variable, double otherwise) {
  return static_cast<unsigned long>(figure(variable, otherwise));
}

// Hosts are numbered in blocks of the x-y-plane: x before y within a block, x before y before z from block to
// block. The blocks fill the plane.
struct Numbering {
  unsigned long x = extent("STEELYARD_X", 8), y = extent("STEELYARD_Y", 16), z = extent("STEELYARD_Z", 4);
  unsigned long block_x = extent("STEELYARD_BLOCK_X", 4), block_y = extent("STEELYARD_BLOCK_Y", 4);

  unsigned long number(unsigned long node) const {
    const auto at_x = node % x, at_y = node / x % y, at_z = node / (x * y);
    const auto block = (at_z * (y / block_y) + at_y / block_y) * (x / block_x) + at_x / block_x;
    return (block * block_y + at_y % block_y) * block_x + at_x % block_x;
  }
};

struct Node {
  Numbering numbering;
  double one_way = figure("STEELYARD_ONE_WAY", 330e6);
  double both = figure("STEELYARD_BOTH", 420e6);

  std::pair<NetPoint*, NetPoint*> operator()(NetZone* torus, const std::vector<unsigned long>&,
                                             unsigned long id) const {
    const std::string number = std::to_string(id);
    auto* node = simgrid::s4u::create_star_zone("z" + number);
    node->set_parent(torus);
    auto* host = node->create_host(host_name(numbering.number(id)), 1e9)->seal();
    auto* gateway = node->create_router("r" + number);
    const auto link = [&](const std::string& name, double bandwidth) {
      return LinkInRoute(node->create_link(name + number, bandwidth)->set_latency(0)->seal());
    };
    const auto shared = link("both", both);
    node->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {link("out", one_way), shared}, false);
    node->add_route(nullptr, host->get_netpoint(), nullptr, nullptr, {shared, link("in", one_way)}, false);
    node->add_route(host->get_netpoint(), host->get_netpoint(), nullptr, nullptr, {link("own", both)}, false);
    node->seal();
    return {node->get_netpoint(), gateway};
  }
};

void add_envelopes(NetZone& zone, double envelope) {
  zone.get_network_model()->set_bw_factor_cb(
      [envelope](double size, const simgrid::s4u::Host*, const simgrid::s4u::Host*, const std::vector<Link*>&,
                 const std::unordered_set<NetZone*>&) { return size > 0 ? size / (size + envelope) : 1.0; });
}

}  // namespace

extern "C" void load_platform(const simgrid::s4u::Engine&) {
  const Numbering shape;
  auto* torus = simgrid::s4u::create_torus_zone(
      "torus", nullptr, {shape.x, shape.y, shape.z}, simgrid::s4u::ClusterCallbacks(Node{}),
      figure("STEELYARD_LINK", 210e6), figure("STEELYARD_HOP_S", 1e-6), Link::SharingPolicy::SPLITDUPLEX);
  torus->seal();
  add_envelopes(*torus, figure("STEELYARD_ENVELOPE", 880));
  count_messages_of(*torus);
}
