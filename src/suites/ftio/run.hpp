// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "machine/node_counters.hpp"
#include "measure/clock.hpp"
#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "suites/ftio/closed_form.hpp"
#include "suites/ftio/column_file.hpp"
#include "suites/ftio/row_transform.hpp"
#include "suites/ftio/settings.hpp"

namespace steelyard::ftio {

/// Whether the processes come together in every step of a phase, or each goes its own way to the end.
enum class Course { together, apart };

/// When processes look for news: for the first time after so many steps, so that a phase of a small matrix ends
/// undisturbed, then every so many seconds or at about that distance.
struct Looks {
  std::int64_t first_steps = 64;
  double apart_s = 0.5;
};

/// News in the midst of a phase that process 0 wants the run to end. A phase may take hours, and the processes must
/// leave one in which they exchange messages at the same step.
class StopNews {
 public:
  /// `wanted` is asked on process 0; it may be empty.
  StopNews(const mpi::Communicator& team, std::function<bool()> wanted, Looks looks)
      : team_(&team), wanted_(std::move(wanted)), looks_(looks) {}

  /// Begins a phase. Collective.
  void begin(Course course);
  /// Before each step of a phase: whether to leave it. Together all processes look before the same steps, and what
  /// process 0 decides counts from the next time on, so that nobody waits for it. Apart each process looks whether there
  /// is news, and waits for nobody.
  [[nodiscard]] bool leave();
  /// Ends a phase: takes the news that are still under way. Collective.
  void settle();
  /// Whether this process knows of a stop; the same on all processes after settle().
  [[nodiscard]] bool known() const { return known_; }

 private:
  struct News {
    std::int64_t stop = 0;
    std::int64_t steps = 0;  // from the look that takes them to the next one
  };
  [[nodiscard]] bool wanted() const { return team_->is_root() && wanted_ && wanted_(); }
  [[nodiscard]] std::int64_t next_distance();
  [[nodiscard]] double now_s() const { return clock_.seconds(clock_.now()); }
  void look_together();
  void look_apart();
  void send(const News& news);
  void take();

  const mpi::Communicator* team_;
  std::function<bool()> wanted_;
  Looks looks_;
  measure::MonoSource clock_;
  Course course_ = Course::apart;
  MPI_Request request_ = MPI_REQUEST_NULL;
  News news_;
  std::int64_t step_ = 0, next_step_ = 0, distance_ = 0;
  double looked_s_ = 0;
  bool sent_ = false, known_ = false;
};

// The transposition of the matrix on disk. Source: FTIO paper, 3.6.

/// Objects that both steps work with. `effort` collects what goes wrong: nothing is thrown. A message of more
/// than `longest` numbers is one element of a derived type.
struct SquareWork {
  const Shape& shape;
  ColumnFile& file;
  Meter& meter;
  Effort& effort;
  std::function<bool()> leave = [] { return false; };  // asked before each step: whether to go no further
  std::int64_t longest = std::numeric_limits<int>::max();
};

/// Transposes each Square of this process with two Mini-Squares in memory, `one` and `other`. Local.
void transpose_squares(const SquareWork& work, Complex* one, Complex* other);

/// Exchanges each Square s of process p with Square p of process s, Diagonal by Diagonal, so many rows at a
/// time in `memory`. Collective.
void exchange_squares(const SquareWork& work, const mpi::Communicator& team, std::int64_t rows,
                      Complex* memory);

/// Transposes a square of that width in memory.
void transpose_in_place(Complex* square, std::int64_t width);

// The result against the closed form. Source: FTIO paper, 3.7; the bound is ours.

/// Deviation of the elements of one process, or of all.
struct Difference {
  double total = 0, largest = 0;     // of the elements that are numbers
  std::int64_t column = 0, row = 0;  // of the largest
  std::int64_t wrong = 0;            // elements beyond the bound, or no numbers at all
  std::int64_t not_numbers = 0;
  std::string first;  // words for the first wrong one; of one process
};

/// Comparison of rows, one after the other, with what they must be.
class Comparison {
 public:
  /// Columns first .. first + columns - 1 of a matrix of that order.
  Comparison(std::int64_t order, std::int64_t first);
  void row(std::int64_t row, std::span<const Complex> found, std::span<const Complex> expected);
  [[nodiscard]] const Difference& difference() const { return difference_; }

 private:
  void wrong(std::int64_t column, std::int64_t row, Complex found, Complex expected);

  double bound_;
  std::int64_t first_;
  Difference difference_;
};

/// Merges the differences of all processes; the same on all of them but for the words. Collective.
[[nodiscard]] Difference merged(const Difference& own, const mpi::Communicator& team);

/// Place in a page where memory begins: two arrays that are read and written side by side are slower where
/// their elements lie at equal places of pages.
enum class PagePlace { begin, middle };

/// Memory of whole row sections, from the beginning of a page on as direct access to files wants it, or from
/// its middle. Zero at first.
class WorkRows {
 public:
  WorkRows(const Shape& shape, std::int64_t rows, PagePlace place = PagePlace::begin)
      : size_(static_cast<std::size_t>(rows * shape.band())),
        lead_(place == PagePlace::begin ? 0 : page / 2 / sizeof(Complex)),
        data_(static_cast<Complex*>(::operator new((lead_ + size_) * sizeof(Complex), alignment))) {
    std::uninitialized_fill_n(data_.get(), lead_ + size_, Complex{});
  }
  [[nodiscard]] Complex* data() const { return data_.get() + lead_; }
  [[nodiscard]] std::span<Complex> span() const { return {data(), size_}; }

 private:
  static constexpr std::size_t page = 4096;
  static constexpr std::align_val_t alignment{page};
  struct Release {
    void operator()(Complex* data) const { ::operator delete(data, alignment); }
  };
  std::size_t size_, lead_;
  std::unique_ptr<Complex, Release> data_;
};

/// One phase over all processes.
struct PhaseResult {
  double time_s = 0;                                                 // of the slowest process
  double io_s = 0, io_min_s = 0, io_max_s = 0, communication_s = 0;  // mean, least, most; mean
  Traffic traffic;                                                   // sum
};

/// Cycles of the processors per nominal operation, and where they come from.
struct CyclesPerFlop {
  double value = 0;
  std::string source;  // "perf_event", "told frequency", "nominal frequency"
};
/// Sources of cycles: counted by this process in the timed phases, or from a frequency that the user has
/// told. Without either the nominal frequency, if the kernel tells it.
struct CycleSources {
  std::optional<double> counted, told_hz;
};

/// Result of one run.
struct RunResult {
  std::array<PhaseResult, phase_count> phases{};
  Difference difference;
  std::optional<CyclesPerFlop> cycles;
  std::string implementation;    // of MPI-IO; empty = none
  std::size_t ended_phases = 0;  // the others were not begun or not brought to their end: a stop
  [[nodiscard]] bool stopped() const { return ended_phases < phase_count; }
  [[nodiscard]] double total_s() const;  // of the timed phases
  [[nodiscard]] double io_s() const;
  [[nodiscard]] double communication_s() const;
};

/// Merges what the processes measured; the same on all of them. Collective.
[[nodiscard]] std::array<PhaseResult, phase_count> merged(const std::array<PhaseSums, phase_count>& own,
                                                          const mpi::Communicator& team);

/// Cycles per operation; they count only if all processes have counted theirs. Returns nullopt if no source
/// tells. Collective.
[[nodiscard]] std::optional<CyclesPerFlop> cycles_per_flop(const CycleSources& own, double total_s,
                                                           const Shape& shape, const mpi::Communicator& team);

struct RunPlan {
  const mpi::Communicator* team = nullptr;
  Shape shape;
  Batches batches;
  FileSite files;
  Ending ending = Ending::removed;
  std::optional<double> clock_hz = {};     // as the user tells it
  std::function<bool()> stop = {};         // on process 0: whether to end before all is done
  Looks looks = {};                        // for that in the midst of a phase
  std::function<void(Phase)> begins = {};  // on process 0, before each phase
};

/// One run: five phases that are timed, and the verification. Source: FTIO paper, 3; phase by phase:
/// docs/suites/ftio.md, "Phases".
class FtioRun final : public measure::Workload {
 public:
  /// Makes the files and plans the transforms, untimed. Collective. Throws what those throw; `result` must
  /// live as long as the run, and is complete on all processes after the verification.
  FtioRun(const RunPlan& plan, RunResult& result);

  /// Performs all timed phases, whatever is asked for; what fails is thrown by verify().
  int run(std::uint64_t first, std::uint64_t count) noexcept override;
  /// Performs the last phase. Returns nullopt for a run that was stopped, whose result is the phases that ended.
  [[nodiscard]] std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override;

 private:
  enum class Decision { goes_on, stopped, failed };
  void perform(Phase phase) noexcept;
  void work(Phase phase);
  [[nodiscard]] Decision agree();
  [[nodiscard]] bool syncs(Phase phase) const;
  void initialise();
  void transform();
  void compare();
  void conclude();
  /// Rows from `row` on, as many as a call holds.
  [[nodiscard]] Pieces rows(std::int64_t row) const;
  template <class Act>
  void each_batch(Act act);

  RunPlan plan_;
  RunResult& result_;
  std::int64_t rows_;  // of a call
  WorkRows here_, there_;
  ClosedForm form_;
  Comparison comparison_;
  RowTransform transform_;
  StopNews news_;
  std::unique_ptr<ColumnFile> file_;
  Meter meter_;
  Effort effort_;
  std::array<PhaseSums, phase_count> sums_{};
  std::optional<double> cycles_;
  Decision course_ = Decision::goes_on;
};

}  // namespace steelyard::ftio
