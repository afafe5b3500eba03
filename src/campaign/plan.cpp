// SPDX-License-Identifier: Apache-2.0
#include "campaign/plan.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <limits>
#include <map>

#include "campaign/budget.hpp"
#include "campaign/resume.hpp"
#include "measure/schedule.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

/// A bracket expression at the start of a glob, with the number of characters it takes; 0 = not closed.
struct Set {
  std::string_view members;
  bool negated = false;
  std::size_t length = 0;
};

Set leading_set(std::string_view glob) {
  const bool negated = glob.size() > 1 && glob[1] == '!';
  const std::size_t first = negated ? 2 : 1;
  // a ']' in the first place is a member
  const std::size_t close = glob.find(']', first + 1);
  if (close == std::string_view::npos) return {};
  return {glob.substr(first, close - first), negated, close + 1};
}

bool contains(const Set& set, char c) {
  bool found = false;
  for (std::size_t i = 0; i < set.members.size(); ++i) {
    const bool range = i + 2 < set.members.size() && set.members[i + 1] == '-';
    found = found || (range ? set.members[i] <= c && c <= set.members[i + 2] : set.members[i] == c);
    if (range) i += 2;
  }
  return found != set.negated;
}

bool star_matches(std::string_view rest, std::string_view text) {
  for (std::size_t skipped = 0; skipped <= text.size(); ++skipped)
    if (glob_matches(rest, text.substr(skipped))) return true;
  return false;
}

using Suites = std::span<const suites::Suite* const>;
using Selection = std::vector<Selected>;

std::string full_name(const Selected& one) {
  return std::string(one.suite->name()) + "/" + one.benchmark;
}

bool contains(const Selection& list, const Selected& one) {
  return std::ranges::any_of(
      list, [&](const Selected& s) { return s.suite == one.suite && s.benchmark == one.benchmark; });
}

enum class Extent { default_set, everything };  // selection by a bare suite name

Selection matches(const Pattern& pattern, Suites suites, Extent extent) {
  Selection found;
  for (const suites::Suite* suite : suites) {
    if (!pattern.matches_suite(suite->name())) continue;
    const bool only_default = pattern.whole_suite() && extent == Extent::default_set;
    for (const suites::BenchmarkInfo& info : suite->catalogue())
      if (pattern.matches_benchmark(info.name) && (info.in_default || !only_default))
        found.push_back({suite, std::string(info.name)});
  }
  return found;
}

std::vector<std::string> bare_benchmarks(Suites suites) {
  std::vector<std::string> names;
  for (const suites::Suite* suite : suites)
    for (const suites::BenchmarkInfo& info : suite->catalogue()) names.emplace_back(info.name);
  return names;
}

std::vector<std::string> valid_words(Suites suites) {
  std::vector<std::string> words;
  for (const suites::Suite* suite : suites) words.emplace_back(suite->name());
  for (const Selected& one : matches(Pattern("*/*"), suites, Extent::everything))
    words.push_back(full_name(one));
  return words;
}

/// Full name of the first benchmark that a pattern means.
std::optional<std::string> first_of(const std::string& pattern, Suites suites) {
  const auto found = matches(Pattern(pattern), suites, Extent::everything);
  return found.empty() ? std::nullopt : std::optional(full_name(found.front()));
}

/// Nearest selectable word: of a word without its suite the benchmark of that name, or the nearest one; else one that
/// ends so, as StarSTREAM does for STREAM.
std::optional<std::string> suggestion(const std::string& word, Suites suites) {
  if (word.empty()) return std::nullopt;
  const std::size_t slash = word.find('/');
  const bool bare = slash == std::string::npos;
  if (auto named = bare ? first_of("*/" + word, suites) : std::nullopt) return named;
  if (auto near = units::nearest(word, valid_words(suites))) return near;
  if (const auto near = bare ? units::nearest(word, bare_benchmarks(suites)) : std::nullopt)
    return first_of("*/" + *near, suites);
  return first_of(bare ? "*/*" + word : word.substr(0, slash + 1) + '*' + word.substr(slash + 1), suites);
}

void add_once(std::vector<std::string>& list, const std::string& word) {
  if (std::ranges::find(list, word) == list.end()) list.push_back(word);
}

/// One message for all words that match nothing.
class Unknown {
 public:
  void add(const std::string& word, Suites suites) {
    add_once(words_, word);
    if (const auto near = suggestion(word, suites)) add_once(near_, *near);
  }
  void raise() const {
    if (words_.empty()) return;
    const std::string hint = near_.empty() ? "" : "; did you mean " + units::joined_in_quotes(near_) + '?';
    throw UsageError("no benchmark matches " + units::joined_in_quotes(words_) + hint +
                     " ('steelyard list' shows all)");
  }

 private:
  std::vector<std::string> words_, near_;
};

Selection gather(std::span<const std::string> words, Suites suites, Extent extent, Unknown& unknown) {
  Selection all;
  for (const std::string& word : words) {
    const Selection found = matches(Pattern(word), suites, extent);
    if (found.empty()) unknown.add(word, suites);
    for (const Selected& one : found)
      if (!contains(all, one)) all.push_back(one);
  }
  return all;
}

using Tables = std::vector<suites::BlockPlan>;
constexpr std::size_t most_points_of_a_block = 64;
constexpr double longest_block_s = 60;  // a killed job loses at most one block

/// Consecutive benchmarks of one suite are planned together, so that the suite sees their order.
Tables tables_of(std::span<const Selected> selected, const suites::World& world) {
  Tables tables;
  for (std::size_t i = 0; i < selected.size();) {
    const suites::Suite* suite = selected[i].suite;
    std::vector<std::string> names;
    for (; i < selected.size() && selected[i].suite == suite; ++i) names.push_back(selected[i].benchmark);
    auto more = suite->plan(names, world);
    for (suites::BlockPlan& table : more) table.planned_by = suite;
    std::ranges::move(more, std::back_inserter(tables));
  }
  return tables;
}

void skip_what_needs_more(Tables& tables, std::int64_t memory_byte) {
  if (memory_byte <= 0) return;
  for (suites::BlockPlan& table : tables)
    for (suites::PointPlan& point : table.points) {
      if (!point.measurable() || point.memory_byte <= memory_byte) continue;
      point.skip = record::ReasonCode::memory;
      const auto [needed, available] =
          units::format_unlike_sizes(Bytes{point.memory_byte}, Bytes{memory_byte});
      point.skip_text = "needs " + needed + " per process, " + available + " are available";
      point.needed_byte = point.memory_byte;
      point.available_byte = memory_byte;
    }
}

void shuffle(Tables& tables, std::uint64_t seed) {
  Tables mixed;
  for (const std::size_t i : measure::shuffled(tables.size(), seed, 0, 0))
    mixed.push_back(std::move(tables[i]));
  tables = std::move(mixed);
}

std::string hash_of(const Tables& tables, std::string_view schedule_rule, std::uint64_t seed) {
  std::string text;
  for (const suites::BlockPlan& table : tables)
    for (const suites::PointPlan& point : table.points) text += point.key + "\n";
  return record::sha256(text + std::string(schedule_rule) + "\n" + std::to_string(seed) + "\n");
}

/// Cuts tables into blocks of at most 64 points and 60 s. Rules of the suites look back within their table (time
/// limits), which stays whole.
class Splitter {
 public:
  Splitter(const Allowance& allowance, const MeasuringRule& rule, bool fixed)
      : allowance_(allowance), adaptive_(rule.adaptive()), cuts_(adaptive_ || fixed) {}

  Tables split(Tables tables) {
    for (suites::BlockPlan& table : tables) split_one(std::move(table));
    return std::move(blocks_);
  }

 private:
  /// Longest time of a point; 0 if its operations are counted: there the number of points alone decides.
  double longest_s(const suites::PointPlan& point) const {
    return point.measurable() && adaptive_ ? allowance_.point_s(point) : 0;
  }

  void open_block(const suites::BlockPlan& head, std::size_t part) {
    blocks_.push_back(head);
    blocks_.back().part = part;
    planned_s_ = 0;
  }

  void split_one(suites::BlockPlan table) {
    const auto points = std::exchange(table.points, {});
    std::size_t part = table.part;
    open_block(table, part);
    for (const suites::PointPlan& point : points) {
      const std::size_t held = blocks_.back().points.size();
      const bool full = cuts_ && !table.indivisible &&
                        (held == most_points_of_a_block || planned_s_ + longest_s(point) > longest_block_s);
      if (held > 0 && full) open_block(table, ++part);
      blocks_.back().points.push_back(point);
      planned_s_ += longest_s(point);
    }
  }

  const Allowance& allowance_;
  bool adaptive_, cuts_;
  Tables blocks_;
  double planned_s_ = 0;
};

/// Line of a suite in the plan; a suite that comes again later counts where it came first.
SuitePlan& line_of(Plan& plan, const std::string& suite) {
  const auto found = std::ranges::find(plan.suites, suite, &SuitePlan::suite);
  if (found != plan.suites.end()) return *found;
  plan.suites.push_back({.suite = suite});
  return plan.suites.back();
}

void count_benchmarks(Plan& plan) {
  std::set<std::string> seen;
  for (const suites::BlockPlan& block : plan.blocks)
    if (seen.insert(block.suite + "/" + block.benchmark).second) ++line_of(plan, block.suite).benchmarks;
}

void estimate_whole(Plan& plan, const Allowance& allowance, const MeasuringRule& rule) {
  double shared_s = 0;  // of the points whose schedule the campaign decides
  std::size_t sharing = 0;
  count_benchmarks(plan);
  for (const suites::BlockPlan& block : plan.blocks)
    for (const suites::PointPlan& point : block.points) {
      SuitePlan& suite = line_of(plan, block.suite);
      ++(point.skip ? suite.skipped : suite.points);
      if (!point.skip && point.kept) ++suite.kept, ++plan.kept;
      if (!point.measurable()) continue;
      const double most = rule.adaptive() ? allowance.point_s(point) : point.minimum_s;
      suite.estimate_s += expected_s(point, allowance, rule);
      suite.longest_s += most;
      if (point.prescribed_s) continue;
      shared_s += most;
      ++sharing;
    }
  for (const SuitePlan& suite : plan.suites) {
    plan.estimate_s += suite.estimate_s / (1 - setup_share);
    plan.longest_s += suite.longest_s / (1 - setup_share);
  }
  if (rule.adaptive() && sharing > 0) plan.point_budget = Seconds{shared_s / static_cast<double>(sharing)};
}

std::vector<std::string> sequence_of(std::span<const Selected> selected, const Tables& tables,
                                     bool random_order) {
  std::vector<std::string> sequence;
  if (!random_order)
    for (const Selected& one : selected)
      sequence.push_back(std::string(one.suite->name()) + "/" + one.benchmark);
  else
    for (const suites::BlockPlan& table : tables)
      if (const auto name = table.suite + "/" + table.benchmark;
          std::ranges::find(sequence, name) == sequence.end())
        sequence.push_back(name);
  return sequence;
}

Allowance allowance_of(const Tables& tables, const PlanOptions& options, double limit_s) {
  Allowance::Remaining remaining;
  for (const suites::BlockPlan& table : tables)
    for (const suites::PointPlan& point : table.points) {
      if (!point.measurable()) continue;
      remaining.add(point);
    }
  const auto left = options.budget ? std::optional(points_s(*options.budget)) : std::nullopt;
  return {left, remaining, limit_s};
}

/// Seconds of an experiment that can be measured at any time; nullopt for tables of other kinds. An
/// experiment on files may read files that the table before it wrote.
std::optional<double> experiment_s(const suites::BlockPlan& table) {
  if (!table.indivisible || table.files) return std::nullopt;
  double seconds = 0;
  for (const suites::PointPlan& point : table.points) {
    if (!point.prescribed_s) return std::nullopt;
    if (point.measurable()) seconds += *point.prescribed_s;
  }
  return seconds;
}

/// Sorts neighbouring experiments of a suite, the shortest first: if one takes longer than expected, the
/// budget has already given as many figures as it could, and a verdict has resources to compare.
void order_by_time(Tables& tables) {
  for (auto first = tables.begin(); first != tables.end();) {
    auto last = first;
    while (last != tables.end() && last->suite == first->suite && experiment_s(*last)) ++last;
    std::stable_sort(first, last, [](const suites::BlockPlan& a, const suites::BlockPlan& b) {
      return *experiment_s(a) < *experiment_s(b);
    });
    first = last == first ? first + 1 : last;
  }
}

std::vector<std::string> shrunk_to(Tables& tables, MeasuringRule& rule, bool divided, double budget_s) {
  std::vector<std::string> told;
  if (divided) told = shrink_parts(tables, rule, budget_s);
  std::ranges::move(shrink(tables, rule, budget_s), std::back_inserter(told));
  return told;
}

/// Marks what takes no time any more; an experiment is measured again as a whole.
void mark_kept(Tables& tables, const std::set<std::string>& keys) {
  const auto kept = kept_points(tables, keys);
  const auto stands = [&](const suites::PointPlan& point) { return kept.contains(point.key); };
  for (suites::BlockPlan& table : tables)
    if (!table.indivisible || std::ranges::all_of(table.points, stands))
      for (suites::PointPlan& point : table.points) point.kept = stands(point);
}

/// Who measures marks the points for himself: what is done with failed ones is not known here.
void forget_kept(Tables& tables) {
  for (suites::BlockPlan& table : tables)
    for (suites::PointPlan& point : table.points) point.kept = false;
}

/// Shrinks to the budget of the run, and what is left of it to a smaller one of a resume.
std::vector<std::string> shrunk(Tables& tables, MeasuringRule& rule, const PlanOptions& options) {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  const double now_s = options.budget ? options.budget->value() : unlimited;
  const double first_s = std::max(now_s, options.first_budget ? options.first_budget->value() : now_s);
  std::vector<std::string> told;
  if (first_s < unlimited) told = shrunk_to(tables, rule, options.divided, first_s);
  mark_kept(tables, options.kept);
  if (now_s < first_s)
    for (const std::string& sentence : shrunk_to(tables, rule, options.divided, now_s))
      told.push_back("of what is left: " + sentence);
  return told;
}

struct Row {
  std::size_t points = 0, skipped = 0;
  std::int64_t smallest = 0, largest = 0, memory_byte = 0;
  double moved_byte = 0, seconds = 0;
};

/// Adds a point to a row: sums over measured points; skipped ones are only counted.
void add(Row& row, const suites::PointPlan& point, const MeasuringRule& rule) {
  if (!point.measurable()) {
    ++row.skipped;
    return;
  }
  row.smallest = row.points == 0 ? point.bytes : std::min(row.smallest, point.bytes);
  row.largest = std::max(row.largest, point.bytes);
  row.memory_byte = std::max(row.memory_byte, point.memory_byte);
  row.moved_byte += least_demand(point, rule).operations * point.cost.moved_byte;
  row.seconds += point.minimum_s;
  ++row.points;
}

Row row_of(const suites::BlockPlan& block, const MeasuringRule& rule) {
  Row row;
  for (const suites::PointPlan& point : block.points) add(row, point, rule);
  return row;
}

void merge(Row& sum, const Row& row) {
  sum.points += row.points;
  sum.skipped += row.skipped;
  sum.memory_byte = std::max(sum.memory_byte, row.memory_byte);
  sum.moved_byte += row.moved_byte;
  sum.seconds += row.seconds;
}

std::string sizes(const Row& row) {
  if (row.points == 0) return "-";
  const auto low = units::format_size(Bytes{row.smallest});
  return row.smallest == row.largest ? low : low + " .. " + units::format_size(Bytes{row.largest});
}

constexpr std::array widths{9, 6, 6, 7, 20, 10, 10, 9};  // of the columns after the name
constexpr int name_width = 30;

std::string padding(const std::string& text, int width) {
  const auto wanted = static_cast<std::size_t>(width);
  return std::string(text.size() < wanted ? wanted - text.size() : 0, ' ');
}

void print_line(std::ostream& out, const std::string& name,
                const std::array<std::string, widths.size()>& columns) {
  out << name << padding(name, name_width);
  for (std::size_t i = 0; i < columns.size(); ++i)
    out << "  " << padding(columns[i], widths[i]) << columns[i];
  out << "\n";
}

void print_row(std::ostream& out, const std::string& name, const std::string& processes,
               const std::string& groups, const Row& row, const std::string& extent) {
  print_line(out, name,
             {processes, groups, std::to_string(row.points), std::to_string(row.skipped), extent,
              units::format_rounded_size(static_cast<double>(row.memory_byte)),
              units::format_rounded_size(row.moved_byte), units::format_time(Seconds{row.seconds})});
}

std::map<std::string_view, std::size_t> skipped_by_reason(const Plan& plan) {
  std::map<std::string_view, std::size_t> reasons;
  for (const suites::BlockPlan& block : plan.blocks)
    for (const suites::PointPlan& point : block.points)
      if (point.skip) ++reasons[record::text(*point.skip)];
  return reasons;
}

std::string time(double seconds) {
  return units::format_time(Seconds{seconds});
}

/// Prints points of a plan under one sentence each, with the names of their benchmarks once.
void print_sentences(std::ostream& out, const Plan& plan, std::string_view head,
                     const std::function<std::string(const suites::PointPlan&)>& sentence_of) {
  std::string last;
  for (const suites::BlockPlan& block : plan.blocks)
    for (const suites::PointPlan& point : block.points) {
      const std::string sentence = sentence_of(point);
      if (sentence.empty()) continue;
      const std::string line = block.suite + "/" + block.benchmark + ": " + sentence;
      if (line != last) out << head << line << "\n";
      last = line;
    }
}

std::string_view origin_of(const suites::Rates& rates) {
  using enum suites::Rates::Origin;
  if (rates.origin == measured) return "rates: measured by the survey of this run";
  if (rates.origin == stored) return "rates: those of the last run here; a run measures them first";
  return "rates: assumed, as nothing was measured here yet; a run measures them first";
}

void print_totals(std::ostream& out, const Plan& plan, const PlanOptions& options) {
  for (const auto& [reason, points] : skipped_by_reason(plan))
    out << "not measured: " << units::counted(points, "point") << ", reason " << reason << "\n";
  for (const std::string& step : plan.shrunk) out << "to fit the budget: " << step << "\n";
  print_sentences(out, plan, "left out: ", [](const suites::PointPlan& point) {
    return point.skip == record::ReasonCode::time && point.prescribed_s ? point.skip_text : std::string();
  });
  print_sentences(out, plan, "not representative: ", [](const suites::PointPlan& point) {
    return point.measurable() ? point.doubt : std::string();
  });
  print_expectations(out, plan);
  out << origin_of(options.rates) << "\n";
  if (options.memory_byte > 0)
    out << "memory per process: " << units::format_rounded_size(static_cast<double>(options.memory_byte))
        << "\n";
  if (options.budget)
    out << "budget: " << time(options.budget->value())
        << (options.half_width && !options.timed ? ", less if all intervals are reached earlier" : "")
        << "\n";
  out << "estimate: " << points_to_measure(plan) << " in about " << time(plan.estimate_s) << ", at most "
      << time(plan.longest_s) << "\n";
  out << "plan: " << plan.hash << "\n";
}

constexpr std::array suite_widths{10, 8, 14, 10, 10};

void print_suite(std::ostream& out, const std::string& name, const std::array<std::string, 5>& columns) {
  out << "  " << name << padding(name, 12);
  for (std::size_t i = 0; i < columns.size(); ++i)
    out << "  " << padding(columns[i], suite_widths[i]) << columns[i];
  out << "\n";
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view text) {
  if (glob.empty()) return text.empty();
  if (glob.front() == '*') return star_matches(glob.substr(1), text);
  if (text.empty()) return false;
  const Set set = glob.front() == '[' ? leading_set(glob) : Set{};
  if (set.length > 0)
    return contains(set, text.front()) && glob_matches(glob.substr(set.length), text.substr(1));
  return (glob.front() == '?' || glob.front() == text.front()) &&
         glob_matches(glob.substr(1), text.substr(1));
}

Pattern::Pattern(std::string_view word) : suite_(word.substr(0, word.find('/'))) {
  const std::size_t slash = word.find('/');
  if (slash != std::string_view::npos) benchmark_ = units::lower(word.substr(slash + 1));
}

bool Pattern::matches_benchmark(std::string_view benchmark) const {
  return !benchmark_ || glob_matches(*benchmark_, units::lower(benchmark));
}

std::vector<Selected> select(std::span<const std::string> patterns, std::span<const std::string> exclude,
                             Suites suites) {
  const std::vector<std::string> every_suite{"*"};
  Unknown unknown;
  Selection wanted =
      gather(patterns.empty() ? std::span(every_suite) : patterns, suites, Extent::default_set, unknown);
  const Selection unwanted = gather(exclude, suites, Extent::everything, unknown);
  unknown.raise();
  std::erase_if(wanted, [&](const Selected& one) { return contains(unwanted, one); });
  return wanted;
}

std::string points_to_measure(const Plan& plan) {
  const std::size_t all = plan.measurable();
  const std::string left = units::counted(static_cast<std::int64_t>(all - plan.kept), "point");
  return plan.kept == 0 ? left : left + " of " + std::to_string(all);
}

std::vector<std::pair<std::string, std::int64_t>> points_of_suites(const Plan& plan) {
  std::vector<std::pair<std::string, std::int64_t>> list;
  for (const SuitePlan& one : plan.suites)
    list.emplace_back(one.suite, static_cast<std::int64_t>(one.points + one.skipped));
  return list;
}

std::size_t Plan::points() const {
  std::size_t n = 0;
  for (const suites::BlockPlan& block : blocks) n += block.points.size();
  return n;
}

std::size_t Plan::measurable() const {
  std::size_t n = 0;
  for (const suites::BlockPlan& block : blocks)
    n += static_cast<std::size_t>(std::ranges::count_if(block.points, &suites::PointPlan::measurable));
  return n;
}

Plan make_plan(std::span<const Selected> selected, const PlanOptions& options,
               std::string_view schedule_rule) {
  Plan plan;
  plan.point_limit = options.point_budget;
  plan.point_budget = options.point_budget;
  plan.budget = options.budget;
  plan.memory_byte = options.memory_byte;
  MeasuringRule rule{options.half_width, plan.min_visits, options.point_budget.value(), options.timed};

  Tables tables = tables_of(selected, {options.processes, options.rates});
  if (options.random_order) shuffle(tables, options.seed);
  plan.hash = hash_of(tables, schedule_rule, options.seed);
  plan.sequence = sequence_of(selected, tables, options.random_order);
  skip_what_needs_more(tables, options.memory_byte);
  estimate(tables, rule);
  plan.shrunk = shrunk(tables, rule, options);
  plan.min_visits = rule.min_visits;
  if (options.budget && !options.random_order) order_by_time(tables);

  const Allowance allowance = allowance_of(tables, options, rule.point_limit_s);
  plan.blocks = Splitter(allowance, rule, options.fixed).split(std::move(tables));
  estimate_whole(plan, allowance, rule);
  forget_kept(plan.blocks);
  return plan;
}

void print_expectations(std::ostream& out, const Plan& plan) {
  print_sentences(out, plan, "expected: ", [](const suites::PointPlan& point) {
    return point.measurable() ? point.expectation : std::string();
  });
}

void print_suites(std::ostream& out, const Plan& plan) {
  const auto taken = [](std::size_t points, double seconds) { return points > 0 ? time(seconds) : "-"; };
  print_suite(out, "suite", {"benchmarks", "points", "not measured", "about", "at most"});
  for (const SuitePlan& suite : plan.suites)
    print_suite(out, suite.suite,
                {std::to_string(suite.benchmarks), std::to_string(suite.points),
                 std::to_string(suite.skipped), taken(suite.points - suite.kept, suite.estimate_s),
                 taken(suite.points - suite.kept, suite.longest_s)});
  print_suite(out, "all",
              {"", std::to_string(plan.measurable()), std::to_string(plan.points() - plan.measurable()),
               time(plan.estimate_s), time(plan.longest_s)});
}

void print_plan(std::ostream& out, const Plan& plan, const PlanOptions& options) {
  const MeasuringRule rule{options.half_width, plan.min_visits, plan.point_limit.value(), options.timed};
  print_line(out, "benchmark",
             {"processes", "groups", "points", "skipped", "sizes", "memory", "moves", "takes"});
  Row all;
  for (const suites::BlockPlan& block : plan.blocks) {
    const Row row = row_of(block, rule);
    print_row(out, block.suite + "/" + block.benchmark, std::to_string(block.processes),
              std::to_string(block.groups), row, sizes(row));
    merge(all, row);
  }
  print_row(out, "sum (memory: largest)", "", "", all, "");
  print_totals(out, plan, options);
}

}  // namespace steelyard::campaign
