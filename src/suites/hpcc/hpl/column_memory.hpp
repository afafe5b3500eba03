// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "mpi/communicator.hpp"
#include "suites/hpcc/foundation/node_memory.hpp"
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

}  // namespace steelyard::hpcc::hpl
