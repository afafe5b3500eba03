// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/balance/balance.hpp"
#include "input/metadata.hpp"
#include "options/option_table.hpp"
#include "options/values.hpp"

/// Options of `balance`.
namespace steelyard::cli {

/// Choice among the runs of each result file.
inline constexpr Option run_option("run", Kind::text,
                                   "which run of a result file: last, first, all, or a run's id",
                                   Argument{"WHICH"}, Fallback{"last"});

[[nodiscard]] std::span<const Group> balance_groups();
/// Which published systems stand beside those that are judged.
inline constexpr Option references_beside[] = {
    {"reference", Kind::text, "hpcc, b_eff, b_eff_io, ftio, a file, or none", Argument{"KIND|FILE"},
     FallbackText{"hpcc"}, Repeat::many},
    {"select", Kind::text, "only references with this text in their name"},
    {"min-tflops", Kind::number, "only references with this HPL or more"},
};

/// Adds what options and metadata say about a system under judgement.
void complete(balance::System& system, const Values& values, const Metadata& metadata,
              const std::optional<std::string>& name);

/// Reference systems of --reference, --select and --min-tflops; files read are added to `files`.
[[nodiscard]] std::vector<balance::System> balance_references(const Values& values,
                                                              std::vector<balance::Provenance::File>& files);

}  // namespace steelyard::cli
