// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

// The library asserts, in places, what a malformed text does not hold, and reports the error right after.
// Such a text is refused with its place: it must not end the process, nor may a compiler take it for
// impossible, as it may with NDEBUG. Every source that uses the library includes it from here, so that all of
// them have the same one.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)

#include <toml++/toml.h>

namespace steelyard::cli {

/// Tables of a text. Throws UsageError: "NAME:LINE:COLUMN: what is wrong".
[[nodiscard]] toml::table parse_toml(std::string_view text, const std::string& name);

/// "NAME:LINE:COLUMN"
[[nodiscard]] std::string place_in(const std::string& name, const toml::source_region& source);

/// Refuses a key that is none of the known words. Throws UsageError: its place in the text of that name, `before`, and
/// the nearest word.
void allow_words(const toml::table& table, const std::vector<std::string>& known, const std::string& name,
                 const std::string& before = {});

}  // namespace steelyard::cli
