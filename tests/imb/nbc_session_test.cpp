// SPDX-License-Identifier: Apache-2.0
// IMB-NBC on the engine, from plan to records.
#include <gmock/gmock.h>

#include "tests/imb/session_bench.hpp"

namespace steelyard::imb {
namespace {

using test::classic;
using test::Instruments;
using test::measure_block;

Settings few_sizes(Version version) {
  auto settings = defaults(nbc(), version);
  settings.sizes.listed = std::vector<Bytes>{Bytes{0}, Bytes{8}, Bytes{4096}};
  settings.iterations.per_sample = 4;
  settings.check = true;
  return settings;
}

std::vector<std::string> few_names() {
  return {"Ibcast", "Iallreduce_pure", "Ialltoallv", "Ireduce", "Ibarrier"};
}

std::vector<std::string> all_names() {
  std::vector<std::string> all;
  for (const auto& definition : nbc().benchmarks) all.emplace_back(definition.name);
  return all;
}

void expect_sound(const record::PointRecord& record) {
  const auto& definition = *find(nbc(), record.benchmark);
  EXPECT_EQ(record.status, record::Status::ok) << record.key;
  EXPECT_GT(classic(record, "t_max_s"), 0) << record.key;
  EXPECT_EQ(classic(record, "defects"), definition.kind == Class::sync ? -1 : 0) << record.key;
  EXPECT_EQ(classic(record, "t_pure_s") > 0, definition.with_computation) << record.key;
  if (!definition.with_computation) return;
  EXPECT_GT(classic(record, "t_cpu_s"), 0) << record.key;
  EXPECT_GE(classic(record, "t_ovrl_s"), classic(record, "t_cpu_s")) << record.key;
  EXPECT_GE(classic(record, "overlap_percent"), 0) << record.key;
  EXPECT_LE(classic(record, "overlap_percent"), 100) << record.key;
}

void measure_all(const Settings& settings, const std::vector<std::string>& names,
                 const measure::Schedule* schedule = nullptr) {
  const auto suite = measurable(nbc(), settings);
  Instruments instruments;
  for (const auto& block : suite->plan(names, mpi::Communicator::world().size()))
    for (const auto& record : measure_block(*suite, block, schedule, instruments)) expect_sound(record);
}

TEST(nbc_session, every_benchmark_is_measured_and_verified) {
  const bool many = mpi::Communicator::world().size() > 2;
  measure_all(few_sizes(Version::v31), many ? few_names() : all_names());
}

TEST(nbc_session, later_rules_and_campaigns_measure_them_too) {
  measure_all(few_sizes(Version::v2021), few_names());
  measure_all(few_sizes(Version::v31), few_names(), measure::fixed_schedule(8, 1).get());
}

TEST(nbc_session, groups_have_rows_of_their_own) {
  auto settings = few_sizes(Version::v31);
  settings.multi = 1;
  settings.processes = std::vector{1};
  const auto suite = measurable(nbc(), settings);
  Instruments instruments;
  const std::vector<std::string> one{"Ialltoall"};
  const auto records = measure_block(*suite, suite->plan(one, mpi::Communicator::world().size()).front(),
                                     nullptr, instruments);
  if (!mpi::Communicator::world().is_root()) return;
  EXPECT_EQ(records.size(), 3 * static_cast<std::size_t>(mpi::Communicator::world().size()));
  for (const auto& record : records) EXPECT_GT(classic(record, "t_pure_s"), 0);
}

}  // namespace
}  // namespace steelyard::imb
