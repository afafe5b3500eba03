// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/session.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "measure/buffers.hpp"
#include "measure/clock.hpp"
#include "measure/failure.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "suites/beff/control.hpp"
#include "suites/beff/record.hpp"
#include "suites/session.hpp"

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
    case Numbering::cyclic_plane: return grid_extents(processes, 2);
    case Numbering::acyclic_space:
    case Numbering::cyclic_space: return grid_extents(processes, 3);
    default: return {processes};
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

using measure::keep_first;

int rank_or_null(const std::optional<int>& rank) {
  return rank.value_or(MPI_PROC_NULL);
}

/// State that the three methods share: partners, stamps, positions.
template <class Content>
class Iteration {
 public:
  Iteration(const Loop& loop, BufferCursor& walk, Mismatches& wrong)
      : comm_(loop.comm),
        count_(mpi::to_int(loop.bytes)),
        padded_(padded(loop.bytes)),
        walk_(&walk),
        wrong_(&wrong) {
    for (std::size_t i = 0; i < loop.slots.size(); ++i) {
      const int to = rank_or_null(loop.slots[i].to);
      const int from = rank_or_null(loop.slots[i].from);
      const int slot = static_cast<int>(i);
      partners_.push_back(
          {to, from, {loop.rank, to, slot, loop.k, loop.bytes}, {from, loop.rank, slot, loop.k, loop.bytes}});
    }
    at_.resize(partners_.size());
  }

 protected:
  struct Partner {
    int to, from;
    Message sent, received;
  };

  /// Takes the slot's place in both buffers and writes the message.
  std::int64_t place(std::size_t i) noexcept {
    const std::int64_t at = walk_->next(padded_);
    at_[i] = at;
    const Partner& partner = partners_[i];
    Content::write(walk_->send(at), partner.sent);
    if (partner.from != MPI_PROC_NULL) Content::prepare(walk_->receive(at), partner.received);
    return at;
  }
  void check(std::size_t i) noexcept {
    if (partners_[i].from != MPI_PROC_NULL)
      Content::compare(walk_->receive(at_[i]), partners_[i].received, *wrong_);
  }

  MPI_Comm comm_;
  int count_;
  std::int64_t padded_;
  BufferCursor* walk_;
  Mismatches* wrong_;
  std::vector<Partner> partners_;
  std::vector<std::int64_t> at_;
};

/// Slots strictly one after the other.
template <class Content>
class SendReceive : private Iteration<Content> {
 public:
  using Iteration<Content>::Iteration;

  int operator()(std::uint64_t) noexcept {
    int error = 0;
    for (std::size_t i = 0; i < this->partners_.size(); ++i) {
      const auto at = this->place(i);
      keep_first(error, transfer(i, this->walk_->send(at), this->walk_->receive(at)));
      this->check(i);
    }
    return error;
  }

 private:
  int transfer(std::size_t i, std::byte* out, std::byte* in) noexcept {
    const auto& partner = this->partners_[i];
    const int tag = static_cast<int>(i);
    if (partner.from == MPI_PROC_NULL)
      return mpi::noted(MPI_Send(out, this->count_, MPI_BYTE, partner.to, tag, this->comm_), "MPI_Send");
    if (partner.to == MPI_PROC_NULL)
      return mpi::noted(
          MPI_Recv(in, this->count_, MPI_BYTE, partner.from, tag, this->comm_, MPI_STATUS_IGNORE),
          "MPI_Recv");
    return mpi::noted(MPI_Sendrecv(out, this->count_, MPI_BYTE, partner.to, tag, in, this->count_, MPI_BYTE,
                                   partner.from, tag, this->comm_, MPI_STATUS_IGNORE),
                      "MPI_Sendrecv");
  }
};

/// All slots in one MPI_Alltoallv over the pattern's communicator. Counts are set once; only the
/// displacements of partners change.
template <class Content>
class AllToAll : private Iteration<Content> {
 public:
  AllToAll(const Loop& loop, BufferCursor& walk, Mismatches& wrong)
      : Iteration<Content>(loop, walk, wrong),
        send_counts_(static_cast<std::size_t>(loop.processes)),
        receive_counts_(send_counts_),
        send_at_(send_counts_),
        receive_at_(send_counts_) {
    for (const auto& partner : this->partners_) {
      if (partner.to != MPI_PROC_NULL) send_counts_[index(partner.to)] = this->count_;
      if (partner.from != MPI_PROC_NULL) receive_counts_[index(partner.from)] = this->count_;
    }
  }

  int operator()(std::uint64_t) noexcept {
    for (std::size_t i = 0; i < this->partners_.size(); ++i) {
      const auto at = static_cast<int>(this->place(i));
      const auto& partner = this->partners_[i];
      if (partner.to != MPI_PROC_NULL) send_at_[index(partner.to)] = at;
      if (partner.from != MPI_PROC_NULL) receive_at_[index(partner.from)] = at;
    }
    const int error = MPI_Alltoallv(this->walk_->send(0), send_counts_.data(), send_at_.data(), MPI_BYTE,
                                    this->walk_->receive(0), receive_counts_.data(), receive_at_.data(),
                                    MPI_BYTE, this->comm_);
    for (std::size_t i = 0; i < this->partners_.size(); ++i) this->check(i);
    return error;
  }

 private:
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
  std::vector<int> send_counts_, receive_counts_, send_at_, receive_at_;
};

/// Receives and sends of all slots are started, then completed together.
template <class Content>
class NonBlocking : private Iteration<Content> {
 public:
  NonBlocking(const Loop& loop, BufferCursor& walk, Mismatches& wrong)
      : Iteration<Content>(loop, walk, wrong), requests_(2 * loop.slots.size(), MPI_REQUEST_NULL) {}

  int operator()(std::uint64_t) noexcept {
    int error = 0;
    int open = 0;
    for (std::size_t i = 0; i < this->partners_.size(); ++i) {
      const auto at = this->place(i);
      const auto& partner = this->partners_[i];
      const int tag = static_cast<int>(i);
      if (partner.from != MPI_PROC_NULL)
        keep_first(error,
                   MPI_Irecv(this->walk_->receive(at), this->count_, MPI_BYTE, partner.from, tag, this->comm_,
                             &requests_[static_cast<std::size_t>(open++)]),
                   "MPI_Irecv");
      if (partner.to != MPI_PROC_NULL)
        keep_first(error,
                   MPI_Isend(this->walk_->send(at), this->count_, MPI_BYTE, partner.to, tag, this->comm_,
                             &requests_[static_cast<std::size_t>(open++)]),
                   "MPI_Isend");
    }
    keep_first(error, MPI_Waitall(open, requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    for (std::size_t i = 0; i < this->partners_.size(); ++i) this->check(i);
    return error;
  }

 private:
  std::vector<MPI_Request> requests_;
};

/// The timed operation and, for the checking pass, the same communication with whole contents.
template <template <class> class Communicate>
class Checked {
 public:
  Checked(const Loop& loop, BufferCursor& walk, Mismatches& wrong)
      : timed_(loop, walk, wrong), loop_(loop), walk_(&walk), wrong_(&wrong) {}

  int operator()(std::uint64_t i) noexcept { return timed_(i); }

  std::optional<measure::CheckResult> verify(std::uint64_t) {
    if (loop_.bytes <= longest_whole_check) {
      Communicate<WholeContent> whole(loop_, *walk_, *wrong_);
      mpi::check(whole(0), "the checking pass");
    }
    return wrong_->result();
  }

 private:
  Communicate<Stamps> timed_;
  Loop loop_;
  BufferCursor* walk_;
  Mismatches* wrong_;
};

/// Loop of a process that the pattern's communicator leaves out.
struct Absent {
  int operator()(std::uint64_t) noexcept { return MPI_SUCCESS; }
};

template <template <class> class Communicate>
std::unique_ptr<measure::Workload> make(const Loop& loop, BufferCursor& walk, Mismatches& wrong) {
  using Op = Checked<Communicate>;
  return measure::make_workload<measure::Loop<Op>>(Op(loop, walk, wrong));
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

namespace {

/// Session of b_eff.
class BeffSession final : public suites::Session {
 public:
  /// Collective. Throws std::bad_alloc, mpi::Error, measure::SharedFailure.
  BeffSession(const Settings& settings, const suites::BlockPlan& block, const suites::SessionContext& context)
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
  [[nodiscard]] std::vector<measure::Task> tasks() override {
    std::vector<measure::Task> tasks;
    for (const auto& point : points_) tasks.push_back(task(point));
    return tasks;
  }
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override {
    const auto& place = block_.points.at(point).spec<Place>();
    return {point_record(table_.patterns()[place.pattern], lengths_[place.length], outcome, std::move(base))};
  }
  [[nodiscard]] std::optional<suites::BlockProgress> stage() const override {
    const auto [repetition, length] = control_->now();
    if (repetition == 0) return std::nullopt;
    const double share = (repetition - 1 + before_[length]) / settings_.repetitions;
    return suites::BlockProgress{share, "repetition " + std::to_string(repetition) + " of " +
                                            std::to_string(settings_.repetitions) + ", " +
                                            std::to_string(lengths_[length].count()) + " byte"};
  }

 private:
  struct Point {
    Place place;
    std::unique_ptr<LoopSchedule> schedule;
    std::unique_ptr<Mismatches> wrong;
  };
  [[nodiscard]] Loop loop(const Place& place) const {
    const auto& comm = numberings_.of(table_.patterns()[place.pattern].numbering);
    return {.comm = comm.get(),
            .rank = comm.rank(),
            .processes = comm.valid() ? comm.size() : 0,
            .slots = slots_[place.pattern],
            .k = static_cast<int>(place.length),
            .bytes = lengths_[place.length].count()};
  }
  [[nodiscard]] measure::Task task(const Point& point) {
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
  /// An error of one process is kept until all have come through, so that none waits for it.
  [[nodiscard]] std::array<std::vector<double>, 3> pre_pass() {
    std::array<std::vector<double>, 3> seconds;
    int error = MPI_SUCCESS;
    for (const auto& place : places(table_, settings_))
      if (place.length == 0)
        seconds[static_cast<std::size_t>(place.method)].push_back(pre_pass(place, error));
    measure::all_or_none(context_.team->active, [&] { mpi::check(error, "b_eff"); });
    return seconds;
  }
  /// Seconds of the slowest process, the same on all.
  [[nodiscard]] double pre_pass(const Place& place, int& error) {
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

  Settings settings_;
  suites::BlockPlan block_;
  suites::SessionContext context_;
  PatternTable table_;
  Lengths lengths_;
  Numberings numberings_;
  std::vector<std::vector<Slot>> slots_;  // of this process, by pattern
  std::unique_ptr<measure::Arena> arena_;
  BufferCursor walk_;
  std::shared_ptr<Control> control_;
  std::vector<Point> points_;   // measurable points of the block, in its order
  std::vector<double> before_;  // share of a repetition's time that precedes each length
};

}  // namespace

std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings) {
  return std::make_unique<suites::Measurable<Definition, BeffSession>>(settings);
}

std::unique_ptr<measure::Workload> open_loop(Method method, const Loop& loop, BufferCursor& walk,
                                             Mismatches& wrong) {
  if (loop.comm == MPI_COMM_NULL) return measure::make_workload<measure::Loop<Absent>>(Absent{});
  switch (method) {
    case Method::sendrecv: return make<SendReceive>(loop, walk, wrong);
    case Method::alltoallv: return make<AllToAll>(loop, walk, wrong);
    case Method::nonblocking: return make<NonBlocking>(loop, walk, wrong);
  }
  throw std::logic_error("no such method");
}

}  // namespace steelyard::beff
