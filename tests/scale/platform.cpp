// SPDX-License-Identifier: Apache-2.0
#include "tests/scale/platform.hpp"

#include <simgrid/kernel/resource/NetworkModelIntf.hpp>

#include "tests/scale/traffic.hpp"

namespace steelyard::scale {
namespace {

using simgrid::s4u::Host;
using simgrid::s4u::Link;
using simgrid::s4u::NetZone;

int number_of(const Host& host) {
  return std::stoi(host.get_name().substr(1));
}

}  // namespace

double figure(const char* variable, double otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::stod(text);
}

std::string host_name(unsigned long number) {
  return "n" + std::to_string(number);
}

// The model asks for the factor of the latency once per message.
void count_messages_of(NetZone& zone) {
  zone.get_network_model()->set_lat_factor_cb([](double, const Host* from, const Host* to,
                                                 const std::vector<Link*>&,
                                                 const std::unordered_set<NetZone*>&) {
    count_message(number_of(*from), number_of(*to));
    return 1.0;
  });
}

void halve_between(NetZone& zone, int a, int b) {
  zone.get_network_model()->set_bw_factor_cb([a, b](double, const Host* from, const Host* to,
                                                    const std::vector<Link*>&,
                                                    const std::unordered_set<NetZone*>&) {
    const int one = number_of(*from), other = number_of(*to);
    return (one == a && other == b) || (one == b && other == a) ? 0.5 : 1.0;
  });
}

}  // namespace steelyard::scale
