// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "measure/engine.hpp"
#include "measure/task.hpp"
#include "suites/imb/settings.hpp"
#include "suites/imb/sides.hpp"
#include "suites/suite.hpp"

namespace steelyard::imb {

/// Facts that the records of a block state besides what the engine measured.
struct RecordContext {
  const Settings& settings;
  const Definition& definition;
  const suites::BlockPlan& block;
  int world = 1;             // processes, idle ones included
  std::uint64_t bundle = 1;  // transfers of one operation that was timed
};

/// Metrics, classic values and flags of one point: one record, or one per group under `-multi 1`.
[[nodiscard]] std::vector<record::PointRecord> make_records(const RecordContext& context, Bytes size,
                                                            const measure::Outcome& outcome,
                                                            const record::PointRecord& base);

/// Minimum, quantiles 0.10 0.25 0.50 0.75 0.90 0.95 0.99 0.995 0.999 0.9999 and maximum: value number floor(n
/// q) of the ascending times. Empty if there are no times.
[[nodiscard]] std::vector<double> tail(std::vector<double> times);

/// Adds the figures of benchmarks with a computation beside them: times of the rank whose operations took
/// longest, of all ranks where they are few, the overlap by the rules of the version and as a share of the
/// communication. `record` is that of all groups or, by its parameter "group", of one.
void put_overlap(Version version, const Definition& definition, const suites::BlockPlan& block,
                 const measure::Outcome& outcome, record::PointRecord& record);

/// Adds the number of pairs of a block that are within a node, and their share of all pairs.
void put_pairs(std::int64_t on_one_node, std::int64_t pairs, record::PointRecord& record);

/// Largest number of ranks whose times a record lists one by one: 80 KiB in a row. With 10^5 ranks it would
/// be 8 MB, and gigabytes in a run.
inline constexpr int most_ranks_listed = 1024;

/// Adds the figures of benchmarks with a comparison beside their time: what they are compared with, and
/// what follows; of the slowest rank where ranks differ. `record` is that of all groups or, by its
/// parameter "group", of one.
void put_own(const Definition& definition, const suites::BlockPlan& block, const measure::Outcome& outcome,
             record::PointRecord& record);

}  // namespace steelyard::imb
