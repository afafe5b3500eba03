// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

/// Names of the Summary of hpccoutf.txt. Pure.
namespace steelyard::analysis {

/// Format of a value. count: whole number; real: plain decimals; rate: plain decimals at any magnitude, which
/// some readers need; scientific: with an exponent; word: text.
enum class HpccFormat { count, real, rate, scientific, word };

struct HpccKey {
  std::string_view name;
  std::string_view unit;
  HpccFormat format = HpccFormat::real;
  double initial = -1;    // written when the test was not run
  std::string_view test;  // empty: key of the run or the machine
  std::string_view initial_word = {};
};

/// Keys in the order of the file.
[[nodiscard]] std::span<const HpccKey> hpcc_keys();
/// Key of that name; nullptr if there is none.
[[nodiscard]] const HpccKey* hpcc_key(std::string_view name);

}  // namespace steelyard::analysis
