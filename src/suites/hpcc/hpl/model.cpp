// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "suites/hpcc/hpl/shape.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::hpcc::hpl {
namespace {

using prefix::giga;
constexpr std::int64_t unknown_block = 192;

/// Time per operation of a whole factorisation, on one process.
double cost(const PanelRate& rate, std::int64_t n) {
  const double panels =
      0.75 * static_cast<double>(rate.block) / static_cast<double>(std::max<std::int64_t>(n, 1));
  return (1 - panels) / rate.update_flop_s + panels / rate.panel_flop_s;
}

/// The nearest of the tried widths.
const PanelRate& nearest(std::span<const PanelRate> rates, std::int64_t block) {
  return *std::ranges::min_element(rates, {},
                                   [block](const PanelRate& rate) { return std::abs(rate.block - block); });
}

/// Messages that follow one another until something has reached all of so many processes.
double hops(int processes) {
  return std::ceil(std::log2(std::max(processes, 1)));
}

/// Steps of a solution, each the update by a group of panels that trailing columns get at once and the making of
/// another group. A step lasts as long as its slowest process.
class Steps {
 public:
  Steps(const Variant& variant, const suites::Rates& rates)
      : variant_(variant),
        rate_(nearest(rates.panels, variant.nb)),
        triad_byte_s_(rates.triad_byte_s),
        exchange_byte_s_(std::min(rates.exchange_byte_s, rates.far_exchange_byte_s)),
        message_s_(std::max(rates.message_s, rates.far_message_s)),
        group_(panels_at_once(variant) * variant.nb) {}

  SolveParts run() {
    const auto groups = (variant_.n + group_ - 1) / group_;
    const auto ahead = variant_.grid.columns > 1 ? std::min<std::int64_t>(variant_.depth, groups) : 0;
    for (std::int64_t g = 0; g < ahead; ++g) {
      const auto made = making(g * group_);
      add(made, 1);
      parts_.wait_s += made.chain_s;
      parts_.all_s += made.chain_s;
    }
    // Of very many steps some stand for those around them.
    const auto weight = std::max<std::int64_t>(groups / most_steps, 1);
    for (std::int64_t g = 0; g < groups; g += weight) {
      const auto times = std::min(weight, groups - g);
      step((g + times / 2) * group_, ahead * group_, times);
    }
    substitute();
    return parts_;
  }

 private:
  static constexpr std::int64_t most_steps = 1000;

  /// Making of a group: on the process that does most of one step, and from its first panel until its last one is
  /// everywhere, which nobody can shorten.
  struct Making {
    double panels_s = 0, pivots_s = 0, solves_s = 0, products_s = 0, travel_s = 0, chain_s = 0;
  };
  struct Updating {
    double interchange_s = 0, solve_s = 0, multiply_s = 0, idle_s = 0, all_s = 0;
  };
  /// Rows or columns from a block's first one on, of the process that has most or least of them.
  static double most(std::int64_t rest, std::int64_t block, int parts) {
    return static_cast<double>(BlockCyclic{rest, block, parts}.count(0));
  }
  static double least(std::int64_t rest, std::int64_t block, int parts) {
    return static_cast<double>(BlockCyclic{rest, block, parts}.count(parts - 1));
  }
  [[nodiscard]] bool shares() const {
    return variant_.share && variant_.swap != Swap::automatic && variant_.grid.rows > 1;
  }
  [[nodiscard]] double copied_s(double values) const { return 2 * 8 * values / triad_byte_s_; }
  [[nodiscard]] double sent_s(double values) const { return 8 * values / exchange_byte_s_; }

  /// Panels one after the other: of each, what those before it in its group change, its factors, its way.
  [[nodiscard]] Making making(std::int64_t first) const {
    const auto& grid = variant_.grid;
    const auto end = std::min(first + group_, variant_.n);
    const double columns = grid.columns;
    Making all;
    for (auto k = first; k < end; k += variant_.nb) {
      const auto width = static_cast<double>(std::min(variant_.nb, end - k));
      const auto before = static_cast<double>(k - first);
      const double rows =
          most(std::max<std::int64_t>(variant_.n - k - variant_.nb, 0), variant_.nb, grid.rows);
      all.panels_s += width * width * (rows + 2 * width / 3) / rate_.panel_flop_s;
      all.products_s += 2 * width * before * (rows + width) / rate_.update_flop_s;
      all.solves_s += width * before * before / rate_.solve_flop_s;
      if (grid.rows > 1) all.pivots_s += width * hops(grid.rows) * (message_s_ + sent_s(4 + 2 * width));
      if (grid.columns > 1) all.travel_s += message_s_ * hops(grid.columns) + sent_s(width * (rows + width));
    }
    all.chain_s = all.panels_s + all.pivots_s + all.solves_s + all.products_s + all.travel_s;
    for (double* const s : {&all.panels_s, &all.pivots_s, &all.solves_s, &all.products_s}) *s /= columns;
    all.travel_s *= (columns - 1) / columns;
    return all;
  }

  /// Interchanges, triangle and product, on a process with so many columns. The owner of the block has least
  /// rows under it, but copies U to its place besides.
  [[nodiscard]] Updating updating(std::int64_t rest, double width, double columns) const {
    const int rows = variant_.grid.rows;
    const double u = width * columns;
    const auto multiply_s = [&](double trailing) { return 2 * trailing * u / rate_.update_flop_s; };
    Updating all;
    all.solve_s = width * u / (shares() ? rows : 1) / rate_.solve_flop_s;
    all.multiply_s = multiply_s(most(rest, variant_.nb, rows));
    if (rows == 1) {
      all.interchange_s = copied_s(2 * u);
      all.all_s = all.interchange_s + all.solve_s + all.multiply_s;
      return all;
    }
    const double parts = rows, moved_s = copied_s((1 + 1 / parts) * u), kept_s = copied_s(u);
    const double sent = shares() ? 0 : copied_s(u) + sent_s(2 * u * (parts - 1) / parts);
    const double messages = 2 * hops(rows) * message_s_;
    const double owner_s = kept_s + multiply_s(least(rest, variant_.nb, rows));
    all.interchange_s = moved_s + sent + messages + kept_s;
    // Who has multiplied its rows first takes over some of the others'.
    const bool even = shares() && variant_.help;
    if (even) all.multiply_s = multiply_s(static_cast<double>(rest) / parts);
    const double products_s = even ? all.multiply_s + kept_s / parts : std::max(owner_s, all.multiply_s);
    if (!even) all.idle_s = std::abs(owner_s - all.multiply_s);
    all.all_s = moved_s + sent + messages + all.solve_s + products_s;
    return all;
  }

  void step(std::int64_t first, std::int64_t ahead, std::int64_t times) {
    const auto end = std::min(first + group_, variant_.n), rest = variant_.n - end;
    const auto width = static_cast<double>(end - first);
    const int columns = variant_.grid.columns;
    // In one process row who waits for a panel takes over rows of the others' columns.
    const bool even = variant_.grid.rows == 1 && variant_.share && variant_.help;
    const auto update = updating(
        rest, width, even ? static_cast<double>(rest + 1) / columns : most(rest + 1, variant_.nb, columns));
    const auto fewest = even ? update : updating(rest, width, least(rest + 1, variant_.nb, columns));
    const auto made = making(first + ahead);
    // The columns of the panels that are made get this update first.
    const double own_s = made.panels_s + made.pivots_s + made.solves_s + made.products_s + made.travel_s;
    const double first_s =
        columns > 1 ? 2 * most(rest, variant_.nb, variant_.grid.rows) * width * width / rate_.update_flop_s
                    : 0;
    const double all_s =
        ahead == 0 ? update.all_s + made.chain_s : std::max(update.all_s + own_s, first_s + made.chain_s);
    const auto count = static_cast<double>(times);
    add(made, count);
    parts_.pivots_s += count * update.idle_s;
    parts_.interchange_s += count * update.interchange_s;
    parts_.solve_s += count * update.solve_s;
    parts_.multiply_s += count * update.multiply_s;
    if (columns > 1) parts_.wait_s += count * (all_s - fewest.all_s - own_s + made.travel_s);
    parts_.all_s += count * all_s;
  }

  void add(const Making& made, double times) {
    parts_.panels_s += times * made.panels_s;
    parts_.pivots_s += times * made.pivots_s;
    parts_.solve_s += times * made.solves_s;
    parts_.multiply_s += times * made.products_s;
  }

  /// Every process reads its part of U once. The blocks on the diagonal are solved one after the other, and what each
  /// gives goes on to the next process row and column.
  void substitute() {
    const auto n = static_cast<double>(variant_.n), nb = static_cast<double>(variant_.nb);
    const auto& grid = variant_.grid;
    const int neighbours = (grid.rows > 1 ? 1 : 0) + (grid.columns > 1 ? 1 : 0);
    parts_.substitute_s =
        8 * (n * n / 2 / static_cast<double>(grid.processes()) + n * nb / 2) / triad_byte_s_ +
        n / nb * neighbours * message_s_;
    parts_.all_s += parts_.substitute_s;
  }

  const Variant& variant_;
  const PanelRate& rate_;
  double triad_byte_s_, exchange_byte_s_, message_s_;
  std::int64_t group_;
  SolveParts parts_;
};

}  // namespace

std::int64_t best_block(std::span<const PanelRate> rates, std::int64_t n) {
  constexpr double almost = 1.01;
  constexpr std::int64_t fewest_panels = 8;
  if (rates.empty()) return unknown_block;
  std::vector<PanelRate> fitting;
  std::ranges::copy_if(rates, std::back_inserter(fitting),
                       [n](const PanelRate& rate) { return fewest_panels * rate.block <= n; });
  if (fitting.empty()) return std::ranges::min(rates, {}, &PanelRate::block).block;
  const auto cost_of = [n](const PanelRate& rate) { return cost(rate, n); };
  const double least = cost_of(std::ranges::min(fitting, {}, cost_of));
  std::int64_t narrowest = std::numeric_limits<std::int64_t>::max();
  for (const auto& rate : fitting)
    if (cost_of(rate) <= almost * least) narrowest = std::min(narrowest, rate.block);
  return narrowest;
}

std::string block_reason(std::span<const PanelRate> rates, std::int64_t n) {
  if (rates.empty()) return "";
  std::string text =
      "NB: least time at N = " + std::to_string(n) + " by a trial of update and panel, Gflop/s";
  char mark = ':';
  for (const auto& rate : rates) {
    text += mark + std::string(" ") + std::to_string(rate.block) + " " +
            units::format_fixed(rate.update_flop_s / giga, 1) + " and " +
            units::format_fixed(rate.panel_flop_s / giga, 1);
    mark = ',';
  }
  return text;
}

SolveParts solve_parts(const Variant& variant, const suites::Rates& rates) {
  return Steps(variant, rates).run();
}

double solve_s(const Variant& variant, const suites::Rates& rates) {
  return solve_parts(variant, rates).all_s;
}

double expected_efficiency(const Variant& variant, const suites::Rates& rates) {
  const auto processes = static_cast<double>(variant.grid.processes());
  const double all_flop_s = processes * nearest(rates.panels, variant.nb).update_flop_s;
  return operations(variant.n) / solve_s(variant, rates) / all_flop_s;
}

std::int64_t half_memory_order(std::int64_t memory_byte, std::int64_t block) {
  const double order = std::sqrt(static_cast<double>(memory_byte) / 2 / 8);
  return rounded_order(static_cast<std::int64_t>(order), block);
}

std::int64_t least_order(Variant variant, std::int64_t largest, double part, const suites::Rates& rates) {
  variant.n = largest;
  const double wanted = part * expected_efficiency(variant, rates);
  const std::int64_t step = 2 * variant.nb;
  std::int64_t low = 0, high = std::max<std::int64_t>(largest / step, 1);  // in steps; high suffices
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    variant.n = middle * step;
    (expected_efficiency(variant, rates) >= wanted ? high : low) = middle;
  }
  return high * step;
}

}  // namespace steelyard::hpcc::hpl
