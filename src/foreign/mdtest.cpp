// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "foreign/readers.hpp"

namespace steelyard::foreign {
namespace {

struct Operation {
  std::string_view label, name;
};
constexpr auto md_operations = std::to_array<Operation>({{"Directory creation", "dir_create"},
                                                         {"Directory stat", "dir_stat"},
                                                         {"Directory rename", "dir_rename"},
                                                         {"Directory read", "dir_read"},
                                                         {"Directory removal", "dir_remove"},
                                                         {"File creation", "file_create"},
                                                         {"File stat", "file_stat"},
                                                         {"File read", "file_read"},
                                                         {"File removal", "file_remove"},
                                                         {"Tree creation", "tree_create"},
                                                         {"Tree removal", "tree_remove"}});

class MdtestReader {
 public:
  MdtestReader(const Block& block, const Description& told) : block_(block), told_(told), piece_(block) {}

  Piece read() {
    for (const Line& line : block_.lines) take(line);
    if (piece_.points.empty() && piece_.rows == 0)
      throw Incomplete(block_.first_line(), "a head of mdtest without a row of results");
    for (Point& point : piece_.points) complete(point);
    piece_.truncated = !block_.ended;
    return std::move(piece_);
  }

 private:
  void take(const Line& line) {
    const auto text = trimmed(line.text);
    if (const auto started = behind(text, "-- started at "))
      piece_.started_utc = date(*started, told_.minutes_before_utc).value_or("");
    if (text.starts_with("mdtest-")) return title(text);
    if (text.starts_with("Command line used")) return command(text);
    if (const auto files = between(text, " tasks, ", " files")) items_ = first_whole(*files);
    if (const auto iterations = between(text, "(of ", " iterations)");
        iterations && text.starts_with("SUMMARY"))
      iterations_ = first_whole(*iterations);
    if (text.starts_with("SUMMARY rate") || text.starts_with("SUMMARY:")) in_rates_ = true;
    if (text.starts_with("SUMMARY time")) in_rates_ = false;
    if (holds(text, "ERROR: verifying")) verified_ = false;
    if (is_warning(text))
      piece_.remark("import_warning", line.number, record::valid_utf8(text.substr(0, 200)));
    for (const auto& [label, name] : md_operations)
      if (begins(text, label)) return row(text.substr(label.size()), name, line);
  }

  void title(std::string_view text) {
    piece_.release = record::valid_utf8(between(text, "mdtest-", " was launched").value_or(""));
    if (const auto tasks = between(text, "launched with", "total task")) tasks_ = count(*tasks);
    if (const auto nodes = between(text, " on ", " node")) piece_.nodes = count(*nodes);
  }

  /// Words of a call; newer releases quote each of them.
  static std::vector<std::string_view> call_words(std::string_view text) {
    auto words = words_of(text);
    for (std::string_view& word : words)
      if (word.size() > 1 && (word.front() == '\'' || word.front() == '"') && word.back() == word.front())
        word = word.substr(1, word.size() - 2);
    return words;
  }

  /// Reads the options -z, -b, -u, -N, -w and -e, which change the measured operation.
  void command(std::string_view text) {
    const auto words = call_words(text);
    commanded_ = true;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view next = i + 1 < words.size() ? words[i + 1] : std::string_view{};
      for (const auto& [option, name] : {std::pair<std::string_view, const char*>{"-z", "depth"},
                                         {"-b", "branch"},
                                         {"-N", "shift"},
                                         {"-w", "write_byte"},
                                         {"-e", "read_byte"}})
        if (words[i] == option && whole(next)) said_[name] = *whole(next);
      if (words[i] == "-u") said_["unique"] = std::string("yes");
    }
  }

  void row(std::string_view rest, std::string_view name, const Line& line) {
    auto words = words_of(rest);
    if (!words.empty() && words[0] == ":") words.erase(words.begin());
    if (!in_rates_) return times(words, name);
    ++piece_.rows;
    if (!line.ended && (words.size() != 4 || may_be_cut(line, words.back(), decimals_))) return;
    if (words.size() < 4)
      return piece_.remark("import_row", line.number, "not the four numbers of a row: left out");
    decimals_ = decimals(words[3]);
    const auto most = number(words[0]), least = number(words[1]), mean = number(words[2]),
               sd = number(words[3]);
    if (mean && mean->value == 0 && most && most->value == 0) return;  // a phase that was not run
    Point point("mdtest", name, line.number);
    point.record.primary = "operation_rate_op_s";
    point.record.lower_is_better = false;
    point.printed = "op/s";
    if (!mean || !(mean->value > 0)) {
      point.fail(words[2]);
    } else {
      record::Statistics held;
      held.n = iterations_;
      held.mean = mean->value;
      if (most && most->value >= 0) held.max = most->value;
      if (least && least->value >= 0) held.min = least->value;
      if (sd && sd->value >= 0) held.sd = sd->value;
      held.headline = "mean";
      point.step = mean->step;
      point.record.metrics.emplace_back("operation_rate_op_s", held);
    }
    if (find_point(piece_, point) == nullptr) piece_.points.push_back(std::move(point));
  }

  /// Reads the second table of 3.4 and later: seconds of a whole phase, whatever its title says ("in ms/op",
  /// "in ops/sec"): rate and time make the number of items.
  void times(const std::vector<std::string_view>& words, std::string_view name) {
    for (Point& point : piece_.points)
      if (point.record.benchmark == name && words.size() >= 4) point.note("mean_time_s", words[2]);
  }

  void complete(Point& point) {
    if (tasks_) point.record.processes = *tasks_;
    piece_.processes = tasks_;
    if (items_) point.set("items", *items_);
    if (!items_) point.unknown.emplace_back("items");
    for (const auto& [name, value] : said_) point.record.params[name] = value;
    if (!commanded_)
      for (const char* name : {"depth", "branch", "unique", "shift", "write_byte", "read_byte"})
        point.unknown.emplace_back(name);
    const auto major = first_whole(piece_.release).value_or(4);
    point.over_time = "mean";
    point.over_ranks = major < 4 ? "mean" : "global";
    if (auto* held = point.record.metrics.empty()
                         ? nullptr
                         : std::get_if<record::Statistics>(&point.record.metrics.front().second))
      held->over_ranks = point.over_ranks;
    if (major < 4) point.flag("rate_over_ranks");
    if (verified_) point.record.verified = verified_;
  }

  const Block& block_;
  const Description& told_;
  Piece piece_;
  std::optional<int> tasks_;
  std::optional<std::int64_t> items_, iterations_;
  record::Params said_;
  std::optional<bool> verified_;
  int decimals_ = -1;
  bool in_rates_ = false, commanded_ = false;
};

}  // namespace

void read_mdtest(const Block& block, const Description& told, Pieces& pieces) {
  pieces.push_back(MdtestReader(block, told).read());
}

}  // namespace steelyard::foreign
