// SPDX-License-Identifier: Apache-2.0
#include "launch/room.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard::cli {
namespace {

struct JobNodes {
  int nodes = 0;
  std::optional<int> slots, cores;
};

std::optional<int> number_above_zero(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

std::optional<int> variable_above_zero(const Variables& read, const char* name) {
  const auto value = read(name);
  return value ? number_above_zero(*value) : std::nullopt;
}

struct OnNodes {
  int nodes = 0, all = 0;
};

// Slurm's numbers of successive nodes, "16(x2),8" for 16, 16 and 8.
std::optional<OnNodes> on_nodes(const std::optional<std::string>& list) {
  if (!list) return std::nullopt;
  OnNodes sum;
  std::istringstream groups(*list);
  for (std::string group; std::getline(groups, group, ',');) {
    const auto repeated = group.find("(x");
    const bool closed = repeated == std::string::npos || group.ends_with(')');
    const auto each = number_above_zero(std::string_view(group).substr(0, repeated));
    const auto nodes =
        repeated == std::string::npos
            ? std::optional(1)
            : number_above_zero(std::string_view(group).substr(repeated + 2, group.size() - repeated - 3));
    if (!closed || !each || !nodes) return std::nullopt;
    sum.nodes += *nodes;
    sum.all += *each * *nodes;
  }
  return sum.nodes > 0 ? std::optional(sum) : std::nullopt;
}

std::optional<JobNodes> of_slurm(const Variables& read) {
  if (!read("SLURM_JOB_ID")) return std::nullopt;
  const auto tasks = on_nodes(read("SLURM_TASKS_PER_NODE"));
  const auto processors = on_nodes(read("SLURM_JOB_CPUS_PER_NODE"));
  JobNodes found;
  found.nodes = variable_above_zero(read, "SLURM_JOB_NUM_NODES").value_or(tasks ? tasks->nodes : 0);
  if (tasks) found.slots = tasks->all;
  if (processors) found.cores = processors->all;
  return found;
}

// First words of the lines of a file; none if it cannot be read.
std::vector<std::string> hosts_in(const std::optional<std::string>& name) {
  std::vector<std::string> hosts;
  std::ifstream file(name.value_or(""));
  for (std::string line; std::getline(file, line);) {
    std::string host;
    if (std::istringstream(line) >> host && !host.starts_with('#')) hosts.push_back(host);
  }
  return hosts;
}

int different_hosts(const std::vector<std::string>& hosts) {
  return static_cast<int>(std::set(hosts.begin(), hosts.end()).size());
}

// A line for every process of the job.
std::optional<JobNodes> of_pbs(const Variables& read) {
  const auto hosts = hosts_in(read("PBS_NODEFILE"));
  if (hosts.empty()) return std::nullopt;
  return JobNodes{different_hosts(hosts), static_cast<int>(hosts.size()), std::nullopt};
}

// "node07 16 node08 16".
std::optional<JobNodes> of_lsf(const Variables& read) {
  const auto list = read("LSB_MCPU_HOSTS");
  if (!list) return std::nullopt;
  JobNodes found{0, 0, std::nullopt};
  std::istringstream words(*list);
  std::string host, slots;
  while (words >> host >> slots) {
    const auto here = number_above_zero(slots);
    if (!here) return std::nullopt;
    ++found.nodes;
    *found.slots += *here;
  }
  return found.nodes > 0 ? std::optional(found) : std::nullopt;
}

std::optional<JobNodes> of_grid_engine(const Variables& read) {
  const auto nodes = variable_above_zero(read, "NHOSTS");
  if (!read("PE_HOSTFILE") || !nodes) return std::nullopt;
  return JobNodes{*nodes, variable_above_zero(read, "NSLOTS"), std::nullopt};
}

// Hosts that a user or an administrator has told Open MPI: how many processes each takes is between them.
std::optional<JobNodes> of_default_hosts(const Variables& read) {
  for (const char* name : {"OMPI_MCA_orte_default_hostfile", "PRTE_MCA_prte_default_hostfile"})
    if (const int nodes = different_hosts(hosts_in(read(name))); nodes > 1) return JobNodes{nodes, {}, {}};
  return std::nullopt;
}

std::optional<JobNodes> nodes_of_job(const Variables& read) {
  for (const auto look : {of_default_hosts, of_slurm, of_pbs, of_lsf, of_grid_engine})
    if (const auto found = look(read)) return found;
  return std::nullopt;
}

}  // namespace

Room room_for_processes(int cores, const Variables& read) {
  if (const int groups = variable_above_zero(read, "SLURM_HET_SIZE").value_or(1);
      groups > 1 && read("SLURM_JOB_ID") && !of_default_hosts(read))
    return {.slots = {}, .cores = cores, .groups = groups};
  const auto found = nodes_of_job(read);
  if (found && found->nodes > 1) return {found->slots, found->cores, found->nodes};
  return {std::min(found && found->slots ? *found->slots : cores, cores), cores};
}

int processes_of_a_node(int processes, const Room& room) {
  const auto of_node = [&](int all) { return (all + room.nodes - 1) / room.nodes; };
  return std::min(processes, std::max(of_node(processes), room.slots ? of_node(*room.slots) : 1));
}

}  // namespace steelyard::cli
