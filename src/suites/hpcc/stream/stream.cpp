// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/stream/stream.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "suites/hpcc/foundation/stopwatch.hpp"
#include "suites/hpcc/stream/loops.hpp"

namespace steelyard::hpcc {
namespace {

/// Vectors begin at different places of a page, so that loads do not seem to depend on stores of another
/// vector.
constexpr std::int64_t page = 4096;
constexpr std::int64_t shift = 21 * 64;

std::int64_t stride_byte(std::int64_t n) {
  return (n * 8 + page - 1) / page * page + page + shift;
}

double seconds_of(Stream& stream, StreamKernel kernel, Stores stores) {
  const Stopwatch watch;
  stream.run(kernel, stores);
  return watch.seconds();
}

double best_of(Stream& stream, StreamKernel kernel, Stores stores) {
  double best = seconds_of(stream, kernel, stores);
  for (int i = 1; i < stream_tries; ++i) best = std::min(best, seconds_of(stream, kernel, stores));
  return best;
}

/// Relative deviations of a vector's elements from one value.
struct Deviation {
  double mean = 0;
  double largest = 0;
  std::int64_t wrong = 0, first = -1;
};

Deviation deviation(std::span<const double> values, double expected, double tolerance) {
  Deviation result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = std::abs(values[i] - expected) / std::abs(expected == 0 ? 1 : expected);
    result.mean += off;
    if (off <= tolerance) continue;  // not written the other way round: NaN is wrong
    if (result.wrong++ == 0) result.first = static_cast<std::int64_t>(i);
  }
  result.mean /= static_cast<double>(values.size());
  return result;
}

}  // namespace

std::string_view text(Stores stores) {
  return stores == Stores::plain ? "plain" : "streaming";
}

bool has_streaming_stores() {
  return streaming_loops() != nullptr;
}

Stream::Stream(std::int64_t n, int threads) : n_(n), threads_(threads), memory_(3 * stride_byte(n)) {
  in_threads(threads_, [this](int t) {
    const auto part = part_of(t);
    std::fill_n(vector(0) + part.begin, part.size(), 2.0);
    std::fill_n(vector(1) + part.begin, part.size(), 2.0);
    std::fill_n(vector(2) + part.begin, part.size(), 0.0);
  });
}

/// Parts begin on boundaries of 64 byte, as the loops ask.
Share Stream::part_of(int thread) const {
  constexpr std::int64_t line_doubles = 8;
  return share_of(n_, threads_, thread, line_doubles);
}

double* Stream::vector(int which) const noexcept {
  return reinterpret_cast<double*>(memory_.data() + which * stride_byte(n_));
}

void Stream::run(StreamKernel kernel, Stores stores) noexcept {
  const auto* streaming = streaming_loops();
  const StreamLoops& loops = stores == Stores::streaming && streaming != nullptr ? *streaming : plain_loops();
  in_threads(threads_, [&](int t) { run_part(kernel, loops, part_of(t)); });
  run_on_scalars(kernel);
}

void Stream::run_part(StreamKernel kernel, const StreamLoops& loops, const Share& part) noexcept {
  double *a = vector(0) + part.begin, *b = vector(1) + part.begin, *c = vector(2) + part.begin;
  const auto n = static_cast<std::size_t>(part.size());
  if (kernel == StreamKernel::copy) loops.copy(c, a, n);
  if (kernel == StreamKernel::scale) loops.scale(b, c, factor, n);
  if (kernel == StreamKernel::add) loops.add(c, a, b, n);
  if (kernel == StreamKernel::triad) loops.triad(a, b, c, factor, n);
}

void Stream::run_on_scalars(StreamKernel kernel) noexcept {
  auto& [a, b, c] = expected_;
  if (kernel == StreamKernel::copy) c = a;
  if (kernel == StreamKernel::scale) b = factor * c;
  if (kernel == StreamKernel::add) c = a + b;
  if (kernel == StreamKernel::triad) a = b + factor * c;
}

measure::CheckResult Stream::verify() const {
  measure::CheckResult result;
  for (int which = 0; which < 3; ++which) {
    const std::span<const double> values(vector(which), static_cast<std::size_t>(n_));
    const auto found = deviation(values, expected_[static_cast<std::size_t>(which)], tolerance);
    if (!(found.mean <= tolerance)) result.errors += std::max<std::int64_t>(found.wrong, 1);
    result.worst = std::max(result.worst, found.mean);
    if (result.errors > 0 && result.first.empty())
      result.first = std::string("vector ") + "abc"[which] + ", element " + std::to_string(found.first);
  }
  return result;
}

Stores Stream::faster(StreamKernel kernel) {
  if (!has_streaming_stores()) return Stores::plain;
  const double plain = best_of(*this, kernel, Stores::plain);
  return best_of(*this, kernel, Stores::streaming) < plain ? Stores::streaming : Stores::plain;
}

}  // namespace steelyard::hpcc
