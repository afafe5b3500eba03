// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/records.hpp"
#include "units/quantity.hpp"

/// Records of a made-up run of b_eff: patterns, lengths and names are those of the definition, times those of
/// a model.
namespace steelyard::analysis {

struct BeffExperiment {
  int processes = 8;
  int polygons = 30;
  int repetitions = 3;
  Bytes longest{1048576};
  bool shortened = false;                 // the last two lengths, in every repetition
  std::vector<int> without_methods = {};  // 0, 1, 2
  double byte_s = 2e9;                    // of one process at long messages with the best method
  std::string mark = {}, because = {};    // of the configuration
};

/// Seconds of one iteration for the slowest process. Method 1 is the slowest everywhere; method 2 is the
/// fastest from 4 kbyte on, method 0 below. Repetition 1 (of 0, 1, 2) is the fastest.
[[nodiscard]] double iteration_s(const BeffExperiment& experiment, int repetition, std::size_t pattern,
                                 Bytes length, int slots, int method);

[[nodiscard]] std::vector<record::PointRecord> beff_points(const BeffExperiment& experiment);
[[nodiscard]] record::RunRecord beff_run_record(const BeffExperiment& experiment);

/// The member of classic of that name; throws if there is none.
[[nodiscard]] record::Value& member(record::PointRecord& point, std::string_view name);

}  // namespace steelyard::analysis
