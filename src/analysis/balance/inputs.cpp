// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace steelyard::balance {
namespace {

void note(std::vector<Quantity>& list, Quantity quantity) {
  if (std::ranges::find(list, quantity) == list.end()) list.push_back(quantity);
}

std::optional<double> find(const std::map<Quantity, double>& values, Quantity quantity) {
  const auto found = values.find(quantity);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

void Inputs::set(Quantity quantity, double value) {
  if (std::isfinite(value) && value > 0) values_[quantity] = value;
}

void Inputs::set(Quantity quantity, const std::optional<double>& value) {
  if (value) set(quantity, *value);
}

std::optional<double> Inputs::get(Quantity quantity) const {
  return find(values_, quantity);
}

std::optional<double> Inputs::half_width(Quantity quantity) const {
  return find(half_widths_, quantity);
}

double Reading::of(Quantity quantity) {
  const auto value = inputs_.get(quantity);
  note(value ? used_ : missing_, quantity);
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<double> Reading::half_width() const {
  double squares = 0;
  for (const Quantity quantity : used_) {
    const double width = inputs_.half_width(quantity).value_or(0);
    squares += width * width;
  }
  return squares > 0 ? std::optional(std::sqrt(squares)) : std::nullopt;
}

double Reading::accumulated(Quantity per_process) {
  return of(Quantity::processes) * of(per_process);
}

double Reading::hpl() {
  const double rate = of(Quantity::hpl_flop_s);
  if (!has(Quantity::hpl_processes)) return rate;
  const double all = of(Quantity::processes), grid = of(Quantity::hpl_processes);
  return all == grid ? rate : rate * all / grid;
}

double Reading::peak() {
  return of(has(Quantity::peak_nominal_flop_s) ? Quantity::peak_nominal_flop_s
                                               : Quantity::peak_measured_flop_s);
}

}  // namespace steelyard::balance
