// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/rma/moves.hpp"

#include <climits>
#include <cstring>
#include <vector>

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

// Base of the updates with which the first process changes memory of the last one, again and again in one place: MPI
// orders such updates. The place moves only where the cache is to be avoided.
class Update {
 public:
  explicit Update(const Point& point)
      : own_(point.send.cursor()),
        results_(point.receive.cursor()),
        places_(point.receive.cursor()),
        base_(point.receive.base),
        unit_(unit(point)),
        moves_(point.settings.off_cache.on() ? 1 : 0),
        target_(point.processes - 1),
        works_(point.rank == 0) {}
  [[nodiscard]] static const Area& exposed(const Point& point) { return point.receive; }
  [[nodiscard]] static int unit(const Point& point) { return static_cast<int>(size_of(point.type())); }
  [[nodiscard]] WindowAccess access() const {
    return works_ ? WindowAccess{WindowAccess::Lock::each, {target_}} : WindowAccess{};
  }
  void seek(std::uint64_t i) noexcept {
    own_.seek(i);
    results_.seek(i);
    places_.seek(i);
  }
  void restart() noexcept {}

 protected:
  [[nodiscard]] MPI_Aint next_place() noexcept { return moves_ * (places_.next() - base_) / unit_; }

  measure::SlotCursor own_, results_, places_;
  std::byte* base_;
  int unit_, moves_, target_;
  bool works_;
};

class Accumulation : public Update {
 public:
  explicit Accumulation(const Point& point) : Update(point), message_(point.message()) {}
  int operator()(MPI_Win window) noexcept {
    return mpi::noted(MPI_Accumulate(own_.next(), message_.count(), message_.type(), target_, next_place(),
                                     message_.count(), message_.type(), MPI_SUM, window),
                      "MPI_Accumulate");
  }
  [[nodiscard]] Updates updates() const { return {}; }

 private:
  Message message_;
};

class FetchingAccumulation : public Update {
 public:
  explicit FetchingAccumulation(const Point& point) : Update(point), message_(point.message()) {}
  int operator()(MPI_Win window) noexcept {
    return mpi::noted(MPI_Get_accumulate(own_.next(), message_.count(), message_.type(), results_.next(),
                                         message_.count(), message_.type(), target_, next_place(),
                                         message_.count(), message_.type(), MPI_SUM, window),
                      "MPI_Get_accumulate");
  }
  [[nodiscard]] Updates updates() const { return {.fetches = true}; }

 private:
  Message message_;
};

// Counts in one element of the target, which is zero before anybody reaches it.
class Counting : public Update {
 public:
  explicit Counting(const Point& point) : Update(point) {
    std::memset(point.receive.base, 0, static_cast<std::size_t>(unit_));
  }
  [[nodiscard]] Updates updates() const { return {.fetches = true, .own_operand = true}; }
};

class FetchAndAdd : public Counting {
 public:
  using Counting::Counting;
  int operator()(MPI_Win window) noexcept {
    return mpi::noted(MPI_Fetch_and_op(&one_, results_.next(), MPI_FLOAT, target_, 0, MPI_SUM, window),
                      "MPI_Fetch_and_op");
  }

 private:
  float one_ = 1;
};

// Swap number i finds i and leaves i + 1. The numbers of swaps that are under way stay where they are.
class Swap : public Counting {
 public:
  explicit Swap(const Point& point)
      : Counting(point), numbers_(static_cast<std::size_t>(point.receive.layout.slots.slots) + 2) {}
  int operator()(MPI_Win window) noexcept {
    const std::size_t expected = at_;
    at_ = at_ + 1 == numbers_.size() ? 0 : at_ + 1;
    numbers_[at_] = numbers_[expected] == INT_MAX ? 0 : numbers_[expected] + 1;
    return mpi::noted(MPI_Compare_and_swap(&numbers_[at_], &numbers_[expected], results_.next(), MPI_INT,
                                           target_, 0, window),
                      "MPI_Compare_and_swap");
  }
  void restart() noexcept { numbers_[at_] = 0; }

 private:
  std::vector<int> numbers_;
  std::size_t at_ = 0;
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

std::unique_ptr<measure::Workload> open(Named<"rma/Accumulate">, const Point& point) {
  return completed<PassiveSide<Accumulation>>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/Get_accumulate">, const Point& point) {
  return completed<PassiveSide<FetchingAccumulation>>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/Fetch_and_op">, const Point& point) {
  return completed<PassiveSide<FetchAndAdd>>(point);
}
std::unique_ptr<measure::Workload> open(Named<"rma/Compare_and_swap">, const Point& point) {
  return completed<PassiveSide<Swap>>(point);
}

}  // namespace steelyard::imb
