// SPDX-License-Identifier: Apache-2.0
// The linear solver: one combination of its options.
#include "suites/hpcc/experiment.hpp"

#include <mpi.h>

#include <cmath>
#include <stdexcept>

#include "suites/hpcc/blas/in_use.hpp"
#include "suites/hpcc/hpl/solver.hpp"
#include "suites/hpcc/hpl/solver_progress.hpp"

namespace steelyard::hpcc {
namespace {

using measure::CheckResult;
using measure::Outcome;
using record::PointRecord;

/// Experiment whose every pass has a matrix of its own, as a factored one is no longer there.
class SolverExperiment final : public Experiment {
 public:
  using Experiment::Experiment;
  [[nodiscard]] int placements() const override { return passes(); }

  std::unique_ptr<measure::Workload> open() override {
    keep_findings();
    solver_.reset();
    choose_blas();
    grid_ = first_ranks(*frame_.world, spec_.processes);
    if (grid_.valid()) make_solver();
    if (solver_ && spec_.solver.grid.rows > 1) way_ = solver_->way();
    return make_workload(frame_, Mode::global,
                         {[this] { return solver_ ? solver_->run() : MPI_SUCCESS; },
                          [this]() -> std::optional<CheckResult> {
                            note_memory();
                            note_phases();
                            keep_findings();
                            solver_.reset();
                            return found_;
                          }});
  }

  [[nodiscard]] std::optional<suites::BlockProgress> progress() const override {
    return advance_.stage(spec_.solver);
  }

  void describe(const Outcome& outcome, PointRecord& record) const override {
    describe_options(record);
    put_memory_use(record, spec_, *frame_.settings, buffers_);
    record.classic.emplace_back("Sy_HPL_BLAS", blas_name_);
    if (way_) record.classic.emplace_back("Sy_HPL_way", std::string(text(*way_)));
    if (stopped_) return describe_stop(record);
    if (phases_ && frame_.settings->solver_detail) phases_->put_detail(spec_.parts, record);
    if (phases_ && frame_.settings->solver_timeline) phases_->put_timeline(record);
    describe_check(outcome, record);
    const auto found = rates(outcome, Mode::global, counted_work(spec_), frame_.strict());
    if (!found) return;
    put_rate(record, outcome, "flop_rate_flop_s", *found);
    record.classic.emplace_back("HPL_time", found->seconds);
    put_figure(record, "HPL_Tflops", found->value);
  }

 private:
  /// Chooses the library that computes: the settings' if it has all that the solver
  /// needs, else the linked one.
  void choose_blas() {
    const auto chosen = blas_of(*frame_.settings);
    routines_ = blas::Routines::of(chosen);
    const bool complete = frame_.world->all(routines_.available());
    const auto used = complete ? chosen : BlasLibrary::linked();
    if (!complete) routines_ = blas::Routines::linked();
    if (!complete && blas_name_.empty())
      measure::all_or_none(*frame_.world, [&] {
        const auto lack = lack_of_room(used.identity().name, frame_.settings->threads);
        if (!lack.empty()) throw std::runtime_error(lack);
      });
    used.set_threads(frame_.settings->threads);
    blas_name_ = machine::described(used.identity());
  }

  void make_solver() {
    solver_ = std::make_unique<hpl::Solver>(grid_, spec_.solver, routines_);
    solver_->watch_with([this](std::int64_t columns) { return look(columns); });
    if (!tells_phases()) return;
    timeline_.emplace();
    if (frame_.settings->solver_timeline) {
      const auto iteration = told_iteration(spec_.solver);
      timeline_->keep(iteration, iteration);
    }
    solver_->record_in(&*timeline_);
  }

  [[nodiscard]] bool tells_phases() const {
    return frame_.settings->solver_detail || frame_.settings->solver_timeline;
  }

  /// Called on rank 0 before each panel; returns whether to stop.
  bool look(std::int64_t columns) {
    advance_.look(columns);
    return frame_.stop && frame_.stop();
  }

  void note_phases() {
    if (tells_phases()) phases_.emplace(*frame_.world, timeline_ ? &*timeline_ : nullptr);
  }

  void note_memory() {
    std::vector<NamedBuffer> buffers;
    if (solver_) buffers.push_back(solver_->memory());
    buffers_ = buffer_use(*frame_.world, buffers);
  }

  /// Keeps the findings of the pass that ends: every one is verified, unless the threshold says that none is.
  void keep_findings() {
    const double threshold = frame_.settings->threshold;
    if (!solver_) return;
    advance_.end();
    stopped_ = stopped_ || solver_->stopped();
    if (solver_->stopped() || !(threshold > 0)) return;
    const auto one = solver_->verify(threshold);
    norms_ = solver_->norms();
    if (!found_) found_.emplace();
    found_->errors += one.errors;
    if (!(one.worst <= found_->worst)) found_->worst = one.worst;
    if (found_->first.empty()) found_->first = one.first;
  }

  void describe_options(PointRecord& record) const {
    const auto& variant = spec_.solver;
    auto& keys = record.classic;
    keys.emplace_back("tv", hpl::tv_code(variant));
    keys.emplace_back("HPL_N", variant.n);
    keys.emplace_back("HPL_NB", variant.nb);
    keys.emplace_back("HPL_nprow", std::int64_t{variant.grid.rows});
    keys.emplace_back("HPL_npcol", std::int64_t{variant.grid.columns});
    keys.emplace_back("HPL_depth", std::int64_t{variant.depth});
    keys.emplace_back("HPL_nbdiv", std::int64_t{variant.parts});
    keys.emplace_back("HPL_nbmin", std::int64_t{variant.stop});
    keys.emplace_back("HPL_cpfact", std::string(1, hpl::letter(variant.panel)));
    keys.emplace_back("HPL_crfact", std::string(1, hpl::letter(variant.recursive)));
    keys.emplace_back("HPL_ctop", std::string(1, hpl::topology(variant)));
    keys.emplace_back("HPL_order", std::string(1, hpl::letter(variant.mapping)));
    keys.emplace_back("HPL_eps", half_epsilon);
  }

  /// Adds norms and residual. Norms are known if there was a check; NaN and infinity
  /// have no place in a record.
  void describe_check(const Outcome& outcome, PointRecord& record) const {
    const auto put = [&](const char* name, double norm) {
      record.classic.emplace_back(name, norms_ && std::isfinite(norm) ? norm : -1);
    };
    const auto norms = norms_.value_or(hpl::Norms{});
    put("HPL_RnormI", norms.r_inf);
    put("HPL_Anorm1", norms.a_1);
    put("HPL_AnormI", norms.a_inf);
    put("HPL_Xnorm1", norms.x_1);
    put("HPL_XnormI", norms.x_inf);
    put("HPL_BnormI", norms.b_inf);
    if (outcome.check && std::isfinite(outcome.check->worst.value_or(NAN)))
      record.classic.emplace_back("residual", *outcome.check->worst);
  }

  /// Marks the record as partial: the time until a stop is not that of the problem.
  static void describe_stop(PointRecord& record) {
    record.status = record::Status::partial;
    if (!record.reason) record.reason.emplace();
    record.reason->code = record::ReasonCode::interrupted;
    record.reason->text = "stopped before the last panel";
  }

  blas::Routines routines_;
  std::string blas_name_;
  std::optional<Way> way_;  // of rows between process rows
  mpi::Communicator grid_;
  std::optional<hpl::Timeline> timeline_;
  std::optional<Phases> phases_;
  Advance advance_;
  std::unique_ptr<hpl::Solver> solver_;
  std::optional<CheckResult> found_;
  std::optional<hpl::Norms> norms_;
  bool stopped_ = false;
  std::vector<BufferUse> buffers_;
};

}  // namespace

std::unique_ptr<Experiment> make_solver(const Frame& frame, const PointSpec& spec) {
  return std::make_unique<SolverExperiment>(frame, spec);
}

}  // namespace steelyard::hpcc
