// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "suites/imb/part_definition.hpp"
#include "suites/imb/session.hpp"
#include "tests/scale/experiments.hpp"
#include "tests/scale/measured.hpp"

namespace steelyard::scale {
namespace {

imb::Settings settings_of(const Words& words, int world) {
  imb::Settings settings;
  settings.processes = std::vector<int>{world};
  settings.sizes.listed = std::vector<Bytes>{Bytes{words.whole("size", 8)}};
  settings.iterations.per_sample = static_cast<std::uint64_t>(words.whole("operations", 20));
  settings.check = true;
  return settings;
}

double classic(const record::PointRecord& point, const char* name) {
  const auto* value = record::find(point.classic, name);
  return value == nullptr ? -1 : record::number(*value);
}

double median(const record::PointRecord& point) {
  for (const auto& [name, metric] : point.metrics)
    if (name == "time_s") return record::value_of(metric).value_or(-1);
  return -1;
}

}  // namespace

void transfers(const Words& words) {
  const auto world = mpi::Communicator::world();
  const auto settings = settings_of(words, world.size());
  const std::string names[] = {words.text("benchmark", "Allreduce")};
  const auto& part = words.text("part", "imb-mpi1") == "imb-p2p" ? imb::p2p() : imb::mpi1();
  const auto suite = imb::measurable_messages(part, settings);
  const auto plan = suite->plan(names, world.size());
  const auto points = measured(*suite, plan.front(), nullptr);
  for (const auto& point : points)
    std::printf("status %s\ntime_s %.9g\nt_min_s %.9g\nt_max_s %.9g\ndefects %.0f\n",
                std::string(record::text(point.status)).c_str(), median(point), classic(point, "t_min_s"),
                classic(point, "t_max_s"), classic(point, "defects"));
}

}  // namespace steelyard::scale
