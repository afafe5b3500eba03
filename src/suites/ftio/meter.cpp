// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/meter.hpp"

namespace steelyard::ftio {

void Meter::read(ColumnFile& file, const Pieces& pieces, Complex* to) {
  const double start_s = now_s();
  file.read(pieces, to);
  sums_->io_s += now_s() - start_s;
  sums_->traffic += {pieces.total_byte(), 0, pieces.count};
}

void Meter::write(ColumnFile& file, const Pieces& pieces, const Complex* from) {
  const double start_s = now_s();
  file.write(pieces, from);
  sums_->io_s += now_s() - start_s;
  sums_->traffic += {0, pieces.total_byte(), pieces.count};
}

void Meter::sync(ColumnFile& file) {
  const double start_s = now_s();
  file.sync();
  sums_->io_s += now_s() - start_s;
}

}  // namespace steelyard::ftio
