// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/stream/stream.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "suites/hpcc/foundation/isa.hpp"
#include "suites/hpcc/foundation/stopwatch.hpp"

namespace steelyard::hpcc {
namespace {

/// Vectors begin at different places of a page, so that loads do not seem to depend
/// on another vector's stores.
constexpr std::int64_t page = 4096;
constexpr std::int64_t shift = 21 * 64;

std::int64_t stride_byte(std::int64_t n) {
  return (n * 8 + page - 1) / page * page + page + shift;
}

const StreamLoops& loops_of(Stores stores) {
  const auto* wanted = loops_with(stores);
  return wanted != nullptr ? *wanted : *loops_with(Stores::plain);
}

/// Relative deviations of elements from one value.
struct Deviation {
  double sum = 0;
  std::int64_t wrong = 0, first = -1;

  void add(const Deviation& after) {
    sum += after.sum;
    wrong += after.wrong;
    if (first < 0) first = after.first;
  }
};

double size_of(double expected) {
  return std::abs(expected == 0 ? 1 : expected);
}

/// Whether a deviation is wrong; so is NaN, hence not written the other way round.
bool is_wrong(double off) {
  return !(off <= Stream::tolerance);
}

Deviation one_by_one(const double* values, Share part, double expected) {
  Deviation result;
  for (std::int64_t i = part.begin; i < part.end; ++i) {
    const double off = std::abs(values[i] - expected) / size_of(expected);
    result.sum += off;
    if (is_wrong(off) && result.wrong++ == 0) result.first = i;
  }
  return result;
}

constexpr std::int64_t sum_lanes = 8;
/// Elements. Processors ask for no line of the next page by themselves.
constexpr std::int64_t sums_ahead = 1024;

/// Deviation of whole groups of lanes, as many elements at a time as processors can;
/// does not tell which are wrong.
Deviation at_once(const double* values, Share part, double expected) {
  using Lanes = std::array<double, sum_lanes>;
  Lanes all_sums{}, all_most{};
  run_widest([&, values, part, expected ]() __attribute__((always_inline)) {
    Lanes sums{}, most{};
    for (std::int64_t i = part.begin; i < part.end; i += sum_lanes) {
      __builtin_prefetch(values + i + sums_ahead);
      for (std::size_t k = 0; k < sum_lanes; ++k) {
        const double off = std::abs(values[i + static_cast<std::int64_t>(k)] - expected);
        sums[k] += off;
        most[k] = off > most[k] ? off : most[k];
      }
    }
    all_sums = sums;
    all_most = most;
  });
  Deviation result;
  for (std::size_t k = 0; k < sum_lanes; ++k) {
    result.sum += all_sums[k] / size_of(expected);
    // The largest one passes over NaN, the sum does not.
    if (std::isnan(all_sums[k]) || is_wrong(all_most[k] / size_of(expected))) result.wrong = 1;
  }
  return result;
}

/// Deviation of a part. Blocks are looked at one by one where something in them is wrong.
Deviation deviation(const double* values, Share part, double expected) {
  constexpr std::int64_t block = 4096;
  Deviation result;
  for (std::int64_t begin = part.begin; begin < part.end; begin += block) {
    const Share whole{begin, begin + std::min(block, part.end - begin) / sum_lanes * sum_lanes};
    const auto found = at_once(values, whole, expected);
    result.add(found.wrong > 0 ? one_by_one(values, whole, expected) : found);
    if (whole.size() < block) result.add(one_by_one(values, {whole.end, part.end}, expected));
  }
  return result;
}

}  // namespace

Stream::Stream(std::int64_t n, int threads, std::int64_t tried)
    : n_(n), tried_(std::min(tried, n)), threads_(threads), memory_(3 * stride_byte(n)) {
  in_threads(threads_, [this](int t) {
    const auto part = part_of(t);
    for (std::size_t which = 0; which < back_.size(); ++which)
      std::fill_n(vector(static_cast<int>(which)) + part.begin, part.size(), back_[which]);
  });
}

/// Part of a thread; parts begin at multiples of 64 byte, as the loops ask.
Share Stream::part_of(int thread) const {
  return share_of(n_, threads_, thread, sum_lanes);
}

Share Stream::front_of(int thread) const {
  const auto part = part_of(thread);
  return {part.begin, std::min(part.end, part.begin + share_of(tried_, threads_, thread, sum_lanes).size())};
}

Share Stream::back_of(int thread) const {
  return {front_of(thread).end, part_of(thread).end};
}

double* Stream::vector(int which) const noexcept {
  return static_cast<double*>(static_cast<void*>(memory_.data() + which * stride_byte(n_)));
}

void Stream::run(StreamKernel kernel, Stores stores) noexcept {
  const StreamLoops& loops = loops_of(stores);
  in_threads(threads_, [&](int t) { run_part(kernel, loops, part_of(t)); });
  for (Values* values : {&front_, &back_}) run_on_scalars(kernel, *values);
}

void Stream::try_out(StreamKernel kernel, Stores stores) noexcept {
  const StreamLoops& loops = loops_of(stores);
  in_threads(threads_, [&](int t) { run_part(kernel, loops, front_of(t)); });
  run_on_scalars(kernel, front_);
}

void Stream::run_part(StreamKernel kernel, const StreamLoops& loops, const Share& part) noexcept {
  double *a = vector(0) + part.begin, *b = vector(1) + part.begin, *c = vector(2) + part.begin;
  const auto n = static_cast<std::size_t>(part.size());
  if (kernel == StreamKernel::copy) loops.copy(c, a, n);
  if (kernel == StreamKernel::scale) loops.scale(b, c, factor, n);
  if (kernel == StreamKernel::add) loops.add(c, a, b, n);
  if (kernel == StreamKernel::triad) loops.triad(a, b, c, factor, n);
}

void Stream::run_on_scalars(StreamKernel kernel, Values& values) noexcept {
  auto& [a, b, c] = values;
  if (kernel == StreamKernel::copy) c = a;
  if (kernel == StreamKernel::scale) b = factor * c;
  if (kernel == StreamKernel::add) c = a + b;
  if (kernel == StreamKernel::triad) a = b + factor * c;
}

measure::CheckResult Stream::verify() const {
  const auto deviation_of = [this](int which) {
    const auto at = static_cast<std::size_t>(which);
    std::vector<Deviation> parts(static_cast<std::size_t>(threads_));
    in_threads(threads_, [&](int t) {
      auto& part = parts[static_cast<std::size_t>(t)];
      part = deviation(vector(which), front_of(t), front_[at]);
      part.add(deviation(vector(which), back_of(t), back_[at]));
    });
    Deviation whole;
    for (const auto& part : parts) whole.add(part);
    return whole;
  };
  measure::CheckResult result;
  for (int which = 0; which < 3; ++which) {
    const auto found = deviation_of(which);
    const double mean = found.sum / static_cast<double>(n_);
    if (is_wrong(mean)) result.errors += std::max<std::int64_t>(found.wrong, 1);
    // A maximum passes over what is not a number.
    result.worst = std::isnan(mean) ? std::numeric_limits<double>::infinity() : std::max(result.worst, mean);
    if (result.errors > 0 && result.first.empty())
      result.first = std::string("vector ") + "abc"[which] + ", element " + std::to_string(found.first);
  }
  return result;
}

double Stream::best_of(StreamKernel kernel, Stores stores) noexcept {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < stream_tries; ++i) {
    const Stopwatch watch;
    try_out(kernel, stores);
    best = std::min(best, watch.seconds());
  }
  return best;
}

Stores Stream::fastest(StreamKernel kernel) {
  auto fastest = Stores::plain;
  double least_s = best_of(kernel, fastest);
  for (const Stores stores : all_stores) {
    if (stores == Stores::plain || loops_with(stores) == nullptr) continue;
    if (const double seconds = best_of(kernel, stores); seconds < least_s) {
      fastest = stores;
      least_s = seconds;
    }
  }
  return fastest;
}

}  // namespace steelyard::hpcc
