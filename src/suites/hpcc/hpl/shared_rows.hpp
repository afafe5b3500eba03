// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "mpi/communicator.hpp"
#include "suites/hpcc/foundation/node_memory.hpp"
#include "suites/hpcc/hpl/blas.hpp"
#include "suites/hpcc/hpl/rows.hpp"
#include "suites/hpcc/hpl/shape.hpp"

namespace steelyard::hpcc::hpl {

/// Rows of a matrix of which L U is subtracted, L with a row for each and U with `depth` rows.
struct Product {
  std::int64_t panel = 0;  // that L is of
  std::int64_t rows = 0, columns = 0, depth = 0;
  RowMatrix c;
  blas::In l, u;
  blas::Op of_u = blas::Op::plain;  // of the transposed product

  [[nodiscard]] Product part(std::int64_t first, std::int64_t count) const;
};

/// Matrix and panels of processes that one node has all of, those of a process column or, where that is a single one, of a
/// process row: who waits takes over rows of another one's product that nobody has begun. So neither uneven parts nor a
/// slower core is waited for as long.
class SharedRows {
 public:
  SharedRows() = default;
  /// Room for the matrix, its first element at a multiple of the shape's alignment, and for `slots` panels. Not available,
  /// on all of them, if `members` is a single one or on several nodes, if there is too little shared memory, or if the
  /// kernel does not give that huge pages, without which products lose more than they win. `common`: memory that all
  /// members have of each other, where U lies; nullptr if it lies in the matrix. Collective over `members`. Throws
  /// mpi::Error.
  SharedRows(const mpi::Communicator& members, const Shape& shape, std::int64_t slots, const double* common);

  [[nodiscard]] bool available() const { return memory_.available(); }
  [[nodiscard]] double* matrix() const { return matrix_; }
  /// Memory of panel k: that of the panel so many slots before.
  [[nodiscard]] double* panel(std::int64_t k) const;
  [[nodiscard]] const NodeMemory& memory() const { return memory_; }
  [[nodiscard]] int member() const { return member_; }
  [[nodiscard]] int members() const { return members_; }

  /// Offers all rows of a product of this process, whose product before is finished.
  void offer(const Product& product);
  /// Whether a member has rows that nobody has begun.
  [[nodiscard]] bool has_rows(int member) const;
  /// Takes some of these: most of what is left of the own ones, half of another's, `least` at least where there are, `most`
  /// at most. nullopt if none is left.
  [[nodiscard]] std::optional<Product> take(int member, std::int64_t least, std::int64_t most);
  /// Tells that so many rows which were taken have their product.
  void finish(int member, std::int64_t rows);
  /// Whether all rows of the product of this process have it.
  [[nodiscard]] bool finished() const;

 private:
  [[nodiscard]] double* of(int member) const { return reinterpret_cast<double*>(memory_.of(member)); }
  [[nodiscard]] std::int64_t& word(int member, int line) const;

  int member_ = 0, members_ = 1;
  std::int64_t panel_length_ = 0, slots_ = 1;
  const double* common_ = nullptr;
  NodeMemory memory_;
  double* matrix_ = nullptr;
  std::int64_t products_ = 0, rows_ = 0;  // offered so far; of the last one
};

}  // namespace steelyard::hpcc::hpl
