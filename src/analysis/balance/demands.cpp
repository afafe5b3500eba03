// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <stdexcept>

#include "analysis/balance/verdict.hpp"

namespace steelyard::balance {
namespace {

constexpr double block = 192, word_byte = 8, filled = 0.5;

/// LU of a matrix that fills half of the memory, as the linear solver's model counts it.
Demands dense(double p, double memory) {
  const double n = std::sqrt(filled * memory / word_byte), side = std::sqrt(p);
  Demands d{word_byte / block, 24 * side / n,
            3 * p * ((block + 1) * std::log2(side) + side) / (2 * block * n * n)};
  return d;
}

/// One transform over all processes: 5 passes over memory, 3 transpositions, 5 n log n flop.
Demands spectral(double p, double memory) {
  const double n = memory / 64, stages = std::log2(n);
  return {32 / stages, 9.6 * (1 - 1 / p) / stages, 0.6 * p * (p - 1) / (n * stages)};
}

/// 27-point matrix and five vectors; a row costs 340 byte and 54 flop, and a halo one point deep.
Demands sparse(double p, double memory) {
  constexpr double row_flop = 54, row_byte = 340, stored_byte = 2 * (27 * 12 + 5 * 8);
  const double k = std::cbrt(memory / (stored_byte * p)), cube = k * k * k;
  return {row_byte / row_flop, word_byte * (std::pow(k + 2, 3) - cube) / (row_flop * cube),
          26 / (row_flop * cube)};
}

Demands built_in(const std::string& name, double processes, double memory) {
  if (name == "dense") return dense(processes, memory);
  if (name == "spectral") return spectral(processes, memory);
  if (name == "sparse") return sparse(processes, memory);
  throw std::invalid_argument("'" + name +
                              "' is not a kind of work; dense, spectral and sparse are built in");
}

}  // namespace

std::vector<Profile> built_in_profiles() {
  return {{"dense", {}}, {"spectral", {}}, {"sparse", {}}};
}

Demands demands(const Profile& profile, double processes, double memory_byte) {
  Demands found = profile.stated ? *profile.stated : built_in(profile.name, processes, memory_byte);
  if (processes == 1) found.network_byte_flop = found.message_flop = 0;
  return found;
}

}  // namespace steelyard::balance
