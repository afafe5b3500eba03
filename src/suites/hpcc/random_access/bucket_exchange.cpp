// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "measure/workload.hpp"
#include "suites/hpcc/random_access/distributed_updates.hpp"
#include "suites/hpcc/random_access/update_mail.hpp"

namespace steelyard::hpcc {
namespace {

using Word = std::uint64_t;
constexpr int bucket_tag = 32, finished_tag = 33;
/// Values generated between two looks for messages: a look costs as much as some updates.
constexpr std::int64_t poll_interval = 16;
constexpr int receive_words = static_cast<int>(most_ahead);

template <class Stream>
class Buckets final : public UpdateExchange {
 public:
  explicit Buckets(const mpi::Communicator& comm)
      : comm_(comm.get()),
        rank_(comm.rank()),
        buckets_(static_cast<std::size_t>(comm.size())),
        incoming_(most_ahead),
        outgoing_(most_ahead),
        finishing_(buckets_.size()) {}

  int run(const UpdateTask& task) noexcept override {
    start(task);
    const OwnerFinder owner(task.parts);
    Word x = Stream::at(4 * first_);
    for (std::int64_t left = task.updates; left > 0 && error_ == MPI_SUCCESS;) {
      if (full()) send_fullest();
      if (full() || left % poll_interval == 0) take_messages();
      if (full()) continue;
      x = Stream::next(x);
      --left;
      sort_in(owner(Stream::index(x, bits_)), x);
    }
    flush();
    finish();
    return error_;
  }

  [[nodiscard]] int algorithm() const override { return 0; }
  [[nodiscard]] LookAhead look_ahead() const override { return most_; }

 private:
  void start(const UpdateTask& task) noexcept {
    table_ = task.table;
    bits_ = task.parts.bits();
    first_ = task.parts.start(rank_);
    pending_ = 0;
    in_flight_ = 0;
    talking_ = static_cast<int>(buckets_.size()) - 1;
    error_ = MPI_SUCCESS;
    if (talking_ > 0) note(post());
  }

  /// Whether no more values may wait. Those on their way count as long as their message is not complete.
  [[nodiscard]] bool full() const noexcept {
    return static_cast<std::size_t>(pending_) + in_flight_ >= most_ahead;
  }

  int post() noexcept {
    return mpi::noted(MPI_Irecv(incoming_.data(), receive_words, MPI_UINT64_T, MPI_ANY_SOURCE, MPI_ANY_TAG,
                                comm_, &receive_),
                      "MPI_Irecv");
  }

  void sort_in(int owner, Word x) noexcept {
    if (owner == rank_) return update(x);
    buckets_[static_cast<std::size_t>(owner)].push_back(x);
    ++pending_;
    most_.generated = std::max(most_.generated, pending_ + static_cast<std::int64_t>(in_flight_));
  }

  void update(Word x) noexcept { table_[Stream::index(x, bits_) - static_cast<std::size_t>(first_)] ^= x; }

  /// Applies what has arrived; does not wait.
  void take_messages() noexcept {
    int arrived = 1;
    while (talking_ > 0 && arrived != 0 && error_ == MPI_SUCCESS) {
      MPI_Status status;
      note(MPI_Test(&receive_, &arrived, &status), "MPI_Test");
      if (arrived == 0) return;
      take(status);
    }
  }

  void take(const MPI_Status& status) noexcept {
    int words = 0;
    note(MPI_Get_count(&status, MPI_UINT64_T, &words), "MPI_Get_count");
    if (status.MPI_TAG == finished_tag) --talking_;
    most_.received = std::max(most_.received, std::int64_t{words});
    for (int i = 0; i < words; ++i) update(incoming_[static_cast<std::size_t>(i)]);
    if (talking_ > 0) note(post());
  }

  bool send_complete() noexcept {
    if (in_flight_ == 0) return true;
    int complete = 0;
    note(MPI_Test(&send_, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    if (complete != 0) in_flight_ = 0;
    return complete != 0;
  }

  void send_fullest() noexcept {
    if (!send_complete()) return;
    const auto fullest =
        std::ranges::max_element(buckets_, {}, [](const auto& bucket) { return bucket.size(); });
    if (fullest->empty()) return;
    std::swap(*fullest, outgoing_);
    fullest->clear();
    in_flight_ = outgoing_.size();
    pending_ -= static_cast<std::int64_t>(in_flight_);
    note(MPI_Isend(outgoing_.data(), static_cast<int>(in_flight_), MPI_UINT64_T,
                   static_cast<int>(fullest - buckets_.begin()), bucket_tag, comm_, &send_),
         "MPI_Isend");
  }

  void flush() noexcept {
    while ((pending_ > 0 || !send_complete()) && error_ == MPI_SUCCESS) {
      take_messages();
      send_fullest();
    }
  }

  void finish() noexcept {
    for (std::size_t to = 0; to < buckets_.size(); ++to) {
      finishing_[to] = MPI_REQUEST_NULL;
      if (static_cast<int>(to) == rank_) continue;
      note(MPI_Isend(nullptr, 0, MPI_UINT64_T, static_cast<int>(to), finished_tag, comm_, &finishing_[to]),
           "MPI_Isend");
    }
    while (talking_ > 0 && error_ == MPI_SUCCESS) take_messages();
    note(MPI_Waitall(static_cast<int>(finishing_.size()), finishing_.data(), MPI_STATUSES_IGNORE),
         "MPI_Waitall");
    // A receive takes from anybody: nobody may begin the next run while another is still in this one.
    note(MPI_Barrier(comm_), "MPI_Barrier");
  }

  void note(int code, const char* call = "") noexcept { measure::keep_first(error_, code, call); }

  MPI_Comm comm_;
  int rank_;
  Word* table_ = nullptr;
  int bits_ = 0;
  std::int64_t first_ = 0;
  std::vector<std::vector<Word>> buckets_;
  std::vector<Word> incoming_, outgoing_;
  std::vector<MPI_Request> finishing_;
  MPI_Request receive_ = MPI_REQUEST_NULL, send_ = MPI_REQUEST_NULL;
  std::int64_t pending_ = 0;
  std::size_t in_flight_ = 0;
  int talking_ = 0;  // processes that have not said that they are finished
  LookAhead most_;
  int error_ = MPI_SUCCESS;
};

}  // namespace

std::unique_ptr<UpdateExchange> bucket_exchange(const mpi::Communicator& comm, Generator generator) {
  return with_stream(generator, [&]<class Stream>() -> std::unique_ptr<UpdateExchange> {
    return std::make_unique<Buckets<Stream>>(comm);
  });
}

}  // namespace steelyard::hpcc
