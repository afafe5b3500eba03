// SPDX-License-Identifier: Apache-2.0
// Every rank is a node: visits, pairs, what is measured again, and errors that are planted on one of them.
#include "suites/screen/session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "measure/clock.hpp"
#include "measure/engine.hpp"
#include "record/json.hpp"
#include "record/records.hpp"

namespace {

int gathered_unit_byte = 0;  // of the last gathering

}  // namespace

/// Stands before that of the library.
extern "C" int MPI_Gatherv(const void* send, int count, MPI_Datatype send_type, void* receive,
                           const int counts[], const int places[], MPI_Datatype type, int root,
                           MPI_Comm comm) {
  MPI_Type_size(type, &gathered_unit_byte);
  return PMPI_Gatherv(send, count, send_type, receive, counts, places, type, root, comm);
}

namespace steelyard::screen {
namespace {

const mpi::Communicator& world() {
  static const auto comm = mpi::Communicator::world();
  return comm;
}

Settings tiny() {
  Settings settings;
  settings.visits = 3;
  settings.visit_s = 2e-3;
  settings.memory_byte = 4 << 20;
  settings.cache = {1 << 16, 1 << 16};
  settings.blas = false;
  return settings;
}

/// What a node should be, whatever this machine does: seconds that a run sleeps, and what it finds wrong.
class Planted final : public NodeKernel {
 public:
  Planted(double rate, std::int64_t wrong) : rate_(rate), wrong_(wrong) {}
  void warm() override {}
  void run() override {}
  [[nodiscard]] double value(double) const override { return rate_; }
  [[nodiscard]] measure::CheckResult verify() override {
    return {wrong_, wrong_ > 0 ? 1.0 : 0.0, wrong_ > 0 ? "planted" : ""};
  }

 private:
  double rate_;
  std::int64_t wrong_;
};

/// What a screening has recorded, on rank 0.
struct Recorded {
  std::vector<record::PointRecord> points;
  std::vector<record::TableRecord> tables;
  std::vector<measure::EngineNotice> notices;
  int writes = 0;  // of rows
  [[nodiscard]] const record::Json& column(std::string_view table, std::string_view name) const {
    const auto found = std::ranges::find(tables, table, &record::TableRecord::name);
    if (found == tables.end()) throw std::logic_error("no table " + std::string(table));
    return found->columns.json()[name];
  }
  /// As a reader of the file would.
  void add(const record::TableRecord& rows) {
    ++writes;
    const auto found = std::ranges::find(tables, rows.name, &record::TableRecord::name);
    if (found == tables.end())
      tables.push_back(rows);
    else
      EXPECT_TRUE(record::append_rows(*found, rows)) << rows.name;
  }
  [[nodiscard]] bool has(std::string_view table) const {
    return std::ranges::find(tables, table, &record::TableRecord::name) != tables.end();
  }
};

Recorded screened(const Settings& settings, const std::vector<std::string>& benchmarks, const Stand& stand) {
  Recorded recorded;
  const Definition suite(settings);
  for (const auto& block : suite.plan(benchmarks, world().size())) {
    measure::Team team;
    team.active = world().duplicate();
    team.group = world().duplicate();
    suites::SessionContext context;
    context.team = &team;
    context.table = [&](const record::TableRecord& rows) { recorded.add(rows); };
    ScreenSession session(settings, block, context, stand);
    const auto chosen = measure::make_timer(measure::ClockKind::mono);
    measure::EngineOptions options;
    options.probe_states = false;
    measure::Engine engine(*chosen.timer, options);
    std::vector<std::size_t> points;
    for (std::size_t i = 0; i < block.points.size(); ++i)
      if (block.points[i].measurable()) points.push_back(i);
    const auto tasks = session.tasks();
    engine.measure(team, tasks, [&](std::size_t i, measure::Outcome outcome) {
      record::PointRecord base;
      base.key = block.points[points[i]].key;
      base.benchmark = block.points[points[i]].benchmark;
      base.status = outcome.status;
      base.reason = outcome.reason;
      if (outcome.check) base.verified = outcome.check->errors == 0;
      for (auto& one : session.records(points[i], outcome, base)) recorded.points.push_back(std::move(one));
    });
    recorded.notices = session.notices();
  }
  return recorded;
}

/// Every rank is a node.
Recorded screened(const Settings& settings, const std::vector<std::string>& benchmarks,
                  const MakeKernel& make = make_kernel) {
  return screened(settings, benchmarks, Stand{make, 1, {}});
}

TEST(Screen, MeasuresEveryTestOnEveryNodeInEveryVisit) {
  const std::vector<std::string> tests{"fma", "triad", "random_access", "chase"};
  const auto recorded = screened(tiny(), tests);
  if (!world().is_root()) return;
  ASSERT_EQ(recorded.points.size(), tests.size());
  for (const auto& point : recorded.points) {
    EXPECT_EQ(point.status, record::Status::ok) << point.key;
    EXPECT_EQ(point.verified, std::optional(true)) << point.key;
    const auto& metric = std::get<record::Statistics>(point.metrics.front().second);
    EXPECT_EQ(metric.n, world().size());
    EXPECT_GT(metric.min, 0);
  }
  const auto& hosts = recorded.column("screen_nodes", "host");
  EXPECT_EQ(hosts.size(), tests.size() * 3 * static_cast<std::size_t>(world().size()));
  for (const auto& value : recorded.column("screen_nodes", "value")) EXPECT_GT(value.get<double>(), 0);
  for (const auto& verified : recorded.column("screen_nodes", "verified")) EXPECT_TRUE(verified.get<bool>());
}

TEST(Screen, WritesTheRowsOfEveryVisitBeforeTheNext) {
  auto settings = tiny();
  settings.tolerances = {{"fma", 100}, {"triad", 100}};  // nothing stands out and is measured again
  const auto recorded = screened(settings, {"fma", "triad"});
  if (!world().is_root()) return;
  EXPECT_EQ(recorded.writes, 2 * 3);  // tests, visits
  const auto &visits = recorded.column("screen_nodes", "visit"),
             &values = recorded.column("screen_nodes", "value");
  EXPECT_EQ(visits.size(), values.size());
}

TEST(Screen, OneNodeAfterTheOtherGivesTheSameTable) {
  Settings settings = tiny();
  settings.alone = true;
  const auto recorded = screened(settings, {"triad"});
  if (!world().is_root()) return;
  EXPECT_EQ(recorded.column("screen_nodes", "host").size(), 3 * static_cast<std::size_t>(world().size()));
  EXPECT_NE(recorded.points.front().key.find("alone=true"), std::string::npos) << recorded.points.front().key;
}

/// All at once, or one node and one link after the other.
class ScreenPairs : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Orders, ScreenPairs, testing::Bool());

TEST_P(ScreenPairs, MeetOnceAVisitAndTheirBytesAreRight) {
  if (world().size() < 2) return;
  Settings settings = tiny();
  settings.alone = GetParam();
  const auto recorded = screened(settings, {"pairs"});
  if (!world().is_root()) return;
  const auto& told = recorded.points.front().classic;
  EXPECT_EQ(std::ranges::count(told, "round_least_byte_s", &std::pair<std::string, record::Value>::first),
            GetParam() ? 0 : 1)
      << "what all pairs of a round have together, where they are timed together";
  const auto n = static_cast<std::size_t>(world().size());
  const auto &from = recorded.column("pingpong_pairs", "from_rank"),
             &to = recorded.column("pingpong_pairs", "to_rank"),
             &visit = recorded.column("pingpong_pairs", "visit");
  ASSERT_EQ(from.size(), 3 * n * (n - 1) / 2);
  std::set<std::tuple<int, int, int>> met;
  for (std::size_t k = 0; k < from.size(); ++k) {
    EXPECT_LT(from[k].get<int>(), to[k].get<int>());
    met.insert({from[k].get<int>(), to[k].get<int>(), visit[k].get<int>()});
    EXPECT_GT(recorded.column("pingpong_pairs", "latency_s")[k].get<double>(), 0);
    EXPECT_GT(recorded.column("pingpong_pairs", "bandwidth_byte_s")[k].get<double>(), 0);
    EXPECT_TRUE(recorded.column("pingpong_pairs", "verified")[k].get<bool>());
  }
  EXPECT_EQ(met.size(), from.size());
}

TEST(Screen, ShiftsFromEveryNodeToEveryOther) {
  if (world().size() < 2) return;
  Settings settings = tiny();
  settings.pairs = PairKind::shift;
  const auto recorded = screened(settings, {"pairs"});
  if (!world().is_root()) return;
  const auto n = static_cast<std::size_t>(world().size());
  // Half way round a shift is an exchange, of which the first node tells.
  EXPECT_EQ(recorded.column("pingpong_pairs", "from_rank").size(),
            3 * (n * (n - 1) - (n % 2 == 0 ? n / 2 : 0)));
}

TEST(Screen, NamesTheNodeWhoseDataAreWrong) {
  const int bad = world().size() - 1;
  const auto make = [&](const TestSpec&, const Settings&) -> std::unique_ptr<NodeKernel> {
    return std::make_unique<Planted>(1e9, world().rank() == bad ? 3 : 0);
  };
  const auto recorded = screened(tiny(), {"triad"}, make);
  if (!world().is_root()) return;
  EXPECT_EQ(recorded.points.front().verified, std::optional(false));
  const auto &hosts = recorded.column("screen_nodes", "host"),
             &verified = recorded.column("screen_nodes", "verified");
  for (std::size_t k = 0; k < hosts.size(); ++k)
    EXPECT_EQ(verified[k].get<bool>(), hosts[k].get<int>() != bad) << hosts[k];
}

TEST(Screen, GoesOnWithoutANodeThatHasNoMemoryAndSaysSo) {
  const int bad = world().size() - 1;
  const auto make = [&](const TestSpec&, const Settings&) -> std::unique_ptr<NodeKernel> {
    if (world().rank() == bad) throw std::bad_alloc();
    return std::make_unique<Planted>(1e9, 0);
  };
  const auto recorded = screened(tiny(), {"triad"}, make);
  if (!world().is_root()) return;
  const auto &hosts = recorded.column("screen_nodes", "host"),
             &values = recorded.column("screen_nodes", "value");
  for (std::size_t k = 0; k < hosts.size(); ++k)
    EXPECT_EQ(values[k].is_null(), hosts[k].get<int>() == bad) << hosts[k];
  ASSERT_EQ(recorded.notices.size(), 1U);
  EXPECT_EQ(recorded.notices.front().code, "missing_value");
  EXPECT_NE(recorded.notices.front().text.find("memory"), std::string::npos) << recorded.notices.front().text;
}

TEST(Screen, MeasuresANodeAgainThatIsSlowAndUsualOnesBesideIt) {
  if (world().size() < 5) return;
  const auto make = [&](const TestSpec&, const Settings&) -> std::unique_ptr<NodeKernel> {
    return std::make_unique<Planted>(world().rank() == 2 ? 0.7e9 : 1e9 + world().rank(), 0);
  };
  const auto recorded = screened(tiny(), {"triad", "fma"}, make);
  if (!world().is_root()) return;
  ASSERT_TRUE(recorded.has("screen_nodes_again"));
  const auto &hosts = recorded.column("screen_nodes_again", "host"),
             &control = recorded.column("screen_nodes_again", "control");
  EXPECT_EQ(hosts.size(), 2U * 4 * 3);  // tests, the node and three others, visits
  for (std::size_t k = 0; k < hosts.size(); ++k) EXPECT_EQ(control[k].get<bool>(), hosts[k].get<int>() != 2);
}

TEST(Screen, MeasuresNothingAgainWhereNothingStandsOut) {
  const auto make = [](const TestSpec&, const Settings&) -> std::unique_ptr<NodeKernel> {
    return std::make_unique<Planted>(1e9, 0);
  };
  const auto recorded = screened(tiny(), {"triad"}, make);
  EXPECT_FALSE(recorded.has("screen_nodes_again"));
}

TEST(Screen, NodesOfSeveralRanksAddTheirRatesUp) {
  if (world().size() < 4) return;
  const Nodes nodes(world(), 2);
  EXPECT_EQ(nodes.count(), (world().size() + 1) / 2);
  EXPECT_EQ(nodes.own(), world().rank() / 2);
  const auto samples = gathered(nodes, {1.0 + world().rank(), world().rank() == 3 ? 2.0 : 0.0}, true);
  const auto of_one = gathered(nodes, {nodes.leads() ? 5.0 : 0.0, 0}, nodes.leads());
  const auto lacking = gathered(nodes, {world().rank() == 1 ? 0.0 : 1.0, 0}, true);
  if (!world().is_root()) return;
  EXPECT_EQ(samples[0].value, 3);
  EXPECT_EQ(samples[1].value, 7);
  EXPECT_EQ(samples[1].wrong, 2);
  EXPECT_EQ(samples[0].processes, 2);
  EXPECT_EQ(of_one[0].value, 5);
  EXPECT_EQ(lacking[0].value, 0);
  EXPECT_EQ(lacking[1].value, 2);
}

TEST(Screen, NodesHaveTheirNames) {
  const Nodes nodes(world(), 1, "model", "host" + std::to_string(world().rank()));
  if (!world().is_root()) {
    EXPECT_TRUE(nodes.hosts().empty());
    return;
  }
  ASSERT_EQ(nodes.hosts().size(), static_cast<std::size_t>(world().size()));
  EXPECT_EQ(nodes.hosts().back(), "host" + std::to_string(world().size() - 1));
}

TEST(ChasedListOf, LeadsWhereArithmeticSaysAndAChangedLinkElsewhere) {
  ChasedList list(1 << 16);
  for (const std::int64_t links : {0, 1, 2, 1000, 12345}) {
    list.follow(links);
    EXPECT_TRUE(list.is_where_it_must_be());
  }
}

TEST(ScreenDefinition, PlansOneBlockWithThePointsOfItsTests) {
  const Definition suite(tiny());
  const std::vector<std::string> names{"triad", "pairs", "dgemm"};
  const auto blocks = suite.plan(names, suites::World(8));
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_TRUE(blocks[0].indivisible);
  ASSERT_EQ(blocks[0].points.size(), 3U);
  EXPECT_EQ(blocks[0].points[0].key, "screen/dgemm;processes=8");
  EXPECT_EQ(blocks[0].points[0].benchmark, "dgemm");
  EXPECT_EQ(blocks[0].points[0].skip, record::ReasonCode::dependency);  // there is no BLAS
  EXPECT_TRUE(blocks[0].points[1].measurable());
  EXPECT_TRUE(suite.plan(std::vector<std::string>{"pairs"}, suites::World(1)).empty());
}

TEST(ScreenDefinition, SaysWhereAWorkIsTooSmallToStandForTheMachine) {
  Settings settings = tiny();
  settings.cache = {std::int64_t{480} << 20, std::int64_t{480} << 20};
  settings.core_cache_byte = std::int64_t{480} << 20;
  for (const auto& block :
       Definition(settings).plan(std::vector<std::string>{"triad", "random_access", "chase"}, 2))
    for (const auto& point : block.points) {
      EXPECT_NE(point.doubt, "") << point.key;
      EXPECT_LE(point.memory_byte, settings.memory_byte) << point.key;
    }
  settings.memory_byte = std::int64_t{16} << 30;
  for (const auto& block :
       Definition(settings).plan(std::vector<std::string>{"triad", "random_access", "chase"}, 2))
    for (const auto& point : block.points) EXPECT_EQ(point.doubt, "") << point.key;
}

TEST(PairSamples, AreGatheredAsSamplesAsTheirBytesNeedNotFitIntoAnInteger) {
  std::vector<PairSample> own(static_cast<std::size_t>(world().rank() + 1));
  for (auto& sample : own) sample.latency_s = world().rank();
  const auto all = gathered(world(), own);
  if (!world().is_root()) return;
  EXPECT_EQ(gathered_unit_byte, static_cast<int>(sizeof(PairSample)));
  const auto ranks = static_cast<std::size_t>(world().size());
  ASSERT_EQ(all.size(), ranks * (ranks + 1) / 2);
  EXPECT_EQ(all.back().latency_s, world().size() - 1);
}

/// All ranks on one node, and so many domains on it.
Stand domains(int count, const MakeKernel& make) {
  return {make, world().size(), {}, [=]() -> std::optional<int> { return 3 * (world().rank() % count); }};
}

TEST(Screen, DomainsTakeTurnsAndTheLeastStandsForTheNode) {
  Settings settings = tiny();
  settings.domains = std::min(2, world().size());
  const MakeKernel make = [](const TestSpec&, const Settings&) -> std::unique_ptr<NodeKernel> {
    return std::make_unique<Planted>(world().rank() % 2 == 1 ? 7e9 : 9e9, 0);
  };
  const auto recorded = screened(settings, {"triad", "numa_triad"}, domains(settings.domains, make));
  if (!world().is_root()) return;
  const int odd = world().size() / 2, even = world().size() - odd;
  ASSERT_EQ(recorded.points.size(), world().size() > 1 ? 2U : 1U);
  for (std::size_t row = 0; row < recorded.column(node_table, "benchmark").size(); ++row) {
    const bool whole = recorded.column(node_table, "benchmark").at(row) == "triad";
    const double value = recorded.column(node_table, "value").at(row).get<double>();
    EXPECT_DOUBLE_EQ(value, whole ? odd * 7e9 + even * 9e9 : std::min(odd * 7e9, even * 9e9));
    EXPECT_EQ(recorded.column(node_table, "processes").at(row), world().size());
    EXPECT_EQ(recorded.column(node_table, "domain").at(row),
              whole ? record::Json() : record::Json(odd * 7e9 < even * 9e9 ? 3 : 0));
  }
}

TEST(Screen, DomainWithoutAValueLeavesItsNodeWithoutOne) {
  if (world().size() < 2) GTEST_SKIP() << "one process has one domain";
  Settings settings = tiny();
  settings.domains = 2;
  const MakeKernel make = [](const TestSpec&, const Settings&) -> std::unique_ptr<NodeKernel> {
    if (world().rank() == 1) throw std::bad_alloc();
    return std::make_unique<Planted>(1e9, 0);
  };
  const auto recorded = screened(settings, {"numa_triad"}, domains(2, make));
  if (!world().is_root()) return;
  for (const auto& value : recorded.column(node_table, "value")) EXPECT_TRUE(value.is_null()) << value;
}

TEST(Screen, ProcessesBoundToNoDomainAreToldSo) {
  const std::vector<std::string> names{"triad", "numa_triad"};
  Settings settings = tiny();
  EXPECT_EQ(Definition(settings).plan(names, 2).front().points.size(), 1U);
  settings.spread = 2;
  const auto points = Definition(settings).plan(names, 2).front().points;
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points.back().skip, record::ReasonCode::unsupported);
  EXPECT_TRUE(points.back().skip_text.ends_with("each bound to one")) << points.back().skip_text;
}

TEST(Screen, ProcessesOfSeveralDomainsAreNotMeasuredByDomain) {
  const auto stand = Stand{make_kernel, world().size(), {}, [] { return std::optional<int>(); }};
  EXPECT_LE(screened(tiny(), {"fma", "numa_triad"}, stand).points.size(), 1U);
  EXPECT_EQ(domains_of(world(), world(), std::nullopt).most, 1);
  const auto each = domains_of(world(), world(), 10 - world().rank());
  EXPECT_EQ(each.most, world().size());
  EXPECT_EQ(each.own, world().size() - 1 - world().rank());
  EXPECT_EQ(each.number, 10 - world().rank());
}

}  // namespace
}  // namespace steelyard::screen
