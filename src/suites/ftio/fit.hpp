// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/ftio/settings.hpp"

namespace steelyard::ftio {

/// `best` with the largest input parameter whose runs are expected to take at most `seconds` and whose matrix
/// is at most 1 GiB; its own parameters where that is none. Fewer runs where even those take longer.
[[nodiscard]] Settings fitted(const Settings& best, double seconds, int world);

}  // namespace steelyard::ftio
