// SPDX-License-Identifier: Apache-2.0
#include "machine/system.hpp"

#include <sys/timex.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>

#include "machine/cgroup.hpp"
#include "machine/compression.hpp"
#include "machine/text.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

#include <array>
#include <cstring>
#endif

namespace steelyard::machine {
namespace {

/// Member of uname: from the kernel's files, else from the call.
Json uname_member(Source& source, const std::string& file, const char* called) {
  if (const auto text = source.peek("/proc/sys/kernel/" + file)) return *text;
  if (source.live()) return called;
  source.note_missing("/proc/sys/kernel/" + file, error_text(ENOENT));
  return nullptr;
}

Json uname_of(Source& source) {
  utsname called{};
  ::uname(&called);
  return {{"machine", uname_member(source, "arch", called.machine)},
          {"sysname", uname_member(source, "ostype", called.sysname)},
          {"release", uname_member(source, "osrelease", called.release)},
          {"version", uname_member(source, "version", called.version)}};
}

/// Kernel command line, only words of this list: others hold addresses and names.
Json command_line(Source& source) {
  constexpr std::array<std::string_view, 10> recorded{"isolcpus",
                                                      "nohz_full",
                                                      "rcu_nocbs",
                                                      "mitigations",
                                                      "transparent_hugepage",
                                                      "idle",
                                                      "processor.max_cstate",
                                                      "intel_idle.max_cstate",
                                                      "intel_pstate",
                                                      "tsc"};
  const auto text = source.text("/proc/cmdline");
  if (!text) return nullptr;
  Json found = Json::object();
  for (const auto word : words(*text)) {
    const auto name = word.substr(0, word.find('='));
    if (std::ranges::find(recorded, name) == recorded.end() && name != "clocksource") continue;
    found[std::string(name)] = name == word ? "" : std::string(word.substr(name.size() + 1));
  }
  return found;
}

std::optional<std::string> setting(std::string_view config, std::string_view name) {
  for (const auto line : split(config, '\n'))
    if (line.starts_with(name) && line.size() > name.size() && line[name.size()] == '=')
      return std::string(line.substr(name.size() + 1));
  return std::nullopt;
}

Json timer_rate(std::string_view config) {
  const auto text = setting(config, "CONFIG_HZ");
  const auto rate = text ? whole(*text) : std::nullopt;
  return or_null(rate);
}

Json preemption(std::string_view config, std::string_view version) {
  for (const std::string_view word : {"PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT"})
    if (version.find(word) != std::string_view::npos) return lower(word);
  for (const std::string_view name : {"CONFIG_PREEMPT_VOLUNTARY", "CONFIG_PREEMPT_NONE"})
    if (setting(config, name) == "y") return lower(name.substr(7));
  return nullptr;
}

Json scheduler(Source& source) {
  Json list = Json::object();
  for (const std::string name : {"sched_autogroup_enabled", "sched_rt_runtime_us", "sched_schedstats",
                                 "sched_migration_cost_ns", "sched_min_granularity_ns", "sched_latency_ns"})
    if (const auto value = source.peek_number("/proc/sys/kernel/" + name)) list[name] = *value;
  return list;
}

std::string kernel_config(Source& source) {
  const auto packed = source.peek("/proc/config.gz");
  const auto config = packed ? unpacked(*packed) : std::nullopt;
  if (!config) source.note_missing("/proc/config.gz", packed ? "cannot be unpacked" : error_text(ENOENT));
  return config.value_or("");
}

struct Sign {
  std::string_view text, kind;
};

/// Vendor and product as the firmware gives them, which do not identify this one machine.
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

/// Hypervisor if there is neither the leaf nor firmware with words: ARM and POWER have a device tree,
/// mainframes a page.
std::optional<std::string> hypervisor_of_platform(Source& source) {
  constexpr std::array signs{Sign{"linux,kvm", "kvm"},
                             Sign{"xen,xen", "xen"},
                             Sign{"vmware", "vmware"},
                             Sign{"KVM/", "kvm"},
                             Sign{"Control Program: z/VM", "zvm"},
                             Sign{"linux,dummy-virt", "qemu"},
                             Sign{"qemu,", "qemu"}};
  std::string text;
  for (const auto* file :
       {"/proc/device-tree/hypervisor/compatible", "/proc/device-tree/compatible", "/proc/sysinfo"})
    text += source.peek(file).value_or("") + "\n";
  const auto found = std::ranges::find_if(
      signs, [&](const Sign& sign) { return text.find(sign.text) != std::string::npos; });
  return found == signs.end() ? std::nullopt : std::optional(std::string(found->kind));
}

bool hypervisor_flag(Source& source) {
  const auto flags = processor_flags(source);
  return std::ranges::find(flags, "hypervisor") != flags.end();
}

/// True if the absence of the hypervisor flag means something: only x86 processors have it.
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

// Hosts of many containers have thousands of virtual interfaces, which are of no interest.
constexpr std::size_t most_interfaces = 64;

/// Speed of an interface from a file in Mbit/s; the kernel writes -1 for "unknown".
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

/// State of a port: "4: ACTIVE" -> "active".
Json state_word(const std::optional<std::string>& text) {
  if (!text) return nullptr;
  return lower(trimmed(text->substr(text->find(':') + 1)));
}

/// Rate of a port: "100 Gb/sec (4X EDR)" -> byte/s.
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

constexpr const char* powercap = "/sys/class/powercap";

Json describe_zone(Source& source, const std::string& path) {
  return {{"zone", or_null(source.peek(path + "/name"))},
          {"readable", source.number(path + "/energy_uj").has_value()}};
}

Json zones(Source& source) {
  Json list = Json::array();
  for (const auto& path : energy_zones(source)) list.push_back(describe_zone(source, path));
  if (list.empty()) source.note_missing(std::string(powercap) + "/intel-rapl:*", error_text(ENOENT));
  return list;
}

/// Sum of the counts of thermal throttling over cores; nullopt if the kernel does not count.
std::optional<std::int64_t> thermal_events(Source& source, const std::vector<int>& cores) {
  std::optional<std::int64_t> sum;
  for (const int core : cores)
    if (const auto n = source.peek_number(processor_path(core) + "/thermal_throttle/core_throttle_count"))
      sum = sum.value_or(0) + *n;
  return sum;
}

Json temperatures(Source& source) {
  Json list = Json::array();
  for (const auto& name : source.names("/sys/class/thermal")) {
    const auto path = "/sys/class/thermal/" + name;
    const auto milli = name.starts_with("thermal_zone") ? source.peek_number(path + "/temp") : std::nullopt;
    if (!milli) continue;
    list.push_back(
        {{"sensor", or_null(source.peek(path + "/type"))}, {"celsius", 1e-3 * static_cast<double>(*milli)}});
  }
  return list;
}

Json first_word(const std::optional<std::string>& text) {
  const auto parts = words(text ? std::string_view(*text) : std::string_view());
  return parts.empty() ? Json(nullptr) : or_null(decimal(parts.front()));
}

Json load(const std::optional<std::string>& text) {
  const auto parts = words(text ? std::string_view(*text) : std::string_view());
  if (parts.size() < 3) return nullptr;
  return {or_null(decimal(parts[0])), or_null(decimal(parts[1])), or_null(decimal(parts[2]))};
}

/// True if the clock of the day is kept right; there is no file that tells.
Json synchronised(Source& source) {
  if (!source.live()) return nullptr;
  timex query{};
  const int state = ::adjtimex(&query);
  if (state < 0) source.note_missing("adjtimex", error_text(errno));
  return state < 0 ? Json(nullptr) : Json((query.status & STA_UNSYNC) == 0);
}

/// Name that a hypervisor gives in the x86 identification leaf 0x40000000; empty on other processors. Ask
/// only where the hypervisor flag is set.
std::string hypervisor_leaf() {
  constexpr unsigned leaf = 0x40000000U;
  unsigned highest = 0;
  std::array<unsigned, 3> letters{};
  __cpuid(leaf, highest, letters[0], letters[1], letters[2]);
  std::array<char, sizeof letters + 1> text{};
  std::memcpy(text.data(), letters.data(), sizeof letters);
  return text.data();
}

}  // namespace

void describe_kernel(Source& source, Json& machine) {
  const std::string clocks = "/sys/devices/system/clocksource/clocksource0/";
  machine["uname"] = uname_of(source);
  machine["architecture"] = machine["uname"]["machine"];
  const auto config = kernel_config(source);
  const auto& version = machine["uname"]["version"];
  machine["kernel"] = {
      {"command_line", command_line(source)},
      {"timer_hz", timer_rate(config)},
      {"preemption", preemption(config, version.is_string() ? version.get<std::string>() : "")},
      {"clock_source", or_null(source.text(clocks + "current_clocksource"))},
      {"clock_sources", or_null(source.peek(clocks + "available_clocksource"))},
      {"randomize_va_space", or_null(source.number("/proc/sys/kernel/randomize_va_space"))},
      {"numa_balancing", or_null(source.number("/proc/sys/kernel/numa_balancing"))},
      {"isolated_processors", or_null(source.peek("/sys/devices/system/cpu/isolated"))},
      {"tickless_processors", or_null(source.peek("/sys/devices/system/cpu/nohz_full"))},
      {"scheduler", scheduler(source)}};
}

std::optional<std::string> hypervisor(Source& source) {
  if (const auto type = source.peek("/sys/hypervisor/type")) return type;
  const auto leaf = source.live() && hypervisor_flag(source) ? hypervisor_leaf() : std::string();
  if (const auto kind = hypervisor_of_leaf(leaf)) return kind;
  if (const auto kind = hypervisor_of_firmware(firmware(source))) return kind;
  return hypervisor_of_platform(source);
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

std::string interface_name(const std::string& name) {
  // systemd: two letters of the kind, x, the hardware address in 12 digits.
  const bool hardware =
      name.size() >= 15 && name[2] == 'x' && hexadecimal(std::string_view(name).substr(3, 12));
  return hardware ? name.substr(0, 3) : name;
}

void describe_network(Source& source, Json& machine) {
  machine["network"] = {{"interfaces", interfaces(source)}, {"infiniband", adapters(source)}};
}

std::vector<std::string> energy_zones(const Source& source) {
  std::vector<std::string> list;
  for (const auto& name : source.names(powercap))
    if (name.starts_with("intel-rapl:")) list.push_back(std::string(powercap) + "/" + name);
  return list;
}

void describe_power(Source& source, const Cores& cores, Json& machine) {
  machine["power"] = {
      {"zones", zones(source)},
      {"temperatures", temperatures(source)},
      {"throttle_events", or_null(thermal_events(source, cores.cores_of(cores.processors())))}};
}

void describe_time(Source& source, Json& machine) {
  machine["uptime_s"] = first_word(source.text("/proc/uptime"));
  machine["load"] = load(source.text("/proc/loadavg"));
  machine["clock_synchronised"] = synchronised(source);
}

#if defined(__x86_64__) || defined(__i386__)

#else

std::string hypervisor_leaf() {
  return {};
}

#endif

}  // namespace steelyard::machine
