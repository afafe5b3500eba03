// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace steelyard::screening {

/// Names that differ in their last number as one word, in the form of Slurm: "lion[017,912-915],puma3". Each
/// name once, in the order of the numbers.
[[nodiscard]] std::string hostlist(std::vector<std::string> names);

}  // namespace steelyard::screening
