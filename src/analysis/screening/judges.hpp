// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/screening/screening.hpp"

/// The two judges, of nodes and of links. Findings and an overview are added to what was found before.
namespace steelyard::screening {

/// Nodes of one test, beside those of the same processors and as many processes.
void judge_nodes(const NodeTest& test, const Options& options, const Measured& measured, Screening& out);
/// Links of one test, and their ends.
void judge_links(const LinkTest& test, const Options& options, const Measured& measured, Screening& out);

/// Model of the processors of a host; empty: not known.
[[nodiscard]] std::string processor_in(const std::vector<record::Document>& machines, std::size_t host);

}  // namespace steelyard::screening
