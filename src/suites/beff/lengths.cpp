// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/lengths.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace steelyard::beff {
namespace {

constexpr Bytes cap{std::int64_t{128} << 20};
constexpr std::int64_t slots_in_buffer = 6;
constexpr Bytes slot_padding{16};
constexpr double last_fixed = 4096;

constexpr double shortest_time_s = 1e-9;

std::uint64_t whole(double value) {
  return static_cast<std::uint64_t>(std::max(0.0, std::floor(value)));
}

}  // namespace

Bytes longest_message(std::int64_t mebibytes_per_process) {
  if (mebibytes_per_process < 1)
    throw std::domain_error("b_eff needs at least 1 Mbyte of memory per process");
  const std::int64_t below_cap = std::min<std::int64_t>(mebibytes_per_process, 128 * 128);
  return std::min(cap, below_cap * Bytes{8192});
}

double growth(Bytes longest) {
  return std::pow(static_cast<double>(longest.count()) / last_fixed, 1.0 / 8.0);
}

Lengths message_lengths(Bytes longest) {
  if (longest.count() <= 4096)
    throw std::domain_error("the longest message must exceed 4096 byte, got " +
                            std::to_string(longest.count()));
  Lengths lengths;
  const double a = growth(longest);
  for (int k = 0; k < length_count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    lengths[at] = k < fixed_lengths
                      ? Bytes{std::int64_t{1} << k}
                      : Bytes{static_cast<std::int64_t>(std::floor(last_fixed * std::pow(a, k - 12) + 0.5))};
  }
  lengths.back() = longest;
  return lengths;
}

Bytes buffer_size(Bytes longest) {
  return slots_in_buffer * (longest + slot_padding);
}

void LoopLengths::Mean::add(double seconds) {
  min = count == 0 ? seconds : std::min(min, seconds);
  sum += seconds;
  ++count;
}

double LoopLengths::shrink() const {
  return k_ < fixed_lengths ? 2 : rule_.growth;
}

std::uint64_t LoopLengths::next() {
  ++k_;
  if (k_ == 0) {
    const double room = rule_.loop_time_s / std::max(pre_.value(), shortest_time_s);
    longest_ = std::max<std::uint64_t>(pre_pass_iterations, whole(pre_pass_iterations * room));
    length_ = std::max<std::uint64_t>(1, longest_ / 2);
    return length_;
  }
  const double room = std::max(1.0, rule_.loop_time_s / std::max(current_.value(), shortest_time_s));
  length_ = std::clamp<std::uint64_t>(whole(static_cast<double>(length_) / shrink() * room), 1, longest_);
  current_ = {};
  return length_;
}

double LoopLengths::last_two_estimate_s(int methods) const {
  const double a = rule_.growth;
  return current_.min / static_cast<double>(length_) * current_.count * loops_allowed * (a + a * a) *
         rule_.repetitions * methods;
}

}  // namespace steelyard::beff
