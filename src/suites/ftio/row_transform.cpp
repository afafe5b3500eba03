// SPDX-License-Identifier: Apache-2.0
// With n = n1 B + n2 (n1 the owner before) and k = k1 + c k2, the factor of x(n) in X(k) is
// exp(-2 pi j n1 k1 / c) exp(-2 pi j n2 k1 / N) exp(-2 pi j n2 k2 / B).
#include "suites/ftio/row_transform.hpp"

#include <algorithm>

#include "mpi/error.hpp"

namespace steelyard::ftio {
namespace {

/// out[b][a] = in[a][b], elements of `length`.
void swap_blocks(const Complex* in, Complex* out, std::int64_t a, std::int64_t b, std::int64_t length) {
  for (std::int64_t i = 0; i < a; ++i)
    for (std::int64_t j = 0; j < b; ++j)
      std::copy_n(in + (i * b + j) * length, length, out + (j * a + i) * length);
}

}  // namespace

RowTransform::RowTransform(const mpi::Communicator& team, const Shape& shape, std::int64_t rows,
                           Complex* here, Complex* there, std::int64_t longest)
    : team_(team),
      c_(shape.processes),
      rows_(rows),
      part_(shape.part()),
      sent_(rows * part_, MPI_C_DOUBLE_COMPLEX, longest),
      here_(here),
      there_(there),
      from_(here),
      to_(there),
      work_(static_cast<std::size_t>(fourier::work_elements(shape.band()))) {
  twiddles_.reserve(static_cast<std::size_t>(c_ * part_));
  for (std::int64_t k1 = 0; k1 < c_; ++k1)
    for (std::int64_t n2 = 0; n2 < part_; ++n2)
      twiddles_.push_back(fourier::root(k1 * (team.rank() * part_ + n2), shape.order()));
  const std::int64_t lane = rows * part_, band = shape.band();
  // With a single row nothing is regrouped: an even number of steps lies before both transforms.
  Complex* in = rows == 1 ? there : here;
  Complex* out = rows == 1 ? here : there;
  using fourier::TransformSet, fourier::Transforms;
  if (c_ > 2) across_.emplace(TransformSet{c_, lane, lane, 1}, manner, Transforms::Arrays{in, out}, work_);
  along_.emplace(TransformSet{band, rows, 1, band}, manner, Transforms::Arrays{there, here}, work_);
}

Complex* RowTransform::forward(Meter& meter) {
  from_ = here_;
  to_ = there_;
  regroup(rows_, c_);
  exchange(meter);  // [n1][row][n2]
  transform_across();
  exchange(meter);  // [owner of n2][row][n2]
  regroup(c_, rows_);
  along_->run(from_, to_);
  turn();
  regroup(rows_, c_);
  exchange(meter);  // [k1][row][k2]
  interleave();
  return from_;
}

void RowTransform::exchange(Meter& meter) {
  meter.communicate([&] {
    mpi::check(
        MPI_Alltoall(from_, sent_.count(), sent_.type(), to_, sent_.count(), sent_.type(), team_.get()),
        "MPI_Alltoall");
  });
  turn();
}

void RowTransform::regroup(std::int64_t outer, std::int64_t inner) {
  if (rows_ == 1) return;
  swap_blocks(from_, to_, outer, inner, part_);
  turn();
}

void RowTransform::transform_across() {
  if (c_ == 2) {
    transform_pairs();
  } else if (c_ > 2) {
    across_->run(from_, to_);
    twiddle(to_);
  } else {
    std::copy_n(from_, rows_ * part_, to_);
  }
  turn();
}

/// Transforms of two elements and their factors in one pass.
void RowTransform::transform_pairs() {
  const std::int64_t lane = rows_ * part_;
  for (std::int64_t row = 0; row < rows_; ++row) {
    const Complex *first = from_ + row * part_, *second = first + lane;
    Complex *sum = to_ + row * part_, *difference = sum + lane;
    const Complex* factor = twiddles_.data() + part_;
    for (std::int64_t n2 = 0; n2 < part_; ++n2) {
      sum[n2] = first[n2] + second[n2];
      difference[n2] = fourier::product(first[n2] - second[n2], factor[n2]);
    }
  }
}

void RowTransform::twiddle(Complex* values) const {
  for (std::int64_t k1 = 1; k1 < c_; ++k1)
    for (std::int64_t row = 0; row < rows_; ++row) {
      const Complex* factor = twiddles_.data() + k1 * part_;
      Complex* value = values + (k1 * rows_ + row) * part_;
      for (std::int64_t n2 = 0; n2 < part_; ++n2) value[n2] = fourier::product(value[n2], factor[n2]);
    }
}

void RowTransform::interleave() {
  for (std::int64_t row = 0; row < rows_; ++row) {
    Complex* out = to_ + row * c_ * part_;
    for (std::int64_t k2 = 0; k2 < part_; ++k2)
      for (std::int64_t k1 = 0; k1 < c_; ++k1) out[k2 * c_ + k1] = from_[(k1 * rows_ + row) * part_ + k2];
  }
  turn();
}

}  // namespace steelyard::ftio
