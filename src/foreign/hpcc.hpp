// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "record/value.hpp"

namespace steelyard::foreign {

/// Thrown for a text that is not as it should be. what() begins with the number of the line, or is about the whole.
class TextError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Content of a hpccoutf.txt of any HPC Challenge 1.x: its last complete Summary, in the order of the file.
/// Values are whole numbers, numbers or texts as they are written; unknown keys are kept.
struct HpccOutput {
  std::string host;  // of the head; empty: not told
  std::string date;  // of the head, as printed
  record::Members summary;
};

/// Reads such a text; lines may end with CR LF. Throws TextError if no Summary is complete, and for a line of
/// the Summary that is not key=value.
[[nodiscard]] HpccOutput read_hpcc_output(std::string_view text);

}  // namespace steelyard::foreign
