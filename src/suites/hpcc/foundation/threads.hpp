// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

/// The threads of a process that share the work of one kernel.
namespace steelyard::hpcc {

/// Whether this program can compute with more than one thread (it was built with OpenMP).
[[nodiscard]] bool has_threads();

/// Makes call(body, t) for t = 0 .. threads - 1; see in_threads().
void call_in_threads(int threads, void (*call)(void* body, int t), void* body);

/// Runs body(t) for t = 0 .. threads - 1, each on its own thread where the system lets it; the caller is one
/// of them. The same t gets the same thread in every call with as many threads, so that memory that t touched
/// first lies near it. Without OpenMP the calls follow one another. The body must not throw.
template <class Body>
void in_threads(int threads, Body&& body) {
  using Held = std::remove_reference_t<Body>;
  if (threads == 1) return body(0);
  call_in_threads(
      threads, [](void* held, int t) { (*static_cast<Held*>(held))(t); }, std::addressof(body));
}

/// Figures that OpenMP gives inside a parallel region of so many threads; version
/// -1 and 0 threads without it.
struct OpenMpFigures {
  int version = -1;  // _OPENMP
  int num_threads = 0, max_threads = 0, num_procs = 0;
};
[[nodiscard]] OpenMpFigures openmp_figures(int threads);

/// A part of 0 .. n-1.
struct Share {
  std::int64_t begin = 0, end = 0;
  [[nodiscard]] std::int64_t size() const { return end - begin; }
};
/// The part of thread t: parts differ by at most one grain and begin at multiples of it.
[[nodiscard]] constexpr Share share_of(std::int64_t n, int threads, int t, std::int64_t grain = 1) {
  const std::int64_t grains = (n + grain - 1) / grain;
  const auto at = [&](std::int64_t i) {
    const std::int64_t place = grains * i / threads * grain;
    return place < n ? place : n;
  };
  return {at(t), at(t + 1)};
}

/// Sets elements to zero, each part by the thread that will work on it, so that its memory lies near.
/// The parts are whole pages.
template <class T>
void touch_first(std::span<T> values, int threads) {
  constexpr std::int64_t page_elements = 4096 / sizeof(T);
  in_threads(threads, [&](int t) {
    const auto part = share_of(static_cast<std::int64_t>(values.size()), threads, t, page_elements);
    std::ranges::fill(
        values.subspan(static_cast<std::size_t>(part.begin), static_cast<std::size_t>(part.size())), T{});
  });
}

}  // namespace steelyard::hpcc
