// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "record/file.hpp"

namespace steelyard::formats {

struct NamedText {
  std::string name;  // of a file, without folder
  std::string text;
};

/// Data and script for gnuplot of every benchmark that has points over message lengths: median and interval
/// of the primary metric, one curve per process number and further parameters. `gnuplot NAME.gp` writes
/// NAME.svg. Empty if there is none.
[[nodiscard]] std::vector<NamedText> gnuplot_files(const record::Run& run);

}  // namespace steelyard::formats
