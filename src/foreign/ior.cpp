// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "foreign/readers.hpp"
#include "record/point_view.hpp"
#include "stats/order.hpp"

namespace steelyard::foreign {
namespace {

constexpr std::size_t most_repetitions = 10000;  // that are kept one by one
constexpr std::size_t most_in_statistics = 64;   // of these: more have no room there

/// Results of the repetitions of an operation.
struct Repetitions {
  std::size_t line = 0;
  std::vector<double> byte_s;
  std::optional<double> step;
  std::optional<Number> max, min, mean, sd;  // as a summary prints them
  std::optional<Number> operations_mean;     // op/s of a summary
  std::vector<std::pair<const char*, std::vector<double>>> classic;
  bool failed = false;
  std::string bad_word;
  bool best_only = false;
  bool partial = false;  // less was moved than its options demand

  void note(const char* name, std::string_view word) {
    const auto value = number(word);
    if (!value) return;
    auto found = std::ranges::find(classic, std::string_view(name),
                                   [](const auto& one) { return std::string_view(one.first); });
    if (found == classic.end()) found = classic.insert(classic.end(), {name, {}});
    if (found->second.size() < most_repetitions) found->second.push_back(value->value);
  }
};

/// Options of one test and its operations.
struct IorTest {
  std::optional<std::int64_t> id;
  record::Params params;
  bool optioned = false;  // its options were read
  std::optional<int> tasks, nodes;
  std::map<std::string, Repetitions> operations;
  bool warned = false;
};

/// Whole bytes of "1 MiB" and "262144 bytes"; nullopt for other texts, and for "9.77 GiB", which is rounded.
std::optional<std::int64_t> ior_size(std::string_view text) {
  const auto words = words_of(text);
  const auto value = words.empty() ? std::nullopt : whole(words[0]);
  if (!value) return std::nullopt;
  const std::string unit = words.size() > 1 ? lower(words[1]) : "bytes";
  for (const auto& [name, bits] : {std::pair<std::string_view, int>{"bytes", 0},
                                   {"byte", 0},
                                   {"kib", 10},
                                   {"mib", 20},
                                   {"gib", 30},
                                   {"tib", 40}})
    if (unit == name && *value < (std::int64_t{1} << 53) >> bits) return *value << bits;
  return std::nullopt;
}

/// Order of the tasks that read, as a parameter: "no", by a constant offset "yes", "random".
std::string order_of_tasks(bool constant, bool random) {
  return random ? "random" : constant ? "yes" : "no";
}

/// The same of the words that stand under "ordering inter file".
std::string order_of_tasks(std::string_view words) {
  return order_of_tasks(!words.starts_with("no"), words.starts_with("random"));
}

/// Sets a parameter of a test that is there or not.
void set_yes(record::Params& params, const char* name, bool value) {
  params[name] = std::string(value ? "yes" : "no");
}

void put_statistics(const Repetitions& all, Point& point) {
  record::Statistics held;
  held.over_ranks = "global";
  if (!all.byte_s.empty()) {
    const auto n = static_cast<double>(all.byte_s.size());
    double sum = 0, squares = 0;
    for (const double value : all.byte_s) sum += value;
    for (const double value : all.byte_s) squares += (value - sum / n) * (value - sum / n);
    held.n = static_cast<std::int64_t>(all.byte_s.size());
    held.mean = sum / n;
    held.sd = std::sqrt(squares / n);
    std::tie(held.min, held.max) =
        std::pair(*std::ranges::min_element(all.byte_s), *std::ranges::max_element(all.byte_s));
    held.visit_medians = stats::thin(all.byte_s, most_in_statistics);
    if (all.byte_s.size() > most_in_statistics && all.byte_s.size() <= most_repetitions)
      point.record.classic.emplace_back("bandwidth_byte_s", all.byte_s);
  }
  if (all.mean) {
    held.mean = all.mean->value;
    held.max = all.max ? std::optional(all.max->value) : held.max;
    held.min = all.min ? std::optional(all.min->value) : held.min;
    held.sd = all.sd ? std::optional(all.sd->value) : held.sd;
  } else if (all.best_only && all.max) {
    held.max = all.max->value;
  }
  held.headline = held.mean ? "mean" : "max";
  const auto value = record::value_of(held);
  if (!value || !(*value > 0) || !std::isfinite(*value))
    return point.fail(all.bad_word.empty() ? "nothing" : std::string_view(all.bad_word));
  point.record.metrics.emplace_back("bandwidth_byte_s", held);
}

/// Puts the points of a test into a piece.
void finish_test(IorTest& test, Piece& piece) {
  for (auto& [operation, all] : test.operations) {
    if (operation != "write" && operation != "read") continue;
    Point point("ior", operation, all.line);
    point.record.params = test.params;
    point.record.processes = test.tasks.value_or(0);
    point.record.primary = "bandwidth_byte_s";
    point.record.lower_is_better = false;
    point.over_time = all.best_only ? "max" : "mean", point.over_ranks = "global", point.printed = "MiB/s";
    point.step = all.step;
    put_statistics(all, point);
    if (all.operations_mean && all.operations_mean->value > 0 && point.record.status == record::Status::ok)
      point.record.metrics.emplace_back("operation_rate_op_s", all.operations_mean->value);
    for (auto& [name, values] : all.classic) point.record.classic.emplace_back(name, std::move(values));
    for (const char* name : {"api", "block_byte", "transfer_byte", "segments", "file_per_process",
                             "collective", "random", "reorder"})
      if (!point.record.params.contains(name)) point.unknown.emplace_back(name);
    if (test.warned || all.partial) point.flag("warned_by_program");
    const bool same_nodes = record::word_of(record::find(point.record.params, "reorder")) == "no";
    if (operation == "read" && same_nodes && test.nodes.value_or(2) > 1) point.flag("may_be_cached");
    piece.points.push_back(std::move(point));
  }
  if (test.tasks) piece.processes = std::max(piece.processes.value_or(0), *test.tasks);
  piece.nodes = std::max(piece.nodes, test.nodes);
  test.operations.clear();
}

/// Whole bytes of a column in KiB; nullopt for a number whose printed digits are too few to tell them.
std::optional<std::int64_t> kib_size(std::string_view word) {
  const auto value = number(word, kibi);
  if (!value || !(value->value > 0) || value->value > 9e15) return std::nullopt;
  const double kib = value->value / kibi.factor;
  const bool exact = value->step <= 1 || kib == std::floor(kib);  // sizes are whole KiB where they are large
  return exact ? std::optional(static_cast<std::int64_t>(std::llround(value->value))) : std::nullopt;
}

class IorReader {
 public:
  IorReader(const Block& block, const Description& told) : block_(block), told_(told), piece_(block) {}

  Piece read() {
    const auto first = trimmed(block_.lines.front().text);
    if (const auto release = between(first, "IOR-", ":")) piece_.release = record::valid_utf8(*release);
    if (first.starts_with("access,")) return csv();
    for (std::size_t i = 1; i < block_.lines.size(); ++i) line(block_.lines[i], i + 1 == block_.lines.size());
    for (IorTest& test : tests_) finish_test(test, piece_);
    if (piece_.points.empty() && piece_.rows == 0)
      throw Incomplete(block_.first_line(), "a head of IOR without a row of results");
    piece_.truncated = !block_.ended;
    return std::move(piece_);
  }

 private:
  IorTest& test() { return tests_.back(); }

  void line(const Line& line, bool last) {
    const auto text = trimmed(line.text);
    if (is_warning(text)) return warning(text, line);
    if (const auto id = test_of(text)) return begin_test(id);
    if (text.starts_with("Options:") || text.starts_with("Summary:")) {
      if (test().optioned || !test().operations.empty()) begin_test(std::nullopt);
      begun_ = test().optioned = true;
      return;
    }
    if (text.starts_with("Max Write:") || text.starts_with("Max Read:")) return best(text, line);
    if (text.starts_with("access") && holds(text, "bw(MiB/s)")) return take_heading(text, false);
    if (text.starts_with("Operation") && holds(text, "Max(MiB)")) return take_heading(text, true);
    const auto words = words_of(text);
    if (!words.empty() && !heading_.empty() &&
        (words[0] == "write" || words[0] == "read" || words[0] == "remove"))
      return row(words, line, last);
    option(text);
  }

  /// Number of the test that "TestID : 1" or "Test 1 started: ..." begins.
  static std::optional<std::int64_t> test_of(std::string_view text) {
    const auto words = words_of(text);
    if (words.size() == 3 && words[0] == "TestID" && words[1] == ":") return whole(words[2]);
    const bool started = words.size() > 2 && words[0] == "Test" && words[2] == "started:";
    return started ? whole(words[1]) : std::nullopt;
  }

  /// Begins another test, unless none has begun yet. What the call above says holds for all of them.
  void begin_test(std::optional<std::int64_t> id) {
    if (begun_ || !test().operations.empty()) {
      IorTest next;
      next.tasks = test().tasks, next.nodes = test().nodes;
      if (test().params.contains("fsync")) set_yes(next.params, "fsync", true);
      tests_.push_back(std::move(next));
    }
    begun_ = true;
    if (!id) return;
    test().id = id;
    places_[*id] = tests_.size() - 1;
  }

  /// A warning is about the test that runs; before the first and without tests, about all.
  void warning(std::string_view text, const Line& line) {
    if (begun_) test().warned = true;
    piece_.remarks.push_back(
        {"import_warning", line.number, record::valid_utf8(text.substr(0, 200)), !begun_});
  }

  /// The test that a row of the summary is about; one whose own part is lost is known by its row alone.
  /// nullptr: the row does not say.
  IorTest* test_of_summary(const std::vector<std::string_view>& words) {
    const auto column = static_cast<std::size_t>(std::ranges::find(heading_, "Test#") - heading_.begin());
    const auto id = column < std::min(heading_.size(), words.size()) ? whole(words[column]) : std::nullopt;
    if (!id) return tests_.size() == 1 ? &tests_.front() : nullptr;
    if (const auto told = places_.find(*id); told != places_.end()) return &tests_[told->second];
    std::size_t place = tests_.size() == 1 ? 0 : static_cast<std::size_t>(*id);
    if (place >= tests_.size() || tests_[place].id) {
      place = tests_.size();
      tests_.emplace_back();
    }
    tests_[place].id = id;
    places_[*id] = place;
    return &tests_[place];
  }

  void take_heading(std::string_view text, bool summary) {
    heading_.clear();
    for (const std::string_view word : words_of(text)) heading_.emplace_back(word);
    summary_ = summary;
  }

  void option(std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size()),
                      equals = std::min(text.find('='), text.size());
    const auto pair = pair_at(text, equals < colon ? '=' : ':');
    if (!pair) return;
    const auto& [name, value] = *pair;
    auto& params = test().params;
    if (name == "Began" || name == "Run began")
      piece_.started_utc = date(value, told_.minutes_before_utc).value_or("");
    if (name == "Machine") machine(value);
    if (name.starts_with("Command line") && holds(value, " -e")) {
      for (const std::string_view word : words_of(value))
        if (word == "-e") set_yes(params, "fsync", true);
    }
    if (name == "api")
      params["api"] = record::valid_utf8(words_of(value).empty() ? value : words_of(value)[0]);
    if (name == "access") access(value);
    if (name == "type") set_yes(params, "collective", value.starts_with("collective"));
    if (name == "segments" && whole(value)) params["segments"] = *whole(value);
    if (name == "ordering in a file") set_yes(params, "random", value.starts_with("random"));
    if (name == "ordering inter file") params["reorder"] = order_of_tasks(value);
    if (name == "nodes") test().nodes = count(value);
    if (name == "tasks") test().tasks = count(value);
    if (name == "clients") clients(value);
    if ((name == "xfersize" || name == "transferSize") && ior_size(value))
      params["transfer_byte"] = *ior_size(value);
    if ((name == "blocksize" || name == "blockSize") && ior_size(value))
      params["block_byte"] = *ior_size(value);
    if (name == "stonewallingTime" || name == "deadlineForStonewall" || name == "Using stonewalling")
      if (const auto limit = first_whole(value); limit.value_or(0) > 0) params["stonewall_s"] = *limit;
  }

  void access(std::string_view value) {
    set_yes(test().params, "file_per_process", value.starts_with("file-per-process"));
    if (holds(value, ",")) set_yes(test().params, "collective", holds(value, "collective"));
  }

  /// Reads "8 (4 per node)" of 3.0.
  void clients(std::string_view value) {
    const auto words = words_of(value);
    if (words.empty()) return;
    IorTest& now = test();
    now.tasks = count(words[0]);
    const auto per_node = between(value, "(", "per node");
    if (now.tasks && per_node && count(*per_node) && *now.tasks % *count(*per_node) == 0)
      now.nodes = *now.tasks / *count(*per_node);
  }

  void machine(std::string_view value) {
    const auto words = words_of(value);
    if (!words.empty()) piece_.machine["uname"]["sysname"] = record::valid_utf8(words[0]);
    if (words.size() > 1) piece_.machine["hostname"] = record::valid_utf8(words[1]);
  }

  void best(std::string_view text, const Line& line) {
    const char* operation = text.starts_with("Max Write:") ? "write" : "read";
    const auto word = between(text, ":", "MiB/sec");
    if (!word || !line.ended) return;
    Repetitions& all = test().operations[operation];
    if (all.line == 0) all.line = line.number;
    const auto value = number(*word, mebi);
    if (!value || !(value->value > 0)) {
      if (all.byte_s.empty() && !all.mean) test().operations.erase(operation);
      return;
    }
    if (!all.byte_s.empty() || all.mean) return;
    ++piece_.rows;
    all.max = value;
    all.step = value->step;
    all.best_only = true;
  }

  void row(const std::vector<std::string_view>& words, const Line& line, bool last) {
    ++piece_.rows;
    const bool cut = last && !block_.ended && (words.size() != heading_.size() || !line.ended);
    if (cut) return;
    if (summary_ ? words.size() < 5 : words.size() != heading_.size()) {
      ++piece_.odd_rows;
      return piece_.remark("import_row", line.number, "other columns than the heading: left out");
    }
    if (summary_) return summary_row(words, line);
    Repetitions& all = test().operations[std::string(words[0])];
    if (all.line == 0) all.line = line.number;
    put_sizes(words);
    repetition(words, all, line);
  }

  /// Takes the sizes of a row, where the options hold none with all its digits.
  void put_sizes(const std::vector<std::string_view>& words) {
    for (std::size_t i = 1; i < std::min(words.size(), heading_.size()); ++i)
      for (const auto& [heading, param] :
           {std::pair<std::string_view, const char*>{"block(KiB)", "block_byte"},
            {"xfer(KiB)", "transfer_byte"}})
        if (heading_[i] == heading && kib_size(words[i])) test().params.emplace(param, *kib_size(words[i]));
  }

  void repetition(const std::vector<std::string_view>& words, Repetitions& all, const Line& line) {
    const std::pair<std::string_view, const char*> kept[] = {
        {"IOPS", "iops_access_op_s"}, {"Latency(s)", "latency_s"}, {"Latency", "latency_s"},
        {"open(s)", "open_s"},        {"wr/rd(s)", "transfer_s"},  {"close(s)", "close_s"},
        {"total(s)", "total_s"}};
    for (std::size_t i = 1; i < words.size(); ++i)
      for (const auto& [heading, name] : kept)
        if (heading_[i] == heading) all.note(name, words[i]);
    if (words[0] == "remove") return;
    const auto value = number(words[1], mebi);
    if (!value || !(value->value > 0)) {
      all.bad_word = record::valid_utf8(words[1]);
      return piece_.remark("import_row", line.number,
                           "'" + record::valid_utf8(words[1]) + "' is no rate: repetition left out");
    }
    all.byte_s.push_back(value->value);
    all.step = std::max(all.step.value_or(0), value->step);
  }

  /// Column of a name in a row of the summary; the first StdDev belongs to the rates, the second to the operations.
  [[nodiscard]] std::optional<std::string_view> cell(const std::vector<std::string_view>& words,
                                                     std::string_view name) const {
    for (std::size_t i = 1; i < std::min(words.size(), heading_.size()); ++i)
      if (heading_[i] == name) return words[i];
    return std::nullopt;
  }

  void summary_row(const std::vector<std::string_view>& words, const Line& line) {
    const auto rate = [&](std::string_view name) { return number(cell(words, name).value_or(""), mebi); };
    const auto mean = rate("Mean(MiB)");
    if (!mean) return piece_.remark("import_row", line.number, "a summary without a mean: left out");
    IorTest* const of = test_of_summary(words);
    if (of == nullptr)
      return piece_.remark("import_row", line.number, "a summary that does not say its test: left out");
    const std::string operation(words[0]);
    if (!(mean->value > 0) && !of->operations.contains(operation)) return;  // it did not run
    put_params(words, *of);
    Repetitions& all = of->operations[operation];
    if (all.line == 0) all.line = line.number;
    all.mean = mean, all.max = rate("Max(MiB)"), all.min = rate("Min(MiB)"), all.sd = rate("StdDev");
    all.operations_mean = number(cell(words, "Mean(OPs)").value_or(""));
    if (const auto time = cell(words, "Mean(s)")) all.note("mean_s", *time);
    look_for_less(words, all, line);
    all.step = std::max(all.step.value_or(0), mean->step);
    all.best_only = false;
  }

  /// Takes the options that a row of the summary repeats: sizes in whole bytes, which options round, and what
  /// the options lack.
  void put_params(const std::vector<std::string_view>& words, IorTest& of) const {
    const auto number_of = [&](std::string_view name) { return whole(cell(words, name).value_or("")); };
    auto& params = of.params;
    if (const auto block = number_of("blksiz")) params["block_byte"] = *block;
    if (const auto transfer = number_of("xsize")) params["transfer_byte"] = *transfer;
    if (!of.tasks) of.tasks = count(cell(words, "#Tasks").value_or(""));
    const auto per_node = count(cell(words, "tPN").value_or(""));
    if (!of.nodes && of.tasks && per_node && *of.tasks % *per_node == 0) of.nodes = *of.tasks / *per_node;
    if (const auto segments = number_of("segcnt")) params.emplace("segments", *segments);
    if (const auto each = number_of("fPP"))
      params.emplace("file_per_process", std::string(*each > 0 ? "yes" : "no"));
    const auto constant = number_of("reord"), random = number_of("reordrand");
    if (constant && random) params.emplace("reorder", order_of_tasks(*constant > 0, *random > 0));
    if (const auto api = cell(words, "API")) params.emplace("api", record::valid_utf8(*api));
  }

  /// Compares the moved bytes with tasks, segments and blocks of the same row: a deadline ended it, or files
  /// were too short.
  void look_for_less(const std::vector<std::string_view>& words, Repetitions& all, const Line& line) {
    double planned = 1;
    std::optional<Number> moved;
    std::size_t factors = 0;
    for (std::size_t i = 1; i < words.size() && i < heading_.size(); ++i) {
      const std::string& name = heading_[i];
      if (name == "aggs(MiB)") moved = number(words[i], mebi);
      if (name == "aggsize") moved = number(words[i]);
      if (name != "#Tasks" && name != "segcnt" && name != "blksiz") continue;
      const auto factor = number(words[i]);
      if (!factor || !(factor->value > 0)) return;
      planned *= factor->value;
      ++factors;
    }
    if (!moved || factors != 3 || moved->value + moved->step >= planned) return;
    all.partial = true;
    piece_.remarks.push_back({"import_warning", line.number,
                              "less was moved (aggregate size) than tasks, segments and blocks say", false});
  }

  /// Reads CSV: one line per repetition, without a head.
  Piece csv() {
    const auto names = cells_of(block_.lines.front().text);
    for (std::size_t i = 1; i < block_.lines.size(); ++i) {
      const Line& line = block_.lines[i];
      const auto list = cells_of(line.text);
      ++piece_.rows;
      if (i + 1 == block_.lines.size() && !line.ended) {
        piece_.truncated = true;
        continue;
      }
      if (list.size() != names.size()) {
        piece_.remark("import_row", line.number, "other columns than the heading: left out");
        continue;
      }
      Repetitions& all = test().operations[std::string(list[0])];
      if (all.line == 0) all.line = line.number;
      heading_.assign(names.begin(), names.end());
      put_sizes(list);
      for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k] == "numTasks") test().tasks = count(list[k]);
      repetition(list, all, line);
    }
    finish_test(test(), piece_);
    if (piece_.points.empty())
      throw Incomplete(block_.first_line(), "a heading of IOR without a row of results");
    return std::move(piece_);
  }

  const Block& block_;
  const Description& told_;
  Piece piece_;
  std::vector<IorTest> tests_ = std::vector<IorTest>(1);
  std::map<std::int64_t, std::size_t> places_;  // of tests whose number is told
  std::vector<std::string> heading_;
  bool summary_ = false;
  bool begun_ = false;  // the first test, by a line of its own
};

using record::Json;

std::optional<std::int64_t> whole_in(const Json& object, std::string_view name) {
  const auto value = real_in(object, name);
  return value && *value >= 0 && *value < 9e15 && *value == std::floor(*value)
             ? std::optional(static_cast<std::int64_t>(*value))
             : std::nullopt;
}

std::optional<int> count_in(const Json& object, std::string_view name) {
  return as_count(whole_in(object, name));
}

void read_options(const Json& options, IorTest& test) {
  auto& params = test.params;
  if (const auto api = word_in(options, "api"); !api.empty()) params["api"] = record::valid_utf8(api);
  test.tasks = count_in(options, "tasks");
  test.nodes = count_in(options, "nodes");
  if (const auto access = word_in(options, "access"); !access.empty())
    set_yes(params, "file_per_process", access.starts_with("file-per-process"));
  if (const auto type = word_in(options, "type"); !type.empty())
    set_yes(params, "collective", type.starts_with("collective"));
  if (const auto order = word_in(options, "ordering in a file"); !order.empty())
    set_yes(params, "random", order.starts_with("random"));
  if (const auto order = word_in(options, "ordering inter file"); !order.empty())
    params["reorder"] = order_of_tasks(order);
  if (const auto segments = whole_in(options, "segments")) params["segments"] = *segments;
  for (const auto& [name, param] :
       {std::pair<const char*, const char*>{"xfersize", "transfer_byte"}, {"blocksize", "block_byte"}})
    if (const auto size = ior_size(word_in(options, name))) params[param] = *size;
  if (const auto limit = whole_in(options, "stonewallingTime"); limit.value_or(0) > 0)
    params["stonewall_s"] = *limit;
}

/// Reads the part that has the options once more, by their names in the program: sizes are whole bytes there.
/// It says neither more nor less, but some writers leave the other part out.
void read_parameters(const Json& parameters, IorTest& test) {
  auto& params = test.params;
  if (const auto api = word_in(parameters, "api"); !api.empty())
    params.emplace("api", record::valid_utf8(api));
  if (!test.tasks) test.tasks = count_in(parameters, "numTasks");
  if (!test.nodes) test.nodes = count_in(parameters, "nodes");
  for (const auto& [name, param] : {std::pair<const char*, const char*>{"filePerProc", "file_per_process"},
                                    {"collective", "collective"},
                                    {"randomOffset", "random"}})
    if (const auto flag = whole_in(parameters, name))
      params.emplace(param, std::string(*flag > 0 ? "yes" : "no"));
  const auto constant = whole_in(parameters, "reorderTasks"),
             random = whole_in(parameters, "reorderTasksRandom");
  if (constant && random) params.emplace("reorder", order_of_tasks(*constant > 0, *random > 0));
  if (const auto segments = whole_in(parameters, "segmentCount")) params.emplace("segments", *segments);
  for (const auto& [name, param] :
       {std::pair<const char*, const char*>{"transferSize", "transfer_byte"}, {"blockSize", "block_byte"}})
    if (const auto size = whole_in(parameters, name); size.value_or(0) > 0) params[param] = *size;
  if (const auto limit = whole_in(parameters, "deadlineForStonewall"); limit.value_or(0) > 0)
    params.emplace("stonewall_s", *limit);
}

void read_result(const Json& row, IorTest& test, std::size_t line) {
  const std::string access = word_in(row, "access");
  if (access != "write" && access != "read") return;
  Repetitions& all = test.operations[access];
  all.line = line;
  const auto rate = real_in(row, "bwMiB");
  if (rate && *rate > 0 && all.byte_s.size() < 100000) all.byte_s.push_back(*rate * mebi.factor);
  for (const auto& [name, param] :
       {std::pair<const char*, const char*>{"blockKiB", "block_byte"}, {"xferKiB", "transfer_byte"}})
    if (const auto size = real_in(row, name);
        size && *size > 0 && *size < 9e12 && !test.params.contains(param))
      test.params[param] = static_cast<std::int64_t>(std::llround(*size * kibi.factor));
}

void read_summary(const Json& row, IorTest& test) {
  const std::string operation = word_in(row, "operation");
  if (operation != "write" && operation != "read") return;
  const auto found = test.operations.find(operation);
  if (found == test.operations.end()) return;
  Repetitions& all = found->second;
  const auto printed = [&](const char* name) {
    const auto value = real_in(row, name);
    return value && *value > 0 ? std::optional(Number{*value * mebi.factor, 0}) : std::nullopt;
  };
  all.mean = printed("bwMeanMIB"), all.max = printed("bwMaxMIB"), all.min = printed("bwMinMIB"),
  all.sd = printed("bwStdMIB");
  if (const auto operations = real_in(row, "OPsMean")) all.operations_mean = Number{*operations, 0};
  if (!test.tasks) test.tasks = count_in(row, "numTasks");
  const auto per_node = count_in(row, "tasksPerNode");
  if (!test.nodes && test.tasks && per_node && *test.tasks % *per_node == 0)
    test.nodes = *test.tasks / *per_node;
}

/// True if a row of the summary is about a test; one that does not say so is about the only test.
bool is_about(const Json& row, const IorTest& test, bool only) {
  const auto id = whole_in(row, "TestID");
  return only || (id && id == test.id);
}

/// Reads a result in JSON. Throws Refusal.
Piece read_ior_document(const Block& block, const Description& told) {
  const Json document = json_of(block);
  Piece piece(block, word_in(document, "Version"));
  piece.started_utc = date(word_in(document, "Began"), told.minutes_before_utc).value_or("");
  const std::string system = word_in(document, "Machine");  // outlives the words that are parts of it
  if (const auto machine = words_of(system); machine.size() > 1)
    piece.machine["hostname"] = record::valid_utf8(machine[1]);
  bool warned = false;
  for (const Line& line : block.lines)
    if (is_warning(line.text)) {
      warned = true;
      piece.remark("import_warning", line.number, record::valid_utf8(trimmed(line.text).substr(0, 200)));
    }
  if (block.warned) {
    warned = true;
    piece.remark("import_warning", block.warned->number,
                 record::valid_utf8(trimmed(block.warned->text).substr(0, 200)));
  }
  const Json tests = member_in(document, "tests");
  const Json summaries = member_in(document, "summary");
  for (std::size_t i = 0; tests.is_array() && i < tests.size(); ++i) {
    const Json& one = tests[i];
    if (!one.is_object()) continue;
    IorTest test;
    test.warned = warned;
    const std::string command = word_in(document, "Command line");
    for (const std::string_view word : words_of(command))
      if (word == "-e") set_yes(test.params, "fsync", true);
    test.id = whole_in(one, "TestID");
    if (!test.id) test.id = static_cast<std::int64_t>(i);
    if (one.contains("Options")) read_options(one["Options"], test);
    if (one.contains("Parameters")) read_parameters(one["Parameters"], test);
    if (one.contains("Results") && one["Results"].is_array())
      for (const Json& rows : one["Results"]) {
        if (rows.is_object()) read_result(rows, test, block.first_line());
        if (rows.is_array())
          for (const Json& row : rows) read_result(row, test, block.first_line());
      }
    for (std::size_t k = 0; summaries.is_array() && k < summaries.size(); ++k)
      if (is_about(summaries[k], test, tests.size() == 1)) read_summary(summaries[k], test);
    finish_test(test, piece);
  }
  piece.rows = piece.points.size();
  if (piece.points.empty()) throw Incomplete(block.first_line(), "a document of IOR without results");
  piece.truncated = !block.ended;
  return piece;
}

}  // namespace

void read_ior(const Block& block, const Description& told, Pieces& pieces) {
  if (trimmed(block.lines.front().text).starts_with("{"))
    pieces.push_back(read_ior_document(block, told));
  else
    pieces.push_back(IorReader(block, told).read());
}

}  // namespace steelyard::foreign
