// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

/// The tests of HPC Challenge. Each is a folder: rules.cpp says what is known without measuring and is pure,
/// experiment.cpp measures. The tables in definition.cpp and experiment.cpp name both.
namespace steelyard::hpcc {

class TestRules;
class Experiment;
struct Frame;
struct PointSpec;

/// Experiments of one block. Collective over the world of the frame.
using Experiments = std::vector<std::unique_ptr<Experiment>>;

[[nodiscard]] const TestRules& random_access_rules();
[[nodiscard]] std::unique_ptr<Experiment> make_random_access(const Frame& frame, const PointSpec& spec);

[[nodiscard]] const TestRules& ptrans_rules();
[[nodiscard]] std::unique_ptr<Experiment> make_ptrans(const Frame& frame, const PointSpec& spec);

[[nodiscard]] const TestRules& dgemm_rules();
[[nodiscard]] std::unique_ptr<Experiment> make_dgemm(const Frame& frame, const PointSpec& spec);

[[nodiscard]] const TestRules& stream_rules();
/// Experiments of all points of a STREAM block, which work on the same vectors.
[[nodiscard]] Experiments make_stream(const Frame& frame, std::span<const PointSpec> specs);

[[nodiscard]] const TestRules& fft_rules();
[[nodiscard]] std::unique_ptr<Experiment> make_fft(const Frame& frame, const PointSpec& spec);

[[nodiscard]] const TestRules& latency_bandwidth_rules();
[[nodiscard]] std::unique_ptr<Experiment> make_latency_bandwidth(const Frame& frame, const PointSpec& spec);

[[nodiscard]] const TestRules& solver_rules();
[[nodiscard]] std::unique_ptr<Experiment> make_solver(const Frame& frame, const PointSpec& spec);

}  // namespace steelyard::hpcc
