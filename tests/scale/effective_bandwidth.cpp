// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "analysis/beff_run.hpp"
#include "suites/beff/definition.hpp"
#include "suites/beff/settings.hpp"
#include "tests/scale/experiments.hpp"
#include "tests/scale/measured.hpp"

namespace steelyard::scale {
namespace {

// A loop over all processes in which most have nothing to say costs the simulator an order of magnitude more
// than the other methods, and no process ever gains by it.
std::vector<beff::Method> left_out(const std::string& chosen) {
  using enum beff::Method;
  if (chosen == "Sndrcv") return {alltoallv, nonblocking};
  if (chosen == "non-blk") return {alltoallv, sendrecv};
  if (chosen == "all") return {};
  return {alltoallv};
}

beff::Settings settings_of(const Words& words) {
  beff::Settings settings;
  settings.memory_mebibyte = 128;
  settings.longest = Bytes{words.whole("longest", 1 << 20)};
  settings.polygons = words.whole("polygons", 30);
  settings.repetitions = words.whole("repetitions", 1);
  settings.loop_time_s = words.number("loop_s", 1e-3);
  settings.seed = static_cast<std::uint64_t>(words.whole("seed", 1));
  settings.shorten_last_two = false;
  settings.without_methods = left_out(words.text("method", "both"));
  settings.without_patterns = {"worst-cyc", "best-bi-section", "worst-bi-section", "acyclic", "cyclic"};
  return settings;
}

void tell(const char* name, const std::optional<double>& value) {
  if (value) std::printf("%s %.9g\n", name, *value);
}

}  // namespace

void effective_bandwidth(const Words& words) {
  const auto world = mpi::Communicator::world();
  const auto suite = beff::measurable_suite(settings_of(words));
  const std::string names[] = {std::string(beff::benchmark_name)};
  const auto records = measured(*suite, suite->plan(names, world.size()).front(), nullptr);
  if (!world.is_root()) return;
  const analysis::BeffRun run(records);
  const auto& derived = run.derived();
  tell("b_eff_byte_s", run.b_eff());
  tell("at_longest_byte_s", derived.at_longest_byte_s);
  tell("rings_at_longest_byte_s", derived.rings_at_longest_byte_s);
  tell("rings_byte_s", run.result().official.sets.rings);
  tell("random_byte_s", run.result().official.sets.random);
  tell("latency_s", derived.latency_s);
  tell("pingpong_byte_s", derived.pingpong_bandwidth_byte_s);
  tell("pingpong_s", derived.pingpong_latency_s);
  std::printf("points %zu\nmissing %zu\nverified %d\n", run.points(), run.missing(),
              run.verified().value_or(false));
}

}  // namespace steelyard::scale
