// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "suites/imb/settings.hpp"

/// Grammars of IMB's own options. All throw units::ParseError.
namespace steelyard::cli {

inline constexpr int highest_exponent = 40, highest_p2p_exponent = 47;
/// "B" or "A:B" with 0 <= A <= B <= highest.
[[nodiscard]] std::pair<int, int> parse_exponents(std::string_view word, int highest = highest_exponent);

/// Microseconds, or a time with its unit: "100000", "100ms".
[[nodiscard]] Seconds parse_pause(std::string_view word);

/// Sizes and ranges between commas, in the order given, repeated ones kept.
[[nodiscard]] std::vector<Bytes> parse_lengths(std::string_view word);

/// "A[,B[,C]]", each at least 1; what is left out keeps its value of `rule`.
[[nodiscard]] imb::IterationRule parse_iterations(std::string_view word, imb::IterationRule rule);

/// Words of -off_cache: MBytes above 0, or -1 (nullopt: this machine's cache), and a line of at least 1 byte.
struct OffCacheWords {
  std::optional<double> megabytes;
  std::optional<std::int64_t> line_byte;
};
[[nodiscard]] OffCacheWords parse_off_cache(std::string_view word);

/// Numbers of parts between commas, from 1 to 4096.
[[nodiscard]] std::vector<int> parse_part_numbers(std::string_view word);
/// Percent from 0 to 1000, as a share.
[[nodiscard]] double parse_noise(std::string_view word);
/// Dimensions from 1 to 3, or their sides: "2", "3x2", "2x2x2".
[[nodiscard]] imb::Cart parse_cart(std::string_view word);

void check_iterations(std::string_view word);
void check_p2p_iterations(std::string_view word);

/// Elements between commas, each at least 0.
[[nodiscard]] std::vector<std::int64_t> parse_element_counts(std::string_view word);
/// A power of two from 8 to 2^21.
[[nodiscard]] std::int64_t parse_buffer_align(std::string_view word);

}  // namespace steelyard::cli
