// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "acceptance/launches.hpp"
#include "commands/program.hpp"
#include "exports/output.hpp"
#include "formats/monitoring.hpp"
#include "formats/tables/tables.hpp"
#include "history/reading.hpp"
#include "input/foreign_options.hpp"
#include "input/text_file.hpp"
#include "options/checks.hpp"
#include "options/resolve.hpp"
#include "options/values.hpp"
#include "process/errors.hpp"
#include "record/file.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using history::History;
using history::RunColumns;
using history::SeriesFinding;

constexpr FatalWord<history::Verdict> words_of_history[] = {{"regressed", history::Verdict::regressed},
                                                            {"suspect", history::Verdict::suspect},
                                                            {"failing", history::Verdict::failing},
                                                            {"missing", history::Verdict::missing},
                                                            {"drifts", history::Verdict::drifts}};

comparison::RunFilter filter_of(const Values& values) {
  std::string words;
  for (const std::string& one : values.list("where")) words += one + ' ';
  try {
    return comparison::RunFilter::parse(words);
  } catch (const comparison::UnknownRunName& unknown) {
    throw UsageError(std::string("--where: ") + unknown.what());
  }
}

void check_date(const Values& values, const char* option) {
  const auto word = values.word(option);
  if (!word) return;
  const bool date = word->size() >= 10 && (*word)[4] == '-' && (*word)[7] == '-' &&
                    word->find_first_not_of("0123456789-:TZ") == std::string::npos;
  if (!date) throw UsageError(std::string("--") + option + ": '" + *word + "' is no date such as 2026-05-12");
}

/// Drops runs that --where, --from and --to leave out. Throws UsageError if none is left.
void keep_wanted(const Values& values, std::vector<RunColumns>& runs) {
  check_date(values, "from");
  check_date(values, "to");
  const auto filter = filter_of(values);
  const std::string from = values.word_or("from", ""), to = values.word_or("to", "");
  std::erase_if(runs, [&](const RunColumns& run) {
    const std::string& started = run.head.started_utc;
    return !filter.accepts(run.head) || (!from.empty() && started < from) ||
           (!to.empty() && started.substr(0, to.size()) > to);
  });
  if (runs.empty()) throw UsageError("no run is left by --where, --from and --to");
}

history::Options options_of_history(const Values& values) {
  history::Options options;
  options.method.threshold = *values.ratio("threshold");
  options.method.alpha = *values.ratio("alpha");
  if (!(options.method.alpha > 0)) throw UsageError("--alpha: must be above 0");
  if (values.on("figures") || values.on("curves") || values.on("points")) {
    options.levels.clear();
    if (values.on("figures")) options.levels.insert(history::Level::figures);
    if (values.on("curves")) options.levels.insert(history::Level::curves);
    if (values.on("points")) options.levels.insert(history::Level::points);
  }
  if (values.said("metric") && values.on("figures"))
    throw UsageError("--figures does not go with --metric: a figure of merit is a number of its own");
  options.by = comma_words(values.word_or("by", ""));
  for (const std::string& name : options.by) {
    try {
      (void)comparison::RunFilter::parse(name + "=*");
    } catch (const comparison::UnknownRunName& unknown) {
      throw UsageError(std::string("--by: ") + unknown.what());
    }
  }
  for (const std::string& one : values.list("select"))  // a suite alone: all of it
    options.patterns.push_back(one.find('/') == std::string::npos ? one + "/*" : one);
  if (const auto file = values.word("known")) options.known = parse_known(text_of_file(*file), *file);
  options.since = values.word_or("since", "");
  options.now = record::utc_now();
  return options;
}

formats::CaseResult case_of_series(const SeriesFinding& one, const std::set<history::Verdict>& fatal) {
  if (one.verdict == history::Verdict::failing) return formats::CaseResult::error;
  if (one.counts && fatal.contains(one.verdict)) return formats::CaseResult::failed;
  if (one.verdict == history::Verdict::too_few || one.verdict == history::Verdict::known)
    return formats::CaseResult::skipped;
  return formats::CaseResult::passed;
}

std::string junit_of_history(const History& history, const std::set<history::Verdict>& fatal) {
  formats::TestSuite suite{"history", record::utc_now(), 0, {}};
  for (const SeriesFinding& one : history.series) {
    formats::TestCase test{std::string(text(one.level)), one.name + " (" + one.context + ')',
                           case_of_series(one, fatal), std::string(text(one.verdict)), finding(one, history)};
    add_property(test, "ratio", one.ratio);
    add_property(test, "low", one.interval ? std::optional(one.interval->low) : std::nullopt);
    add_property(test, "high", one.interval ? std::optional(one.interval->high) : std::nullopt);
    suite.cases.push_back(std::move(test));
  }
  const std::array suites{std::move(suite)};
  return formats::junit(suites);
}

std::string rendered_history(const History& history, const std::set<history::Verdict>& fatal,
                             const Values& values) {
  const std::string format = values.need("format");
  if (format == "csv") return history::rows_csv(history);
  if (format == "jsonl") return history::rows_jsonl(history);
  if (format == "json") return history::document(history).dump(2) + '\n';
  if (format == "junit") return junit_of_history(history, fatal);
  const auto tables = history::tables(history);
  if (format == "markdown") return formats::tables_markdown(tables);
  if (format == "html") return formats::tables_page(tables, "History");
  return formats::tables_text(tables, text_width(values, 120));
}

/// Refuses a pattern that no benchmark of the runs fits: it is a slip of the pen.
void refuse_unfit(const std::vector<std::string>& patterns, const history::Keys& keys) {
  std::set<std::string> benchmarks;
  for (std::uint32_t key = 0; key < keys.size(); ++key) {
    const std::string text(keys.text(key));
    if (text.find('/') < text.find(';')) benchmarks.insert(text.substr(0, text.find(';')));
  }
  for (const std::string& pattern : patterns) {
    if (std::ranges::any_of(benchmarks,
                            [&](const std::string& one) { return comparison::matches(pattern, one); }))
      continue;
    std::vector<std::string> names(benchmarks.begin(), benchmarks.end());
    for (const std::string& one : benchmarks) names.push_back(one.substr(0, one.find('/')));
    const std::string said = pattern.ends_with("/*") ? pattern.substr(0, pattern.size() - 2) : pattern;
    const auto near = units::nearest(said, names);
    throw UsageError("--select: no point of these runs fits '" + said + '\'',
                     near ? "did you mean " + *near + '?' : "");
  }
}

History analysed(std::vector<RunColumns> runs, const history::Keys& keys, history::Options options) {
  try {
    return history::analyse(std::move(runs), keys, std::move(options));
  } catch (const history::UnknownSince& unknown) {
    throw UsageError(std::string("--since: ") + unknown.what());
  }
}

/// Folders that are named, else the one in which `run` leaves its results.
std::vector<std::string> places_of_history(const Values& values) {
  constexpr const char* usual = "steelyard-results";
  const auto places = values.list("result");
  if (!places.empty()) return places;
  if (!std::filesystem::is_directory(usual))
    throw UsageError("a folder of results is missing, and there is no " + std::string(usual) + " here");
  return {usual};
}

int run_history(const Invocation& invocation) {
  const Values& values = invocation.values;
  const auto places = places_of_history(values);
  const auto fatal = fatal_of_words<history::Verdict>(values, words_of_history);
  const auto options = options_of_history(values);
  ReadRuns read = read_history(places, values);
  if (read.runs.empty() && read.unreadable > 0)
    throw record::ReadError("none of " + units::counted(read.files, "result") + " can be read");
  keep_wanted(values, read.runs);
  refuse_unfit(options.patterns, read.keys);
  const History history = analysed(std::move(read.runs), read.keys, options);
  write_output(rendered_history(history, fatal, values), values);
  const bool fails = std::ranges::any_of(
      history.series, [&](const SeriesFinding& one) { return one.counts && fatal.contains(one.verdict); });
  if (fails) return exit_code::judgement;
  return read.unreadable > 0 || read.damaged > 0 || !history.conflicts.empty() ? exit_code::point_failed
                                                                               : exit_code::done;
}

constexpr Option history_options[] = {
    {"where", Kind::text,
     "only runs with this: machine, nodes, processes, threads, mpi, kernel, compiler, blas, version, "
     "commit, layout, job, label.X; * and ?, != for not",
     Argument{"NAME=PATTERN"}, check_not_empty, Repeat::many},
    {"from", Kind::text, "only runs from this date on", Argument{"DATE"}},
    {"to", Kind::text, "only runs up to this date", Argument{"DATE"}},
    {"select", Kind::text, "only these benchmarks, suite/benchmark with * and ?", Argument{"PATTERN"},
     check_not_empty, Repeat::many},
    {"metric", Kind::text, "of points and curves: bandwidth_byte_s, ...; with a statistic: time_s.p99",
     Argument{"NAME"}, FallbackText{"primary of each point"}, check_not_empty},
    {"figures", "series of figures of merit; these and curves are the default"},
    {"curves", "series of benchmarks over all their sizes"},
    {"points", "series of every point"},
    {"twins", "benchmarks of other programs' texts that are named continue those of ours that do the same"},
    {"by", Kind::text, "one series for each value of these names of runs", Argument{"NAME,..."},
     check_not_empty},
    {"since", Kind::text,
     "which findings count for --fail-on: a change behind this date, run or label; last: what the newest "
     "run brought",
     Argument{"WHEN"}, FallbackText{"all count"}, check_not_empty},
    {"threshold", Kind::ratio, "smaller changes are none", Fallback{"5%"}},
    {"alpha", Kind::ratio, "false alarms of a series without change; false discovery rate of a level",
     Fallback{"1%"}},
    {"known", Kind::file, "changes that are accepted (TOML)"},
    {"fail-on", Kind::text, "exit code 3 for regressed, suspect, failing, missing, drifts", Argument{"LIST"},
     Fallback{"none"}, OneOf{"none regressed suspect failing missing drifts"}},
    {"format", Kind::word, "form of the answer; csv and jsonl have a row per run and series",
     Fallback{"text"}, OneOf{"text csv jsonl json markdown html junit"}},
    output_option,
    overwrite_option,
};
constexpr Group history_groups[] = {{"History", history_options}, {"Cache", cache_options}, foreign_group};
constexpr std::string_view history_examples[] = {
    "steelyard history results",
    "steelyard history results --where 'machine=lion nodes=16' --from 2026-01-01",
    "steelyard history results --since last --fail-on regressed",
    "steelyard history results --format csv -o all.csv"};
constexpr int history_codes[] = {0, 1, 2, 3, 4};

}  // namespace

History history_for_report(const std::string& places, const Values& values) {
  ReadRuns read = read_history(comma_parts(places), values);
  return history::analyse(std::move(read.runs), read.keys, {});
}

constinit const Command history_command{
    .name = "history",
    .section = "Read results",
    .summary = "many runs in the order of time: what changed, when, and what changed with it",
    .description =
        "Reads every result below the folders and looks in each series (figures of merit, curves, with --points every "
        "point) for changes, with a stated rate of false alarms; says what else was recorded to change at the time.",
    .positional =
        {"RESULT", Kind::text, Repeat::many,
         "folders with results at any depth, result.jsonl (.gz), or texts of other programs; without any: "
         "steelyard-results"},
    .groups = history_groups,
    .examples = history_examples,
    .exit_codes = history_codes,
    .see_also = "steelyard help compare, steelyard help report",
    .run = run_history};

}  // namespace steelyard::cli
