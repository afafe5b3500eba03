// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "machine/processors.hpp"
#include "machine/source.hpp"

/// Facts about the machine that concern neither processor nor memory.
namespace steelyard::machine {

/// Adds uname, architecture, kernel.
void describe_kernel(Source& source, Json& machine);
/// Adds virtual_machine, virtualisation, container.
void describe_virtualisation(Source& source, Json& machine);
/// Adds network: interfaces and InfiniBand devices; never addresses.
void describe_network(Source& source, Json& machine);
/// Adds power: energy zones, temperatures, throttle counts.
void describe_power(Source& source, const Cores& cores, Json& machine);
/// Adds uptime_s, load, clock_synchronised.
void describe_time(Source& source, Json& machine);
/// Adds topology: hwloc's XML, gzip and base64, without members that identify this machine.
void describe_topology(Source& source, Json& machine);

/// True for a virtual machine; nullopt if neither processor flags nor firmware tell.
[[nodiscard]] std::optional<bool> virtual_machine(Source& source);
/// Hypervisor: kvm, vmware, xen, ...; nullopt if there is none.
[[nodiscard]] std::optional<std::string> hypervisor(Source& source);
/// Container: docker, podman, kubernetes, singularity, ...; nullopt if there is none.
[[nodiscard]] std::optional<std::string> container(Source& source);
/// Directories of /sys/class/powercap, one for each energy counter (packages and their parts).
[[nodiscard]] std::vector<std::string> energy_zones(const Source& source);
/// Name of an interface without the hardware address that some systems put in.
[[nodiscard]] std::string interface_name(const std::string& name);

}  // namespace steelyard::machine
