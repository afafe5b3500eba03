// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
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

/// Collective that is started and waited for: its workloads alone, and with a computation beside it.
struct StartedCollective {
  std::string_view name;
  OpenWorkload alone, overlapped;
};
/// Functions of all rows of a catalogue of such collectives, in its order; the name of a collective is that of
/// its rows up to `end`. A row without a collective does not compile.
template <const auto& rows, const auto& collectives>
[[nodiscard]] consteval auto functions_of_collectives(std::string_view end) {
  std::array<OpenWorkload, std::size(rows)> functions{};
  std::ranges::transform(rows, functions.begin(), [end](const Definition& row) {
    const auto name = row.name.substr(0, row.name.find(end));
    const StartedCollective& found = *std::ranges::find(collectives, name, &StartedCollective::name);
    return row.with_computation ? found.overlapped : found.alone;
  });
  return functions;
}

/// Function for a benchmark by the name of its suite and its own; nullptr if there is none.
[[nodiscard]] OpenWorkload workload_of(std::string_view suite, std::string_view benchmark);

/// Functions of all rows of IMB-NBC, in their order.
[[nodiscard]] std::span<const OpenWorkload> nonblocking_functions();

/// Functions of all rows of IMB-MPI4, in their order; empty if the MPI library was built without
/// persistent collectives.
[[nodiscard]] std::span<const OpenWorkload> persistent_functions();

/// Beginning of the names of the library's persistent collectives: "MPI_", "MPIX_"; empty if it has none.
[[nodiscard]] std::string persistent_form();

/// Reason why they cannot be measured; empty if they can. Once MPI runs, a request of 8 byte is made, started
/// and freed by this process alone: a library may have functions that refuse.
[[nodiscard]] std::string persistent_obstacle();

}  // namespace steelyard::imb
