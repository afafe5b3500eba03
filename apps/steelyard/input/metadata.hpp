// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/balance/economy.hpp"
#include "analysis/balance/system.hpp"
#include "analysis/balance/verdict.hpp"

/// TOML files in which users state what no benchmark measures. Errors name file, line and column.
namespace steelyard::cli {

struct Metadata {
  std::optional<std::string> name, interconnect, cpu;
  std::optional<double> clock_ghz, adapters_per_node, year, hpcg_flop_s;
  std::optional<balance::Price> price;
  std::vector<std::pair<std::string, double>> io500;  // shown, used for nothing
};
/// [system], [cost] and [external] of a metadata file. Throws UsageError.
[[nodiscard]] Metadata read_metadata(const std::string& file);
void apply(const Metadata& metadata, balance::System& system);

/// A kind of work: dense, spectral, sparse, or a file with name, memory_byte_flop, network_byte_flop and
/// messages_per_flop. Throws UsageError.
[[nodiscard]] balance::Profile read_profile(const std::string& word);

/// Watts, or the mean over time of a file with lines "seconds watts": above 0. Throws UsageError.
[[nodiscard]] double read_power(const std::string& word);

}  // namespace steelyard::cli
