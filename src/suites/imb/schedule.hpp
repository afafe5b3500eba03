// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "measure/schedule.hpp"
#include "measure/task.hpp"
#include "suites/imb/settings.hpp"

/// Numbers of repetitions by IMB's rules. Pure. Source: IMB 3.1 User's Guide, 5.1.2.5, 5.1.2.6 and 5.2.8, and
/// for the policies other than `volume` the later releases.
namespace steelyard::imb {

/// Number of repetitions by the iteration policy, before any time limit looks at it.
[[nodiscard]] std::uint64_t planned_repetitions(const Settings& settings, const Definition& definition,
                                                Bytes size, int processes, Mode mode = Mode::none);
/// The same without the bound that the computation of a non-blocking file benchmark sets: what the
/// reference repeats.
[[nodiscard]] std::uint64_t unbounded_repetitions(const Settings& settings, const Definition& definition,
                                                  Bytes size, int processes, Mode mode);

/// Number of repetitions of a point that are checked, the first ones, unless the user says how many: four,
/// from a mebibyte on two. The data of the second show whether they follow the repetition, and large ones
/// would take longer to check than to measure.
[[nodiscard]] constexpr std::uint64_t checked_repetitions(Bytes size) {
  constexpr std::int64_t large_byte = 1 << 20;
  return size.count() < large_byte ? 4 : 2;
}

/// Number of visits of a campaign for which a file or a window stays open, once every place was seen: opening
/// takes time that is not measured, and a non-blocking operation measures its blocking equivalent each time.
inline constexpr int visits_of_opened = 4;

/// Limit T of `-time` that applies to this benchmark; nullopt if the policy ignores time.
[[nodiscard]] std::optional<Seconds> time_limit(const Settings& settings, const Definition& definition);

/// Number of untimed operations before n timed ones: one (3.1), max(n div 10, min(10, n)) (2021), max(n div
/// 10, 1) but none before a single one (IMB-P2P), none with `-warm_up off`.
[[nodiscard]] std::uint64_t warm_up(const Settings& settings, std::uint64_t operations);

/// Largest n within the time limit: floor(1 + T / t), and never more than an earlier size of the table
/// allows. `most` stands for the size before the first one of a table (2021: the first number of -iter).
/// `size_byte` counts only for sizes given by the user, which may come in any order.
[[nodiscard]] std::uint64_t within_time(std::uint64_t planned, double operation_s, Seconds limit,
                                        bool user_sizes, std::int64_t size_byte,
                                        std::span<const measure::EarlierPoint> earlier,
                                        std::uint64_t most = static_cast<std::uint64_t>(-1));

/// Part of the time limit of a row that what precedes it may take.
inline constexpr double share_before_row = 1.0 / 3;

/// Number of repetitions of what precedes a row, at most `planned` and at least one, that fit into `longest` where
/// one takes `first_s`.
[[nodiscard]] std::uint64_t repetitions_before(std::uint64_t planned, double first_s, Seconds longest);

/// Wall time of one table, from the first question on. Version 2021 ends a table that takes too long.
class TableClock {
 public:
  /// `now` in seconds; asked on the deciding rank only.
  TableClock(std::optional<Seconds> limit, std::function<double()> now)
      : limit_(limit), now_(std::move(now)) {}
  [[nodiscard]] bool exceeded();

 private:
  std::optional<Seconds> limit_;
  std::function<double()> now_;
  std::optional<double> started_s_;
};

/// Seconds of a steady clock.
[[nodiscard]] double steady_seconds();

/// One schedule per size of a table, in order. A table without sizes (Barrier) has the one size 0. Points
/// that start after the table's time limit stop at once, reason `time`, without a visit.
[[nodiscard]] std::vector<std::unique_ptr<measure::Schedule>> imb_schedules(
    const Settings& settings, const Definition& definition, std::span<const Bytes> sizes, int processes,
    Mode mode = Mode::none, std::function<double()> now = steady_seconds);

// Timing of a benchmark.

/// Owner of the rule that decides how often: IMB itself, or the campaign that chose another one.
enum class RuleOf { suite, campaign };

/// Whether the repetitions of a row are one whole by IMB's own rule: all are started before the first is
/// waited for, or one fence inside the clock opens them all. They have no times of their own: a clock between
/// them would make each a row by itself.
[[nodiscard]] bool one_whole(const Settings& settings, const Definition& definition, Mode mode);

/// Meeting of the processes before the clock. Source: -imb_barrier of the public releases, of
/// collective benchmarks.
[[nodiscard]] measure::Meeting meeting(const Settings& settings, const Definition& definition);

/// Timing of a benchmark: as IMB does (one clock around the loop, or around each call with a barrier
/// between), or by the engine's defaults for its class (docs/methodology.md, "Synchronisation").
/// `owns_result`: of this rank, rank 0 of its group reports a ping-pong.
[[nodiscard]] measure::Traits traits(const Settings& settings, const Definition& definition, RuleOf rule,
                                     bool owns_result, Mode mode = Mode::none);

}  // namespace steelyard::imb
