// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/local_fft.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "suites/hpcc/fft_data.hpp"
#include "suites/hpcc/lines.hpp"
#include "suites/hpcc/plain_transform.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::int64_t padding = 8;

}  // namespace

double fft_operations(std::int64_t n) {
  const auto length = static_cast<double>(n);
  return 5 * length * std::log2(length);
}

double fft_deviation(std::span<const Complex> values, std::int64_t first) {
  constexpr std::size_t part = 4096;
  std::vector<Complex> expected(std::min(part, values.size()));
  double worst = 0;
  for (std::size_t at = 0; at < values.size(); at += part) {
    const auto some = values.subspan(at, std::min(part, values.size() - at));
    fill_fft_data(std::span(expected).first(some.size()), first + static_cast<std::int64_t>(at));
    for (std::size_t j = 0; j < some.size(); ++j)
      if (const double off = std::abs(some[j] - expected[j]); !(off <= worst)) worst = off;
  }
  return worst;
}

measure::CheckResult fft_judgement(double deviation, std::int64_t n, double threshold) {
  measure::CheckResult result;
  result.worst = deviation / (half_epsilon * std::max(std::log(static_cast<double>(n)), 1.0));
  if (result.worst < threshold) return result;  // not the other way round: NaN fails
  result.errors = 1;
  result.first = "scaled deviation " + std::to_string(result.worst);
  return result;
}

std::int64_t pass_width(std::int64_t n) {
  constexpr std::int64_t cache_byte = 512 << 10, most = 16, least = 4;
  return std::clamp(cache_byte / 16 / n, least, most);
}

LocalFft::LocalFft(std::int64_t n, Form form) : n_(n), factors_(two_factors(n)), in_(n), out_(n) {
  static_cast<void>(smooth_factors(n));
  if (form == Form::base) {
    whole_.emplace(TransformShape{.n = n}, in_.data(), out_.data());
  } else {
    const auto [n1, n2] = factors_;
    const auto stride = n2 + padding;
    passes_.emplace(Passes{ColumnPass(factors_, largest_divisor(n2, pass_width(n1))),
                           RowPass(n2, largest_divisor(n1, pass_width(n2))), HugeArray<Complex>(n1 * stride),
                           stride});
    std::ranges::fill(passes_->between.span(), Complex{});
  }
  fill_fft_data(in_.span(), 0);
  std::ranges::fill(out_.span(), Complex{});
}

void LocalFft::run() noexcept {
  if (whole_)
    whole_->run(in_.data(), out_.data());
  else
    run_passes();
}

void LocalFft::run_passes() noexcept {
  auto& [columns, rows, between, stride] = *passes_;
  const auto [n1, n2] = factors_;
  for (std::int64_t j2 = 0; j2 < n2; j2 += columns.columns())
    columns.run(in_.data() + j2, n2, between.data() + j2, stride, j2);
  finish_stores();
  for (std::int64_t k1 = 0; k1 < n1; k1 += rows.rows())
    rows.run({between.data() + k1 * stride, n2, n2, stride}, out_.data() + k1, n1);
  finish_stores();
}

measure::CheckResult LocalFft::verify(double threshold) {
  HugeArray<Complex> buffer(n_);
  plain_inverse(out_.span(), buffer.span());
  return fft_judgement(fft_deviation(out_.span(), 0), n_, threshold);
}

double LocalFft::operations() const {
  return fft_operations(n_);
}

}  // namespace steelyard::hpcc
