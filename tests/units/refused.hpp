// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "units/text.hpp"

namespace steelyard::units {

/// The text with which a parser refuses, or "accepted".
template <class Parse>
std::string refused(Parse parse) {
  try {
    static_cast<void>(parse());
  } catch (const ParseError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace steelyard::units
