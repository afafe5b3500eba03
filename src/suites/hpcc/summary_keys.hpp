// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

/// Names of the Summary of hpccoutf.txt that belong to the tests of this suite, the linear solver's and the
/// program's own left out. Pure.
namespace steelyard::hpcc {

/// real: %g; rate: at least one decimal and no exponent, which some readers need; count: whole number.
enum class SummaryFormat { count, real, rate };

struct SummaryKey {
  std::string_view name;
  std::string_view unit;
  SummaryFormat format = SummaryFormat::real;
  double initial = -1;  // written when the test was not run
  std::string_view test;
};

/// In the order of the file.
[[nodiscard]] std::span<const SummaryKey> summary_keys();
/// The row of that name, or nullptr.
[[nodiscard]] const SummaryKey* summary_key(std::string_view name);

}  // namespace steelyard::hpcc
