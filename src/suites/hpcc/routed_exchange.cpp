// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "suites/hpcc/distributed_updates.hpp"
#include "suites/hpcc/owner.hpp"
#include "suites/hpcc/update_route.hpp"

namespace steelyard::hpcc {
namespace {

using Word = std::uint64_t;
constexpr int first_tag = 41;
/// One is generated while the rest of another travels.
constexpr auto batch = static_cast<std::int64_t>(most_ahead / 2);
/// Values of one message: all own and all foreign ones of a process.
constexpr std::size_t room = most_ahead + most_ahead / 2;

/// Sweeps of one batch per process: as many rounds as the number of processes has bits bring every value to its owner.
/// Values that are passed on count as received ones that are not applied; a sequence that heaped up more than 1024 of
/// them on one process would end with an error, not break the rule.
template <class Stream>
class Routed final : public UpdateExchange {
 public:
  explicit Routed(const mpi::Communicator& comm)
      : comm_(comm.get()),
        route_(comm.rank(), comm.size()),
        outgoing_(room),
        incoming_(room) {
    for (auto* list : {&own_, &foreign_, &arrived_}) list->reserve(room);
  }

  int run(const UpdateTask& task) noexcept override {
    start(task);
    const OwnerFinder owner(task.parts);
    std::int64_t sweeps = (left_ + batch - 1) / batch;
    note(MPI_Allreduce(MPI_IN_PLACE, &sweeps, 1, MPI_INT64_T, MPI_MAX, comm_));
    generate(owner);
    for (; sweeps > 0 && error_ == MPI_SUCCESS; --sweeps)
      for (int round = 0; round < route_.rounds() && error_ == MPI_SUCCESS; ++round) exchange(round, owner);
    apply_arrived();
    return error_ == MPI_SUCCESS && broken_ ? MPI_ERR_OTHER : error_;
  }

  [[nodiscard]] int algorithm() const override { return 3; }
  [[nodiscard]] LookAhead look_ahead() const override { return most_; }

 private:
  void start(const UpdateTask& task) noexcept {
    table_ = task.table;
    bits_ = task.parts.bits();
    first_ = static_cast<std::size_t>(task.parts.start(task.rank));
    value_ = Stream::at(4 * task.parts.start(task.rank));
    left_ = task.updates;
    error_ = MPI_SUCCESS;
    broken_ = false;
    travelling_ = 0;
    for (auto* list : {&own_, &foreign_, &arrived_}) list->clear();
  }

  [[nodiscard]] int distance(Word x, const OwnerFinder& owner) const noexcept {
    return route_.distance(owner(Stream::index(x, bits_)));
  }
  [[nodiscard]] Word& word(Word x) const noexcept { return table_[Stream::index(x, bits_) - first_]; }

  void generate(const OwnerFinder& owner) noexcept {
    const auto fresh = std::min(left_, batch);
    for (std::int64_t i = 0; i < fresh; ++i) sort_in(value_ = Stream::next(value_), own_, owner);
    left_ -= fresh;
    most_.generated = std::max(most_.generated, fresh + travelling_);
  }

  /// Values that are where they belong are applied in the next round: until then their words have been fetched.
  void sort_in(Word x, std::vector<Word>& list, const OwnerFinder& owner) noexcept {
    const bool here = distance(x, owner) == 0;
    if (here) __builtin_prefetch(&word(x), 1);
    (here ? arrived_ : list).push_back(x);
  }

  void apply_arrived() noexcept {
    for (const Word x : arrived_) word(x) ^= x;
    arrived_.clear();
  }

  void exchange(int round, const OwnerFinder& owner) noexcept {
    Word* end = move(own_, round, owner, outgoing_.data());
    travelling_ = end - outgoing_.data();
    end = move(foreign_, round, owner, end);
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    note(MPI_Irecv(incoming_.data(), static_cast<int>(incoming_.size()), MPI_UINT64_T, route_.previous(round),
                   first_tag + round, comm_, &requests[0]));
    note(MPI_Isend(outgoing_.data(), static_cast<int>(end - outgoing_.data()), MPI_UINT64_T, route_.next(round),
                   first_tag + round, comm_, &requests[1]));
    apply_arrived();
    if (round + 1 == route_.rounds()) generate(owner);
    std::array<MPI_Status, 2> statuses;
    note(MPI_Waitall(2, requests.data(), statuses.data()));
    travelling_ = 0;
    if (error_ == MPI_SUCCESS) take(statuses[0], owner);
  }

  /// Moves the values whose way leads on in this round behind `to`; answers their end.
  Word* move(std::vector<Word>& list, int round, const OwnerFinder& owner, Word* to) noexcept {
    auto keep = list.begin();
    for (const Word x : list) {
      const bool moves = UpdateRoute::moves(distance(x, owner), round);
      *to = x;
      *keep = x;
      to += moves ? 1 : 0;
      keep += moves ? 0 : 1;
    }
    list.erase(keep, list.end());
    return to;
  }

  void take(const MPI_Status& status, const OwnerFinder& owner) noexcept {
    int words = 0;
    note(MPI_Get_count(&status, MPI_UINT64_T, &words));
    const auto held = foreign_.size();
    most_.received = std::max(most_.received, static_cast<std::int64_t>(held) + words);
    // The others go on in step with this process; it only says afterwards that its part is lost.
    broken_ = broken_ || held + static_cast<std::size_t>(words) > most_ahead;
    const auto taken = std::min(static_cast<std::size_t>(words), most_ahead - held);
    for (std::size_t i = 0; i < taken; ++i) sort_in(incoming_[i], foreign_, owner);
  }

  void note(int code) noexcept {
    if (error_ == MPI_SUCCESS) error_ = code;
  }

  MPI_Comm comm_;
  UpdateRoute route_;
  Word* table_ = nullptr;
  int bits_ = 0;
  std::size_t first_ = 0;
  std::vector<Word> own_, foreign_, arrived_;  // own ones to be sent, others' to be passed on, to be applied
  std::vector<Word> outgoing_, incoming_;
  Word value_ = 1;
  std::int64_t left_ = 0, travelling_ = 0;  // own values to generate, on their way
  bool broken_ = false;  // the rule of 1024 could not be kept
  LookAhead most_;
  int error_ = MPI_SUCCESS;
};

}  // namespace

std::unique_ptr<UpdateExchange> routed_exchange(const mpi::Communicator& comm, Generator generator) {
  if (generator == Generator::polynomial) return std::make_unique<Routed<Polynomial>>(comm);
  return std::make_unique<Routed<Congruential>>(comm);
}

std::unique_ptr<UpdateExchange> optimized_exchange(const mpi::Communicator& comm, Generator generator) {
  return comm.size() > most_direct_processes ? routed_exchange(comm, generator)
                                             : batched_exchange(comm, generator);
}

}  // namespace steelyard::hpcc
