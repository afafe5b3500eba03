// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/balance/system.hpp"

/// Time that the whole memory takes over the network or to files. Source: b_eff paper, 2.1 and 2.2.
namespace steelyard::balance {

/// Seconds to communicate every byte of the memory once at the rate b_eff.
struct MemoryCommunication {
  double time_s = 0;
  /// The same as the source computes it: 2^20 byte of memory over 10^6 byte/s, both called MB.
  double time_same_mb_s = 0;
};
[[nodiscard]] std::optional<MemoryCommunication> memory_communication(const Inputs& inputs);

/// Rule of the coffee cup: a well-balanced system writes half of its memory in the 5 minutes
/// of a cup of coffee.
struct CoffeeCup {
  double memory_byte = 0, io_byte_s = 0;
  double required_io_byte_s = 0, total_memory_time_s = 0, half_memory_time_s = 0;
  double factor = 0;
  [[nodiscard]] bool passes() const { return factor >= 1; }
};
[[nodiscard]] CoffeeCup coffee_cup(double memory_byte, double io_byte_s);

struct CoffeeCups {
  std::optional<CoffeeCup> mixed;    // by b_eff_io
  std::optional<CoffeeCup> writing;  // by its initial write, which the rule is about
  std::string not_judged = {};       // why the files tell nothing of it; then neither of both is there
};
/// Coffee cups of a system. A rate of memory is not one of files: it neither passes nor fails.
[[nodiscard]] CoffeeCups coffee_cups(const System& system);

// Energy and money. Our own definitions; the HPCC balance paper, 6, names the price as what is missing.

struct Energy {
  double mean_power_w = 0;
  std::optional<double> gflop_s_per_w, pj_per_flop, byte_per_j, memory_write_j;
};
/// Returns nullopt if the power is not known.
[[nodiscard]] std::optional<Energy> energy(const System& system);

/// Price as a user states it.
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
[[nodiscard]] std::vector<UnitCost> unit_costs(const Price& price, const System& system);

}  // namespace steelyard::balance
