// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "mpi/communicator.hpp"
#include "suites/hpcc/foundation/node_memory.hpp"
#include "suites/hpcc/hpl/blas.hpp"
#include "suites/hpcc/hpl/rows.hpp"
#include "suites/hpcc/hpl/shape.hpp"

namespace steelyard::hpcc::hpl {

/// Looks until something is so. After some looks in vain calls `between` between them, and lets messages move and others
/// have the processor. Throws mpi::Error.
void look_until(const mpi::Communicator& comm, const std::function<bool()>& is_so,
                const std::function<void()>& between);

/// Memory that the processes of a process column share where one node has all of them: pivots and rows of U change hands
/// in it without messages, and U is there once for all.
class ColumnMemory {
 public:
  ColumnMemory() = default;
  /// Not available, on all processes of the column, if it has a single one, several nodes, or too little shared memory.
  /// `column` must outlive this. Collective over the column. Throws mpi::Error.
  ColumnMemory(const mpi::Communicator& column, const Shape& shape);

  [[nodiscard]] bool available() const { return memory_.available(); }
  /// Waits until all processes of the column have come here as often as this one: what they wrote before can be read.
  /// Calls `between` after looks in vain, and lets messages move and others have the processor. Collective over the
  /// column. Throws mpi::Error.
  void meet(const std::function<void()>& between = {});

  /// Place of a process row for its candidate for a pivot. There are two in turn: what lies in one may be read until the
  /// meeting after the next one.
  [[nodiscard]] double* candidate(int process_row) const;
  void turn_candidates() { candidates_ ^= 1; }
  /// Where the memory begins that all have together.
  [[nodiscard]] const double* common() const { return available() ? of(0) : nullptr; }
  /// Memory for U of all local columns, of all processes together; two in turn like the above.
  [[nodiscard]] double* rows_of_u() const;
  void turn_rows_of_u() { rows_ ^= 1; }
  /// Memory for rows of all local columns that leave the block.
  [[nodiscard]] double* displaced_rows() const;
  /// Distance of rows of so many columns in these.
  [[nodiscard]] static std::int64_t leading(std::int64_t columns) { return panel_leading(columns); }

 private:
  [[nodiscard]] double* of(int process_row) const {
    return reinterpret_cast<double*>(memory_.of(process_row));
  }
  [[nodiscard]] std::uint64_t& count_of(int process_row) const;

  const mpi::Communicator* column_ = nullptr;
  std::int64_t candidate_length_ = 0, rows_length_ = 0;  // doubles
  NodeMemory memory_;
  std::uint64_t meetings_ = 0;
  int candidates_ = 0, rows_ = 0;
};

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
