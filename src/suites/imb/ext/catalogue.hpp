// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/imb/definition.hpp"

namespace steelyard::imb {

/// Row of a transfer between two processes. All sizes are multiples of a float (IMB 3.1 User's Guide, 4.2.3 and 6.4).
[[nodiscard]] constexpr Definition one_sided_transfer(std::string_view name, std::string_view source) {
  return {.name = name,
          .kind = Class::single_transfer,
          .one_sided = true,
          .step = 4,
          .modes = Modes::both,
          .messages = 1,
          .source = source};
}

/// IMB-EXT, one row per benchmark; its operation is in a file beside this one.
inline constexpr Definition ext_benchmarks[] = {
    {.name = "Window",
     .classification = "other",
     .one_sided = true,
     .step = 4,
     .bound = Bound::non_aggregate,
     .shows_defects = false,
     .source = "IMB 3.1 User's Guide, 4.2.3.6"},
    one_sided_transfer("Unidir_Get", "IMB 3.1 User's Guide, 4.2.3.2"),
    one_sided_transfer("Unidir_Put", "IMB 3.1 User's Guide, 4.2.3.1"),
    one_sided_transfer("Bidir_Get", "IMB 3.1 User's Guide, 4.2.3.4"),
    one_sided_transfer("Bidir_Put", "IMB 3.1 User's Guide, 4.2.3.3"),
    {.name = "Accumulate",
     .reduction = true,
     .one_sided = true,
     .step = 4,
     .modes = Modes::both,
     .source = "IMB 3.1 User's Guide, 4.2.3.5"},
};

}  // namespace steelyard::imb
