// SPDX-License-Identifier: Apache-2.0
#include "beff_campaign.hpp"

#include <fstream>
#include <utility>

#include "suites/beff/definition.hpp"
#include "suites/session.hpp"
#include "units/text.hpp"

namespace steelyard::beff::test {
namespace {

/// Asks for a stop when a later repetition than the first has begun.
class StopLater final : public campaign::Progress {
 public:
  explicit StopLater(std::filesystem::path file) : file_(std::move(file)) {}
  void show(const campaign::ProgressState& state) override {
    const bool staged = state.point.starts_with("repetition ");
    if (staged && !state.point.starts_with("repetition 1 ")) std::ofstream(file_) << "stop";
  }
  void clear() override {}

 private:
  std::filesystem::path file_;
};

}  // namespace

Settings tiny() {
  Settings settings = tested({});
  settings.memory_mebibyte = 1024;
  settings.longest = Bytes{16384};
  settings.repetitions = 2;
  settings.polygons = 1;
  settings.without_patterns = {"worst-cyc", "best-bi-section", "worst-bi-section", "acyclic", "cyclic"};
  settings.loop_time_s = 2e-6;
  settings.last_two_limit_s = 1e6;  // on a busy machine messages wait for their processes
  return settings;
}

std::string line_of(const record::SummaryRecord& summary) {
  return record::to_line({{}, summary});
}

Campaign::Campaign(const Settings& settings, const mpi::Communicator& world, std::int64_t memory_byte)
    : settings_(settings), world_(world), memory_byte_(memory_byte) {
  options_.schedule = campaign::ScheduleKind::suite;
  options_.measure_noise = false;
  options_.head.command = {"steelyard", "run"};
  options_.resume_command = {"steelyard", "run", "--resume"};
}

campaign::Plan Campaign::plan(const suites::Suite& suite) const {
  const std::vector<campaign::Selected> selected{{&suite, std::string(benchmark_name)}};
  campaign::PlanOptions options;
  options.processes = world_.size();
  options.memory_byte = memory_byte_;
  return campaign::make_plan(selected, options, "suite");
}

campaign::RunResult Campaign::run(const std::optional<campaign::ResumeState>& resume) {
  const auto suite = measurable_suite(settings_);
  auto file = campaign::test::writer_to(text_, resume);
  options_.head.config = campaign::test::config_of(*suite);
  options_.deadline_unix_s.reset();
  if (stop_after_s_) options_.deadline_unix_s = units::unix_now_s() + *stop_after_s_;
  campaign::Outputs outputs;
  outputs.file = world_.is_root() ? &file : nullptr;
  outputs.errors = &errors_;
  outputs.progress = progress_.get();
  return campaign::run(world_, plan(*suite), options_, outputs, resume);
}

void Campaign::stop_after_first_repetition(const std::filesystem::path& stop_file) {
  if (world_.is_root()) std::filesystem::remove(options_.stop_file);
  options_.stop_file = stop_file;
  progress_.reset();
  if (!stop_file.empty()) progress_ = std::make_unique<StopLater>(stop_file);
}

campaign::ResumeState Campaign::state_to_resume(const Told& told) const {
  return campaign::test::state_to_resume(told, plan(Definition(settings_)));
}

}  // namespace steelyard::beff::test
