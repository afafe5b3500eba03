// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "foreign/readers.hpp"

namespace steelyard::foreign {
namespace {

using record::Json;

constexpr std::size_t most_repetitions = 10000;  // that are kept one by one

/// "1 MiB", "262144 bytes", "1.50 GiB": whole bytes.
std::optional<std::int64_t> size_of(std::string_view text) {
  const auto words = words_of(text);
  if (words.empty()) return std::nullopt;
  const std::string unit = words.size() > 1 ? lower(words[1]) : "bytes";
  double factor = 0;
  for (const auto& [name, bytes] : {std::pair<std::string_view, double>{"bytes", 1},
                                    {"byte", 1},
                                    {"kib", 1024.0},
                                    {"mib", 1048576.0},
                                    {"gib", 1073741824.0},
                                    {"tib", 1099511627776.0}})
    if (unit == name) factor = bytes;
  const auto value = number(words[0], {0, factor});
  const bool exact = value && factor > 0 && value->value >= 0 && value->value < 9e15;
  return exact ? std::optional(static_cast<std::int64_t>(std::llround(value->value))) : std::nullopt;
}

/// What repetitions of an operation came to.
struct Repetitions {
  std::size_t line = 0;
  std::vector<double> byte_s;
  std::optional<double> step;
  std::optional<Number> max, min, mean, sd;               // as a summary prints them
  std::optional<Number> operations_max, operations_mean;  // op/s of a summary
  std::vector<std::pair<const char*, std::vector<double>>> classic;
  bool failed = false;
  std::string bad_word;
  bool best_only = false;
  bool partial = false;  // less was moved than its options say

  void note(const char* name, std::string_view word) {
    const auto value = number(word);
    if (!value) return;
    auto found = std::ranges::find(classic, std::string_view(name),
                                   [](const auto& one) { return std::string_view(one.first); });
    if (found == classic.end()) found = classic.insert(classic.end(), {name, {}});
    if (found->second.size() < most_repetitions) found->second.push_back(value->value);
  }
};

/// The options of one test and its operations, until the next test.
struct IorTest {
  record::Params params;
  std::optional<int> tasks, nodes;
  std::map<std::string, Repetitions> operations;
  bool warned = false;
};

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
    if (all.byte_s.size() <= most_repetitions) held.visit_medians = all.byte_s;
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
    const auto* reorder = record::find(point.record.params, "reorder");
    const bool same_nodes = reorder != nullptr && *reorder == record::Value(std::string("no"));
    if (operation == "read" && same_nodes && test.nodes.value_or(2) > 1) point.flag("may_be_cached");
    piece.points.push_back(std::move(point));
  }
  if (test.tasks) piece.processes = std::max(piece.processes.value_or(0), *test.tasks);
  if (test.nodes) piece.nodes = test.nodes;
  test.operations.clear();
}

class IorReader {
 public:
  IorReader(const Block& block, const Description& told) : block_(block), told_(told), piece_(block) {}

  Piece read() {
    const auto first = trimmed(block_.lines.front().text);
    if (const auto release = between(first, "IOR-", ":")) piece_.release = record::valid_utf8(*release);
    if (first.starts_with("access,")) return csv();
    for (std::size_t i = 1; i < block_.lines.size(); ++i) line(block_.lines[i], i + 1 == block_.lines.size());
    finish_test(test_, piece_);
    if (piece_.points.empty() && piece_.rows == 0)
      throw Refusal(block_.first_line(), "a head of IOR without a row of results");
    piece_.truncated = !block_.ended;
    return std::move(piece_);
  }

 private:
  void line(const Line& line, bool last) {
    const auto text = trimmed(line.text);
    if (is_warning(text)) {
      test_.warned = true;
      piece_.remark("import_warning", line.number, record::valid_utf8(text.substr(0, 200)));
      return;
    }
    if (text.starts_with("Options:") || (text.starts_with("Summary:") && !test_.operations.empty())) {
      finish_test(test_, piece_);
      const auto tasks = test_.tasks, nodes = test_.nodes;
      const bool fsync = test_.params.contains("fsync");  // of the command line, which stands above
      test_ = IorTest{};
      test_.tasks = tasks, test_.nodes = nodes;
      if (fsync) set_yes(test_.params, "fsync", true);
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
    auto& params = test_.params;
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
    if (name == "ordering inter file") set_yes(params, "reorder", !value.starts_with("no"));
    if (name == "nodes") test_.nodes = count(value);
    if (name == "tasks") test_.tasks = count(value);
    if (name == "clients") clients(value);
    if (name == "xfersize" && size_of(value)) params["transfer_byte"] = *size_of(value);
    if (name == "blocksize" && size_of(value)) params["block_byte"] = *size_of(value);
    if (name == "stonewallingTime" && first_whole(value).value_or(0) > 0)
      params["stonewall_s"] = *first_whole(value);
  }

  void access(std::string_view value) {
    set_yes(test_.params, "file_per_process", value.starts_with("file-per-process"));
    if (holds(value, ",")) set_yes(test_.params, "collective", holds(value, "collective"));
  }

  /// "8 (4 per node)" of 3.0.
  void clients(std::string_view value) {
    const auto words = words_of(value);
    if (words.empty()) return;
    test_.tasks = count(words[0]);
    const auto per_node = between(value, "(", "per node");
    if (test_.tasks && per_node && count(*per_node) && *test_.tasks % *count(*per_node) == 0)
      test_.nodes = *test_.tasks / *count(*per_node);
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
    Repetitions& all = test_.operations[operation];
    if (all.line == 0) all.line = line.number;
    const auto value = number(*word, mebi);
    if (!value || !(value->value > 0)) {
      if (all.byte_s.empty() && !all.mean) test_.operations.erase(operation);
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
    Repetitions& all = test_.operations[std::string(words[0])];
    if (all.line == 0) all.line = line.number;
    summary_ ? summary_row(words, all, line) : repetition(words, all, line);
  }

  void repetition(const std::vector<std::string_view>& words, Repetitions& all, const Line& line) {
    const std::pair<std::string_view, const char*> kept[] = {
        {"IOPS", "iops_access_op_s"}, {"Latency(s)", "latency_s"}, {"open(s)", "open_s"},
        {"wr/rd(s)", "transfer_s"},   {"close(s)", "close_s"},     {"total(s)", "total_s"}};
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

  /// Columns by their headings; the first StdDev belongs to the rates, the second to the operations.
  void summary_row(const std::vector<std::string_view>& words, Repetitions& all, const Line& line) {
    std::size_t deviations = 0;
    bool any = false;
    auto& params = test_.params;
    for (std::size_t i = 1; i < words.size() && i < heading_.size(); ++i) {
      const std::string& name = heading_[i];
      const std::string_view word = words[i];
      if (name == "Max(MiB)") all.max = number(word, mebi);
      if (name == "Min(MiB)") all.min = number(word, mebi);
      if (name == "Mean(MiB)") all.mean = number(word, mebi), any = all.mean.has_value();
      if (name == "StdDev" && deviations++ == 0) all.sd = number(word, mebi);
      if (name == "Mean(OPs)") all.operations_mean = number(word);
      if (name == "Mean(s)") all.note("mean_s", word);
      if (name == "#Tasks" && !test_.tasks) test_.tasks = count(word);
      if (name == "tPN" && !test_.nodes && test_.tasks && count(word) && *test_.tasks % *count(word) == 0)
        test_.nodes = *test_.tasks / *count(word);
      if (name == "fPP" && !params.contains("file_per_process"))
        set_yes(params, "file_per_process", word != "0");
      if (name == "reord" && whole(word)) set_yes(params, "reorder", word != "0");
      if (name == "segcnt" && whole(word) && !params.contains("segments")) params["segments"] = *whole(word);
      if (name == "blksiz" && whole(word) && !params.contains("block_byte"))
        params["block_byte"] = *whole(word);
      if (name == "xsize" && whole(word) && !params.contains("transfer_byte"))
        params["transfer_byte"] = *whole(word);
      if (name == "API" && !params.contains("api")) params["api"] = record::valid_utf8(word);
    }
    if (!any) return piece_.remark("import_row", line.number, "a summary without a mean: left out");
    look_for_less(words, all, line);
    all.step = std::max(all.step.value_or(0), all.mean->step);
    all.best_only = false;
  }

  /// What was moved, against tasks, segments and blocks of the same row: a deadline ended it, or files fell short.
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
    piece_.remark("import_warning", line.number,
                  "less was moved (aggregate size) than tasks, segments and blocks say");
  }

  /// One line per repetition, without a head.
  Piece csv() {
    const auto cells = [](std::string_view text) {
      std::vector<std::string_view> list;
      for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        list.push_back(trimmed(text.substr(at, end - at)));
        at = end + 1;
      }
      return list;
    };
    const auto names = cells(block_.lines.front().text);
    for (std::size_t i = 1; i < block_.lines.size(); ++i) {
      const Line& line = block_.lines[i];
      const auto list = cells(line.text);
      ++piece_.rows;
      if (i + 1 == block_.lines.size() && !line.ended) {
        piece_.truncated = true;
        continue;
      }
      if (list.size() != names.size()) {
        piece_.remark("import_row", line.number, "other columns than the heading: left out");
        continue;
      }
      Repetitions& all = test_.operations[std::string(list[0])];
      if (all.line == 0) all.line = line.number;
      heading_.assign(names.begin(), names.end());
      for (std::size_t k = 0; k < names.size(); ++k) {
        if (names[k] == "numTasks") test_.tasks = count(list[k]);
        if (names[k] == "block(KiB)" && number(list[k], kibi))
          test_.params["block_byte"] =
              static_cast<std::int64_t>(std::llround(std::clamp(number(list[k], kibi)->value, 0.0, 9e15)));
        if (names[k] == "xfer(KiB)" && number(list[k], kibi))
          test_.params["transfer_byte"] =
              static_cast<std::int64_t>(std::llround(std::clamp(number(list[k], kibi)->value, 0.0, 9e15)));
      }
      repetition(list, all, line);
    }
    finish_test(test_, piece_);
    if (piece_.points.empty())
      throw Refusal(block_.first_line(), "a heading of IOR without a row of results");
    return std::move(piece_);
  }

  const Block& block_;
  const Description& told_;
  Piece piece_;
  IorTest test_;
  std::vector<std::string> heading_;
  bool summary_ = false;
};

std::optional<std::int64_t> whole_in(const Json& object, std::string_view name) {
  const auto value = real_in(object, name);
  return value && *value >= 0 && *value < 9e15 && *value == std::floor(*value)
             ? std::optional(static_cast<std::int64_t>(*value))
             : std::nullopt;
}

std::optional<int> count_in(const Json& object, std::string_view name) {
  const auto value = whole_in(object, name);
  return value && *value >= 1 && *value <= 1'000'000'000 ? std::optional(static_cast<int>(*value))
                                                         : std::nullopt;
}

void read_options(const Json& options, IorTest& test) {
  if (const auto api = word_in(options, "api"); !api.empty()) test.params["api"] = record::valid_utf8(api);
  test.tasks = count_in(options, "tasks");
  if (!test.tasks) test.tasks = count_in(options, "numTasks");
  test.nodes = count_in(options, "nodes");
  if (const auto access = word_in(options, "access"); !access.empty())
    set_yes(test.params, "file_per_process", access.starts_with("file-per-process"));
  if (const auto type = word_in(options, "type"); !type.empty())
    set_yes(test.params, "collective", type.starts_with("collective"));
  if (const auto order = word_in(options, "ordering in a file"); !order.empty())
    set_yes(test.params, "random", order.starts_with("random"));
  if (const auto order = word_in(options, "ordering inter file"); !order.empty())
    set_yes(test.params, "reorder", !order.starts_with("no"));
  if (const auto segments = whole_in(options, "segments")) test.params["segments"] = *segments;
  for (const auto& [name, param] :
       {std::pair<const char*, const char*>{"xfersize", "transfer_byte"}, {"blocksize", "block_byte"}})
    if (const auto size = size_of(word_in(options, name))) test.params[param] = *size;
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
    if (const auto size = real_in(row, name); size && *size > 0 && *size < 9e12)
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
}

Piece read_document(const Block& block, const Description& told) {
  const Json document = json_of(block);
  Piece piece(block, word_in(document, "Version"));
  piece.started_utc = date(word_in(document, "Began"), told.minutes_before_utc).value_or("");
  if (const auto machine = words_of(word_in(document, "Machine")); machine.size() > 1)
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
  const Json tests = document.is_object() && document.contains("tests") ? document["tests"] : Json();
  const Json summaries = document.is_object() && document.contains("summary") ? document["summary"] : Json();
  for (std::size_t i = 0; tests.is_array() && i < tests.size(); ++i) {
    const Json& one = tests[i];
    if (!one.is_object()) continue;
    IorTest test;
    test.warned = warned;
    const std::string command = word_in(document, "Command line");
    for (const std::string_view word : words_of(command))
      if (word == "-e") set_yes(test.params, "fsync", true);
    for (const char* name : {"Options", "Parameters"})
      if (one.contains(name)) read_options(one[name], test);
    if (one.contains("Results") && one["Results"].is_array())
      for (const Json& rows : one["Results"]) {
        if (rows.is_object()) read_result(rows, test, block.first_line());
        if (rows.is_array())
          for (const Json& row : rows) read_result(row, test, block.first_line());
      }
    if (tests.size() == 1 && summaries.is_array())
      for (const Json& row : summaries) read_summary(row, test);
    finish_test(test, piece);
  }
  piece.rows = piece.points.size();
  if (piece.points.empty()) throw Refusal(block.first_line(), "a document of IOR without results");
  piece.truncated = !block.ended;
  return piece;
}

}  // namespace

void read_ior(const Block& block, const Description& told, Pieces& pieces) {
  if (trimmed(block.lines.front().text).starts_with("{"))
    pieces.push_back(read_document(block, told));
  else
    pieces.push_back(IorReader(block, told).read());
}

}  // namespace steelyard::foreign
