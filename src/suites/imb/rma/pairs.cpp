// SPDX-License-Identifier: Apache-2.0
// One process works on another one, or both on each other.
#include "suites/imb/rma/moves.hpp"

namespace steelyard::imb {
namespace {

using enum Direction;

template <Direction direction, Waits waits = Waits::at_target>
std::unique_ptr<measure::Workload> pair_move(const Point& point) {
  return completed<PassiveSide<PairMove<direction>, waits>>(point);
}

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"rma/Unidir_put">, const Point& point) {
  return pair_move<put>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/Bidir_put">, const Point& point) {
  return pair_move<put>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/Unidir_get">, const Point& point) {
  return pair_move<get>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/Bidir_get">, const Point& point) {
  return pair_move<get>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/Put_local">, const Point& point) {
  return pair_move<put, Waits::at_origin>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/Get_local">, const Point& point) {
  return pair_move<get, Waits::at_origin>(point);
}

}  // namespace steelyard::imb
