// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suites/hpcc/experiment.hpp"
#include "units/prefixes.hpp"

/// What the experiments share.
namespace steelyard::hpcc {

using prefix::giga;

/// Calls that one operation and one check are made of.
struct Calls {
  std::function<int()> run;
  std::function<std::optional<measure::CheckResult>()> verify;
};
/// A workload of them; in Single mode the other ranks sleep while the one works, looking every millisecond: a
/// spinning neighbour would change the number.
[[nodiscard]] std::unique_ptr<measure::Workload> make_workload(const Frame& frame, Mode mode, Calls calls);

/// Processor time of this process in the executions of a point, which the published text tells beside the
/// wall time.
class CpuTimes {
 public:
  /// The same call with its processor time taken: two calls of the system more. Refers to this object.
  [[nodiscard]] std::function<int()> timed(std::function<int()> run);
  /// Of the last execution; 0 before the first.
  [[nodiscard]] double last_s() const { return seconds_.empty() ? 0 : seconds_.back(); }
  /// The median over executions as classic value `cpu_s`, on a process that has executed.
  void put(record::PointRecord& record) const;

 private:
  std::vector<double> seconds_;
};

/// Ranks 0 .. used - 1 as a communicator of their own, invalid on the others. Collective.
[[nodiscard]] mpi::Communicator first_ranks(const mpi::Communicator& world, int used);

/// Rates of one point over its passes: of each pass the mean over processes (Star), or by the slowest
/// process.
struct Rates {
  double value = 0;            // median over passes
  double least = 0, most = 0;  // of a process (Star) or a pass
  double seconds = 0;          // that belong to value
};
/// count: what one operation of a process counts for. Nothing if no pass was measured.
[[nodiscard]] std::optional<Rates> rates(const measure::Outcome& outcome, Mode mode, double count);

/// How long each pass took, by its slowest process, in the order of time: as classic value `passes_s`.
void put_passes(record::PointRecord& record, const measure::Outcome& outcome);

/// Key of the Summary that begins with the benchmark's name.
[[nodiscard]] inline std::string key(const PointSpec& spec, std::string_view end) {
  return std::string(spec.benchmark.name) + std::string(end);
}

/// The primary metric: more is better. With it the time of an operation.
void put_primary(record::PointRecord& record, const measure::Outcome& outcome, std::string_view metric,
                 double rate);
/// The same, with the least and the largest rate and the passes that tell how it spreads.
void put_rate(record::PointRecord& record, const measure::Outcome& outcome, std::string_view metric,
              const Rates& found);

}  // namespace steelyard::hpcc
