// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "analysis/screening/screening.hpp"

/// Judges of nodes and of links. They add findings and an overview to what was found before.
namespace steelyard::screening {

/// Judges the nodes of one test, among those of the same processors and as many processes.
void judge_nodes(const NodeTest& test, const Options& options, const Measured& measured, Screening& out);
/// Judges the links of one test, and their ends.
void judge_links(const LinkTest& test, const Options& options, const Measured& measured, Screening& out);

/// Properties that are the same within each of two groups of hosts and not between them: "cores 64 / 48".
[[nodiscard]] std::string difference(const std::array<std::vector<std::size_t>, 2>& groups,
                                     const std::vector<record::Document>& machines);
/// Model of the processors of a host; empty if it is not known.
[[nodiscard]] std::string processor_in(const std::vector<record::Document>& machines, std::size_t host);

}  // namespace steelyard::screening
