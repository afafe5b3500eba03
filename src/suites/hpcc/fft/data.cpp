// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/data.hpp"

#include <array>

namespace steelyard::hpcc {
namespace {

constexpr std::uint64_t q = 5559060566555523U;  // 3^33
constexpr double inverse_q = 1.0 / static_cast<double>(q);

/// a b mod q for a, b < q < 2^53, by eleven bits of b at a time, so that no value
/// exceeds 64 bit, on any processor.
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  constexpr int digit_bits = 11, top = 44;
  constexpr std::uint64_t digit = std::uint64_t{1} << digit_bits;
  std::uint64_t result = 0;
  for (int shift = top; shift >= 0; shift -= digit_bits)
    result = (result * digit % q + a * ((b >> shift) % digit) % q) % q;
  return result;
}

constexpr std::uint64_t power_of_two(std::uint64_t exponent) {
  std::uint64_t result = 1, square = 2;
  for (; exponent != 0; exponent /= 2, square = product(square, square))
    if (exponent % 2 == 1) result = product(result, square);
  return result;
}

constexpr std::uint64_t step = (std::uint64_t{1} << 53) % q;
constexpr double step_share = static_cast<double>(step) * inverse_q;

/// d 2^53 mod q without a division. Three roundings put the quotient from floating point off by less
/// than 1.9, and its fraction is cut off, so that the rest lies between -2 q and 3 q. There is no
/// branch, as it would go either way.
std::uint64_t following(std::uint64_t d) {
  constexpr auto modulus = static_cast<std::int64_t>(q);
  constexpr int sign = 63;
  const auto quotient = static_cast<std::uint64_t>(static_cast<double>(d) * step_share);
  auto rest = static_cast<std::int64_t>(d * step - quotient * q) - 2 * modulus;
  for (int i = 0; i < 4; ++i) rest += modulus & (rest >> sign);
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
  // Every value waits for the one before it: several parts are made at once. Each is an odd number of cache
  // lines, so that they lie in different sets of the cache.
  constexpr std::size_t lanes = 8, line = 64 / sizeof(std::complex<double>);
  const std::size_t lines = values.size() / lanes / line;
  const std::size_t each = (lines - (lines > 0 && lines % 2 == 0 ? 1 : 0)) * line;
  std::array<std::uint64_t, lanes> d;
  for (std::size_t lane = 0; lane < lanes; ++lane)
    d[lane] = static_cast<std::uint64_t>(fft_state(2 * (first + static_cast<std::int64_t>(lane * each))));
  const auto make = [](std::uint64_t& state, std::complex<double>& z) {
    const auto imaginary = following(state);
    z = {value(state), value(imaginary)};
    state = following(imaginary);
  };
  for (std::size_t i = 0; i < each; ++i)
    for (std::size_t lane = 0; lane < lanes; ++lane) make(d[lane], values[lane * each + i]);
  auto last = each > 0 ? d.back() : static_cast<std::uint64_t>(fft_state(2 * first));
  for (auto& z : values.subspan(lanes * each)) make(last, z);
}

}  // namespace steelyard::hpcc
