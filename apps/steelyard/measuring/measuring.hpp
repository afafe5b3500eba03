// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "campaign/plan.hpp"
#include "campaign/runner.hpp"
#include "formats/named_files.hpp"
#include "launch/launch.hpp"
#include "measuring/measured_suite.hpp"
#include "mpi/communicator.hpp"
#include "mpi/environment.hpp"
#include "suites/session.hpp"

/// Common course of measuring subcommands, from MPI_Init to the exit code.
namespace steelyard::cli {

/// Wishes of a command about the files that it measures.
struct FileWishes {
  std::filesystem::path parent;  // of the scratch directory
  mpi::Hints hints;
  std::string named_by;  // option that names it; empty = our own default, which is made if it is missing
};

enum class LastLine { none, results };

/// Destinations of records and texts, on rank 0.
struct Destinations {
  std::unique_ptr<record::Writer> file;  // a directory's result file, or a stream
  std::vector<std::unique_ptr<formats::Writer>> texts;
  std::unique_ptr<campaign::Progress> progress;
  LastLine last_line = LastLine::none;  // "results  DIR/result.jsonl  (...)" on standard output
};

/// Whether the result file was removed or moved, which is told where it is written.
[[nodiscard]] bool is_gone(const record::Writer& file);

/// Decisions of a measuring subcommand, called in this order.
class Job {
 public:
  virtual ~Job() = default;
  [[nodiscard]] virtual const Invocation& invocation() const = 0;
  /// Thread level asked of MPI. Only the main thread calls MPI, and a library asked for more takes locks: half as much
  /// time again for a short message with Open MPI 4.1.
  [[nodiscard]] virtual mpi::ThreadLevel threads() const { return mpi::ThreadLevel::single; }
  /// Collective, before anything is planned: a resume hears its configuration.
  virtual void arrive(const mpi::Communicator&) {}
  /// Place of the files, if the plan has such points: --io-dir and --io-hint unless the command says otherwise.
  [[nodiscard]] virtual FileWishes files() const;
  /// Rates by which sizes are chosen; assumed ones unless the command measures them. Collective.
  [[nodiscard]] virtual survey::Surveyed survey(const mpi::Communicator&, const Place&) { return {}; }
  /// Plan and its suites, the same on all ranks.
  [[nodiscard]] virtual Prepared prepare(const Place& place) = 0;
  /// Adds to the run record what the command knows besides words and plan.
  virtual void describe(record::RunRecord&) const {}
  [[nodiscard]] virtual campaign::RunOptions options(const Prepared& prepared) = 0;
  /// State of the run that is resumed, on rank 0; nullopt if none is. Collective. Throws Ended.
  [[nodiscard]] virtual std::optional<campaign::ResumeState> resume(const mpi::Communicator&,
                                                                    const record::RunRecord&) {
    return std::nullopt;
  }
  /// Opened destinations, on rank 0. Adds to `options` what depends on where the records go (stop file, words of a
  /// resume). Throws record::WriteError.
  [[nodiscard]] virtual Destinations destinations(const std::optional<campaign::ResumeState>& resume,
                                                  campaign::RunOptions& options) = 0;
  /// Called on rank 0 after the last record. What it throws ends all ranks alike.
  virtual void finished(const campaign::RunResult&, const Destinations&) {}
};

/// Removes a file STOP that an earlier run left in the directory --out, if there is one. Called by who starts a run, before
/// anything else of it: what comes later is meant for it.
void forget_stop_file(const Values& values);

/// Starts MPI, plans, measures, ends MPI. Returns the exit code, the same on all ranks.
[[nodiscard]] int measure(Job& job);

/// Ends with the other processes of the job for the exception being handled, which this one, perhaps alone, has met before
/// it started MPI. They wait for it in MPI_Init, for ever under some launchers: it starts MPI, and the lowest rank that has
/// met one explains, where all of those that measure() come together first. Returns the exit code, the same on all ranks.
[[nodiscard]] int fail_with_others(const std::string& help_of);

/// The run record as far as the words tell: command, configuration, name, labels, plan.
[[nodiscard]] record::RunRecord head_of(const Invocation& invocation, const Prepared& prepared);

/// Seconds since 1970 of --deadline, or a minute before the job's end if the batch system tells it; else nullopt.
/// What the parent says counts: a duration is the same moment for all that it starts.
[[nodiscard]] std::optional<double> deadline_of(const Values& values,
                                                const std::optional<FromParent>& parent);

/// What stopped a run, behind what it has measured: ", by the file STOP"; empty where the cause says nothing more.
/// `has_deadline`: the user gave one.
[[nodiscard]] std::string stopped_by(std::string_view cause, bool has_deadline);

/// Does something on every rank and makes all ranks end alike if it throws anywhere: the lowest rank on which
/// it failed explains, then all throw Ended with the highest code. Collective.
void agreed(const mpi::Communicator& world, const std::string& help_of, const std::function<void()>& act);

/// The same for something that only rank 0 does.
void agreed_on_root(const mpi::Communicator& world, const std::string& help_of,
                    const std::function<void()>& act);

/// Ends all processes from another thread than the first one, which hangs in a call that does not come back. Ends this
/// process after some seconds anyway: `before` may hang if a file system is lost, and MPI_Abort if a host is.
void end_hanging(const std::function<void()>& before = {});

/// Explains the exception being handled, with the rank if it is not the first one. Returns its exit code.
[[nodiscard]] int explain_here(const mpi::Communicator& world, const std::string& help_of = {});

/// A classic front-end as a job: the original's own schedule and nothing but it, its text, records only with --out.
class FrontEndJob : public Job {
 public:
  [[nodiscard]] const Invocation& invocation() const final { return invocation_; }
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>& resume,
                                          campaign::RunOptions& options) final;

 protected:
  explicit FrontEndJob(const Invocation& invocation) : invocation_(invocation) {}
  /// Throws Refused or record::WriteError for files that are in the way. On rank 0, before anything is measured.
  virtual void refuse_existing_files() const {}
  /// Adds the texts that are written while it is measured. On rank 0.
  virtual void add_texts(Destinations& to) = 0;
  /// Treatment of files that are there already, by --overwrite.
  [[nodiscard]] formats::Existing existing() const {
    return invocation_.values.on("overwrite") ? formats::Existing::overwrite : formats::Existing::refuse;
  }
  /// Tells on standard error what ended the run before all was measured; nothing if all was. On rank 0.
  void tell_stop(const campaign::RunResult& result) const;

  const Invocation& invocation_;

 private:
  std::size_t planned_ = 0;  // points that can be measured
};

/// Keeper of the records of a run; warns at once if processes share processors, which changes the figures.
class RunKeeper final : public formats::Writer {
 public:
  void run(const record::RunRecord& run) override { head_ = run; }
  void point(const record::PointRecord& point) override { points_.push_back(point); }
  void event(const record::EventRecord& event) override;
  void end(const record::EndRecord& end) override { end_ = end; }

  [[nodiscard]] const record::RunRecord& head() const { return head_; }
  [[nodiscard]] const std::vector<record::PointRecord>& points() const { return points_; }
  [[nodiscard]] const record::EndRecord* end() const { return end_ ? &*end_ : nullptr; }

 private:
  record::RunRecord head_;
  std::vector<record::PointRecord> points_;
  std::optional<record::EndRecord> end_;
};

/// A front-end whose files are written when all has been measured.
class FilesJob : public FrontEndJob {
 public:
  /// Options with a look at the environment, which accompanies every result.
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;

 protected:
  using FrontEndJob::FrontEndJob;
  void add_texts(Destinations& to) override;
  /// Records of the run, once texts were added.
  [[nodiscard]] const RunKeeper& kept() const { return *kept_; }

 private:
  const RunKeeper* kept_ = nullptr;  // one of the destinations' texts
};

/// Runs the command of a front-end, whose words are checked before anything is started. Returns the exit code.
template <class FrontEnd>
[[nodiscard]] int run_front_end(const Invocation& invocation) {
  FrontEnd job(invocation);
  if (to_be_launched(invocation)) {
    forget_stop_file(invocation.values);
    return launch(invocation, {}, invocation.values.word_or("out", "")).code;
  }
  return measure(job);
}

}  // namespace steelyard::cli
