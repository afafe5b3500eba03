// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/patterns.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

#include "stats/splitmix.hpp"

namespace steelyard::beff {
namespace {

constexpr std::array<std::string_view, 3> axis_names = {"x", "y", "z"};

/// Ping to the next and pong to the previous; the pong is dropped where both go to the same process, because
/// one all-to-all call carries only one message per pair and direction.
std::vector<Slot> neighbours(std::optional<int> next, std::optional<int> previous) {
  std::vector<Slot> slots = {{next, previous}};
  if (next != previous) slots.push_back({previous, next});
  return slots;
}

std::vector<Slot> cycle_slots(const std::vector<int>& order, int rank) {
  const auto place = static_cast<std::size_t>(std::find(order.begin(), order.end(), rank) - order.begin());
  const std::size_t p = order.size();
  return neighbours(order[(place + 1) % p], order[(place + p - 1) % p]);
}

std::vector<Slot> ring_slots(const std::vector<int>& sizes, int rank) {
  int start = 0;
  for (const int size : sizes) {
    if (rank < start + size) {
      const int place = rank - start;
      return neighbours(start + (place + 1) % size, start + (place + size - 1) % size);
    }
    start += size;
  }
  return {};
}

std::int64_t ring_messages(const std::vector<int>& sizes) {
  std::int64_t messages = 0;
  for (const int size : sizes) messages += size == 2 ? 2 : 2 * size;
  return messages;
}

std::vector<Slot> pair_slots(int partner, bool sends_first) {
  const Slot sends{partner, std::nullopt};
  const Slot receives{std::nullopt, partner};
  return sends_first ? std::vector<Slot>{sends, receives} : std::vector<Slot>{receives, sends};
}

/// Row-major stride of an axis: the last coordinate moves fastest.
int stride(const std::vector<int>& extents, std::size_t axis) {
  return std::accumulate(extents.begin() + static_cast<std::ptrdiff_t>(axis) + 1, extents.end(), 1,
                         std::multiplies<>());
}

int volume(const std::vector<int>& extents) {
  return std::accumulate(extents.begin(), extents.end(), 1, std::multiplies<>());
}

std::optional<int> shifted(const std::vector<int>& extents, std::size_t axis, int rank, int by, bool cyclic) {
  const int z = extents[axis];
  const int step = stride(extents, axis);
  const int here = rank / step % z;
  const int there = here + by;
  if (!cyclic && (there < 0 || there >= z)) return std::nullopt;
  return rank + ((there + z) % z - here) * step;
}

std::vector<Slot> grid_slots(const std::vector<int>& extents, const std::vector<std::size_t>& axes, int rank,
                             bool cyclic) {
  std::vector<Slot> slots;
  if (rank >= volume(extents)) return slots;
  for (const std::size_t axis : axes) {
    const auto both =
        neighbours(shifted(extents, axis, rank, +1, cyclic), shifted(extents, axis, rank, -1, cyclic));
    slots.insert(slots.end(), both.begin(), both.end());
  }
  return slots;
}

std::int64_t axis_messages(const std::vector<int>& extents, std::size_t axis, bool cyclic) {
  const std::int64_t z = extents[axis];
  const std::int64_t c = volume(extents);
  if (!cyclic) return 2 * (z - 1) * (c / z);
  return z == 2 ? c : 2 * c;
}

std::vector<std::size_t> long_axes(const std::vector<int>& extents) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    if (extents[axis] > 1) axes.push_back(axis);
  return axes;
}

std::vector<int> prime_factors_falling(int n) {
  std::vector<int> factors;
  for (int f = 2; f * f <= n; ++f)
    for (; n % f == 0; n /= f) factors.push_back(f);
  if (n > 1) factors.push_back(n);
  std::reverse(factors.begin(), factors.end());
  return factors;
}

bool acceptable(int c, const std::vector<int>& extents) {
  return extents.back() > 1 || (c < 8 && c % 2 == 0) || c < 4;
}

/// Extents of a balanced D-dimensional grid of c processes, falling (what MPI_Dims_create gives).
std::vector<int> balanced_extents(int processes, int dimensions) {
  std::vector<int> extents(static_cast<std::size_t>(dimensions), 1);
  for (const int factor : prime_factors_falling(processes))
    *std::min_element(extents.begin(), extents.end()) *= factor;
  std::sort(extents.begin(), extents.end(), std::greater<>());
  return extents;
}

/// Process at each place of a random polygon over P processes; `source` runs on from polygon to polygon.
std::vector<int> random_polygon(int processes, RandomSource& source) {
  std::vector<int> order(static_cast<std::size_t>(processes));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t t = order.size() - 1; t >= 1; --t)
    std::swap(order[t], order[static_cast<std::size_t>(source.below(t + 1))]);
  return order;
}

}  // namespace

std::array<int, ring_pattern_count> standard_ring_sizes(int processes) {
  std::array<int, ring_pattern_count> sizes = {
      2, 4, 8, std::max(16, processes / 4), std::max(32, processes / 2), processes};
  for (int& size : sizes) size = std::min(size, processes);
  return sizes;
}

std::vector<int> ring_sizes(int processes, int standard_size) {
  // floor(P / c + 0.4) in whole numbers
  const auto p = static_cast<std::int64_t>(processes);
  const auto c = static_cast<std::int64_t>(standard_size);
  const auto wanted = static_cast<int>((10 * p + 4 * c) / (10 * c));
  const int rings = std::max(1, std::min(wanted, processes / 2));
  const int low = processes / rings;
  const int longer = processes - low * rings;
  std::vector<int> sizes(static_cast<std::size_t>(rings), low);
  const bool longer_first = low % 2 == 1;
  const auto begin = longer_first ? sizes.begin() : sizes.end() - longer;
  std::fill(begin, begin + longer, low + 1);
  return sizes;
}

std::string ring_name(const std::vector<int>& sizes) {
  const int difference = sizes.back() - sizes.front();
  const char* rest = difference == 0 ? "fix" : difference > 0 ? "&+1" : "&-1";
  return "ring-" + std::to_string(sizes.size()) + "*" + std::to_string(sizes.front()) + rest;
}

std::uint64_t RandomSource::next() {
  state_ += stats::splitmix_step;
  return stats::splitmix_number(state_);
}

std::uint64_t RandomSource::below(std::uint64_t n) {
  const std::uint64_t excess = (UINT64_MAX % n + 1) % n;  // 2^64 mod n
  std::uint64_t drawn = next();
  while (drawn > UINT64_MAX - excess) drawn = next();
  return drawn % n;
}

std::vector<int> worst_cycle(int processes) {
  std::vector<int> order(static_cast<std::size_t>(processes));
  for (int t = 0; t < processes; ++t)
    order[static_cast<std::size_t>(t)] = t % 2 == 0 ? t / 2 : processes - 1 - (t - 1) / 2;
  return order;
}

std::vector<int> grid_extents(int processes, int dimensions) {
  int c = processes;
  auto extents = balanced_extents(c, dimensions);
  while (!acceptable(c, extents)) extents = balanced_extents(--c, dimensions);
  return extents;
}

/// Construction of a pattern, from which its slots follow.
struct PatternTable::Shape {
  enum class Kind { ring, polygon, worst_cycle, best_bisection, worst_bisection, pair, grid } kind;
  int standard_size = 0;               // ring
  int polygon = 0;                     // number of polygons before it
  std::vector<int> extents = {};       // grid
  std::vector<std::size_t> axes = {};  // grid
  bool cyclic = false;                 // grid
};

PatternTable::~PatternTable() = default;
PatternTable::PatternTable(PatternTable&&) noexcept = default;

PatternTable::PatternTable(int processes, const PatternOptions& options)
    : processes_(processes), options_(options) {
  add_cycles();
  add_pairs();
  for (const bool cyclic : {false, true})
    for (const int dimensions : {2, 3}) add_grid(dimensions, cyclic);
}

void PatternTable::add(Pattern pattern, Shape shape) {
  patterns_.push_back(std::move(pattern));
  shapes_.push_back(std::move(shape));
}

void PatternTable::add_cycles() {
  const int p = processes_;
  const int slots = p == 2 ? 1 : 2;
  const std::int64_t messages = p == 2 ? 2 : 2 * static_cast<std::int64_t>(p);
  for (const int size : standard_ring_sizes(p)) {
    const auto sizes = ring_sizes(p, size);
    const int longest = *std::max_element(sizes.begin(), sizes.end());
    add({.name = ring_name(sizes),
         .set = PatternSet::ring,
         .numbering = Numbering::line,
         .slots = longest == 2 ? 1 : 2,
         .messages = ring_messages(sizes),
         .used = p},
        {.kind = Shape::Kind::ring, .standard_size = size});
  }
  for (int i = 0; i < options_.polygons; ++i)
    add({.name = "random-cyc-1dim",
         .set = PatternSet::random,
         .slots = slots,
         .messages = messages,
         .used = p},
        {.kind = Shape::Kind::polygon, .polygon = i});
  add({.name = "worst-cyc-1dim", .slots = slots, .messages = messages, .used = p},
      {.kind = Shape::Kind::worst_cycle});
}

void PatternTable::add_pairs() {
  const int even = processes_ / 2 * 2;
  const Pattern bisection{.numbering = Numbering::line, .slots = 2, .messages = even, .used = even};
  Pattern best = bisection;
  best.name = "best  bi-section";
  add(best, {.kind = Shape::Kind::best_bisection});
  Pattern worst = bisection;
  worst.name = "worst bi-section";
  add(worst, {.kind = Shape::Kind::worst_bisection});
  add({.name = "one PingPong Pair",
       .numbering = Numbering::line,
       .sendrecv_only = true,
       .slots = 2,
       .messages = 2,
       .used = 2},
      {.kind = Shape::Kind::pair});
}

void PatternTable::add_grid(int dimensions, bool cyclic) {
  const auto extents = grid_extents(processes_, dimensions);
  const auto axes = long_axes(extents);
  const Numbering plane = cyclic ? Numbering::cyclic_plane : Numbering::acyclic_plane;
  const Numbering space = cyclic ? Numbering::cyclic_space : Numbering::acyclic_space;
  const std::string family =
      std::string(cyclic ? "cyclic-" : "acyclic-") + std::to_string(dimensions) + "dim-";
  const auto add_axes = [&](std::string_view suffix, const std::vector<std::size_t>& chosen) {
    Pattern pattern{.name = family + std::string(suffix), .numbering = dimensions == 2 ? plane : space};
    for (const auto axis : chosen) {
      pattern.slots += cyclic && extents[axis] == 2 ? 1 : 2;
      pattern.messages += axis_messages(extents, axis, cyclic);
    }
    pattern.used = volume(extents);
    add(pattern, {.kind = Shape::Kind::grid, .extents = extents, .axes = chosen, .cyclic = cyclic});
  };
  if (cyclic)
    for (const auto axis : axes) add_axes(axis_names[axis], {axis});
  add_axes("all", axes);
}

std::vector<int> PatternTable::polygon(int number) const {
  RandomSource source(options_.seed);
  for (int i = 0; i < number; ++i) static_cast<void>(random_polygon(processes_, source));
  return random_polygon(processes_, source);
}

std::vector<Slot> PatternTable::slots(std::size_t pattern, int rank) const {
  const Shape& shape = shapes_.at(pattern);
  const int even = processes_ / 2 * 2;
  switch (shape.kind) {
    case Shape::Kind::ring: return ring_slots(ring_sizes(processes_, shape.standard_size), rank);
    case Shape::Kind::polygon: return cycle_slots(polygon(shape.polygon), rank);
    case Shape::Kind::worst_cycle: return cycle_slots(worst_cycle(processes_), rank);
    case Shape::Kind::best_bisection:
      return rank < even ? pair_slots(rank % 2 == 0 ? rank + 1 : rank - 1, rank % 2 == 0)
                         : std::vector<Slot>{};
    case Shape::Kind::worst_bisection:
      return rank < even ? pair_slots(even - 1 - rank, rank < even / 2) : std::vector<Slot>{};
    case Shape::Kind::pair: return rank < 2 ? pair_slots(1 - rank, rank == 0) : std::vector<Slot>{};
    case Shape::Kind::grid: return grid_slots(shape.extents, shape.axes, rank, shape.cyclic);
  }
  return {};
}

}  // namespace steelyard::beff
