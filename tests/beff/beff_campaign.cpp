// SPDX-License-Identifier: Apache-2.0
#include "beff_campaign.hpp"

#include <chrono>
#include <fstream>
#include <map>
#include <utility>
#include <variant>

#include "campaign/resume.hpp"
#include "record/json.hpp"
#include "suites/beff/definition.hpp"
#include "suites/session.hpp"

namespace steelyard::beff::test {
namespace {

double unix_now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

record::Document config_of(const Settings& settings) {
  record::Json members = record::Json::object();
  for (const auto& [name, value] : Definition(settings).configuration())
    std::visit([&, name = name](const auto& held) { members[name] = held; }, value);
  return record::Json{{"b-eff", members}};
}

constexpr const char* names[] = {"run", "point", "table", "summary", "event", "end"};

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

class Reading {
 public:
  explicit Reading(Told& told) : told_(told) {}
  void operator()(const record::RunRecord& run) { told_.head = run; }
  void operator()(const record::PointRecord& point) {
    const auto [place, is_new] = position_.try_emplace(point.key, told_.points.size());
    if (is_new)
      told_.points.push_back(point);
    else
      told_.points[place->second] = point;
  }
  void operator()(const record::TableRecord&) {}
  void operator()(const record::SummaryRecord& summary) { told_.summaries.push_back(summary); }
  void operator()(const record::EventRecord& event) { told_.events.push_back(event); }
  void operator()(const record::EndRecord& end) { told_.end = end; }

 private:
  Told& told_;
  std::map<std::string, std::size_t> position_;
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
  record::Writer file(text_, resume ? resume->run : record::make_run_id(), resume ? resume->session : 1,
                      resume ? resume->next_seq : 0);
  options_.head.config = config_of(settings_);
  options_.deadline_unix_s.reset();
  if (stop_after_s_) options_.deadline_unix_s = unix_now_s() + *stop_after_s_;
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

Told Campaign::told() const {
  Told told;
  Reading reading(told);
  std::istringstream lines(text_.str());
  for (std::string line; std::getline(lines, line);) {
    const auto record = record::from_line(line);
    if (!record) continue;
    std::visit(reading, record->body);
    told.types_at_the_end.emplace_back(names[record->body.index()]);
    if (told.types_at_the_end.size() > 2) told.types_at_the_end.erase(told.types_at_the_end.begin());
  }
  return told;
}

campaign::ResumeState Campaign::state_to_resume(const Told& told) const {
  record::Run run;
  run.points = told.points;
  const auto whole = campaign::experiments(plan(Definition(settings_)));
  campaign::ResumeState state;
  state.run = "resumed";
  state.session = 2;
  state.keep = campaign::kept_keys(run, {}, whole);
  state.kept = campaign::kept_counts(run, {}, whole);
  state.points = run.points;
  return state;
}

}  // namespace steelyard::beff::test
