// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "record/records.hpp"

/// Names of the Summary of hpccoutf.txt with their units and formats: by this table tests record their figures, summaries
/// and texts are made, and figures are read back. Pure.
namespace steelyard::hpcc {

/// Format of a value. count: whole number; real: plain decimals; rate: plain decimals at any magnitude, which
/// some readers need; scientific: with an exponent; word: text.
enum class KeyFormat { count, real, rate, scientific, word };

struct SummaryKey {
  std::string_view name;
  std::string_view unit;
  KeyFormat format = KeyFormat::real;
  double initial = -1;    // written when the test was not run
  std::string_view test;  // empty: key of the run or the machine
  std::string_view initial_word = {};
};

/// Keys in the order of the file.
[[nodiscard]] std::span<const SummaryKey> summary_keys();
/// Key of that name; nullptr if there is none.
[[nodiscard]] const SummaryKey* summary_key(std::string_view name);

/// Unit of a key's value in base units: 1e9 flop/s for "StarDGEMM_Gflops".
struct KeyUnit {
  double size = 1;
  std::string_view base;  // flop/s, byte/s, update/s, s, byte, or what is counted
};
/// Unit of a key, also of the program's own keys, which the Summary has at its end; nullopt if there is no such key.
[[nodiscard]] std::optional<KeyUnit> key_unit(std::string_view key);
/// Unit that the ending of a key tells, as keys of the Summary are named ("_Gflops", "_usec"); nullopt for others. For keys
/// that the table does not have.
[[nodiscard]] std::optional<KeyUnit> unit_by_ending(std::string_view key);
/// Value of a key in base units. Throws std::out_of_range if there is no such key.
[[nodiscard]] double in_base_units(std::string_view key, double value);
/// Adds a figure, given in base units, to the classic values in the unit of its key. Throws as in_base_units.
void put_figure(record::PointRecord& record, std::string_view key, double base);

}  // namespace steelyard::hpcc
