// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "measure/clock.hpp"
#include "measure/engine.hpp"
#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "mpi/file.hpp"
#include "record/records.hpp"
#include "suites/beffio/patterns.hpp"
#include "suites/beffio/settings.hpp"
#include "suites/session.hpp"

/// The files of a partition, and the timed loops on one of them: calls of MPI-IO, stamps and a counter.
/// Runs of patterns, and contents of files looked at through another handle than the one that wrote them.
namespace steelyard::beffio {

/// Contents of the files of one partition. The same on all its processes.
struct Files {
  Repetitions calls{};
  std::array<bool, pattern_types.size()> complete{};   // by type: all its patterns are written
  std::array<int, pattern_types.size()> generation{};  // by type: of the content
  std::optional<Segment> segment;
  bool here = false;  // in this directory; otherwise a run that was interrupted has written them once
};

/// State shared by the access methods of a run: what was written to its files, and how.
/// Every process has one.
class WrittenFiles {
 public:
  explicit WrittenFiles(const Settings& settings)
      : pointer_(settings.pointer),
        writing_(settings.allowed_write_s, writing_s(settings.total_s, settings.rewriting)) {}

  /// Enters the directory, before files are made there. Collective over a team whose process 0 is that of the
  /// world. Throws measure::SharedFailure on all of them.
  void enter(const mpi::Communicator& team, const suites::FilePlace& place);
  /// Tries whether ordered access by the shared pointer works there with these processes. If not, takes
  /// individual pointers from now on and returns the sentence that says so; nullopt otherwise. Collective.
  [[nodiscard]] std::optional<std::string> try_shared_pointer(const mpi::Communicator& team);

  /// Takes over the files of a partition as the records of an earlier start tell (on rank 0 of the
  /// team). Collective.
  void remember(const mpi::Communicator& team, std::span<const record::PointRecord> earlier);

  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
  [[nodiscard]] Files& files(int processes) { return files_[processes]; }
  [[nodiscard]] Pointer pointer() const { return pointer_; }
  /// Bytes written initially so far. On rank 0.
  [[nodiscard]] std::int64_t written_byte() const { return written_byte_; }
  void add_written(std::int64_t bytes) { written_byte_ += bytes; }
  [[nodiscard]] WritingTime& writing() { return writing_; }

  /// Beginning of the names of all files of the benchmark.
  static constexpr std::string_view file_prefix = "b_eff_io_data_";

 private:
  Pointer pointer_;
  std::filesystem::path directory_;
  bool claimed_ = false;
  std::map<int, Files> files_;  // by processes of the partition
  std::int64_t written_byte_ = 0;
  WritingTime writing_;
};

/// Label of a file: "i00_004_2", or "i00_004_2.003" for the file of one process.
[[nodiscard]] std::string file_label(std::size_t partition, int processes, PatternType type,
                                     std::optional<int> rank = std::nullopt);

/// Ways in which a pattern type calls MPI-IO; placed: independent calls at explicit offsets.
enum class Call { collective, ordered, independent, placed };
enum class Direction { out, in };

/// Places of placed calls: call i goes to place order(i) behind `begin_byte` of the view.
struct Places {
  Shuffle order;
  std::int64_t begin_byte = 0;
};

/// Objects that a loop works on: an open file with its view, the memory of one call.
struct LoopPlan {
  MPI_File file = MPI_FILE_NULL;
  Pattern pattern;
  Origin origin;
  std::span<std::uint64_t> memory;  // of one call
  Places places = {};
};

/// Loop whose operation i is call i of the pattern, or what lies at its place: out stamps the chunks and
/// writes, in reads and compares the stamps. Collective over the file's processes, but for independent calls.
/// `wrong` outlives the workload.
[[nodiscard]] std::unique_ptr<measure::Workload> open_loop(Call call, Direction direction,
                                                           const LoopPlan& plan, Mismatches& wrong);

// The file, or the files, of one pattern type in one partition.

/// Site of a session's work: its settings, files, processes and partition.
struct Site {
  const Settings* settings = nullptr;
  WrittenFiles* written = nullptr;
  const mpi::Communicator* team = nullptr;
  std::size_t partition = 0;  // index in the list of partitions
};

/// Way in which a pattern type calls MPI-IO here.
[[nodiscard]] Call call_of(PatternType type, Pointer pointer);

/// Path of the file that process `rank` of the partition accesses.
[[nodiscard]] std::string file_path(const Site& site, PatternType type, int rank);

/// Open file. Opening, closing, views and syncs are collective over the team also where every process has a
/// file of its own. Throws mpi::Error on the rank where it happens.
class TypeFile {
 public:
  TypeFile(const Site& site, PatternType type, Access access);

  [[nodiscard]] PatternType type() const { return type_; }
  [[nodiscard]] Access access() const { return access_; }
  [[nodiscard]] MPI_File get() const { return file_.get(); }
  /// Seconds of barrier, open, barrier.
  [[nodiscard]] double open_s() const { return open_s_; }

  /// The view that a pattern needs, and its hints: made before, set inside the timed region.
  class View {
   public:
    /// `begin`: of the pattern in the file.
    View(const TypeFile& file, const Pattern& pattern, std::int64_t begin, std::int64_t segment_begin);
    void set(TypeFile& file) const;
    [[nodiscard]] const std::vector<Hint>& hints() const { return hints_; }

   private:
    bool needed_;
    MPI_Offset displacement_ = 0;
    mpi::DatatypeHandle scattered_;
    std::vector<Hint> hints_;
  };

  void sync() { file_.sync(); }
  /// Closes the file, barrier; returns the seconds of both. Drops the pages of the file afterwards where
  /// that was asked for.
  double close();
  /// Hints in force.
  [[nodiscard]] mpi::Hints hints() const { return file_.hints(); }
  /// Implementation of MPI-IO: OMPIO, ROMIO.
  [[nodiscard]] std::string implementation() const { return mpi::io_implementation(file_); }

 private:
  [[nodiscard]] bool has_shared_pointer() const;
  /// Collective. Untimed: the pointer is where it was.
  void make_pointer_file();
  void drop_pages() const;

  Site site_;
  PatternType type_;
  Access access_;
  mpi::File file_;
  double open_s_ = 0;
};

/// Data of a pattern that one process reads back, written by another.
struct Written {
  Pattern pattern;
  Origin origin;
  std::uint64_t calls = 0;
  const Layout* layout = nullptr;
  std::string path;
};
/// Opens the file for this process alone, reads parts at the places that the layout gives, compares every
/// word. Only after a sync of all writers. Never timed. Throws mpi::Error.
void read_back(const Written& written, ReadBack how, Mismatches& wrong);

/// Limit that ended a pattern before its rule did.
enum class Cut { none, space, volume };
[[nodiscard]] constexpr std::string_view text(Cut cut) {
  constexpr std::array<std::string_view, 3> words = {"", "space", "volume"};
  return words[static_cast<std::size_t>(cut)];
}

/// Seconds of one pattern on this process's clock; those of process 0 are the result.
struct PatternTimes {
  double total_s = 0, io_s = 0, barrier_s = 0, broadcast_s = 0, sync_s = 0;
  double last_call_s = 0;     // a call of the last batch, on average
  double last_control_s = 0;  // of the last decision
  std::uint64_t rounds = 0;   // decisions
};

struct PatternResult {
  std::uint64_t calls = 0;
  PatternTimes times;
  Cut cut = Cut::none;
  bool stopped = false;  // on process 0: before its time was over
  std::optional<double> close_s;
  mpi::Hints hints_in_effect;  // where the plan asks for them
};

/// Length of a loop.
struct Length {
  std::optional<std::uint64_t> calls;  // nullopt: the time decides
  double scheduled_s = 0;
  Control control = Control::batched;
  /// Number of calls that there is room for in all, and what ends them then. On process 0, asked
  /// at every decision.
  struct Room {
    std::uint64_t calls = UINT64_MAX;
    Cut because = Cut::none;
  };
  std::function<Room(std::uint64_t done)> room = {};
  std::function<bool()> stop = {};  // on process 0: whether to end before the rule does
};

/// Run of one pattern: barrier, view, loop, barrier, sync, barrier, and after the last pattern of a
/// type the closing. One operation of the engine; the definition's own times are read inside it.
/// Collective over the team.
class PatternRun final : public measure::Workload {
 public:
  struct Plan {
    Site site;
    TypeFile* file = nullptr;
    Pattern pattern;
    Origin origin;  // of what this process writes or must find
    std::span<std::uint64_t> memory;
    Length length;
    std::int64_t begin = 0, segment_begin = 0;  // of the pattern; of this process
    Places places = {};
    bool closes = false;
    bool tells_hints = false;  // those in effect while the pattern runs
  };
  /// Looks at what was moved; returns whether anything was compared.
  using Checking = std::function<bool(const PatternResult&, Mismatches&)>;
  /// `result` and what `check` needs outlive it. Throws mpi::Error.
  PatternRun(Plan plan, Checking check, PatternResult& result);

  int run(std::uint64_t first, std::uint64_t count) noexcept override;
  /// Result of the stamps compared in the loop and of the checking. Throws what a call
  /// outside the loop threw.
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override;
  [[nodiscard]] bool failed() const { return failure_ != nullptr || error_ != 0; }
  [[nodiscard]] const std::vector<Hint>& hints() const { return view_.hints(); }

 private:
  void repeat_given(std::uint64_t calls) noexcept;
  void repeat_timed() noexcept;
  void call(std::uint64_t count) noexcept;
  [[nodiscard]] std::uint64_t decide();
  void finish_writing() noexcept;
  void close() noexcept;
  void guarded(const std::function<void()>& act) noexcept;
  [[nodiscard]] double now_s() const { return clock_.seconds(clock_.now()); }
  [[nodiscard]] const mpi::Communicator& team() const { return *plan_.site.team; }

  Plan plan_;
  Checking check_;
  PatternResult& result_;
  Mismatches wrong_;
  TypeFile::View view_;
  std::unique_ptr<measure::Workload> loop_;
  measure::MonoSource clock_;
  double start_s_ = 0;
  int error_ = 0;
  std::exception_ptr failure_;
};

/// Facts that a session knows about a point beside its result.
struct PointFacts {
  Pattern pattern;
  int processes = 1;
  double scheduled_s = 0;
  std::string pointer;            // of type 1: shared, individual
  std::string file;               // without the common beginning
  std::string open_hints, hints;  // words; empty: none were given
  std::optional<double> open_s;   // of the type's first pattern
  std::optional<std::int64_t> segment_byte, cache_byte;
  std::string mpi_io;     // OMPIO, ROMIO
  bool overlong = false;  // repeating took more than four times as long as scheduled
};

/// Record of one pattern of one access method. classic: docs/suites/b-eff-io.md, "Records". On rank 0 only.
[[nodiscard]] record::PointRecord point_record(const PointFacts& facts, const PatternResult& result,
                                               record::PointRecord base);

}  // namespace steelyard::beffio
