// SPDX-License-Identifier: Apache-2.0
#include "acceptance/criteria_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "analysis/acceptance/figures.hpp"
#include "analysis/acceptance/selection.hpp"
#include "analysis/comparison/run_filter.hpp"
#include "foreign/foreign.hpp"
#include "options/toml.hpp"
#include "process/errors.hpp"
#include "record/value.hpp"
#include "suites/screen/quantities.hpp"
#include "suites/suite_list.hpp"
#include "units/amount.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

/// One table of a file of criteria: every error has the place of the word that it is about.
class CriteriaBlock {
 public:
  using Words = std::span<const std::string_view>;

  CriteriaBlock(const toml::table& table, std::string file, std::string owner)
      : table_(table), file_(std::move(file)), owner_(std::move(owner)) {}

  [[nodiscard]] std::string place() const { return place_in(file_, table_.source()); }
  void name_it(const std::string& owner) { owner_ = owner; }

  [[noreturn]] void refuse(const std::string& what) const {
    throw UsageError(place() + ": " + prefix() + what);
  }
  [[noreturn]] void refuse(const toml::node& node, const std::string& what) const {
    throw UsageError(place_in(file_, node.source()) + ": " + prefix() + what);
  }
  /// Refuses words that are not known.
  void allow(Words known) const { allow_words(table_, {known.begin(), known.end()}, file_, prefix()); }

  [[nodiscard]] const toml::node* find(std::string_view key) const { return table_.get(key); }
  [[nodiscard]] std::string text(std::string_view key) const {
    const toml::node* node = find(key);
    if (node == nullptr) return {};
    const auto value = node->value<std::string>();
    if (!node->is_string() || !value) refuse(*node, std::string(key) + ": must be a text in quotes");
    return *value;
  }
  [[nodiscard]] bool yes(std::string_view key) const {
    const toml::node* node = find(key);
    if (node == nullptr) return false;
    if (!node->is_boolean()) refuse(*node, std::string(key) + ": must be true or false");
    return *node->value<bool>();
  }
  [[nodiscard]] std::size_t count(std::string_view key, std::size_t otherwise) const {
    const toml::node* node = find(key);
    if (node == nullptr) return otherwise;
    const auto value = node->value<std::int64_t>();
    if (!node->is_integer() || *value < 1 || *value > 1000)
      refuse(*node, std::string(key) + ": must be a whole number from 1 to 1000");
    return static_cast<std::size_t>(*value);
  }
  /// Share such as 0.05 or "5%"; nullopt if the key is missing.
  [[nodiscard]] std::optional<double> share(std::string_view key) const {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (node->is_number()) {
      const double value = *node->value<double>();
      if (!(value > 0) || !std::isfinite(value)) refuse(*node, std::string(key) + ": must be above 0");
      return value;
    }
    return amount_of(*node, key, "").value;
  }
  /// Amount of a text with its unit. Refuses a bare number: it has lost its unit.
  [[nodiscard]] units::Amount amount_of(const toml::node& node, std::string_view key,
                                        std::string_view needed) const {
    if (node.is_number())
      refuse(node, std::string(key) + ": a number needs its unit, in quotes: \"2.5 Tflop/s\"");
    const auto words = node.value<std::string>();
    if (!node.is_string() || !words) refuse(node, std::string(key) + ": must be a text in quotes");
    try {
      const auto composed = acceptance::composed_units();
      units::Amount amount = units::parse_amount(*words, composed);
      if (key != "amount" && needed != "any" && amount.unit != needed)
        refuse(node,
               std::string(key) + ": '" + *words + "' is in " + amount.unit +
                   (needed.empty() ? "; a ratio is needed" : "; " + std::string(needed) + " is needed"));
      return amount;
    } catch (const units::ParseError& error) {
      refuse(node, std::string(key) + ": " + error.what());
    }
  }
  [[nodiscard]] comparison::RunFilter filter(std::string_view key) const {
    try {
      return comparison::RunFilter::parse(text(key));
    } catch (const comparison::UnknownRunName& unknown) {
      refuse(*find(key), std::string(key) + ": " + unknown.what());
    }
  }
  /// Enumerator of a valid word; the words stand in the order of the enumerators from `first` on.
  template <class Enum>
  [[nodiscard]] Enum word(std::string_view key, Words valid, Enum otherwise, int first = 0) const {
    const toml::node* node = find(key);
    if (node == nullptr) return otherwise;
    try {
      const std::string found = units::parse_word(text(key), valid);
      return static_cast<Enum>(first + static_cast<int>(std::ranges::find(valid, found) - valid.begin()));
    } catch (const units::ParseError& error) {
      refuse(*node, std::string(key) + ": " + error.what());
    }
  }

 private:
  [[nodiscard]] std::string prefix() const { return owner_.empty() ? "" : owner_ + ": "; }

  const toml::table& table_;
  std::string file_, owner_;
};

constexpr std::string_view every_words[] = {"point", "node", "link"};

using acceptance::Criterion;
using acceptance::Every;
using acceptance::Of;

constexpr std::string_view statistic_words[] = {"median", "mean", "min", "p05", "p25",
                                                "p75",    "p95",  "p99", "max"};

/// Whether a figure is "SUMMARY.VALUE" of b_eff, b_eff_io or FTIO.
bool is_of_summary(std::string_view figure) {
  constexpr std::string_view summaries[] = {"b_eff", "b_eff_io", "ftio"};
  const auto dot = figure.find('.');
  return dot != std::string_view::npos &&
         std::ranges::find(summaries, figure.substr(0, dot)) != std::end(summaries);
}

/// Whether a figure names a summary of b_eff, b_eff_io or FTIO, but no value of it: values have names that are
/// listed, or end in their unit.
bool is_no_summary_value(std::string_view figure) {
  if (!is_of_summary(figure)) return false;
  const auto value = figure.substr(figure.find('.') + 1);
  return record::metric_name(value) == nullptr && record::unit_of(value).empty();
}

std::vector<std::string> names_near(std::string_view figure) {
  auto names = acceptance::figure_names();
  if (is_of_summary(figure))  // keys of HPC Challenge are among those already
    for (const auto& one : record::metric_names())
      names.push_back(std::string(figure.substr(0, figure.find('.') + 1)) + std::string(one.name));
  return names;
}

void check_figure(const CriteriaBlock& block, const std::string& figure) {
  if (figure.empty() || (acceptance::figure_kind(figure) && !is_no_summary_value(figure))) return;
  const auto names = names_near(figure);
  block.refuse(*block.find("figure"),
               "there is no figure '" + figure + '\'' + units::did_you_mean(figure, names));
}

/// Refuses a benchmark that does not exist; of other programs all are accepted.
void check_select(const CriteriaBlock& block, const std::string& select) {
  if (select.empty()) return;
  const acceptance::PointPattern pattern(select);
  const std::string benchmark = pattern.benchmark();
  if (foreign::is_suite(benchmark.substr(0, benchmark.find('/')))) return;
  const auto all = suites::definitions();
  try {
    const std::vector<std::string> patterns{benchmark};
    (void)campaign::select(patterns, {}, suites::pointers(all));
  } catch (const UsageError& error) {
    block.refuse(*block.find("select"), "select: " + std::string(error.what()));
  }
}

void check_table(const CriteriaBlock& block, const std::string& table) {
  if (table.empty()) return;
  std::vector<std::string> names;
  for (const screen::Quantity& one : screen::quantities)
    names.push_back(std::string(one.of_pairs ? screen::pair_table : screen::node_table) + '.' +
                    std::string(one.name));
  if (std::ranges::find(names, table) != names.end()) return;
  const std::string near = units::did_you_mean(table, names);
  block.refuse(*block.find("table"),
               "there is no table '" + table + '\'' +
                   (near.empty() ? "; such as screen_nodes.triad, pingpong_pairs.bandwidth" : near));
}

void check_statistic(const CriteriaBlock& block, const std::string& statistic) {
  if (statistic.empty() || statistic.starts_with("classic.")) return;
  (void)block.word<int>("statistic", statistic_words, 0);
}

/// Refuses words that make no sense together.
void check_limits(const CriteriaBlock& block, const Criterion& criterion) {
  const int subjects = static_cast<int>(!criterion.figure.empty()) +
                       static_cast<int>(!criterion.select.empty()) +
                       static_cast<int>(!criterion.table.empty());
  if (subjects != 1)
    block.refuse(subjects == 0 ? "needs one of figure, select, table"
                               : "has more than one of figure, select, table");
  if (!criterion.at_least && !criterion.at_most && !criterion.within && !criterion.spread_at_most)
    block.refuse("has no limit: at_least, at_most, within or spread_at_most");
  if (criterion.within && criterion.within->of == Of::amount)
    block.refuse(*block.find("within"), "within: needs what it is a share of: \"5% of reference:NAME\"");
  if (criterion.within && !criterion.table.empty() && criterion.within->of != Of::median &&
      criterion.within->of != Of::reference)
    block.refuse(*block.find("within"), "within: of a table it is a share of the median or of a reference");
  const auto &low = criterion.at_least, &high = criterion.at_most;
  const bool same = low && high && low->of == high->of && low->name == high->name;
  const bool amounts = same && low->of == Of::amount;
  const bool crossed = amounts
                           ? low->amount.unit == high->amount.unit && low->amount.value > high->amount.value
                           : same && low->share > high->share;
  if (crossed)
    block.refuse(*block.find("at_least"),
                 "at_least " + low->written + " lies above at_most " + high->written);
  if (criterion.spread_at_most && (low || high || criterion.within))
    block.refuse("spread_at_most stands alone: make a second criterion of it");
  if (criterion.spread_at_most && criterion.spread_at_most->of != Of::amount)
    block.refuse(*block.find("spread_at_most"), "spread_at_most: is a ratio, such as \"5%\"");
  if (!criterion.metric.empty() && criterion.select.empty())
    block.refuse(*block.find("metric"), "metric: belongs to select");
  if (!criterion.statistic.empty() && criterion.select.empty())
    block.refuse(*block.find("statistic"), "statistic: belongs to select");
}

/// Refuses an `every` that is not of the subject's kind: points of a selection, nodes or links of a table.
void check_every(const CriteriaBlock& block, const Criterion& criterion) {
  if (criterion.allowed > 0 && criterion.every == Every::none)
    block.refuse(*block.find("allowed"), "allowed: belongs to every");
  if (criterion.every == Every::none) return;
  const toml::node& every = *block.find("every");
  if (!criterion.figure.empty())
    block.refuse(every, "every: belongs to select and table; a figure is one value");
  const Every needed = !criterion.select.empty()                      ? Every::point
                       : criterion.table.starts_with("screen_nodes.") ? Every::node
                                                                      : Every::link;
  if (criterion.every != needed)
    block.refuse(every, "every: '" + block.text("every") + "' is none of " +
                            (criterion.select.empty() ? criterion.table : criterion.select) + "; '" +
                            std::string(every_words[static_cast<std::size_t>(needed) - 1]) + "' is");
}

struct Subject {
  std::string name, unit;
};

/// Subject of a criterion with its unit: of a table that of its quantity, of a selection that of the metric or
/// statistic that it names; nullopt if the unit is not known.
std::optional<Subject> subject_with_unit(const Criterion& criterion) {
  if (const auto kind = acceptance::figure_kind(criterion.figure))
    return Subject{criterion.figure, kind->unit};
  if (!criterion.table.empty()) {
    const auto* quantity = screen::quantity(criterion.table.substr(criterion.table.find('.') + 1));
    return quantity == nullptr ? std::nullopt
                               : std::optional(Subject{criterion.table, std::string(quantity->unit)});
  }
  const bool classic = criterion.statistic.starts_with("classic.");
  const std::string& metric = classic ? criterion.statistic : criterion.metric;
  const std::string unit(record::unit_of(metric));
  return unit.empty() ? std::nullopt : std::optional(Subject{metric, unit == "w" ? "W" : unit});
}

/// Refuses a limit in another unit than the subject's.
void check_units(const CriteriaBlock& block, const Criterion& criterion) {
  const auto kind = subject_with_unit(criterion);
  if (!kind) return;
  const std::pair<const char*, const std::optional<acceptance::Limit>*> limits[] = {
      {"at_least", &criterion.at_least}, {"at_most", &criterion.at_most}};
  for (const auto& [key, limit] : limits)
    if (*limit && (*limit)->of == Of::amount && (*limit)->amount.unit != kind->unit)
      block.refuse(*block.find(key),
                   std::string(key) + ": '" + (*limit)->written + "' is " +
                       ((*limit)->amount.unit.empty() ? "a pure number" : "in " + (*limit)->amount.unit) +
                       "; " + kind->name + " is " +
                       (kind->unit.empty() ? "a pure number" : "in " + kind->unit));
}

// Refuses a criterion that names something unknown, or whose words make no sense together.
void check_criterion(const CriteriaBlock& block, const Criterion& criterion) {
  check_figure(block, criterion.figure);
  check_select(block, criterion.select);
  check_table(block, criterion.table);
  check_statistic(block, criterion.statistic);
  check_limits(block, criterion);
  check_every(block, criterion);
  check_units(block, criterion);
}

using acceptance::Criteria;
using acceptance::Limit;

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
