// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace steelyard::screening {

/// Names that differ in the number at their end as one word, in the form of Slurm: "lion[017,912-915],puma3". Each name
/// once, in the order of the numbers; names with a domain or with other characters behind the number one by one, since
/// Slurm refuses "lion[1-2].site".
[[nodiscard]] std::string hostlist(std::vector<std::string> names);

/// Names that Slurm is likely to have for so many hosts, in their order: without domains, unless two would be alike.
[[nodiscard]] std::vector<std::string> node_names(const std::vector<std::string>& hosts);

}  // namespace steelyard::screening
