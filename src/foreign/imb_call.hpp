// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "suites/imb/settings.hpp"

/// The calling sequence in a text of IMB. Internal to this folder.
namespace steelyard::foreign {

/// Settings that the words of a calling sequence give.
struct ImbCall {
  imb::Settings settings;
  std::vector<std::string>
      unknown;  // parameters that a word may have changed in a way that cannot be read, sorted
  bool seen = false, allocation_said = false;
};

/// Reads the words of a calling sequence, program first, beside the defaults of its part and release. Words of
/// IMB and of our own front-ends are known; one that is not makes every parameter unknown that such a word may stand for.
[[nodiscard]] ImbCall imb_call(const std::vector<std::string_view>& words, imb::Settings defaults);

}  // namespace steelyard::foreign
