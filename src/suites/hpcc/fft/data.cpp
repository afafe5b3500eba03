// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/data.hpp"

namespace steelyard::hpcc {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t q = 5559060566555523U;  // 3^33
constexpr double inverse_q = 1.0 / static_cast<double>(q);

constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % q);
}

constexpr std::uint64_t power_of_two(std::uint64_t exponent) {
  std::uint64_t result = 1, square = 2;
  for (; exponent != 0; exponent /= 2, square = product(square, square))
    if (exponent % 2 == 1) result = product(result, square);
  return result;
}

constexpr std::uint64_t step = (std::uint64_t{1} << 53) % q;
constexpr double step_share = static_cast<double>(step) * inverse_q;

/// d 2^53 mod q without a division: the quotient from floating point is off by a few at most.
std::uint64_t following(std::uint64_t d) {
  const auto quotient = static_cast<std::uint64_t>(static_cast<double>(d) * step_share);
  auto rest = static_cast<std::int64_t>(d * step - quotient * q);
  while (rest < 0) rest += static_cast<std::int64_t>(q);
  while (rest >= static_cast<std::int64_t>(q)) rest -= static_cast<std::int64_t>(q);
  return static_cast<std::uint64_t>(rest);
}

double value(std::uint64_t d) {
  return static_cast<double>(d) * inverse_q;
}

}  // namespace

std::int64_t fft_state(std::int64_t e) {
  const auto exponent = 100 + 53 * static_cast<std::uint64_t>(e);
  return static_cast<std::int64_t>(product(q / 2, power_of_two(exponent)));
}

double fft_value(std::int64_t e) {
  return value(static_cast<std::uint64_t>(fft_state(e)));
}

void fill_fft_data(std::span<std::complex<double>> values, std::int64_t first) {
  auto d = static_cast<std::uint64_t>(fft_state(2 * first));
  for (auto& z : values) {
    const auto imaginary = following(d);
    z = {value(d), value(imaginary)};
    d = following(imaginary);
  }
}

}  // namespace steelyard::hpcc
