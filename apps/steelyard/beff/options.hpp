// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "suites/beff/settings.hpp"
#include "words/option_table.hpp"
#include "words/values.hpp"

/// The command line of the front-end b-eff: its option table, and what its words mean.
/// Source: docs/suites/b-eff.md, "Command line"; 002_2ef011306d85293d.txt.
namespace steelyard::cli {

struct Place;
struct Prepared;

/// Groups of b-eff.
[[nodiscard]] std::span<const Group> beff_options();

/// Settings that the words ask for. `found_mebibyte` is the memory per process of this place, used without
/// -mem.
[[nodiscard]] beff::Settings beff_settings(const Values& values, std::int64_t found_mebibyte);

/// What b-eff plans. Throws UsageError, Refused where b_eff cannot be measured at all.
[[nodiscard]] Prepared prepare_beff(const Invocation& invocation, const Place& place);

/// Prefix of the six files: -f or the bare word. Throws UsageError if both are given or it names no file.
[[nodiscard]] std::filesystem::path beff_prefix(const Values& values);

// Grammars. Both throw units::ParseError.

/// "MIN:MAX" with 0 < MIN < MAX; brackets around it are allowed.
[[nodiscard]] std::pair<double, double> parse_y_range(std::string_view word);
/// What may stand in front of ".prot": anything that does not end like a directory.
[[nodiscard]] std::filesystem::path parse_prefix(std::string_view word);

// As checks of an option table.
void check_y_range(std::string_view word);
void check_prefix(std::string_view word);
/// A length above 4096 byte and at most 128 Mi.
void check_longest(std::string_view word);
/// A duration above 0.
void check_duration_above_0(std::string_view word);

}  // namespace steelyard::cli
