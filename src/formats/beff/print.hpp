// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/json.hpp"
#include "record/records.hpp"

/// Words and numbers as b_eff's files print them. Internal to this folder.
namespace steelyard::formats::beff {

/// Number with fixed decimals, right-aligned; up to seven dashes of the same width for a value that was not measured.
[[nodiscard]] std::string number(std::optional<double> value, int width, int decimals);

/// Rate in units of 10^6 byte/s.
[[nodiscard]] std::optional<double> megabytes(std::optional<double> byte_s);
/// Time in units of 10^-6 s.
[[nodiscard]] std::optional<double> microseconds(std::optional<double> seconds);
/// Share of one of n.
[[nodiscard]] std::optional<double> share(std::optional<double> whole, double n);

/// One line of printable ASCII: a run of control characters becomes a blank, any other character beyond ASCII
/// a '?'.
[[nodiscard]] std::string plain(std::string_view text);

/// Text in single quotes, where only the quote itself has a meaning.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// Text member of an object, made plain; "-" if there is none.
[[nodiscard]] std::string member(const record::Json& object, const char* name);

/// Processes per node: "4", "3 to 4"; "-" if the layout does not tell.
[[nodiscard]] std::string processes_per_node(const record::RunRecord& run);

/// Result of uname(2); the node's name is that of the first host if the records have no other.
struct Uname {
  std::string sysname, nodename, release, version, machine;
};
[[nodiscard]] Uname uname(const record::Document& machine, const record::Document& layout);

}  // namespace steelyard::formats::beff
