// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/beffio/settings.hpp"

namespace steelyard::beffio {

/// `best` with the longest scheduled time, at most its own, whose patterns are expected to take at most
/// `seconds` each once at least. Where the time does not suffice for that: as hurried().
[[nodiscard]] Settings fitted(const Settings& best, double seconds, int processes);

}  // namespace steelyard::beffio
