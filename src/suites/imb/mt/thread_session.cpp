// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "measure/failure.hpp"
#include "measure/synchronise.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "suites/imb/mt/partners.hpp"
#include "suites/imb/mt/threaded_workload.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/point.hpp"
#include "suites/imb/records.hpp"
#include "suites/imb/schedule.hpp"
#include "suites/imb/session.hpp"
#include "suites/imb/sides.hpp"
#include "suites/session.hpp"

namespace steelyard::imb {
namespace {

const Definition& threaded_definition(const suites::BlockPlan& block) {
  const auto* definition = find(mt(), block.benchmark);
  if (definition == nullptr)
    throw std::invalid_argument(block.suite + " has no benchmark '" + block.benchmark + "'");
  return *definition;
}

std::int64_t longest(std::int64_t a, std::int64_t b) {
  return std::max(a, b);
}

constexpr double takes_no_part = -1;

/// Figures of one rank: the time of each of its threads for one operation.
std::vector<double> figures(const ThreadTimes& times, int threads) {
  if (times.seconds.empty() || times.operations == 0)
    return std::vector<double>(static_cast<std::size_t>(threads), takes_no_part);
  std::vector<double> own;
  for (const double seconds : times.seconds) own.push_back(seconds / static_cast<double>(times.operations));
  return own;
}

/// Threads that take part: their times, rank after rank, and what these come to.
struct OverThreads {
  measure::RankSpread spread;
  std::vector<double> times_s;
};

OverThreads over_threads(const std::vector<double>& figures, int threads, double divisor) {
  OverThreads all;
  for (std::size_t at = 0; at < figures.size(); ++at) {
    if (figures[at] == takes_no_part) continue;
    const double time_s = figures[at] / divisor;
    if (all.times_s.empty() || time_s < all.spread.min_s) all.spread.min_s = time_s;
    if (time_s > all.spread.max_s) {
      all.spread.max_s = time_s;
      all.spread.slowest_rank = static_cast<int>(at) / threads;
    }
    all.times_s.push_back(time_s);
  }
  const double sum_s = std::accumulate(all.times_s.begin(), all.times_s.end(), 0.0);
  if (!all.times_s.empty()) all.spread.mean_s = sum_s / static_cast<double>(all.times_s.size());
  return all;
}

bool collective(const Definition& definition) {
  return definition.messages == 0;
}

/// Largest number of threads of all processes of which a record lists the times one by one.
constexpr std::size_t most_threads_listed = 1024;

void set_thread_hint(const mpi::Communicator& comm, int thread) {
  MPI_Info info = MPI_INFO_NULL;
  mpi::check(MPI_Info_create(&info), "MPI_Info_create");
  const mpi::InfoHandle held(info);
  mpi::check(MPI_Info_set(info, "thread_id", std::to_string(thread).c_str()), "MPI_Info_set");
  mpi::check(MPI_Comm_set_info(comm.get(), info), "MPI_Comm_set_info");
}

// Buffers of all threads, by -malloc_algo.
class ThreadBuffers {
 public:
  ThreadBuffers(Allocation how, ThreadTeam& team, measure::Arena::Need need, std::int64_t alignment,
                const measure::RawMemory& memory)
      : in_one_(how == Allocation::continuous), need_(need) {
    const int arenas = in_one_ ? 1 : team.size();
    const measure::Arena::Need each{in_one_ ? team.size() * need.send_byte : need.send_byte,
                                    in_one_ ? team.size() * need.receive_byte : need.receive_byte};
    arenas_.resize(static_cast<std::size_t>(arenas));
    // Whoever makes an arena touches it first, and it lies near the processor of that thread.
    const auto make = [&](int t) {
      arenas_[static_cast<std::size_t>(t)] = std::make_unique<measure::Arena>(each, 0, alignment, memory);
    };
    if (how == Allocation::parallel)
      team.run_throwing(make);
    else
      for (int t = 0; t < arenas; ++t) make(t);
  }

  [[nodiscard]] std::byte* send(int thread) const {
    return in_one_ ? arenas_[0]->send(0).data() + thread * need_.send_byte : arena(thread).send(0).data();
  }
  [[nodiscard]] std::byte* receive(int thread) const {
    return in_one_ ? arenas_[0]->receive(0).data() + thread * need_.receive_byte
                   : arena(thread).receive(0).data();
  }

 private:
  [[nodiscard]] const measure::Arena& arena(int thread) const {
    return *arenas_[static_cast<std::size_t>(thread)];
  }
  bool in_one_;
  measure::Arena::Need need_;
  std::vector<std::unique_ptr<measure::Arena>> arenas_;
};

// Session of a block of IMB-MT. Made on all ranks of team.active, collective.
class ThreadSession final : public suites::Session {
 public:
  ThreadSession(const Settings& settings, const suites::BlockPlan& block,
                const suites::SessionContext& context)
      : settings_(settings),
        block_(block),
        context_(context),
        definition_(threaded_definition(block)),
        points_(measured()) {
    make_team();
    measure::Arena::Need need;
    for (const auto& one : points_) {
      need.send_byte = longest(need.send_byte, one.sides.send.slots.bytes);
      need.receive_byte = longest(need.receive_byte, one.sides.receive.slots.bytes);
    }
    const auto alignment = longest(settings_.buffer_align, 64);
    // Where one process lacks the memory the others would wait for it in what follows.
    measure::all_or_none(context_.team->active, [&] {
      buffers_ = std::make_shared<ThreadBuffers>(settings_.allocation, *team_, need, alignment,
                                                 suites::buffer_memory(context_.how));
    });
    make_communicators();
    make_gap();
    const auto& group = context_.team->group;
    if (!definition_.pairs || block_.groups > 1) return;
    const auto place = pair_place(group.rank(), group.size(), settings_.stride);
    pairs_on_one_node_ = pairs_on_one_node(group, place ? std::optional(place->partner) : std::nullopt);
  }

  [[nodiscard]] std::vector<measure::Task> tasks() override {
    std::vector<measure::Task> tasks;
    for (auto& point : points_) tasks.push_back(task(point));
    return tasks;
  }
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override {
    const RecordContext context{settings_, definition_, block_, mpi::Communicator::world().size(), 1};
    measure::Outcome told = outcome;
    const auto [spread, times_s] =
        over_threads(outcome.figures, settings_.threads, thread_time_divisor(definition_, settings_));
    told.classic = spread;
    base.threads = settings_.threads;
    auto records = make_records(context, block_.points.at(point).spec<PointSpec>().size, told, base);
    for (auto& record : records) {
      record.classic.emplace_back("threads_taking_part", static_cast<std::int64_t>(times_s.size()));
      if (times_s.size() <= most_threads_listed) record.classic.emplace_back("t_of_threads_s", times_s);
      if (pairs_on_one_node_)
        put_pairs(*pairs_on_one_node_, taking_part(definition_, block_.processes, settings_.stride) / 2,
                  record);
      if (settings_.threads > 1)
        record.classic.emplace_back("thread_placement", std::string(team_->bound() ? "bound" : "system"));
    }
    return records;
  }

 private:
  struct Measured {
    Bytes size;
    Sides sides;
    std::uint64_t planned = 1;
    std::unique_ptr<measure::Schedule> schedule;  // IMB's own
    std::unique_ptr<ThreadTimes> times;
  };

  [[nodiscard]] std::vector<Measured> measured() const {
    std::vector<Bytes> sizes;
    for (const auto& point : block_.points)
      if (point.measurable()) sizes.push_back(point.spec<PointSpec>().size);
    auto schedules = imb_schedules(settings_, definition_, sizes, block_.processes);
    std::vector<Measured> points;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      points.push_back({sizes[i], sides(settings_, definition_, sizes[i], block_.processes, 1),
                        planned_repetitions(settings_, definition_, sizes[i], block_.processes),
                        std::move(schedules[i]), std::make_unique<ThreadTimes>()});
    return points;
  }
  // A process may have as many threads as the system allows it: where one is refused them the others would wait for it.
  void make_team() {
    const auto places = thread_places(context_.team->active, settings_.threads);
    measure::all_or_none(context_.team->active, [&] {
      try {
        team_.emplace(settings_.threads, places);
      } catch (const std::system_error& refused) {
        throw std::runtime_error("one of " + std::to_string(settings_.threads) +
                                 " threads cannot be made: " + refused.code().message());
      }
    });
  }
  // Thread j of every process has the j-th: their messages cannot be mixed up.
  void make_communicators() {
    for (int t = 0; settings_.threads > 1 && t < settings_.threads; ++t) {
      communicators_.push_back(context_.team->group.duplicate());
      set_thread_hint(communicators_.back(), t);
    }
  }
  // BarrierMT needs none: its own calls bring everybody together.
  void make_gap() {
    if (!collective(definition_) || !has_sizes(definition_) || settings_.gap == GapBarrier::off) return;
    timer_ = measure::make_timer(measure::ClockKind::mono).timer;
    const auto mode =
        settings_.gap == GapBarrier::special ? measure::Sync::dissemination : measure::Sync::barrier;
    gap_ = measure::make_synchroniser(mode, context_.team->group, *timer_);
  }
  // The choice concerns benchmarks between whose calls processes drift apart; BarrierMT is none of them.
  [[nodiscard]] measure::Meeting meeting() const {
    if (!has_sizes(definition_) || settings_.gap == GapBarrier::on) return measure::Meeting::mpi;
    return settings_.gap == GapBarrier::special ? measure::Meeting::dissemination : measure::Meeting::none;
  }
  [[nodiscard]] measure::Task task(Measured& measured) {
    measure::Task task;
    task.traits.timing = by_suite() ? measure::Timing::whole : measure::Timing::batch;
    task.traits.time_divisor = thread_time_divisor(definition_, settings_);
    task.traits.meeting = meeting();
    task.traits.meetings = settings_.barriers;
    task.schedule = by_suite() ? measured.schedule.get() : context_.schedule;
    task.bytes = measured.size.count();
    task.open = [this, &measured](int) { return open(measured); };
    if (settings_.check || (context_.verify && !context_.classic_only))
      task.verify_repetitions =
          suites::repetitions_to_check(context_.how.verify, measured.planned,
                                       std::min(measured.planned, checked_repetitions(measured.size)));
    task.figures = [&measured, threads = settings_.threads] { return figures(*measured.times, threads); };
    task.operation = definition_.name;
    return task;
  }
  [[nodiscard]] std::unique_ptr<measure::Workload> open(Measured& measured) {
    std::vector<std::unique_ptr<measure::Workload>> by_thread;
    for (int t = 0; t < settings_.threads; ++t) {
      const Point own = point(measured, t);
      fill_send(own.send, own.rank);
      fill_receive(own.receive);
      by_thread.push_back(open_thread(own, *team_));
    }
    const bool at_once = settings_.allocation != Allocation::continuous;
    const ThreadClocks clocks{.each = collective(definition_), .gap = gap_.get()};
    return std::make_unique<ThreadedWorkload>(*team_, std::move(by_thread), clocks, at_once, *measured.times);
  }
  [[nodiscard]] Point point(const Measured& measured, int thread) const {
    const auto& group = context_.team->group;
    const auto at = static_cast<std::size_t>(thread);
    return {.settings = settings_,
            .definition = definition_,
            .group = communicators_.empty() ? group : communicators_[at],
            .rank = group.rank(),
            .processes = group.size(),
            .size = measured.size,
            .send = {buffers_->send(thread), measured.sides.send},
            .receive = {buffers_->receive(thread), measured.sides.receive},
            .thread = thread};
  }
  [[nodiscard]] bool by_suite() const { return context_.schedule == nullptr; }

  Settings settings_;
  suites::BlockPlan block_;
  suites::SessionContext context_;
  const Definition& definition_;
  std::vector<Measured> points_;  // those that are not skipped
  std::optional<ThreadTeam> team_;
  std::shared_ptr<ThreadBuffers> buffers_;
  std::vector<mpi::Communicator> communicators_;   // one for each thread, where there are several
  std::optional<std::int64_t> pairs_on_one_node_;  // of the only group, where its processes are pairs
  std::unique_ptr<measure::Timer> timer_;
  std::unique_ptr<measure::Synchroniser> gap_;  // between two calls of a collective
};

}  // namespace

std::unique_ptr<suites::Suite> measurable_threads(const Part& part, const Settings& settings) {
  return std::make_unique<suites::Measurable<PartDefinition, ThreadSession>>(part, settings);
}

}  // namespace steelyard::imb
