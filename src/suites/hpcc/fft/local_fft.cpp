// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/local_fft.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "suites/hpcc/fft/data.hpp"
#include "suites/hpcc/fft/plain_transform.hpp"
#include "suites/hpcc/foundation/lines.hpp"
#include "suites/hpcc/foundation/stopwatch.hpp"
#include "suites/hpcc/foundation/threads.hpp"

namespace steelyard::hpcc {
namespace {

constexpr fourier::Transforms::Manner manner{fourier::Planning::tried, fourier::Input::kept};

}  // namespace

double fft_deviation(std::span<const Complex> values, std::int64_t first) {
  constexpr std::size_t part = 32768;  // whose first elements take long to reach
  std::vector<Complex> expected(std::min(part, values.size()));
  double worst = 0, sum = 0;  // of squares; NaN stays in the sum
  for (std::size_t at = 0; at < values.size(); at += part) {
    const auto some = values.subspan(at, std::min(part, values.size() - at));
    fill_fft_data(std::span(expected).first(some.size()), first + static_cast<std::int64_t>(at));
    for (std::size_t j = 0; j < some.size(); ++j) {
      const double off = std::norm(some[j] - expected[j]);
      worst = std::max(worst, off);
      sum += off;
    }
  }
  return std::isnan(sum) ? sum : std::sqrt(worst);
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
  constexpr std::int64_t least = 4;
  return std::clamp(pass_cache_byte / 16 / n, least, pass_columns);
}

LocalFft::LocalFft(std::int64_t n, Form form, int threads)
    : n_(n), threads_(threads), factors_(two_factors(n)), in_(n), out_(n) {
  static_cast<void>(smooth_factors(n));
  touch_first(in_.span(), threads_);
  touch_first(out_.span(), threads_);
  const Stopwatch planning;
  if (form == Form::base)
    plan_whole();
  else
    plan_passes();
  beside_.planning = planning.seconds();
  const Stopwatch generation;
  fill_fft_data(in_.span(), 0);
  beside_.generation = generation.seconds();
}

void LocalFft::plan_whole() {
  work_ = machine::HugeArray<Complex>(fourier::work_elements(n_));
  touch_first(work_.span(), threads_);
  whole_.emplace(fourier::TransformSet{.n = n_}, manner, fourier::Transforms::Arrays{in_.data(), out_.data()},
                 work_.span());
}

void LocalFft::plan_passes() {
  const auto [n1, n2] = factors_;
  passes_.emplace(Passes{{}, {}, machine::HugeArray<LaneCell>(lane_groups(n1) * n2)});
  for (int t = 0; t < threads_; ++t) {
    passes_->columns.emplace_back(factors_, largest_divisor(n2, pass_width(n1)));
    passes_->rows.emplace_back(n2);
  }
  touch_first(passes_->between.span(), threads_);
}

void LocalFft::run() noexcept {
  if (whole_)
    whole_->run(in_.data(), out_.data());
  else
    run_passes();
}

void LocalFft::run_passes() noexcept {
  in_threads(threads_, [this](int t) { run_columns(t); });
  in_threads(threads_, [this](int t) { run_rows(t); });
}

void LocalFft::run_columns(int thread) noexcept {
  auto& pass = passes_->columns[static_cast<std::size_t>(thread)];
  const auto [n1, n2] = factors_;
  const auto part = share_of(n2, threads_, thread, pass.columns());
  for (std::int64_t j2 = part.begin; j2 < part.end; j2 += pass.columns()) {
    pass.gather(in_.data() + j2, n2, 0, n1);
    pass.transform();
    pass.turn(j2);
    pass.store(0, n1, passes_->between.data() + j2, n2);
  }
  finish_stores();
}

void LocalFft::run_rows(int thread) noexcept {
  const auto& pass = passes_->rows[static_cast<std::size_t>(thread)];
  const auto [n1, n2] = factors_;
  const auto part = share_of(n1, threads_, thread, lanes);
  for (std::int64_t k1 = part.begin; k1 < part.end; k1 += lanes) {
    const RowPass::Place to{out_.data() + k1, n1};
    pass.run({passes_->between.data() + k1 / lanes * n2, n2, 0}, std::min(lanes, n1 - k1), {&to, 1});
  }
  finish_stores();
}

std::vector<NamedBuffer> LocalFft::buffers() const {
  std::vector<NamedBuffer> all{{"in", in_.memory()}, {"out", out_.memory()}};
  if (work_.size() > 0) all.push_back({"work", work_.memory()});
  if (passes_) all.push_back({"between", passes_->between.memory()});
  return all;
}

measure::CheckResult LocalFft::verify(double threshold) {
  machine::HugeArray<Complex> own;
  if (!passes_) own = machine::HugeArray<Complex>(n_);
  const Stopwatch inverse;
  plain_inverse(out_.span(), passes_ ? elements_of(passes_->between.span()).first(out_.size()) : own.span());
  beside_.inverse = inverse.seconds();
  return fft_judgement(fft_deviation(out_.span(), 0), n_, threshold);
}

}  // namespace steelyard::hpcc
