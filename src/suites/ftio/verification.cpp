// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/verification.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace steelyard::ftio {

Comparison::Comparison(std::int64_t order, std::int64_t first)
    : bound_(largest_difference(order)), first_(first) {}

void Comparison::row(std::int64_t row, std::span<const Complex> found, std::span<const Complex> expected) {
  double sum = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const Complex off = found[k] - expected[k];
    const double distance = std::sqrt(off.real() * off.real() + off.imag() * off.imag());
    const auto column = first_ + static_cast<std::int64_t>(k);
    if (!(distance <= bound_)) wrong(column, row, found[k], expected[k]);
    if (!std::isfinite(distance)) {
      ++difference_.not_numbers;
      continue;
    }
    sum += distance;
    if (distance <= difference_.largest) continue;
    difference_.largest = distance;
    difference_.column = column;
    difference_.row = row;
  }
  difference_.total += sum;
}

void Comparison::wrong(std::int64_t column, std::int64_t row, Complex found, Complex expected) {
  if (++difference_.wrong > 1) return;
  std::array<char, 240> words;
  std::snprintf(words.data(), words.size(),
                "column %lld, row %lld: found %.17g%+.17gi, expected %.17g%+.17gi, allowed %.3g",
                static_cast<long long>(column), static_cast<long long>(row), found.real(), found.imag(),
                expected.real(), expected.imag(), bound_);
  difference_.first = words.data();
}

Difference merged(const Difference& own, const mpi::Communicator& team) {
  Difference all = own;
  all.total = team.sum(own.total);
  all.largest = team.max(own.largest);
  const bool mine = own.largest == all.largest;
  const auto holder = static_cast<int>(team.min(static_cast<std::int64_t>(mine ? team.rank() : team.size())));
  all.column = team.broadcast(own.column, holder);
  all.row = team.broadcast(own.row, holder);
  all.wrong = team.sum(own.wrong);
  all.not_numbers = team.sum(own.not_numbers);
  return all;
}

}  // namespace steelyard::ftio
