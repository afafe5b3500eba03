// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "foreign/readers.hpp"

namespace steelyard::foreign {
namespace {

using record::Params;

/// Takes as many digits as there are, at most `most`, off the front of a code; empty: there is none.
std::string_view take_digits(std::string_view& code, std::size_t most) {
  const std::size_t digits = std::min({code.find_first_not_of("0123456789"), code.size(), most});
  const std::string_view taken = code.substr(0, digits);
  code.remove_prefix(digits);
  return taken;
}

/// Takes one of some letters off the front of a code; empty: there is none.
std::string_view take_letter(std::string_view& code, std::string_view letters) {
  const bool fits = !code.empty() && letters.find(code[0]) != std::string_view::npos;
  const std::string_view taken = code.substr(0, fits ? 1 : 0);
  code.remove_prefix(taken.size());
  return taken;
}

/// Reads the parts of "WR11C2R4" as parameters. A code of another form, as of vendors' builds, tells none: its
/// letters may stand for something else. A broadcast beyond the published ones is left out.
void read_code(std::string_view code, Params& params) {
  code.remove_prefix(1);
  const auto mapping = take_letter(code, "RC"), depth = take_digits(code, 1),
             broadcast = take_digits(code, 1), recursive = take_letter(code, "LCR"),
             parts = take_digits(code, 4), panel = take_letter(code, "LCR"), stop = take_digits(code, 9);
  for (const std::string_view part : {mapping, depth, broadcast, recursive, parts, panel, stop})
    if (part.empty()) return;
  if (!code.empty()) return;
  for (const auto& [name, letter] : {std::pair<const char*, std::string_view>{"mapping", mapping},
                                     {"recursive", recursive},
                                     {"panel", panel}})
    params[name] = std::string(letter);
  for (const auto& [name, digits] :
       {std::pair<const char*, std::string_view>{"depth", depth}, {"parts", parts}, {"stop", stop}})
    params[name] = *whole(digits);
  if (broadcast <= "5") params["broadcast"] = *whole(broadcast);
}

bool is_code(std::string_view word) {
  return word.size() >= 2 && word[0] == 'W' && (word[1] == 'R' || word[1] == 'C') &&
         word.find('/') == std::string_view::npos;
}

/// Reads "Mix (threshold = 64)" and the like of the echo, as the parameters of a key.
void read_echo(std::string_view text, Params& echo) {
  const auto pair = pair_at(text, ':');
  if (!pair) return;
  const auto& [name, value] = *pair;
  if (name == "SWAP") {
    if (value.starts_with("Binary")) echo["swap"] = std::int64_t{0};
    if (value.starts_with("Spread")) echo["swap"] = std::int64_t{1};
    if (value.starts_with("Mix")) echo["swap"] = std::int64_t{2};
    if (const auto threshold = behind(value, "threshold =")) {
      if (const auto columns = first_whole(*threshold)) echo["swap_threshold"] = *columns;
    } else {
      echo["swap_threshold"] = std::int64_t{64};
    }
  }
  if (name == "L1" || name == "U") echo[lower(name)] = std::int64_t{value.starts_with("no-") ? 1 : 0};
  if (name == "EQUIL") echo["equilibration"] = std::int64_t{value == "yes" ? 1 : 0};
  if (name == "ALIGN")
    if (const auto words = first_whole(value)) echo["alignment"] = *words;
}

struct HplRow {
  std::string_view code, extra;
  std::int64_t n = 0, nb = 0, p = 0, q = 0;
  std::string_view time, rate;
};

std::optional<HplRow> row_of(const std::vector<std::string_view>& words) {
  if (words.size() < 7 || !is_code(words[0])) return std::nullopt;
  // The vendor column, if any, stands before or behind the four whole numbers; time and rate have a decimal point.
  std::size_t at = 1;
  std::vector<std::int64_t> whole_numbers;
  while (at < words.size() && whole(words[at])) whole_numbers.push_back(*whole(words[at++]));
  if (at + 1 >= words.size() || whole_numbers.size() < 4 || whole_numbers.size() > 5) return std::nullopt;
  HplRow row{words[0],     whole_numbers.size() == 5 ? words[1] : std::string_view{}, 0, 0, 0, 0, words[at],
             words[at + 1]};
  const std::size_t first = whole_numbers.size() - 4;
  row.n = whole_numbers[first], row.nb = whole_numbers[first + 1];
  row.p = whole_numbers[first + 2], row.q = whole_numbers[first + 3];
  return row;
}

void check_rate(Point& point, Piece& piece, double order, const HplRow& row) {
  const auto time = number(row.time), rate = number(row.rate, giga);
  if (!time || !rate || !(time->value > 0) || !(rate->value > 0)) return;
  const double operations = order * order * (2.0 / 3 * order + 1.5);
  const double slack = 0.01 + time->step / time->value + rate->step / rate->value;
  if (std::abs(rate->value * time->value / operations - 1) <= slack) return;
  point.flag("rate_and_time_disagree");
  piece.remark("import_row", point.line, "the rate is not the operations of HPL over its time");
}

/// Adds all parameters of a key that the row and the echo do not tell.
void name_unknown(Point& point) {
  point.unknown.emplace_back("form");
  for (const char* name : {"mapping", "depth", "broadcast", "recursive", "parts", "panel", "stop", "swap",
                           "swap_threshold", "l1", "u", "equilibration", "alignment"})
    if (!point.record.params.contains(name)) point.unknown.emplace_back(name);
}

Point point_of(const HplRow& row, const Line& line, const Params& echo) {
  Point point("hpcc", "HPL", line.number);
  auto& params = point.record.params;
  params = echo;
  read_code(row.code, params);
  params["order"] = row.n;
  params["block"] = row.nb;
  params["grid_rows"] = row.p;
  params["grid_columns"] = row.q;
  name_unknown(point);
  point.record.processes = static_cast<int>(std::min<std::int64_t>(row.p * row.q, 1'000'000'000));
  point.over_time = "once", point.over_ranks = "global", point.printed = "Gflops";
  point.take("flop_rate_flop_s", row.rate, giga);
  point.take("time_s", row.time);
  auto& classic = point.record.classic;
  classic.emplace_back("tv", record::valid_utf8(row.code));
  classic.emplace_back("HPL_N", row.n);
  classic.emplace_back("HPL_NB", row.nb);
  classic.emplace_back("HPL_nprow", row.p);
  classic.emplace_back("HPL_npcol", row.q);
  point.note("HPL_time", row.time);
  point.note("HPL_Tflops", row.rate, {-3});
  if (!row.extra.empty()) point.note("vendor_column", row.extra);
  return point;
}

/// Adds the residual of a row, of several checks the first; one that is no finite number stays a word.
void note_residual(Point& point, std::string_view line) {
  const auto residual = behind(line, "=");
  const auto words = residual ? words_of(*residual) : std::vector<std::string_view>();
  auto& classic = point.record.classic;
  if (words.empty() || record::find(classic, "residual") != nullptr) return;
  if (number(words[0]))
    point.note("residual", words[0]);
  else
    classic.emplace_back("residual", record::valid_utf8(words[0]));
}

/// Adds what stands behind a row: when it began and ended, and the norms of a residual that is too large.
void note_tail(Point& point, std::string_view line, int minutes_before_utc) {
  constexpr std::pair<std::string_view, const char*> moments[] = {{"HPL_pdgesv() start time", "started_utc"},
                                                                  {"HPL_pdgesv() end time", "finished_utc"}};
  constexpr std::pair<std::string_view, const char*> norms[] = {
      {"||Ax-b||_oo ", "HPL_RnormI"}, {"||A||_oo ", "HPL_AnormI"}, {"||A||_1 ", "HPL_Anorm1"},
      {"||x||_oo ", "HPL_XnormI"},    {"||x||_1 ", "HPL_Xnorm1"},  {"||b||_oo ", "HPL_BnormI"}};
  auto& classic = point.record.classic;
  for (const auto& [words, name] : moments)
    if (const auto moment = behind(line, words); moment && record::find(classic, name) == nullptr)
      if (auto utc = date(*moment, minutes_before_utc)) classic.emplace_back(name, std::move(*utc));
  for (const auto& [words, name] : norms)
    if (line.starts_with(words) && record::find(classic, name) == nullptr)
      if (const auto value = behind(line, "=")) point.note(name, trimmed(*value));
}

}  // namespace

void read_hpl_rows(std::span<const Line> lines, Piece& piece, int minutes_before_utc) {
  Params echo;
  Point* last = nullptr;
  std::optional<std::int64_t> finished;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    const auto text = trimmed(line.text);
    const auto words = words_of(text);
    if (!words.empty() && is_code(words[0])) {
      ++piece.rows;
      const auto row = row_of(words);
      const bool good_grid = row && row->p >= 1 && row->q >= 1 && row->p <= 1'000'000 && row->q <= 1'000'000;
      if (!good_grid || (i + 1 == lines.size() && !line.ended)) {
        if (i + 1 < lines.size()) piece.remark("import_row", line.number, "no row of HPL: left out");
        last = nullptr;
        continue;
      }
      piece.points.push_back(point_of(*row, line, echo));
      last = &piece.points.back();
      check_rate(*last, piece, static_cast<double>(row->n), *row);
    } else if (last != nullptr && text.starts_with("||Ax-b||") &&
               (holds(text, "PASSED") || holds(text, "FAILED"))) {
      const bool passed = holds(text, "PASSED");
      last->record.verified = passed && last->record.verified.value_or(true);
      note_residual(*last, text);
    } else if (text.starts_with("Finished")) {
      finished = first_whole(text);
    } else {
      read_echo(text, echo);
    }
    if (const auto started = behind(text, "HPL_pdgesv() start time"); started && piece.started_utc.empty())
      piece.started_utc = date(*started, minutes_before_utc).value_or("");
    if (last != nullptr) note_tail(*last, text, minutes_before_utc);
  }
  const auto rows = static_cast<std::int64_t>(piece.points.size());
  if (finished && *finished != rows && rows > 0) {
    piece.truncated = true;
    piece.remark(
        "import_truncated", piece.last_line,
        std::to_string(rows) + " rows of " + std::to_string(*finished) + " tests that it says it finished");
  }
}

void read_hpl(const Block& block, const Description& told, Pieces& pieces) {
  Piece piece(block);
  const auto first = words_of(block.lines.front().text);
  if (first.size() > 1 && first[0] == "HPLinpack") piece.release = record::valid_utf8(first[1]);
  read_hpl_rows(block.lines, piece, told.minutes_before_utc);
  if (piece.points.empty() && piece.rows == 0)
    throw Incomplete(block.first_line(), "a head of HPL without a row of results");
  for (const Point& point : piece.points)
    piece.processes = std::max(piece.processes.value_or(0), point.record.processes);
  piece.assumed["processes"] = "those of the grid: a larger world cannot be seen";
  piece.truncated = piece.truncated || !block.ended;
  pieces.push_back(std::move(piece));
}

}  // namespace steelyard::foreign
