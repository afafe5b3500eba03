// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/stream/loops.hpp"

#include "suites/hpcc/foundation/isa.hpp"
#include "suites/hpcc/foundation/lines.hpp"

namespace steelyard::hpcc {
namespace {

/// Loop of to = operation(x, y), as the compiler makes it.
struct Plainly {
  template <class Operation>
  static void run(double* __restrict to, const double* __restrict x, const double* __restrict y,
                  std::size_t n, const Operation& operation) noexcept {
    run_widest([=]() __attribute__((always_inline)) {
      for (std::size_t i = 0; i < n; ++i) operation(to[i], x[i], y[i]);
    });
  }
};

constexpr std::size_t page = 4096 / sizeof(double);

/// Works on a line of each of so many pages that follow one another. All are read before the first is
/// written: a read waits for a write whose address has the same last twelve bits.
template <std::size_t pages, Isa isa, class Operation>
__attribute__((always_inline)) inline void run_lines(CompiledFor<isa> compiled, double* to, const double* x,
                                                     const double* y, const Operation& operation) noexcept {
  using Vector = Part<isa>;
  constexpr auto width = std::size_t{width_of<Vector>};
  Vector results[pages][line_width / width];
  for (std::size_t at = 0; at < pages; ++at)
    for (std::size_t part = 0; part < line_width / width; ++part) {
      const std::size_t place = at * page + part * width;
      operation(results[at][part], load<Vector>(x + place), load<Vector>(y + place));
    }
  for (std::size_t at = 0; at < pages; ++at)
    for (std::size_t part = 0; part < line_width / width; ++part)
      store_past_caches(compiled, to + at * page + part * width, results[at][part]);
}

/// Loop with stores that bypass the caches, a line of each of so many pages in turn.
template <std::size_t pages>
struct PastCaches {
  template <class Operation>
  static void run(double* to, const double* x, const double* y, std::size_t n,
                  const Operation& operation) noexcept {
    run_widest([=](auto isa) __attribute__((always_inline)) {
      std::size_t i = 0;
      if constexpr (pages > 1)
        for (; i + pages * page <= n; i += pages * page)
          for (std::size_t at = i; at < i + page; at += line_width)
            run_lines<pages>(isa, to + at, x + at, y + at, operation);
      for (; i + line_width <= n; i += line_width) run_lines<1>(isa, to + i, x + i, y + i, operation);
      for (; i < n; ++i) operation(to[i], x[i], y[i]);
      finish_stores();
    });
  }
};

template <class Way>
constexpr StreamLoops loops_by{
    [](double* to, const double* from, std::size_t n) noexcept {
      Way::run(
          to, from, from, n,
          [](auto& result, const auto& x, const auto&) __attribute__((always_inline)) { result = x; });
    },
    [](double* to, const double* from, double s, std::size_t n) noexcept {
      Way::run(
          to, from, from, n, [s](auto& result, const auto& x, const auto&) __attribute__((always_inline)) {
            result = s * x;
          });
    },
    [](double* to, const double* x, const double* y, std::size_t n) noexcept {
      Way::run(
          to, x, y, n,
          [](auto& result, const auto& a, const auto& b) __attribute__((always_inline)) { result = a + b; });
    },
    [](double* to, const double* x, const double* y, double s, std::size_t n) noexcept {
      Way::run(
          to, x, y, n, [s](auto& result, const auto& a, const auto& b) __attribute__((always_inline)) {
            result = a + s * b;
          });
    }};

}  // namespace

std::string_view text(Stores stores) {
  constexpr std::array<std::string_view, all_stores.size()> words{"plain", "streaming", "interleaved"};
  return words[static_cast<std::size_t>(stores)];
}

const StreamLoops* loops_with(Stores stores) {
  switch (stores) {
#if defined(__x86_64__)
    case Stores::streaming: return &loops_by<PastCaches<1>>;
    case Stores::interleaved: return &loops_by<PastCaches<4>>;
#else
    case Stores::streaming:
    case Stores::interleaved: return nullptr;
#endif
    case Stores::plain: break;
  }
  return &loops_by<Plainly>;
}

}  // namespace steelyard::hpcc
