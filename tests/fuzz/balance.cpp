// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/balance.hpp"

#include <array>

#include "record/json.hpp"
#include "targets.hpp"

namespace steelyard::fuzz {
namespace {

/// What the reader of inputs of `balance` turns into its own error.
using Declared = std::invalid_argument;

void require_systems(const std::vector<balance::System>& systems) {
  for (const auto& system : systems)
    for (const int processes : system.processes_per_node) require(processes >= 0, "a node below 0 processes");
}

}  // namespace

void read_systems(std::string_view input) {
  accepts<Declared>([&] {
    const auto data = balance::read_systems(input);
    for (const char* kind : {"hpcc", "b_eff", "b_eff_io", "ftio"})
      require_systems(balance::reference_systems(data, kind));
  });
}

void read_balance(std::string_view input) {
  if (balance::is_balance_csv(input))
    accepts<Declared>([&] { require_systems(balance::systems_of_csv(input)); });
  accepts<Declared>([&] { require_systems(balance::systems_of(record::Json::parse_or_null(input))); });
}

}  // namespace steelyard::fuzz
