// SPDX-License-Identifier: Apache-2.0
#include "suites/session.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "machine/environment.hpp"
#include "measure/buffers.hpp"
#include "measure/failure.hpp"
#include "suites/beffio/definition.hpp"
#include "suites/beffio/pattern_run.hpp"

namespace steelyard::beffio {

/// Schedule of one operation, the whole loop of a pattern, which ends as its Length says.
class PatternSchedule final : public measure::Schedule {
 public:
  enum class Rule { time_driven, size_driven };
  explicit PatternSchedule(Rule rule) : rule_(rule) {}
  [[nodiscard]] measure::Decision next(const measure::History& history) const override {
    if (history.stop_requested) return measure::Stop{measure::StopReason::interrupted};
    if (history.visits > 0)
      return measure::Stop{rule_ == Rule::time_driven ? measure::StopReason::time
                                                      : measure::StopReason::size};
    return measure::Visit{.warmup = 0, .ops_per_batch = 1, .batches = 1};
  }
  [[nodiscard]] std::string_view rule() const override {
    return rule_ == Rule::time_driven ? "time_driven" : "size_driven";
  }

 private:
  Rule rule_;
};

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr double overlong_times = 4;

std::size_t partition_of(const Settings& settings, int processes) {
  const auto all = partitions(settings, mpi::Communicator::world().size());
  return static_cast<std::size_t>(std::ranges::find(all, processes) - all.begin());
}

/// Sum over the nodes of the team of what their page caches could take.
std::int64_t cache_of_nodes(const mpi::Communicator& team) {
  const bool first_of_node = team.split_shared().is_root();
  return team.sum(first_of_node ? machine::usable_memory().node_byte : std::int64_t{0});
}

[[noreturn]] void refuse(record::ReasonCode code, std::string text) {
  record::Reason reason;
  reason.code = code;
  reason.text = std::move(text);
  throw measure::SharedFailure(std::move(reason));
}

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

Space space_of(const std::filesystem::path& directory) {
  std::error_code failed;
  const auto found = std::filesystem::space(directory, failed);
  if (failed) return {unlimited, 0};
  return {static_cast<std::int64_t>(found.available), static_cast<std::int64_t>(found.capacity)};
}

[[noreturn]] void refuse_for_space(const std::string& text) {
  record::Reason reason;
  reason.code = record::ReasonCode::space;
  reason.text = text;
  throw measure::SharedFailure(std::move(reason));
}

/// Bytes that one process has written to its file of type 2 so far.
std::int64_t separated_byte(const PatternTable& table, const Repetitions& calls) {
  const Span span = patterns_of(PatternType::separated);
  std::int64_t sum = 0;
  for (std::size_t p = span.first; p <= span.last(); ++p) sum += bytes_of(table[p], calls[p]);
  return sum;
}

}  // namespace

/// Session of one access method in one partition.
class BeffioSession final : public suites::Session {
 public:
  /// Collective. Writes again, untimed, the files that an earlier start of the run has left behind in its
  /// records only. Throws std::bad_alloc, mpi::Error, measure::SharedFailure.
  BeffioSession(const Settings& settings, const suites::BlockPlan& block,
                const suites::SessionContext& context)
      : settings_(settings),
        block_(block),
        context_(context),
        site_{&settings_, settings.written.get(), &context.team->active,
              partition_of(settings, block.processes)},
        access_(block.points.front().spec<PatternSpec>().access),
        files_(settings.written->files(block.processes)),
        guard_(settings.most_byte),
        table_(pattern_table(settings, block.processes)),
        arena_(suites::shared_arena(context, {buffer_size(settings).count(), 0}, 0,
                                    suites::buffer_memory(context.how))) {
    const auto sizes = partitions(settings_, mpi::Communicator::world().size());
    unit_s_ = unit_s(settings_.total_s, static_cast<int>(sizes.size()), settings_.rewriting);
    cache_byte_ = cache_of_nodes(team());
    site_.written->enter(team(), *context.files);
    for (const auto& hint : context.files->hints) settings_.hints.add_everywhere(hint);
    prepare_files();
    take_points();
  }
  [[nodiscard]] std::vector<measure::Task> tasks() override {
    std::vector<measure::Task> tasks;
    for (const auto& point : points_) tasks.push_back(task(*point));
    return tasks;
  }
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome&,
                                                         record::PointRecord base) override {
    const Point& one = *points_.at(point_of_.at(point));
    if (one.result.cut != Cut::none) tell_cut(one.result.cut);
    return {point_record(one.facts, one.result, std::move(base))};
  }
  [[nodiscard]] std::vector<measure::EngineNotice> notices() const override { return notices_; }

 private:
  struct Point {
    int pattern = 0;
    std::unique_ptr<PatternSchedule> schedule;
    PatternResult result;
    PointFacts facts;
  };
  /// Files are written anew, or are there already, or were written once by an earlier start.
  void prepare_files() {
    if (access_ == Access::write) {
      files_ = Files{};
      files_.here = true;
      if (const auto sentence = site_.written->try_shared_pointer(team()))
        notices_.push_back({"mpi_error", *sentence});
    } else if (!files_.here) {
      restore();
    }
    if (files_.segment) table_ = filled_up(table_, *files_.segment);
  }
  void take_points() {
    for (const auto& point : block_.points) {
      point_of_.push_back(point.measurable() ? points_.size() : none);
      if (!point.measurable()) continue;
      auto one = std::make_unique<Point>();
      one->pattern = point.spec<PatternSpec>().pattern;
      const bool by_time =
          access_ == Access::write && row(one->pattern).units > 0 && !size_driven(row(one->pattern).type);
      one->schedule = std::make_unique<PatternSchedule>(by_time ? PatternSchedule::Rule::time_driven
                                                                : PatternSchedule::Rule::size_driven);
      points_.push_back(std::move(one));
    }
  }
  [[nodiscard]] measure::Task task(Point& point) {
    measure::Task task;
    task.traits.timing = measure::Timing::whole;
    task.traits.over_ranks = measure::OverRanks::one;
    task.traits.owns_result = team().is_root();
    task.schedule = point.schedule.get();
    task.passes = 1;
    task.bytes = row(point.pattern).disk.count();
    task.open = [this, &point](int) { return open(point); };
    task.verify_repetitions = 1;
    task.operation = "MPI-IO, pattern " + std::to_string(point.pattern);
    return task;
  }
  /// The first pattern of a type opens its file; a type whose last pattern went wrong is not gone on with.
  [[nodiscard]] std::unique_ptr<measure::Workload> open(Point& point) {
    const PatternType type = row(point.pattern).type;
    const bool first = static_cast<std::size_t>(point.pattern) == patterns_of(type).first;
    if (!team().all(first || done_ == point.pattern - 1))
      refuse(record::ReasonCode::dependency,
             "an earlier pattern of type " + std::string(text(type)) + " failed");
    if (first) begin_type(type);
    layout_.emplace(table_, type, files_.calls, team().size(),
                    files_.segment ? files_.segment->length : Bytes{0});
    refuse_without_room(row(point.pattern));
    point.result = {};
    scheduled_s_ = unit_s_ * row(point.pattern).units;
    if (access_ == Access::write)
      scheduled_s_ = site_.written->writing().scheduled_s(scheduled_s_, MPI_Wtime());
    auto run = std::make_unique<PatternRun>(
        plan(point),
        [this, &point](const PatternResult&, Mismatches& wrong) { return finished(point, wrong); },
        point.result);
    point.facts.hints = words_of(run->hints());
    note_facts(point);
    return run;
  }
  void begin_type(PatternType type) {
    file_.reset();
    done_.reset();
    if (type == PatternType::shared) refuse_without_pointer();
    if (access_ != Access::write && !files_.complete[index(type)])
      refuse(record::ReasonCode::dependency,
             "the files of type " + std::string(text(type)) + " are not written");
    files_.complete[index(type)] = access_ == Access::read;
    if (access_ == Access::write && size_driven(type) && !files_.segment) determine_segment();
    file_ = std::make_unique<TypeFile>(site_, type, access_);
  }
  void determine_segment() {
    std::int64_t most = unlimited;
    Cut because = Cut::space;
    if (team().is_root()) {
      const std::int64_t shares = segmented_types(settings_) * team().size();
      most = VolumeGuard::within_space(space_of(site_.written->directory()), 0) / shares;
      const auto first = patterns_of(PatternType::segmented).first;
      const int units = units_of(PatternType::segmented) + units_of(PatternType::segmented_collective);
      const auto share = guard_.share({site_.written->written_byte(), units_left(table_[first])}, units);
      if (share && *share / shares < most) because = Cut::volume;
      if (share) most = std::min(most, *share / shares);
    }
    most = team().broadcast(most);
    files_.segment = segment(table_, files_.calls, settings_.align, Bytes{most});
    if (!files_.segment) refuse_for_space("the segments of types 3 and 4 do not fit into the space");
    segment_cut_ = files_.segment->reduced ? because : Cut::none;
    table_ = filled_up(table_, *files_.segment);
  }
  [[nodiscard]] PatternRun::Plan plan(const Point& point) {
    const Pattern& pattern = row(point.pattern);
    const Span span = patterns_of(pattern.type);
    return {.site = site_,
            .file = file_.get(),
            .pattern = pattern,
            .origin = origin(point.pattern, team().rank()),
            .memory = memory(),
            .length = length(pattern),
            .begin = layout_->begin(point.pattern),
            .segment_begin = layout_->segment_begin(team().rank()),
            .places = places(pattern, layout_->begin(point.pattern),
                             size_driven(pattern.type) ? length(pattern).calls.value_or(0) : 0),
            .closes = static_cast<std::size_t>(point.pattern) == span.last(),
            .tells_hints = settings_.hints.given()};
  }
  [[nodiscard]] Length length(const Pattern& pattern) {
    Length length;
    length.scheduled_s = scheduled_s_;
    length.control = settings_.control;
    const auto p = static_cast<std::size_t>(pattern.number);
    if (access_ != Access::write) {
      length.calls = files_.calls[p];
    } else if (size_driven(pattern.type)) {
      length.calls = files_.segment->repetitions[p - patterns_of(pattern.type).first];
    } else if (pattern.units == 0) {
      length.calls = 1;
    } else {
      length.room = [this, pattern](std::uint64_t done) { return room(pattern, done); };
      length.stop = context_.stop;
    }
    return length;
  }
  /// Places of the calls of a pattern, for types that call at explicit offsets.
  /// Places in an order of its own for each process, pattern and access method; writing again restores what the
  /// first writing wrote, wherever its order went.
  [[nodiscard]] Places places(const Pattern& pattern, std::int64_t begin, std::uint64_t calls) const {
    if (pattern.type != PatternType::random) return {};
    const auto rank = static_cast<std::uint64_t>(team().rank());
    const auto seed = (rank * pattern_count + static_cast<std::uint64_t>(pattern.number)) * accesses.size() +
                      index(access_);
    return {Shuffle(calls, seed), begin};
  }
  /// On process 0. A byte of type 2 is followed by one of each segmented type.
  [[nodiscard]] Length::Room room(const Pattern& pattern, std::uint64_t done) const {
    const std::int64_t call_byte = pattern.memory.count() * team().size();
    const std::int64_t done_byte = static_cast<std::int64_t>(done) * call_byte;
    const bool separated = pattern.type == PatternType::separated;
    const std::int64_t own_byte = separated ? done_byte : 0;
    const std::int64_t reserve =
        segmented_types(settings_) * (separated_byte(table_, files_.calls) * team().size() + own_byte);
    // Others may still be about to write what this process has written: the file system does not count that yet.
    auto space = space_of(site_.written->directory());
    space.free_byte = std::min(space.free_byte, free_before_byte_ - done_byte);
    std::int64_t more = VolumeGuard::within_space(space, reserve);
    if (separated) more /= 1 + segmented_types(settings_);
    Length::Room room{done + static_cast<std::uint64_t>(more / call_byte), Cut::space};
    const auto share = guard_.share({site_.written->written_byte(), units_left(pattern)}, pattern.units);
    if (!share || static_cast<std::uint64_t>(*share / call_byte) >= room.calls) return room;
    return {static_cast<std::uint64_t>(*share / call_byte), Cut::volume};
  }
  /// Every pattern is measured at least once, if it can be.
  void refuse_without_room(const Pattern& pattern) {
    if (access_ != Access::write || size_driven(pattern.type)) return;
    bool enough = true;
    if (team().is_root()) {
      const std::int64_t once = pattern.memory.count() * team().size();
      const auto left = guard_.left({site_.written->written_byte(), 0});
      const auto space = space_of(site_.written->directory());
      free_before_byte_ = space.free_byte;
      enough = once <= VolumeGuard::within_space(space, 0) && once <= left.value_or(once);
    }
    if (team().broadcast(enough)) return;
    refuse_for_space("pattern " + std::to_string(pattern.number) + " does not fit even once into the space");
  }
  // ROMIO keeps the shared pointer in a file of its own beside the other: where it cannot be written, ordered
  // calls never return, or MPICH ends all processes.
  void refuse_without_pointer() const {
    constexpr std::int64_t pointer_byte = 65536;
    if (site_.written->pointer() != Pointer::shared) return;
    const bool enough = !team().is_root() || space_of(site_.written->directory()).free_byte >= pointer_byte;
    if (!team().broadcast(enough)) refuse_for_space("no space for a shared file pointer");
  }
  /// U of this pattern and of all initial writes that follow it.
  [[nodiscard]] int units_left(const Pattern& pattern) const {
    int left = 0;
    for (std::size_t p = static_cast<std::size_t>(pattern.number); p < pattern_count; ++p)
      left += table_[p].units;
    int whole = 0;
    for (const auto& row : table_) whole += row.units;
    const auto sizes = partitions(settings_, mpi::Communicator::world().size());
    return left + whole * static_cast<int>(sizes.size() - 1 - site_.partition);
  }
  /// After the loop, outside the timed region, on every process: the books and the checks.
  [[nodiscard]] bool finished(Point& point, Mismatches& wrong) {
    const Pattern& pattern = row(point.pattern);
    const auto p = static_cast<std::size_t>(point.pattern);
    if (access_ == Access::write) {
      files_.calls[p] = point.result.calls;
      if (team().is_root()) site_.written->add_written(bytes_of(pattern, point.result.calls) * team().size());
    } else {
      point.facts.overlong =
          point.result.times.total_s > overlong_times * unit_s_ * pattern.units && pattern.units > 0;
    }
    if (segment_cut_ != Cut::none && size_driven(pattern.type)) point.result.cut = segment_cut_;
    const bool checked = check(point, wrong);
    done_ = point.pattern;
    if (p != patterns_of(pattern.type).last()) return checked;
    files_.complete[index(pattern.type)] = true;
    if (access_ == Access::rewrite) files_.generation[index(pattern.type)] = 1;
    file_.reset();
    if (access_ == Access::read && settings_.keep) keep_files(pattern.type);
    return checked;
  }
  /// Read: every word of the last call, beside the stamps of all. Written: parts of the file of the next
  /// process.
  [[nodiscard]] bool check(const Point& point, Mismatches& wrong) const {
    const Pattern& pattern = row(point.pattern);
    const std::uint64_t calls = point.result.calls;
    if (access_ != Access::read) {
      if (!context_.verify || settings_.unique) return false;
      const int other = (team().rank() + 1) % team().size();
      const auto how = context_.how.verify == suites::VerifyMode::all ? ReadBack::all : ReadBack::sample;
      read_back(
          {pattern, origin(point.pattern, other), calls, &*layout_, file_path(site_, pattern.type, other)},
          how, wrong);
      return true;
    }
    const std::uint64_t last =
        pattern.type == PatternType::random ? places(pattern, 0, calls).order(calls - 1) : calls - 1;
    const auto words = static_cast<std::size_t>(pattern.disk.count() / element_byte);
    for (std::int64_t k = 0; context_.verify && k < pattern.chunks(); ++k) {
      const auto found = memory().subspan(static_cast<std::size_t>(k) * words, words);
      compare({last, k, static_cast<std::int64_t>(words), 0, found}, origin(point.pattern, team().rank()),
              wrong);
    }
    return true;
  }
  void note_facts(Point& point) {
    const Pattern& pattern = row(point.pattern);
    PointFacts& facts = point.facts;
    facts.pattern = pattern;
    facts.processes = team().size();
    facts.scheduled_s = scheduled_s_;
    if (pattern.type == PatternType::shared)
      facts.pointer = site_.written->pointer() == Pointer::shared ? "shared" : "individual";
    facts.file = file_label(site_.partition, team().size(), pattern.type,
                            pattern.type == PatternType::separated ? std::optional(0) : std::nullopt);
    if (size_driven(pattern.type)) facts.segment_byte = files_.segment->length.count();
    if (static_cast<std::size_t>(point.pattern) == patterns_of(pattern.type).first) {
      facts.open_s = file_->open_s();
      facts.open_hints = words_of(settings_.hints.at_open({team().size(), access_, pattern.type}));
      facts.mpi_io = file_->implementation();
      facts.cache_byte = cache_byte_;
    }
  }
  /// Once for each reason.
  void tell_cut(Cut cut) {
    const measure::EngineNotice notice =
        cut == Cut::space
            ? measure::EngineNotice{"file_system_full",
                                    "patterns were ended early: the file system has too little space"}
            : measure::EngineNotice{"volume_limit",
                                    "patterns were ended early by the limit of the total volume"};
    if (std::ranges::find(notices_, notice.code, &measure::EngineNotice::code) == notices_.end())
      notices_.push_back(notice);
  }
  /// Beside the directory that is removed at the end, unless there is a file of that name.
  void keep_files(PatternType type) {
    if (!team().is_root()) return;
    for (int rank = 0; rank < (type == PatternType::separated ? team().size() : 1); ++rank) {
      const std::filesystem::path from = file_path(site_, type, rank);
      const auto to = from.parent_path().parent_path() / from.filename();
      std::error_code failed;
      const bool there = std::filesystem::exists(std::filesystem::symlink_status(to, failed));
      if (!there) std::filesystem::rename(from, to, failed);
      if (there || failed) notices_.push_back({"scratch_left", "cannot keep " + to.string()});
    }
  }
  void restore() {
    site_.written->remember(team(), context_.earlier);
    if (files_.segment) table_ = filled_up(table_, *files_.segment);
    for (const auto type : pattern_types)
      if (files_.complete[index(type)]) restore(type);
    files_.here = true;
  }
  /// Writes the file of a type as the last access method that was complete has left it. Not timed.
  void restore(PatternType type) {
    TypeFile file(site_, type, Access::write);
    const Layout layout(table_, type, files_.calls, team().size(),
                        files_.segment ? files_.segment->length : Bytes{0});
    const Span span = patterns_of(type);
    Mismatches nothing;
    for (std::size_t p = span.first; p <= span.last(); ++p) {
      const Origin origin{team().rank(), static_cast<int>(p), files_.generation[index(type)]};
      const auto content = memory().first(static_cast<std::size_t>(table_[p].memory.count() / element_byte));
      Body(origin).fill(content);
      TypeFile::View(file, table_[p], layout.begin(static_cast<int>(p)), layout.segment_begin(team().rank()))
          .set(file);
      const auto loop = open_loop(call_of(type, site_.written->pointer()), Direction::out,
                                  {file.get(), table_[p], origin, content,
                                   places(table_[p], layout.begin(static_cast<int>(p)), files_.calls[p])},
                                  nothing);
      const int ran = loop->run(0, files_.calls[p]);
      const int moved = loop->complete();
      const int code = ran == MPI_SUCCESS ? moved : ran;
      measure::all_or_none(team(), [&] { mpi::check(code, "writing files again"); });
    }
    file.sync();
    static_cast<void>(file.close());
    if (!team().is_root()) return;
    for (std::size_t p = span.first; p <= span.last(); ++p)
      site_.written->add_written(bytes_of(table_[p], files_.calls[p]) * team().size());
  }
  [[nodiscard]] const Pattern& row(int number) const { return table_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] Origin origin(int pattern, int rank) const {
    int generation = access_ == Access::rewrite ? 1 : 0;
    if (access_ == Access::read) generation = files_.generation[index(row(pattern).type)];
    return {rank, pattern, generation};
  }
  [[nodiscard]] std::span<std::uint64_t> memory() const {
    const auto bytes = arena_->send(0);
    return {reinterpret_cast<std::uint64_t*>(bytes.data()), bytes.size() / sizeof(std::uint64_t)};
  }
  [[nodiscard]] const mpi::Communicator& team() const { return *site_.team; }

  Settings settings_;
  suites::BlockPlan block_;
  suites::SessionContext context_;
  Site site_;
  Access access_;
  Files& files_;
  VolumeGuard guard_;
  PatternTable table_;
  std::unique_ptr<measure::Arena> arena_;
  double unit_s_ = 0, scheduled_s_ = 0;
  std::int64_t cache_byte_ = 0;                 // over the nodes of the partition
  std::int64_t free_before_byte_ = 0;           // on process 0: before the pattern that is written
  std::vector<std::unique_ptr<Point>> points_;  // of the points that are measured
  std::vector<std::size_t> point_of_;           // by point of the block
  std::unique_ptr<TypeFile> file_;
  std::optional<Layout> layout_;  // of the open file
  Cut segment_cut_ = Cut::none;
  std::optional<int> done_;  // last pattern of the open file that was finished
  std::vector<measure::EngineNotice> notices_;
};

std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings) {
  Settings measured = settings;
  measured.written = std::make_shared<WrittenFiles>(settings);
  return std::make_unique<suites::Measurable<Definition, BeffioSession>>(measured);
}

// Room for writing, and files that are written again.

}  // namespace steelyard::beffio
