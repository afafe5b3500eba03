// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "suites/hpcc/experiment.hpp"
#include "suites/hpcc/fft/local_fft.hpp"

/// What the experiments share.
namespace steelyard::hpcc {

inline constexpr double giga = 1e9;

/// Key of the Summary that begins with the benchmark's name.
[[nodiscard]] inline std::string key(const PointSpec& spec, std::string_view end) {
  return std::string(spec.benchmark.name) + std::string(end);
}

/// The primary metric and what belongs to it.
inline void put_rate(record::PointRecord& record, const measure::Outcome& outcome, std::string_view metric,
                     const Rates& found) {
  record.metrics.emplace_back(metric, found.value);
  record.metrics.emplace_back("time_s", outcome.time);
  record.primary = metric;
  record.lower_is_better = false;
  record.classic.emplace_back("least_rate", found.least);
  record.classic.emplace_back("most_rate", found.most);
}

/// Which transforms compute an FFT, and the parameters of its passes.
inline void put_transforms(record::PointRecord& record) {
  record.classic.emplace_back("FFT_API", std::string(transform_library()));
  record.classic.emplace_back("Sy_FFT", std::string(transform_library()));
  record.classic.emplace_back("FFTEnblk", pass_columns);
  record.classic.emplace_back("FFTEnp", pass_padding);
  record.classic.emplace_back("FFTEl2size", pass_cache_byte);
}

/// The tests of one process, in Single or Star mode.
[[nodiscard]] std::unique_ptr<Experiment> make_local_experiment(const Frame& frame, const PointSpec& spec);
/// Those of DGEMM.
[[nodiscard]] std::unique_ptr<Experiment> make_dgemm_experiment(const Frame& frame, const PointSpec& spec);
/// Latency and bandwidth.
[[nodiscard]] std::unique_ptr<Experiment> make_messages_experiment(const Frame& frame, const PointSpec& spec);
/// The linear solver.
[[nodiscard]] std::unique_ptr<Experiment> make_solver_experiment(const Frame& frame, const PointSpec& spec);
/// Those of all processes together.
[[nodiscard]] std::unique_ptr<Experiment> make_global_experiment(const Frame& frame, const PointSpec& spec);

}  // namespace steelyard::hpcc
