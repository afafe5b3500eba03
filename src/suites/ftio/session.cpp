// SPDX-License-Identifier: Apache-2.0
#include "suites/session.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "measure/failure.hpp"
#include "record/records.hpp"
#include "suites/ftio/closed_form.hpp"
#include "suites/ftio/definition.hpp"
#include "suites/ftio/record.hpp"
#include "suites/ftio/row_transform.hpp"
#include "suites/ftio/run.hpp"
#include "suites/ftio/settings.hpp"
#include "units/text.hpp"

namespace steelyard::ftio {
namespace {

PhaseFigures figures_of(const PhaseResult& phase) {
  const auto number = [](std::int64_t count) { return static_cast<double>(count); };
  return {phase.time_s,
          phase.io_s,
          phase.io_min_s,
          phase.io_max_s,
          phase.communication_s,
          number(phase.traffic.read_byte),
          number(phase.traffic.written_byte),
          number(phase.traffic.calls)};
}

/// Takes the differences, unless some elements are no numbers: those cannot be added up.
void take_differences(const Shape& shape, const Difference& difference, RunFigures& figures) {
  figures.allowed_difference = largest_difference(shape.order());
  figures.wrong_elements = difference.wrong;
  if (difference.not_numbers > 0) {
    figures.not_numbers = difference.not_numbers;
    return;
  }
  figures.total_difference = difference.total;
  figures.largest_difference = difference.largest;
  figures.largest_column = difference.column;
  figures.largest_row = difference.row;
}

void take_surroundings(const Settings& settings, const RunResult& result, RunFigures& figures) {
  figures.file_access = text(settings.access);
  figures.page_cache = text(settings.cache);
  figures.kernel = RowTransform::kernel();
  figures.mpi_io = result.implementation;
  if (settings.memory_byte > 0) figures.memory_byte = settings.memory_byte;
  if (!result.cycles) return;
  figures.cycles_per_flop = result.cycles->value;
  figures.cycles_source = result.cycles->source;
}

RunFigures figures_of(const Settings& settings, const Shape& shape, const RunResult& result) {
  RunFigures figures;
  figures.parameter = shape.parameter;
  figures.order = shape.order();
  figures.matrix_byte = shape.matrix().count();
  for (std::size_t p = 0; p < phase_count; ++p) figures.phases[p] = figures_of(result.phases[p]);
  figures.total_s = result.total_s();
  figures.io_s = result.io_s();
  figures.communication_s = result.communication_s();
  figures.io_fraction = result.io_s() / result.total_s();
  const PhaseResult& initialise = result.phases[index(Phase::initialise)];
  figures.io_fraction_without_init =
      (result.io_s() - initialise.io_s) / (result.total_s() - initialise.time_s);
  figures.communication_fraction = result.communication_s() / result.total_s();
  figures.flop = flops(shape);
  figures.flop_rate_flop_s = flops(shape) / result.total_s();
  take_differences(shape, result.difference, figures);
  take_surroundings(settings, result, figures);
  return figures;
}

void put_metrics(const RunFigures& figures, record::PointRecord& record) {
  record.metrics.emplace_back("time_s", figures.total_s);
  record.metrics.emplace_back("io_fraction", figures.io_fraction);
  record.metrics.emplace_back("communication_fraction", figures.communication_fraction);
  record.metrics.emplace_back("flop_rate_flop_s", figures.flop_rate_flop_s);
  record.metrics.emplace_back("io_time_s", *figures.io_s);
  record.metrics.emplace_back("communication_time_s", *figures.communication_s);
  if (figures.largest_difference) record.metrics.emplace_back("max_error", *figures.largest_difference);
  record.primary = "io_fraction";
  record.lower_is_better = true;
}

constexpr double space_reserve = 1.05;

double part_before(Phase phase, const Shape& shape, const Batches& batches) {
  const auto bytes = [](const Traffic& moved) {
    return static_cast<double>(moved.read_byte + moved.written_byte);
  };
  double before = 0;
  for (std::size_t p = 0; p < index(phase); ++p) before += bytes(traffic(shape, phases[p], batches));
  const double last = bytes(traffic(shape, Phase::verify, batches));
  return before / (bytes(timed_traffic(shape, batches)) + last);
}

std::string too_little(double needed, double available) {
  const auto size = [](double bytes) { return units::format_size(Bytes{static_cast<std::int64_t>(bytes)}); };
  return "the files take " + size(needed) + ", and the file system has " + size(available) + " left";
}

/// The record of one run. classic: docs/suites/ftio.md, "Records". On rank 0 only.
record::PointRecord point_record(const Settings& settings, const Shape& shape, const RunResult& result,
                                 record::PointRecord record) {
  const auto figures = figures_of(settings, shape, result);
  put_metrics(figures, record);
  put_figures(figures, record);
  if (record.check) record.check->limit = figures.allowed_difference;
  return record;
}

/// The record of a run that was stopped: what the phases took that were brought to their end. On rank 0 only.
record::PointRecord stopped_record(const Shape& shape, const RunResult& result, record::PointRecord record) {
  std::vector<PhaseFigures> ended;
  for (std::size_t p = 0; p < result.ended_phases; ++p) ended.push_back(figures_of(result.phases[p]));
  put_ended_phases(shape, ended, record);
  record.status = record::Status::partial;
  record.reason.emplace();
  record.reason->code = record::ReasonCode::interrupted;
  record.reason->text = "stopped after phase " + std::string(text(phases[result.ended_phases - 1]));
  return record;
}

/// Session of one run.
class FtioSession final : public suites::Session {
 public:
  /// Collective. Throws measure::SharedFailure if there is too little space for the files.
  FtioSession(const Settings& settings, const suites::BlockPlan& block, const suites::SessionContext& context)
      : settings_(settings),
        context_(context),
        measured_(block.points.front().measurable()),
        spec_(block.points.front().spec<RunSpec>()),
        shape_{block.processes, spec_.parameter} {
    if (!measured_) return;
    claim_names();
    refuse_without_space();
    if (spec_.run == 1) warn_of_cache();
  }
  [[nodiscard]] std::vector<measure::Task> tasks() override {
    if (!measured_) return {};
    measure::Task task;
    task.traits.timing = measure::Timing::whole;
    task.schedule = &schedule_;
    task.passes = 1;
    task.bytes = shape_.matrix().count();
    task.open = [this](int) { return std::make_unique<FtioRun>(plan(), result_); };
    task.verify_repetitions = 1;
    task.operation = "FTIO";
    return {task};
  }
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t, const measure::Outcome&,
                                                         record::PointRecord base) override {
    if (!result_.stopped()) return {point_record(settings_, shape_, result_, std::move(base))};
    if (result_.ended_phases == 0) return {};
    return {stopped_record(shape_, result_, std::move(base))};
  }
  [[nodiscard]] std::vector<measure::EngineNotice> notices() const override { return notices_; }
  [[nodiscard]] std::optional<suites::BlockProgress> stage() const override {
    if (!phase_) return std::nullopt;
    return suites::BlockProgress{part_before(*phase_, shape_, settings_.batches),
                                 "phase " + std::string(text(*phase_))};
  }

 private:
  void claim_names() const {
    measure::all_or_none(team(), [&] {
      if (team().is_root() && context_.files->claim) context_.files->claim(std::string(file_prefix));
    });
  }
  void refuse_without_space() const {
    measure::all_or_none(team(), [&] {
      if (!team().is_root()) return;
      std::error_code unknown;
      const auto space = std::filesystem::space(context_.files->directory, unknown);
      const double needed = space_reserve * static_cast<double>(shape_.matrix().count());
      const auto available = static_cast<double>(space.available);
      if (unknown || needed <= available) return;
      throw std::filesystem::filesystem_error(too_little(needed, available), context_.files->directory,
                                              std::make_error_code(std::errc::no_space_on_device));
    });
  }
  /// Warns of a matrix that fits into the memory of the nodes, from where it is read unless it is kept out of it.
  void warn_of_cache() {
    const std::int64_t bytes = shape_.matrix().count();
    if (settings_.memory_byte <= 0 || bytes >= settings_.memory_byte || settings_.cache != PageCache::keep)
      return;
    const auto [matrix, memory] = units::format_unlike_sizes(Bytes{bytes}, Bytes{settings_.memory_byte});
    notices_.push_back({"cached_read", "ftio, i = " + std::to_string(shape_.parameter) + ": the matrix of " +
                                           matrix + " fits into the memory of " + memory +
                                           ": the page cache is measured, not the disk"});
  }
  [[nodiscard]] RunPlan plan() {
    RunPlan plan;
    plan.team = &team();
    plan.shape = shape_;
    plan.batches = settings_.batches;
    plan.clock_hz = settings_.clock_hz;
    plan.files = {.team = &team(),
                  .directory = context_.files->directory,
                  .access = settings_.access,
                  .cache = settings_.cache,
                  .hints = context_.files->hints,
                  .column_byte = shape_.file().count(),
                  .segment_byte = shape_.parameter * element_byte};
    if (settings_.keep && last_run()) plan.ending = Ending::kept;
    plan.begins = [this](Phase phase) { phase_ = phase; };
    plan.stop = context_.stop;
    return plan;
  }
  [[nodiscard]] bool last_run() const {
    return spec_.run == settings_.runs &&
           spec_.parameter == parameters(settings_, mpi::Communicator::world().size()).back();
  }
  [[nodiscard]] const mpi::Communicator& team() const { return context_.team->active; }

  Settings settings_;
  suites::SessionContext context_;
  bool measured_;
  RunSpec spec_;
  Shape shape_;
  suites::OneOperation schedule_{"fixed"};  // the whole run
  RunResult result_;
  std::optional<Phase> phase_;  // on process 0
  std::vector<measure::EngineNotice> notices_;
};

}  // namespace

std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings) {
  return std::make_unique<suites::Measurable<Definition, FtioSession>>(settings);
}

}  // namespace steelyard::ftio
