// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "record/json_events.hpp"

/// Of this room alone.
namespace steelyard::record::detail {

/// read_json by a faster library, if the build has one. False for a text that it does not read and without one: read_json
/// then reads the text or says what is wrong with it. Events that were told before false mean nothing.
[[nodiscard]] bool read_json_fast(std::string_view text, JsonEvents& events);

}  // namespace steelyard::record::detail
