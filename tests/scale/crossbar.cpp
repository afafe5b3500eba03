// SPDX-License-Identifier: Apache-2.0
// STEELYARD_TEST_HOSTS hosts on a crossbar: every host has a link out and a link in, nothing else is shared.
#include "tests/scale/platform.hpp"

using namespace steelyard::scale;
using simgrid::s4u::Link;
using simgrid::s4u::LinkInRoute;

// STEELYARD_TEST_LATENCY_S and STEELYARD_TEST_BANDWIDTH: of the way from host to host. STEELYARD_TEST_SLOW_HOST: whose links
// have half the bandwidth. STEELYARD_TEST_SLOW_A and _B: two hosts between which half of it is left.
extern "C" void load_platform(const simgrid::s4u::Engine&) {
  const auto hosts = static_cast<unsigned long>(figure("STEELYARD_TEST_HOSTS", 16));
  const double half_latency_s = figure("STEELYARD_TEST_LATENCY_S", 2e-6) / 2;
  const double bandwidth = figure("STEELYARD_TEST_BANDWIDTH", 1e9);
  const auto slow_host = static_cast<unsigned long>(figure("STEELYARD_TEST_SLOW_HOST", 1e9));
  auto* zone = simgrid::s4u::create_star_zone("crossbar");
  for (unsigned long i = 0; i < hosts; ++i) {
    auto* host = zone->create_host(host_name(i), 1e9)->seal();
    const auto link = [&](const char* name) {
      return LinkInRoute(
          zone->create_link(name + std::to_string(i), i == slow_host ? bandwidth / 2 : bandwidth)
              ->set_latency(half_latency_s)
              ->seal());
    };
    zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {link("out")}, false);
    zone->add_route(nullptr, host->get_netpoint(), nullptr, nullptr, {link("in")}, false);
  }
  zone->seal();
  count_messages_of(*zone);
  if (const double a = figure("STEELYARD_TEST_SLOW_A", -1), b = figure("STEELYARD_TEST_SLOW_B", -1); a >= 0)
    halve_between(*zone, static_cast<int>(a), static_cast<int>(b));
}
