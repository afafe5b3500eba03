// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/rma/moves.hpp"

namespace steelyard::imb {
namespace {

using enum Direction;

// Each process of a ring works on both neighbours. To the left go the first X bytes, and to their beginning, to the
// right the second X bytes; from the right come the first, from the left the second. With two processes both
// neighbours are one, with one process it is itself.
template <Direction direction>
class NeighbourMove : public Moves<direction> {
 public:
  explicit NeighbourMove(const Point& point)
      : Moves<direction>(point),
        size_(point.size.count()),
        left_((point.rank + point.processes - 1) % point.processes),
        right_((point.rank + 1) % point.processes) {}

  [[nodiscard]] Access access() const {
    if (left_ == right_) return {Access::Lock::each, {left_}};
    return {Access::Lock::each, {left_, right_}};
  }

  int operator()(MPI_Win window) noexcept {
    std::byte* const own = this->sections_.next_own();
    const MPI_Aint at = this->sections_.next_displacement();
    const int first = direction == put ? left_ : right_;
    const int second = direction == put ? right_ : left_;
    int error = MPI_SUCCESS;
    measure::keep_first(error, move<direction>(own, this->message_, first, at, window));
    measure::keep_first(error, move<direction>(own + size_, this->message_, second, at + size_, window));
    return error;
  }

  [[nodiscard]] Arrival arrival(std::int64_t) const {
    return {.segments = {{.at = 0, .bytes = size_, .source = right_, .from = 0},
                         {.at = size_, .bytes = size_, .source = left_, .from = size_}},
            .sum = {},
            .aside = {}};
  }

 private:
  std::int64_t size_;
  int left_, right_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"rma/Exchange_put">, const Point& point) {
  return loop_over<CompletedEach<PassiveSide<NeighbourMove<put>>>>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/Exchange_get">, const Point& point) {
  return loop_over<CompletedEach<PassiveSide<NeighbourMove<get>>>>(point);
}

}  // namespace steelyard::imb
