// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "suites/imb/definition.hpp"

/// IMB-RMA, one row per benchmark; its operation is in a file beside this one. Source: the public releases of
/// IMB, whose manual names them "RMA benchmarks"; docs/suites/imb-rma.md says where they are not followed.
namespace steelyard::imb {

namespace rma_rows {

inline constexpr std::string_view source = "later releases, IMB-RMA";

/// Row for one process that works on another, in both modes.
[[nodiscard]] constexpr Definition pair(std::string_view name) {
  return {.name = name,
          .kind = Class::single_transfer,
          .one_sided = true,
          .passive = true,
          .modes = Modes::both,
          .messages = 1,
          .source = source};
}
[[nodiscard]] constexpr Definition both_ways(std::string_view name) {
  auto row = pair(name);
  row.mutual = true;
  return row;
}
[[nodiscard]] constexpr Definition outside_default(Definition row) {
  row.in_seed = row.in_2021 = false;
  return row;
}
/// Row for updates of one place of the target, which MPI orders.
[[nodiscard]] constexpr Definition update(std::string_view name, Together together) {
  auto row = pair(name);
  row.together = together;
  row.reduction = true;
  row.step = 4;
  return row;
}
[[nodiscard]] constexpr Definition element(std::string_view name) {
  auto row = pair(name);
  row.kind = Class::single_element;
  row.together = Together::results;
  return row;
}
/// Row for the first process that works on all others. What is read comes from each into a
/// section of its own.
[[nodiscard]] constexpr Definition from_one(std::string_view name, Side receive) {
  return {.name = name,
          .kind = Class::multiple_passive,
          .one_sided = true,
          .passive = true,
          .together = Together::one_place,
          .completed_at_end = true,
          .fewest = 2,
          .receive = receive,
          .messages = 1,
          .source = source};
}
/// Row for each process that works on all others, which have a section for each.
[[nodiscard]] constexpr Definition from_all(std::string_view name) {
  return {.name = name,
          .one_sided = true,
          .passive = true,
          .mutual = true,
          .together = Together::one_place,
          .completed_at_end = true,
          .fewest = 2,
          .receive = Side::per_rank,
          .source = source};
}
/// Row for each process that works on both neighbours in a ring.
[[nodiscard]] constexpr Definition with_neighbours(std::string_view name) {
  return {.name = name,
          .one_sided = true,
          .passive = true,
          .mutual = true,
          .send = Side::two,
          .receive = Side::two,
          .source = source};
}
[[nodiscard]] constexpr Definition fetch_and_op() {
  auto row = element("Fetch_and_op");
  row.reduction = true;
  // It counts in a float, which holds every number up to 2^24.
  row.most_repetitions = 1'000'000;
  return row;
}
[[nodiscard]] constexpr Definition compare_and_swap() {
  auto row = element("Compare_and_swap");
  row.integers = true;
  row.remarks = "The element is an MPI_INT";
  return row;
}
[[nodiscard]] constexpr Definition truly_passive_put() {
  auto row = pair("Truly_passive_put");
  row.modes = Modes::none;
  row.messages = 0;
  row.table = Table::h;
  row.remarks =
      "Time of a put in two cases, with a barrier behind each put:\n"
      "t_pure: the target waits in MPI_Barrier\n"
      "t_ovrl: the target computes before it enters MPI_Barrier";
  return row;
}

}  // namespace rma_rows

/// Benchmarks in the order in which they are registered.
inline constexpr auto rma_benchmarks = std::to_array<Definition>({
    rma_rows::pair("Unidir_put"),
    rma_rows::both_ways("Bidir_put"),
    rma_rows::pair("Unidir_get"),
    rma_rows::both_ways("Bidir_get"),
    rma_rows::pair("Put_local"),
    rma_rows::outside_default(rma_rows::pair("Get_local")),
    rma_rows::from_one("Put_all_local", Side::one),
    rma_rows::outside_default(rma_rows::from_one("Get_all_local", Side::per_rank)),
    rma_rows::from_one("One_put_all", Side::one),
    rma_rows::from_all("All_put_all"),
    rma_rows::from_one("One_get_all", Side::per_rank),
    rma_rows::from_all("All_get_all"),
    rma_rows::with_neighbours("Exchange_put"),
    rma_rows::with_neighbours("Exchange_get"),
    rma_rows::update("Accumulate", Together::one_place),
    rma_rows::update("Get_accumulate", Together::results),
    rma_rows::fetch_and_op(),
    rma_rows::compare_and_swap(),
    rma_rows::truly_passive_put(),
});

}  // namespace steelyard::imb
