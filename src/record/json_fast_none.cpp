// SPDX-License-Identifier: Apache-2.0
#include "record/json_events.hpp"

namespace steelyard::record::detail {

bool read_json_fast(std::string_view /*text*/, JsonEvents& /*events*/) {
  return false;
}

}  // namespace steelyard::record::detail
