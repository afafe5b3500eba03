// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/hpl/async_transfer.hpp"
#include "suites/hpcc/hpl/rows.hpp"

/// Interchanges of rows that lie in several process rows, all of which also need U, the
/// rows that come into the block.
namespace steelyard::hpcc::hpl {

/// Interchanges to be done in n columns that begin at a.
struct Payload {
  const Interchanges* interchanges = nullptr;
  const PanelShape* panel = nullptr;
  std::int64_t n = 0;
  RowMatrix a;  // local row 0
  RowBuffer u;  // row i of the block in slot i
};
/// Call between steps and after looks in vain.
using Between = std::function<void()>;

/// bin-exch: exchange and broadcast combined, in log2 P steps in which pairs of process rows exchange either
/// what they gathered or the whole of U.
class BinaryExchange {
 public:
  /// `packed`: memory for a row of U in every column and block row; it and `column` must outlive this.
  BinaryExchange(const mpi::Communicator& column, std::span<double> packed)
      : column_(&column), packed_(packed) {}
  /// Does the interchanges. Collective over the column. Throws mpi::Error.
  void run(const Payload& payload, const Between& between);

 private:
  [[nodiscard]] std::size_t position(int distance) const;
  [[nodiscard]] std::span<const Coming> group(int distance) const;
  void number_groups();
  void fill_u() const;
  void pack_own() const;
  void fold();
  void follow();
  void cross(int span);
  void take_u();
  void store(int first, int last);
  void exchange(int distance, std::span<double> out, std::span<double> into);
  [[nodiscard]] std::span<double> rows_of(int first, int last) const;
  [[nodiscard]] std::span<double> whole_u() const;

  const mpi::Communicator* column_;
  std::span<double> packed_;
  const Payload* payload_ = nullptr;
  const Between* between_ = nullptr;
  int size_ = 1, me_ = 0, whole_ = 1;
  std::vector<std::int64_t> starts_;  // first packed row of the group at each position
};

/// Rows from position `from` to position `to`.
struct Shift {
  int from = 0, to = 0;
  std::int64_t rows = 0;
  friend bool operator==(const Shift&, const Shift&) = default;
};
/// Shifts that make groups of these numbers of rows as even as can be. Pure.
[[nodiscard]] std::vector<Shift> even_out(std::span<const std::int64_t> rows);

/// Carrier of rows between process rows: the schedules of this program, or the MPI library's collectives
/// (scatterv and allgatherv without blocking).
enum class Carrier { schedules, library };

/// long: the displaced rows are spread along a tree, swapped with the pivot rows, and the groups of rows that
/// U then consists of go round.
class SpreadRoll {
 public:
  /// `packed`: memory for two rows of U in every column and block row; it and `column` must outlive this.
  SpreadRoll(const mpi::Communicator& column, Equilibration equilibration, Carrier carrier,
             std::span<double> packed)
      : column_(&column), equilibration_(equilibration), carrier_(carrier), packed_(packed) {}
  /// Does the interchanges. Collective over the column. Throws mpi::Error.
  void run(const Payload& payload, const Between& between);

 private:
  /// A process row in the order of the tree, and the slots of U whose rows it contributes.
  struct Group {
    int process_row = 0;
    std::vector<std::int64_t> slots;
  };
  void order_groups();
  [[nodiscard]] std::vector<std::int64_t> bounds(std::int64_t first) const;
  [[nodiscard]] std::span<const Coming> coming(std::size_t position) const;
  void load_root() const;
  void exchange_own() const;
  struct Shares {
    std::vector<int> counts, places;
  };
  [[nodiscard]] Shares shares(std::int64_t first) const;
  void spread();
  void roll(std::int64_t first);
  void travel(Steps steps);
  void scatter();
  void gather(std::int64_t first);
  std::int64_t equilibrate();
  [[nodiscard]] Step shift_rows(std::span<const Shift> shifts, Bounds before, Bounds after) const;

  const mpi::Communicator* column_;
  Equilibration equilibration_;
  Carrier carrier_;
  std::span<double> packed_;
  const Payload* payload_ = nullptr;
  const Between* between_ = nullptr;
  std::vector<Group> groups_;
  int me_ = 0;
  AsyncTransfer transfer_;
};

}  // namespace steelyard::hpcc::hpl
