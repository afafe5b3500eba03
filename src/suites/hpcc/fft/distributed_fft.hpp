// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "machine/pages.hpp"
#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "mpi/handle.hpp"
#include "suites/hpcc/fft/local_fft.hpp"
#include "suites/hpcc/fft/passes.hpp"
#include "suites/hpcc/form.hpp"
#include "suites/hpcc/foundation/named_buffer.hpp"
#include "suites/hpcc/foundation/node_memory.hpp"
#include "suites/hpcc/foundation/stopwatch.hpp"

namespace steelyard::hpcc {

/// The transform over all processes of a communicator: forward, natural order in contiguous blocks before
/// and after. base: three exchanges by MPI_Alltoall. optimized: exchanges in parts that travel while others
/// are transformed, or, where it is faster on one node, no exchanges at all: the passes gather from and
/// store to the memory of the others.
class DistributedFft {
 public:
  /// Plans. n = 2^a 3^b 5^c with two factors that the number of processes divides. Throws std::bad_alloc,
  /// std::invalid_argument for other lengths, std::runtime_error if the library refuses a shape. A message of
  /// more than `longest` doubles travels as one element of a derived type. Collective; communicates only before
  /// it allocates.
  DistributedFft(const mpi::Communicator& comm, std::int64_t n, Form form,
                 std::int64_t longest = std::numeric_limits<int>::max());
  /// Makes the data, before the first run. The optimized form without a given way tries both where there are
  /// two, two runs each at most. Collective. Throws mpi::Error.
  void prepare(std::optional<Way> way = {});

  int run() noexcept;

  /// Compares the inverse, by plain transforms and blocking exchanges, with the data generated anew. `worst`:
  /// largest deviation of own elements over (half_epsilon ln n); `errors` = 1 unless that is below the
  /// threshold. The result is used up. Collective.
  [[nodiscard]] measure::CheckResult verify(double threshold = default_threshold);

  /// Seconds of the last run on this process: first exchange, transforms of length n1, second exchange,
  /// transforms of length n2, third exchange; each with the copies that belong to it. An exchange that is
  /// hidden behind a transform takes no time.
  static constexpr std::size_t stage_count = 5;
  [[nodiscard]] const std::array<double, stage_count>& stage_times() const { return stages_; }
  /// Seconds beside the runs on this process; choosing the way belongs to planning.
  [[nodiscard]] const FftSeconds& beside() const { return beside_; }
  [[nodiscard]] std::vector<NamedBuffer> buffers() const;
  /// Elements of this process, from number rank n / p on.
  [[nodiscard]] std::span<Complex> result() const noexcept {
    return {out_, static_cast<std::size_t>(n_ / p_)};
  }
  /// Way of the next runs; shared_memory only if all processes share a node.
  [[nodiscard]] Way way() const { return way_; }

 private:
  /// What travels to one partner at a time.
  struct Block {
    std::int64_t elements;
    mpi::Transfer doubles;
  };
  /// An exchange of a block with every partner.
  struct Exchange {
    const Complex* send;
    Complex* receive;
    const Block& block;
  };

  /// Whether the part of all exchanges that is for this process stays where it is read or written.
  [[nodiscard]] bool stays(std::int64_t rank) const noexcept {
    return form_ == Form::optimized && rank == comm_.rank();
  }
  // Rows of a process, in eights: the last of each part is smaller if need be.
  [[nodiscard]] std::int64_t part_groups() const noexcept { return lane_groups(height_); }
  [[nodiscard]] std::int64_t groups() const noexcept { return lane_groups(m1_, height_); }
  /// Stores what columns_ has transformed for the rows of rank q; to: its first cell, stride: cells from a group
  /// to the next one.
  void store_columns(std::int64_t q, LaneCell* to, std::int64_t stride) const noexcept;
  /// Transforms the rows of a part to places_, which are those of its first row.
  void run_rows(std::int64_t part, std::int64_t tile, std::int64_t distance) noexcept;
  void pack_columns(std::int64_t part) noexcept;
  void transform_columns(std::int64_t part) noexcept;
  void transform_rows(std::int64_t part) noexcept;
  void unpack_rows(std::int64_t part) noexcept;
  [[nodiscard]] Exchange first(std::int64_t part) const noexcept;
  [[nodiscard]] Exchange second(std::int64_t part) const noexcept;
  [[nodiscard]] Exchange third(std::int64_t part) const noexcept;
  enum class Stage { first, columns, second, rows, third };
  /// Adds the time since the last call to this stage.
  void lap(Stage stage) noexcept;
  /// Arrays of a process of the node: cells between the passes, input, output.
  enum class Array { between, in, out };
  [[nodiscard]] Complex* array_of(int rank, Array array) const noexcept;
  [[nodiscard]] LaneCell* cells_of(int rank) const noexcept;
  [[nodiscard]] std::int64_t cells_between() const noexcept { return groups() * factors_.n2; }
  [[nodiscard]] std::int64_t elements_of_arrays() const noexcept {
    return cells_between() * lanes + 2 * (n_ / p_);
  }
  void place_arrays();
  int run_at_once() noexcept;
  int run_in_place() noexcept;
  void columns_in_place() noexcept;
  void rows_in_place() noexcept;
  int run_in_parts() noexcept;
  void columns_in_parts() noexcept;
  void rows_in_parts() noexcept;
  /// Requests of the exchanges of two parts, which take turns.
  using Turns = std::array<std::vector<MPI_Request>, 2>;
  [[nodiscard]] static std::vector<MPI_Request>& of(Turns& turns, std::int64_t part) noexcept {
    return turns[static_cast<std::size_t>(part % 2)];
  }
  int at_once(const Exchange& exchange) noexcept;
  void start(const Exchange& exchange, std::int64_t distance, int tag,
             std::vector<MPI_Request>& requests) noexcept;
  void finish(std::vector<MPI_Request>& requests) noexcept;

  Stopwatch made_;  // before all that plans
  mpi::Communicator comm_;
  std::int64_t n_, p_, longest_;
  Form form_;
  Factors factors_;
  std::int64_t m1_, m2_;  // n1 / p, n2 / p
  ColumnPass columns_;
  RowPass rows_;
  std::int64_t width_, height_;  // columns and rows of one part
  Block columns_block_, cells_block_, rows_block_;
  NodeMemory node_;  // the three arrays where others of the node may read and write them
  LaneCell* d_ = nullptr;
  Complex *in_ = nullptr, *out_ = nullptr;  // out_ also holds what the first exchange sends
  machine::HugeArray<Complex> b_;
  machine::HugeArray<LaneCell> c_;
  machine::HugeArray<Complex> own_;  // the three arrays otherwise
  std::vector<RowPass::Place> places_;
  Way way_ = Way::messages;
  Turns outer_, inner_;  // of the first and third exchange, and of the second one
  int error_ = 0;
  double last_lap_ = 0;
  std::array<double, stage_count> stages_{};
  FftSeconds beside_;
};

/// Computes the inverse transform of values in blocks, by plain means, with two buffers as large. Collective.
/// `longest` as above.
void plain_distributed_inverse(const mpi::Communicator& comm, const Factors& factors,
                               std::span<Complex> values, std::span<Complex> one, std::span<Complex> other,
                               std::int64_t longest = std::numeric_limits<int>::max());

}  // namespace steelyard::hpcc
