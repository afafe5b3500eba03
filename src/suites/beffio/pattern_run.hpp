// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "measure/clock.hpp"
#include "measure/engine.hpp"
#include "record/records.hpp"
#include "suites/beffio/layout.hpp"
#include "suites/beffio/patterns.hpp"
#include "suites/beffio/type_file.hpp"

/// Runs of patterns, and contents of files looked at through another handle than the one that wrote them.
namespace steelyard::beffio {

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
