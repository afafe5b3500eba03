// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "measuring/measured_suite.hpp"
#include "options/option_table.hpp"
#include "options/values.hpp"
#include "suites/beff/settings.hpp"

/// The command line of the front-end b-eff: its option table, and what its words mean.
/// Source: docs/suites/b-eff.md, "Command line"; b_eff 3.6 page.
namespace steelyard::cli {

/// Groups of b-eff.
[[nodiscard]] std::span<const Group> beff_options();

/// Settings that the words ask for. `found_mebibyte` is the memory per process of this place, used without -mem.
[[nodiscard]] beff::Settings beff_settings(const Values& values, std::int64_t found_mebibyte);

/// Plan of b-eff. Throws UsageError, Refused if b_eff cannot be measured at all.
[[nodiscard]] Prepared prepare_beff(const Invocation& invocation, const Place& place);

/// Prefix of the six files: -f or the bare word. Throws UsageError if both are given or it names no file.
[[nodiscard]] std::filesystem::path beff_prefix(const Values& values);

// Grammars. All throw units::ParseError.

/// "MIN:MAX" with 0 < MIN < MAX; brackets around it are allowed.
[[nodiscard]] std::pair<double, double> parse_y_range(std::string_view word);

// As checks of an option table.
/// A length of at least beff::shortest_longest and at most 128 Mi.
void check_longest(std::string_view word);

extern const MeasuredSuite measured_beff;
extern const Command b_eff_command;

}  // namespace steelyard::cli
