// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "analysis/balance/quantity.hpp"

namespace steelyard::balance {

/// Quantities of one system. What is not finite or not above 0 counts as missing (files write -1 for it) and
/// is not stored.
class Inputs {
 public:
  void set(Quantity quantity, double value);
  void set(Quantity quantity, const std::optional<double>& value);
  void erase(Quantity quantity) { values_.erase(quantity); }
  /// Relative half-width of the 95 % interval.
  void set_half_width(Quantity quantity, double relative) { half_widths_[quantity] = relative; }
  [[nodiscard]] std::optional<double> get(Quantity quantity) const;
  [[nodiscard]] std::optional<double> half_width(Quantity quantity) const;
  [[nodiscard]] const std::map<Quantity, double>& values() const { return values_; }
  [[nodiscard]] const std::map<Quantity, double>& half_widths() const { return half_widths_; }

 private:
  std::map<Quantity, double> values_, half_widths_;
};

/// Inputs as a formula reads them: it remembers what was read and what was not there.
class Reading {
 public:
  explicit Reading(const Inputs& inputs) : inputs_(inputs) {}
  /// NaN if it is missing.
  [[nodiscard]] double of(Quantity quantity);
  [[nodiscard]] bool has(Quantity quantity) const { return inputs_.get(quantity).has_value(); }
  [[nodiscard]] const std::vector<Quantity>& used() const { return used_; }
  [[nodiscard]] const std::vector<Quantity>& missing() const { return missing_; }
  /// Root of the sum of squares of the relative half-widths; nothing if none of the inputs has one.
  [[nodiscard]] std::optional<double> half_width() const;

  /// P times a quantity of one process.
  [[nodiscard]] double accumulated(Quantity per_process);
  /// R' = R * P / P_hpl, where the linear solver used a part of the processes.
  [[nodiscard]] double hpl();
  /// The peak as the user states it, or as measured.
  [[nodiscard]] double peak();

 private:
  const Inputs& inputs_;
  std::vector<Quantity> used_, missing_;
};

}  // namespace steelyard::balance
