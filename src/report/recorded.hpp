// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "record/document.hpp"

/// Free-form members of records as words. Of this room alone.
namespace steelyard::report {

/// A value in words, lists with blanks between; at most 300 bytes and dots. Empty for null.
[[nodiscard]] std::string text_of(const record::Json& json);

/// The member at a JSON pointer ("/build/flags"); empty where there is none.
[[nodiscard]] std::string at(const record::Document& document, const char* pointer);

}  // namespace steelyard::report
