// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/balance/system.hpp"

/// Energy and money. Our own definitions; 004_d8fcc96de81908c2.txt section 6 names the price as what is
/// missing.
namespace steelyard::balance {

struct Energy {
  double mean_power_w = 0;
  std::optional<double> gflop_s_per_w, pj_per_flop, byte_per_j, memory_write_j;
};
/// Nothing without power.
[[nodiscard]] std::optional<Energy> energy(const System& system);

/// As a user states it.
struct Price {
  double purchase = 0;
  std::string currency;
  double years = 0, kw = 0, price_per_kwh = 0, pue = 1, service_per_year = 0;
};
[[nodiscard]] double total_cost(const Price& price);

struct UnitCost {
  std::string_view key, title;
  double cost = 0;
};
/// Cost of one Gflop/s, GB/s of memory, network and I/O, GiB, ... of what was measured.
[[nodiscard]] std::vector<UnitCost> unit_costs(const Price& price, const Inputs& inputs);

}  // namespace steelyard::balance
