// SPDX-License-Identifier: Apache-2.0
// The program of simulated machines: smpirun ... scale.so EXPERIMENT name=value...
#include <cstdio>
#include <exception>
#include <string>

#include "mpi/environment.hpp"
#include "tests/scale/experiments.hpp"

using namespace steelyard;

namespace {

struct Experiment {
  const char* name;
  void (*run)(const scale::Words& words);
};

constexpr Experiment experiments[] = {{"b-eff", scale::effective_bandwidth},
                                      {"imb", scale::transfers},
                                      {"engine", scale::engine},
                                      {"screen", scale::screening}};

int run(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  for (const auto& experiment : experiments)
    if (name == experiment.name) {
      experiment.run(scale::Words(argc, argv));
      return 0;
    }
  std::fprintf(stderr, "no experiment '%s'\n", name.c_str());
  return 2;
}

}  // namespace

// An error must show in the output: the simulator tells no exit code of an abort.
int main(int argc, char** argv) {
  const mpi::Environment environment(&argc, &argv, mpi::ThreadLevel::single);
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::printf("error %s\n", error.what());
    return 1;
  }
}
