// SPDX-License-Identifier: Apache-2.0
#include "formats/imb/head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats/beff/print.hpp"
#include "formats/beff/sections.hpp"
#include "record/json.hpp"
#include "suites/beff/patterns.hpp"

namespace steelyard::formats::beff {
namespace {

using analysis::PatternRole;
using record::Json;

std::string program(const Source& source) {
  return fmt::format(
      "b_eff = effective bandwidth of the communication network, by the rules of b_eff 3.6\n"
      "program              = {} {}\n"
      "date                 = {}\n",
      member(source.head.program.json(), "name"), member(source.head.program.json(), "version"),
      plain(asctime_form(source.head.started_utc)));
}

std::string whole(std::optional<std::int64_t> value) {
  return value ? fmt::format("{}", *value) : "-";
}

std::string host(const Json& layout, std::size_t index) {
  const auto hosts = layout.find("hosts");
  const bool known =
      hosts != layout.end() && hosts->is_array() && index < hosts->size() && (*hosts)[index].is_string();
  return known ? plain((*hosts)[index].get<std::string>()) : fmt::format("node {}", index);
}

/// The bandwidth of rings depends on how ranks are numbered over nodes.
std::string numbering(const Json& layout, const RankStretches& list) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, list.size()); ++i)
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", list[i].second, host(layout, list[i].first));
  if (list.size() > most) text += ", ...";
  return text.empty() ? "-" : text;
}

std::string surroundings(const Source& source) {
  const auto& head = source.head;
  const auto list = rank_stretches(head.layout.json());
  return fmt::format(
      "number of processes  = {}\n"
      "threads per process  = {}\n"
      "nodes                = {}\n"
      "processes per node   = {}\n"
      "ranks in their order = {}\n"
      "MPI library          = {}\n"
      "seed of the polygons = {}\n",
      source.run.cube().processes(), head.threads_per_process, head.nodes,
      processes_per_node(head.layout.json()), numbering(head.layout.json(), list),
      member(head.mpi.json(), "library"), whole(source.frame.seed));
}

std::string memory(const Source& source) {
  const auto bytes = source.frame.memory_per_process_byte;
  return fmt::format("MEMORY_PER_PROCESSOR = {} MBytes  [1M = 1024*1024]\n",
                     bytes ? fmt::format("{}", *bytes / mebi.count()) : "-");
}

std::string grids(int processes) {
  std::string text;
  for (const int dimensions : {2, 3})
    text += fmt::format("{}-dim-patterns: size = {}\n", dimensions,
                        fmt::join(steelyard::beff::grid_extents(processes, dimensions), " * "));
  return text;
}

std::string lengths(const Source& source) {
  std::string text = "Used message lengths:\nmsglng=";
  for (const auto length : source.run.cube().lengths()) text += fmt::format(" {}", length.count());
  return text + "\n";
}

std::string methods(const Source& source) {
  std::string text = "Used methods:";
  for (std::size_t m = 0; m < source.run.methods().size(); ++m)
    text += fmt::format("  {}={}", m, source.run.methods()[m]);
  return text + "\n";
}

std::string pattern_list(const Source& source) {
  constexpr std::size_t per_line = 4;
  std::string text = "Used patterns:";
  const auto& patterns = source.run.cube().patterns();
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    if (p > 0 && p % per_line == 0) text += fmt::format("\n{:14}", "");
    text += fmt::format(" {:2}={:<17}", source.run.number(p), plain(patterns[p].name));
  }
  return text + "\n";
}

std::string range(const Source& source, PatternRole role, std::string_view meaning) {
  std::vector<int> numbers;
  const auto& patterns = source.run.cube().patterns();
  for (std::size_t p = 0; p < patterns.size(); ++p)
    if (patterns[p].role == role) numbers.push_back(source.run.number(p));
  if (numbers.empty()) return fmt::format("no {}\n", meaning);
  return fmt::format("patterns {:2} - {:2}: {}\n", numbers.front(), numbers.back(), meaning);
}

}  // namespace

std::string head(const Source& source) {
  return program(source) + memory(source) + surroundings(source) + grids(source.run.cube().processes()) +
         lengths(source) + methods(source) + pattern_list(source) +
         range(source, PatternRole::ring, "ring patterns, half of b_eff") +
         range(source, PatternRole::random, "random polygons, the other half of b_eff") +
         range(source, PatternRole::additional, "additional patterns, for information only");
}

}  // namespace steelyard::formats::beff
