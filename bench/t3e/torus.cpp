// SPDX-License-Identifier: Apache-2.0
// A three-dimensional torus whose nodes have limits of their own: what one message at most gets out of or into a node
// (ONE_WAY), and what sends and receives of a node share (BOTH). Messages that pass through a node take nothing of them.
#include "tests/scale/platform.hpp"

using namespace steelyard::scale;
using simgrid::s4u::Link;
using simgrid::s4u::LinkInRoute;
using simgrid::s4u::NetZone;

namespace {

using NetPoint = simgrid::kernel::routing::NetPoint;

struct Node {
  double one_way = figure("STEELYARD_ONE_WAY", 330e6);
  double both = figure("STEELYARD_BOTH", 420e6);

  std::pair<NetPoint*, NetPoint*> operator()(NetZone* torus, const std::vector<unsigned long>&, unsigned long id) const {
    const std::string number = std::to_string(id);
    auto* node = simgrid::s4u::create_star_zone("z" + number);
    node->set_parent(torus);
    auto* host = node->create_host(host_name(id), 1e9)->seal();
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

}  // namespace

extern "C" void load_platform(const simgrid::s4u::Engine&) {
  const auto extent = [](const char* variable, double otherwise) {
    return static_cast<unsigned long>(figure(variable, otherwise));
  };
  auto* torus = simgrid::s4u::create_torus_zone(
      "torus", nullptr, {extent("STEELYARD_X", 16), extent("STEELYARD_Y", 16), extent("STEELYARD_Z", 2)},
      simgrid::s4u::ClusterCallbacks(Node{}), figure("STEELYARD_LINK", 300e6), figure("STEELYARD_HOP_S", 1e-7),
      Link::SharingPolicy::SPLITDUPLEX);
  torus->seal();
  count_messages_of(*torus);
}
