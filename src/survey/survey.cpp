// SPDX-License-Identifier: Apache-2.0
#include "survey/survey.hpp"

#include "survey/probes.hpp"

namespace steelyard::survey {

Surveyed survey(const mpi::Communicator& world, const Wishes& wishes, const std::function<void()>& met) {
  Surveyed surveyed;
  surveyed.rates = assumed_rates(wishes.threads);
  for (const auto& field : suites::rate_fields) surveyed.assumed.emplace_back(field.name);
  const ProbeClock clock(world, wishes.seconds);
  using enum suites::RateGroup;
  const auto probe = [&](suites::RateGroup group, const auto& measure) {
    if (!wishes.groups.contains(group)) return;
    measure();
    world.barrier();
    if (met) met();
  };
  probe(messages, [&] { probe_messages(clock, surveyed); });
  probe(one_sided, [&] { probe_one_sided(clock, surveyed); });
  probe(rows, [&] { probe_rows(clock, surveyed); });
  probe(memory, [&] { probe_memory(clock, wishes, surveyed); });
  probe(kernels, [&] { probe_kernels(clock, wishes, surveyed); });
  probe(solver, [&] { probe_solver(clock, wishes, surveyed); });
  // Last: what a system still has to do for files would disturb the others.
  probe(files, [&] { probe_files(world, wishes, surveyed); });
  surveyed.rates.origin = suites::Rates::Origin::measured;
  surveyed.seconds = world.broadcast(clock.elapsed_s());
  return surveyed;
}

}  // namespace steelyard::survey
