// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

/// Reads b_eff's text files by their markers and data rows alone.
namespace steelyard::formats {

[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// Names of sections in the order of the text. Throws std::runtime_error if a marker does not stand alone, is
/// not closed, or sections overlap.
[[nodiscard]] std::vector<std::string> section_names(const std::string& text);

/// Lines between the markers.
[[nodiscard]] std::vector<std::string> section(const std::string& text, const std::string& name);

/// Lines that match a regular expression (ECMAScript) as a whole.
[[nodiscard]] std::vector<std::string> matching(const std::vector<std::string>& lines,
                                                const std::string& expression);

/// The number before "MByte/s" at the end of a line.
[[nodiscard]] double last_number(const std::string& line);

[[nodiscard]] std::string last_line_of(const std::string& text);

/// A number of exactly this width, or wider without a blank, or seven dashes (fewer where the width is less),
/// as a regular expression.
[[nodiscard]] std::string fixed(int width, int decimals);

}  // namespace steelyard::formats
