// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/balance/ratios.hpp"
#include "analysis/balance/system.hpp"

/// Doubts about values: every flag is attached to each value that it touches.
namespace steelyard::balance {

enum class Flag {
  one_node = 1,
  few_nodes,
  unsaturated,
  borrowed_hpl,
  hpl_grid,
  subset,
  cache,
  failed,
  optimised,
  oversubscribed,
  weak_hpl,
  short_run,
  adapters_unknown,
  nodes_unknown,
  page_cache,
  not_representative
};

[[nodiscard]] std::string code(Flag flag);  // "V1"
/// Word that stands beside a value: "one node".
[[nodiscard]] std::string_view word(Flag flag);
/// Explanation, one sentence.
[[nodiscard]] std::string_view text(Flag flag);
[[nodiscard]] std::span<const Flag> every_flag();

/// Flag of a system, and the quantities that it makes doubtful; empty: it is about the system as a whole.
struct Flagged {
  Flag flag;
  std::set<Quantity> quantities;
};
[[nodiscard]] std::vector<Flagged> flags(const System& system);

[[nodiscard]] bool has(std::span<const Flagged> flags, Flag flag);

/// Flags that touch any of the quantities, in their order.
[[nodiscard]] std::vector<Flag> touching(std::span<const Flagged> flags, std::span<const Quantity> used);

/// Effects of a value's flags: it is shown in parentheses; it is left out of ranks, curves
/// and normalised columns.
[[nodiscard]] bool parenthesised(std::span<const Flag> flags);
[[nodiscard]] bool left_out(std::span<const Flag> flags);

/// Codes of several flags, and codes with words: "V1+V11"; "V1 one node, V11 weak HPL".
[[nodiscard]] std::string codes(std::span<const Flag> flags);
[[nodiscard]] std::string words(std::span<const Flag> flags);

/// Doubts that stand beside a figure of the system: of a withheld one that it does not stand for the machine, wrong
/// data, files in memory, a problem smaller than the rule, an interval that is wide, noise. Empty without a doubt.
[[nodiscard]] std::string doubt_words(const System& system, Quantity quantity);

/// Whether --strict fails: V4 to V12, V15, V16.
[[nodiscard]] bool is_strict(Flag flag);

}  // namespace steelyard::balance
