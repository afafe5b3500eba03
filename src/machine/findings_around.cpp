// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "machine/cgroup.hpp"
#include "machine/directory.hpp"
#include "machine/findings_parts.hpp"
#include "machine/memory.hpp"
#include "machine/privacy.hpp"
#include "machine/system.hpp"
#include "machine/text.hpp"
#include "units/text.hpp"

namespace steelyard::machine {

namespace {

std::string size_text(std::int64_t bytes) {
  constexpr double gibi_bytes = 1 << 30;
  return units::format_significant(static_cast<double>(bytes) / gibi_bytes, 3) + " GiB";
}

std::size_t numa_nodes(Source& source) {
  return static_cast<std::size_t>(
      std::ranges::count_if(source.names("/sys/devices/system/node"), [](const auto& name) {
        return name.starts_with("node") && whole(std::string_view(name).substr(4)).has_value();
      }));
}

void memory_summary(Source& source, Findings& findings) {
  const auto available = available_memory(source);
  if (!available) return;
  const auto limit = ControlGroups(source).memory_limit_byte();
  auto text = size_text(*available) + " of memory available on " +
              counted(static_cast<std::int64_t>(std::max<std::size_t>(1, numa_nodes(source))), "NUMA node");
  if (limit) text += "; the control group allows " + size_text(*limit);
  findings.push_back({Level::ok, "memory", "", text + ".", ""});
}

void swap_in_use(Source& source, Findings& findings) {
  const auto text = source.text("/proc/meminfo").value_or("");
  const auto total = bytes_of_kilobytes(text, "SwapTotal").value_or(0);
  const auto used = total - bytes_of_kilobytes(text, "SwapFree").value_or(total);
  if (used > 0)
    findings.push_back({Level::note, "memory", "swap_in_use", size_text(used) + " of memory are swapped out.",
                        "find out what filled the memory; large working sets may be slowed by swapping"});
}

void transparent_huge_pages(Source& source, Findings& findings) {
  const auto text = source.peek("/sys/kernel/mm/transparent_hugepage/enabled");
  const auto word = text ? chosen(*text).value_or("") : std::string_view();
  if (word == "always")
    findings.push_back(
        {Level::note, "memory", "transparent_hugepage",
         "The kernel makes huge pages by itself: the same buffer may have other pages in another run.",
         "run --huge-pages off or explicit decides it"});
  if (word == "never")
    findings.push_back({Level::note, "memory", "transparent_hugepage",
                        "Huge pages are switched off: large buffers are slowed by address translation.",
                        "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"});
}

void page_migration(Source& source, Findings& findings) {
  if (numa_nodes(source) < 2 || source.peek_number("/proc/sys/kernel/numa_balancing").value_or(0) == 0)
    return;
  findings.push_back({Level::note, "memory", "numa_balancing",
                      "The kernel moves pages between NUMA nodes while programs run.",
                      "sysctl kernel.numa_balancing=0, and bind processes"});
}

void locked_memory(Source& source, Findings& findings) {
  constexpr std::int64_t enough = std::int64_t{64} << 20;
  const auto limit = soft_limit(source, "Max locked memory");
  if (source.names("/sys/class/infiniband").empty() || !limit || *limit >= enough) return;
  findings.push_back(
      {Level::warning, "memory", "locked_memory",
       "Only " + size_text(*limit) + " may be locked: the fabric cannot register large buffers.",
       "ulimit -l unlimited, or memlock in /etc/security/limits.conf"});
}

std::string port_text(const Json& adapter, const Json& port) {
  return adapter["name"].get<std::string>() + " port " + (port["port"].is_null() ? "?" : port["port"].dump());
}

void examine_port(const Json& adapter, const Json& port, Findings& findings) {
  const bool active = port["state"] == "active";
  const auto rate = port["rate"].is_string() ? ", " + port["rate"].get<std::string>() : std::string();
  if (active)
    findings.push_back({Level::ok, "network", "", port_text(adapter, port) + " is active" + rate + ".", ""});
  else
    findings.push_back({Level::note, "network", "network", port_text(adapter, port) + " is not active.",
                        "check cable and fabric manager if it should be used"});
}

void examine_interface(const Json& interface, Findings& findings) {
  if (interface["state"] != "up") return;
  auto text = "Interface " + interface["name"].get<std::string>() + " is up";
  if (interface["speed_byte_s"].is_number())
    text += ", " + units::format_significant(interface["speed_byte_s"].get<double>() * 8e-9, 3) + " Gbit/s";
  findings.push_back({Level::ok, "network", "", text + ".", ""});
}

void files_medium(const DirectoryFacts& facts, Findings& findings) {
  switch (medium(facts.type)) {
    case Medium::memory:
      findings.push_back(
          {Level::warning, "files", "file_system",
           "The directory lies in memory (" + facts.type + "): I/O results would be those of memory.",
           "choose --io-dir on a disk or a parallel file system"});
      break;
    case Medium::network:
    case Medium::local:
    case Medium::unknown:
      break;
  }
}

}  // namespace

void examine_memory(Source& source, Findings& findings) {
  memory_summary(source, findings);
  swap_in_use(source, findings);
  transparent_huge_pages(source, findings);
  page_migration(source, findings);
  locked_memory(source, findings);
}

void examine_clock(Source& source, Findings& findings) {
  constexpr std::array<std::string_view, 4> slow{"hpet", "acpi_pm", "jiffies", "refined-jiffies"};
  const auto clock = source.text("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  if (!clock) return;
  const bool is_slow = std::ranges::find(slow, *clock) != slow.end();
  findings.push_back(
      {is_slow ? Level::warning : Level::ok, "clock", is_slow ? "clock_source" : "",
       "The kernel's clock source is " + *clock + (is_slow ? ": reading it is a slow system call." : "."),
       is_slow ? "look in the kernel's log why tsc was refused; parameter tsc=reliable" : ""});
}

void examine_network(Source& source, Findings& findings) {
  Json machine = Json::object();
  describe_network(source, machine);
  const auto& network = machine["network"];
  for (const auto& adapter : network["infiniband"])
    for (const auto& port : adapter["ports"]) examine_port(adapter, port, findings);
  if (network["interfaces"].is_array())
    for (const auto& interface : network["interfaces"]) examine_interface(interface, findings);
}

void examine_files(Source& source, const std::filesystem::path& directory, Findings& findings) {
  constexpr std::int64_t little = std::int64_t{1} << 30;
  const auto facts = directory_facts(source, directory);
  const auto type = facts.type.empty() ? "an unknown file system" : facts.type;
  const auto free =
      facts.free_byte ? size_text(*facts.free_byte) + " free" : std::string("free space unknown");
  const auto where = without_private(facts.path.string());
  const auto mounted =
      facts.mount_point.empty() ? std::string() : " mounted at " + without_private(facts.mount_point);
  findings.push_back({Level::ok, "files", "",
                      where + ": " + type + mounted + ", " + free + ", options " + facts.options + ".", ""});
  files_medium(facts, findings);
  if (facts.free_byte && *facts.free_byte < little)
    findings.push_back({Level::warning, "files", "file_system", "Only " + free + " in " + where + ".",
                        "choose another --io-dir, or make room"});
  if (!facts.writable)
    findings.push_back({Level::problem, "files", "file_system", where + " is not writable.",
                        "choose --io-dir where you may create files"});
}

void examine_power(Source& source, Findings& findings) {
  const auto zones = energy_zones(source);
  const auto readable = std::ranges::count_if(
      zones, [&](const auto& zone) { return source.peek_number(zone + "/energy_uj").has_value(); });
  if (readable > 0) {
    findings.push_back({Level::ok, "power", "", counted(readable, "energy counter") + " readable.", ""});
    return;
  }
  findings.push_back(
      {Level::note, "power", "no_power_counters",
       zones.empty() ? "This machine shows no energy counters." : "Energy counters may not be read.",
       zones.empty() ? "" : "ask the administrator for read access to /sys/class/powercap"});
}

}  // namespace steelyard::machine
