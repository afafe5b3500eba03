// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fit.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/hpl/model.hpp"
#include "suites/hpcc/test_rules.hpp"

namespace steelyard::hpcc {
namespace {

using Names = std::span<const std::string>;

/// Benchmarks by importance. The first ones carry a verdict and the ratios; Single tests only tell how much
/// processes slow each other, and the second generator of RandomAccess enters no figure.
constexpr auto by_importance = std::to_array<std::string_view>(
    {"HPL", "StarSTREAM", "LatencyBandwidth", "StarDGEMM", "PTRANS", "MPIFFT", "MPIRandomAccess",
     "StarRandomAccess", "StarFFT", "SingleDGEMM", "SingleSTREAM", "SingleRandomAccess", "SingleFFT",
     "MPIRandomAccess_LCG", "StarRandomAccess_LCG", "SingleRandomAccess_LCG"});

/// Efforts from all that the rules ask for down to the least that still gives a median, or a best of two.
constexpr auto efforts = std::to_array<Effort>(
    {{}, {3, 10, 3, 0.25}, {2, 6, 2, 0.25, 3}, {1, 4, 1, 0.25, 3}, {1, 3, 1, 0.0625, 3}});

/// Parts of the expected efficiency at half of the memory: from the first one on a short run should come
/// within 10 % of a long one, beyond the second one a larger order tells little more.
constexpr double near_efficiency = 0.95, good_efficiency = 0.97;
constexpr double part_for_near = 0.4;  // of the time that the suite has

// The largest need of a test is 1.5 times the matrix of the linear solver, which takes 0.8 of the memory that
// its rule is given.
constexpr double rule_share = 1 / 1.2;

class Fitting {
 public:
  Fitting(Settings settings, Names names, const suites::World& world, bool own_block)
      : settings_(std::move(settings)), names_(names), world_(world), own_block_(own_block) {
    settings_.representative = true;
    settings_.memory_byte = 1 << 20;
    set_order(solver_order(representative_efficiency));
  }

  Settings fit(const suites::TimeShare& time) {
    come_near(part_for_near * time.seconds);
    shorten(time.seconds);
    leave_out(time);
    grow(time.seconds);
    return std::move(settings_);
  }

  double least_s() {
    shorten(0);
    return expected_s();
  }

  double most_s() {
    settings_.memory_byte = most_byte();
    set_order(largest_order());
    return expected_s();
  }

 private:
  [[nodiscard]] double expected_s() const {
    return suites::prescribed_s(Definition(settings_), names_, world_);
  }

  /// Takes an order whose rate is nearly that of a long run, if its solution is no longer than this.
  void come_near(double seconds) {
    const auto least = settings_.problem.orders.front();
    if (!solves()) return;
    set_order(solver_order(near_efficiency));
    const std::array names{std::string("HPL")};
    if (suites::prescribed_s(Definition(settings_), names, world_) > seconds) set_order(least);
  }

  /// Lowers the effort until the time suffices, unless the user has chosen it.
  void shorten(double seconds) {
    if (!(settings_.effort == Effort{})) return;
    for (const auto& effort : efforts) {
      settings_.effort = effort;
      if (expected_s() <= seconds) return;
    }
  }

  void leave_out(const suites::TimeShare& time) {
    double sum = 0;
    for (const auto name : by_importance) {
      const auto found = std::ranges::find(names_, name);
      if (found == names_.end()) continue;
      const double one = suites::prescribed_s(Definition(settings_), Names(&*found, 1), world_);
      sum += one;
      if (sum <= time.seconds) continue;
      settings_.left_out.emplace(name, time.budget_for(sum));
      sum -= one;
    }
  }

  /// Enlarges the problems. Time that fewer repetitions saved is not spent on larger tests, but the steps of
  /// the efforts leave a rest, which the solver takes.
  void grow(double seconds) {
    grow_solver(seconds, solver_order(good_efficiency));
    if (settings_.effort == started_with_) grow_memory(seconds);
    grow_solver(seconds, largest_order());
  }

  /// Enlarges the order of the solver as far as the time allows.
  void grow_solver(double seconds, std::int64_t most) {
    if (!solves() || settings_.left_out.contains("HPL")) return;
    const std::int64_t now = settings_.problem.orders.front();
    std::int64_t low = 0, high = 64;  // parts of the way that fit, and that do not
    const auto order = [&](std::int64_t part) { return now + (most - now) * part / 64; };
    if (most <= now) return;
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      set_order(order(middle));
      (expected_s() <= seconds ? low : high) = middle;
    }
    set_order(order(64));
    if (expected_s() > seconds) set_order(order(low));
  }

  /// Enlarges the memory of the tests: 1, 2, 3, 4, 6, 8, 12, ... MiB, and in the end all.
  void grow_memory(double seconds) {
    std::vector<std::int64_t> list;
    for (std::int64_t power = 1 << 20; power <= most_byte(); power *= 2) {
      list.push_back(power);
      if (power / 2 * 3 <= most_byte()) list.push_back(power / 2 * 3);
    }
    list.push_back(most_byte());
    const auto last = std::ranges::partition_point(list, [&](std::int64_t memory) {
      settings_.memory_byte = memory;
      return expected_s() <= seconds;
    });
    settings_.memory_byte = last == list.begin() ? list.front() : *(last - 1);
  }

  [[nodiscard]] bool solves() const {
    return std::ranges::find(names_, "HPL") != names_.end() && !world_.rates.panels.empty() && settings_.blas;
  }

  [[nodiscard]] std::int64_t most_byte() const {
    constexpr std::int64_t unknown = 64 << 20;
    const auto most = settings_.most_byte > 0 ? settings_.most_byte : unknown;
    return static_cast<std::int64_t>(static_cast<double>(most) * rule_share);
  }

  [[nodiscard]] std::int64_t largest_order() const {
    const auto mebibyte = static_cast<double>(std::max<std::int64_t>(most_byte() >> 20, 1));
    return default_order(mebibyte, settings_.problem.grids.front());
  }

  [[nodiscard]] std::int64_t solver_order(double efficiency) const {
    if (!solves()) return default_order(1, settings_.problem.grids.front());
    hpl::Variant variant;
    variant.grid = settings_.problem.grids.front();
    variant.nb = block_for(largest_order());
    return std::min(largest_order(), least_solver_order(variant, settings_, world_.rates, efficiency));
  }

  [[nodiscard]] std::int64_t block_for(std::int64_t order) const {
    return own_block_ ? settings_.problem.blocks.front() : hpl::best_block(world_.rates.panels, order);
  }

  void set_order(std::int64_t order) {
    settings_.problem.blocks = {block_for(order)};
    settings_.problem.orders = {rounded_order(order, settings_.problem.blocks.front())};
  }

  Settings settings_;
  Names names_;
  const suites::World& world_;
  bool own_block_;
  Effort started_with_ = settings_.effort;
};

}  // namespace

Settings fitted(Settings settings, Names benchmarks, const suites::World& world,
                const suites::TimeShare& time, bool own_block) {
  return Fitting(std::move(settings), benchmarks, world, own_block).fit(time);
}

suites::TimeRange time_range(const Settings& settings, Names benchmarks, const suites::World& world,
                             bool own_block) {
  return {Fitting(settings, benchmarks, world, own_block).least_s(),
          Fitting(settings, benchmarks, world, own_block).most_s()};
}

}  // namespace steelyard::hpcc
