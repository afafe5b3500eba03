// SPDX-License-Identifier: Apache-2.0
// Whether updates go on while panels are on their way. MPI calls of this program go through a layer that lets
// the first looks at a message find nothing, however fast it is: what happens meanwhile is counted, not
// timed.
#include <mpi.h>

#include <algorithm>
#include <map>

#include "solved.hpp"

namespace {

constexpr int first_panel_tag = 1000, first_row_tag = 51, last_row_tag = 53;

int held_looks = 0;                  // at every panel that a process receives
std::map<MPI_Request, int> holding;  // looks that are left

}  // namespace

int steelyard::hpcc::hpl::row_messages = 0;

extern "C" {

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const int code = PMPI_Irecv(data, count, type, from, tag, comm, request);
  if (tag >= first_row_tag && tag <= last_row_tag) ++steelyard::hpcc::hpl::row_messages;
  if (held_looks > 0 && tag >= first_panel_tag) holding[*request] = held_looks;
  return code;
}

int MPI_Testall(int count, MPI_Request* requests, int* all, MPI_Status* statuses) {
  for (int i = 0; i < count; ++i)
    if (const auto found = holding.find(requests[i]); found != holding.end() && found->second > 0) {
      --found->second;
      *all = 0;
      return MPI_SUCCESS;
    }
  const std::vector<MPI_Request> before(requests, requests + count);
  const int code = PMPI_Testall(count, requests, all, statuses);
  if (*all != 0)
    for (const auto request : before) holding.erase(request);
  return code;
}

}  // extern "C"

namespace steelyard::hpcc::hpl {
namespace {

constexpr std::int64_t order = 96;

class HoldPanels {
 public:
  explicit HoldPanels(int looks) { held_looks = looks; }
  HoldPanels(const HoldPanels&) = delete;
  HoldPanels& operator=(const HoldPanels&) = delete;
  ~HoldPanels() { held_looks = 0; }
};

/// Products that begin and end while the panel is on its way to this process.
int products_during(const Timeline& timeline, const Span& travel) {
  int products = 0;
  for (const auto& span : timeline.spans())
    if (span.phase == Phase::multiply && span.begin_s >= travel.begin_s && span.end_s <= travel.end_s)
      ++products;
  return products;
}

bool receives(const Solver& solver, std::int64_t panel) {
  return panel_shape(solver.shape(), panel).owner.column != solver.shape().at.column;
}

Variant in_one_row(int depth) {
  auto variant = small({1, world().size()}, order);
  variant.nb = 4;
  variant.slice_rows = 4;
  variant.depth = depth;
  return variant;
}

/// Solves with a timeline of all iterations.
Timeline solved(Solver& solver) {
  Timeline timeline;
  timeline.keep(0, order);
  solver.record_in(&timeline);
  EXPECT_EQ(solver.run(), MPI_SUCCESS);
  EXPECT_EQ(solver.verify(default_threshold).errors, 0);
  return timeline;
}

}  // namespace

TEST_F(HplSolver, one_product_does_all_of_an_update_while_nothing_travels) {
  if (world().size() > 1) GTEST_SKIP() << "panels travel";
  auto variant = in_one_row(1);
  variant.at_once = 1;
  Solver solver(world(), variant);
  const auto timeline = solved(solver);
  EXPECT_EQ(std::ranges::count(timeline.spans(), Phase::multiply, &Span::phase), panels(solver.shape()));
}

TEST_F(HplSolver, depth_of_one_and_more_multiplies_while_a_panel_is_on_its_way) {
  if (world().size() == 1) GTEST_SKIP() << "nothing travels";
  constexpr int looks = 2;
  const HoldPanels hold(looks);
  for (const int depth : {1, 2}) {
    const auto variant = in_one_row(depth);
    Solver solver(world(), variant);
    const auto timeline = solved(solver);
    const int first = depth * panels_at_once(variant);  // made beside an update
    int seen = 0;
    for (const auto& span : timeline.spans()) {
      // The first iterations have more slices than looks are in vain.
      if (span.phase != Phase::travel || span.panel > first || !receives(solver, span.panel)) continue;
      EXPECT_GE(products_during(timeline, span), looks) << "panel " << span.panel << " at depth " << depth;
      ++seen;
    }
    EXPECT_GT(world().sum(std::int64_t{seen}), 0);
    EXPECT_GE(world().sum(timeline.looks.between_slices), world().sum(std::int64_t{looks * seen}));
  }
}

TEST_F(HplSolver, depth_of_zero_waits_for_every_panel_before_it_multiplies) {
  const HoldPanels hold(2);
  auto variant = in_one_row(0);
  variant.help = false;  // else who waits multiplies for another
  Solver solver(world(), variant);
  const auto timeline = solved(solver);
  for (const auto& span : timeline.spans()) {
    if (span.phase != Phase::travel) continue;
    EXPECT_EQ(products_during(timeline, span), 0);
  }
  EXPECT_EQ(timeline.looks.between_slices, 0);
}

TEST_F(HplSolver, slow_panels_change_no_result) {
  const auto expected = plain_solution(several_panels);
  const HoldPanels hold(5);
  for (const auto& grid : grids())
    for (int broadcast = 0; broadcast < 6; ++broadcast) {
      auto variant = small(grid, several_panels);
      variant.broadcast = static_cast<Broadcast>(broadcast);
      variant.depth = broadcast % 3;
      expect_solved(variant, expected);
    }
}

TEST_F(HplSolver, timeline_tells_of_the_chosen_iteration_and_the_time_of_all) {
  for (const auto& grid : grids()) {
    auto variant = small(grid, several_panels);
    variant.help = false;  // else any process may multiply for another
    Solver solver(world(), variant);
    Timeline timeline;
    timeline.keep(2, 2);
    solver.record_in(&timeline);
    ASSERT_EQ(solver.run(), MPI_SUCCESS);
    const int applied = panels_at_once(variant), made = grid.columns == 1 ? 0 : applied;
    const int first = 2 / applied * applied, next = first + applied;
    for (const auto& span : timeline.spans()) {
      EXPECT_LE(span.begin_s, span.end_s);
      EXPECT_GE(span.panel, first);
      EXPECT_LT(span.panel, next + made);
    }
    const auto& shape = solver.shape();
    const bool multiplies = shape.local_columns() > panel_shape(shape, next - 1).right;
    EXPECT_EQ(std::ranges::any_of(timeline.spans(), [](const Span& s) { return s.phase == Phase::multiply; }),
              multiplies);
    EXPECT_LE(timeline.seconds(Phase::pivot), timeline.seconds(Phase::columns));
    EXPECT_LE(timeline.seconds(Phase::columns), timeline.seconds(Phase::eliminate));
    EXPECT_LE(timeline.seconds(Phase::interchange), timeline.seconds(Phase::update));
    EXPECT_GT(timeline.seconds(Phase::substitute), 0);
  }
}

}  // namespace steelyard::hpcc::hpl
