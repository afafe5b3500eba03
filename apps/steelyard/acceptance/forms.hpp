// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "analysis/acceptance/judge.hpp"

/// A sheet of acceptance in every form.
namespace steelyard::cli {

/// Columns of a sheet where nothing is known of a terminal.
inline constexpr std::size_t sheet_columns = 120;

/// The sheet as text, markdown, json, html, csv, junit or prometheus. `fatal`: verdicts that make the exit code 3,
/// which JUnit calls failures.
[[nodiscard]] std::string sheet_in_form(const acceptance::Sheet& sheet, const std::string& form,
                                        const std::set<acceptance::Verdict>& fatal = {},
                                        std::size_t width = sheet_columns);

/// The criteria as they were read, and the words of `run` that measure all of them.
[[nodiscard]] std::string criteria_plan(const acceptance::Criteria& criteria,
                                        std::size_t width = sheet_columns);

}  // namespace steelyard::cli
