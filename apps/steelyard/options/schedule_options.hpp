// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "units/quantity.hpp"

namespace steelyard::cli {

/// Word of --schedule: suite, adaptive, fixed:N, time:DURATION.
struct ScheduleWords {
  enum class Kind { suite, adaptive, fixed, timed } kind = Kind::suite;
  std::uint64_t operations = 0;
  Seconds time{0};
};
/// Throws units::ParseError.
[[nodiscard]] ScheduleWords parse_schedule(std::string_view word);
void check_schedule(std::string_view word);

/// Word of --off-cache of `run`: auto, or SIZE[,LINE].
struct CacheWords {
  bool machine = false;
  Bytes size{0};
  std::int64_t line_byte = 64;
};
/// Throws units::ParseError.
[[nodiscard]] CacheWords parse_cache(std::string_view word);
void check_cache(std::string_view word);

/// Word of --retry: none, or failed, partial, skipped, all between commas.
struct RetryWords {
  bool failed = false, partial = false, skipped = false, all = false;
};
/// Throws units::ParseError.
[[nodiscard]] RetryWords parse_retry(std::string_view word);
void check_retry(std::string_view word);

}  // namespace steelyard::cli
