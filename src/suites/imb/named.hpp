// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "suites/imb/point.hpp"

namespace steelyard::imb {

/// Name of a benchmark as an argument of a template.
struct Name {
  constexpr Name(const char* name) : Name(std::string_view(name)) {}
  constexpr explicit Name(std::string_view name) { std::ranges::copy(name, text); }
  /// Name of a benchmark that a benchmark of another part has as well: "rma/Accumulate".
  constexpr Name(std::string_view part, std::string_view name) {
    auto end = std::ranges::copy(part, text).out;
    if (!part.empty()) *end++ = '/';
    std::ranges::copy(name, end);
  }
  char text[32]{};
};

/// Function that a benchmark's file defines, and that the row of its catalogue calls:
///
///     std::unique_ptr<measure::Workload> open(Named<"Bcast">, const Point& point) { ... }
///
/// makes the workload; the same call on all ranks of the group; throws mpi::Error. Without it the
/// row does not link.
template <Name name>
struct Named {
  friend std::unique_ptr<measure::Workload> open(Named, const Point& point);
};

/// Function that makes the workload of one benchmark.
using OpenWorkload = std::unique_ptr<measure::Workload> (*)(const Point& point);

/// Functions of all rows of a catalogue, in its order; `part` stands before their names.
template <const auto& rows, Name part = Name(std::string_view{})>
[[nodiscard]] constexpr auto open_functions() {
  return []<std::size_t... row>(std::index_sequence<row...>) {
    return std::array<OpenWorkload, sizeof...(row)>{
        [](const Point& point) { return open(Named<Name(part.text, rows[row].name)>{}, point); }...};
  }
  (std::make_index_sequence<std::size(rows)>());
}

/// Function for a benchmark by the name of its suite and its own; nullptr if there is none.
[[nodiscard]] OpenWorkload workload_of(std::string_view suite, std::string_view benchmark);

}  // namespace steelyard::imb
