// SPDX-License-Identifier: Apache-2.0
#include "acceptance/criteria_file.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "acceptance/criteria_block.hpp"
#include "analysis/acceptance/figures.hpp"
#include "options/toml.hpp"
#include "process/errors.hpp"
#include "record/value.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using acceptance::Criteria;
using acceptance::Criterion;
using acceptance::Limit;
using acceptance::Of;

constexpr std::string_view top_words[] = {"format",    "title", "confidence", "min_launches", "require",
                                          "committed", "peak",  "criterion",  "mean"};
constexpr std::string_view criterion_words[] = {
    "id",        "text",      "section", "figure",       "select",         "table",    "metric",
    "statistic", "at_least",  "at_most", "within",       "spread_at_most", "over",     "every",
    "allowed",   "combine",   "rule",    "min_launches", "verified",       "official", "complete",
    "where",     "undecided", "waived",  "weight"};
constexpr std::string_view mean_words[] = {"id", "text", "of", "at_least"};
constexpr std::string_view combine_words[] = {"median", "mean", "best", "worst", "every"};
constexpr std::string_view rule_words[] = {"interval", "value"};
constexpr std::string_view undecided_words[] = {"report", "fail", "pass"};

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
  block.refuse(node, std::string(key) + ": '" + std::string(word) +
                         "' is not one of committed, reference:NAME, system:NAME, "
                         "peak:flop, peak:memory, median" +
                         units::did_you_mean(word, names));
}

/// Limit such as "2.5 Tflop/s" or "95% of committed"; nullopt if the key is missing.
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

/// Reads how far values may lie apart, and whether those of nodes or of launches.
void take_spread(const CriteriaBlock& block, Criterion& criterion) {
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

Criterion read_criterion(const toml::table& table, const std::string& file, std::size_t min_launches) {
  CriteriaBlock block(table, file, "[[criterion]]");
  Criterion one;
  one.place = block.place();
  one.id = block.text("id");
  if (one.id.empty()) block.refuse("needs an id");
  block.name_it(one.id);
  block.allow(criterion_words);
  one.text = block.text("text");
  one.section = block.text("section");
  one.figure = block.text("figure");
  one.select = block.text("select");
  one.table = block.text("table");
  one.metric = block.text("metric");
  one.statistic = block.text("statistic");
  one.at_least = limit_of(block, "at_least");
  one.at_most = limit_of(block, "at_most");
  one.within = limit_of(block, "within");
  take_spread(block, one);
  one.every = block.word("every", every_words, acceptance::Every::none, 1);
  one.allowed = block.share("allowed").value_or(0);
  one.combine = block.word("combine", combine_words, acceptance::Combine::median);
  one.rule = block.word("rule", rule_words, acceptance::Rule::interval);
  one.min_launches = block.count("min_launches", min_launches);
  one.verified = block.yes("verified");
  one.official = block.yes("official");
  one.complete = block.yes("complete");
  one.where = block.filter("where");
  one.undecided = block.word("undecided", undecided_words, acceptance::Undecided::report);
  one.waived = block.text("waived");
  one.weight = block.share("weight").value_or(1);
  check_criterion(block, one);
  return one;
}

acceptance::Mean read_mean(const toml::table& table, const std::string& file) {
  CriteriaBlock block(table, file, "[[mean]]");
  acceptance::Mean mean;
  mean.place = block.place();
  mean.id = block.text("id");
  if (mean.id.empty()) block.refuse("needs an id");
  block.name_it(mean.id);
  block.allow(mean_words);
  mean.text = block.text("text");
  const auto limit = block.share("at_least");
  if (!limit) block.refuse("has no limit: at_least");
  mean.at_least = *limit;
  const toml::node* of = block.find("of");
  const toml::array* list = of == nullptr ? nullptr : of->as_array();
  if (list == nullptr || list->empty()) block.refuse("of: needs a list of ids");
  for (const toml::node& node : *list) {
    const auto id = node.value<std::string>();
    if (!id) block.refuse(node, "of: must be ids in quotes");
    mean.of.push_back(*id);
  }
  return mean;
}

/// Pattern of a key: "lion*", 16.
std::string pattern_of(const CriteriaBlock& block, const std::string& key, const toml::node& node) {
  if (node.is_integer()) return std::to_string(*node.value<std::int64_t>());
  return block.text(key);
}

acceptance::Require read_require(const toml::table& table, const std::string& file) {
  CriteriaBlock block(table, file, "[require]");
  acceptance::Require require;
  std::string all;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (name == "same_layout") {
      require.same_layout = block.yes(name);
      continue;
    }
    const std::string words = name + '=' + pattern_of(block, name, node);
    try {
      (void)comparison::RunFilter::parse(words);
    } catch (const comparison::UnknownRunName& unknown) {
      block.refuse(node, unknown.what());
    }
    if (words.find(' ') != std::string::npos)
      block.refuse(node, name + ": a pattern has no blank; write * for it");
    all += (all.empty() ? "" : " ") + words;
  }
  require.runs = comparison::RunFilter::parse(all);
  return require;
}

void check_ids(const Criteria& criteria, const std::string& file) {
  std::set<std::string> ids;
  const auto add = [&](const std::string& id, const std::string& place) {
    if (!ids.insert(id).second) throw UsageError(place + ": the id '" + id + "' is there twice");
  };
  std::vector<std::string> names;
  for (const Criterion& one : criteria.list) {
    add(one.id, one.place);
    names.push_back(one.id);
  }
  for (const auto& mean : criteria.means) {
    add(mean.id, mean.place);
    for (const std::string& id : mean.of) {
      if (std::ranges::find(names, id) != names.end()) continue;
      throw UsageError(mean.place + ": " + mean.id + ": there is no criterion '" + id + '\'' +
                       units::did_you_mean(id, names));
    }
  }
  if (criteria.list.empty()) throw UsageError(file + ": no [[criterion]] stands in it");
}

/// Refuses a committed number that no criterion asks for: it is a slip of the pen.
void check_committed(const CriteriaBlock& block, const Criteria& criteria) {
  std::vector<std::string> names;
  for (const Criterion& one : criteria.list) names.push_back(one.figure.empty() ? one.id : one.figure);
  for (const auto& [name, amount] : criteria.committed) {
    if (std::ranges::find(names, name) != names.end() ||
        std::ranges::find(criteria.list, name, &Criterion::id) != criteria.list.end())
      continue;
    block.refuse(*block.find(name),
                 "no criterion has the figure or the id '" + name + '\'' + units::did_you_mean(name, names));
  }
}

const toml::table* table_in(const CriteriaBlock& block, const toml::table& root, std::string_view key) {
  const toml::node* node = root.get(key);
  if (node == nullptr) return nullptr;
  if (!node->is_table()) block.refuse(*node, "[" + std::string(key) + "] must be a table");
  return node->as_table();
}

template <class Read>
void each_table(const CriteriaBlock& block, const toml::table& root, std::string_view key, const Read& read) {
  const toml::node* node = root.get(key);
  if (node == nullptr) return;
  const toml::array* list = node->as_array();
  if (list == nullptr) block.refuse(*node, "write [[" + std::string(key) + "]]");
  for (const toml::node& one : *list) {
    if (!one.is_table()) block.refuse(one, "write [[" + std::string(key) + "]]");
    read(*one.as_table());
  }
}

void read_amounts(const toml::table& table, const std::string& file, const std::string& owner,
                  std::map<std::string, units::Amount>& to) {
  const CriteriaBlock block(table, file, owner);
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    to.emplace(name, node.is_number() && owner == "[committed]" && acceptance::figure_kind(name) &&
                             acceptance::figure_kind(name)->unit.empty()
                         ? units::Amount{*node.value<double>(), ""}
                         : block.amount_of(node, name, "any"));
  }
}

void read_tables(const toml::table& root, const std::string& name, const CriteriaBlock& block,
                 Criteria& criteria) {
  if (const auto* require = table_in(block, root, "require")) criteria.require = read_require(*require, name);
  if (const auto* committed = table_in(block, root, "committed"))
    read_amounts(*committed, name, "[committed]", criteria.committed);
  if (const auto* peak = table_in(block, root, "peak")) {
    constexpr std::string_view known[] = {"flop", "memory"};
    CriteriaBlock(*peak, name, "[peak]").allow(known);
    read_amounts(*peak, name, "[peak]", criteria.peak);
  }
}

}  // namespace

Criteria parse_criteria(std::string_view text, const std::string& name) {
  const toml::table root = parse_toml(text, name);
  const CriteriaBlock block(root, name, {});
  block.allow(top_words);
  if (const toml::node* format = block.find("format");
      format == nullptr || format->value<std::int64_t>() != 1)
    throw UsageError((format == nullptr ? name : place_in(name, format->source())) +
                     ": format = 1 is needed");
  Criteria criteria;
  criteria.sha256 = record::sha256(text);
  criteria.title = block.text("title");
  if (criteria.title.empty()) criteria.title = name;
  criteria.confidence = block.share("confidence").value_or(0.95);
  constexpr double most = 0.999, rounding = 1e-9;  // "99.9%" times a hundredth is a little more than 0.999
  if (criteria.confidence < 0.5 || criteria.confidence > most + rounding)
    block.refuse(*block.find("confidence"), "confidence: must be from 50% to 99.9%");
  const std::size_t min_launches = block.count("min_launches", 1);
  read_tables(root, name, block, criteria);
  each_table(block, root, "criterion", [&](const toml::table& one) {
    criteria.list.push_back(read_criterion(one, name, min_launches));
  });
  each_table(block, root, "mean",
             [&](const toml::table& one) { criteria.means.push_back(read_mean(one, name)); });
  check_ids(criteria, name);
  if (const auto* committed = table_in(block, root, "committed"))
    check_committed(CriteriaBlock(*committed, name, "[committed]"), criteria);
  return criteria;
}

}  // namespace steelyard::cli