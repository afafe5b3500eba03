// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/rma/moves.hpp"

namespace steelyard::imb {
namespace {

using enum RmaOperation;

// One process works on another one, or both on each other.
template <RmaOperation direction, Waits waits = Waits::at_target>
std::unique_ptr<measure::Workload> pair_move(const Point& point) {
  return completed<PassiveSide<PairMove<direction>, waits>>(point);
}

// Each process of a ring works on both neighbours. To the left go the first X bytes, and to their beginning,
// to the right the second X bytes; from the right come the first, from the left the second. With two
// processes both neighbours are one, with one process it is itself.
template <RmaOperation direction>
class NeighbourMove : public Moves<direction> {
 public:
  explicit NeighbourMove(const Point& point)
      : Moves<direction>(point),
        size_(point.size.count()),
        left_((point.rank + point.processes - 1) % point.processes),
        right_((point.rank + 1) % point.processes) {}

  [[nodiscard]] WindowAccess access() const {
    if (left_ == right_) return {WindowAccess::Lock::each, {left_}};
    return {WindowAccess::Lock::each, {left_, right_}};
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
                         {.at = size_, .bytes = size_, .source = left_, .from = size_}}};
  }

 private:
  std::int64_t size_;
  int left_, right_;
};

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

std::unique_ptr<measure::Workload> open(Named<"rma/Exchange_put">, const Point& point) {
  return loop_over<CompletedEach<PassiveSide<NeighbourMove<put>>>>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/Exchange_get">, const Point& point) {
  return loop_over<CompletedEach<PassiveSide<NeighbourMove<get>>>>(point);
}

// The first process works on all others, or each on all others; all repetitions are complete together.

namespace {

// X bytes to or from every other rank in turn, beginning with the next one. What several ranks put to one, or
// one gets from several, lies in a section for each.
template <RmaOperation direction>
class SpreadMove : public Moves<direction> {
 public:
  explicit SpreadMove(const Point& point)
      : Moves<direction>(point),
        section_(section_byte(point)),
        rank_(point.rank),
        processes_(point.processes),
        mutual_(point.definition.mutual) {}

  [[nodiscard]] WindowAccess access() const {
    return works() ? WindowAccess{WindowAccess::Lock::all, {}} : WindowAccess{};
  }

  int operator()(MPI_Win window) noexcept {
    std::byte* const own = this->sections_.next_own();
    const MPI_Aint at = this->sections_.next_displacement();
    int error = MPI_SUCCESS;
    for (int target = next(rank_); target != rank_; target = next(target)) {
      if constexpr (direction == put)
        measure::keep_first(error, move<put>(own, this->message_, target, at + section_at_target(), window));
      else
        measure::keep_first(error, move<get>(own + target * section_, this->message_, target, at, window));
    }
    return error;
  }

  [[nodiscard]] Arrival arrival(std::int64_t bytes) const {
    Arrival arrival;
    if (direction == put && !mutual_) {
      if (rank_ != 0) arrival.segments.push_back({.at = 0, .bytes = bytes, .source = 0, .from = 0});
      return arrival;
    }
    for (int source = 0; works() && source < processes_; ++source)
      if (source != rank_)
        arrival.segments.push_back({.at = source * section_, .bytes = bytes, .source = source, .from = 0});
    return arrival;
  }

 private:
  [[nodiscard]] bool works() const { return mutual_ || rank_ == 0; }
  [[nodiscard]] int next(int rank) const noexcept { return rank + 1 == processes_ ? 0 : rank + 1; }
  [[nodiscard]] MPI_Aint section_at_target() const noexcept { return mutual_ ? rank_ * section_ : 0; }

  std::int64_t section_;
  int rank_, processes_;
  bool mutual_;
};

template <RmaOperation direction, Waits waits = Waits::at_target>
std::unique_ptr<measure::Workload> spread_move(const Point& point) {
  return together<PassiveSide<SpreadMove<direction>, waits>>(point);
}

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"rma/Put_all_local">, const Point& point) {
  return spread_move<put, Waits::at_origin>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/Get_all_local">, const Point& point) {
  return spread_move<get, Waits::at_origin>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/One_put_all">, const Point& point) {
  return spread_move<put>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/All_put_all">, const Point& point) {
  return spread_move<put>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/One_get_all">, const Point& point) {
  return spread_move<get>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/All_get_all">, const Point& point) {
  return spread_move<get>(point);
}

}  // namespace steelyard::imb
