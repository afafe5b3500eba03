// SPDX-License-Identifier: Apache-2.0
#include "record/rank_stretches.hpp"

#include <cstdint>
#include <limits>
#include <optional>

#include "record/json.hpp"

namespace steelyard::record {
namespace {

/// Element of the list: [host, ranks] or [host, ranks, hosts]; so many hosts follow that each hold as many ranks.
struct Repeated {
  std::int64_t host = 0, ranks = 0, hosts = 1;
};

std::optional<Repeated> repeated(const Json& element) {
  if (!element.is_array() || element.size() < 2 || element.size() > 3) return std::nullopt;
  for (const Json& part : element)
    if (!part.is_number_integer()) return std::nullopt;
  Repeated found{element[0].get<std::int64_t>(), element[1].get<std::int64_t>(), 1};
  if (element.size() == 3) found.hosts = element[2].get<std::int64_t>();
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  const auto within = [](std::int64_t value, std::int64_t least) { return value >= least && value <= most; };
  if (!within(found.host, 0) || !within(found.ranks, 1) || !within(found.hosts, 1)) return std::nullopt;
  return found.host + found.hosts <= most ? std::optional(found) : std::nullopt;
}

}  // namespace

RankStretches rank_stretches(const Whereabouts& where) {
  RankStretches list;
  const Json& layout = where.layout;
  if (!layout.is_object() || !layout.contains("ranks") || !layout["ranks"].is_array()) return list;
  std::int64_t room = where.processes;
  for (const Json& element : layout["ranks"]) {
    const auto found = repeated(element);
    if (!found || found->ranks > room / found->hosts) return {};
    room -= found->ranks * found->hosts;
    for (std::int64_t i = 0; i < found->hosts; ++i)
      list.emplace_back(static_cast<int>(found->host + i), static_cast<int>(found->ranks));
  }
  return list;
}

}  // namespace steelyard::record
