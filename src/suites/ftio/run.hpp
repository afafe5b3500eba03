// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "machine/cycle_counter.hpp"
#include "measure/workload.hpp"
#include "suites/ftio/column_file.hpp"
#include "suites/ftio/effort.hpp"
#include "suites/ftio/row_transform.hpp"
#include "suites/ftio/run_results.hpp"
#include "suites/ftio/work_rows.hpp"

namespace steelyard::ftio {

/// What a run is made for.
struct RunPlan {
  const mpi::Communicator* team = nullptr;
  Shape shape;
  Batches batches;
  FileSite files;
  Ending ending = Ending::removed;
  std::optional<double> clock_hz = {};     // as the user tells it
  std::function<bool()> stop = {};         // on process 0: whether to end before the next phase
  std::function<void(Phase)> begins = {};  // on process 0, before each phase
};

/// One run: five phases that are timed, and the verification. Source: 003_8b37d3299e4ec872.txt section 3;
/// phase by phase: docs/suites/ftio.md, "Phases".
class FtioRun final : public measure::Workload {
 public:
  /// Collective: makes the files and plans the transforms, untimed. Throws what those throw; `result` must
  /// live as long as the run, and is complete on all processes after the verification.
  FtioRun(const RunPlan& plan, RunResult& result);

  /// All timed phases, whatever is asked for; what fails is thrown by verify().
  int run(std::uint64_t first, std::uint64_t count) noexcept override;
  /// The last phase. Nothing for a run that was stopped.
  [[nodiscard]] std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override;

 private:
  enum class Course { goes_on, stopped, failed };
  void perform(Phase phase) noexcept;
  void work(Phase phase);
  [[nodiscard]] Course agree();
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
  std::unique_ptr<ColumnFile> file_;
  Meter meter_;
  Effort effort_;
  std::array<PhaseSums, phase_count> sums_{};
  std::optional<double> cycles_;
  Course course_ = Course::goes_on;
};

}  // namespace steelyard::ftio
