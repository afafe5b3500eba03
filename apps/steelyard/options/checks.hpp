// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "units/quantity.hpp"

/// Grammars of single options. All throw units::ParseError.
namespace steelyard::cli {

/// "2x3" with factors of at least 1.
[[nodiscard]] std::pair<int, int> parse_map(std::string_view word);

/// KEY=VALUE with a KEY that is not empty.
[[nodiscard]] std::pair<std::string, std::string> parse_label(std::string_view word);

/// A finite number above 0.
[[nodiscard]] double parse_positive(std::string_view word);

/// "2026-11-20T18:00[:SS][Z]" (local time without Z) or "+DURATION" from now, of a thousand years at most; seconds since
/// 1970 in UTC.
[[nodiscard]] double parse_deadline(std::string_view word, double now_unix_s);

/// Number of processes; nullopt for "auto".
[[nodiscard]] std::optional<int> parse_launch(std::string_view word);

/// Words between commas, blanks around them removed; empty ones dropped.
[[nodiscard]] std::vector<std::string> comma_words(std::string_view word);

/// The same of a list of values, in which each comma has one on both sides: "1,,2" and "1," may lack one that was meant.
/// Commas alone are an empty list.
[[nodiscard]] std::vector<std::string> comma_list(std::string_view word);

/// Prefix of files, before ".prot" and its kin: any word that does not end like a directory.
[[nodiscard]] std::filesystem::path parse_prefix(std::string_view word);

// The same as checks of an option table.
void check_not_empty(std::string_view word);
/// Words of a command, parted as a shell does, of which there is at least one.
void check_launcher(std::string_view word);
/// A size above 0.
void check_size_above_0(std::string_view word);
/// A duration above 0.
void check_duration_above_0(std::string_view word);

/// Word of --schedule: suite, adaptive, fixed:N, time:DURATION.
struct ScheduleWords {
  enum class Kind { suite, adaptive, fixed, timed } kind = Kind::suite;
  std::uint64_t operations = 0;
  Seconds time{0};
};
[[nodiscard]] ScheduleWords parse_schedule(std::string_view word);

/// Word of --off-cache of `run`: auto, or SIZE[,LINE].
struct CacheWords {
  bool machine = false;
  Bytes size{0};
  std::int64_t line_byte = 64;
};
[[nodiscard]] CacheWords parse_cache(std::string_view word);

/// Word of --retry: none, or failed, partial, skipped, all between commas.
struct RetryWords {
  bool failed = false, partial = false, skipped = false, all = false;
};
[[nodiscard]] RetryWords parse_retry(std::string_view word);

}  // namespace steelyard::cli
