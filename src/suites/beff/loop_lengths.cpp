// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/loop_lengths.hpp"

#include <algorithm>
#include <cmath>

#include "suites/beff/message_lengths.hpp"

namespace steelyard::beff {
namespace {

constexpr double shortest_time_s = 1e-9;

std::uint64_t whole(double value) {
  return static_cast<std::uint64_t>(std::max(0.0, std::floor(value)));
}

}  // namespace

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
