// SPDX-License-Identifier: Apache-2.0
#include "foreign/ior.hpp"

#include <algorithm>
#include <cmath>

namespace steelyard::foreign {
namespace {

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
      throw Incomplete(block_.first_line(), "a head of IOR without a row of results");
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
    if (name == "xfersize" && ior_size(value)) params["transfer_byte"] = *ior_size(value);
    if (name == "blocksize" && ior_size(value)) params["block_byte"] = *ior_size(value);
    if (name == "stonewallingTime" && first_whole(value).value_or(0) > 0)
      params["stonewall_s"] = *first_whole(value);
  }

  void access(std::string_view value) {
    set_yes(test_.params, "file_per_process", value.starts_with("file-per-process"));
    if (holds(value, ",")) set_yes(test_.params, "collective", holds(value, "collective"));
  }

  /// Reads "8 (4 per node)" of 3.0.
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

  /// Reads a row of the summary, columns by their headings; the first StdDev belongs to the rates, the second
  /// to the operations.
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
    piece_.remark("import_warning", line.number,
                  "less was moved (aggregate size) than tasks, segments and blocks say");
  }

  /// Reads CSV: one line per repetition, without a head.
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
      throw Incomplete(block_.first_line(), "a heading of IOR without a row of results");
    return std::move(piece_);
  }

  const Block& block_;
  const Description& told_;
  Piece piece_;
  IorTest test_;
  std::vector<std::string> heading_;
  bool summary_ = false;
};

}  // namespace

void read_ior(const Block& block, const Description& told, Pieces& pieces) {
  if (trimmed(block.lines.front().text).starts_with("{"))
    pieces.push_back(read_ior_document(block, told));
  else
    pieces.push_back(IorReader(block, told).read());
}

}  // namespace steelyard::foreign
