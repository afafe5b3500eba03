// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "analysis/comparison/comparison.hpp"
#include "analysis/comparison/imported.hpp"
#include "analysis/comparison/observations.hpp"
#include "analysis/parallel.hpp"
#include "campaign/plan.hpp"
#include "commands/program.hpp"
#include "exports/output.hpp"
#include "formats/monitoring.hpp"
#include "formats/tables/tables.hpp"
#include "input/foreign_input.hpp"
#include "input/runs.hpp"
#include "input/text_file.hpp"
#include "options/checks.hpp"
#include "options/resolve.hpp"
#include "options/values.hpp"
#include "process/errors.hpp"
#include "record/json.hpp"
#include "record/walk.hpp"
#include "suites/suite_list.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using comparison::Comparison;
using comparison::Observations;
using record::Json;
using Runs = std::vector<record::Run>;
using Names = std::set<std::string>;

record::RunChoice choice_of(const Values& values) {
  const std::string word = values.need("run");
  using record::RunChoice;
  return word == "last" ? RunChoice{RunChoice::Kind::series, {}} : record::parse_run_choice(word);
}

/// Runs of an input: the last run of a file with the launches that belong to it, or those of --run; all of
/// a text of another program.
/// `told`: inputs of which the user knows what was lost.
Runs runs_of(const std::string& input, const Values& values, ComparedSide which, const Names& told) {
  if (is_foreign_file(input)) return foreign_runs(input, description_of(values, input, which));
  if (!told.contains(input)) return read_and_tell(input, choice_of(values));
  record::FileContent known;
  return record::read_runs(input, choice_of(values), &known);
}

/// Drops the points that --select does not let through.
void keep_selected(Runs& runs, const Values& values) {
  const auto patterns = values.list("select");
  if (patterns.empty()) return;
  std::set<std::string> foreign;
  for (const record::Run& run : runs)
    for (const auto& point : run.points) add_foreign_name(point, foreign);
  const auto names = selected_names(patterns, foreign);
  for (record::Run& run : runs)
    std::erase_if(run.points,
                  [&](const auto& point) { return !names.contains(point.suite + '/' + point.benchmark); });
}

/// Refuses a launch that is given twice: it is no other launch.
void refuse_duplicates(const Runs& runs, const std::string& list) {
  std::set<std::string> known;
  for (const auto& run : runs)
    if (!known.insert(identity_of(run)).second)
      throw UsageError("'" + list + "' holds " +
                       (run.head.imported.empty() ? "run " + run.id : "the same text") +
                       " twice: that is one launch");
}

void refuse_unfit(const Runs& runs, const std::string& list) {
  if (runs.empty()) throw UsageError("'" + list + "' holds no run");
  refuse_duplicates(runs, list);
}

Runs side(const std::string& list, const Values& values, ComparedSide which, const Names& told) {
  Runs runs;
  for (const std::string& input : comma_parts(list)) {
    auto some = runs_of(input, values, which, told);
    std::move(some.begin(), some.end(), std::back_inserter(runs));
  }
  refuse_unfit(runs, list);
  return runs;
}

struct Sides {
  Runs base, now;
  /// Whether figures are compared: a Summary of HPC Challenge has no points, so the other side's figures are taken too.
  bool figures = false;
  std::vector<std::string> notes = {};
};

std::set<std::string> benchmarks_of(const Runs& runs) {
  std::set<std::string> names;
  for (const record::Run& run : runs)
    for (const auto& point : run.points) names.insert(point.benchmark);
  return names;
}

/// Keys outside the published Summary are compared where both sides have them and tell their unit. The others are told:
/// that a text of another hand lacks them means nothing.
void match_keys_outside_summary(Sides& sides) {
  std::set<std::string> left_out;
  const auto in_base = benchmarks_of(sides.base), in_now = benchmarks_of(sides.now);
  for (Runs* runs : {&sides.base, &sides.now})
    for (record::Run& run : *runs) {
      for (std::string& key : numbers_without_unit(run)) left_out.insert(std::move(key));
      std::erase_if(run.points, [&](const auto& point) {
        const bool is_left_out = is_outside_summary(point.benchmark) &&
                                 !(in_base.contains(point.benchmark) && in_now.contains(point.benchmark));
        if (is_left_out) left_out.insert(point.benchmark);
        return is_left_out;
      });
      run.envelopes.assign(run.points.size(), {});
    }
  if (left_out.empty()) return;
  constexpr std::size_t most = 8;
  std::string names;
  std::size_t count = 0;
  for (const std::string& key : left_out)
    if (++count <= most) names += (names.empty() ? "" : ", ") + key;
  if (count > most) names += " and " + std::to_string(count - most) + " more";
  sides.notes.push_back(
      "keys outside the published Summary, of one side alone or without a unit, are not compared: " + names);
}

Sides sides_of(const std::vector<std::string>& inputs, const Values& values, const Names& told) {
  Sides sides{side(inputs[0], values, ComparedSide::base, told),
              side(inputs[1], values, ComparedSide::now, told)};
  for (const Runs* runs : {&sides.base, &sides.now})
    sides.figures = sides.figures || std::ranges::any_of(*runs, has_figures_alone);
  if (sides.figures && values.said("select"))
    throw UsageError("--select: the figures of a hpccoutf.txt belong to no benchmark");
  for (Runs* runs : {&sides.base, &sides.now}) {
    if (sides.figures)
      std::ranges::transform(*runs, runs->begin(), figures_of);
    else
      keep_selected(*runs, values);
  }
  sides.notes = comparison::align(sides.base, sides.now, values.on("twins"));
  if (sides.figures) match_keys_outside_summary(sides);
  return sides;
}

comparison::Options options_of(const Values& values) {
  comparison::Options options;
  options.metric = values.word_or("metric", "");
  options.statistic = values.word_or("statistic", "");
  options.threshold = *values.ratio("threshold");
  options.alpha = *values.ratio("alpha");
  options.launch_sd = values.ratio("launch-sd");
  options.bootstrap = static_cast<int>(values.count("bootstrap").value_or(0));
  if (values.on("pairs")) options.launches = comparison::Launches::paired;
  constexpr std::string_view words[] = {"mpi", "layout", "machine", "options"};
  for (const std::string& list : values.list("ignore"))
    options.ignored.insert(
        static_cast<comparison::Ignored>(std::ranges::find(words, list) - std::begin(words)));
  if (!(options.threshold > 0)) throw UsageError("--threshold: must be above 0");
  return options;
}

constexpr FatalWord<comparison::Verdict> words_of_comparison[] = {
    {"slower", comparison::Verdict::slower},
    {"unclear", comparison::Verdict::unclear},
    {"missing", comparison::Verdict::missing},
    {"unverified", comparison::Verdict::unverified}};

comparison::Sort sort_of(const Values& values) {
  const std::string word = values.need("sort");
  return word == "effect" ? comparison::Sort::effect
         : word == "name" ? comparison::Sort::name
                          : comparison::Sort::plan;
}

Json document_of(const Comparison& compared, const analysis::Tables& tables) {
  Json out{{"format", "steelyard.compare"},
           {"format_version", 1},
           {"threshold", compared.options.threshold},
           {"alpha", compared.options.alpha},
           {"launch_sd", compared.options.launch_sd ? Json(*compared.options.launch_sd) : Json()},
           {"base_launches", compared.base_launches},
           {"new_launches", compared.new_launches},
           {"paired", compared.options.launches == comparison::Launches::paired}};
  const auto counts = compared.counts();
  for (std::size_t i = 0; i < counts.size(); ++i)
    out["counts"][std::string(text(static_cast<comparison::Verdict>(i)))] = counts.at(i);
  out["tables"] = formats::tables_json(tables);
  return out;
}

formats::CaseResult case_of_point(comparison::Verdict verdict, const std::set<comparison::Verdict>& fatal) {
  if (verdict == comparison::Verdict::unverified || verdict == comparison::Verdict::missing)
    return formats::CaseResult::error;
  if (fatal.contains(verdict)) return formats::CaseResult::failed;
  const bool open = verdict == comparison::Verdict::unclear || verdict == comparison::Verdict::added;
  return open ? formats::CaseResult::skipped : formats::CaseResult::passed;
}

std::string junit_of_comparison(const Comparison& compared, const std::set<comparison::Verdict>& fatal) {
  formats::TestSuite suite{"compare", record::utc_now(), 0, {}};
  for (const comparison::Point& point : compared.points) {
    const std::string verdict(text(point.verdict));
    std::string message = verdict;
    if (point.ratio) message += ", ratio " + units::format_fixed(*point.ratio, 3);
    if (point.interval)
      message += " (" + units::format_fixed(point.interval->low, 3) + " .. " +
                 units::format_fixed(point.interval->high, 3) + ')';
    if (!point.remark.empty()) message += "; " + point.remark;
    const comparison::Identity& what = *point.what;
    const std::size_t rest = what.key.find(';');
    formats::TestCase test{std::string(what.suite) + '.' + std::string(what.benchmark),
                           std::string(rest == std::string::npos ? point.metric : what.key.substr(rest + 1)),
                           case_of_point(point.verdict, fatal), verdict, message};
    add_property(test, "ratio", point.ratio);
    add_property(test, "low", point.interval ? std::optional(point.interval->low) : std::nullopt);
    add_property(test, "high", point.interval ? std::optional(point.interval->high) : std::nullopt);
    suite.cases.push_back(std::move(test));
  }
  const std::array suites{std::move(suite)};
  return formats::junit(suites);
}

/// Writes CSV or text table by table: that of very many points is large.
void write_tables(const Comparison& compared, const Values& values, std::ostream& out) {
  using analysis::Section;
  const auto csv = [](const Section& section, bool is_first) {
    return formats::table_csv(section.table, is_first);
  };
  const auto text = [width = text_width(values, 100)](const Section& section, bool is_first) {
    return (is_first ? "" : "\n") + formats::section_text(section, width);
  };
  const auto take = [&out](std::string_view made) { out << made; };
  if (values.need("format") == "csv")
    comparison::each_text(compared, sort_of(values), analysis::Audience::programs, csv, take);
  else
    comparison::each_text(compared, sort_of(values), analysis::Audience::readers, text, take);
}

std::string document(const Comparison& compared, const std::set<comparison::Verdict>& fatal,
                     const Values& values) {
  const std::string format = values.need("format");
  if (format == "junit") return junit_of_comparison(compared, fatal);
  const auto tables = comparison::tables(compared, sort_of(values));
  if (format == "json") return document_of(compared, tables).dump(2) + '\n';
  if (format == "markdown") return formats::tables_markdown(tables);
  return formats::tables_page(tables, "Comparison of two results");
}

void write_comparison(const Comparison& compared, const std::set<comparison::Verdict>& fatal,
                      const Values& values) {
  const std::string format = values.need("format");
  if (format == "csv" || format == "text")
    write_output([&](std::ostream& out) { write_tables(compared, values, out); }, values);
  else
    write_output(document(compared, fatal, values), values);
}

/// Thrown where points of other programs come up: what they have in common with ours is found when all runs are there.
struct NeedsWholeRuns {};

/// Reader of results of this program, which keeps of each point what is compared.
class PointReader {
 public:
  /// `told`: gets the inputs of which the user was told what was lost.
  PointReader(const Values& values, Names& told)
      : values_(values), told_(told), selected_(selected(values)), seen_(options_of(values)) {}

  void read(const std::vector<std::string>& lists) {
    std::vector<std::string> inputs;
    for (const std::string& list : lists)
      for (const std::string& input : comma_parts(list)) inputs.push_back(input);
    if (!std::ranges::all_of(inputs, can_be_walked)) throw NeedsWholeRuns{};
    if (read_lone_runs(lists)) return;
    seen_ = Observations(options_of(values_));
    std::vector<std::optional<record::RunWalk>> walks(inputs.size());
    analysis::share_work(inputs.size(), [&](std::size_t i, std::size_t /*thread*/) {
      walks[i].emplace(inputs[i], choice_of(values_));
    });
    auto walk = walks.begin();
    for (const auto& [list, side] : both_sides(lists)) read_side(list, side, walk);
  }
  [[nodiscard]] Observations take() && { return std::move(seen_); }

 private:
  /// Names that --select lets through; nullopt: all. A pattern that means none of ours may mean one of a text.
  static std::optional<Names> selected(const Values& values) {
    const auto patterns = values.list("select");
    if (patterns.empty()) return std::nullopt;
    try {
      return selected_names(patterns, {});
    } catch (const UsageError&) {
      throw NeedsWholeRuns{};
    }
  }

  static bool can_be_walked(const std::string& input) {
    return record::can_be_walked_again(input) && !is_foreign_file(input);
  }

  using Side = Observations::Side;

  static std::array<std::pair<std::string, Side>, 2> both_sides(const std::vector<std::string>& lists) {
    return {{{lists[0], Side::base}, {lists[1], Side::now}}};
  }

  /// Reads files that hold one run each, in one walk. False if one holds more: then nothing of them counts.
  bool read_lone_runs(const std::vector<std::string>& lists) {
    if (choice_of(values_).kind == record::RunChoice::Kind::id) return false;
    std::vector<record::FileContent> contents;
    std::array<Runs, 2> runs;  // without their points
    for (const auto& [list, side] : both_sides(lists))
      for (const std::string& input : comma_parts(list)) {
        auto content = record::walk_lone_run(input, taker(side, runs.at(static_cast<std::size_t>(side))));
        if (!content) return false;
        contents.push_back(std::move(*content));
      }
    auto content = contents.begin();
    for (const auto& [list, side] : both_sides(lists)) {
      for (const std::string& input : comma_parts(list)) tell(input, *content++);
      refuse_unfit(runs.at(static_cast<std::size_t>(side)), list);
    }
    return true;
  }

  void read_side(const std::string& list, Side side, auto& walk) {
    Runs runs;  // without their points
    for (const std::string& input : comma_parts(list)) tell(input, (**walk++).hand_over(taker(side, runs)));
    refuse_unfit(runs, list);
  }

  void tell(const std::string& input, const record::FileContent& content) {
    tell_of_lost_lines(input, content);
    told_.insert(input);
  }

  record::RunTaker taker(Side side, Runs& runs) {
    const auto begin = [this, side, &runs](const record::Run& run) {
      if (!run.head.imported.empty()) throw NeedsWholeRuns{};
      runs.emplace_back().id = run.id;
      seen_.begin(side, run.head);
    };
    const auto add = [this](const record::RunRecord&, const record::Envelope&,
                            const record::PointRecord& point) {
      if (record::is_imported(point) || !point.imported.empty()) throw NeedsWholeRuns{};
      if (!selected_ || selected_->contains(point.suite + '/' + point.benchmark)) seen_.add(point);
    };
    return {begin, add};
  }

  const Values& values_;
  Names& told_;
  std::optional<Names> selected_;
  Observations seen_;
};

/// Observations of both sides; nullopt if whole runs are needed.
std::optional<Observations> observed(const std::vector<std::string>& inputs, const Values& values,
                                     Names& told) {
  try {
    PointReader reader(values, told);
    reader.read(inputs);
    return std::move(reader).take();
  } catch (const NeedsWholeRuns&) {
    return std::nullopt;
  }
}

Comparison compared_runs(const Sides& sides, const Values& values, bool figures) {
  auto options = options_of(values);
  options.figures = figures;
  options.notes = sides.notes;
  return comparison::compare(sides.base, sides.now, std::move(options));
}

Comparison compared_inputs(const std::vector<std::string>& inputs, const Values& values) {
  Names told;
  bool figures = false;
  try {
    if (auto seen = observed(inputs, values, told)) return comparison::compare(std::move(*seen));
    const Sides sides = sides_of(inputs, values, told);
    figures = comparison::holds_imported(sides.base) || comparison::holds_imported(sides.now);
    return compared_runs(sides, values, figures);
  } catch (const comparison::Unpaired& unpaired) {
    throw UsageError(std::string("--pairs: ") + unpaired.what());
  } catch (const comparison::NotComparable& unlike) {
    const bool mixed = figures && !values.on("twins");
    throw UsageError(
        "the two sides cannot be compared:",
        on_their_lines(unlike.what()) +
            (mixed ? "\n--twins compares benchmarks of other programs with those of ours that do the same"
                   : ""));
  }
}

/// Refuses --fail-on slower if no point can be called slower: a check that cannot fail is none.
void refuse_idle_check(const std::set<comparison::Verdict>& fatal, const Comparison& compared) {
  if (!fatal.contains(comparison::Verdict::slower) || fatal.contains(comparison::Verdict::unclear) ||
      compared.tested())
    return;
  throw UsageError(std::string("--fail-on slower: ") +
                   (compared.options.figures
                        ? "texts of other programs have single numbers; no test can call one launch slower"
                        : "no point can be called slower with " + std::to_string(compared.base_launches) +
                              " and " + std::to_string(compared.new_launches) +
                              " launches; measure 5 a side (run --launches 5; --pairs: 8), say how much "
                              "launches differ (--launch-sd), or add 'unclear'"));
}

int run_compare(const Invocation& invocation) {
  const Values& values = invocation.values;
  const auto inputs = values.list("base-new");
  if (inputs.size() != 2)
    throw UsageError("two sides are needed, BASE and NEW; several runs of a side are joined by commas");
  const auto fatal = fatal_of_words<comparison::Verdict>(values, words_of_comparison);
  for (const std::string& list : inputs)
    for (const std::string& input : comma_parts(list)) hold_input(input);
  const Comparison compared = compared_inputs(inputs, values);
  refuse_idle_check(fatal, compared);
  write_comparison(compared, fatal, values);
  const bool fails =
      std::ranges::any_of(fatal, [&](comparison::Verdict verdict) { return compared.count(verdict) > 0; });
  return fails ? exit_code::judgement : exit_code::done;
}

constexpr std::int64_t most_samples = 100000;

constexpr Option compare_options[] = {
    {"select", Kind::pattern, "only these benchmarks", Repeat::many},
    {"metric", Kind::text, "time_s, bandwidth_byte_s, ...; with a statistic: time_s.p99", Argument{"NAME"},
     FallbackText{"primary of each point"}, check_not_empty},
    {"run", Kind::text,
     "which run of a file: last (with the launches of its series), first, all, or a run's id",
     Argument{"WHICH"}, Fallback{"last"}},
    {"threshold", Kind::ratio, "smaller differences are the same whatever the test says", Fallback{"5%"}},
    {"alpha", Kind::ratio, "false discovery rate over all compared points", Fallback{"1%"}},
    {"launch-sd", Kind::ratio,
     "how much launches are known to differ: then fewer than 5 a side are judged by it",
     FallbackText{"not known"}},
    {"pairs",
     "the first run of BASE belongs to the first of NEW, and so on: measured alternately, so that what "
     "drifts from hour to hour drops out"},
    {"bootstrap", Kind::count, "interval by so many samples of launches and their visits",
     FallbackText{"off"}, Within{100, most_samples}},
    {"ignore", Kind::word, "compare although these differ", Argument{"WHAT"},
     OneOf{"mpi layout machine options"}, Repeat::many},
    {"fail-on", Kind::text, "exit code 3 if a point is slower (by a test), unclear, missing or unverified",
     Argument{"LIST"}, Fallback{"none"}, OneOf{"none slower unclear missing unverified"}},
    {"sort", Kind::word, "order of the points", Fallback{"plan"}, OneOf{"plan effect name"}},
    {"format", Kind::word, "form of the answer", Fallback{"text"},
     OneOf{"text csv json markdown html junit"}},
    output_option,
    overwrite_option,
    {"twins",
     "benchmarks of other programs beside those of ours that do the same: osu/latency and "
     "imb-mpi1/PingPong, stream and hpcc/SingleSTREAM, ..."},
    {"statistic", Kind::word, "that member of both sides, where their values are of different statistics",
     FallbackText{"the value of each side"}, OneOf{"median mean min max"}},
};
constexpr Group compare_groups[] = {{"Compare", compare_options}, foreign_group};
constexpr std::string_view compare_examples[] = {
    "steelyard compare results/monday results/tuesday",
    "steelyard compare a/1,a/2,a/3,a/4,a/5 b/1,b/2,b/3,b/4,b/5 --fail-on slower",
    "steelyard compare --pairs a/1,a/2,a/3,a/4,a/5,a/6 b/1,b/2,b/3,b/4,b/5,b/6",
    "steelyard compare openmpi mpich --select imb-mpi1 --format csv",
    "steelyard compare theirs/hpccoutf.txt mine",
    "steelyard compare old/osu-allreduce.txt today --twins --set processes=64"};
constexpr int compare_codes[] = {0, 2, 3, 4};

}  // namespace

constinit const Command compare_command{
    .name = "compare",
    .section = "Read results",
    .summary = "two results point by point: same, faster, slower or unclear",
    .description =
        "Matches the points of two results by their keys and says of each whether it became faster or "
        "slower, with an interval of the ratio NEW / BASE. Several runs of a side, joined by commas, are "
        "launches of it. Results that were not measured alike are refused.",
    .positional =
        {"BASE NEW", Kind::text, Repeat::many,
         "the two sides: result directories, result.jsonl (.gz) or texts of other programs, several joined by commas"},
    .groups = compare_groups,
    .examples = compare_examples,
    .exit_codes = compare_codes,
    .see_also = "steelyard help balance, steelyard help export",
    .run = run_compare};

}  // namespace steelyard::cli
