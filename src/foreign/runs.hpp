// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "foreign/foreign.hpp"

/// Pieces become runs. Of this room alone.
namespace steelyard::foreign {

/// In the order of the text; a key that repeats begins another run. Pieces whose number of processes nobody tells are
/// added to `refused`. Throws Contradiction.
[[nodiscard]] std::vector<record::Run> runs_of(Pieces pieces, const Source& source, const Told& told,
                                               std::vector<RefusedBlock>& refused);

}  // namespace steelyard::foreign
