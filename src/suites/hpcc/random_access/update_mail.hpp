// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/foundation/node_memory.hpp"
#include "suites/hpcc/random_access/update_stream.hpp"

namespace steelyard::hpcc {

// Parts of the batched exchange of RandomAccess.

/// Updates whose words are on their way from memory: enough to keep all of a core's miss buffers busy.
inline constexpr std::size_t updates_under_way = 64;
/// Values of a batch. One batch waits while another travels and the last values of a third are under way;
/// together these are the 1024 values of the rule.
inline constexpr std::size_t batch_size = (most_ahead - updates_under_way) / 2;

/// Values that go the same way, in words behind word 0, which belongs to the mail that carries them.
class UpdateList {
 public:
  using Word = std::uint64_t;
  /// Words of a list: word 0, a full batch, and one more that may be written and does not count.
  static constexpr std::size_t room = batch_size + 2;

  UpdateList() : own_(room), words_(own_.data()) {}
  /// Puts the values into this memory of `room` words from now on; nullptr: into the list's own.
  void lie_in(Word* words) noexcept { words_ = words == nullptr ? own_.data() : words; }
  [[nodiscard]] Word* words() noexcept { return words_; }

  /// Place of the next value; end_at() tells how far values were put from there on.
  [[nodiscard]] Word* end() noexcept { return words_ + 1 + count_; }
  void end_at(const Word* end) noexcept { count_ = static_cast<std::size_t>(end - words_) - 1; }
  void clear() noexcept { count_ = 0; }
  void cut(std::size_t count) noexcept { count_ = count; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] std::span<const Word> values() const noexcept { return {words_ + 1, count_}; }

 private:
  std::vector<Word> own_;
  Word* words_;
  std::size_t count_ = 0;
};

/// Partners of a process in each step: it sends to the ranks some places on and receives from those as many
/// places back. These are all other processes in every step, or as many as are allowed in turn.
class UpdatePartners {
 public:
  UpdatePartners(const mpi::Communicator& comm, int most)
      : rank_(comm.rank()), others_(comm.size() - 1), count_(std::min(others_, most)) {}
  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] int to(std::int64_t step, int i) const noexcept {
    return (rank_ + 1 + distance(step, i)) % (others_ + 1);
  }
  [[nodiscard]] int from(std::int64_t step, int i) const noexcept {
    return (rank_ + others_ - distance(step, i)) % (others_ + 1);
  }
  /// Place of a rank among the partners of this step; count() is this process itself, count() + 1 those of
  /// other steps.
  [[nodiscard]] __attribute__((always_inline)) int place(std::int64_t step, int rank) const noexcept {
    const int distance = rank > rank_ ? rank - rank_ - 1 : rank - rank_ + others_;
    return count_ == others_ ? distance : place_in_turn(step, distance);
  }

 private:
  [[nodiscard]] int first(std::int64_t step) const noexcept {
    return static_cast<int>(step * count_ % std::max(others_, 1));
  }
  [[nodiscard]] int distance(std::int64_t step, int i) const noexcept { return (first(step) + i) % others_; }
  [[nodiscard]] int place_in_turn(std::int64_t step, int distance) const noexcept {
    if (distance == others_) return count_;
    const int place = (distance + others_ - first(step)) % others_;
    return place < count_ ? place : count_ + 1;
  }

  int rank_, others_, count_;
};

/// Values of one step by destination: messages to its partners, then own values, then those of other steps.
struct UpdateBatch {
  explicit UpdateBatch(int partners) : lists(static_cast<std::size_t>(partners) + 2) {}
  [[nodiscard]] UpdateList& own() noexcept { return lists[lists.size() - 2]; }
  [[nodiscard]] UpdateList& later() noexcept { return lists.back(); }

  std::vector<UpdateList> lists;
  std::int64_t values = 0;  // that have not left or been applied
};

// How the lists of the batched exchange of RandomAccess reach the other processes. One list goes to and one
// comes from every partner in a step; partner i need not be the same process in every step.

inline constexpr int nobody = -1;

/// Values that have come from a partner.
struct ReceivedUpdates {
  std::span<const std::uint64_t> values;
  bool last = false;  // nothing more will come
};

/// Mail in messages of MPI. Functions return MPI's code.
class MessageMail {
 public:
  MessageMail(const mpi::Communicator& comm, int partners);

  /// Called before the first list of a run.
  void begin() noexcept;
  /// Gives a list that will be sent the memory in which it is filled.
  void make_room(int /*to*/, UpdateList& /*list*/) noexcept {}
  int send(int i, int to, UpdateList& list, bool last) noexcept;
  /// Expects a list from a rank, or from nobody.
  int expect(int i, int from) noexcept;
  /// Waits until all that was expected has come and all that was sent has left.
  int complete() noexcept;
  [[nodiscard]] bool expected(int i) const noexcept { return posted_[static_cast<std::size_t>(i)] != 0; }
  /// Values that have come; to be copied at once.
  [[nodiscard]] ReceivedUpdates open(int i) const noexcept;
  /// Called when these have been copied.
  void close(int /*i*/) noexcept {}
  /// Waits until all that was sent has left.
  int finish() noexcept;

 private:
  MPI_Comm comm_;
  std::vector<std::vector<std::uint64_t>> incoming_;
  std::vector<int> words_;  // of each incoming list
  std::vector<char> posted_;
  std::vector<MPI_Request> sends_, receives_;
  std::vector<MPI_Status> statuses_;
};

/// Mail through memory that all processes of a node share: every process has a box for each other one, which
/// fills the lists in it. Nothing is copied on the way, and no library is asked. At most 16 processes.
class SharedMail {
 public:
  /// Makes the boxes. Not available unless all processes share a node that has the memory left. Collective.
  explicit SharedMail(const mpi::Communicator& comm);
  [[nodiscard]] bool available() const { return boxes_.whole(); }

  void begin() noexcept {}
  /// Waits until the receiver has emptied a place for the list.
  void make_room(int to, UpdateList& list) noexcept;
  int send(int i, int to, UpdateList& list, bool last) noexcept;
  int expect(int i, int from) noexcept;
  int complete() noexcept;
  [[nodiscard]] bool expected(int i) const noexcept { return from_[static_cast<std::size_t>(i)] != nobody; }
  [[nodiscard]] ReceivedUpdates open(int i) const noexcept;
  void close(int i) noexcept;
  int finish() noexcept { return MPI_SUCCESS; }

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t line_words = 8;
  static constexpr std::size_t place_words = (UpdateList::room + line_words - 1) / line_words * line_words;
  /// Lists in a box. The sender is one step ahead of what the receiver has seen; with twice that many lists
  /// neither waits for the other.
  static constexpr std::uint64_t places = 4;
  struct Box {
    alignas(64) Word taken;  // lists that the receiver has copied
    alignas(64) std::array<std::array<Word, place_words>, places> lists;  // word 0: number, length, last
  };

  [[nodiscard]] Box& box(int receiver, int sender) const noexcept;
  [[nodiscard]] Word head(int from) const noexcept;

  int rank_;
  NodeMemory boxes_;
  std::vector<std::uint64_t> sent_, taken_, received_;  // lists, by rank; taken_: as far as known
  std::vector<int> from_;                               // by partner
};

}  // namespace steelyard::hpcc
