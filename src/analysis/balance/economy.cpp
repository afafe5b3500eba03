// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/economy.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "analysis/balance/ratios.hpp"
#include "units/quantity.hpp"

namespace steelyard::balance {
namespace {

constexpr double memory_mb = 1048576, network_mb = 1e6;
constexpr double whole_memory_s = 600;

using enum Quantity;

using prefix::giga, prefix::gibi;
constexpr double hours_per_year = 8766;

struct Costed {
  std::string_view key, title;
  double unit;
  double (*amount)(Reading&);
};

constexpr auto costed = std::to_array<Costed>({
    {"cost_per_gflop_s", "Gflop/s of HPL", giga, [](Reading& r) { return r.of(hpl_flop_s); }},
    {"cost_per_memory_gbyte_s", "GB/s of memory", giga,
     [](Reading& r) { return r.accumulated(stream_star_triad_byte_s); }},
    {"cost_per_network_gbyte_s", "GB/s of network", giga,
     [](Reading& r) { return r.accumulated(random_ring_byte_s); }},
    {"cost_per_io_gbyte_s", "GB/s of I/O", giga, [](Reading& r) { return r.of(b_eff_io_byte_s); }},
    {"cost_per_memory_gibyte", "GiB of memory", gibi, [](Reading& r) { return r.of(memory_byte); }},
    {"cost_per_fft_gflop_s", "Gflop/s of FFT", giga, [](Reading& r) { return r.of(fft_global_flop_s); }},
    {"cost_per_gup_s", "GUP/s of RandomAccess", giga,
     [](Reading& r) { return r.of(random_access_global_update_s); }},
});

std::optional<double> value(std::string_view ratio, const Inputs& inputs) {
  return evaluate(*ratio_named(ratio), inputs).value;
}

/// Whether one of the values was measured wrongly or in memory instead of on disks: money buys no such rate.
bool of_no_use(const System& system, std::span<const Quantity> used) {
  return std::ranges::any_of(used, [&](Quantity quantity) {
    return system.doubts.failed.contains(quantity) || system.doubts.cached.contains(quantity);
  });
}

}  // namespace

std::optional<MemoryCommunication> memory_communication(const Inputs& inputs) {
  const auto memory = inputs.get(Quantity::memory_byte), rate = inputs.get(Quantity::b_eff_byte_s);
  if (!memory || !rate) return std::nullopt;
  return MemoryCommunication{*memory / *rate, (*memory / memory_mb) / (*rate / network_mb)};
}

CoffeeCup coffee_cup(double memory_byte, double io_byte_s) {
  const double required = memory_byte / whole_memory_s, total = memory_byte / io_byte_s;
  return {memory_byte, io_byte_s, required, total, total / 2, io_byte_s / required};
}

CoffeeCups coffee_cups(const System& system) {
  const auto memory = system.inputs.get(Quantity::memory_byte);
  const auto& cached = system.doubts.cached;
  if (const auto why = cached.find(Quantity::b_eff_io_byte_s); why != cached.end())
    return {{}, {}, why->second};
  const auto cup = [&](Quantity rate) {
    const auto io = system.inputs.get(rate);
    const bool counts = memory && io && !system.doubts.failed.contains(rate);
    return counts ? std::optional(coffee_cup(*memory, *io)) : std::nullopt;
  };
  return {cup(Quantity::b_eff_io_byte_s), cup(Quantity::b_eff_io_write_byte_s)};
}

std::optional<Energy> energy(const System& system) {
  const Inputs& inputs = system.inputs;
  const auto power = inputs.get(mean_power_w);
  if (!power) return std::nullopt;
  Energy found{
      *power, value("gflop_s_per_w", inputs), value("pj_per_flop", inputs), value("byte_per_j", inputs), {}};
  if (const auto cup = coffee_cups(system).mixed) found.memory_write_j = *power * cup->half_memory_time_s;
  return found;
}

double total_cost(const Price& price) {
  return price.purchase +
         price.years * (hours_per_year * price.kw * price.pue * price.price_per_kwh + price.service_per_year);
}

std::vector<UnitCost> unit_costs(const Price& price, const System& system) {
  std::vector<UnitCost> list;
  for (const Costed& item : costed) {
    Reading read(system.inputs);
    const double amount = item.amount(read);
    if (read.missing().empty() && !of_no_use(system, read.used()))
      list.push_back({item.key, item.title, total_cost(price) / (amount / item.unit)});
  }
  return list;
}

}  // namespace steelyard::balance
