// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

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
  return 1 / rate.update_flop_s + panels / rate.panel_flop_s;
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

/// Time that every process of a grid waits beside its updates.
class Rest {
 public:
  Rest(const Variant& variant, const suites::Rates& rates)
      : n_(static_cast<double>(variant.n)),
        nb_(static_cast<double>(variant.nb)),
        grid_(variant.grid),
        rates_(rates) {}

  /// Seconds of panels. Several process columns factor and update at the same time;
  /// one does one after the other.
  [[nodiscard]] double panels_s(double panel_flop_s) const {
    const double factoring = n_ * n_ * nb_ / 2 / grid_.rows / panel_flop_s;
    return grid_.columns > 1 ? factoring / grid_.columns : factoring;
  }
  /// Seconds of panels along the rows of the grid and rows of U along its columns; both pass through memory.
  [[nodiscard]] double travel_s() const {
    const double half = 8 * n_ * n_ / 2;
    const double byte_s = std::min(rates_.exchange_byte_s, rates_.far_exchange_byte_s);
    const double panels = grid_.columns > 1 ? half / grid_.rows : 0;
    const double rows = grid_.rows > 1 ? 2 * half / grid_.columns : 0;
    const double copied = 4 * half / static_cast<double>(grid_.processes());
    return (panels + rows) / byte_s + copied / rates_.triad_byte_s;
  }
  /// Seconds of interchanges. Every row changes places with another one that lies anywhere below it; both are read and
  /// written in one piece.
  [[nodiscard]] double swaps_s() const {
    return 4 * 8 * n_ * n_ / 2 / static_cast<double>(grid_.processes()) / rates_.triad_byte_s;
  }
  /// Seconds of short messages: a pivot is sought for every column, a panel sent for every block.
  [[nodiscard]] double messages_s() const {
    const double message_s = std::max(rates_.message_s, rates_.far_message_s);
    const double pivots = grid_.rows > 1 ? 2 * n_ * hops(grid_.rows) : 0;
    const double blocks = n_ / nb_ * (hops(grid_.columns) + 2 * hops(grid_.rows));
    return (pivots + blocks) * message_s;
  }

 private:
  double n_, nb_;
  Grid grid_;
  const suites::Rates& rates_;
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

double solve_s(const Variant& variant, const suites::Rates& rates) {
  const auto& panel = nearest(rates.panels, variant.nb);
  const auto processes = static_cast<double>(variant.grid.processes());
  const Rest rest(variant, rates);
  return operations(variant.n) / processes / panel.update_flop_s + rest.panels_s(panel.panel_flop_s) +
         rest.travel_s() + rest.swaps_s() + rest.messages_s();
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
