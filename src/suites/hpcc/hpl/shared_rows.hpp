// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "mpi/communicator.hpp"
#include "suites/hpcc/foundation/node_memory.hpp"
#include "suites/hpcc/hpl/shape.hpp"

namespace steelyard::hpcc::hpl {

/// Matrix and panels of the processes of a process column, where one node has all of them: who has multiplied its rows
/// takes over some of another one's that nobody has begun. So neither uneven rows nor a slower core is waited for.
class SharedRows {
 public:
  /// Rows under a block, from the first of its process.
  struct Range {
    std::int64_t first = 0, count = 0;
  };

  SharedRows() = default;
  /// Room for the matrix, its first element at a multiple of the shape's alignment, and for `slots` panels. Not available,
  /// on all processes of the column, if it has a single one, several nodes, too little shared memory, or if the kernel does
  /// not give that huge pages, without which products lose more than they win. `column` must outlive this. Collective over the column. Throws mpi::Error.
  SharedRows(const mpi::Communicator& column, const Shape& shape, std::int64_t slots);

  [[nodiscard]] bool available() const { return memory_.available(); }
  [[nodiscard]] double* matrix(int process_row) const;
  /// Memory of panel k of a process row: that of the panel so many slots before.
  [[nodiscard]] double* panel(int process_row, std::int64_t k) const;
  [[nodiscard]] const NodeMemory& memory() const { return memory_; }

  /// Offers the rows of this process for the next product of the column. Others take them after a meeting that follows.
  void offer();
  /// Takes some of the rows of a process row, of so many in all, that nobody has begun: most of what is left of the own
  /// ones, half of another's, `least` at least where there are, `most` at most. nullopt if none is left.
  [[nodiscard]] std::optional<Range> take(int process_row, std::int64_t rows, std::int64_t least,
                                          std::int64_t most);
  /// Tells that rows which were taken have their product.
  void finish(int process_row, const Range& range);
  /// Waits until all rows of this process, so many, have it. Calls `between` after looks in vain.
  void await(std::int64_t rows, const std::function<void()>& between) const;

 private:
  [[nodiscard]] Shape shape_of(int process_row) const;
  [[nodiscard]] std::uint64_t& word(int process_row, int line) const;

  const mpi::Communicator* column_ = nullptr;
  Shape shape_;
  std::int64_t slots_ = 1;
  NodeMemory memory_;
  std::uint64_t products_ = 0;
};

}  // namespace steelyard::hpcc::hpl
