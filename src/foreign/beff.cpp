// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <set>

#include "foreign/readers.hpp"
#include "suites/beffio/patterns.hpp"

namespace steelyard::foreign {
namespace {

/// Parts of "9709.549SHORT": the number and the word that is glued to it.
std::pair<std::string_view, std::string_view> cut_word(std::string_view word) {
  const std::size_t end = std::min(word.find_first_not_of("+-0123456789.eE"), word.size());
  return {word.substr(0, end), word.substr(end)};
}

void put_machine(std::string_view text, Piece& piece) {
  const auto words = words_of(text.substr(0, std::min(text.find(','), text.size())));
  const char* names[] = {"sysname", "nodename", "release"};
  for (std::size_t i = 0; i < words.size() && i < std::size(names); ++i)
    piece.machine["uname"][names[i]] = record::valid_utf8(words[i]);
  if (words.size() > 1) piece.machine["hostname"] = record::valid_utf8(words[1]);
}

/// Last line that begins with `word` and holds `later`; nullptr if there is none.
const Line* last_line(const Block& block, std::string_view word, std::string_view later = {}) {
  const Line* found = nullptr;
  for (const Line& line : block.lines)
    if (begins(line.text, word) && holds(line.text, later)) found = &line;
  return found;
}

/// Date of measurement in a line, in the words of either program or of ours; nullopt if it holds none.
std::optional<std::string_view> date_words(std::string_view text) {
  for (const std::string_view word : {"Date of measurement:", "Date:", "Date of this measurement:"})
    if (const auto rest = behind(text, word)) return rest;
  const auto pair = pair_at(text, '=');
  return pair && pair->first == "date" ? std::optional(pair->second) : std::nullopt;
}

void find_date(const Block& block, const Description& told, Piece& piece) {
  for (const Line& line : block.lines)
    if (const auto words = date_words(line.text))
      if (const auto found = date(*words, told.minutes_before_utc)) {
        piece.started_utc = *found;
        return;
      }
}

/// Reader of the rows of the VALUES section of a protocol: bandwidth per process, the smallest over the
/// processes, of the best repetition; the average and the largest over the processes stand in the rows below.
class ValuesReader {
 public:
  ValuesReader(const Block& block, int processes, Piece& piece)
      : block_(block), processes_(processes), piece_(piece) {}

  void read() {
    bool inside = false;
    for (const Line& line : block_.lines) {
      if (begins(line.text, "SECTION-VALUES-BEGIN")) inside = true;
      if (begins(line.text, "SECTION-VALUES-END")) return;
      if (inside) take(line);
    }
  }

 private:
  void take(const Line& line) {
    const auto words = words_of(line.text);
    std::size_t at = 0;
    if (words.size() < 2 || !line.ended) return;
    if (words[0].starts_with("avg=") || words[0].starts_with("max="))
      return beside(words[0].starts_with("avg=") ? "average_byte_s" : "largest_byte_s", line);
    if (const auto size = whole(words[0])) length_ = *size, at = 1;
    if (at < words.size() && words[at].starts_with("mthd")) method_ = method(words[at++]);
    if (at < words.size() && words[at].starts_with("p") && whole(words[at].substr(1)) && length_ >= 0 &&
        !method_.empty())
      add(line, *whole(words[at].substr(1)));
  }

  /// "mthd0": the names that the head gives the methods are those of the release.
  static std::string_view method(std::string_view word) {
    constexpr std::string_view names[] = {"Sndrcv", "Alltoal", "non-blk"};
    const auto number = whole(word.substr(std::string_view("mthd").size()));
    return number && *number < std::ssize(names) ? names[*number] : std::string_view();
  }

  void add(const Line& line, std::int64_t pattern) {
    beside_ = false;
    ++piece_.rows;
    const auto best = behind(line.text, "->");
    const auto words = best ? words_of(*best) : std::vector<std::string_view>();
    if (words.empty() || words[0].starts_with('-')) return;  // not measured
    Point point("b-eff", "b_eff", line.number);
    point.over_time = "best", point.over_ranks = "min", point.printed = "MB/s";
    point.unknown = {"seed"};
    point.record.processes = processes_;
    point.set("message_byte", length_);
    point.set("method", method_);
    point.set("pattern", pattern);
    point.take("bandwidth_per_process_byte_s", words[0], mega);
    point.record.lower_is_better = false;
    if (find_point(piece_, point) != nullptr)
      return piece_.remark("import_row", line.number, "a pattern that stands in its table already: left out");
    piece_.points.push_back(std::move(point));
    beside_ = true;
  }

  /// Notes the best repetition of a row below that of a point.
  void beside(const char* name, const Line& line) {
    if (!beside_) return;
    const auto row = behind(line.text, "=");
    double best = -1;
    for (const std::string_view word : words_of(row.value_or("")))
      if (const auto one = number(word, mega)) best = std::max(best, one->value);
    if (best >= 0) piece_.points.back().note(name, best);
  }

  const Block& block_;
  int processes_;
  Piece& piece_;
  std::int64_t length_ = -1;
  std::string_view method_;
  bool beside_ = false;  // the rows below belong to the last point
};

/// The rows of patterns of a protocol of b_eff_io:
/// " n=8   a=0 type=1 p= 3 Tp=... l= 1024 L= 8192 file r= 17 S= 0.139 MB t= 0.05 = ... bw= 2.785 MB/s".
class PatternRows {
 public:
  PatternRows(const Block& block, Piece& piece) : block_(block), piece_(piece) {}

  void read() {
    for (const Line& line : block_.lines)
      if (begins(line.text, "n=") && holds(line.text, " type=") && holds(line.text, " bw=")) take(line);
  }

 private:
  static std::optional<std::int64_t> whole_at(std::string_view text, std::string_view name) {
    const auto rest = behind(text, name);
    const auto words = rest ? words_of(*rest) : std::vector<std::string_view>();
    return words.empty() ? std::nullopt : whole(words[0]);
  }

  void take(const Line& line) {
    ++piece_.rows;
    constexpr std::string_view accesses[] = {"write", "rewrite", "read"};
    const auto processes = whole_at(line.text, "n="), access = whole_at(line.text, " a="),
               type = whole_at(line.text, " type="), pattern = whole_at(line.text, " p="),
               chunk = whole_at(line.text, " l=");
    const auto rate = between(line.text, " bw=", "MB/s");
    const auto rest = behind(line.text, " t=");
    const auto times = rest ? words_of(*rest) : std::vector<std::string_view>();
    if (!processes || *processes < 1 || *processes > 1'000'000'000 || !access ||
        *access >= std::ssize(accesses) || !type || !pattern || !chunk || !rate || times.empty())
      return piece_.remark("import_row", line.number, "a row of a pattern that lacks a part: left out");
    Point point("b-eff-io", "b_eff_io", line.number);
    point.over_time = "once", point.over_ranks = "global", point.printed = "MB/s";
    point.record.processes = static_cast<int>(*processes);
    point.set("access", accesses[*access]);
    point.set("pattern", *pattern);
    // The chunk of a pattern that fills up a segment is the rest of it.
    const bool known = *pattern < std::ssize(table_);
    if (!known || !table_[static_cast<std::size_t>(*pattern)].fills_up) point.set("chunk_byte", *chunk);
    point.take("bandwidth_byte_s", *rate, mega);
    const std::string_view time = times[0].substr(0, times[0].find('='));
    if (const auto seconds = number(time); seconds && seconds->value > 0)
      point.record.metrics.emplace_back("time_s", seconds->value);
    point.note("pattern_type", static_cast<double>(*type));
    if (holds(line.text, "ERRORS")) mark_wrong(line, *rate, point);
    if (find_point(piece_, point) != nullptr)
      return piece_.remark("import_row", line.number, "a pattern that is there already: left out");
    piece_.points.push_back(std::move(point));
  }

  /// Its program has found wrong data: the rate stays among what was printed, and is no value.
  void mark_wrong(const Line& line, std::string_view rate, Point& point) {
    const auto errors = behind(line.text, "MB/s");
    const std::string text = record::valid_utf8(errors.value_or("ERRORS"));
    point.note("bandwidth_byte_s", rate, mega);
    point.record.verified = false;
    point.record.status = record::Status::failed;
    point.record.reason = because(record::ReasonCode::verification, text);
    point.flag("warned_by_program");
    piece_.remark("import_warning", line.number, text);
    piece_.remarks.back().of_all = false;
  }

  const Block& block_;
  Piece& piece_;
  beffio::PatternTable table_ = beffio::pattern_table(Bytes{std::int64_t{2} << 20U});
};

void flag(record::SummaryRecord& summary, std::string_view name) {
  if (std::ranges::find(summary.flags, name) == summary.flags.end()) summary.flags.emplace_back(name);
}

/// Notes a warning of the program about its figure: the summary is flagged, points are not.
void warn(const Line& line, record::SummaryRecord& summary, Piece& piece) {
  flag(summary, "warned_by_program");
  piece.remark("import_warning", line.number, record::valid_utf8(trimmed(line.text).substr(0, 200)));
  piece.remarks.back().of_all = false;
}

/// Takes what stands behind the name or the number of b_eff: SHORT, TEST, or INVALID where the check failed.
void take_mark(std::string_view mark, record::SummaryRecord& summary) {
  if (mark.empty()) return;
  summary.official = false;
  summary.not_official_because = {record::valid_utf8(mark)};
  if (mark == "INVALID") summary.verified = false;
}

void take_memory(std::string_view text, std::string_view unit, record::SummaryRecord& summary) {
  const auto memory = between(text, " with", unit);
  if (const auto size = memory ? number(*memory, mebi) : std::nullopt;
      size && size->value < 9e15 && size->value >= 0)
    summary.classic.emplace_back("memory_per_process_byte", static_cast<std::int64_t>(size->value));
}

/// The figures of b_eff_io: one summary for each partition, that of the last line first. "b_eff_io of these
/// measurements = ..." and a verdict stand below each partition of a .sum, "total partition: ..." in a .prot.
class PartitionFigures {
 public:
  PartitionFigures(const Block& block, const Line& last, Piece& piece)
      : block_(block), last_(last), piece_(piece) {}

  void read() {
    for (const Line& line : block_.lines)
      if (&line != &last_) take(line);
    last_line();
    for (const Line* line : warnings_) warn(*line, figures_.front(), piece_);
    for (record::SummaryRecord& one : figures_)
      if (wrong_.contains(one.processes)) one.verified = false;
    std::ranges::move(figures_, std::back_inserter(piece_.summaries));
  }

 private:
  /// The summary of a number of processes.
  record::SummaryRecord& of(int processes) {
    const auto found = std::ranges::find(figures_, processes, &record::SummaryRecord::processes);
    if (found != figures_.end()) return *found;
    record::SummaryRecord& made = figures_.emplace_back();
    made.name = "b_eff_io", made.suite = "b-eff-io";
    made.processes = processes;
    return made;
  }

  void take(const Line& line) {
    if (begins(line.text, "b_eff_io of these measurements ="))
      figure(line);
    else if (begins(line.text, "total partition:"))
      total(line);
    else if (here_ && holds(line.text, "VALID for comparison"))
      verdict(line);
    else if (here_ && not_valid_ && is_broken_rule(line.text))
      of(*here_).not_official_because.push_back(record::valid_utf8(trimmed(line.text)));
    else if (begins(line.text, "n=") && holds(line.text, "ERRORS"))
      wrong_.insert(whole_in(line.text, "n=").value_or(0));
    else if (is_warning(line.text))
      warnings_.push_back(&line);
  }

  static bool is_broken_rule(std::string_view text) {
    return text.ends_with("NOT reached") || text.ends_with("departs from the rule");
  }

  static std::optional<int> whole_in(std::string_view text, std::string_view name) {
    const auto words = words_of(behind(text, name).value_or(""));
    return words.empty() ? std::nullopt : count(words[0]);
  }

  /// Takes "= 321.000 MB/s": no number where the measurement was not finished, -999.999 where its check failed.
  void take_value(const Line& line, std::string_view word, record::SummaryRecord& summary) {
    const auto value = number(cut_word(word).first, mega);
    const bool good = value && value->value > 0;
    summary.values.clear();
    record::put(summary, "b_eff_io_byte_s", good ? std::optional(value->value) : std::nullopt);
    if ((value && value->value < 0) || holds(line.text, "ERRORS")) {
      summary.verified = false;
      warn(line, summary, piece_);
    } else if (value && !good) {
      flag(summary, "below_resolution");
    }
    if (value || piece_.truncated) return;
    piece_.truncated = true;
    piece_.remark("import_truncated", line.number,
                  "'" + record::valid_utf8(word) + "': not all of it was measured");
  }

  void figure(const Line& line) {
    const auto processes = between(line.text, " on ", "processes");
    const auto value = behind(line.text, "=");
    const auto words = words_of(value.value_or(""));
    here_ = processes ? count(*processes) : std::nullopt;
    not_valid_ = false;
    if (!here_ || words.empty()) return here_.reset();
    record::SummaryRecord& summary = of(*here_);
    take_value(line, words[0], summary);
    take_memory(line.text, "MByte/PE", summary);
    take_time(between(line.text, "scheduled time=", "min"), summary);
  }

  void total(const Line& line) {
    const auto processes = whole_in(line.text, " n=");
    const auto rate = between(line.text, " b_eff_io=", "MB/s");
    if (processes && rate) take_value(line, *rate, of(*processes));
  }

  void verdict(const Line& line) {
    record::SummaryRecord& summary = of(*here_);
    not_valid_ = holds(line.text, "NOT VALID");
    summary.official = !not_valid_;
    summary.not_official_because.clear();
    if (not_valid_) warn(line, summary, piece_);
  }

  static void take_time(std::optional<std::string_view> minutes, record::SummaryRecord& summary) {
    const auto time = minutes ? number(*minutes, {0, 60.0}) : std::nullopt;
    if (time) summary.classic.emplace_back("scheduled_s", time->value);
  }

  /// The figure of the last line is that of the best partition.
  void last_line() {
    const auto words = words_of(*behind(last_.text, "="));
    record::SummaryRecord& summary = of(*piece_.processes);
    summary.classic.clear();
    take_value(last_, words[0], summary);
    take_memory(last_.text, "MByte/PE", summary);
    take_time(between(last_.text, "scheduled time=", "Min"), summary);
    if (const auto reason = behind(last_.text, "NOT VALID")) {
      warn(last_, summary, piece_);
      summary.official = false;
      if (summary.not_official_because.empty())
        summary.not_official_because = {
            "NOT VALID" + (reason->empty() ? std::string() : " " + record::valid_utf8(*reason))};
    }
    for (auto& one : figures_)
      if (one.official == false && one.not_official_because.empty()) one.not_official_because = {"NOT VALID"};
    const auto best = std::ranges::find(figures_, *piece_.processes, &record::SummaryRecord::processes);
    std::rotate(figures_.begin(), best, std::next(best));
  }

  const Block& block_;
  const Line& last_;
  Piece& piece_;
  std::vector<record::SummaryRecord> figures_;
  std::optional<int> here_;  // partition that the lines are about
  bool not_valid_ = false;
  std::set<int> wrong_;                // partitions with a pattern whose data were wrong
  std::vector<const Line*> warnings_;  // of no partition: the first figure bears them
};

}  // namespace

void read_beff(const Block& block, const Description& told, Pieces& pieces) {
  Piece piece(block);
  find_date(block, told, piece);
  const Line* line = last_line(block, "b_eff", "PEs with");
  const auto processes = line == nullptr ? std::nullopt : between(line->text, "*", "PEs with");
  const auto rate = line == nullptr ? std::nullopt : behind(line->text, "=");
  const auto words = rate ? words_of(*rate) : std::vector<std::string_view>();
  if (!processes || !count(*processes) || words.empty() || !holds(line->text, "/PE on "))
    throw Refusal(block.last_line(), "the last line 'b_eff = ... PEs with ...' is missing or cut off");
  const auto [figure, mark] = cut_word(words[0]);
  const auto value = number(figure, mega);
  if (!value || !(value->value > 0))
    throw Refusal(line->number, "'" + record::valid_utf8(words[0]) + "' is no rate");
  piece.processes = *count(*processes);
  record::SummaryRecord summary;
  summary.name = "b_eff", summary.suite = "b-eff";
  summary.processes = *piece.processes;
  summary.values = {{"b_eff_byte_s", value->value},
                    {"b_eff_per_process_byte_s", value->value / *piece.processes}};
  take_memory(line->text, "MB/PE", summary);
  // SHORT or TEST stands behind the name or the number.
  const auto name = trimmed(line->text.substr(0, line->text.find('=')));
  take_mark(mark.empty() ? name.substr(std::string_view("b_eff").size()) : mark, summary);
  for (const Line& one : block.lines)
    if (is_warning(one.text)) warn(one, summary, piece);
  if (const auto machine = behind(line->text, "/PE on ")) put_machine(*machine, piece);
  piece.summaries.push_back(std::move(summary));
  ValuesReader(block, *piece.processes, piece).read();
  piece.truncated = !line->ended && block.lines.size() > 1;
  pieces.push_back(std::move(piece));
}

void read_beffio(const Block& block, const Description& told, Pieces& pieces) {
  Piece piece(block);
  find_date(block, told, piece);
  const auto first = block.lines.front().text;
  for (const std::string_view title : {"b_eff_io.c, Revision", "by the rules of b_eff_io"})
    if (const auto release = behind(first, title))
      if (const auto words = words_of(*release); !words.empty())
        piece.release = record::valid_utf8(words[0].substr(0, words[0].find(',')));
  const Line* line = last_line(block, "b_eff_io =");
  const auto processes = line == nullptr ? std::nullopt : between(line->text, " on ", "processes");
  // Lines are found whatever blanks stand between their words.
  const auto value_text = line == nullptr ? std::nullopt : behind(line->text, "=");
  const auto words = value_text ? words_of(*value_text) : std::vector<std::string_view>();
  if (!processes || !count(*processes) || words.empty() || !holds(line->text, "MByte/PE"))
    throw Refusal(block.last_line(),
                  "the last line 'b_eff_io = ... processes with ...' is missing or cut off");
  piece.processes = *count(*processes);
  if (const auto machine = behind(line->text, "Min,"))
    put_machine(machine->starts_with("on ") ? machine->substr(3) : *machine, piece);
  PartitionFigures(block, *line, piece).read();
  piece.truncated |= !block.ended;
  PatternRows(block, piece).read();
  pieces.push_back(std::move(piece));
}

}  // namespace steelyard::foreign
