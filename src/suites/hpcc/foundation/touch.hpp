// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>

#include "suites/hpcc/foundation/threads.hpp"

namespace steelyard::hpcc {

/// Sets elements to zero, each part by the thread that will work on it, so that its memory lies near. Parts
/// of whole pages.
template <class T>
void touch_first(std::span<T> values, int threads) {
  constexpr std::int64_t page_elements = 4096 / sizeof(T);
  in_threads(threads, [&](int t) {
    const auto part = share_of(static_cast<std::int64_t>(values.size()), threads, t, page_elements);
    std::fill(values.begin() + part.begin, values.begin() + part.end, T{});
  });
}

}  // namespace steelyard::hpcc
