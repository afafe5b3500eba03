// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "machine/pages.hpp"
#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "mpi/handle.hpp"
#include "suites/hpcc/form.hpp"
#include "suites/hpcc/foundation/node_memory.hpp"
#include "suites/hpcc/ptrans/data.hpp"

namespace steelyard::hpcc {

/// PTRANS: C <- transposed A + C, both matrices block-cyclic over one grid. Every run adds once more. base:
/// all blocks for a partner are packed, sent in one message and added. optimized: pieces are packed, sent and
/// added at the same time, the own part is added directly, and on a node the faster of both ways is taken.
class Ptrans {
 public:
  /// Allocates. Collective over `grid`, whose size is that of the matrix's grid; communicates only before it
  /// allocates. A message of more than `longest` doubles travels as one element of a derived type. Throws
  /// std::bad_alloc, std::invalid_argument, mpi::Error.
  Ptrans(const mpi::Communicator& grid, const GridMatrix& matrix, Form form,
         std::int64_t longest = std::numeric_limits<int>::max());
  /// Fills the matrices, before the first run. The optimized form without a given way tries those that this
  /// machine offers, two runs each at most. Collective. Throws mpi::Error.
  void prepare(std::optional<Way> way = {});

  int run() noexcept;

  /// Compares with the same sums from data generated anew. `worst`: largest deviation over the largest value,
  /// over (half_epsilon n); `errors`: own elements that differ, if that is above the threshold. Collective. Throws
  /// measure::SharedFailure on all processes if one has not enough memory for the data.
  [[nodiscard]] measure::CheckResult verify(double threshold = default_threshold);

  /// Largest deviation over the largest value, as found by the last verify().
  [[nodiscard]] double error() const { return error_; }
  [[nodiscard]] double* result() const noexcept { return c_.data(); }
  /// Way of the next runs; shared_memory only if some partners share a node.
  [[nodiscard]] Way way() const { return way_; }

 private:
  /// Blocks of a route that travel together: some slabs, or a part of one.
  struct Piece {
    const Route* route;
    std::span<const std::int64_t> row_blocks, column_blocks;  // of the route
    std::int64_t height, elements;                            // height: of all column blocks together
    mpi::Transfer doubles;
  };

  /// Pieces to send, to receive, and to read where they lie.
  struct Transfers {
    std::vector<Piece> sends, receives, direct;
  };

  void fill();
  [[nodiscard]] Transfers transfers(Way way) const;
  void allocate_slots(const Transfers& largest);
  void use(Way way);
  [[nodiscard]] std::vector<Piece> pieces(const std::vector<Route>& routes) const;
  /// The next blocks of a route to travel together, of which `done` blocks, slab by slab, are in pieces already.
  [[nodiscard]] Piece next_piece(const Route& route, std::size_t done) const;
  void pack(const Piece& piece, double* to) const noexcept;
  void add(const Piece& piece, const double* from) const noexcept;
  void add_direct(const Piece& piece) const noexcept;
  [[nodiscard]] const double* part_of(int partner) const noexcept;
  [[nodiscard]] std::int64_t source(std::int64_t bi, std::int64_t bj, std::int64_t rows) const noexcept;
  [[nodiscard]] double* target(std::int64_t bj, std::int64_t bi) const noexcept;
  struct Progress;
  int exchange_whole() noexcept;
  int exchange_pieces() noexcept;
  void post(Progress& progress) noexcept;
  bool send_next(Progress& progress) noexcept;
  bool add_next(Progress& progress) noexcept;
  [[nodiscard]] bool finished(const Progress& progress) const noexcept;
  [[nodiscard]] std::size_t slots() const noexcept { return static_cast<std::size_t>(ahead_); }
  /// Place of a piece while it travels.
  [[nodiscard]] double* slot(const machine::HugeArray<double>& buffer, std::size_t piece) const noexcept;

  mpi::Communicator comm_;
  GridMatrix matrix_;
  Form form_;
  std::int64_t longest_;
  std::int64_t rows_, columns_;     // of this process
  NodeMemory node_;                 // A, where others of the node may read it
  machine::HugeArray<double> own_;  // A elsewhere
  double* a_ = nullptr;
  machine::HugeArray<double> c_;
  std::vector<Route> out_, in_;
  Way way_ = Way::messages;
  Transfers now_;
  std::int64_t slot_ = 0;  // elements of the longest piece
  std::int64_t ahead_ = 1;
  machine::HugeArray<double> packed_, arrived_;
  std::vector<MPI_Request> send_requests_, receive_requests_;
  double error_ = 0;
  int runs_ = 0;
};

}  // namespace steelyard::hpcc
