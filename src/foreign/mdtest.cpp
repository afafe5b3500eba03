// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>

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

/// An option of the call that changes the measured operation; `flag`: it takes no value.
struct CallOption {
  char letter;
  const char* name;
  bool flag = false;
};
constexpr auto call_options = std::to_array<CallOption>({{'z', "depth"},
                                                         {'b', "branch"},
                                                         {'u', "unique", true},
                                                         {'N', "shift"},
                                                         {'w', "write_byte"},
                                                         {'e', "read_byte"}});
constexpr std::string_view other_flags = "BCTErUDFgkLPRSctvXyYZ", other_values = "adfGiIlnpsVWx";

/// Words of a call; newer releases quote each of them.
std::vector<std::string_view> call_words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!(text = trimmed(text)).empty()) {
    const bool quoted = text[0] == '\'' || text[0] == '"';
    const std::size_t end = std::min(quoted ? text.find(text[0], 1) : text.find_first_of(" \t"), text.size());
    words.push_back(text.substr(quoted ? 1 : 0, end - (quoted ? 1 : 0)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// Number of "4096" or "4k" in a call, whose letters are powers of 1024; nullopt for other words.
std::optional<std::int64_t> call_number(std::string_view word) {
  constexpr std::string_view letters = "kmgt";
  const std::size_t letter = word.empty() ? letters.npos : letters.find(lower(word.substr(word.size() - 1)));
  if (letter == letters.npos) return whole(word);
  const auto value = whole(word.substr(0, word.size() - 1));
  const std::size_t bits = 10 * (letter + 1);
  return value && *value < (std::int64_t{1} << 53) >> bits ? std::optional(*value << bits) : std::nullopt;
}

/// Parameters that the call of mdtest tells. Flags may be joined ("-uC"), and a value may stand in the word of
/// its option ("-w4096", "-w=4096") or behind it.
class Call {
 public:
  explicit Call(std::string_view text) : words_(call_words(text)) {
    for (at_ = 0; at_ < words_.size(); ++at_)
      if (words_[at_].size() > 1 && words_[at_][0] == '-' && words_[at_][1] != '-')
        group(words_[at_].substr(1));
  }

  [[nodiscard]] const record::Params& said() const { return said_; }
  /// Whether data that were written are read back and compared.
  [[nodiscard]] bool verifies_writing() const {
    return std::ranges::any_of(words_, [](auto word) { return word.starts_with("--verify-write"); });
  }
  /// Names of those that stand in the call in a form that cannot be read.
  [[nodiscard]] const std::set<std::string>& unreadable() const { return unreadable_; }

 private:
  void group(std::string_view letters) {
    for (std::size_t i = 0; i < letters.size() && letters[i] != '='; ++i) {
      const std::string_view rest = letters.substr(i + 1);
      const auto* option = std::ranges::find(call_options, letters[i], &CallOption::letter);
      const bool known = option != call_options.end();
      if (known && option->flag) {
        flag(option->name, rest);
      } else if (known || other_values.find(letters[i]) != std::string_view::npos) {
        return value(known ? option->name : nullptr, rest, i > 0);
      } else if (other_flags.find(letters[i]) == std::string_view::npos) {
        return doubt(rest);
      }
    }
  }

  /// Takes a flag, which "=0" takes back.
  void flag(const char* name, std::string_view rest) {
    const auto times = rest.starts_with('=') ? whole(rest.substr(1)) : std::optional<std::int64_t>(1);
    put(name, std::nullopt);
    if (!times) return;
    unreadable_.erase(name);
    if (*times > 0) said_[name] = std::string("yes");
  }

  /// Takes the value of an option from the rest of its word, else from the next word. Releases differ in what
  /// a rest behind joined letters is.
  void value(const char* name, std::string_view rest, bool joined) {
    std::optional<std::int64_t> number;
    if (rest.empty() && at_ + 1 < words_.size())
      number = call_number(words_[++at_]);
    else if (!joined || rest.starts_with('='))
      number = call_number(rest.substr(rest.starts_with('=') ? 1 : 0));
    if (name != nullptr) put(name, number);
  }

  void put(const char* name, std::optional<std::int64_t> number) {
    said_.erase(name);
    unreadable_.erase(name);
    if (number)
      said_[name] = *number;
    else
      unreadable_.insert(name);
  }

  /// What stands behind a letter that is not known may be its value, or options.
  void doubt(std::string_view rest) {
    for (const CallOption& option : call_options)
      if (rest.find(option.letter) != std::string_view::npos) put(option.name, std::nullopt);
  }

  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
  record::Params said_;
  std::set<std::string> unreadable_;
};

enum class Statistic { max, min, mean, sd };

/// Column of a table: a statistic over iterations, or over the ranks of all iterations.
struct RateColumn {
  Statistic what;
  bool of_ranks = false;
};

std::vector<RateColumn> plain_columns() {
  return {{Statistic::max}, {Statistic::min}, {Statistic::mean}, {Statistic::sd}};
}

/// Columns of a heading: "Max Min Mean Std Dev", in some releases once "per Rank:" and once "per Iteration:".
std::vector<RateColumn> rate_columns(std::string_view heading) {
  std::vector<RateColumn> columns;
  bool of_ranks = false;
  for (const std::string_view word : words_of(heading)) {
    if (word == "Rank:") of_ranks = true;
    if (word == "Iteration:") of_ranks = false;
    for (const auto& [name, what] : {std::pair<std::string_view, Statistic>{"Max", Statistic::max},
                                     {"Min", Statistic::min},
                                     {"Mean", Statistic::mean},
                                     {"Std", Statistic::sd}})
      if (word == name) columns.push_back({what, of_ranks});
  }
  return columns;
}

class MdtestReader {
 public:
  MdtestReader(const Block& block, const Description& told) : block_(block), told_(told), piece_(block) {}

  Piece read() {
    for (const Line& line : block_.lines) take(line);
    if (piece_.points.empty() && piece_.rows == 0)
      throw Incomplete(block_.first_line(), "a head of mdtest without a row of results");
    for (Point& point : piece_.points) complete(point);
    piece_.processes = tasks_ ? tasks_ : most_tasks_;
    piece_.truncated = !block_.ended;
    return std::move(piece_);
  }

 private:
  enum class Part { none, rates, times };

  void take(const Line& line) {
    const auto text = trimmed(line.text);
    if (const auto started = behind(text, "-- started at "))
      piece_.started_utc =
          date(started->substr(0, started->find("--")), told_.minutes_before_utc).value_or("");
    if (text.starts_with("mdtest-")) return title(text);
    if (const auto call = behind(text, "Command line used:"); call && text.starts_with("Command")) {
      call_.emplace(*call);
      return;
    }
    if (const auto words = words_of(text); words.size() == 4 && words[1] == "tasks,") return work(words);
    if (text.starts_with("SUMMARY")) return summary(text, line);
    if (begins(text, "Operation ") && holds(text, " Max ")) columns_ = rate_columns(text);
    if (const auto told = behind(text, "ERROR: verifying")) wrong_data(*told);
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

  /// Reads "8 tasks, 8000 files": the work of the table that follows. Of one file that all share the number of
  /// operations is not told.
  void work(const std::vector<std::string_view>& words) {
    tasks_of_table_ = count(words[0]);
    items_ = words[3] == "file" ? std::nullopt : whole(words[2]);
    most_tasks_ = std::max(most_tasks_, tasks_of_table_);
    part_ = Part::none;
    told_work_ = true;
  }

  void summary(std::string_view text, const Line& line) {
    if (const auto iterations = between(text, "(of ", " iterations)")) iterations_ = first_whole(*iterations);
    columns_ = plain_columns();
    if (text.starts_with("SUMMARY time")) {
      part_ = Part::times;
    } else if (text.starts_with("SUMMARY rate") || text.starts_with("SUMMARY:")) {
      const bool untold = tables_++ > 0 && !told_work_;
      if (untold) piece_.remark("import_row", line.number, "a table that does not say its tasks: left out");
      part_ = untold ? Part::none : Part::rates;
      first_ = piece_.points.size();
      told_work_ = false;
    }
  }

  /// Place of a statistic over iterations.
  [[nodiscard]] std::optional<std::size_t> place_of(Statistic what) const {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i].what == what && !columns_[i].of_ranks) return i;
    return std::nullopt;
  }

  /// The line "(3 errors)" stands behind the tables of its tasks. Errors are counted from the start on, so that it stands
  /// behind all tables that follow too: where the count is as before, their data were right. Data are compared when
  /// files are read, and when they are written where the call says so.
  void wrong_data(std::string_view told) {
    const auto errors = first_whole(told.substr(std::min(told.find('('), told.size())));
    if (errors && errors == errors_) return;
    errors_ = errors;
    if (first_ >= piece_.points.size()) {
      wrong_data_ = true;
      return;
    }
    const auto is_of_data = [&](const Point& point) {
      const auto& name = point.record.benchmark;
      return name == "file_read" || (name == "file_create" && (!call_ || call_->verifies_writing()));
    };
    const auto begin = piece_.points.begin() + static_cast<std::ptrdiff_t>(first_);
    const bool is_told = std::any_of(begin, piece_.points.end(), is_of_data);
    for (auto point = begin; point != piece_.points.end(); ++point)
      if (!is_told || is_of_data(*point)) point->record.verified = false;
  }

  void row(std::string_view rest, std::string_view name, const Line& line) {
    auto words = words_of(rest);
    if (!words.empty() && words[0] == ":") words.erase(words.begin());
    if (part_ == Part::times) return times(words, name);
    if (part_ != Part::rates) return;
    ++piece_.rows;
    if (!line.ended && (words.size() != columns_.size() || may_be_cut(line, words.back(), decimals_))) return;
    if (words.size() != columns_.size() || !place_of(Statistic::mean))
      return piece_.remark("import_row", line.number, "other columns than the heading: left out");
    decimals_ = decimals(words.back());
    if (was_not_run(words)) return;
    for (std::size_t i = first_; i < piece_.points.size(); ++i)
      if (piece_.points[i].record.benchmark == name)
        return piece_.remark("import_row", line.number,
                             "an operation that stands in its table already: left out");
    add(words, name, line);
  }

  [[nodiscard]] bool was_not_run(const std::vector<std::string_view>& words) const {
    return std::ranges::all_of(std::array{Statistic::max, Statistic::mean}, [&](Statistic what) {
      const auto place = place_of(what);
      const auto value = place ? number(words[*place]) : std::nullopt;
      return value && value->value == 0;
    });
  }

  void add(const std::vector<std::string_view>& words, std::string_view name, const Line& line) {
    Point point("mdtest", name, line.number);
    point.record.primary = "operation_rate_op_s";
    point.record.lower_is_better = false;
    point.printed = "op/s";
    const auto& tasks = tasks_of_table_ ? tasks_of_table_ : tasks_;
    if (tasks) point.record.processes = *tasks;
    if (items_) point.set("items", *items_);
    if (!items_) point.unknown.emplace_back("items");
    point.over_time = "mean";
    point.over_ranks = is_over_ranks() ? "mean" : "global";
    if (is_over_ranks()) point.flag("rate_over_ranks");
    put_rates(words, point);
    piece_.points.push_back(std::move(point));
  }

  /// True if the rates are of single ranks: up to 3.3, unless the heading says that they are of iterations.
  [[nodiscard]] bool is_over_ranks() const {
    const bool both = std::ranges::any_of(columns_, &RateColumn::of_ranks);
    return !both && first_whole(piece_.release).value_or(4) < 4;
  }

  void put_rates(const std::vector<std::string_view>& words, Point& point) const {
    const std::string_view word = words[*place_of(Statistic::mean)];
    const auto mean = number(word);
    if (!mean || !(mean->value > 0)) return point.fail(word);
    record::Statistics held;
    held.n = iterations_;
    held.headline = "mean";
    held.over_ranks = point.over_ranks;
    for (std::size_t i = 0; i < words.size(); ++i) put_rate(columns_[i], words[i], held, point);
    point.step = mean->step;
    point.record.metrics.emplace_back("operation_rate_op_s", held);
  }

  static void put_rate(const RateColumn& column, std::string_view word, record::Statistics& held,
                       Point& point) {
    struct Place {
      Statistic what;
      std::optional<double> record::Statistics::*member;
      const char* of_ranks;
    };
    static constexpr Place places[] = {{Statistic::max, &record::Statistics::max, "rank_max_op_s"},
                                       {Statistic::min, &record::Statistics::min, "rank_min_op_s"},
                                       {Statistic::mean, &record::Statistics::mean, "rank_mean_op_s"},
                                       {Statistic::sd, &record::Statistics::sd, "rank_sd_op_s"}};
    const auto value = number(word);
    if (!value || value->value < 0) return;
    for (const auto& [what, member, of_ranks] : places) {
      if (what != column.what) continue;
      if (column.of_ranks)
        point.note(of_ranks, value->value);
      else
        held.*member = value->value;
    }
  }

  /// Reads the second table of 3.4 and later: seconds of a whole phase, whatever its title says ("in ms/op",
  /// "in ops/sec"): rate and time make the number of items.
  void times(const std::vector<std::string_view>& words, std::string_view name) {
    const auto mean = place_of(Statistic::mean);
    if (!mean || words.size() < columns_.size()) return;
    for (std::size_t i = first_; i < piece_.points.size(); ++i)
      if (piece_.points[i].record.benchmark == name) piece_.points[i].note("mean_time_s", words[*mean]);
  }

  void complete(Point& point) const {
    if (wrong_data_) point.record.verified = false;
    if (call_)
      for (const auto& [name, value] : call_->said()) point.record.params[name] = value;
    for (const CallOption& option : call_options)
      if (!call_ || call_->unreadable().contains(option.name)) point.unknown.emplace_back(option.name);
  }

  const Block& block_;
  const Description& told_;
  Piece piece_;
  std::optional<int> tasks_, tasks_of_table_, most_tasks_;  // tasks_: of all that were started
  std::optional<std::int64_t> items_, iterations_;
  std::optional<Call> call_;
  std::optional<std::int64_t> errors_;  // of the data so far
  bool wrong_data_ = false;             // told where no table stands before
  std::vector<RateColumn> columns_ = plain_columns();
  std::size_t first_ = 0;  // point of the open table
  int decimals_ = -1, tables_ = 0;
  Part part_ = Part::none;
  bool told_work_ = false;
};

}  // namespace

void read_mdtest(const Block& block, const Description& told, Pieces& pieces) {
  pieces.push_back(MdtestReader(block, told).read());
}

}  // namespace steelyard::foreign
