// SPDX-License-Identifier: Apache-2.0
#include "record/json_events.hpp"

namespace steelyard::record::detail {

struct FastJson::Parser {};

FastJson::FastJson() = default;
FastJson::~FastJson() = default;

bool FastJson::read(std::string_view /*text*/, JsonEvents& /*events*/) {
  return false;
}

}  // namespace steelyard::record::detail
