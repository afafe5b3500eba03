// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suites/rates.hpp"

/// The machines of tests/zoo/machines, one TOML file each; README.md there tells what the members mean.
namespace steelyard::zoo {

/// Equal cores of every socket.
struct CoreGroup {
  int count = 1;                   // of a socket
  int threads = 1;                 // of a core
  std::optional<int> number;       // logical number of the first one; nothing: the next that is free
  std::string part;                // word for {part} of cpuinfo
  std::string l1, l2, l3;          // sizes as the kernel writes them; empty: there is none
  int l2_cores = 1, l3_cores = 0;  // that share one; 0: all of the socket
};

struct NumaNode {
  int number = 0;
  double gibibyte = 0;
  std::string processors;  // list, empty for memory only
};

/// Rates of one process, in the units of data sheets: alone, and with one process on every core.
struct Pair {
  double alone = 1, together = 1;
};
struct MachineRates {
  Pair product_gflop_s, triad_gb_s, updates_mup_s, transform_gflop_s;
  Pair message_us, exchange_gb_s;  // to a neighbour and to a far one, with one process on every core
  double write_gb_s = 1, read_gb_s = 2, disk_gb_s = 0.5;  // of all processes together
};

/// What src/machine has to find.
struct Expected {
  int cores = 1, sockets = 1, threads_per_core = 1, usable_cores = 1;
  std::string cache;  // size of the last level as the kernel writes it; empty: nothing tells
  int caches = 1;
  double gibibyte = 0;                    // of the node; 0: nothing tells
  std::vector<std::int64_t> memory_only;  // numbers of NUMA nodes without processors
  std::vector<std::string> unknown;       // members of the machine's description that must be null
  std::string processor;                  // how it is called
};

struct MachineData {
  std::string name;
  // The processor, as the kernel of this architecture describes it.
  std::string cpuinfo_head, cpuinfo, cpuinfo_tail;  // the middle once per logical processor
  int sockets = 1;
  bool threads_adjacent = false;  // numbers of a core's threads; else all first threads come first
  int cache_line = 64;
  std::vector<CoreGroup> cores;
  std::string offline, allowed;  // lists of logical processors; allowed empty: all
  std::vector<NumaNode> nodes;
  double gibibyte = 1, available_gibibyte = 1;
  // Limits of the control group; version 0: there is none.
  int group_version = 0;
  std::optional<double> group_processors, group_gibibyte;
  std::vector<std::string> without;          // parts of /proc and /sys that are not there
  std::map<std::string, std::string> files;  // further ones, path and content
  MachineRates rates;
  Expected expected;
  std::map<std::string, std::vector<std::string>>
      measured;  // by preset: tests that are, with one process a core

  [[nodiscard]] bool lacks(const std::string& part) const;
};

/// Names of all machines, sorted.
[[nodiscard]] std::vector<std::string> machine_names();
/// Throws toml::parse_error, and std::runtime_error for a member that nobody reads.
[[nodiscard]] MachineData read_machine(const std::string& name);

}  // namespace steelyard::zoo
