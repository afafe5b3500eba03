// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/rma/moves.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <functional>
#include <span>
#include <utility>

#include "measure/workload.hpp"
#include "mpi/error.hpp"

namespace steelyard::imb {
namespace {

std::span<std::byte> bytes_of(const Area& area) {
  return {area.base, static_cast<std::size_t>(area.layout.slots.bytes)};
}

// The epoch ends behind the origin's back: what it sent must have left its memory, what it
// read must be there.
int end_epoch_early(PassiveWindow& window, const CheckedSides& sides, Early early) {
  if (early == Early::nothing || !window.is_open()) return MPI_SUCCESS;
  const auto memory = bytes_of(early == Early::put ? sides.send : sides.receive);
  const std::vector<std::byte> kept(memory.begin(), memory.end());
  if (early == Early::put) std::ranges::fill(memory, ~untouched);
  int error = MPI_SUCCESS;
  measure::keep_first(error, window.close());
  measure::keep_first(error, window.open());
  std::ranges::copy(kept, memory.begin());
  return error;
}

// Whole numbers that a float holds exactly, also after so many updates as an aggregate has.
constexpr std::int64_t moduli = 1024;

std::int64_t first_value(std::uint64_t epoch, std::int64_t element) {
  return (7 + 5 * element + 11 * static_cast<std::int64_t>(epoch % moduli)) % moduli;
}
std::int64_t added_value(std::uint64_t epoch, std::int64_t element) {
  return 1 + (13 * element + 29 * static_cast<std::int64_t>(epoch % moduli)) % moduli;
}

/// Function for element `element` of slot `slot` as it must be; empty where nobody may write.
using Value = std::function<std::int64_t(std::int64_t slot, std::int64_t element)>;

// One side of a point, slot by slot, as far as the check uses it.
class Sheet {
 public:
  Sheet(const Area& area, DataType type, std::int64_t message_byte, std::uint64_t slots,
        std::string_view side)
      : area_(area),
        type_(type),
        message_byte_(message_byte),
        slots_(std::min(area.layout.slots.slots, static_cast<std::int64_t>(slots))),
        side_(side) {}

  void write(const Value& value) const {
    std::memset(area_.base - guard_byte, std::to_integer<int>(untouched), guard_byte);
    std::memset(area_.base + area_.layout.slots.bytes, std::to_integer<int>(untouched), guard_byte);
    for (std::int64_t slot = 0; slot < slots_; ++slot) {
      const auto bytes = composed(slot, value);
      std::memcpy(place(slot), bytes.data(), bytes.size());
    }
  }
  void compare(const Value& value, Findings& findings) const {
    const std::vector<std::byte> guard(guard_byte, untouched);
    compare(area_.base - guard_byte, guard, 1, findings);
    compare(area_.base + area_.layout.slots.bytes, guard, 1, findings);
    const auto element = value ? static_cast<std::size_t>(size_of(type_)) : 1;
    for (std::int64_t slot = 0; slot < slots_; ++slot)
      compare(place(slot), composed(slot, value), element, findings);
  }

 private:
  [[nodiscard]] std::byte* place(std::int64_t slot) const {
    return area_.base + slot * area_.layout.slots.offset;
  }
  [[nodiscard]] std::vector<std::byte> composed(std::int64_t slot, const Value& value) const {
    std::vector<std::byte> bytes(static_cast<std::size_t>(area_.layout.slots.offset), untouched);
    const auto step = size_of(type_);
    for (std::int64_t e = 0; value && (e + 1) * step <= message_byte_; ++e)
      put(value(slot, e), bytes.data() + e * step);
    return bytes;
  }
  void put(std::int64_t value, std::byte* at) const {
    if (type_ == DataType::integer) {
      const auto element = static_cast<int>(value);
      std::memcpy(at, &element, sizeof element);
    } else {
      const auto element = static_cast<float>(value);
      std::memcpy(at, &element, sizeof element);
    }
  }
  void compare(const std::byte* there, const std::vector<std::byte>& wanted, std::size_t step,
               Findings& findings) const {
    if (std::memcmp(there, wanted.data(), wanted.size()) == 0) return;
    for (std::size_t i = 0; i < wanted.size(); i += step) {
      const auto length = std::min(step, wanted.size() - i);
      if (std::memcmp(there + i, wanted.data() + i, length) == 0) continue;
      const double size = length > 1 ? deviation(type_, there + i, wanted.data() + i) : 1.0;
      const auto differs = std::mismatch(there + i, there + i + length, wanted.data() + i).first - there;
      const auto at = static_cast<std::size_t>(differs);
      findings.add({side_, there + at - area_.base, there[at], wanted[at], size});
    }
  }

  const Area& area_;
  DataType type_;
  std::int64_t message_byte_, slots_;
  std::string_view side_;
};

// Epoch of the check: what it writes and expects on this rank.
struct Epoch {
  const Point& point;
  const Updates& updates;
  std::uint64_t number = 0, count = 1;  // of the epoch, and of its updates

  [[nodiscard]] bool is_target() const { return point.rank == point.processes - 1; }
  // Slots of the target that take turns: one, unless the cache is to be avoided.
  [[nodiscard]] std::int64_t places() const {
    const bool turns = point.settings.off_cache.on() && !updates.own_operand;
    return turns ? point.receive.layout.slots.slots : 1;
  }
  [[nodiscard]] std::int64_t first(std::int64_t element) const {
    return updates.own_operand ? 0 : first_value(number, element);
  }
  [[nodiscard]] std::int64_t added(std::int64_t element) const {
    return updates.own_operand ? 1 : added_value(number, element);
  }
  [[nodiscard]] Value sent() const {
    if (updates.own_operand) return {};
    return [this](std::int64_t, std::int64_t e) { return added(e); };
  }
  [[nodiscard]] Value before() const {
    if (!is_target()) return {};
    return [this](std::int64_t slot, std::int64_t e) { return slot < places() ? first(e) : 0; };
  }
  [[nodiscard]] Value after() const {
    const auto all = static_cast<std::int64_t>(count);
    if (is_target())
      return [this, all](std::int64_t slot, std::int64_t e) {
        const auto times = all / places() + (slot < all % places() ? 1 : 0);
        return slot < places() ? first(e) + times * added(e) : 0;
      };
    if (!updates.fetches) return {};
    return [this](std::int64_t i, std::int64_t e) { return first(e) + i / places() * added(e); };
  }
};

// Checks the place that every update since the window was made has changed by one.
void check_total(const Point& point, std::uint64_t started, Findings& findings) {
  constexpr std::uint64_t exact = 1 << 24;
  if (point.rank != point.processes - 1 || started > exact) return;
  const Sheet place(point.receive, point.type(), point.size.count(), 1, "receive");
  std::byte wanted[4], found[4];
  std::memcpy(found, point.receive.base, sizeof found);
  const auto total = static_cast<int>(started);
  const auto real = static_cast<float>(started);
  if (point.type() == DataType::integer)
    std::memcpy(wanted, &total, sizeof wanted);
  else
    std::memcpy(wanted, &real, sizeof wanted);
  if (std::memcmp(wanted, found, sizeof wanted) == 0) return;
  findings.add({"counted", 0, found[0], wanted[0], deviation(point.type(), found, wanted)});
}

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

// An epoch that cannot be opened is told by the first transfer: a rank that threw here would wait for the
// others to free the window with it.
PassiveWindow::PassiveWindow(const Point& point, const Area& exposed, int unit, WindowAccess access)
    : access_(std::move(access)), rank_(point.rank) {
  const auto info = window_hints(point.settings);
  mpi::check(
      MPI_Win_create(exposed.base, exposed.layout.slots.bytes, unit, info.get(), point.comm(), window_.put()),
      "MPI_Win_create");
  mpi::return_errors(window_.get());
  error_ = open();
}

int PassiveWindow::open() noexcept {
  if (access_.lock == WindowAccess::Lock::none || open_) return MPI_SUCCESS;
  int error = MPI_SUCCESS;
  if (access_.lock == WindowAccess::Lock::all)
    measure::keep_first(error, MPI_Win_lock_all(0, get()), "MPI_Win_lock_all");
  for (const int target : access_.targets)
    measure::keep_first(error, MPI_Win_lock(MPI_LOCK_SHARED, target, 0, get()), "MPI_Win_lock");
  open_ = error == MPI_SUCCESS;
  return error;
}

int PassiveWindow::close() noexcept {
  if (!open_ || get() == MPI_WIN_NULL || !mpi::active()) return MPI_SUCCESS;
  open_ = false;
  int error = MPI_SUCCESS;
  if (access_.lock == WindowAccess::Lock::all)
    measure::keep_first(error, MPI_Win_unlock_all(get()), "MPI_Win_unlock_all");
  for (const int target : access_.targets)
    measure::keep_first(error, MPI_Win_unlock(target, get()), "MPI_Win_unlock");
  return error;
}

int PassiveWindow::flush() noexcept {
  if (access_.lock == WindowAccess::Lock::all)
    return mpi::noted(MPI_Win_flush_all(get()), "MPI_Win_flush_all");
  int error = MPI_SUCCESS;
  for (const int target : access_.targets)
    measure::keep_first(error, MPI_Win_flush(target, get()), "MPI_Win_flush");
  return error;
}

int PassiveWindow::flush_local() noexcept {
  if (access_.lock == WindowAccess::Lock::all)
    return mpi::noted(MPI_Win_flush_local_all(get()), "MPI_Win_flush_local_all");
  int error = MPI_SUCCESS;
  for (const int target : access_.targets)
    measure::keep_first(error, MPI_Win_flush_local(target, get()), "MPI_Win_flush_local");
  return error;
}

// A shared lock lets the others keep theirs.
int PassiveWindow::synchronise() noexcept {
  if (open_) return mpi::noted(MPI_Win_sync(get()), "MPI_Win_sync");
  int error = MPI_SUCCESS;
  measure::keep_first(error, MPI_Win_lock(MPI_LOCK_SHARED, rank_, 0, get()), "MPI_Win_lock");
  measure::keep_first(error, MPI_Win_unlock(rank_, get()), "MPI_Win_unlock");
  return error;
}

measure::CheckResult check_transfers(const Point& point, PassiveWindow& window, PassiveSubject& subject,
                                     Early early, std::uint64_t repetitions) {
  const auto epoch = checked_epoch(point, repetitions);
  // The barriers let nobody write before everybody has prepared its memory, and nobody look
  // before all is there.
  const auto run = [&](std::uint64_t i) {
    int error = MPI_SUCCESS;
    measure::keep_first(error, window.synchronise());
    measure::keep_first(error, MPI_Barrier(point.comm()), "MPI_Barrier");
    subject.begin(epoch.transfers > 1 ? 0 : i);
    for (std::uint64_t t = 0; t < epoch.transfers; ++t) measure::keep_first(error, subject.start());
    measure::keep_first(error, subject.complete());
    measure::keep_first(error, end_epoch_early(window, epoch.sides, early));
    measure::keep_first(error, MPI_Barrier(point.comm()), "MPI_Barrier");
    measure::keep_first(error, window.synchronise());
    return error;
  };
  const auto arrived = [&](std::uint64_t) {
    return subject.arrival(static_cast<std::int64_t>(epoch.transfers) * point.size.count());
  };
  SubjectOf epochs(run, arrived);
  return Checker(epoch.sides, point.rank, point.processes)
      .check(std::max<std::uint64_t>(repetitions / epoch.transfers, 1), epochs);
}

measure::CheckResult check_updates(const Point& point, PassiveWindow& window, PassiveSubject& subject,
                                   const Updates& updates, std::uint64_t started, std::uint64_t repetitions) {
  measure::CheckResult result;
  const bool together = point.mode == Mode::aggregate;
  const auto results = static_cast<std::uint64_t>(point.receive.layout.slots.slots);
  const auto most = updates.fetches ? std::min(repetitions, results) : repetitions;
  const auto count = together ? most : 1;
  mpi::check(window.synchronise(), "checked operation");
  if (updates.own_operand) {
    Findings findings(point.rank, started, result);
    check_total(point, started, findings);
  }
  const Surroundings around_send(point.send), around_receive(point.receive);
  const Sheet send(point.send, point.type(), point.size.count(), count, "send");
  const Sheet receive(point.receive, point.type(), point.size.count(), count, "receive");
  for (std::uint64_t i = 0; i < repetitions / count; ++i) {
    const Epoch epoch{point, updates, i, count};
    send.write(epoch.sent());
    receive.write(epoch.before());
    int error = MPI_SUCCESS;
    measure::keep_first(error, window.synchronise());
    measure::keep_first(error, MPI_Barrier(point.comm()), "MPI_Barrier");
    subject.begin(0);
    for (std::uint64_t t = 0; t < count; ++t) measure::keep_first(error, subject.start());
    measure::keep_first(error, subject.complete());
    measure::keep_first(error, MPI_Barrier(point.comm()), "MPI_Barrier");
    measure::keep_first(error, window.synchronise());
    mpi::check(error, "checked operation");
    Findings findings(point.rank, i, result);
    send.compare(epoch.sent(), findings);
    receive.compare(epoch.after(), findings);
  }
  fill_send(point.send, point.rank);
  fill_receive(point.receive);
  mpi::check(window.synchronise(), "checked operation");
  return result;
}

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
