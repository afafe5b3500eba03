// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include "machine/system.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

// Hosts of many containers have thousands of virtual interfaces; they tell nothing.
constexpr std::size_t most_interfaces = 64;

/// Mbit/s in the file; the kernel writes -1 for "unknown".
Json speed(Source& source, const std::string& directory) {
  const auto mega = source.peek_number(directory + "/speed");
  return mega && *mega > 0 ? Json(125e3 * static_cast<double>(*mega)) : Json(nullptr);
}

Json describe_interface(Source& source, const std::string& name) {
  const auto directory = "/sys/class/net/" + name;
  return {{"name", interface_name(name)},
          {"state", or_null(source.peek(directory + "/operstate"))},
          {"speed_byte_s", speed(source, directory)},
          {"mtu_byte", or_null(source.peek_number(directory + "/mtu"))},
          {"driver", or_null(source.link_name(directory + "/device/driver"))}};
}

Json interfaces(Source& source) {
  const auto names = source.names("/sys/class/net");
  Json list = Json::array();
  for (const auto& name : names)
    if (list.size() < most_interfaces && source.exists("/sys/class/net/" + name + "/mtu"))
      list.push_back(describe_interface(source, name));
  if (names.empty()) source.note_missing("/sys/class/net", error_text(ENOENT));
  return names.empty() ? Json(nullptr) : list;
}

/// "4: ACTIVE" -> "active"
Json state_word(const std::optional<std::string>& text) {
  if (!text) return nullptr;
  return lower(trimmed(text->substr(text->find(':') + 1)));
}

/// "100 Gb/sec (4X EDR)" -> byte/s
Json rate(const std::optional<std::string>& text) {
  const auto parts = words(text ? std::string_view(*text) : std::string_view());
  const auto giga = parts.empty() ? std::nullopt : decimal(parts.front());
  return giga ? Json(*giga * 125e6) : Json(nullptr);
}

Json describe_port(Source& source, const std::string& path, const std::string& number) {
  const auto speed = source.peek(path + "/rate");
  return {{"port", or_null(whole(number))},
          {"state", state_word(source.peek(path + "/state"))},
          {"physical_state", state_word(source.peek(path + "/phys_state"))},
          {"link", or_null(source.peek(path + "/link_layer"))},
          {"rate", or_null(speed)},
          {"rate_byte_s", rate(speed)}};
}

Json describe_adapter(Source& source, const std::string& name) {
  const auto directory = "/sys/class/infiniband/" + name;
  Json ports = Json::array();
  for (const auto& port : source.names(directory + "/ports"))
    ports.push_back(describe_port(source, directory + "/ports/" + port, port));
  return {{"name", interface_name(name)},
          {"type", or_null(source.peek(directory + "/hca_type"))},
          {"firmware", or_null(source.peek(directory + "/fw_ver"))},
          {"ports", std::move(ports)}};
}

Json adapters(Source& source) {
  Json list = Json::array();
  for (const auto& name : source.names("/sys/class/infiniband"))
    list.push_back(describe_adapter(source, name));
  return list;
}

bool hexadecimal(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

}  // namespace

std::string interface_name(const std::string& name) {
  // systemd: two letters of the kind, x, the hardware address in 12 digits.
  const bool hardware =
      name.size() >= 15 && name[2] == 'x' && hexadecimal(std::string_view(name).substr(3, 12));
  return hardware ? name.substr(0, 3) : name;
}

void describe_network(Source& source, Json& machine) {
  machine["network"] = {{"interfaces", interfaces(source)}, {"infiniband", adapters(source)}};
}

}  // namespace steelyard::machine
