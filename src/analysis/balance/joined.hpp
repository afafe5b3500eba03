// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/balance/system.hpp"

/// Which results belong to one machine. Nothing is joined because two hosts bear one name.
namespace steelyard::balance {

/// Condition on which results are of one machine: that they are of one campaign, or that the user says so.
enum class Joined { by_campaign, all };

/// Joins results of one machine in one layout into one system: the median of each quantity, of b_eff_io the
/// largest value of a run (b_eff paper, 5.1). Joined::all: all of them are one machine under the name of the
/// first, and several sizes of it are one curve.
[[nodiscard]] std::vector<System> joined_runs(std::vector<System> systems, Joined how);

/// Makes names of different machines different: by the directory, else by the path, the start or a number.
/// The names of curves follow.
void make_names_unique(std::vector<System>& systems);

/// Gives a system another name, also in its curve.
void rename(System& system, const std::string& name);

}  // namespace steelyard::balance
