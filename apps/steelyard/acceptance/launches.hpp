// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/acceptance/figures.hpp"
#include "options/values.hpp"

/// Results as lists of launches.
namespace steelyard::cli {

/// Launches of inputs that are joined by commas. `which`: last (with the launches of its series), first, all, or the id
/// of a run. `values`: what the user says of texts of other programs. Throws record::ReadError.
[[nodiscard]] std::vector<acceptance::Launch> read_launches(const std::string& list, const std::string& which,
                                                            const Values& values);

/// Identity of a run, equal for the same measurement in two files: of a text its digest and the place
/// in it; of ours the run's id.
[[nodiscard]] std::string identity_of(const record::Run& run);

/// Throws UsageError if a measurement is there twice: that is one launch, and would count as two.
void refuse_repeated(const std::vector<acceptance::Launch>& launches);

/// Names of files and folders that are joined by commas. What is there with its commas is one name: the list as a whole,
/// else at each place the shortest.
[[nodiscard]] std::vector<std::string> comma_parts(const std::string& list);

}  // namespace steelyard::cli
