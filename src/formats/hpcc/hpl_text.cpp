// SPDX-License-Identifier: Apache-2.0
#include "formats/hpcc/hpl_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "formats/hpcc/sections.hpp"
#include "formats/hpcc/text.hpp"
#include "record/clipped.hpp"
#include "suites/hpcc/hpl/model.hpp"

namespace steelyard::formats {
namespace {

using record::PointRecord;

constexpr std::size_t row_width = 80;

double key(const PointRecord& point, std::string_view name) {
  return hpcc::or_minus_one(record::number_in(point, name));
}

/// True if the point has a rate; one that was stopped before its end has none.
bool has_rate(const PointRecord& point) {
  return measured(point) && record::number_in(point, "HPL_Tflops").has_value();
}

/// Residual in the form of a version. A record has no place for one that is not finite: a check that failed without a
/// residual found such a one, a text that was read holds the word.
std::string residual(const PointRecord& point, HplVersion version) {
  auto value = record::number_in(point, "residual");
  if (!value && point.check) value = point.check->worst;
  if (value)
    return version == HplVersion::v20 ? fmt::format("{:16.7f}", *value) : fmt::format("{:16.8e}", *value);
  const auto word = record::word_in(point, "residual");
  return fmt::format("{:>16}", !word.empty() ? word : point.verified == false ? "nan" : "-1");
}

struct Moments {
  std::int64_t start_s = 0, end_s = 0;
};

/// Start and end of a combination. Its record is written when it ends. A text that was read tells its start, its end,
/// or both; one that tells neither has the time at which the whole text begins.
Moments moments(const PointRecord& point, std::int64_t unix_s, double time_s) {
  const auto lasted_s = std::llround(time_s);
  if (!record::is_imported(point)) return {unix_s - lasted_s, unix_s};
  const std::string start = record::word_in(point, "started_utc"),
                    end = record::word_in(point, "finished_utc");
  if (!start.empty()) unix_s = unix_seconds(start);
  if (end.empty()) return {unix_s, unix_s + lasted_s};
  const auto end_s = unix_seconds(end);
  return {start.empty() ? end_s - lasted_s : unix_s, end_s};
}

/// Norms of which the residual is made, after a failure; those that the record does not tell are left out.
std::string norms(const PointRecord& point) {
  struct Norm {
    std::string_view label, key;
  };
  constexpr std::array all = {Norm{"||Ax-b||_oo ", "HPL_RnormI"}, Norm{"||A||_oo", "HPL_AnormI"},
                              Norm{"||A||_1 ", "HPL_Anorm1"},     Norm{"||x||_oo", "HPL_XnormI"},
                              Norm{"||x||_1 ", "HPL_Xnorm1"},     Norm{"||b||_oo", "HPL_BnormI"}};
  constexpr std::size_t column = 46;
  std::string lines;
  for (const auto& norm : all) {
    const auto value = record::number_in(point, norm.key);
    if (!value) continue;
    std::string label(norm.label);
    while (label.size() < column) label += " .";
    lines += fmt::format("{} = {:18.6f}\n", label, *value);
  }
  return lines;
}

namespace hpl = steelyard::hpcc::hpl;
using steelyard::hpcc::Grid;
using Strings = std::vector<std::string>;

constexpr std::size_t text_width = 80, values_of_line = 8;
constexpr std::string_view automatic = "auto";
constexpr std::string_view factorisations[] = {"Left", "Crout", "Right"};
constexpr std::string_view broadcasts[] = {"1ring", "1ringM", "2ring", "2ringM", "Blong", "BlongM"};

/// List of values, eight to a line, each right-aligned in eight columns.
std::string list(std::string_view label, const Strings& values) {
  std::string line = fmt::format("{:<7}:", label);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0 && i % values_of_line == 0) line += "\n        ";
    line += fmt::format("{:>8} ", values[i]);
  }
  return line + '\n';
}

template <class Number>
Strings numbers(const std::vector<Number>& values) {
  Strings words;
  for (const auto value : values) words.push_back(std::to_string(value));
  return words;
}

template <class Code, std::size_t n>
Strings names(const std::vector<Code>& codes, const std::string_view (&table)[n]) {
  Strings words;
  for (const auto code : codes)
    words.emplace_back(static_cast<int>(code) < 0 ? automatic : table[static_cast<std::size_t>(code)]);
  return words;
}

Strings sides(const std::vector<Grid>& grids, int Grid::*side) {
  Strings words;
  for (const auto& grid : grids) words.push_back(std::to_string(grid.*side));
  return words;
}

std::string swapping(const hpl::Options& options) {
  if (options.swap == hpl::Swap::binary_exchange) return "Binary-exchange";
  if (options.swap == hpl::Swap::spread_roll) return "Spread-roll (long)";
  if (options.swap == hpl::Swap::automatic) return std::string(automatic);
  return fmt::format("Mix (threshold = {})", options.swap_threshold);
}

std::string_view form(hpl::Storage storage) {
  return storage == hpl::Storage::transposed ? "transposed form" : "no-transposed form";
}

std::string lists(const steelyard::hpcc::Settings& settings) {
  const auto& [orders, blocks, grids] = settings.problem;
  const auto& options = settings.solver;
  const bool rows = options.mapping == hpl::Mapping::row_major;
  return list("N", numbers(orders)) + list("NB", numbers(blocks)) +
         fmt::format("PMAP   : {}-major process mapping\n", rows ? "Row" : "Column") +
         list("P", sides(grids, &Grid::rows)) + list("Q", sides(grids, &Grid::columns)) +
         list("PFACT", names(options.panel, factorisations)) + list("NBMIN", numbers(options.stop)) +
         list("NDIV", numbers(options.parts)) + list("RFACT", names(options.recursive, factorisations)) +
         list("BCAST", names(options.broadcast, broadcasts)) + list("DEPTH", numbers(options.depth));
}

std::string single_values(const hpl::Options& options) {
  const bool equilibrates = options.equilibration == hpl::Equilibration::yes;
  return fmt::format("SWAP   : {}\nL1     : {}\nU      : {}\nEQUIL  : {}\n", swapping(options),
                     form(options.l1), form(options.u), equilibrates ? "yes" : "no") +
         fmt::format("ALIGN  : {} double precision words\n", options.alignment);
}

std::string remarks(double threshold) {
  constexpr double half_epsilon = 0x1p-53;
  return "- Scaled residual of every solution, with a random matrix:\n"
         "      ||Ax-b||_oo / ( eps * ( || x ||_oo * || A ||_oo + || b ||_oo ) * N )\n" +
         fmt::format("- The relative machine precision (eps) is taken to be      {:21.6e}\n", half_epsilon) +
         fmt::format("- Computational tests pass if scaled residuals are less than         {:11.1f}\n",
                     threshold);
}

struct Line {
  std::string_view label, key;
};
constexpr std::array lines = {Line{"Max aggregated wall time rfact . . . :", "detail_rfact_s"},
                              Line{"+ Max aggregated wall time pfact . . :", "detail_pfact_s"},
                              Line{"+ Max aggregated wall time mxswp . . :", "detail_mxswp_s"},
                              Line{"Max aggregated wall time update  . . :", "detail_update_s"},
                              Line{"+ Max aggregated wall time laswp . . :", "detail_laswp_s"},
                              Line{"Max aggregated wall time up tr sv  . :", "detail_uptrsv_s"}};
// Additions of ours: what is left of an update, and what is neither of it nor of a panel.
constexpr std::array detail_lines = {Line{"+ update: solving triangles  . . . . :", "detail_solve_s"},
                                     Line{"+ update: multiplying  . . . . . . . :", "detail_multiply_s"},
                                     Line{"Max aggregated wall time waiting . . :", "detail_wait_s"}};

std::string ruler() {
  constexpr int repetitions = 15;
  std::string text;
  for (int i = 0; i < repetitions; ++i) text += "--VVV";
  return text + "-\n";
}

std::string line(const record::PointRecord& point, const Line& one) {
  const auto expected = record::number_in(point, "expected" + std::string(one.key.substr(one.key.find('_'))));
  return fmt::format("{}{:18.2f}{}\n", one.label, hpcc::or_minus_one(record::number_in(point, one.key)),
                     expected ? fmt::format("  of expected {:.2f}", *expected) : "");
}

namespace hpl = steelyard::hpcc::hpl;
using hpl::Phase;
using record::clipped;

constexpr std::size_t cells = 68;
constexpr char nothing = ' ', under_way = '=';

struct PhaseLetter {
  Phase phase;
  char letter;
};
/// Letters of phases that a process is in one at a time; the other phases are parts of these.
constexpr std::array phase_letters = {PhaseLetter{Phase::eliminate, 'F'},
                                      PhaseLetter{Phase::interchange, 'X'}, PhaseLetter{Phase::solve, 'S'},
                                      PhaseLetter{Phase::multiply, 'M'}, PhaseLetter{Phase::wait, '.'}};

struct Span {
  int rank = 0;
  Phase phase = Phase::multiply;
  std::int64_t panel = 0;
  double begin_s = 0, end_s = 0;
};

const std::vector<double>* column(const record::PointRecord& point, std::string_view name) {
  return record::list_of(record::find(point.classic, name));
}

std::vector<Span> spans_of(const record::PointRecord& point) {
  std::array<const std::vector<double>*, 5> columns{};
  std::size_t i = 0, count = std::numeric_limits<std::size_t>::max();
  for (const char* name :
       {"timeline_rank", "timeline_phase", "timeline_panel", "timeline_begin_s", "timeline_end_s"}) {
    columns[i] = column(point, name);
    if (columns[i] == nullptr) return {};
    count = std::min(count, columns[i++]->size());
  }
  std::vector<Span> spans;
  for (std::size_t k = 0; k < count; ++k)
    spans.push_back({clipped<int>((*columns[0])[k]), static_cast<Phase>(clipped<int>((*columns[1])[k])),
                     clipped<std::int64_t>((*columns[2])[k]), (*columns[3])[k], (*columns[4])[k]});
  return spans;
}

/// Scale of time from the first span to the last, cut into cells.
class Scale {
 public:
  explicit Scale(const std::vector<Span>& spans)
      : begin_s_(std::ranges::min(spans, {}, &Span::begin_s).begin_s),
        cell_s_((std::ranges::max(spans, {}, &Span::end_s).end_s - begin_s_) / cells) {}
  /// Part of a cell that the span covers.
  [[nodiscard]] double share(std::size_t cell, const Span& span) const {
    const double from = begin_s_ + static_cast<double>(cell) * cell_s_;
    const double covered = std::min(span.end_s, from + cell_s_) - std::max(span.begin_s, from);
    return cell_s_ > 0 ? std::max(covered, 0.0) / cell_s_ : 0;
  }
  [[nodiscard]] double length_s() const { return cell_s_ * cells; }

 private:
  double begin_s_, cell_s_;
};

/// Letter of the phase that takes most of a cell; blank if none takes a tenth of it.
char letter(const std::vector<Span>& spans, int rank, std::size_t cell, const Scale& scale) {
  constexpr double enough = 0.1;
  double most = enough;
  char chosen = nothing;
  for (const auto& one : phase_letters) {
    double share = 0;
    for (const auto& span : spans)
      if (span.rank == rank && span.phase == one.phase) share += scale.share(cell, span);
    if (share <= most) continue;
    most = share;
    chosen = one.letter;
  }
  return chosen;
}

std::string work_line(const std::vector<Span>& spans, int rank, const Scale& scale) {
  std::string line;
  for (std::size_t cell = 0; cell < cells; ++cell) line += letter(spans, rank, cell, scale);
  return fmt::format("{:>5} |{}|\n", rank, line);
}

std::string travel_line(const std::vector<Span>& spans, int rank, const Scale& scale) {
  std::string line(cells, nothing);
  for (const auto& span : spans)
    for (std::size_t cell = 0; cell < cells; ++cell)
      if (span.rank == rank && span.phase == Phase::travel && scale.share(cell, span) > 0)
        line[cell] = under_way;
  return fmt::format("panel |{}|\n", line);
}

std::string legend(std::int64_t iteration, double length_s) {
  return fmt::format(
             "Iteration of panel {}, {:.3f} ms from edge to edge. F factors a panel, X interchanges\n",
             iteration, 1e3 * length_s) +
         "rows, S solves the triangle, M multiplies, . waits; = a panel is on its way here or to others\n";
}

}  // namespace

std::string HplRows::head() {
  if (headed_ && threshold_ <= 0) return "";
  headed_ = true;
  return hpcc::ruler('=', row_width) +
         "T/V                N    NB     P     Q               Time                 Gflops\n" +
         hpcc::ruler('-', row_width);
}

std::string HplRows::result(const PointRecord& point, std::int64_t unix_s) const {
  const double time = key(point, "HPL_time"), gflops = 1e3 * key(point, "HPL_Tflops");
  std::string line = fmt::format("{:<8}{:12d} {:5d} {:5d} {:5d} {:18.2f}", record::word_in(point, "tv"),
                                 hpcc::whole(record::number_in(point, "HPL_N")),
                                 hpcc::whole(record::number_in(point, "HPL_NB")),
                                 hpcc::whole(record::number_in(point, "HPL_nprow")),
                                 hpcc::whole(record::number_in(point, "HPL_npcol")), time);
  if (version_ == HplVersion::v20) return line + fmt::format("     {:18.3e}\n", gflops);
  const auto [start_s, end_s] = moments(point, unix_s, time);
  return line + fmt::format("    {:19.4e}\n", gflops) +
         fmt::format("HPL_pdgesv() start time {}\n\n", hpcc::time_text(start_s)) +
         fmt::format("HPL_pdgesv() end time   {}\n\n", hpcc::time_text(end_s));
}

std::string HplRows::check(const PointRecord& point) const {
  if (threshold_ <= 0 || !point.verified) return "";
  return hpcc::ruler('-', row_width) +
         "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)= " + residual(point, version_) +
         fmt::format(" ...... {}\n", hpcc::outcome(point)) + (*point.verified ? "" : norms(point));
}

void HplRows::count(const PointRecord& point) {
  if (!has_rate(point))
    ++skipped_;
  else if (!point.verified)
    ++unchecked_;
  else
    ++(*point.verified ? passed_ : failed_);
}

std::string HplRows::add(const PointRecord& point, std::int64_t unix_s) {
  count(point);
  if (!has_rate(point))
    return fmt::format("Not measured: {}\n", point.reason ? point.reason->text : "no reason is known");
  return head() + result(point, unix_s) + hpl_detail(point) + check(point) + hpl_timeline(point);
}

std::string HplRows::tail() const {
  const int all = passed_ + failed_ + unchecked_ + skipped_;
  std::string lines =
      hpcc::ruler('=', row_width) + fmt::format("\nFinished {:6d} tests with the following results:\n", all);
  if (threshold_ > 0)
    lines += fmt::format("         {:6d} tests completed and passed residual checks,\n", passed_) +
             fmt::format("         {:6d} tests completed and failed residual checks,\n", failed_);
  if (threshold_ <= 0 || unchecked_ > 0)
    lines += fmt::format("         {:6d} tests completed without checking,\n", unchecked_);
  return lines + fmt::format("         {:6d} tests skipped because of illegal input values.\n", skipped_) +
         hpcc::ruler('-', row_width) + "\nEnd of Tests.\n" + hpcc::ruler('=', row_width);
}

std::string_view text(HplVersion version) {
  return version == HplVersion::v20 ? "2.0" : "2.3";
}

std::string hpl_title(HplVersion version, std::string_view program) {
  return hpcc::ruler('=', text_width) +
         fmt::format("HPLinpack {}  --  High-Performance Linpack benchmark  --   by steelyard {}\n",
                     text(version), program) +
         hpcc::ruler('=', text_width);
}

std::string hpl_parameters(const steelyard::hpcc::Settings& settings) {
  std::string lines =
      "\nThe words of the table:\n"
      "T/V    : code of a combination, W for wall time\n"
      "N      : order of the matrix\n"
      "NB     : columns of a block\n"
      "P      : rows of the process grid\n"
      "Q      : columns of the process grid\n"
      "Time   : seconds of factorization and solution\n"
      "Gflops : 2/3 N^3 + 3/2 N^2 operations over that time, in 10^9 per second\n\n"
      "The following parameter values will be used:\n\n" +
      lists(settings) + single_values(settings.solver) + '\n' + hpcc::ruler('-', text_width) + '\n';
  return settings.threshold > 0 ? lines + remarks(settings.threshold) + '\n' : lines;
}

std::string hpl_detail(const record::PointRecord& point) {
  if (!record::number_in(point, lines.front().key)) return "";
  std::string text = ruler();
  for (const auto& one : lines) text += line(point, one);
  for (const auto& one : detail_lines) text += line(point, one);
  text += fmt::format("Looks at panels on their way . . . . : {:17d}\n",
                      hpcc::whole(record::number_in(point, "detail_looks")));
  text += fmt::format("+ between slices of an update  . . . : {:17d}\n",
                      hpcc::whole(record::number_in(point, "detail_looks_between_slices")));
  return text + ruler();
}

std::string hpl_timeline(const record::PointRecord& point) {
  const auto spans = spans_of(point);
  if (spans.empty()) return "";
  const Scale scale(spans);
  std::string text = legend(std::ranges::min(spans, {}, &Span::panel).panel, scale.length_s());
  int last = -1;
  for (const auto& span : spans) last = std::max(last, span.rank);
  for (int rank = 0; rank <= last; ++rank)
    text += work_line(spans, rank, scale) + travel_line(spans, rank, scale);
  return text;
}

}  // namespace steelyard::formats
