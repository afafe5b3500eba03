// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/random_access/update_mail.hpp"

#include <sched.h>

#include "measure/workload.hpp"

namespace steelyard::hpcc {
namespace {

using Word = std::uint64_t;
using Shared = std::atomic_ref<Word>;

constexpr int mail_tag = 31;

/// Waits. Where processes share a processor, the one that is waited for may need it.
template <class Ready>
void wait_until(const Ready& ready) noexcept {
  constexpr int polls_alone = 2000;
  for (int polls = 0; !ready(); ++polls)
    if (polls >= polls_alone) sched_yield();
}

/// Word 0 of a list in shared memory.
constexpr Word head_of(Word number, std::size_t count, bool last) {
  return number << 16 | static_cast<Word>(count) << 1 | static_cast<Word>(last);
}
constexpr Word number_in(Word head) {
  return head >> 16;
}
constexpr std::size_t count_in(Word head) {
  return static_cast<std::size_t>(head >> 1 & 0x7fffU);
}
constexpr bool last_in(Word head) {
  return (head & 1U) != 0;
}

}  // namespace

MessageMail::MessageMail(const mpi::Communicator& comm, int partners)
    : comm_(comm.get()),
      incoming_(static_cast<std::size_t>(partners), std::vector<Word>(UpdateList::room)),
      words_(incoming_.size()),
      posted_(incoming_.size()),
      sends_(incoming_.size()),
      receives_(incoming_.size()),
      statuses_(incoming_.size()) {}

void MessageMail::begin() noexcept {
  std::ranges::fill(sends_, MPI_REQUEST_NULL);
  std::ranges::fill(receives_, MPI_REQUEST_NULL);
  std::ranges::fill(posted_, 0);
}

int MessageMail::send(int i, int to, UpdateList& list, bool last) noexcept {
  list.words()[0] = last ? 1 : 0;
  return mpi::noted(MPI_Isend(list.words(), static_cast<int>(list.count() + 1), MPI_UINT64_T, to, mail_tag,
                              comm_, &sends_[static_cast<std::size_t>(i)]),
                    "MPI_Isend");
}

int MessageMail::expect(int i, int from) noexcept {
  const auto at = static_cast<std::size_t>(i);
  posted_[at] = from != nobody;
  if (from == nobody) return MPI_SUCCESS;
  return mpi::noted(MPI_Irecv(incoming_[at].data(), static_cast<int>(UpdateList::room), MPI_UINT64_T, from,
                              mail_tag, comm_, &receives_[at]),
                    "MPI_Irecv");
}

int MessageMail::complete() noexcept {
  const auto count = static_cast<int>(receives_.size());
  int error = MPI_SUCCESS;
  measure::keep_first(error, MPI_Waitall(count, receives_.data(), statuses_.data()), "MPI_Waitall");
  measure::keep_first(error, MPI_Waitall(count, sends_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  for (std::size_t i = 0; i < incoming_.size(); ++i)
    if (posted_[i] != 0)
      measure::keep_first(error, MPI_Get_count(&statuses_[i], MPI_UINT64_T, &words_[i]), "MPI_Get_count");
  return error;
}

int MessageMail::finish() noexcept {
  return mpi::noted(MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE),
                    "MPI_Waitall");
}

ReceivedUpdates MessageMail::open(int i) const noexcept {
  const auto& words = incoming_[static_cast<std::size_t>(i)];
  const auto count = static_cast<std::size_t>(std::max(words_[static_cast<std::size_t>(i)], 1)) - 1;
  return {{words.data() + 1, count}, words[0] != 0};
}

SharedMail::SharedMail(const mpi::Communicator& comm)
    : rank_(comm.rank()),
      boxes_(comm, comm.size() * static_cast<std::int64_t>(sizeof(Box))),
      sent_(static_cast<std::size_t>(comm.size())),
      taken_(sent_),
      received_(sent_),
      from_(sent_.size(), nobody) {
  if (!boxes_.available()) return;
  std::fill_n(boxes_.of(rank_), sent_.size() * sizeof(Box), std::byte{});
  boxes_.publish();
}

SharedMail::Box& SharedMail::box(int receiver, int sender) const noexcept {
  return reinterpret_cast<Box*>(boxes_.of(receiver))[sender];
}

void SharedMail::make_room(int to, UpdateList& list) noexcept {
  const auto at = static_cast<std::size_t>(to);
  auto& target = box(to, rank_);
  wait_until([&] {
    if (sent_[at] - taken_[at] < places) return true;
    taken_[at] = Shared(target.taken).load(std::memory_order_acquire);
    return sent_[at] - taken_[at] < places;
  });
  list.lie_in(target.lists[sent_[at] % places].data());
}

int SharedMail::send(int, int to, UpdateList& list, bool last) noexcept {
  const Word head = head_of(++sent_[static_cast<std::size_t>(to)], list.count(), last);
  Shared(list.words()[0]).store(head, std::memory_order_release);
  list.lie_in(nullptr);
  return MPI_SUCCESS;
}

int SharedMail::expect(int i, int from) noexcept {
  from_[static_cast<std::size_t>(i)] = from;
  return MPI_SUCCESS;
}

SharedMail::Word SharedMail::head(int from) const noexcept {
  auto& list = box(rank_, from).lists[received_[static_cast<std::size_t>(from)] % places];
  return Shared(list[0]).load(std::memory_order_acquire);
}

int SharedMail::complete() noexcept {
  for (const int from : from_)
    if (from != nobody)
      wait_until([&] { return number_in(head(from)) == received_[static_cast<std::size_t>(from)] + 1; });
  return MPI_SUCCESS;
}

ReceivedUpdates SharedMail::open(int i) const noexcept {
  const int from = from_[static_cast<std::size_t>(i)];
  const Word found = head(from);
  const auto& list = box(rank_, from).lists[received_[static_cast<std::size_t>(from)] % places];
  return {{list.data() + 1, count_in(found)}, last_in(found)};
}

void SharedMail::close(int i) noexcept {
  const int from = from_[static_cast<std::size_t>(i)];
  const auto taken = ++received_[static_cast<std::size_t>(from)];
  Shared(box(rank_, from).taken).store(taken, std::memory_order_release);
}

}  // namespace steelyard::hpcc
