// SPDX-License-Identifier: Apache-2.0
// The first process changes memory of the last one, again and again in one place: MPI orders such updates.
#include <climits>
#include <cstring>
#include <vector>

#include "suites/imb/rma/moves.hpp"

namespace steelyard::imb {
namespace {

// Base of all updates. The place moves only where the cache is to be avoided.
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
