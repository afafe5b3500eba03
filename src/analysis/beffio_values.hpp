// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>

/// Weights and values of b_eff_io. Source: 000_ea2d91109a99d1ca.txt section 5.1; the published release's
/// formula: docs/suites/b-eff-io.md, "Values". Pure; byte/s in and out, nothing where something is missing.
namespace steelyard::analysis {

inline constexpr std::size_t beffio_type_count = 5;
using BeffioTypeValues = std::array<std::optional<double>, beffio_type_count>;

/// Mean over the pattern types, type 0 counted twice.
[[nodiscard]] std::optional<double> beffio_access_value(const BeffioTypeValues& types);

/// Values of the three access methods of one partition.
struct BeffioAccessValues {
  std::optional<double> write, rewrite, read;
};
/// 25 % initial write, 25 % rewrite, 50 % read.
[[nodiscard]] std::optional<double> beffio_value(const BeffioAccessValues& values);

/// sqrt(W b(read)), W the mean over the five types of the initial write and type 0 of the rewrite.
[[nodiscard]] std::optional<double> beffio_release2_value(const BeffioTypeValues& write,
                                                          std::optional<double> rewrite_of_type_0,
                                                          std::optional<double> read);

}  // namespace steelyard::analysis
