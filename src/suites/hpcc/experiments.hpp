// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/hpcc/experiment.hpp"

/// The list of experiments: one function per test, defined in the folder of the test. All are collective over
/// the world of the frame.
namespace steelyard::hpcc {

[[nodiscard]] std::unique_ptr<Experiment> make_random_access(const Frame& frame, const PointSpec& spec);
[[nodiscard]] std::unique_ptr<Experiment> make_ptrans(const Frame& frame, const PointSpec& spec);
[[nodiscard]] std::unique_ptr<Experiment> make_dgemm(const Frame& frame, const PointSpec& spec);
[[nodiscard]] std::unique_ptr<Experiment> make_fft(const Frame& frame, const PointSpec& spec);
[[nodiscard]] std::unique_ptr<Experiment> make_latency_bandwidth(const Frame& frame, const PointSpec& spec);
[[nodiscard]] std::unique_ptr<Experiment> make_solver(const Frame& frame, const PointSpec& spec);
/// All points of a STREAM block at once: they work on the same vectors.
[[nodiscard]] std::vector<std::unique_ptr<Experiment>> make_stream(const Frame& frame,
                                                                   std::span<const PointSpec> specs);

}  // namespace steelyard::hpcc
