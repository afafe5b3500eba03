// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>

#include "machine/cgroup.hpp"
#include "machine/hypervisor_leaf.hpp"
#include "machine/system.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

struct Sign {
  std::string_view text, kind;
};

/// Vendor and product as the firmware gives them; nothing that names this one machine.
std::string firmware(Source& source) {
  const std::string directory = "/sys/class/dmi/id/";
  return source.peek(directory + "sys_vendor").value_or("") + " " +
         source.peek(directory + "product_name").value_or("");
}

std::optional<std::string> hypervisor_of_firmware(std::string_view text) {
  constexpr std::array signs{Sign{"QEMU", "kvm"},
                             Sign{"KVM", "kvm"},
                             Sign{"VMware", "vmware"},
                             Sign{"innotek", "virtualbox"},
                             Sign{"VirtualBox", "virtualbox"},
                             Sign{"Xen", "xen"},
                             Sign{"Virtual Machine", "microsoft"},
                             Sign{"Google Compute", "kvm"},
                             Sign{"OpenStack", "kvm"},
                             Sign{"Parallels", "parallels"},
                             Sign{"Alibaba Cloud", "kvm"},
                             Sign{"BHYVE", "bhyve"}};
  for (const auto& sign : signs)
    if (text.find(sign.text) != std::string_view::npos) return std::string(sign.kind);
  const bool amazon = text.find("Amazon EC2") != std::string_view::npos;
  if (amazon && text.find(".metal") == std::string_view::npos) return "kvm";
  return std::nullopt;
}

std::optional<std::string> hypervisor_of_leaf(std::string_view name) {
  constexpr std::array signs{
      Sign{"KVM", "kvm"},     Sign{"VMware", "vmware"},   Sign{"Microsoft Hv", "microsoft"},
      Sign{"Xen", "xen"},     Sign{"VBox", "virtualbox"}, Sign{"TCG", "qemu"},
      Sign{"bhyve", "bhyve"}, Sign{"prl", "parallels"},   Sign{"ACRN", "acrn"}};
  for (const auto& sign : signs)
    if (name.find(sign.text) != std::string_view::npos) return std::string(sign.kind);
  return name.empty() ? std::nullopt : std::optional<std::string>(name);
}

bool hypervisor_flag(Source& source) {
  const auto flags = processor_flags(source);
  return std::ranges::find(flags, "hypervisor") != flags.end();
}

/// Only x86 processors have the flag; its absence says something only there.
bool tells_by_flag(Source& source) {
  const auto flags = processor_flags(source);
  return std::ranges::find(flags, "fpu") != flags.end();
}

std::optional<std::string> container_of_environment() {
  constexpr std::array signs{Sign{"SINGULARITY_CONTAINER", "singularity"},
                             Sign{"APPTAINER_CONTAINER", "apptainer"}, Sign{"SHIFTER_RUNTIME", "shifter"},
                             Sign{"ENROOT_ROOTFS", "enroot"}, Sign{"KUBERNETES_SERVICE_HOST", "kubernetes"}};
  for (const auto& sign : signs)
    if (std::getenv(sign.text.data()) != nullptr) return std::string(sign.kind);
  constexpr std::array<std::string_view, 5> told{"lxc", "podman", "docker", "systemd-nspawn", "oci"};
  const char* word = std::getenv("container");
  return word != nullptr && std::ranges::find(told, word) != told.end() ? std::optional<std::string>(word)
                                                                        : std::nullopt;
}

}  // namespace

std::optional<std::string> hypervisor(Source& source) {
  if (const auto type = source.peek("/sys/hypervisor/type")) return type;
  const auto leaf = source.live() && hypervisor_flag(source) ? hypervisor_leaf() : std::string();
  if (const auto kind = hypervisor_of_leaf(leaf)) return kind;
  return hypervisor_of_firmware(firmware(source));
}

std::optional<bool> virtual_machine(Source& source) {
  if (hypervisor_flag(source) || hypervisor(source)) return true;
  if (tells_by_flag(source) || source.exists("/sys/class/dmi/id/sys_vendor")) return false;
  return std::nullopt;
}

std::optional<std::string> container(Source& source) {
  constexpr std::array signs{Sign{"/.dockerenv", "docker"}, Sign{"/run/.containerenv", "podman"},
                             Sign{"/.singularity.d", "singularity"}};
  for (const auto& sign : signs)
    if (source.exists(std::string(sign.text))) return std::string(sign.kind);
  const auto told = source.live() ? container_of_environment() : std::nullopt;
  return told ? told : ControlGroups(source).container();
}

void describe_virtualisation(Source& source, Json& machine) {
  const auto is_virtual = virtual_machine(source);
  machine["virtual_machine"] = or_null(is_virtual);
  const auto maker = std::string(trimmed(firmware(source)));
  machine["virtualisation"] = {{"hypervisor", or_null(hypervisor(source))},
                               {"hypervisor_flag", hypervisor_flag(source)},
                               {"system", maker.empty() ? Json(nullptr) : Json(maker)}};
  const ControlGroups groups(source);
  machine["container"] = {{"kind", or_null(container(source))},
                          {"control_groups", groups.version()},
                          {"quota_cores", or_null(groups.quota_cores())},
                          {"memory_limit_byte", or_null(groups.memory_limit_byte())},
                          {"throttled_s", or_null(groups.throttled_s())}};
}

}  // namespace steelyard::machine
