// SPDX-License-Identifier: Apache-2.0
// The suite on the engine, from plan to records.
#include "suites/session.hpp"

#include <gmock/gmock.h>

#include <map>
#include <numeric>
#include <set>

#include "measure/engine.hpp"
#include "mpi/environment.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/session.hpp"
#include "tests/imb/bench.hpp"
#include "tests/imb/session_bench.hpp"

namespace {

/// Bytes and root of the calls of one collective that these tests see.
std::vector<std::pair<int, int>>& scattered() {
  static std::vector<std::pair<int, int>> calls;
  return calls;
}

}  // namespace

extern "C" int MPI_Scatter(const void* from, int count, MPI_Datatype type, void* to, int received,
                           MPI_Datatype as, int root, MPI_Comm comm) {
  scattered().emplace_back(received, root);
  return PMPI_Scatter(from, count, type, to, received, as, root, comm);
}

namespace steelyard::imb {
namespace {

using record::PointRecord;
using test::classic;
using test::Instruments;
using test::measure_block;

// Ranks outnumber the cores of a small machine: less of everything but ranks.
bool few_cores() {
  return mpi::Communicator::world().size() > 2;
}

Settings few_sizes() {
  Settings settings;
  settings.sizes.listed = std::vector<Bytes>{Bytes{0}, Bytes{8}, Bytes{4096}};
  settings.iterations.per_sample = few_cores() ? 3 : 20;
  settings.window = 4;
  settings.check = true;
  return settings;
}

std::vector<std::string> names() {
  if (few_cores()) return {"PingPong", "Exchange", "Reduce_scatter", "Gatherv", "Bcast", "Barrier", "Biband"};
  std::vector<std::string> all;
  for (const auto& definition : mpi1().benchmarks) all.emplace_back(definition.name);
  return all;
}

void expect_sound(const PointRecord& record) {
  EXPECT_EQ(record.status, record::Status::ok) << record.key;
  EXPECT_GT(classic(record, "t_max_s"), 0) << record.key;
  EXPECT_LE(classic(record, "t_min_s"), classic(record, "t_avg_s") * 1.000001) << record.key;
  EXPECT_LE(classic(record, "t_avg_s"), classic(record, "t_max_s") * 1.000001) << record.key;
  const bool checked = record.benchmark != "Barrier";
  EXPECT_EQ(classic(record, "defects"), checked ? 0 : -1) << record.key;
}

// Measures every block of every benchmark; rank 0 looks at all records.
std::size_t measure_all(const Settings& settings, const measure::Schedule* schedule) {
  const int world = mpi::Communicator::world().size();
  const auto suite = measurable(mpi1(), settings);
  Instruments instruments;
  std::size_t count = 0;
  for (const auto& block : suite->plan(names(), world)) {
    if (!block.points.front().measurable()) continue;
    const auto records = measure_block(*suite, block, schedule, instruments);
    for (const auto& record : records) expect_sound(record);
    if (mpi::Communicator::world().is_root()) {
      EXPECT_GE(records.size(), block.points.size()) << block.benchmark;
    }
    count += records.size();
  }
  return count;
}

TEST(session, measures_every_benchmark_by_the_rule_of_the_seed) {
  const auto records = measure_all(few_sizes(), nullptr);
  if (mpi::Communicator::world().is_root()) {
    EXPECT_GE(records, 19U);
  }
}

TEST(session, measures_every_benchmark_by_the_later_rules) {
  auto settings = few_sizes();
  const auto later = defaults(mpi1(), Version::v2021);
  settings.version = later.version;
  settings.policy = later.policy;
  settings.time_limit = Seconds{1};
  settings.sync = later.sync;
  settings.root_shift = later.root_shift;
  const auto records = measure_all(settings, nullptr);
  if (mpi::Communicator::world().is_root()) {
    EXPECT_GE(records, 19U);
  }
}

TEST(session, measures_in_groups_with_renumbered_ranks) {
  const int world = mpi::Communicator::world().size();
  auto settings = few_sizes();
  settings.multi = 1;
  settings.map = {world % 2 == 0 ? 2 : 1, world % 2 == 0 ? world / 2 : world};
  const auto records = measure_all(settings, nullptr);
  if (mpi::Communicator::world().is_root()) {
    EXPECT_GE(records, 19U);
  }
}

TEST(session, measures_by_a_schedule_of_the_campaign) {
  auto settings = few_sizes();
  settings.off_cache = {.cache_byte = 10000, .line_byte = 64};
  const auto fixed = measure::fixed_schedule(16, 2);
  measure_all(settings, fixed.get());
}

TEST(session, seed_rule_repeats_as_planned) {
  Instruments instruments;
  auto settings = Settings{};
  settings.iterations.per_sample = 10;
  settings.sizes.listed = std::vector<Bytes>{Bytes{4}, Bytes{8 << 20}};
  const auto suite = measurable(mpi1(), settings);
  const std::string names[] = {"Bcast"};
  const auto block = suite->plan(names, mpi::Communicator::world().size()).front();
  const auto records = measure_block(*suite, block, nullptr, instruments);
  if (!mpi::Communicator::world().is_root()) return;
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(classic(records[0], "repetitions"), 10);
  EXPECT_EQ(classic(records[1], "repetitions"), 5);
  EXPECT_EQ(records[0].schedule->rule, "imb");
  EXPECT_EQ(records[0].schedule->timing, "whole");
}

// Two operations of 4 byte, then one of each size; what is timed begins with root 0, and so does the check.
TEST(session, seed_rule_warms_up_a_table_with_single_elements) {
  Instruments instruments;
  Settings settings;
  settings.iterations.per_sample = 3;
  settings.sizes.listed = std::vector<Bytes>{Bytes{64}, Bytes{128}};
  const auto suite = measurable(mpi1(), settings);
  const std::string names[] = {"Scatter"};
  const int size = mpi::Communicator::world().size();
  const auto block = suite->plan(names, size).front();
  scattered().clear();
  static_cast<void>(measure_block(*suite, block, nullptr, instruments));
  if (mpi::Communicator::world().rank() >= block.processes) return;
  const int last = block.processes;
  std::vector<std::pair<int, int>> expected{{4, 0}, {4, 1 % last}};
  for (const int bytes : {64, 128})
    for (const int number : {0, 0, 1, 2, 0, 1, 2}) expected.emplace_back(bytes, number % last);
  EXPECT_EQ(scattered(), expected);
}

TEST(session, tells_the_times_of_single_operations_when_asked) {
  Instruments instruments;
  auto settings = few_sizes();
  settings.show_tail = true;
  settings.dump = true;
  const auto suite = measurable(mpi1(), settings);
  const std::string names[] = {"Sendrecv"};
  const auto block = suite->plan(names, mpi::Communicator::world().size()).front();
  for (const auto& record : measure_block(*suite, block, nullptr, instruments)) {
    const auto* tail = record::find(record.classic, "tail_s");
    ASSERT_NE(tail, nullptr);
    EXPECT_EQ(std::get<std::vector<double>>(*tail).size(), 12U);
    EXPECT_EQ(std::get<std::vector<double>>(*record::find(record.classic, "single_times_s")).size(),
              static_cast<std::size_t>(settings.iterations.per_sample));
  }
}

bool needs_several_processes_for_windows() {
  return mpi::Communicator::world().size() < 2;
}

TEST(session, transfers_that_one_fence_opens_have_no_single_times) {
  if (needs_several_processes_for_windows()) return;
  Instruments instruments;
  for (const auto version : {Version::v31, Version::v2021}) {
    auto settings = defaults(ext(), version);
    settings.sizes.listed = std::vector{Bytes{8}};
    settings.iterations = {.per_sample = 5, .volume = mebi, .non_aggregate = 5};
    settings.show_tail = settings.dump = true;
    const auto suite = measurable(ext(), settings);
    const std::string names[] = {"Accumulate"};
    for (const auto& block : suite->plan(names, 2))
      for (const auto& record : measure_block(*suite, block, nullptr, instruments)) {
        const bool whole = version == Version::v2021 && mode_of(block) == Mode::aggregate;
        EXPECT_EQ(record.status, record::Status::ok) << record.key;
        for (const auto* name : {"tail_s", "single_times_s"})
          EXPECT_EQ(record::find(record.classic, name) == nullptr, whole) << record.key << ' ' << name;
      }
  }
}

TEST(session, windows_are_right_behind_the_warm_up_of_their_table) {
  if (needs_several_processes_for_windows()) return;
  Instruments instruments;
  auto settings = defaults(rma(), Version::v31);
  settings.sizes.listed = std::vector{Bytes{0}, Bytes{64}};
  settings.iterations = {.per_sample = 5, .volume = mebi, .non_aggregate = 5};
  settings.check = true;
  const auto suite = measurable(rma(), settings);
  const std::string names[] = {"Unidir_put", "Compare_and_swap", "Truly_passive_put"};
  for (const auto& block : suite->plan(names, 2))
    for (const auto& record : measure_block(*suite, block, nullptr, instruments)) {
      EXPECT_EQ(record.status, record::Status::ok) << record.key;
      ASSERT_TRUE(record.check) << record.key;
      EXPECT_EQ(record.check->errors, 0) << record.key;
    }
}

TEST(session, opens_only_points_that_are_not_skipped) {
  auto settings = few_sizes();
  settings.memory = Bytes{4096};
  const auto suite = measurable(mpi1(), settings);
  const std::string names[] = {"Sendrecv"};
  const auto block = suite->plan(names, mpi::Communicator::world().size()).front();
  const auto team = test::make_team(block);
  if (!team.takes_part()) return;
  const suites::SessionContext context{.team = &team, .memory_byte = 1 << 30, .clock = {}};
  EXPECT_EQ(suite->open(block, context)->tasks().size(), 2U);
}

// The tests run on one node: pairs of half of all processes, and one process that has no partner.
TEST(session, tells_how_many_pairs_are_within_a_node) {
  const auto world = mpi::Communicator::world();
  const int size = world.size();
  const int half = size / 2, rank = world.rank();
  const bool has_one = rank < 2 * half;
  const int other = rank < half ? rank + half : rank - half;
  EXPECT_EQ(pairs_on_one_node(world, has_one ? std::optional(other) : std::nullopt), half);
  EXPECT_EQ(pairs_on_one_node(world, std::nullopt), 0);
  if (size % 2 != 0) return;
  auto settings = defaults(p2p(), Version::v31);
  settings.sizes.listed = std::vector{Bytes{8}};
  settings.iterations.per_sample = 3;
  const auto suite = measurable(p2p(), settings);
  const std::string names[] = {"PingPing", "Corandom"};
  test::Instruments instruments;
  for (const auto& block : suite->plan(names, size))
    for (const auto& record : test::measure_block(*suite, block, nullptr, instruments))
      EXPECT_EQ(classic(record, "pairs_on_one_node"), record.benchmark == "PingPing" ? half : -1);
}

const std::vector<double>& list_of(const PointRecord& record, std::string_view name) {
  static const std::vector<double> none;
  const auto* found = record::find(record.classic, name);
  return found == nullptr ? none : std::get<std::vector<double>>(*found);
}

bool has_metric(const PointRecord& record, std::string_view name) {
  return std::ranges::any_of(record.metrics, [&](const auto& metric) { return metric.first == name; });
}

TEST(session, patterns_name_their_time_and_the_share_of_pairs_within_a_node) {
  const int size = mpi::Communicator::world().size();
  if (size % 2 != 0) return;
  auto settings = defaults(p2p(), Version::v31);
  settings.sizes.listed = std::vector{Bytes{8}};
  settings.iterations.per_sample = 3;
  const auto suite = measurable(p2p(), settings);
  const std::map<std::string, std::string> names{
      {"PingPong", "half_round_trip_s"}, {"PingPing", "exchange_time_s"}, {"Corandom", "time_per_message_s"}};
  Instruments instruments;
  for (const auto& [name, metric] : names) {
    const std::string wanted[] = {name};
    for (const auto& block : suite->plan(wanted, size))
      for (const auto& record : measure_block(*suite, block, nullptr, instruments)) {
        EXPECT_EQ(record.primary, "time_s");
        for (const auto& [other, named] : names)
          EXPECT_EQ(has_metric(record, named), named == metric) << name << " " << named;
        EXPECT_EQ(has_metric(record, "pairs_on_one_node_share"), name != "Corandom") << name;
      }
  }
}

TEST(session, draws_of_every_rank_are_told_under_any_schedule) {
  const int size = mpi::Communicator::world().size();
  if (size < 2) return;
  auto settings = defaults(p2p(), Version::v31);
  settings.sizes.listed = std::vector{Bytes{8}};
  settings.iterations.per_sample = 7;
  const auto suite = measurable(p2p(), settings);
  const std::string names[] = {"Unirandom", "Birandom"};
  const auto fixed = measure::fixed_schedule(12, 2);
  Instruments instruments;
  for (const auto* schedule : {fixed.get(), static_cast<measure::Schedule*>(nullptr)})
    for (const auto& block : suite->plan(names, size))
      for (const auto& record : measure_block(*suite, block, schedule, instruments))
        for (const auto* name : {"drawn_first", "drawn_second"}) {
          const auto& drawn = list_of(record, name);
          ASSERT_EQ(drawn.size(), static_cast<std::size_t>(size)) << record.key << " " << name;
          EXPECT_EQ(std::accumulate(drawn.begin(), drawn.end(), 0.0),
                    static_cast<double>(size * record.schedule->ops.value()))
              << record.key << " " << name;
        }
}

TEST(session, threads_have_times_of_their_own) {
  const int size = mpi::Communicator::world().size();
  auto settings = defaults(mt(), Version::v31);
  settings.sizes.listed = std::vector{Bytes{8}};
  settings.iterations.per_sample = 5;
  const auto suite = measurable(mt(), settings);
  const std::string names[] = {"PingPongMT", "AllReduceMT"};
  Instruments instruments;
  for (const auto& block : suite->plan(names, size)) {
    if (!block.points.front().measurable()) continue;
    for (const auto& record : measure_block(*suite, block, nullptr, instruments)) {
      const auto& times = list_of(record, "t_of_threads_s");
      const auto all = static_cast<std::size_t>(size);
      ASSERT_EQ(times.size(), record.benchmark == "PingPongMT" ? all / 2 * 2 : all);
      EXPECT_DOUBLE_EQ(std::ranges::min(times), classic(record, "t_min_s"));
      EXPECT_DOUBLE_EQ(std::ranges::max(times), classic(record, "t_max_s"));
    }
  }
}

TEST(session, barriers_of_threads_are_begun_together_whatever_the_choice) {
  const int size = mpi::Communicator::world().size();
  auto settings = defaults(mt(), Version::v31);
  settings.gap = GapBarrier::off;
  const auto suite = measurable(mt(), settings);
  const std::string names[] = {"BarrierMT", "BcastMT"};
  for (const auto& block : suite->plan(names, size)) {
    const auto team = test::make_team(block);
    if (!team.takes_part()) continue;
    const suites::SessionContext context{.team = &team, .memory_byte = 1 << 30, .clock = {}};
    const auto session = suite->open(block, context);
    const auto traits = session->tasks().front().traits;
    EXPECT_EQ(traits.meeting,
              block.benchmark == "BarrierMT" ? measure::Meeting::mpi : measure::Meeting::none);
    EXPECT_EQ(traits.meetings, 1);
  }
}

TEST(session, a_window_that_fails_is_told_with_what_helps) {
  Settings settings = defaults(ext(), Version::v31);
  settings.sizes.listed = std::vector{Bytes{8}};
  const auto suite = measurable(ext(), settings);
  const std::string wanted[] = {"Accumulate"};
  const auto block = suite->plan(wanted, mpi::Communicator::world().size()).back();
  const auto team = test::make_team(block);
  if (!team.takes_part()) return;
  const suites::SessionContext context{.team = &team, .memory_byte = 1 << 20, .clock = {}};
  const auto session = suite->open(block, context);
  record::Reason reason;
  reason.mpi_class = "MPI_ERR_WIN";
  const auto text = session->advice(reason);
  const bool has_another_way = mpi::library_version().starts_with("Open MPI v4");
  EXPECT_EQ(text.find("mpiexec --mca osc ^rdma") != std::string::npos, has_another_way);
}

}  // namespace
}  // namespace steelyard::imb
