// SPDX-License-Identifier: Apache-2.0
#include "survey/survey.hpp"

#include "survey/probes.hpp"

namespace steelyard::survey {

Surveyed survey(const mpi::Communicator& world, const Wishes& wishes) {
  Surveyed surveyed;
  for (const auto& field : suites::rate_fields) surveyed.assumed.emplace_back(field.name);
  const ProbeClock clock(world, wishes.seconds);
  using enum suites::RateGroup;
  if (wishes.groups.contains(messages)) probe_messages(clock, surveyed);
  if (wishes.groups.contains(one_sided)) probe_one_sided(clock, surveyed);
  if (wishes.groups.contains(files)) probe_files(clock, wishes, surveyed);
  if (wishes.groups.contains(rows)) probe_rows(clock, surveyed);
  if (wishes.groups.contains(kernels)) probe_kernels(clock, wishes, surveyed);
  if (wishes.groups.contains(solver)) probe_solver(clock, wishes, surveyed);
  surveyed.rates.origin = suites::Rates::Origin::measured;
  surveyed.seconds = world.broadcast(clock.elapsed_s());
  return surveyed;
}

}  // namespace steelyard::survey
