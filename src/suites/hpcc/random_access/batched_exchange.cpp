// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "measure/failure.hpp"
#include "measure/workload.hpp"
#include "suites/hpcc/foundation/isa.hpp"
#include "suites/hpcc/random_access/distributed_updates.hpp"
#include "suites/hpcc/random_access/update_mail.hpp"
#include "suites/hpcc/random_access/update_route.hpp"

namespace steelyard::hpcc {
namespace {

// Updates of one process's part that are applied bit by bit while others are generated and sorted: a word is
// asked for from memory some updates before its own turn, and what is computed between hides in the waiting.
// The last few stay pending until more come, so that memory is never idle.
template <class Stream>
class PendingUpdates {
 public:
  using Word = std::uint64_t;
  // Words asked for at a time.
  static constexpr std::size_t step = 16;
  // Words that are on their way from memory, most of those that stay pending.
  static constexpr std::size_t ahead = updates_under_way;

  // Room for `most` values that were added and not applied.
  explicit PendingUpdates(std::size_t most) : values_(most) {}

  // Forgets all values; those of this task follow.
  void begin(const UpdateTask& task) noexcept {
    table_ = task.table - task.parts.start(task.rank);
    bits_ = task.parts.bits();
    count_ = asked_ = applied_ = 0;
  }

  void add(std::span<const Word> values) noexcept {
    forget_applied();
    std::ranges::copy(values, values_.begin() + static_cast<std::ptrdiff_t>(count_));
    count_ += values.size();
  }

  // Values that were added and not applied.
  [[nodiscard]] std::size_t left() const noexcept { return count_ - applied_; }

  // Asks for the next words and applies what was asked for long enough ago.
  __attribute__((always_inline)) void advance() noexcept {
    Word* const table = table_;
    const int bits = bits_;
    const Word* const values = values_.data();
    const std::size_t ask = std::min(asked_ + step, count_);
    for (std::size_t i = asked_; i < ask; ++i) __builtin_prefetch(table + Stream::index(values[i], bits), 1);
    asked_ = ask;
    apply_up_to(ask - std::min(ask, ahead));
  }

  // Asks for all that are left and applies all but the last `ahead`.
  void catch_up() noexcept {
    while (asked_ < count_) advance();
  }

  // Applies all that are left.
  void finish() noexcept {
    catch_up();
    apply_up_to(count_);
  }

 private:
  void forget_applied() noexcept {
    std::copy(values_.begin() + static_cast<std::ptrdiff_t>(applied_),
              values_.begin() + static_cast<std::ptrdiff_t>(count_), values_.begin());
    count_ -= applied_;
    asked_ -= applied_;
    applied_ = 0;
  }

  __attribute__((always_inline)) void apply_up_to(std::size_t end) noexcept {
    Word* const table = table_;
    const int bits = bits_;
    const Word* const values = values_.data();
    for (std::size_t i = applied_; i < end; ++i) table[Stream::index(values[i], bits)] ^= values[i];
    applied_ = std::max(applied_, end);
  }

  Word* table_ = nullptr;  // where word 0 of the whole table would be
  int bits_ = 0;
  std::vector<Word> values_;
  std::size_t count_ = 0, asked_ = 0, applied_ = 0;
};

using Word = std::uint64_t;

/// Number of values in one register: each is found from the one eight before it, not from its neighbour.
constexpr std::size_t generated_together = 8;
using Words [[gnu::vector_size(generated_together * sizeof(Word))]] = Word;

/// Generates the `count` values after x; whole registers are written. Returns the last of them.
template <class Stream>
Word generate(Word x, Word* values, std::size_t count) noexcept {
  for (std::size_t i = 0; i < generated_together; ++i) values[i] = x = Stream::next(x);
  run_widest([=]() __attribute__((always_inline)) {
    Words together;
    std::memcpy(&together, values, sizeof together);
    for (std::size_t at = generated_together; at < count; at += generated_together) {
      Stream::eight_on(together);
      std::memcpy(values + at, &together, sizeof together);
    }
  });
  return values[count - 1];
}

template <class Stream, class Mail>
class Batched final : public UpdateExchange {
 public:
  Batched(const mpi::Communicator& comm, int most_partners, Mail mail)
      : rank_(comm.rank()),
        partners_(comm, most_partners),
        mail_(std::move(mail)),
        pending_(batch_size + most_ahead),
        batches_{UpdateBatch(partners_.count()), UpdateBatch(partners_.count())},
        capacity_(std::min(batch_size, (most_ahead - updates_under_way) /
                                           static_cast<std::size_t>(std::max(partners_.count(), 1)))),
        ends_(static_cast<std::size_t>(partners_.count()) + 2),
        told_(static_cast<std::size_t>(comm.size())),
        heard_(told_) {}

  int run(const UpdateTask& task) noexcept override {
    start(task);
    const OwnerFinder owner(task.parts);
    fill(task, owner, 0);
    send(0);
    receive(0);
    pending_.add(batch(0).own().values());
    for (std::int64_t step = 0; !finished(); ++step) {
      fill(task, owner, step + 1);
      note(mail_.complete());
      batch(step).values = 0;
      send(step + 1);
      take_received(step);
      pending_.add(batch(step + 1).own().values());
      receive(step + 1);
    }
    pending_.finish();
    note(mail_.finish());
    return error_;
  }

  [[nodiscard]] int algorithm() const override { return 3; }
  [[nodiscard]] LookAhead look_ahead() const override { return most_; }

 private:
  void start(const UpdateTask& task) noexcept {
    pending_.begin(task);
    value_ = Stream::at(4 * task.parts.start(task.rank));
    left_ = task.updates;
    waiting_count_ = 0;
    error_ = MPI_SUCCESS;
    mail_.begin();
    for (auto* ranks : {&told_, &heard_}) {
      std::ranges::fill(*ranks, false);
      (*ranks)[static_cast<std::size_t>(rank_)] = true;
    }
    silent_ = deaf_ = static_cast<int>(told_.size()) - 1;
    for (auto& batch : batches_) batch.values = 0;
  }

  [[nodiscard]] bool finished() const noexcept {
    return error_ != MPI_SUCCESS || (silent_ == 0 && deaf_ == 0 && left_ == 0 && waiting_count_ == 0);
  }

  UpdateBatch& batch(std::int64_t step) noexcept { return batches_[static_cast<std::size_t>(step % 2)]; }

  /// Sorts values that waited and new ones, never more than one batch together. Meanwhile pending values are
  /// applied, but for the last that are under way.
  void fill(const UpdateTask& task, const OwnerFinder& owner, std::int64_t step) noexcept {
    auto& to = batch(step);
    for (auto& list : to.lists) list.clear();
    make_room(to, step);
    const auto fresh = std::min(left_, static_cast<std::int64_t>(batch_size - waiting_count_));
    if (fresh > 0)
      value_ = generate<Stream>(value_, waiting_.data() + waiting_count_, static_cast<std::size_t>(fresh));
    left_ -= fresh;
    to.values = static_cast<std::int64_t>(waiting_count_) + fresh;
    const std::span<const Word> values(waiting_.data(), static_cast<std::size_t>(to.values));
    const auto rank_of = [&owner, bits = task.parts.bits() ](Word value) __attribute__((always_inline)) {
      return owner(Stream::index(value, bits));
    };
    if (told_.size() == 2)
      divide(values, rank_of, to);
    else
      distribute(
          values, [&](Word value) { return partners_.place(step, rank_of(value)); }, to);
    keep_surplus(to);
    pending_.catch_up();
    most_.generated = std::max(most_.generated, batches_[0].values + batches_[1].values + under_way());
  }

  [[nodiscard]] std::int64_t under_way() const noexcept { return static_cast<std::int64_t>(pending_.left()); }

  void make_room(UpdateBatch& to, std::int64_t step) noexcept {
    for (int i = 0; i < partners_.count(); ++i)
      if (const int rank = partners_.to(step, i); told_[static_cast<std::size_t>(rank)] == 0)
        mail_.make_room(rank, to.lists[static_cast<std::size_t>(i)]);
  }

  /// Sorts values some at a time, and lets the pending ones go on between.
  template <class Sort>
  void sort_in_steps(std::span<const Word> values, const Sort& sort) noexcept {
    for (std::size_t at = 0; at < values.size(); at += pending_.step) {
      for (const Word x : values.subspan(at, std::min(pending_.step, values.size() - at))) sort(x);
      pending_.advance();
    }
  }

  /// Divides values between the only partner and this process: both ends stay in
  /// registers, and nothing branches.
  template <class RankOf>
  void divide(std::span<const Word> values, const RankOf& rank_of, UpdateBatch& to) noexcept {
    Word *there = to.lists.front().end(), *here = to.own().end();
    sort_in_steps(
        values, [&, rank = rank_ ](Word x) __attribute__((always_inline)) {
          *there = *here = x;
          const auto other = static_cast<std::ptrdiff_t>(rank_of(x) ^ rank);
          there += other;
          here += 1 - other;
        });
    to.lists.front().end_at(there);
    to.own().end_at(here);
  }

  template <class Place>
  void distribute(std::span<const Word> values, const Place& place, UpdateBatch& to) noexcept {
    for (std::size_t i = 0; i < ends_.size(); ++i) ends_[i] = to.lists[i].end();
    Word** const ends = ends_.data();
    sort_in_steps(
        values, [&](Word x) __attribute__((always_inline)) { *ends[place(x)]++ = x; });
    for (std::size_t i = 0; i < ends_.size(); ++i) to.lists[i].end_at(ends_[i]);
  }

  /// Keeps values that do not fit into a message or have no partner in this step for the next one.
  void keep_surplus(UpdateBatch& from) noexcept {
    waiting_count_ = 0;
    for (int i = 0; i < partners_.count(); ++i) {
      auto& message = from.lists[static_cast<std::size_t>(i)];
      if (message.count() <= capacity_) continue;
      keep(message.values().subspan(capacity_));
      message.cut(capacity_);
    }
    keep(from.later().values());
    from.later().clear();
  }

  void keep(std::span<const Word> values) noexcept {
    std::ranges::copy(values, waiting_.begin() + static_cast<std::ptrdiff_t>(waiting_count_));
    waiting_count_ += values.size();
  }

  void send(std::int64_t step) noexcept {
    const bool last = left_ == 0 && waiting_count_ == 0;
    for (int i = 0; i < partners_.count(); ++i) {
      const int to = partners_.to(step, i);
      char& told = told_[static_cast<std::size_t>(to)];
      if (told != 0) continue;
      note(mail_.send(i, to, batch(step).lists[static_cast<std::size_t>(i)], last));
      told = last;
      silent_ -= last ? 1 : 0;
    }
  }

  void receive(std::int64_t step) noexcept {
    for (int i = 0; i < partners_.count(); ++i) {
      const int from = partners_.from(step, i);
      note(mail_.expect(i, heard_[static_cast<std::size_t>(from)] == 0 ? from : nobody));
    }
  }

  void take_received(std::int64_t step) noexcept {
    std::int64_t received = under_way();
    for (int i = 0; i < partners_.count(); ++i) {
      if (!mail_.expected(i)) continue;
      const auto [values, last] = mail_.open(i);
      received += static_cast<std::int64_t>(values.size());
      pending_.add(values);
      mail_.close(i);
      if (last) hear_the_last_of(partners_.from(step, i));
    }
    most_.received = std::max(most_.received, received);
  }

  void hear_the_last_of(int rank) noexcept {
    heard_[static_cast<std::size_t>(rank)] = true;
    --deaf_;
  }

  void note(int code, const char* call = "") noexcept { measure::keep_first(error_, code, call); }

  int rank_;
  UpdatePartners partners_;
  Mail mail_;
  PendingUpdates<Stream> pending_;
  std::array<UpdateBatch, 2> batches_;
  std::array<Word, batch_size + generated_together> waiting_{};
  std::size_t waiting_count_ = 0;
  std::size_t capacity_;            // values of one list: all that arrive in a step keep the rule
  std::vector<Word*> ends_;         // of a batch's lists while they are filled
  std::vector<char> told_, heard_;  // by rank: that nothing more will come
  int silent_ = 0, deaf_ = 0;       // ranks not told, ranks not heard
  Word value_ = 1;
  std::int64_t left_ = 0;
  LookAhead most_;
  int error_ = MPI_SUCCESS;
};

template <class Mail>
std::unique_ptr<UpdateExchange> batched(const mpi::Communicator& comm, Generator generator, int partners,
                                        Mail mail) {
  return with_stream(generator, [&]<class Stream>() -> std::unique_ptr<UpdateExchange> {
    return std::make_unique<Batched<Stream, Mail>>(comm, partners, std::move(mail));
  });
}

}  // namespace

std::unique_ptr<UpdateExchange> batched_exchange(const mpi::Communicator& comm, Generator generator,
                                                 int partners) {
  return batched(comm, generator, partners, MessageMail(comm, std::min(partners, comm.size() - 1)));
}

std::unique_ptr<UpdateExchange> shared_exchange(const mpi::Communicator& comm, Generator generator) {
  if (comm.size() < 2 || comm.size() > most_direct_processes) return nullptr;
  // All processes free the mail's window together: what is needed beside it is tried by an exchange that has none.
  measure::all_or_none(comm, [&] { static_cast<void>(batched_exchange(comm, generator, comm.size() - 1)); });
  SharedMail mail(comm);
  if (!mail.available()) return nullptr;
  return batched(comm, generator, comm.size() - 1, std::move(mail));
}

}  // namespace steelyard::hpcc
