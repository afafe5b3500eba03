// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/session.hpp"

#include <algorithm>
#include <utility>

#include "measure/clock.hpp"
#include "measure/failure.hpp"
#include "mpi/error.hpp"
#include "suites/beff/record.hpp"

namespace steelyard::beff {
namespace {

std::string text(PatternSet set) {
  if (set == PatternSet::ring) return "ring";
  return set == PatternSet::random ? "random" : "additional";
}

/// One value per measured repetition.
template <class ValueOf>
std::vector<double> each(const std::vector<measure::PassValues>& passes, ValueOf value_of) {
  std::vector<double> values;
  for (const auto& pass : passes) values.push_back(value_of(pass));
  return values;
}

/// Takes the repetitions, with the bandwidths of single processes.
void take_repetitions(const std::vector<measure::PassValues>& passes, double byte_per_process,
                      LoopFigures& figures) {
  const auto ops = [](const auto& pass) { return static_cast<double>(pass.ops); };
  figures.repetition = each(passes, [](const auto& p) { return static_cast<double>(p.pass); });
  figures.looplength = each(passes, ops);
  figures.repeats_s = each(passes, [&](const auto& p) { return ops(p) * p.ranks.max_s; });
  figures.min_byte_s = each(passes, [&](const auto& p) { return byte_per_process / p.ranks.max_s; });
  figures.avg_byte_s = each(passes, [&](const auto& p) { return byte_per_process * p.ranks.mean_rate_op_s; });
  figures.max_byte_s = each(passes, [&](const auto& p) { return byte_per_process / p.ranks.min_s; });
}

std::size_t index(Numbering numbering) {
  return static_cast<std::size_t>(numbering);
}

/// Extents of a numbering's grid: the line is a ring over all processes whatever their number; grids
/// leave processes out.
std::vector<int> extents(Numbering numbering, int processes) {
  switch (numbering) {
    case Numbering::acyclic_plane:
    case Numbering::cyclic_plane:
      return grid_extents(processes, 2);
    case Numbering::acyclic_space:
    case Numbering::cyclic_space:
      return grid_extents(processes, 3);
    default:
      return {processes};
  }
}

bool cyclic(Numbering numbering) {
  return numbering != Numbering::acyclic_plane && numbering != Numbering::acyclic_space;
}

measure::Arena::Need need(Bytes longest) {
  const auto bytes = buffer_size(longest).count();
  return {bytes, bytes};
}

/// Share of the planned time that precedes each length.
std::vector<double> shares_before(const suites::BlockPlan& block, const Lengths& lengths) {
  std::vector<double> before(lengths.size(), 0);
  double sum = 0;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    before[k] = sum;
    for (const auto& point : block.points)
      if (point.bytes == lengths[k].count()) sum += point.prescribed_s.value_or(0);
  }
  for (double& share : before) share = sum > 0 ? share / sum : 0;
  return before;
}

}  // namespace

record::PointRecord point_record(const Pattern& pattern, Bytes length, const measure::Outcome& outcome,
                                 record::PointRecord record) {
  LoopFigures figures;
  figures.pattern_name = pattern.name;
  figures.set = text(pattern.set);
  figures.slots = pattern.slots;
  figures.messages = pattern.messages;
  figures.used = pattern.used;
  const auto& passes = outcome.passes;
  if (passes.empty()) {
    put_figures(figures, record);
    return record;
  }
  const double bytes = static_cast<double>(length.count());
  take_repetitions(passes, bytes * pattern.slots, figures);
  const auto best = std::ranges::min_element(passes, {}, [](const auto& p) { return p.ranks.max_s; });
  const double bandwidth = bytes * static_cast<double>(pattern.messages) / best->ranks.max_s;
  figures.best_s = static_cast<double>(best->ops) * best->ranks.max_s;
  figures.bandwidth_byte_s = bandwidth;
  put_figures(figures, record);
  record.metrics.emplace_back("bandwidth_byte_s", bandwidth);
  record.metrics.emplace_back("time_s", outcome.time);
  record.primary = "bandwidth_byte_s";
  record.lower_is_better = false;
  return record;
}

Numberings::Numberings(const mpi::Communicator& world) {
  communicators_[index(Numbering::world)] = world.duplicate();
  for (const auto numbering : {Numbering::line, Numbering::acyclic_plane, Numbering::acyclic_space,
                               Numbering::cyclic_plane, Numbering::cyclic_space})
    communicators_[index(numbering)] = world.cartesian(extents(numbering, world.size()), cyclic(numbering));
}

const mpi::Communicator& Numberings::of(Numbering numbering) const {
  return communicators_[index(numbering)];
}

BeffSession::BeffSession(const Settings& settings, const suites::BlockPlan& block,
                         const suites::SessionContext& context)
    : settings_(settings),
      block_(block),
      context_(context),
      table_(block.processes, {.seed = settings.seed, .polygons = settings.polygons}),
      lengths_(message_lengths(longest(settings))),
      numberings_(context.team->active),
      arena_(suites::shared_arena(context, need(longest(settings)), 0, suites::buffer_memory(context.how))),
      walk_(arena_->send(0), arena_->receive(0)),
      before_(shares_before(block, lengths_)) {
  for (std::size_t p = 0; p < table_.patterns().size(); ++p) {
    const auto& comm = numberings_.of(table_.patterns()[p].numbering);
    slots_.push_back(comm.valid() ? table_.slots(p, comm.rank()) : std::vector<Slot>{});
  }
  control_ = std::make_shared<Control>(settings, pre_pass());
  for (const auto& point : block.points) {
    if (!point.measurable()) continue;
    const auto& place = point.spec<Place>();
    points_.push_back(
        {place, std::make_unique<LoopSchedule>(control_, place), std::make_unique<Mismatches>()});
  }
}

Loop BeffSession::loop(const Place& place) const {
  const auto& comm = numberings_.of(table_.patterns()[place.pattern].numbering);
  return {.comm = comm.get(),
          .rank = comm.rank(),
          .processes = comm.valid() ? comm.size() : 0,
          .slots = slots_[place.pattern],
          .k = static_cast<int>(place.length),
          .bytes = lengths_[place.length].count()};
}

/// An error of one process is kept until all have come through, so that none waits for it.
std::array<std::vector<double>, 3> BeffSession::pre_pass() {
  std::array<std::vector<double>, 3> seconds;
  int error = MPI_SUCCESS;
  for (const auto& place : places(table_, settings_))
    if (place.length == 0) seconds[static_cast<std::size_t>(place.method)].push_back(pre_pass(place, error));
  measure::all_or_none(context_.team->active, [&] { mpi::check(error, "b_eff"); });
  return seconds;
}

/// Seconds of the slowest process, the same on all.
double BeffSession::pre_pass(const Place& place, int& error) {
  Mismatches wrong;
  const auto workload = open_loop(place.method, loop(place), walk_, wrong);
  const measure::MonoSource clock;
  context_.team->active.barrier();
  measure::keep_first(error, workload->run(0, 1));
  context_.team->active.barrier();
  const auto start = clock.now();
  measure::keep_first(error, workload->run(0, pre_pass_iterations));
  return context_.team->active.max(clock.seconds(clock.now() - start));
}

std::vector<measure::Task> BeffSession::tasks() {
  std::vector<measure::Task> tasks;
  for (const auto& point : points_) tasks.push_back(task(point));
  return tasks;
}

measure::Task BeffSession::task(const Point& point) {
  measure::Task task;
  task.traits.timing = measure::Timing::whole;
  task.traits.warm_up_meets = true;
  // Processes without a message do not count: their loops are empty.
  task.traits.over_ranks = measure::OverRanks::one;
  task.traits.owns_result = !slots_[point.place.pattern].empty();
  task.schedule = point.schedule.get();
  task.passes = settings_.repetitions;
  task.bytes = lengths_[point.place.length].count();
  task.open = [this, &point](int) {
    return open_loop(point.place.method, loop(point.place), walk_, *point.wrong);
  };
  task.verify_repetitions = 1;
  task.operation = "b_eff " + std::string(text(point.place.method));
  return task;
}

std::optional<suites::BlockProgress> BeffSession::stage() const {
  const auto [repetition, length] = control_->now();
  if (repetition == 0) return std::nullopt;
  const double share = (repetition - 1 + before_[length]) / settings_.repetitions;
  return suites::BlockProgress{share, "repetition " + std::to_string(repetition) + " of " +
                                          std::to_string(settings_.repetitions) + ", " +
                                          std::to_string(lengths_[length].count()) + " byte"};
}

std::vector<record::PointRecord> BeffSession::records(std::size_t point, const measure::Outcome& outcome,
                                                      record::PointRecord base) {
  const auto& place = block_.points.at(point).spec<Place>();
  return {point_record(table_.patterns()[place.pattern], lengths_[place.length], outcome, std::move(base))};
}

std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings) {
  return std::make_unique<suites::Measurable<Definition, BeffSession>>(settings);
}

}  // namespace steelyard::beff
