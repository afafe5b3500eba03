// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/rma/passive_session.hpp"

#include <algorithm>

#include "measure/failure.hpp"
#include "mpi/error.hpp"
#include "record/point_view.hpp"
#include "stats/order.hpp"
#include "suites/imb/computation.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/rma/moves.hpp"
#include "suites/imb/schedule.hpp"

namespace steelyard::imb {
namespace {

// The small product of later releases: a block of it can be as short as a put.
constexpr int order_of_products = 10;

class Products final : public BesideBlock {
 public:
  [[nodiscard]] double prepare(Seconds target) override {
    computation_.prepare(order_of_products, target);
    block_ = rescale(computation_.kernel(), computation_.block(), target, steady_seconds);
    return block_.seconds;
  }
  void run() noexcept override { computation_.kernel().multiply(block_.products); }

 private:
  Computation computation_;
  ComputedBlock block_;
};

// Longest time of what precedes a row, or the part of the time that -time gives to the row.
constexpr Seconds longest_before{1};

Seconds longest(const Settings& settings, const Definition& definition) {
  const auto limit = time_limit(settings, definition);
  return limit ? std::min(longest_before, share_before_row * *limit) : longest_before;
}

}  // namespace

std::unique_ptr<BesideBlock> beside_block() {
  return std::make_unique<Products>();
}

struct TrulyPassivePut::State {
  explicit State(const Point& point)
      : side(point), comm(point.comm()), is_origin(point.rank == 0), loop(Repetition(this)) {}

  PassiveSide<PairMove<RmaOperation::put>> side;
  MPI_Comm comm;
  bool is_origin;
  BesideBlock* block = nullptr;  // of a target that computes

  class Repetition {
   public:
    explicit Repetition(State* state) : state_(state) {}
    int operator()(std::uint64_t i) noexcept { return state_->repeat(i); }
    void seek(std::uint64_t i) noexcept { state_->side.seek(i); }

   private:
    State* state_;
  };
  measure::Loop<Repetition> loop;

  int put(std::uint64_t i) noexcept {
    int error = MPI_SUCCESS;
    measure::keep_first(error, side.start(i));
    measure::keep_first(error, side.complete());
    return error;
  }
  int repeat(std::uint64_t i) noexcept {
    if (block != nullptr) block->run();
    int error = put(i);
    measure::keep_first(error, MPI_Barrier(comm), "MPI_Barrier");
    return error;
  }
  // Puts one after the other, the target in the barrier that follows them; without it.
  int put_alone(std::uint64_t repetitions, double& seconds) noexcept {
    int error = MPI_SUCCESS;
    const double start = steady_seconds();
    for (std::uint64_t i = 0; i < repetitions; ++i) measure::keep_first(error, put(i));
    seconds = steady_seconds() - start;
    measure::keep_first(error, MPI_Barrier(comm), "MPI_Barrier");
    return error;
  }
  int repeat_timed(std::uint64_t repetitions, double& seconds) noexcept {
    int error = MPI_SUCCESS;
    measure::keep_first(error, MPI_Barrier(comm), "MPI_Barrier");
    const double start = steady_seconds();
    measure::keep_first(error, loop.run(0, repetitions));
    seconds = steady_seconds() - start;
    return error;
  }
};

TrulyPassivePut::TrulyPassivePut(const Point& point) : state_(std::make_unique<State>(point)) {}
TrulyPassivePut::~TrulyPassivePut() = default;

PassiveTimes TrulyPassivePut::prepare(const mpi::Communicator& group, BesideBlock& block,
                                      std::uint64_t repetitions, Seconds longest) {
  state_->block = nullptr;
  int error = MPI_SUCCESS;
  double first_s = 0, pure_s = 0, put_s = 0;
  measure::keep_first(error, state_->repeat_timed(1, first_s));
  const auto count = repetitions_before(repetitions, group.broadcast(first_s), longest);
  measure::keep_first(error, state_->repeat_timed(count, pure_s));
  measure::keep_first(error, state_->put_alone(count, put_s));
  measure::all_or_none(group, [error] { mpi::check(error, "Truly_passive_put"); });
  PassiveTimes times{pure_s / static_cast<double>(count), put_s / static_cast<double>(count), 0};
  times = group.broadcast(times);
  if (!state_->is_origin) {
    times.block_s = block.prepare(Seconds{times.pure_s});
    state_->block = &block;
  }
  return group.broadcast(times, group.size() - 1);
}

int TrulyPassivePut::run(std::uint64_t first, std::uint64_t count) noexcept {
  return state_->loop.run(first, count);
}

// How long the target computes changes nothing of what arrives, nor does a barrier behind the put.
std::optional<measure::CheckResult> TrulyPassivePut::verify(std::uint64_t repetitions) {
  return state_->side.verify(repetitions);
}

double passive_progress(const PassiveTimes& times, double overlapped_s) {
  if (!(times.put_s > 0)) return 0;
  return std::clamp((times.pure_s + times.block_s - overlapped_s) / times.put_s, 0.0, 1.0);
}

std::unique_ptr<measure::Workload> open(Named<"rma/Truly_passive_put">, const Point& point) {
  return measure::make_workload<TrulyPassivePut>(point);
}

PassiveSession::PassiveSession(const Settings& settings, const suites::BlockPlan& plan,
                               const suites::SessionContext& context, BesideBlock* block)
    : settings_(settings),
      plan_(plan),
      context_(context),
      block_(block),
      truly_passive_(plan.benchmark == "Truly_passive_put"),
      transfers_(settings, plan, context),
      visits_(plan.points.size()) {}

std::vector<measure::Task> PassiveSession::tasks() {
  auto tasks = transfers_.tasks();
  if (!truly_passive_) return tasks;
  auto task = tasks.begin();
  for (std::size_t point = 0; point < plan_.points.size(); ++point) {
    if (!plan_.points[point].measurable()) continue;
    task->open = [this, point, open = std::move(task->open)](int placement) {
      return prepared(point, open(placement));
    };
    ++task;
  }
  return tasks;
}

std::unique_ptr<measure::Workload> PassiveSession::prepared(std::size_t point,
                                                            std::unique_ptr<measure::Workload> workload) {
  const auto& definition = *find(rma(), plan_.benchmark);
  auto& put = dynamic_cast<TrulyPassivePut&>(*workload);
  const auto times = put.prepare(context_.team->group, *block_, plan_.points[point].classic_operations,
                                 longest(settings_, definition));
  visits_[point].push_back(gathered(times));
  return workload;
}

// Times of every group, on all ranks.
PassiveSession::ByGroup PassiveSession::gathered(const PassiveTimes& own) const {
  const auto& team = *context_.team;
  ByGroup times(static_cast<std::size_t>(team.groups)), all(times.size());
  if (team.group.is_root()) times[static_cast<std::size_t>(team.index)] = own;
  constexpr int values = sizeof(PassiveTimes) / sizeof(double);
  mpi::check(
      MPI_Allreduce(times.data(), all.data(), values * team.groups, MPI_DOUBLE, MPI_SUM, team.active.get()),
      "MPI_Allreduce");
  return all;
}

// Puts the times of the record's group, or of the one that is slowest without computation.
void PassiveSession::put_times(std::size_t point, const measure::Outcome& outcome,
                               record::PointRecord& record) const {
  const auto index = record::whole_of(record::find(record.params, "group")).value_or(-1);
  const auto member = [&](double PassiveTimes::*value) {
    std::vector<double> values;
    for (const auto& groups : visits_[point]) {
      const auto slowest = std::ranges::max_element(groups, {}, &PassiveTimes::pure_s);
      values.push_back((index < 0 ? *slowest : groups[static_cast<std::size_t>(index)]).*value);
    }
    return stats::median(std::move(values));
  };
  const PassiveTimes times{member(&PassiveTimes::pure_s), member(&PassiveTimes::put_s),
                           member(&PassiveTimes::block_s)};
  const double overlapped_s =
      index < 0 ? outcome.classic.max_s : outcome.by_group[static_cast<std::size_t>(index)].max_s;
  record.metrics.emplace_back("pure_time_s", times.pure_s);
  record.metrics.emplace_back("compute_time_s", times.block_s);
  record.metrics.emplace_back("x_put_time_s", times.put_s);
  record.metrics.emplace_back("x_passive_progress", passive_progress(times, overlapped_s));
  record.classic.emplace_back("t_pure_s", times.pure_s);
  record.classic.emplace_back("t_ovrl_s", overlapped_s);
  record.classic.emplace_back("t_block_s", times.block_s);
  record.classic.emplace_back("t_put_s", times.put_s);
  record.classic.emplace_back("passive_progress", passive_progress(times, overlapped_s));
}

std::vector<record::PointRecord> PassiveSession::records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) {
  auto records = transfers_.records(point, outcome, std::move(base));
  for (auto& record : records)
    if (!visits_.at(point).empty() && outcome.classic.max_s > 0) put_times(point, outcome, record);
  return records;
}

}  // namespace steelyard::imb
