// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "measure/failure.hpp"
#include "record/point_view.hpp"
#include "stats/order.hpp"
#include "suites/imb/io/file_set.hpp"
#include "suites/imb/io/point_file.hpp"
#include "suites/imb/io/rules.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/records.hpp"
#include "suites/imb/rma/passive_session.hpp"
#include "suites/imb/schedule.hpp"
#include "suites/imb/session.hpp"
#include "suites/imb/settings.hpp"
#include "suites/imb/sides.hpp"
#include "suites/session.hpp"

namespace steelyard::imb {

namespace {

// ROMIO keeps the shared pointer in a file of its own: where it cannot be written, ordered calls never
// return, or MPICH ends all processes.
constexpr std::int64_t pointer_byte = 65536;

const Definition& definition_named(const std::string& name) {
  const auto* definition = find(io(), name);
  if (definition == nullptr) throw std::invalid_argument("imb-io has no benchmark '" + name + "'");
  return *definition;
}

const suites::FilePlace& place_of(const suites::SessionContext& context) {
  if (context.files == nullptr || context.files->directory.empty())
    throw std::logic_error("imb-io needs a scratch directory");
  return *context.files;
}

// A library that tells nothing of a disk without room has not written what its times are about.
void refuse_full_disk(record::PointRecord& record) {
  if (!measured(record)) return;
  record.status = record::Status::failed;
  record.reason = record::Reason{.code = record::ReasonCode::space,
                                 .text = "the file system is full, which the MPI library did not tell",
                                 .rank = 0,
                                 .host = std::nullopt,
                                 .mpi_call = std::nullopt,
                                 .mpi_class = std::nullopt,
                                 .needed_byte = std::nullopt,
                                 .available_byte = std::nullopt};
  record.metrics.clear();
  record.classic.clear();
}

}  // namespace

// Session of a block of IMB-IO. Made on all ranks of team.active.
class FileSession final : public suites::Session {
 public:
  // `computation` is that of the run. Collective. Throws std::bad_alloc, mpi::Error, measure::SharedFailure.
  FileSession(const Settings& settings, const suites::BlockPlan& block, const suites::SessionContext& context,
              Computation* computation)
      : settings_(settings),
        block_(block),
        context_(context),
        definition_(definition_named(block.benchmark)),
        action_(moves_data(block.benchmark) ? std::optional(file_action(block.benchmark)) : std::nullopt),
        mode_(mode_of(block)),
        points_(measured()),
        arena_(suites::shared_arena(context, need(), by_suite() ? 0 : context.memory_byte,
                                    suites::kept_memory(context))),
        files_(make_files()),
        computation_(computation) {
    if (overlaps() || settings_.rate_first)
      computation_->prepare(matrix_order(settings_.version), computation_target(settings_));
  }

  [[nodiscard]] std::vector<measure::Task> tasks() override {
    std::vector<measure::Task> tasks;
    for (auto& point : points_) tasks.push_back(task(point));
    return tasks;
  }
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override {
    const auto found = std::ranges::find(points_, point, &Measured::of_plan);
    const bool bundles = !by_suite() && found != points_.end();
    const RecordContext context{settings_, definition_, block_, mpi::Communicator::world().size(),
                                bundles ? found->bundle : 1};
    auto records = make_records(context, block_.points.at(point).spec<PointSpec>().size, outcome, base);
    for (auto& record : records) {
      std::erase(record.flags, "cache_warm");
      if (found == points_.end()) continue;
      if (action_ && action_->writes() && files_->disk_is_full()) refuse_full_disk(record);
      if (found->resident_share) put_residence(*found->resident_share, record);
      if (!found->pure_s.empty() && outcome.classic.max_s > 0) put_overlap(*found, record);
      if (overlaps() || settings_.rate_first)
        record.classic.emplace_back("compute_rate_flop_s", computation_->block().rate_flop_s);
    }
    pause(outcome);
    return records;
  }

 private:
  struct Measured {
    std::size_t of_plan = 0;
    Bytes size;
    std::uint64_t planned = 1;  // repetitions by IMB's own rule
    std::uint64_t pure = 1;     // of the blocking equivalent, for non-blocking benchmarks
    std::uint64_t bundle = 1;
    std::unique_ptr<measure::Schedule> schedule;  // IMB's own
    // Figures seen while its files were open; on rank 0.
    std::optional<double> resident_share;
    std::vector<std::vector<double>> pure_s, compute_s;  // by visit and group
  };

  [[nodiscard]] std::vector<Measured> measured() const {
    std::vector<Bytes> sizes;
    std::vector<Measured> points;
    for (std::size_t i = 0; i < block_.points.size(); ++i) {
      const auto& plan = block_.points[i];
      if (!plan.measurable()) continue;
      sizes.push_back(plan.spec<PointSpec>().size);
      auto& point = points.emplace_back();
      point.of_plan = i;
      point.size = sizes.back();
      point.bundle = plan.bundle;
    }
    auto schedules = imb_schedules(settings_, definition_, sizes, block_.processes, mode_);
    for (std::size_t i = 0; i < points.size(); ++i) {
      points[i].planned = planned_repetitions(settings_, definition_, sizes[i], block_.processes, mode_);
      points[i].pure = unbounded_repetitions(settings_, definition_, sizes[i], block_.processes, mode_);
      points[i].schedule = std::move(schedules[i]);
    }
    return points;
  }
  [[nodiscard]] std::unique_ptr<FileSet> make_files() const {
    const FileSet::Wishes wishes{.base = settings_.file_name,
                                 .own_file = action_ && action_->own_file(),
                                 .several_groups = settings_.multi.has_value(),
                                 .size_byte = file_byte(),
                                 .filled = action_ && !action_->writes()};
    return std::make_unique<FileSet>(wishes, place_of(context_), *context_.team);
  }
  [[nodiscard]] measure::Arena::Need need() const {
    measure::Arena::Need need;
    if (!action_) return need;
    auto& bytes = action_->writes() ? need.send_byte : need.receive_byte;
    for (const auto& point : points_)
      bytes = std::max(bytes, portion(*action_, point.size, block_.processes, 0).bytes *
                                  sections(settings_, definition_, point.planned));
    return need;
  }
  [[nodiscard]] std::int64_t file_byte() const {
    std::int64_t bytes = 0;
    if (!action_) return bytes;
    for (const auto& point : points_)
      bytes = std::max(bytes, static_cast<std::int64_t>(std::max(point.planned, point.pure)) *
                                  step_byte(*action_, point.size, block_.processes));
    return bytes;
  }
  [[nodiscard]] measure::Task task(Measured& point) {
    measure::Task task;
    task.traits.timing = by_suite() ? measure::Timing::whole : measure::Timing::batch;
    task.traits.meeting = meeting(settings_, definition_);
    task.traits.meetings = settings_.barriers;
    if (!by_suite()) {
      apply(context_.how, task.traits);
      task.traits.time_divisor = static_cast<double>(point.bundle);
    }
    task.schedule = by_suite() ? point.schedule.get() : context_.schedule;
    task.bytes = point.size.count();
    task.open = [this, &point](int placement) { return open(point, placement); };
    task.verify_repetitions = repetitions_to_check(point);
    const bool whole = by_suite() && one_whole(settings_, definition_, mode_);
    if ((settings_.show_tail || settings_.dump) && !whole)
      task.single_times = by_suite() ? measure::all_single_times : point.planned;
    task.placements = arena_->placements();
    task.visits_at_a_place = visits_of_opened;
    task.opens_anew = settings_.drop_cache;
    task.operation = action_ ? call_name(*action_) : "MPI_File_open";
    return task;
  }
  // Repetitions of the check behind a row; 0 if there is none.
  [[nodiscard]] std::uint64_t repetitions_to_check(const Measured& point) const {
    const bool checks = action_ && (settings_.check || (context_.verify && !context_.classic_only));
    if (!checks) return 0;
    return suites::repetitions_to_check(context_.how.verify, point.planned,
                                        std::min(point.planned, checked_repetitions(point.size)));
  }
  // Room for what a row writes, for the file of its check beside it, and for a shared pointer.
  [[nodiscard]] FileSet::Room room_for(const Measured& point) const {
    FileSet::Room room{.beside_byte = action_->pointer == Pointer::shared ? pointer_byte : 0,
                       .together = action_->together()};
    if (!action_->writes()) return room;
    const auto step = step_byte(*action_, point.size, block_.processes);
    room.file_byte = static_cast<std::int64_t>(std::max(point.planned, point.pure)) * step;
    room.beside_byte += static_cast<std::int64_t>(repetitions_to_check(point)) * step;
    return room;
  }
  [[nodiscard]] std::unique_ptr<measure::Workload> open(Measured& point, int placement) {
    auto file_point = this->file_point(point, placement);
    measure::require_path(context_.team->active, files_->path());
    if (!action_) return open_close_workload(file_point);
    files_->refuse_without_room(room_for(point));
    if (action_->writes())
      fill_elements(file_point.rank(), 0,
                    {file_point.data, static_cast<std::size_t>(file_point.own().bytes)});
    if (overlaps()) prepare_overlap(point, file_point);
    look_at_cache(point);
    const int place = placement % arena_->placements();
    auto workload = open_file_workload(file_point, [this, place] { return arena_->guard_damage(place); });
    return by_suite() || point.bundle == 1 ? std::move(workload) : bundled(std::move(workload), point.bundle);
  }
  [[nodiscard]] FilePoint file_point(const Measured& point, int placement) {
    FilePoint result;
    if (action_) result.action = *action_;
    result.mode = mode_;
    result.version = settings_.version;
    result.team = context_.team;
    result.file_comm = &files_->comm();
    result.path = files_->path();
    result.hints = place_of(context_).hints;
    result.size = point.size;
    result.slots = point.planned;
    result.interleaved = !by_suite();
    const int place = placement % arena_->placements();
    result.data = action_ && !action_->writes() ? arena_->receive(place).data() : arena_->send(place).data();
    result.sections = sections(settings_, definition_, point.planned);
    if (overlaps()) result.kernel = &computation_->kernel();
    result.products = computation_->block().products;
    return result;
  }
  // Looks at the page cache before a row is read: what it holds is told, and forgotten first if
  // that was asked for.
  void look_at_cache(Measured& point) const {
    if (!action_ || action_->writes()) return;
    forget_pages();
    if (const auto share = files_->resident_share())
      point.resident_share = std::max(point.resident_share.value_or(0), *share);
  }
  // As many as the time limit of the row leaves, the same in all groups.
  [[nodiscard]] std::uint64_t pure_repetitions(const Measured& point, const FilePoint& file_point) const {
    const auto limit = by_suite() ? time_limit(settings_, definition_) : std::nullopt;
    if (!limit || point.pure == 1) return point.pure;
    forget_pages();
    const double first_s = context_.team->active.max(pure_time(file_point, 1));
    return repetitions_before(point.pure, first_s, share_before_row * *limit);
  }
  void forget_pages() const {
    if (settings_.drop_cache && !action_->writes()) files_->drop_pages();
  }
  // Time of the blocking equivalent in aggregate mode: what there is to be hidden.
  [[nodiscard]] double pure_time(const FilePoint& point, std::uint64_t repetitions) const {
    FilePoint blocking = point;
    blocking.action.waiting = Waiting::blocking;
    blocking.mode = Mode::aggregate;
    blocking.slots = repetitions;
    double seconds = 0;
    {
      const auto workload = open_file_workload(blocking, [] { return std::int64_t{0}; });
      const auto& group = context_.team->group;
      group.barrier();
      group.barrier();
      const double start = steady_seconds();
      int error = MPI_SUCCESS;
      measure::keep_first(error, workload->run(0, repetitions));
      measure::keep_first(error, workload->complete());
      seconds = steady_seconds() - start;
      measure::all_or_none(context_.team->active,
                           [&] { mpi::check(error, call_name(blocking.action).c_str()); });
    }
    return context_.team->group.max(seconds) / static_cast<double>(repetitions);
  }
  void prepare_overlap(Measured& point, FilePoint& file_point) {
    const auto repetitions = pure_repetitions(point, file_point);
    forget_pages();
    const double pure_s = pure_time(file_point, repetitions);
    ComputedBlock block = computation_->block();
    if (settings_.balance_overlap)
      block = rescale(computation_->kernel(), block, Seconds{pure_s}, steady_seconds);
    file_point.products = block.products;
    point.pure_s.push_back(by_group(pure_s));
    // The number of rank 0 of each group.
    point.compute_s.push_back(by_group(context_.team->group.is_root() ? block.seconds : 0.0));
  }
  /// The largest value of each group, on all ranks of rank 0's group at least.
  [[nodiscard]] std::vector<double> by_group(double value) const {
    std::vector<double> own(static_cast<std::size_t>(context_.team->groups), 0.0);
    own[static_cast<std::size_t>(context_.team->index)] = value;
    std::vector<double> all(own.size());
    mpi::check(MPI_Allreduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_MAX,
                             context_.team->active.get()),
               "MPI_Allreduce");
    return all;
  }
  // -msg_pause: a tenth of the row's time, at least 0.1 s.
  void pause(const measure::Outcome& outcome) const {
    const double row_s = outcome.timed_s + outcome.warmup_s + outcome.overhead_s;
    if (settings_.message_pause)
      std::this_thread::sleep_for(std::chrono::duration<double>(std::max(0.1, row_s / 10)));
  }
  void put_overlap(const Measured& point, record::PointRecord& record) const {
    const auto index = record::whole_of(record::find(record.params, "group")).value_or(-1);
    const auto value_of = [&](const std::vector<std::vector<double>>& visits) {
      std::vector<double> values;
      for (const auto& groups : visits)
        values.push_back(index < 0 ? *std::ranges::max_element(groups)
                                   : groups[static_cast<std::size_t>(index)]);
      return stats::median(values);
    };
    put_overlap_values(value_of(point.pure_s), value_of(point.compute_s), record);
  }
  [[nodiscard]] bool by_suite() const { return context_.schedule == nullptr; }
  [[nodiscard]] bool overlaps() const { return action_ && !action_->blocks(); }

  Settings settings_;
  suites::BlockPlan block_;
  suites::SessionContext context_;
  const Definition& definition_;
  std::optional<FileAction> action_;  // nullopt for Open_Close
  Mode mode_;
  std::vector<Measured> points_;  // those that are not skipped
  std::unique_ptr<measure::Arena> arena_;
  std::unique_ptr<FileSet> files_;
  Computation* computation_;  // of non-blocking benchmarks
};

// Pages that -dropcache does not let a read find.

std::unique_ptr<suites::Suite> measurable_files(const Part& part, const Settings& settings) {
  return std::make_unique<MeasuredPart<FileSession, Computation>>(part, settings,
                                                                  std::make_unique<Computation>());
}

std::unique_ptr<suites::Suite> measurable(const Part& part, const Settings& settings) {
  if (&part == &rma())
    return std::make_unique<MeasuredPart<PassiveSession, BesideBlock>>(part, settings, beside_block());
  if (&part == &mt()) return measurable_threads(part, settings);
  if (part.files) return measurable_files(part, settings);
  return measurable_messages(part, settings);
}

}  // namespace steelyard::imb
