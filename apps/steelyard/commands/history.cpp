// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/history.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/comparison/imported.hpp"
#include "analysis/history/collection.hpp"
#include "analysis/parallel.hpp"
#include "commands/program.hpp"
#include "exports/output.hpp"
#include "formats/monitoring.hpp"
#include "formats/tables/tables.hpp"
#include "history/cache.hpp"
#include "input/foreign_input.hpp"
#include "input/runs.hpp"
#include "input/text_file.hpp"
#include "machine/pages.hpp"
#include "options/checks.hpp"
#include "options/option_table.hpp"
#include "options/resolve.hpp"
#include "options/toml.hpp"
#include "options/values.hpp"
#include "process/errors.hpp"
#include "record/file.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

// Reading of the runs of a history from folders, with the cache, on all processors.

constexpr Option cache_options[] = {
    {"cache", Kind::directory, "where values of files that were read are kept; may be deleted at any time",
     FallbackText{"steelyard/history in the user's cache"}},
    {"no-cache", "read every file"},
    {"verify-cache", "compare digests of the files, not only size and time of change"},
};

struct ReadRuns {
  std::unique_ptr<std::pmr::memory_resource> memory;  // of the columns
  std::vector<history::RunColumns> runs;              // in the order of the files
  history::Keys keys;
  std::size_t files = 0, unreadable = 0, damaged = 0;  // damaged: with broken lines before others
};

const std::vector<std::string> known_words = {"select", "figure", "where", "after", "reason", "until"};

/// Value of a key, a text or a date; empty if the key is missing.
std::string word_of(const toml::table& table, const char* key, const std::string& name) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return {};
  if (const auto text = node->value<std::string>(); text && node->is_string()) return *text;
  std::ostringstream date;
  if (node->is_date())
    date << *node->as_date();
  else if (node->is_date_time())
    date << *node->as_date_time();
  if (!date.str().empty()) return date.str();
  throw UsageError(place_in(name, node->source()) + ": " + key + ": must be a text in quotes" +
                   (std::string(key) == "after" || std::string(key) == "until" ? " or a date" : ""));
}

/// Value of a key that is a date; empty if the key is missing.
std::string date_of(const toml::table& table, const char* key, const std::string& name) {
  std::string date = word_of(table, key, name);
  if (!date.empty() && !units::utc_moment(date))
    throw UsageError(place_in(name, table.get(key)->source()) + ": " + key + ": '" + date +
                     "' is no date such as 2026-05-12");
  return date;
}

history::Known known_of(const toml::table& table, const std::string& name) {
  allow_words(table, known_words, name);
  history::Known known;
  const std::string select = word_of(table, "select", name), figure = word_of(table, "figure", name);
  const std::string place = place_in(name, table.source()) + ": ";
  if (select.empty() == figure.empty()) throw UsageError(place + "needs one of select, figure");
  known.pattern = select.empty() ? figure : select;
  known.after = date_of(table, "after", name);
  if (known.after.empty()) throw UsageError(place + "needs a date: after = 2026-05-12");
  known.until = date_of(table, "until", name);
  known.reason = word_of(table, "reason", name);
  if (known.reason.empty()) throw UsageError(place + "needs a reason");
  try {
    known.where = comparison::RunFilter::parse(word_of(table, "where", name));
  } catch (const comparison::UnknownRunName& unknown) {
    throw UsageError(place + "where: " + unknown.what());
  }
  return known;
}

namespace fs = std::filesystem;
using history::Keys;
using history::RunColumns;

/// Memory in huge pages if the system has them: the first use of a few hundred mebibytes costs a third of the time that
/// the history of a thousand runs takes from its cache. It comes in pieces of 32 MiB and more, which are freed when the
/// object is destroyed. All threads share one object: columns in the same memory move without a copy.
class HugePages final : public std::pmr::memory_resource {
 private:
  /// Source of the pieces. Throws std::bad_alloc.
  class Pieces final : public std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t) override {
      return held_.emplace_back(static_cast<std::int64_t>(bytes)).data();
    }
    void do_deallocate(void*, std::size_t, std::size_t) override {}
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
      return this == &other;
    }
    std::vector<machine::HugeMemory> held_;
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::scoped_lock alone(mutex_);
    return pool_.allocate(bytes, alignment);
  }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::mutex mutex_;
  static constexpr std::size_t piece_byte = std::size_t{32} << 20;
  Pieces pieces_;
  std::pmr::monotonic_buffer_resource pool_{piece_byte, &pieces_};
};

/// Every result.jsonl (.gz) below a folder, by name.
std::vector<std::string> results_below(const std::string& place) {
  std::vector<std::string> files;
  std::set<std::string> seen;  // folders, so that a circle of links ends
  std::vector<fs::path> waiting{place};
  while (!waiting.empty()) {
    const fs::path folder = std::move(waiting.back());
    waiting.pop_back();
    std::error_code error;
    if (!seen.insert(fs::canonical(folder, error).string()).second) continue;
    for (const auto& entry :
         fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, error)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_directory(error))
        waiting.push_back(entry.path());
      else if (name == "result.jsonl" ||
               (name == "result.jsonl.gz" && !fs::exists(folder / "result.jsonl", error)))
        files.push_back(entry.path().string());
    }
  }
  std::ranges::sort(files);
  return files;
}

struct Input {
  std::string file;
  bool named = false;  // by the user, so that it may be a text of another program
};

std::vector<Input> inputs_of(const std::vector<std::string>& places) {
  std::vector<Input> inputs;
  for (const std::string& place : places) {
    if (!fs::exists(place)) throw record::ReadError(place + ": there is no such file or folder");
    if (!fs::is_directory(place)) {
      hold_input(place);
      inputs.push_back({place, true});
      continue;
    }
    for (std::string& file : results_below(place)) inputs.push_back({std::move(file)});
  }
  return inputs;
}

/// State of one thread: its cache, and keys by numbers of its own.
struct Reader {
  HistoryCache cache;
  Keys keys;
};

/// Runs of a text of another program; with --twins under the names of ours that do the same.
std::vector<RunColumns> columns_of_text(const std::string& file, const Values& values,
                                        const history::Followed& followed, Keys& keys) {
  auto runs = foreign_runs(file, description_of(values, file));
  std::vector<record::Run> none;
  if (values.on("twins")) static_cast<void>(comparison::align(runs, none, true));
  std::vector<RunColumns> columns;
  for (const record::Run& run : runs) columns.push_back(history::columns_of(run, file, keys, followed));
  return columns;
}

/// Runs of one input, or the reason why it cannot be read, and the thread that has their keys.
struct ReadInput {
  history::FileColumns found;
  std::string error;
  std::size_t thread = 0;
};

std::vector<ReadInput> read_inputs(const std::vector<Input>& inputs, const Values& values,
                                   const history::Followed& followed,
                                   std::vector<std::unique_ptr<Reader>>& readers) {
  std::vector<ReadInput> read(inputs.size());
  analysis::share_work(inputs.size(), [&](std::size_t i, std::size_t thread) {
    auto& [cache, keys] = *readers[thread];
    const Input& input = inputs[i];
    read[i].thread = thread;
    try {
      if (input.named && is_foreign_file(input.file))
        read[i].found.runs = columns_of_text(input.file, values, followed, keys);
      else
        read[i].found = cache.read(input.file, keys);
    } catch (const record::ReadError& error) {
      read[i].error = error.what();
    }
  });
  return read;
}

/// Numbers in `all` of the keys of a thread, in the order of the thread's numbers.
std::vector<std::uint32_t> numbers_among(const Keys& keys, Keys& all) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t key = 0; key < keys.size(); ++key) numbers.push_back(all.number(keys.text(key)));
  return numbers;
}

/// Refuses a --metric that no point has.
void refuse_absent(const history::Followed& followed, const std::vector<RunColumns>& runs) {
  if (followed.is_primary() ||
      std::ranges::any_of(runs, [](const auto& run) { return !run.columns.empty(); }))
    return;
  std::vector<std::string> known;
  for (const auto& one : record::metric_names()) known.emplace_back(one.name);
  const auto near = units::nearest(followed.metric, known);
  throw UsageError("--metric: no point of these runs has '" + followed.metric + '\'',
                   near && *near != followed.metric ? "did you mean " + *near + '?' : "");
}

// Accepted changes: the tables [[known]] of a TOML text (docs/history.md). Throws UsageError
// with place and nearest word.
std::vector<history::Known> parse_known(std::string_view text, const std::string& name) {
  const toml::table root = parse_toml(text, name);
  std::vector<history::Known> list;
  for (const auto& [key, node] : root) {
    const toml::array* tables = node.as_array();
    if (key.str() != "known" || tables == nullptr)
      throw UsageError(place_in(name, key.source()) + ": [[known]] is expected");
    for (const toml::node& one : *tables) {
      if (!one.is_table()) throw UsageError(place_in(name, one.source()) + ": [[known]] is expected");
      list.push_back(known_of(*one.as_table(), name));
    }
  }
  return list;
}

// Runs of every result.jsonl (.gz) below some folders, links followed once, and of files that are named; these may be
// texts of other programs, of which `values` says more. Tells on standard error of unreadable files, of lines that are
// left out, and the notes of the cache. Throws UsageError if nothing is found, record::ReadError for a place that
// does not exist.
ReadRuns read_history(const std::vector<std::string>& places, const Values& values) {
  const auto inputs = inputs_of(places);
  if (inputs.empty()) throw UsageError("no result.jsonl lies below " + places.front());
  const auto directory = values.on("no-cache") ? fs::path() : history_cache_place(values.word("cache"));
  const auto followed = history::Followed::of(values.word_or("metric", ""));
  std::vector<std::unique_ptr<Reader>> readers;
  ReadRuns all;
  all.memory = std::make_unique<HugePages>();
  for (std::size_t i = 0; i < analysis::threads_for(inputs.size()); ++i)
    readers.push_back(std::make_unique<Reader>(
        Reader{HistoryCache(directory, values.on("verify-cache"), followed, all.memory.get()), {}}));
  auto read = read_inputs(inputs, values, followed, readers);

  all.files = inputs.size();
  std::vector<std::vector<std::uint32_t>> numbers;
  std::set<std::string> notes;
  for (const auto& reader : readers) {
    numbers.push_back(numbers_among(reader->keys, all.keys));
    notes.insert(reader->cache.notes().begin(), reader->cache.notes().end());
  }
  analysis::share_work(read.size(), [&](std::size_t i, std::size_t) {
    for (RunColumns& run : read[i].found.runs)
      for (history::Column& column : run.columns)
        column.key = numbers[read[i].thread][column.key] % history::most_keys;
  });
  for (std::size_t i = 0; i < read.size(); ++i) {
    ReadInput& one = read[i];
    if (!one.error.empty()) {
      ++all.unreadable;
      std::cerr << "steelyard: warning: " << one.error << "; left out\n";
    }
    if (one.found.told.damaged_lines > 0) ++all.damaged;
    tell_of_lost_lines(inputs[i].file, one.found.told);
    std::ranges::move(one.found.runs, std::back_inserter(all.runs));
  }
  refuse_absent(followed, all.runs);
  for (const std::string& note : notes) std::cerr << "steelyard: note: " << note << '\n';
  return all;
}

using history::History;
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
