// SPDX-License-Identifier: Apache-2.0
#include "formats/imb/banner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

namespace steelyard::formats {
namespace {

constexpr std::size_t ranks_a_line = 16;
constexpr std::size_t most_shown = 1024;

/// Ranks of four digits behind one another, sixteen a line.
std::string numbers(std::span<const int> ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (i > 0 && i % ranks_a_line == 0) text += "\n# ";
    text += fmt::format(" {:4}", ranks[i]);
  }
  return text;
}

/// One row of ranks and the line that ends it; of more than 1024 ranks the first and the last 512.
std::string row(const std::string& begin, std::span<const int> ranks) {
  if (ranks.size() <= most_shown) return begin + numbers(ranks) + "\n# \n";
  return fmt::format("{} {} ... {}\n# \n", begin, numbers(ranks.first(most_shown / 2)),
                     numbers(ranks.last(most_shown / 2)));
}

bool renumbers(const ImbBanner& banner) {
  return banner.map && banner.map->first > 1 && banner.map->second > 1 &&
         banner.map->first * banner.map->second == banner.world;
}

std::vector<int> order(const ImbBanner& banner) {
  return renumbers(banner) ? imb::rank_order(banner.map->first, banner.map->second) : std::vector<int>{};
}

std::string of_threads(const ImbBanner& banner) {
  std::string text = fmt::format("# #processes = {} (threads: {})\n", banner.processes, *banner.threads);
  if (banner.window) text += fmt::format("# window_size = {}\n", *banner.window);
  return text;
}

std::string one_group(const ImbBanner& banner) {
  if (banner.threads) return of_threads(banner);
  if (!renumbers(banner)) return fmt::format("# #processes = {} \n", banner.processes);
  std::string text = fmt::format("# #processes = {}; rank order (rowwise): \n", banner.processes);
  const std::vector<int> ranks = order(banner);
  std::span<const int> active = std::span(ranks).first(static_cast<std::size_t>(banner.processes));
  while (!active.empty()) {
    const auto length = std::min(active.size(), static_cast<std::size_t>(banner.map->second));
    text += row("# ", active.first(length));
    active = active.subspan(length);
  }
  return text;
}

std::string group_rows(const ImbBanner& banner) {
  const auto groups = imb::groups(banner.world, banner.processes, true, order(banner));
  std::string text;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const bool hidden =
        groups.size() > most_shown && g >= most_shown / 2 && g < groups.size() - most_shown / 2;
    if (!hidden) text += row(fmt::format("# Group {:2}: ", g), groups[g]);
    if (hidden && g == most_shown / 2) text += "#  . \n#  . \n";
  }
  return text;
}

std::string several_groups(const ImbBanner& banner) {
  return fmt::format("# ( {} groups of {} processes each running simultaneous ) \n", banner.groups,
                     banner.processes) +
         group_rows(banner);
}

std::string idle(const ImbBanner& banner) {
  if (banner.threads) return "";
  const int waiting = banner.world - banner.groups * banner.processes;
  if (waiting <= 0) return "";
  return fmt::format("# ( {} additional process{} waiting in MPI_Barrier)\n", waiting,
                     waiting == 1 ? "" : "es");
}

std::string mode(const ImbBanner& banner) {
  if (banner.mode == imb::Mode::none) return "";
  return fmt::format("#\n#    MODE: {} \n#\n",
                     banner.mode == imb::Mode::aggregate ? "AGGREGATE" : "NON-AGGREGATE");
}

/// "3 x 2" of "3x2".
std::string spaced(const std::string& grid) {
  std::string text;
  for (const char c : grid) text += c == 'x' ? std::string(" x ") : std::string(1, c);
  return text;
}

std::string topology(const ImbBanner& banner) {
  if (!banner.neighbours) return "";
  const std::string sides = banner.topology.empty() ? "chosen by MPI" : spaced(banner.topology);
  return fmt::format("# topology = {}, neighbours = {}\n", sides, *banner.neighbours);
}

}  // namespace

std::string printed_name(const ImbBanner& banner) {
  std::string text = (banner.groups > 1 ? "Multi-" : "") + banner.benchmark;
  if (banner.grid.empty()) return text;
  return text + " (" + spaced(banner.grid) + ")";
}

std::string imb_no_executions(const std::string& benchmark, int width) {
  const std::string rule = fmt::format("#{:->{}}\n", "", width - 1);
  return fmt::format("\n{0}# Benchmarking {1}\n# NO SUCCESSFUL EXECUTIONS\n{0}\n", rule, benchmark);
}

std::string imb_banner(const ImbBanner& banner, int width) {
  const std::string rule = fmt::format("#{:->{}}\n", "", width - 1);
  return fmt::format("\n{}# Benchmarking {} \n{}{}{}{}{}", rule, printed_name(banner),
                     banner.groups > 1 ? several_groups(banner) : one_group(banner), topology(banner),
                     idle(banner), rule, mode(banner));
}

}  // namespace steelyard::formats
