// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/memory_time.hpp"

namespace steelyard::balance {
namespace {

constexpr double memory_mb = 1048576, network_mb = 1e6;
constexpr double whole_memory_s = 600;

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

}  // namespace steelyard::balance
