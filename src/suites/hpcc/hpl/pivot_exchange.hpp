// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"

namespace steelyard::hpcc::hpl {

/// The largest element of a column over the rows of a process column, its whole panel row, and the row on the
/// diagonal, exchanged together: a binary exchange in ceil(log2 P) steps of one message of 4 + 2 width
/// doubles.
class PivotExchange {
 public:
  /// `column`: outlives this.
  PivotExchange(const mpi::Communicator& column, std::int64_t width);

  /// Fill in before run(): the own candidate; a process without rows says so.
  void offer(double value, std::int64_t local_row, std::int64_t global_row);
  void offer_nothing();
  [[nodiscard]] std::span<double> row() const { return {mine_ + header, width_}; }
  [[nodiscard]] std::span<double> diagonal() const { return {mine_ + header + width_, width_}; }

  /// Collective over the column; `owner`: process row of the diagonal. Afterwards all hold the winner: larger
  /// magnitude, then lower process row. Throws mpi::Error.
  void run(int owner);

  [[nodiscard]] double value() const { return mine_[0]; }
  [[nodiscard]] std::int64_t local_row() const { return static_cast<std::int64_t>(mine_[1]); }
  [[nodiscard]] double global_row() const { return mine_[2]; }
  [[nodiscard]] int process_row() const { return static_cast<int>(mine_[3]); }

 private:
  static constexpr std::size_t header = 4;

  void swap_messages(int partner);
  void merge(bool with_diagonal);
  void send(int partner);
  void receive(int partner, double* to);

  const mpi::Communicator* column_;
  std::size_t width_;
  std::vector<double> memory_;
  double *mine_, *theirs_;
};

}  // namespace steelyard::hpcc::hpl
