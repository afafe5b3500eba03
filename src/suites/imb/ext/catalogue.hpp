// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/imb/definition.hpp"

namespace steelyard::imb {

/// IMB-EXT, one row per benchmark; its operation is in a file beside this one. All sizes are multiples of a
/// float (IMB 3.1 User's Guide, 4.2.3 and 6.4).
inline constexpr Definition ext_benchmarks[] = {
    {.name = "Window",
     .classification = "other",
     .one_sided = true,
     .step = 4,
     .bound = Bound::non_aggregate,
     .shows_defects = false,
     .source = "IMB 3.1 User's Guide, 4.2.3.6"},
    {.name = "Unidir_Get",
     .kind = Class::single_transfer,
     .one_sided = true,
     .step = 4,
     .modes = Modes::both,
     .messages = 1,
     .source = "IMB 3.1 User's Guide, 4.2.3.2"},
    {.name = "Unidir_Put",
     .kind = Class::single_transfer,
     .one_sided = true,
     .step = 4,
     .modes = Modes::both,
     .messages = 1,
     .source = "IMB 3.1 User's Guide, 4.2.3.1"},
    {.name = "Bidir_Get",
     .kind = Class::single_transfer,
     .one_sided = true,
     .step = 4,
     .modes = Modes::both,
     .messages = 1,
     .source = "IMB 3.1 User's Guide, 4.2.3.4"},
    {.name = "Bidir_Put",
     .kind = Class::single_transfer,
     .one_sided = true,
     .step = 4,
     .modes = Modes::both,
     .messages = 1,
     .source = "IMB 3.1 User's Guide, 4.2.3.3"},
    {.name = "Accumulate",
     .reduction = true,
     .one_sided = true,
     .step = 4,
     .modes = Modes::both,
     .source = "IMB 3.1 User's Guide, 4.2.3.5"},
};

}  // namespace steelyard::imb
