// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/foundation/node_memory.hpp"
#include "suites/hpcc/random_access/update_batch.hpp"

/// How the lists of the batched exchange of RandomAccess reach the other processes. One list goes to and one
/// comes from every partner in a step; partner i need not be the same process in every step.
namespace steelyard::hpcc {

inline constexpr int nobody = -1;

/// What has come from a partner.
struct UpdateMail {
  std::span<const std::uint64_t> values;
  bool last = false;  // nothing more will come
};

/// In messages of MPI. Functions answer MPI's code.
class MessageMail {
 public:
  MessageMail(const mpi::Communicator& comm, int partners);

  /// Before the first list of a run.
  void begin() noexcept;
  /// Gives a list that will be sent the memory in which it is filled.
  void make_room(int /*to*/, UpdateList& /*list*/) noexcept {}
  int send(int i, int to, UpdateList& list, bool last) noexcept;
  /// From a rank or from nobody.
  int expect(int i, int from) noexcept;
  /// What was expected has come, what was sent has left.
  int complete() noexcept;
  [[nodiscard]] bool expected(int i) const noexcept { return posted_[static_cast<std::size_t>(i)] != 0; }
  /// What has come; to be copied at once.
  [[nodiscard]] UpdateMail open(int i) const noexcept;
  /// It was copied.
  void close(int /*i*/) noexcept {}
  /// What was sent has left.
  int finish() noexcept;

 private:
  MPI_Comm comm_;
  std::vector<std::vector<std::uint64_t>> incoming_;
  std::vector<int> words_;  // of each incoming list
  std::vector<char> posted_;
  std::vector<MPI_Request> sends_, receives_;
  std::vector<MPI_Status> statuses_;
};

/// Through memory that all processes of a node share: every process has a box for each other one, in which
/// that one fills the lists itself. Nothing is copied on the way, and no library is asked. At most 16
/// processes.
class SharedMail {
 public:
  /// Collective. Not available where not all processes share a node that has the memory left.
  explicit SharedMail(const mpi::Communicator& comm);
  [[nodiscard]] bool available() const { return boxes_.whole(); }

  void begin() noexcept {}
  /// Waits until the receiver has emptied a place for the list.
  void make_room(int to, UpdateList& list) noexcept;
  int send(int i, int to, UpdateList& list, bool last) noexcept;
  int expect(int i, int from) noexcept;
  int complete() noexcept;
  [[nodiscard]] bool expected(int i) const noexcept { return from_[static_cast<std::size_t>(i)] != nobody; }
  [[nodiscard]] UpdateMail open(int i) const noexcept;
  void close(int i) noexcept;
  int finish() noexcept { return MPI_SUCCESS; }

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t line_words = 8;
  static constexpr std::size_t place_words = (UpdateList::room + line_words - 1) / line_words * line_words;
  /// The sender is one step ahead of what the receiver has seen; twice that, and neither waits for the other.
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
