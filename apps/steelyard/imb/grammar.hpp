// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "suites/imb/definition.hpp"

/// Grammars of IMB's own options. All throw units::ParseError.
namespace steelyard::cli {

/// "B" or "A:B" with 0 <= A <= B <= 40.
[[nodiscard]] std::pair<int, int> parse_exponents(std::string_view word);

/// Sizes and ranges between commas, in the order given, repeated ones kept.
[[nodiscard]] std::vector<Bytes> parse_lengths(std::string_view word);

/// "A[,B[,C]]", each at least 1; what is left out keeps its value of `rule`.
[[nodiscard]] imb::IterationRule parse_iterations(std::string_view word, imb::IterationRule rule);

/// MBytes above 0 or -1 (no size: the machine's), and a line of at least 1 byte.
struct OffCacheWords {
  std::optional<double> megabytes;
  std::optional<std::int64_t> line_byte;
};
[[nodiscard]] OffCacheWords parse_off_cache(std::string_view word);

void check_exponents(std::string_view word);
void check_lengths(std::string_view word);
void check_iterations(std::string_view word);
void check_off_cache(std::string_view word);

}  // namespace steelyard::cli
