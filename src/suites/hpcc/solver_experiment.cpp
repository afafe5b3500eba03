// SPDX-License-Identifier: Apache-2.0
// The linear solver: one combination of its options.
#include <mpi.h>

#include <cmath>

#include "suites/hpcc/blas.hpp"
#include "suites/hpcc/experiment_parts.hpp"
#include "suites/hpcc/hpl/solver.hpp"
#include "suites/hpcc/memory_use.hpp"

namespace steelyard::hpcc {
namespace {

using measure::CheckResult;
using measure::Outcome;
using record::PointRecord;

/// Every pass has a matrix of its own, as a factored one is no longer there.
class SolverExperiment final : public Experiment {
 public:
  using Experiment::Experiment;
  [[nodiscard]] int placements() const override { return passes(); }

  std::unique_ptr<measure::Workload> open() override {
    keep_findings();
    solver_.reset();
    const bool used = stage_.world->rank() < spec_.processes;
    grid_ = stage_.world->split(used ? 0 : -1, stage_.world->rank());
    blas::set_threads(stage_.settings->threads);
    if (used) solver_ = std::make_unique<hpl::Solver>(grid_, spec_.solver);
    if (used) solver_->watch_with([this](double share) { return look(share); });
    return make_workload(stage_, Mode::global,
                         {[this] { return solver_ ? solver_->run() : MPI_SUCCESS; },
                          [this]() -> std::optional<CheckResult> {
                            note_memory();
                            keep_findings();
                            solver_.reset();
                            return found_;
                          }});
  }

  [[nodiscard]] std::optional<double> progress() const override { return share_; }

  void describe(const Outcome& outcome, PointRecord& record) const override {
    describe_options(record);
    put_memory_use(record, spec_, *stage_.settings, buffers_);
    if (stopped_) return describe_stop(record);
    describe_check(outcome, record);
    const double operations = hpl::operations(spec_.length);
    const auto found = rates(outcome, Mode::global, operations);
    if (!found) return;
    put_rate(record, outcome, "flop_rate_flop_s", *found);
    record.classic.emplace_back("HPL_time", found->seconds);
    record.classic.emplace_back("HPL_Tflops", found->value / (1e3 * giga));
  }

 private:
  /// On rank 0, before each panel.
  bool look(double share) {
    share_ = share;
    return stage_.stop && stage_.stop();
  }

  void note_memory() {
    std::vector<NamedBuffer> buffers;
    if (solver_) buffers.push_back({"matrix", &solver_->memory()});
    buffers_ = buffer_use(*stage_.world, buffers);
  }

  /// Of the pass that ends: every one is verified, unless the threshold says that none is.
  void keep_findings() {
    const double threshold = stage_.settings->threshold;
    if (!solver_) return;
    share_.reset();
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
    keys.emplace_back("HPL_ctop", std::to_string(static_cast<int>(variant.broadcast)));
    keys.emplace_back("HPL_order", std::string(1, hpl::letter(variant.mapping)));
    keys.emplace_back("HPL_eps", half_epsilon);
  }

  /// Norms are known where there was a check; what is no number has no place in a record.
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

  /// The time until a stop is none of the problem.
  static void describe_stop(PointRecord& record) {
    record.status = record::Status::partial;
    if (!record.reason) record.reason.emplace();
    record.reason->code = record::ReasonCode::interrupted;
    record.reason->text = "stopped before the last panel";
  }

  mpi::Communicator grid_;
  std::unique_ptr<hpl::Solver> solver_;
  std::optional<CheckResult> found_;
  std::optional<hpl::Norms> norms_;
  std::optional<double> share_;  // of the operations of the running pass
  bool stopped_ = false;
  std::vector<BufferUse> buffers_;
};

}  // namespace

std::unique_ptr<Experiment> make_solver_experiment(const Stage& stage, const PointSpec& spec) {
  return std::make_unique<SolverExperiment>(stage, spec);
}

}  // namespace steelyard::hpcc
