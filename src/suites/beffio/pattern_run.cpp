// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/pattern_run.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "machine/directory.hpp"
#include "measure/failure.hpp"
#include "mpi/handle.hpp"
#include "record/point_view.hpp"
#include "suites/beffio/definition.hpp"
#include "suites/beffio/record.hpp"

namespace steelyard::beffio {
namespace {

constexpr std::uint64_t token = 0x5eed0000;

/// Tries ordered access: every process writes one word in its turn and reads it back.
bool ordered_access_works(const mpi::Communicator& team, const std::string& name) {
  bool right = false;
  const auto failure = measure::attempt([&] {
    mpi::File file(team, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    file.set_view(0, MPI_DOUBLE, MPI_DOUBLE);
    const std::uint64_t out = token + static_cast<std::uint64_t>(team.rank());
    std::uint64_t in = 0;
    mpi::check(MPI_File_write_ordered(file.get(), &out, 1, MPI_DOUBLE, MPI_STATUS_IGNORE),
               "MPI_File_write_ordered");
    file.sync();
    team.barrier();
    file.seek_shared(0);
    mpi::check(MPI_File_read_ordered(file.get(), &in, 1, MPI_DOUBLE, MPI_STATUS_IGNORE),
               "MPI_File_read_ordered");
    right = in == out;
    file.close();
  });
  return team.all(right && !failure);
}

std::int64_t whole(const record::PointRecord& point, std::string_view name) {
  return static_cast<std::int64_t>(record::number_of(record::find(point.classic, name)).value_or(0));
}

bool complete(const Files& files, PatternType type) {
  const Span span = patterns_of(type);
  for (std::size_t p = span.first; p <= span.last(); ++p)
    if (files.calls[p] == 0) return false;
  return true;
}

void read_point(const record::PointRecord& point, Files& files) {
  const auto [access, number] = recorded_spec(point.params);
  const auto p = static_cast<std::size_t>(number);
  if (p >= pattern_count || point.status != record::Status::ok) return;
  PatternType type = PatternType::scatter;
  for (const auto one : pattern_types)
    if (p >= patterns_of(one).first) type = one;
  if (access == Access::rewrite && p == patterns_of(type).last()) files.generation[index(type)] = 1;
  if (access != Access::write) return;
  files.calls[p] = static_cast<std::uint64_t>(whole(point, "calls"));
  const auto segment = whole(point, "segment_byte");
  if (segment > 0 && !files.segment) files.segment.emplace();
  if (segment > 0) files.segment->length = Bytes{segment};
  if (files.segment && type == PatternType::segmented && p == patterns_of(type).last())
    files.segment->fill_up = Bytes{whole(point, "chunk_byte")};
}

/// Message with the contents of a partition's files.
struct Packed {
  bool individual;  // pointers of type 1
  Repetitions calls;
  std::array<int, pattern_types.size()> generation;
  std::int64_t segment_byte, fill_up_byte;
};

Packed pack(const Files& files, bool individual) {
  const Segment segment = files.segment.value_or(Segment{});
  return {individual, files.calls, files.generation, segment.length.count(), segment.fill_up.count()};
}

void unpack(const Packed& packed, Files& files) {
  files.calls = packed.calls;
  files.generation = packed.generation;
  if (packed.segment_byte > 0) {
    files.segment.emplace();
    files.segment->length = Bytes{packed.segment_byte};
    files.segment->fill_up = Bytes{packed.fill_up_byte};
    for (std::size_t i = 0; i < files.segment->repetitions.size(); ++i)
      files.segment->repetitions[i] = files.calls[patterns_of(PatternType::segmented).first + i];
  }
  for (const auto type : pattern_types) files.complete[index(type)] = complete(files, type);
}

/// Calls in the order of the file: the place of a call is its number.
struct Consecutive {
  explicit Consecutive(const LoopPlan&) {}
  [[nodiscard]] static std::uint64_t place(std::uint64_t call) noexcept { return call; }
};

struct Collective : Consecutive {
  using Consecutive::Consecutive;
  static int write(MPI_File file, std::uint64_t, const void* memory, int count, MPI_Status* status) noexcept {
    return mpi::noted(MPI_File_write_all(file, memory, count, MPI_DOUBLE, status), "MPI_File_write_all");
  }
  static int read(MPI_File file, std::uint64_t, void* memory, int count, MPI_Status* status) noexcept {
    return mpi::noted(MPI_File_read_all(file, memory, count, MPI_DOUBLE, status), "MPI_File_read_all");
  }
};

struct Ordered : Consecutive {
  using Consecutive::Consecutive;
  static int write(MPI_File file, std::uint64_t, const void* memory, int count, MPI_Status* status) noexcept {
    return mpi::noted(MPI_File_write_ordered(file, memory, count, MPI_DOUBLE, status),
                      "MPI_File_write_ordered");
  }
  static int read(MPI_File file, std::uint64_t, void* memory, int count, MPI_Status* status) noexcept {
    return mpi::noted(MPI_File_read_ordered(file, memory, count, MPI_DOUBLE, status),
                      "MPI_File_read_ordered");
  }
};

struct Independent : Consecutive {
  using Consecutive::Consecutive;
  static int write(MPI_File file, std::uint64_t, const void* memory, int count, MPI_Status* status) noexcept {
    return mpi::noted(MPI_File_write(file, memory, count, MPI_DOUBLE, status), "MPI_File_write");
  }
  static int read(MPI_File file, std::uint64_t, void* memory, int count, MPI_Status* status) noexcept {
    return mpi::noted(MPI_File_read(file, memory, count, MPI_DOUBLE, status), "MPI_File_read");
  }
};

/// Calls at explicit offsets, which count in elements of the view.
class Placed {
 public:
  explicit Placed(const LoopPlan& plan)
      : order_(plan.places.order),
        begin_(plan.places.begin_byte / element_byte),
        step_(plan.pattern.memory.count() / element_byte) {}
  [[nodiscard]] std::uint64_t place(std::uint64_t call) const noexcept { return order_(call); }
  int write(MPI_File file, std::uint64_t place, const void* memory, int count,
            MPI_Status* status) const noexcept {
    return mpi::noted(MPI_File_write_at(file, offset(place), memory, count, MPI_DOUBLE, status),
                      "MPI_File_write_at");
  }
  int read(MPI_File file, std::uint64_t place, void* memory, int count, MPI_Status* status) const noexcept {
    return mpi::noted(MPI_File_read_at(file, offset(place), memory, count, MPI_DOUBLE, status),
                      "MPI_File_read_at");
  }

 private:
  [[nodiscard]] MPI_Offset offset(std::uint64_t place) const noexcept {
    return begin_ + static_cast<MPI_Offset>(place) * step_;
  }
  Shuffle order_;
  std::int64_t begin_, step_;
};

/// The chunks of one call in memory.
class Chunks {
 public:
  explicit Chunks(const LoopPlan& plan)
      : file_(plan.file),
        memory_(plan.memory.data()),
        count_(mpi::to_int(plan.pattern.memory.count() / element_byte)),
        words_(plan.pattern.disk.count() / element_byte),
        chunks_(plan.pattern.chunks()),
        origin_(plan.origin),
        stamps_(plan.origin) {}

 protected:
  [[nodiscard]] std::uint64_t& first(std::int64_t chunk) const noexcept { return memory_[chunk * words_]; }
  [[nodiscard]] std::uint64_t& last(std::int64_t chunk) const noexcept {
    return memory_[(chunk + 1) * words_ - 1];
  }

  /// Returns `error` if the last call moved less than it should: Open MPI's own MPI-IO tells that in the
  /// status alone. Calls before need no look: what was short once stays so.
  [[nodiscard]] int short_of(int error) const noexcept {
    if (!called_ || count_ == 0) return MPI_SUCCESS;
    int moved = 0;
    const int told = MPI_Get_count(&status_, MPI_DOUBLE, &moved);
    return told != MPI_SUCCESS || moved == count_ ? told : error;
  }

  MPI_Status status_{};
  bool called_ = false;
  MPI_File file_;
  std::uint64_t* memory_;
  int count_;
  std::int64_t words_, chunks_;
  Origin origin_;
  Stamps stamps_;
};

template <class Call>
class Writing : private Chunks {
 public:
  Writing(const LoopPlan& plan, Mismatches&) : Chunks(plan), call_(plan) {}
  int operator()(std::uint64_t number) noexcept {
    const std::uint64_t call = call_.place(number);
    for (std::int64_t k = 0; k < chunks_; ++k) {
      first(k) = stamps_.first(call, k);
      last(k) = stamps_.last(call, k);  // of a chunk of one word the only one
    }
    called_ = true;
    return call_.write(file_, call, memory_, count_, &status_);
  }
  int complete() noexcept { return short_of(MPI_ERR_NO_SPACE); }

 private:
  Call call_;
};

template <class Call>
class Reading : private Chunks {
 public:
  Reading(const LoopPlan& plan, Mismatches& wrong) : Chunks(plan), call_(plan), wrong_(&wrong) {}
  int operator()(std::uint64_t number) noexcept {
    const std::uint64_t call = call_.place(number);
    called_ = true;
    const int code = call_.read(file_, call, memory_, count_, &status_);
    for (std::int64_t k = 0; k < chunks_; ++k) {
      if (words_ > 1) compare(call, k, 0, first(k), stamps_.first(call, k));
      compare(call, k, words_ - 1, last(k), stamps_.last(call, k));
    }
    return code;
  }
  int complete() noexcept { return short_of(MPI_ERR_IO); }

 private:
  void compare(std::uint64_t call, std::int64_t k, std::int64_t word, std::uint64_t found,
               std::uint64_t expected) noexcept {
    if (found != expected) [[unlikely]]
      wrong_->add(origin_, call, k, word, found, expected);
  }
  Call call_;
  Mismatches* wrong_;
};

template <class Call>
std::unique_ptr<measure::Workload> make(Direction direction, const LoopPlan& plan, Mismatches& wrong) {
  if (direction == Direction::out)
    return measure::make_workload<measure::Loop<Writing<Call>>>(Writing<Call>(plan, wrong));
  return measure::make_workload<measure::Loop<Reading<Call>>>(Reading<Call>(plan, wrong));
}

int mode_of(Access access, const Settings& settings) {
  int mode = MPI_MODE_RDWR;
  if (access == Access::write) mode |= MPI_MODE_CREATE;
  if (access == Access::read) mode = MPI_MODE_RDONLY;
  if (access == Access::read && !settings.keep) mode |= MPI_MODE_DELETE_ON_CLOSE;
  if (settings.unique) mode |= MPI_MODE_UNIQUE_OPEN;
  return mode;
}

/// Datatype of one chunk of every process in turn, of which this process's is visible.
mpi::DatatypeHandle scattered_type(const mpi::Communicator& team, Bytes chunk) {
  const std::array<int, 2> sizes = {team.size(), mpi::to_int(chunk.count() / element_byte)};
  const std::array<int, 2> distributions = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE};
  const std::array<int, 2> arguments = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
  const std::array<int, 2> processes = {team.size(), 1};
  mpi::DatatypeHandle type;
  mpi::check(MPI_Type_create_darray(team.size(), team.rank(), 2, sizes.data(), distributions.data(),
                                    arguments.data(), processes.data(), MPI_ORDER_C, MPI_DOUBLE, type.put()),
             "MPI_Type_create_darray");
  mpi::check(MPI_Type_commit(type.put()), "MPI_Type_commit");
  return type;
}

Direction direction_of(Access access) {
  return access == Access::read ? Direction::in : Direction::out;
}

PatternFigures figures_of(const PointFacts& facts, const PatternResult& result) {
  const auto byte = [](Bytes bytes) { return static_cast<double>(bytes.count()); };
  const Pattern& pattern = facts.pattern;
  const PatternTimes& times = result.times;
  PatternFigures figures;
  figures.number = pattern.number;
  figures.type = text(pattern.type);
  figures.position = pattern.position;
  figures.units = pattern.units;
  figures.chunk_byte = byte(pattern.disk);
  figures.memory_byte = byte(pattern.memory);
  figures.calls = static_cast<double>(result.calls);
  figures.moved_byte = static_cast<double>(bytes_of(pattern, result.calls) * facts.processes);
  figures.scheduled_s = facts.scheduled_s;
  figures.time_s = times.total_s;
  figures.io_s = times.io_s;
  figures.barrier_s = times.barrier_s;
  figures.broadcast_s = times.broadcast_s;
  figures.sync_s = times.sync_s;
  figures.last_call_s = times.last_call_s;
  figures.last_control_s = times.last_control_s;
  figures.control_rounds = static_cast<std::int64_t>(times.rounds);
  figures.segment_byte = facts.segment_byte;
  figures.cache_byte = facts.cache_byte;
  figures.open_s = facts.open_s;
  figures.close_s = result.close_s;
  figures.pointer = facts.pointer;
  figures.file = facts.file;
  figures.mpi_io = facts.mpi_io;
  figures.cut = text(result.cut);
  figures.open_hints = facts.open_hints;
  figures.hints = facts.hints;
  figures.hints_in_effect = words_of(result.hints_in_effect);
  figures.overlong = facts.overlong;
  return figures;
}

}  // namespace

void WrittenFiles::enter(const mpi::Communicator& team, const suites::FilePlace& place) {
  directory_ = place.directory;
  measure::all_or_none(team, [&] {
    if (team.is_root() && !claimed_ && place.claim) place.claim(std::string(file_prefix));
  });
  claimed_ = true;
}

std::optional<std::string> WrittenFiles::try_shared_pointer(const mpi::Communicator& team) {
  // A process of an earlier partition may know already what the others do not.
  if (team.any(pointer_ == Pointer::individual)) {
    pointer_ = Pointer::individual;
    return std::nullopt;
  }
  const auto name = directory_ / (std::string(file_prefix) + "probe");
  if (ordered_access_works(team, name.string())) return std::nullopt;
  pointer_ = Pointer::individual;
  return "ordered access by a shared file pointer does not work here: type 1 uses individual pointers";
}

void WrittenFiles::remember(const mpi::Communicator& team, std::span<const record::PointRecord> earlier) {
  Files& files = files_[team.size()];
  bool individual = pointer_ == Pointer::individual;
  for (const auto& point : earlier) {
    if (point.suite != suite_name || point.processes != team.size()) continue;
    read_point(point, files);
    individual = individual || record::word_of(record::find(point.classic, "pointer")) == "individual";
  }
  const Packed packed = team.broadcast(pack(files, individual));
  if (packed.individual) pointer_ = Pointer::individual;
  unpack(packed, files);
}

std::string file_label(std::size_t partition, int processes, PatternType type, std::optional<int> rank) {
  char text[64];
  std::snprintf(text, sizeof text, "i%02zu_%03d_%zu", partition, processes, index(type));
  std::string label = text;
  if (!rank) return label;
  std::snprintf(text, sizeof text, ".%03d", *rank);
  return label + text;
}

std::unique_ptr<measure::Workload> open_loop(Call call, Direction direction, const LoopPlan& plan,
                                             Mismatches& wrong) {
  switch (call) {
    case Call::collective: return make<Collective>(direction, plan, wrong);
    case Call::ordered: return make<Ordered>(direction, plan, wrong);
    case Call::independent: return make<Independent>(direction, plan, wrong);
    case Call::placed: return make<Placed>(direction, plan, wrong);
  }
  throw std::logic_error("no such call");
}

Call call_of(PatternType type, Pointer pointer) {
  if (type == PatternType::random) return Call::placed;
  if (!collective(type)) return Call::independent;
  return type == PatternType::shared && pointer == Pointer::shared ? Call::ordered : Call::collective;
}

std::string file_path(const Site& site, PatternType type, int rank) {
  const auto own = type == PatternType::separated ? std::optional(rank) : std::nullopt;
  const std::string name =
      std::string(WrittenFiles::file_prefix) + file_label(site.partition, site.team->size(), type, own);
  return (site.written->directory() / name).string();
}

TypeFile::TypeFile(const Site& site, PatternType type, Access access)
    : site_(site), type_(type), access_(access) {
  const measure::MonoSource clock;
  const auto self = mpi::Communicator::self();
  const auto& comm = type == PatternType::separated ? self : *site.team;
  const auto hints = site.settings->hints.at_open({site.team->size(), access, type});
  const std::string path = file_path(site, type, site.team->rank());
  measure::require_path(*site.team, site.written->directory());
  site.team->barrier();
  const auto start = clock.now();
  std::exception_ptr failure;
  try {
    file_ = mpi::File(comm, path, mode_of(access, *site.settings), hints);
  } catch (const mpi::Error&) {
    failure = std::current_exception();
  }
  site.team->barrier();
  open_s_ = clock.seconds(clock.now() - start);
  if (has_shared_pointer() && site.team->all(!failure)) make_pointer_file();
  if (failure) std::rethrow_exception(failure);
}

bool TypeFile::has_shared_pointer() const {
  return call_of(type_, site_.written->pointer()) == Call::ordered;
}

// ROMIO makes the file in which it keeps the shared pointer when that is first used. On a disk that others
// have filled by then MPICH ends all processes.
void TypeFile::make_pointer_file() {
  if (implementation() == "ROMIO") file_.seek_shared(0);
}

TypeFile::View::View(const TypeFile& file, const Pattern& pattern, std::int64_t begin,
                     std::int64_t segment_begin)
    : needed_(sets_view(pattern.number, file.site_.written->pointer())) {
  const Site& site = file.site_;
  hints_ = site.settings->hints.at_pattern({site.team->size(), file.access_, file.type_}, pattern);
  if (size_driven(file.type_)) displacement_ = segment_begin;
  if (!viewed_by_pattern(file.type_, site.written->pointer())) return;
  displacement_ = begin;
  scattered_ = scattered_type(*site.team, pattern.disk);
}

void TypeFile::View::set(TypeFile& file) const {
  const auto type = scattered_.get() == MPI_DATATYPE_NULL ? MPI_DOUBLE : scattered_.get();
  if (needed_)
    file.file_.set_view(displacement_, MPI_DOUBLE, type, hints_);
  else
    file.file_.set_hints(hints_);
}

double TypeFile::close() {
  const measure::MonoSource clock;
  const auto start = clock.now();
  std::exception_ptr failure;
  try {
    file_.close();
  } catch (const mpi::Error&) {
    failure = std::current_exception();
  }
  site_.team->barrier();
  const double seconds = clock.seconds(clock.now() - start);
  if (site_.settings->drop_cache && access_ != Access::read) drop_pages();
  if (failure) std::rethrow_exception(failure);
  return seconds;
}

/// Every process asks for its own file or the common one; asking again changes nothing.
void TypeFile::drop_pages() const {
  try {
    machine::drop_pages(file_path(site_, type_, site_.team->rank()));
  } catch (const std::filesystem::filesystem_error&) {
    // Only advice: how much of a file lies in memory is not part of the result.
  }
  site_.team->barrier();
}

void read_back(const Written& written, ReadBack how, Mismatches& wrong) {
  const auto parts = parts_to_read(written.pattern, written.calls, how);
  if (parts.empty()) return;
  mpi::File file(mpi::Communicator::self(), written.path, MPI_MODE_RDONLY);
  std::vector<std::uint64_t> words;
  for (const Part& part : parts) {
    words.assign(static_cast<std::size_t>(part.count), 0);
    const auto at =
        written.layout->offset(written.pattern.number, {written.origin.rank, part.call, part.chunk}) +
        part.first * element_byte;
    // Words that a short file lacks stay 0, which no written word is.
    static_cast<void>(file.read_at(at, words.data(), part.count * element_byte));
    compare({part.call, part.chunk, written.pattern.disk.count() / element_byte, part.first, words},
            written.origin, wrong);
  }
  file.close();
}

PatternRun::PatternRun(Plan plan, Checking check, PatternResult& result)
    : plan_(std::move(plan)),
      check_(std::move(check)),
      result_(result),
      wrong_(plan_.site.settings->told_errors),
      view_(*plan_.file, plan_.pattern, plan_.begin, plan_.segment_begin) {
  const auto words = static_cast<std::size_t>(plan_.pattern.memory.count() / element_byte);
  const auto memory = plan_.memory.first(words);
  if (direction_of(plan_.file->access()) == Direction::out)
    Body(plan_.origin).fill(memory);
  else
    std::ranges::fill(memory, 0);
  const auto call = call_of(plan_.pattern.type, plan_.site.written->pointer());
  loop_ = open_loop(call, direction_of(plan_.file->access()),
                    {plan_.file->get(), plan_.pattern, plan_.origin, memory, plan_.places}, wrong_);
}

void PatternRun::guarded(const std::function<void()>& act) noexcept {
  try {
    act();
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
}

int PatternRun::run(std::uint64_t, std::uint64_t) noexcept {
  guarded([&] { team().barrier(); });
  start_s_ = now_s();
  guarded([&] { view_.set(*plan_.file); });
  result_.times.io_s = now_s() - start_s_;
  if (plan_.length.calls)
    repeat_given(*plan_.length.calls);
  else
    repeat_timed();
  finish_writing();
  result_.times.total_s = now_s() - start_s_;
  // The view has brought the pattern's hints, and the file may be closed in a moment.
  if (plan_.tells_hints) guarded([&] { result_.hints_in_effect = plan_.file->hints(); });
  if (plan_.closes) close();
  return error_;
}

void PatternRun::call(std::uint64_t count) noexcept {
  const double start_s = now_s();
  measure::keep_first(error_, loop_->run(result_.calls, count));
  measure::keep_first(error_, loop_->complete());
  const double taken_s = now_s() - start_s;
  result_.calls += count;
  result_.times.io_s += taken_s;
  if (count > 0) result_.times.last_call_s = taken_s / static_cast<double>(count);
}

void PatternRun::repeat_given(std::uint64_t calls) noexcept {
  call(calls);
}

void PatternRun::repeat_timed() noexcept {
  auto& times = result_.times;
  for (std::uint64_t batch = 1; batch > 0;) {
    call(batch);
    const double start_s = now_s();
    if (plan_.length.control == Control::each) guarded([&] { team().barrier(); });
    const double met_s = now_s();
    if (team().is_root()) batch = decide();
    guarded([&] { batch = team().broadcast(batch); });
    const double told_s = now_s();
    times.barrier_s += met_s - start_s;
    times.broadcast_s += told_s - met_s;
    times.last_control_s = told_s - start_s;
    ++times.rounds;
    if (failure_) return;
  }
}

std::uint64_t PatternRun::decide() {
  const Length& length = plan_.length;
  if (error_ != 0 || failure_) return 0;
  const auto next = next_batch(length.control, length.scheduled_s,
                               {now_s() - start_s_, result_.calls, result_.times.last_call_s});
  result_.stopped = next > 0 && length.stop && length.stop();
  if (result_.stopped) return 0;
  if (next == 0 || !length.room) return next;
  const auto room = length.room(result_.calls);
  if (result_.calls + next <= room.calls) return next;
  result_.cut = room.because;
  return room.calls > result_.calls ? room.calls - result_.calls : 0;
}

void PatternRun::finish_writing() noexcept {
  const double start_s = now_s();
  guarded([&] { team().barrier(); });
  const double met_s = now_s();
  if (plan_.file->access() != Access::read) guarded([&] { plan_.file->sync(); });
  const double synced_s = now_s();
  guarded([&] { team().barrier(); });
  result_.times.sync_s = synced_s - met_s;
  result_.times.barrier_s += now_s() - start_s - result_.times.sync_s;
}

void PatternRun::close() noexcept {
  guarded([&] { result_.close_s = plan_.file->close(); });
}

std::optional<measure::CheckResult> PatternRun::verify(std::uint64_t) {
  if (failure_) std::rethrow_exception(failure_);
  if (!check_(result_, wrong_)) return std::nullopt;
  return wrong_.result();
}

record::PointRecord point_record(const PointFacts& facts, const PatternResult& result,
                                 record::PointRecord record) {
  const auto figures = figures_of(facts, result);
  put_figures(figures, record);
  if (result.stopped) {
    record.status = record::Status::partial;
    record.reason.emplace();
    record.reason->code = record::ReasonCode::interrupted;
    record.reason->text = "stopped before its time was over";
  }
  if (figures.moved_byte > 0 && figures.time_s > 0)
    record.metrics.emplace_back("bandwidth_byte_s", figures.byte_s());
  record.metrics.emplace_back("time_s", figures.time_s);
  record.primary = figures.moved_byte > 0 ? "bandwidth_byte_s" : "time_s";
  record.lower_is_better = figures.moved_byte == 0;
  return record;
}

}  // namespace steelyard::beffio
