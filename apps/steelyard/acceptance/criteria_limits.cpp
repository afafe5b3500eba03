// SPDX-License-Identifier: Apache-2.0
#include "acceptance/criteria_limits.hpp"

#include <array>
#include <string>
#include <vector>

namespace steelyard::cli {
namespace {

using acceptance::Limit;
using acceptance::Of;

struct Base {
  std::string_view word;
  Of of;
  bool named;
};
constexpr auto bases = std::to_array<Base>({{"committed", Of::committed, false},
                                            {"reference:", Of::reference, true},
                                            {"system:", Of::system, true},
                                            {"peak:flop", Of::peak_flop, false},
                                            {"peak:memory", Of::peak_memory, false},
                                            {"median", Of::median, false}});

/// Takes X of "95% of X" into the limit.
void take_base(const CriteriaBlock& block, const toml::node& node, std::string_view key,
               std::string_view word, Limit& limit) {
  for (const Base& base : bases) {
    if (base.named ? !word.starts_with(base.word) || word.size() == base.word.size() : word != base.word)
      continue;
    limit.of = base.of;
    if (base.named) limit.name = word.substr(base.word.size());
    return;
  }
  std::vector<std::string> names;
  for (const Base& base : bases) names.push_back(std::string(base.word) + (base.named ? "NAME" : ""));
  const auto near = units::nearest(word, names);
  block.refuse(node, std::string(key) + ": '" + std::string(word) +
                         "' is not one of committed, reference:NAME, system:NAME, "
                         "peak:flop, peak:memory, median" +
                         (near ? "; did you mean " + *near + '?' : ""));
}

}  // namespace

std::optional<Limit> limit_of(const CriteriaBlock& block, std::string_view key) {
  const toml::node* node = block.find(key);
  if (node == nullptr) return std::nullopt;
  Limit limit;
  if (node->is_number()) {  // of a ratio; refused later where the figure has a unit
    limit.amount = {*node->value<double>(), ""};
    limit.written = units::format_significant(limit.amount.value, 3);
    if (!(limit.amount.value > 0)) block.refuse(*node, std::string(key) + ": must be above 0");
    return limit;
  }
  limit.written = block.text(key);
  const std::size_t of = limit.written.find(" of ");
  if (of == std::string::npos) {
    limit.amount = block.amount_of(*node, key, "any");
    return limit;
  }
  try {
    const auto share = units::parse_amount(std::string_view(limit.written).substr(0, of));
    if (!share.unit.empty())
      block.refuse(
          *node, std::string(key) + ": '" + limit.written + "': a share is needed before 'of', such as 95%");
    limit.share = share.value;
  } catch (const units::ParseError& error) {
    block.refuse(*node, std::string(key) + ": " + error.what());
  }
  take_base(block, *node, key, std::string_view(limit.written).substr(of + 4), limit);
  return limit;
}

void take_spread(const CriteriaBlock& block, acceptance::Criterion& criterion) {
  if (const auto share = block.share("spread_at_most")) {
    criterion.spread_at_most =
        Limit{block.find("spread_at_most")->is_string() ? block.text("spread_at_most")
                                                        : units::format_significant(*share, 2),
              Of::amount,
              {*share, ""},
              1,
              {}};
  }
  const std::string over = block.text("over");
  if (over.empty()) return;
  if (over != "nodes" && over != "launches")
    block.refuse(*block.find("over"), "over: '" + over + "' is not one of launches, nodes");
  if (!criterion.spread_at_most) block.refuse(*block.find("over"), "over: belongs to spread_at_most");
  if (over == "nodes" && criterion.table.empty())
    block.refuse(*block.find("over"), "over: nodes are those of a table, such as screen_nodes.triad");
  criterion.spread_over_nodes = over == "nodes";
}

}  // namespace steelyard::cli
