// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "formats/hpcc/words.hpp"
#include "formats/hpcc/hpl_text.hpp"
#include "suites/hpcc/hpl/phases.hpp"

namespace steelyard::formats {
namespace {

namespace hpl = steelyard::hpcc::hpl;
using hpl::Phase;

constexpr std::size_t cells = 68;
constexpr char nothing = ' ', under_way = '=';

struct PhaseLetter {
  Phase phase;
  char letter;
};
/// Those that a process is in one at a time; the others are parts of these.
constexpr std::array phase_letters = {PhaseLetter{Phase::eliminate, 'F'}, PhaseLetter{Phase::interchange, 'X'},
                              PhaseLetter{Phase::solve, 'S'}, PhaseLetter{Phase::multiply, 'M'}, PhaseLetter{Phase::wait, '.'}};

struct Span {
  int rank = 0;
  Phase phase = Phase::multiply;
  std::int64_t panel = 0;
  double begin_s = 0, end_s = 0;
};

const std::vector<double>* column(const record::PointRecord& point, std::string_view name) {
  const auto* value = record::find(point.classic, name);
  return value == nullptr ? nullptr : std::get_if<std::vector<double>>(value);
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
    spans.push_back({static_cast<int>((*columns[0])[k]), static_cast<Phase>((*columns[1])[k]),
                     static_cast<std::int64_t>((*columns[2])[k]), (*columns[3])[k], (*columns[4])[k]});
  return spans;
}

/// The time from the first span to the last, cut into cells.
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

/// What takes most of the cell; nothing where nothing takes a tenth of it.
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
