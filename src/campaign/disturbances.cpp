// SPDX-License-Identifier: Apache-2.0
#include "campaign/disturbances.hpp"

#include <utility>

#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {

std::vector<record::EventRecord> events_of(const Disturbances& met) {
  constexpr double tolerated_steal = 0.005, tolerated_migrations = 0.01;
  std::vector<record::EventRecord> events;
  const auto warn = [&](const char* code, std::string text, record::Json data) {
    events.push_back({record::Severity::warning, code, std::move(text), {}, std::move(data)});
  };
  if (met.steal_share > tolerated_steal)
    warn("steal",
         "while this session measured, the hypervisor gave " + units::percent(met.steal_share, 1) +
             " of the time to other guests",
         {{"steal_share", met.steal_share}});
  if (met.throttled_periods > 0)
    warn("container_quota",
         "while this session measured, the control group's quota was spent " +
             units::counted(met.throttled_periods, "time") + ": processes were stopped for " +
             units::format_significant(met.throttled_s, 3) + " s",
         {{"throttled_periods", met.throttled_periods}, {"throttled_s", met.throttled_s}});
  if (met.remote_processes > 0)
    warn("remote_memory",
         "memory of " + units::counted(met.remote_processes, "process", "processes") +
             " lay in other NUMA domains than their processors, up to " +
             units::percent(met.remote_share, 0) + " of a process's",
         {{"processes", met.remote_processes}, {"largest_share", met.remote_share}});
  const double visits = static_cast<double>(met.visits), migrated = static_cast<double>(met.migrated_visits);
  if (migrated > tolerated_migrations * visits)
    warn("migrated",
         "processes changed their processor in " + units::counted(met.migrated_visits, "visit") + " of " +
             std::to_string(met.visits),
         {{"migrated_visits", met.migrated_visits}, {"visits", met.visits}});
  return events;
}

}  // namespace steelyard::campaign
