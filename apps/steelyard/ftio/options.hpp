// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "measuring/measured_suite.hpp"
#include "options/option_table.hpp"
#include "options/values.hpp"
#include "suites/ftio/settings.hpp"

/// The command line of the front-end ftio: its option table, and what its words mean.
/// Source: docs/suites/ftio.md, "Command line".
namespace steelyard::cli {

/// Groups of ftio.
[[nodiscard]] std::span<const Group> ftio_options();

/// Settings that the words ask for. Throws UsageError for words that exclude each other, and for a parameter
/// that is not valid with this number of processes; it names the nearest valid ones.
[[nodiscard]] ftio::Settings ftio_settings(const Values& values, const Place& place);

extern const MeasuredSuite measured_ftio;
extern const Command ftio_command;

}  // namespace steelyard::cli
