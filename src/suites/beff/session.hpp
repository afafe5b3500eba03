// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "measure/engine.hpp"
#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "record/records.hpp"
#include "suites/beff/content.hpp"
#include "suites/beff/definition.hpp"
#include "suites/beff/patterns.hpp"
#include "suites/beff/settings.hpp"

namespace steelyard::beff {

/// The cyclic walk through the send and the receive buffer. It runs on over iterations, patterns, methods,
/// lengths and repetitions, so that consecutive messages use different memory.
class BufferCursor {
 public:
  BufferCursor(std::span<std::byte> send, std::span<std::byte> receive) : send_(send), receive_(receive) {}

  /// Position of the next message of `padded` bytes.
  std::int64_t next(std::int64_t padded) noexcept {
    if (base_ + padded > static_cast<std::int64_t>(send_.size())) base_ = 0;
    const std::int64_t at = base_;
    base_ += padded;
    return at;
  }
  [[nodiscard]] std::byte* send(std::int64_t at) const noexcept { return send_.data() + at; }
  [[nodiscard]] std::byte* receive(std::int64_t at) const noexcept { return receive_.data() + at; }

 private:
  std::span<std::byte> send_, receive_;
  std::int64_t base_ = 0;
};

/// Bytes that one message of `length` takes in the buffers: a multiple of 8.
[[nodiscard]] constexpr std::int64_t padded(std::int64_t length) {
  return (length + 7) / 8 * 8;
}

// The timed loops of the three methods.

/// One pattern at one length as a process sees it.
struct Loop {
  MPI_Comm comm = MPI_COMM_NULL;  // of the pattern's numbering; null on a process that is not in it
  int rank = 0, processes = 0;    // in comm
  std::vector<Slot> slots;        // of this process; empty if it takes no part
  int k = 0;
  std::int64_t bytes = 0;
};

/// Iterations of a loop by one method. Every process of `comm` runs it; one without slots does nothing but
/// call the collective. verify() checks whole contents of messages up to 64 kbyte and tells what `wrong`
/// holds from the loops. `walk` and `wrong` outlive the workload. Throws std::bad_alloc.
[[nodiscard]] std::unique_ptr<measure::Workload> open_loop(Method method, const Loop& loop,
                                                           BufferCursor& walk, Mismatches& wrong);

/// Record of one pattern at one length by one method. classic: the pattern (pattern_name, set, slots,
/// messages, used) and, one element per measured repetition, repetition (1, 2, 3), looplength, repeats_s
/// (loop of the slowest process), min_byte_s, avg_byte_s, max_byte_s (bandwidth of single processes); best_s
/// and bandwidth_byte_s of the best repetition. On rank 0 only.
[[nodiscard]] record::PointRecord point_record(const Pattern& pattern, Bytes length,
                                               const measure::Outcome& outcome, record::PointRecord base);

/// Communicators in whose ranks patterns name their partners. Cartesian ones may be reordered by MPI.
/// Construction is collective over `world`.
class Numberings {
 public:
  explicit Numberings(const mpi::Communicator& world);
  [[nodiscard]] const mpi::Communicator& of(Numbering numbering) const;

 private:
  std::array<mpi::Communicator, 6> communicators_;
};

}  // namespace steelyard::beff
