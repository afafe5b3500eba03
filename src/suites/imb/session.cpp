// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/session.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <thread>

#include "mpi/environment.hpp"
#include "suites/imb/ext/transfer.hpp"
#include "suites/imb/rank_figures.hpp"
#include "suites/imb/records.hpp"
#include "suites/imb/schedule.hpp"
#include "suites/imb/workloads.hpp"

namespace steelyard::imb {
namespace {

// Computation beside what is started: small products, so that it can be as short as a message.
constexpr int started_matrix_order = 10;
constexpr Seconds started_target{1e-4};

const Definition& definition_of(const suites::BlockPlan& block) {
  const auto* part = find_part(block.suite);
  const auto* definition = part == nullptr ? nullptr : find(*part, block.benchmark);
  if (definition == nullptr)
    throw std::invalid_argument(block.suite + " has no benchmark '" + block.benchmark + "'");
  return *definition;
}

using Communicators = std::vector<mpi::Communicator>;

// Open MPI 4 names the shared memory of a window by the number of its communicator, which is the same in all
// groups that were split from one: windows that groups of one node make at the same time get in each other's
// way. A group's g-th duplicate, kept with those before it, has a number that no other group's has.
Communicators distinct_communicators(const measure::Team& team) {
  Communicators kept;
  if (team.groups == 1 || !mpi::library_version().starts_with("Open MPI v4")) return kept;
  for (int g = 0; g < team.index; ++g) kept.push_back(team.group.duplicate());
  return kept;
}

void sleep(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

// -msg_pause: a tenth of the row's time, at least 0.1 s.
void pause(const measure::Outcome& outcome) {
  const double row_s = outcome.timed_s + outcome.warmup_s + outcome.overhead_s;
  sleep(std::max(0.1, row_s / 10));
}

}  // namespace

std::vector<BlockSession::Measured> BlockSession::measured(const Settings& settings,
                                                           const suites::BlockPlan& block, bool by_suite) {
  const auto& definition = definition_of(block);
  const auto mode = mode_of(block);
  std::vector<PointSpec> specs;
  std::vector<Bytes> sizes;
  for (const auto& point : block.points) {
    if (!point.measurable()) continue;
    specs.push_back(point.spec<PointSpec>());
    sizes.push_back(specs.back().size);
  }
  auto schedules = imb_schedules(settings, definition, sizes, block.processes, mode);
  std::vector<Measured> points;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto planned = planned_repetitions(settings, definition, sizes[i], block.processes, mode);
    // Another rule may repeat as often as it likes: then the slots are as many as the cache asks for.
    // Aggregate transfers are as many under every rule.
    const bool counted = by_suite || complete_together(definition, mode);
    const auto operations = counted ? planned : std::numeric_limits<std::uint64_t>::max();
    points.push_back({specs[i], sides(settings, definition, sizes[i], block.processes, operations, mode),
                      planned, std::move(schedules[i]), std::make_unique<OverlapTimes>(),
                      std::make_unique<OwnTimes>(), std::make_unique<RankLoad>()});
  }
  return points;
}

measure::Arena::Need BlockSession::need() const {
  measure::Arena::Need need;
  const auto add = [&need](const Sides& sides) {
    need.send_byte = std::max(need.send_byte, sides.send.slots.bytes);
    need.receive_byte = std::max(need.receive_byte, sides.receive.slots.bytes);
  };
  for (const auto& point : points_) add(point.sides);
  if (warms_up_tables()) add(sides_of_warm_up());
  return need;
}

// Under the rules of 3.1 a table begins with operations of one element of the buffers, whatever its first size.
bool BlockSession::warms_up_tables() const {
  return by_suite() && settings_.warm_up && settings_.version == Version::v31 && settings_.first_warm_up > 0;
}

Bytes BlockSession::size_of_warm_up() const {
  constexpr std::int64_t element_byte = 4;
  if (!has_sizes(definition_)) return Bytes{0};
  return Bytes{std::max(element_byte, size_of(element_type(settings_, definition_)))};
}

Sides BlockSession::sides_of_warm_up() const {
  return sides(settings_, definition_, size_of_warm_up(), block_.processes,
               static_cast<std::uint64_t>(settings_.first_warm_up), mode_);
}

BlockSession::BlockSession(const Settings& settings, const suites::BlockPlan& block,
                           const suites::SessionContext& context, Computation* computation)
    : settings_(settings),
      block_(block),
      context_(context),
      definition_(definition_of(block)),
      mode_(mode_of(block)),
      points_(measured(settings, block, by_suite())),
      arena_(suites::shared_arena(context, need(), by_suite() ? 0 : context.memory_byte,
                                  suites::kept_memory(context))),
      held_(static_cast<std::size_t>(arena_->placements())),
      computation_(computation),
      distinct_(definition_.one_sided ? distinct_communicators(*context.team) : Communicators{}),
      to_warm_up_(block.part == 0 && warms_up_tables()) {
  const auto& group = context.team->group;
  if (definition_.pairs && block_.groups == 1)
    pairs_on_one_node_ = imb::pairs_on_one_node(group, (group.rank() + group.size() / 2) % group.size());
  const bool computes = definition_.with_computation || definition_.comparison == Comparison::whole_message;
  if (computes) computation_->prepare(started_matrix_order, started_target);
}

std::int64_t pairs_on_one_node(const mpi::Communicator& group, std::optional<int> partner) {
  // A node is known by the first of its processes.
  const auto own = group.split_shared().min(std::int64_t{group.rank()});
  std::int64_t other = -1;
  if (partner)
    mpi::check(MPI_Sendrecv(&own, 1, MPI_INT64_T, *partner, tag, &other, 1, MPI_INT64_T, *partner, tag,
                            group.get(), MPI_STATUS_IGNORE),
               "MPI_Sendrecv");
  return group.sum(std::int64_t{own == other}) / 2;
}

std::vector<measure::Task> BlockSession::tasks() {
  std::vector<measure::Task> tasks;
  for (const auto& point : points_) tasks.push_back(task(point));
  return tasks;
}

measure::Task BlockSession::task(const Measured& point) {
  measure::Task task;
  task.traits = traits(settings_, definition_, by_suite() ? RuleOf::suite : RuleOf::campaign,
                       context_.team->group.is_root(), mode_);
  if (!by_suite()) apply(context_.how, task.traits);
  task.traits.counts_anew = counts_anew();
  if (const auto transfers = bundle(point); transfers > 0)
    task.traits.time_divisor *= static_cast<double>(transfers);
  task.schedule = by_suite() ? point.schedule.get() : context_.schedule;
  task.bytes = point.spec.size.count();
  task.open = [this, &point](int placement) { return open(point, placement); };
  if (settings_.check || (context_.verify && !context_.classic_only))
    task.verify_repetitions =
        suites::repetitions_to_check(context_.how.verify, point.planned, usually_checked(point));
  if (has_overlap_figures(definition_) || has_own_figures(definition_))
    task.figures = [this, &point] {
      return by_suite() ? figures_of_rank(definition_, point.overlap->last(), point.own->last())
                        : figures_of_rank(definition_, point.overlap->median(), point.own->median());
    };
  if (definition_.random_pairs)
    task.figures = [&point] {
      return std::vector{static_cast<double>(point.drawn->first), static_cast<double>(point.drawn->second)};
    };
  const bool whole = by_suite() && one_whole(settings_, definition_, mode_);
  if ((settings_.show_tail || settings_.dump) && !whole)
    task.single_times = by_suite() ? measure::all_single_times : point.planned;
  task.placements = arena_->placements();
  if (definition_.one_sided) task.visits_at_a_place = visits_of_opened;
  task.operation = definition_.name;
  return task;
}

/// A campaign repeats as often as it needs, whatever the suite's rule plans.
std::uint64_t BlockSession::usually_checked(const Measured& point) const {
  const auto usual = checked_repetitions(point.spec.size);
  return by_suite() ? std::min(point.planned, usual) : usual;
}

// Roots and random pairs follow from the number of the operation: the first that is timed is number 0.
bool BlockSession::counts_anew() const {
  return by_suite() && (definition_.kind == Class::pattern || (definition_.rooted && settings_.root_shift));
}

Point BlockSession::point_at(int place, Bytes size, const Sides& sides) {
  return {.settings = settings_,
          .definition = definition_,
          .group = group(),
          .rank = group().rank(),
          .processes = group().size(),
          .size = size,
          .send = {arena_->send(place).data(), sides.send},
          .receive = {arena_->receive(place).data(), sides.receive},
          .mode = mode_,
          .computation = computation_,
          .timed_apart = timed_apart(),
          .counts_anew = counts_anew(),
          .trial = &trial_};
}

std::unique_ptr<measure::Workload> BlockSession::open(const Measured& measured, int placement) {
  const int place = placement % arena_->placements();
  if (std::exchange(to_warm_up_, false)) warm_up(place);
  Point point = point_at(place, measured.spec.size, measured.sides);
  point.bundle = bundle(measured);
  point.overlap = measured.overlap.get();
  point.partitions = measured.spec.partitions;
  point.own = measured.own.get();
  point.drawn = measured.drawn.get();
  prepare(point, place);
  if (by_suite()) sleep(settings_.pause.value());
  return workload_of(block_.suite, definition_.name)(point);
}

// Runs operations of the benchmark itself that belong to no row; their figures are forgotten (IMB 3.1 User's
// Guide, 5.2.6).
void BlockSession::warm_up(int place) {
  OverlapTimes overlap;
  OwnTimes own;
  RankLoad drawn;
  const Sides sides = sides_of_warm_up();
  Point point = point_at(place, size_of_warm_up(), sides);
  point.overlap = &overlap;
  point.own = &own;
  point.drawn = &drawn;
  prepare(point, place);
  const auto workload = workload_of(block_.suite, definition_.name)(point);
  int error = MPI_SUCCESS;
  measure::keep_first(error, workload->run(0, static_cast<std::uint64_t>(settings_.first_warm_up)));
  measure::keep_first(error, workload->complete());
  mpi::check(error, std::string(definition_.name).c_str());
}

bool BlockSession::timed_apart() const {
  auto how = traits(settings_, definition_, by_suite() ? RuleOf::suite : RuleOf::campaign, true, mode_);
  if (!by_suite()) apply(context_.how, how);
  return how.timing == measure::Timing::each && how.sync != measure::Sync::none;
}

// Under another rule than IMB's an aggregate is one operation.
std::uint64_t BlockSession::bundle(const Measured& measured) const {
  return !by_suite() && complete_together(definition_, mode_) ? measured.planned : 0;
}

// IMB writes the contents anew for each size. Where points are visited many times it is done once: what is
// sent does not depend on the size, only on the slots.
void BlockSession::prepare(const Point& point, int placement) {
  auto& held = held_[static_cast<std::size_t>(placement)];
  const auto& [length, slots] = point.send.layout;
  const bool continuous = slots.slots == 1 || slots.offset == length;
  const BufferContents wanted = continuous ? BufferContents{slots.slots * length, 0, 1}
                                           : BufferContents{length, slots.offset, slots.slots};
  const bool enough = wanted.slots == 1 && held.slots == 1 && held.length >= wanted.length;
  if (!by_suite() && (enough || held == wanted)) return;
  fill_send(point.send, point.rank);
  fill_receive(point.receive);
  held = wanted;
}

std::vector<record::PointRecord> BlockSession::records(std::size_t point, const measure::Outcome& outcome,
                                                       record::PointRecord base) {
  const auto bundled = by_suite() ? 1 : block_.points.at(point).bundle;
  const RecordContext context{settings_, definition_, block_, mpi::Communicator::world().size(), bundled};
  auto records = make_records(context, block_.points.at(point).spec<PointSpec>().size, outcome, base);
  if (has_overlap_figures(definition_))
    for (auto& record : records) put_overlap(settings_.version, definition_, block_, outcome, record);
  if (pairs_on_one_node_)
    for (auto& record : records) put_pairs(*pairs_on_one_node_, block_.processes / 2, record);
  if (has_own_figures(definition_))
    for (auto& record : records) put_own(definition_, block_, outcome, record);
  if (settings_.message_pause) pause(outcome);
  sleep(settings_.pause.value());
  return records;
}

std::string BlockSession::advice(const record::Reason& reason) const {
  return definition_.one_sided && reason.mpi_class ? window_advice() : std::string();
}

std::unique_ptr<suites::Suite> measurable_messages(const Part& part, const Settings& settings) {
  return std::make_unique<MeasuredPart<BlockSession, Computation>>(part, settings,
                                                                   std::make_unique<Computation>());
}

}  // namespace steelyard::imb
