// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "measuring/measured_suite.hpp"
#include "options/option_table.hpp"
#include "options/values.hpp"
#include "suites/beffio/settings.hpp"

/// The command line of the front-end b-eff-io: its option table, and what its words mean.
/// Source: docs/suites/b-eff-io.md, "Command line".
namespace steelyard::cli {

/// Groups of b-eff-io.
[[nodiscard]] std::span<const Group> beffio_options();

/// Settings that the words ask for. Throws UsageError for words that exclude each other, for partitions that
/// this number of processes does not have, and for a hint file that cannot be read or understood.
[[nodiscard]] beffio::Settings beffio_settings(const Values& values, const Place& place);

/// Plan of b-eff-io. Throws UsageError, Refused if the memory per process is not known.
[[nodiscard]] Prepared prepare_beffio(const Invocation& invocation, const Place& place);

/// "4,8,16": numbers of processes, each once. Throws units::ParseError.
[[nodiscard]] std::vector<int> parse_partitions(std::string_view word);

extern const MeasuredSuite measured_beffio;
extern const Command b_eff_io_command;

}  // namespace steelyard::cli
