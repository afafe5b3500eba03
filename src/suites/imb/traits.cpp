// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/traits.hpp"

namespace steelyard::imb {
namespace {

using measure::OverRanks;
using measure::Sync;
using measure::Timing;
using measure::Traits;

Sync barrier(const Settings& settings) {
  return settings.own_barrier ? Sync::dissemination : Sync::barrier;
}

void time_as_imb(const Settings& settings, const Definition& definition, Traits& traits) {
  traits.timing = Timing::whole;
  if (definition.kind != Class::collective) return;
  if (settings.sync || settings.version == Version::v2021) traits.timing = Timing::each;
  if (settings.sync) traits.sync = barrier(settings);
}

void time_as_engine(const Settings& settings, const Definition& definition, Traits& traits) {
  traits.timing = Timing::batch;
  if (definition.rooted || (settings.sync && definition.kind == Class::collective)) {
    traits.timing = Timing::each;
    traits.sync = barrier(settings);
  }
  // Half the round trip, as the rank sees it that starts and ends it.
  if (definition.kind == Class::single_transfer && definition.time_divisor != 1)
    traits.over_ranks = OverRanks::one;
}

// Every operation ends with all ranks together. Later releases read the clock around each accumulation.
void time_one_sided(const Settings& settings, const Definition& definition, RuleOf rule, Mode mode,
                    Traits& traits) {
  const bool alone = settings.version == Version::v2021 && definition.reduction && !definition.passive &&
                     mode == Mode::non_aggregate;
  traits.timing = alone ? Timing::each : Timing::whole;
  if (rule == RuleOf::campaign) traits.timing = Timing::batch;
  // A target that originates nothing has no time.
  if (definition.passive && !definition.mutual) traits.over_ranks = OverRanks::one;
}

}  // namespace

measure::Meeting meeting(const Settings& settings, const Definition& definition) {
  const bool own = settings.own_barrier && definition.kind == Class::collective && !definition.passive;
  return own ? measure::Meeting::dissemination : measure::Meeting::mpi;
}

Traits traits(const Settings& settings, const Definition& definition, RuleOf rule, bool owns_result,
              Mode mode) {
  Traits traits;
  traits.meeting = meeting(settings, definition);
  traits.meetings = settings.barriers;
  traits.owns_result = owns_result;
  traits.time_divisor = definition.time_divisor;
  traits.rooted = definition.rooted && settings.root_shift;
  if (definition.one_sided)
    time_one_sided(settings, definition, rule, mode, traits);
  else if (rule == RuleOf::suite)
    time_as_imb(settings, definition, traits);
  else
    time_as_engine(settings, definition, traits);
  return traits;
}

}  // namespace steelyard::imb
