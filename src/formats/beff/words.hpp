// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "record/document.hpp"

/// Words and numbers as b_eff's files print them. Of this room alone.
namespace steelyard::formats::beff {

/// Fixed decimals, right-aligned; up to seven dashes of the same width for what was not measured.
[[nodiscard]] std::string number(std::optional<double> value, int width, int decimals);

/// In units of 10^6 byte/s.
[[nodiscard]] std::optional<double> megabytes(std::optional<double> byte_s);
/// In units of 10^-6 s.
[[nodiscard]] std::optional<double> microseconds(std::optional<double> seconds);
/// Share of one of n.
[[nodiscard]] std::optional<double> share(std::optional<double> whole, double n);

/// One line of printable ASCII: a run of control characters becomes a blank, any other character beyond ASCII
/// a '?'.
[[nodiscard]] std::string plain(std::string_view text);

/// A text member of an object, made plain; "-" if there is none.
[[nodiscard]] std::string member(const record::Json& object, const char* name);

/// What uname(2) tells; the node's name is that of the first host if the records have no other.
struct Uname {
  std::string sysname, nodename, release, version, machine;
};
[[nodiscard]] Uname uname(const record::Document& machine, const record::Document& layout);

}  // namespace steelyard::formats::beff
