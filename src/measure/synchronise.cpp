// SPDX-License-Identifier: Apache-2.0
#include "measure/synchronise.hpp"

#include <time.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

#include "measure/workload.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

class NoSynchroniser final : public Synchroniser {
 public:
  int synchronise() noexcept override { return MPI_SUCCESS; }
};

class BarrierSynchroniser final : public Synchroniser {
 public:
  BarrierSynchroniser(MPI_Comm comm, int times) : comm_(comm), times_(times) {}
  int synchronise() noexcept override {
    int error = MPI_SUCCESS;
    for (int i = 0; i < times_; ++i) keep_first(error, MPI_Barrier(comm_));
    return error;
  }

 private:
  MPI_Comm comm_;
  int times_;
};

// Dissemination barrier, the same algorithm under every library: ceil(log2 P) rounds of 4 byte to rank + 2^j,
// from rank - 2^j.
class DisseminationSynchroniser final : public Synchroniser {
 public:
  explicit DisseminationSynchroniser(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
  }
  int synchronise() noexcept override {
    int error = MPI_SUCCESS;
    for (int step = 1; step < size_; step *= 2)
      keep_first(error, exchange((rank_ + step) % size_, (rank_ - step + size_) % size_));
    return error;
  }

 private:
  int exchange(int to, int from) noexcept {
    constexpr int tag = 1000;
    return MPI_Sendrecv(&out_, 1, MPI_INT, to, tag, &in_, 1, MPI_INT, from, tag, comm_, MPI_STATUS_IGNORE);
  }

  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 1;
  int out_ = 0;
  int in_ = 0;
};

constexpr int barrier_tries = 5;
constexpr double window_in_broadcasts = 4;  // barrier and broadcast, then a slack of three

double once(Sync mode, Synchroniser& barrier, const mpi::Communicator& group, const Timer& timer) {
  const Ticks before = timer.now();
  mpi::check(barrier.synchronise(), "MPI_Barrier");
  if (mode == Sync::window) static_cast<void>(group.broadcast(0.0));
  return timer.seconds(timer.now() - before);
}

constexpr int broadcast_tries = 50;
constexpr int fewest_tries = 5;
constexpr auto window_patience = std::chrono::milliseconds(50);
constexpr double broadcasts_of_slack = 3;

// Rank 0 says with each broadcast whether another follows: fewer tries where the machine is slow.
double broadcast_time(const mpi::Communicator& group, const Timer& timer) {
  const auto until = std::chrono::steady_clock::now() + window_patience;
  std::vector<double> times;
  for (bool more = true; more;) {
    const int made = static_cast<int>(times.size()) + 1;
    const bool in_time = made < fewest_tries || std::chrono::steady_clock::now() < until;
    group.barrier();
    const Ticks before = timer.now();
    more = group.broadcast(static_cast<int>(made < broadcast_tries && in_time)) != 0;
    times.push_back(timer.seconds(timer.now() - before));
  }
  return group.max(stats::median(std::move(times)));
}

constexpr int fit_points = 30;
constexpr int exchanges_per_point = 10;
constexpr double fit_length_s = 0.3;
constexpr int check_exchanges = 100;
constexpr int checked_ranks = 16;

void pause_between_points() {
  const timespec nap{0, static_cast<long>(fit_length_s / fit_points * 1e9)};
  nanosleep(&nap, nullptr);
}

ClockModel learn(const mpi::Communicator& comm, int reference, Timer& timer) {
  std::vector<Exchange> best;
  for (int i = 0; i < fit_points; ++i) {
    if (i > 0) pause_between_points();
    best.push_back(ask_clock(comm, reference, timer, exchanges_per_point));
  }
  return fit_clock(best);
}

void teach(const mpi::Communicator& comm, int client, Timer& timer, const ClockModel& model) {
  for (int i = 0; i < fit_points; ++i) answer_clock(comm, client, timer, model);
}

// Leaders 0 .. 2^m - 1 in m rounds that double the synchronised set; the others learn from rank - 2^m at once.
ClockModel climb(const mpi::Communicator& leaders, Timer& timer) {
  ClockModel model;
  const int rank = leaders.rank();
  const int full = static_cast<int>(std::bit_floor(static_cast<unsigned>(leaders.size())));
  for (int distance = full / 2; distance >= 1 && rank < full; distance /= 2) {
    if (rank % (2 * distance) == 0) teach(leaders, rank + distance, timer, model);
    if (rank % (2 * distance) == distance) model = learn(leaders, rank - distance, timer);
  }
  if (rank >= full) return learn(leaders, rank - full, timer);
  if (rank + full < leaders.size()) teach(leaders, rank + full, timer, model);
  return model;
}

// Collective over a node: true if its first and last rank read one clock, judged by the shortest round trip.
bool reads_one_clock(const mpi::Communicator& node, Timer& timer) {
  const int last = node.size() - 1;
  if (last == 0) return true;
  if (node.rank() == 0) answer_clock(node, last, timer, {});
  bool same = false;
  if (node.rank() == last) {
    const Exchange best = ask_clock(node, 0, timer, check_exchanges);
    same = std::abs(best.offset_s()) <= best.round_trip_s() / 2;
  }
  return node.broadcast(static_cast<int>(same), last) != 0;
}

ClockModel model_in_groups(const mpi::Communicator& node, const mpi::Communicator& leaders, Timer& timer) {
  ClockModel model;
  if (leaders.valid()) model = climb(leaders, timer);
  return node.broadcast(model);
}

std::vector<int> ranks_to_check(int size) {
  std::vector<int> ranks(static_cast<std::size_t>(size - 1));
  std::iota(ranks.begin(), ranks.end(), 1);
  if (size <= checked_ranks + 1) return ranks;
  std::vector<int> chosen;
  std::ranges::sample(ranks, std::back_inserter(chosen), checked_ranks, std::mt19937_64(1));
  return chosen;
}

double error_of(const mpi::Communicator& group, int checked, Timer& timer, const ClockModel& model) {
  double error_s = 0;
  if (group.rank() == 0) answer_clock(group, checked, timer, model);
  if (group.rank() == checked) {
    const Exchange best = ask_clock(group, 0, timer, check_exchanges);
    error_s = std::abs(model.global(best.middle_s()) - best.reference_s);
  }
  return group.broadcast(error_s, checked);
}

constexpr int question_tag = 1001;
constexpr int answer_tag = 1002;
/// A shared machine answers in milliseconds: no series takes much longer than this.
constexpr auto clock_patience = std::chrono::milliseconds(20);

enum class Question : int { more, last };

Exchange ask_once(MPI_Comm comm, int reference, const Timer& timer, Question question) {
  Exchange exchange;
  exchange.before_s = timer.seconds(timer.now());
  mpi::check(MPI_Send(&question, 1, MPI_INT, reference, question_tag, comm), "MPI_Send");
  mpi::check(MPI_Recv(&exchange.reference_s, 1, MPI_DOUBLE, reference, answer_tag, comm, MPI_STATUS_IGNORE),
             "MPI_Recv");
  exchange.after_s = timer.seconds(timer.now());
  return exchange;
}

}  // namespace

double synchronisation_time(Sync mode, const mpi::Communicator& group, Timer& timer) {
  const auto barrier = make_synchroniser(mode == Sync::window ? Sync::barrier : mode, group, timer);
  std::vector<double> times;
  for (int i = 0; i < barrier_tries; ++i) times.push_back(once(mode, *barrier, group, timer));
  const double factor = mode == Sync::window ? window_in_broadcasts : 1;
  return group.max(factor * stats::median(std::move(times)));
}

std::unique_ptr<Synchroniser> make_barrier(Meeting kind, MPI_Comm comm) {
  switch (kind) {
    case Meeting::none: return std::make_unique<NoSynchroniser>();
    case Meeting::mpi: return std::make_unique<BarrierSynchroniser>(comm, 1);
    case Meeting::dissemination: return std::make_unique<DisseminationSynchroniser>(comm);
  }
  return nullptr;
}

std::unique_ptr<Synchroniser> make_synchroniser(Sync mode, const mpi::Communicator& group, Timer& timer) {
  switch (mode) {
    case Sync::none: return std::make_unique<NoSynchroniser>();
    case Sync::barrier: return std::make_unique<BarrierSynchroniser>(group.get(), 1);
    case Sync::barrier2: return std::make_unique<BarrierSynchroniser>(group.get(), 2);
    case Sync::dissemination: return std::make_unique<DisseminationSynchroniser>(group.get());
    case Sync::window: break;
  }
  return std::make_unique<WindowSynchroniser>(group, timer, synchronise_clocks(group, timer).model);
}

WindowSynchroniser::WindowSynchroniser(const mpi::Communicator& group, Timer& timer, ClockModel model)
    : comm_(group.get()),
      root_(group.is_root()),
      timer_(&timer),
      model_(model),
      slack_s_(broadcasts_of_slack * broadcast_time(group, timer)) {}

int WindowSynchroniser::synchronise() noexcept {
  int error = MPI_Barrier(comm_);
  double start_s = root_ ? global_now() + slack_s_ : 0;
  keep_first(error, MPI_Bcast(&start_s, 1, MPI_DOUBLE, 0, comm_));
  if (error != MPI_SUCCESS) return error;
  const bool late = global_now() >= start_s;
  late_ += late ? 1 : 0;
  if (marks_.size() < marks_.capacity()) marks_.push_back(late ? 1 : 0);
  while (global_now() < start_s) {
  }
  return MPI_SUCCESS;
}

void WindowSynchroniser::expect(std::size_t operations) {
  marks_.clear();
  marks_.reserve(operations);
}

std::int64_t WindowSynchroniser::take_late() noexcept {
  return std::exchange(late_, 0);
}

// Hunold, Carpen-Amarie, "Hierarchical clock synchronization in MPI", CLUSTER 2018; docs/methodology.md.

ClockErrors check_clocks(const mpi::Communicator& group, Timer& timer, const ClockModel& model) {
  std::vector<double> errors;
  for (const int rank : ranks_to_check(group.size())) errors.push_back(error_of(group, rank, timer, model));
  if (errors.empty()) return {};
  const double max_s = *std::ranges::max_element(errors);
  return {max_s, stats::median(std::move(errors))};
}

ClockAgreement synchronise_clocks(const mpi::Communicator& group, Timer& timer) {
  const Ticks start = timer.now();
  ClockAgreement agreement;
  const mpi::Communicator node = group.split_shared();
  agreement.shared_clock = group.all(reads_one_clock(node, timer));
  // Where a node's ranks have clocks of their own, every rank is a leader.
  const mpi::Communicator alone = mpi::Communicator::self();
  const mpi::Communicator& unit = agreement.shared_clock ? node : alone;
  const auto leaders = group.split(unit.is_root() ? 0 : -1, group.rank());
  agreement.model = model_in_groups(unit, leaders, timer);
  const ClockErrors errors = check_clocks(group, timer, agreement.model);
  agreement.error_max_s = errors.max_s;
  agreement.error_median_s = errors.median_s;
  agreement.spent_s = timer.seconds(timer.now() - start);
  return agreement;
}

Exchange ask_clock(const mpi::Communicator& comm, int reference, Timer& timer, int tries) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + clock_patience;
  std::optional<Exchange> best;
  for (Question question = Question::more; question != Question::last;) {
    --tries;
    const bool enough = tries <= 0 || (best && Clock::now() >= until);
    question = enough ? Question::last : Question::more;
    const Exchange exchange = ask_once(comm.get(), reference, timer, question);
    if (!best || exchange.round_trip_s() < best->round_trip_s()) best = exchange;
  }
  return *best;
}

void answer_clock(const mpi::Communicator& comm, int client, Timer& timer, const ClockModel& model) {
  for (Question question = Question::more; question != Question::last;) {
    mpi::check(MPI_Recv(&question, 1, MPI_INT, client, question_tag, comm.get(), MPI_STATUS_IGNORE),
               "MPI_Recv");
    double answer = model.global(timer.seconds(timer.now()));
    mpi::check(MPI_Send(&answer, 1, MPI_DOUBLE, client, answer_tag, comm.get()), "MPI_Send");
  }
}

// One reduction by maximum for the negated starts, the ends and the marks of being late.
std::int64_t GlobalTimes::merge(const WindowSynchroniser& window, const Timer& timer,
                                std::span<const Ticks> begin, std::span<const Ticks> end,
                                std::span<double> seconds) {
  const std::size_t n = begin.size();
  const auto late = window.marks();
  own_.assign(3 * n, 0);
  merged_.assign(3 * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    own_[i] = -window.global(timer.seconds(begin[i]));
    own_[n + i] = window.global(timer.seconds(end[i]));
    own_[2 * n + i] = i < late.size() ? late[i] : 0;  // an error leaves no mark
  }
  const int length = mpi::to_int(static_cast<std::int64_t>(own_.size()));
  mpi::check(MPI_Reduce(own_.data(), merged_.data(), length, MPI_DOUBLE, MPI_MAX, 0, group_->get()),
             "MPI_Reduce");
  std::ranges::fill(seconds, 0.0);
  if (!group_->is_root()) return 0;
  for (std::size_t i = 0; i < n; ++i) seconds[i] = merged_[i] + merged_[n + i];
  return std::count_if(merged_.begin() + static_cast<std::ptrdiff_t>(2 * n), merged_.end(),
                       [](double mark) { return mark > 0; });
}

}  // namespace steelyard::measure
