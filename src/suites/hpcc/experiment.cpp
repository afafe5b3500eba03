// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/experiment.hpp"

#include <stdexcept>

#include "suites/hpcc/experiments.hpp"

namespace steelyard::hpcc {
namespace {

std::unique_ptr<Experiment> make_experiment(const Frame& frame, const PointSpec& spec) {
  switch (spec.benchmark.test) {
    case Test::random_access:
      return make_random_access(frame, spec);
    case Test::ptrans:
      return make_ptrans(frame, spec);
    case Test::dgemm:
      return make_dgemm(frame, spec);
    case Test::fft:
      return make_fft(frame, spec);
    case Test::latency_bandwidth:
      return make_latency_bandwidth(frame, spec);
    case Test::solver:
      return make_solver(frame, spec);
    case Test::stream:
      break;
  }
  throw std::logic_error("a test whose points are made together");
}

}  // namespace

std::vector<std::unique_ptr<Experiment>> make_experiments(const Frame& frame,
                                                          std::span<const PointSpec> specs) {
  std::vector<std::unique_ptr<Experiment>> all;
  if (specs.empty()) return all;
  if (specs.front().benchmark.test == Test::stream) return make_stream(frame, specs);
  for (const auto& spec : specs) all.push_back(make_experiment(frame, spec));
  return all;
}

}  // namespace steelyard::hpcc
