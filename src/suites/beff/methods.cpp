// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/methods.hpp"

#include <stdexcept>

#include "mpi/error.hpp"
#include "mpi/handle.hpp"

namespace steelyard::beff {
namespace {

using measure::keep_first;

int rank_or_null(const std::optional<int>& rank) {
  return rank.value_or(MPI_PROC_NULL);
}

/// State that the three methods share: partners, stamps, positions.
template <class Content>
class Iteration {
 public:
  Iteration(const Loop& loop, BufferCursor& walk, Mismatches& wrong)
      : comm_(loop.comm),
        count_(mpi::to_int(loop.bytes)),
        padded_(padded(loop.bytes)),
        walk_(&walk),
        wrong_(&wrong) {
    for (std::size_t i = 0; i < loop.slots.size(); ++i) {
      const int to = rank_or_null(loop.slots[i].to);
      const int from = rank_or_null(loop.slots[i].from);
      const int slot = static_cast<int>(i);
      partners_.push_back(
          {to, from, {loop.rank, to, slot, loop.k, loop.bytes}, {from, loop.rank, slot, loop.k, loop.bytes}});
    }
    at_.resize(partners_.size());
  }

 protected:
  struct Partner {
    int to, from;
    Message sent, received;
  };

  /// Takes the slot's place in both buffers and writes the message.
  std::int64_t place(std::size_t i) noexcept {
    const std::int64_t at = walk_->next(padded_);
    at_[i] = at;
    const Partner& partner = partners_[i];
    Content::write(walk_->send(at), partner.sent);
    if (partner.from != MPI_PROC_NULL) Content::prepare(walk_->receive(at), partner.received);
    return at;
  }
  void check(std::size_t i) noexcept {
    if (partners_[i].from != MPI_PROC_NULL)
      Content::compare(walk_->receive(at_[i]), partners_[i].received, *wrong_);
  }

  MPI_Comm comm_;
  int count_;
  std::int64_t padded_;
  BufferCursor* walk_;
  Mismatches* wrong_;
  std::vector<Partner> partners_;
  std::vector<std::int64_t> at_;
};

/// Slots strictly one after the other.
template <class Content>
class SendReceive : private Iteration<Content> {
 public:
  using Iteration<Content>::Iteration;

  int operator()(std::uint64_t) noexcept {
    int error = 0;
    for (std::size_t i = 0; i < this->partners_.size(); ++i) {
      const auto at = this->place(i);
      keep_first(error, transfer(i, this->walk_->send(at), this->walk_->receive(at)));
      this->check(i);
    }
    return error;
  }

 private:
  int transfer(std::size_t i, std::byte* out, std::byte* in) noexcept {
    const auto& partner = this->partners_[i];
    const int tag = static_cast<int>(i);
    if (partner.from == MPI_PROC_NULL)
      return mpi::noted(MPI_Send(out, this->count_, MPI_BYTE, partner.to, tag, this->comm_), "MPI_Send");
    if (partner.to == MPI_PROC_NULL)
      return mpi::noted(
          MPI_Recv(in, this->count_, MPI_BYTE, partner.from, tag, this->comm_, MPI_STATUS_IGNORE),
          "MPI_Recv");
    return mpi::noted(MPI_Sendrecv(out, this->count_, MPI_BYTE, partner.to, tag, in, this->count_, MPI_BYTE,
                                   partner.from, tag, this->comm_, MPI_STATUS_IGNORE),
                      "MPI_Sendrecv");
  }
};

/// All slots in one MPI_Alltoallv over the pattern's communicator. Counts are set once; only the
/// displacements of partners change.
template <class Content>
class AllToAll : private Iteration<Content> {
 public:
  AllToAll(const Loop& loop, BufferCursor& walk, Mismatches& wrong)
      : Iteration<Content>(loop, walk, wrong),
        send_counts_(static_cast<std::size_t>(loop.processes)),
        receive_counts_(send_counts_),
        send_at_(send_counts_),
        receive_at_(send_counts_) {
    for (const auto& partner : this->partners_) {
      if (partner.to != MPI_PROC_NULL) send_counts_[index(partner.to)] = this->count_;
      if (partner.from != MPI_PROC_NULL) receive_counts_[index(partner.from)] = this->count_;
    }
  }

  int operator()(std::uint64_t) noexcept {
    for (std::size_t i = 0; i < this->partners_.size(); ++i) {
      const auto at = static_cast<int>(this->place(i));
      const auto& partner = this->partners_[i];
      if (partner.to != MPI_PROC_NULL) send_at_[index(partner.to)] = at;
      if (partner.from != MPI_PROC_NULL) receive_at_[index(partner.from)] = at;
    }
    const int error = MPI_Alltoallv(this->walk_->send(0), send_counts_.data(), send_at_.data(), MPI_BYTE,
                                    this->walk_->receive(0), receive_counts_.data(), receive_at_.data(),
                                    MPI_BYTE, this->comm_);
    for (std::size_t i = 0; i < this->partners_.size(); ++i) this->check(i);
    return error;
  }

 private:
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
  std::vector<int> send_counts_, receive_counts_, send_at_, receive_at_;
};

/// Receives and sends of all slots are started, then completed together.
template <class Content>
class NonBlocking : private Iteration<Content> {
 public:
  NonBlocking(const Loop& loop, BufferCursor& walk, Mismatches& wrong)
      : Iteration<Content>(loop, walk, wrong), requests_(2 * loop.slots.size(), MPI_REQUEST_NULL) {}

  int operator()(std::uint64_t) noexcept {
    int error = 0;
    int open = 0;
    for (std::size_t i = 0; i < this->partners_.size(); ++i) {
      const auto at = this->place(i);
      const auto& partner = this->partners_[i];
      const int tag = static_cast<int>(i);
      if (partner.from != MPI_PROC_NULL)
        keep_first(error,
                   MPI_Irecv(this->walk_->receive(at), this->count_, MPI_BYTE, partner.from, tag, this->comm_,
                             &requests_[static_cast<std::size_t>(open++)]),
                   "MPI_Irecv");
      if (partner.to != MPI_PROC_NULL)
        keep_first(error,
                   MPI_Isend(this->walk_->send(at), this->count_, MPI_BYTE, partner.to, tag, this->comm_,
                             &requests_[static_cast<std::size_t>(open++)]),
                   "MPI_Isend");
    }
    keep_first(error, MPI_Waitall(open, requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    for (std::size_t i = 0; i < this->partners_.size(); ++i) this->check(i);
    return error;
  }

 private:
  std::vector<MPI_Request> requests_;
};

/// The timed operation and, for the checking pass, the same communication with whole contents.
template <template <class> class Communicate>
class Checked {
 public:
  Checked(const Loop& loop, BufferCursor& walk, Mismatches& wrong)
      : timed_(loop, walk, wrong), loop_(loop), walk_(&walk), wrong_(&wrong) {}

  int operator()(std::uint64_t i) noexcept { return timed_(i); }

  std::optional<measure::CheckResult> verify(std::uint64_t) {
    if (loop_.bytes <= longest_whole_check) {
      Communicate<WholeContent> whole(loop_, *walk_, *wrong_);
      mpi::check(whole(0), "the checking pass");
    }
    return wrong_->result();
  }

 private:
  Communicate<Stamps> timed_;
  Loop loop_;
  BufferCursor* walk_;
  Mismatches* wrong_;
};

/// Loop of a process that the pattern's communicator leaves out.
struct Absent {
  int operator()(std::uint64_t) noexcept { return MPI_SUCCESS; }
};

template <template <class> class Communicate>
std::unique_ptr<measure::Workload> make(const Loop& loop, BufferCursor& walk, Mismatches& wrong) {
  using Op = Checked<Communicate>;
  return std::make_unique<measure::Loop<Op>>(Op(loop, walk, wrong));
}

}  // namespace

std::unique_ptr<measure::Workload> open_loop(Method method, const Loop& loop, BufferCursor& walk,
                                             Mismatches& wrong) {
  if (loop.comm == MPI_COMM_NULL) return std::make_unique<measure::Loop<Absent>>(Absent{});
  switch (method) {
    case Method::sendrecv:
      return make<SendReceive>(loop, walk, wrong);
    case Method::alltoallv:
      return make<AllToAll>(loop, walk, wrong);
    case Method::nonblocking:
      return make<NonBlocking>(loop, walk, wrong);
  }
  throw std::logic_error("no such method");
}

}  // namespace steelyard::beff
