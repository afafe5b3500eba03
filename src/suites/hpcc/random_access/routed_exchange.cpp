// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "measure/workload.hpp"
#include "suites/hpcc/random_access/distributed_updates.hpp"
#include "suites/hpcc/random_access/update_route.hpp"

namespace steelyard::hpcc {
namespace {

using Word = std::uint64_t;
constexpr int value_tag = 41, credit_tag = 81;  // and the round

/// Sweeps of as many rounds as the number of processes has bits. In each round a process tells the one before
/// it what it can take, and sends the next one what that can take.
template <class Stream>
class Sweeps {
 public:
  Sweeps(MPI_Comm comm, const UpdateTask& task)
      : comm_(comm),
        relay_(task.parts, task.rank, task.table),
        left_(task.updates),
        outgoing_(relay_.message_words()),
        incoming_(relay_.message_words()) {}

  int run() noexcept {
    for (std::int64_t sweeps = most_left(); sweeps > 0 && error_ == MPI_SUCCESS; sweeps = most_left())
      for (std::int64_t i = 0; i < sweeps && error_ == MPI_SUCCESS; ++i) sweep();
    relay_.apply();
    return error_;
  }

  [[nodiscard]] const LookAhead& look_ahead() const { return most_; }

 private:
  /// Sweeps that the process with most values needs at least; 0 if nothing is left anywhere.
  std::int64_t most_left() noexcept {
    const auto batch = static_cast<std::int64_t>(relay_.batch());
    std::int64_t sweeps = (left_ + relay_.own() + relay_.foreign() + batch - 1) / batch;
    note(MPI_Allreduce(MPI_IN_PLACE, &sweeps, 1, MPI_INT64_T, MPI_MAX, comm_), "MPI_Allreduce");
    return sweeps;
  }

  void sweep() noexcept {
    relay_.generate(left_);
    most_.generated = std::max(most_.generated, relay_.own());
    for (int round = 0; round < relay_.route().rounds() && error_ == MPI_SUCCESS; ++round) exchange(round);
  }

  void exchange(int round) noexcept {
    const int next = relay_.route().next(round), previous = relay_.route().previous(round);
    Credits free = relay_.credits(), credits{};
    std::array<MPI_Request, 4> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                                        MPI_REQUEST_NULL};
    note(MPI_Irecv(credits.data(), static_cast<int>(credits.size()), MPI_INT32_T, next, credit_tag + round,
                   comm_, &requests[0]),
         "MPI_Irecv");
    note(MPI_Irecv(incoming_.data(), static_cast<int>(incoming_.size()), MPI_UINT64_T, previous,
                   value_tag + round, comm_, &requests[1]),
         "MPI_Irecv");
    note(MPI_Isend(free.data(), static_cast<int>(free.size()), MPI_INT32_T, previous, credit_tag + round,
                   comm_, &requests[2]),
         "MPI_Isend");
    relay_.apply();
    note(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), "MPI_Wait");
    const auto sent = relay_.collect(round, credits, outgoing_.data());
    note(MPI_Isend(outgoing_.data(), static_cast<int>(sent.words), MPI_UINT64_T, next, value_tag + round,
                   comm_, &requests[3]),
         "MPI_Isend");
    std::array<MPI_Status, 4> statuses;
    note(MPI_Waitall(4, requests.data(), statuses.data()), "MPI_Waitall");
    if (error_ == MPI_SUCCESS) take(statuses[1]);
  }

  void take(const MPI_Status& status) noexcept {
    int words = 0;
    note(MPI_Get_count(&status, MPI_UINT64_T, &words), "MPI_Get_count");
    most_.received = std::max(most_.received, relay_.foreign() + words);
    relay_.take({incoming_.data(), static_cast<std::size_t>(words)});
  }

  void note(int code, const char* call = "") noexcept { measure::keep_first(error_, code, call); }

  MPI_Comm comm_;
  UpdateRelay<Stream> relay_;
  std::int64_t left_;
  std::vector<Word> outgoing_, incoming_;
  LookAhead most_;
  int error_ = MPI_SUCCESS;
};

template <class Stream>
class Routed final : public UpdateExchange {
 public:
  explicit Routed(const mpi::Communicator& comm) : comm_(comm.get()) {}

  int run(const UpdateTask& task) noexcept override {
    Sweeps<Stream> sweeps(comm_, task);
    const int code = sweeps.run();
    most_.generated = std::max(most_.generated, sweeps.look_ahead().generated);
    most_.received = std::max(most_.received, sweeps.look_ahead().received);
    return code;
  }
  [[nodiscard]] int algorithm() const override { return 3; }
  [[nodiscard]] LookAhead look_ahead() const override { return most_; }

 private:
  MPI_Comm comm_;
  LookAhead most_;
};

}  // namespace

std::unique_ptr<UpdateExchange> routed_exchange(const mpi::Communicator& comm, Generator generator) {
  return with_stream(generator, [&]<class Stream>() -> std::unique_ptr<UpdateExchange> {
    return std::make_unique<Routed<Stream>>(comm);
  });
}

}  // namespace steelyard::hpcc
