// SPDX-License-Identifier: Apache-2.0
#include "beffio_campaign.hpp"

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <map>
#include <thread>
#include <variant>

#include "campaign/resume.hpp"
#include "machine/scratch.hpp"
#include "record/json.hpp"
#include "suites/beffio/definition.hpp"
#include "suites/session.hpp"

namespace steelyard::beffio::test {
namespace {

namespace fs = std::filesystem;

record::Document config_of(const Settings& settings) {
  record::Json members = record::Json::object();
  for (const auto& [name, value] : Definition(settings).configuration())
    std::visit([&, name = name](const auto& held) { members[name] = held; }, value);
  return record::Json{{"b-eff-io", members}};
}

/// Asks for a stop when a point of that access method has been written.
class StopLater final : public formats::Writer {
 public:
  StopLater(std::string access, fs::path file) : access_(std::move(access)), file_(std::move(file)) {}
  void run(const record::RunRecord&) override {}
  void end(const record::EndRecord&) override {}
  void point(const record::PointRecord& point) override {
    if (std::filesystem::exists(file_) || *record::find(point.params, "access") != record::Value(access_))
      return;
    std::ofstream(file_) << "stop";
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // it is looked for once a second
  }

 private:
  std::string access_;
  fs::path file_;
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

const mpi::Communicator& world() {
  static const auto all = mpi::Communicator::world();
  return all;
}

fs::path quick_parent() {
  const fs::path memory = "/dev/shm";
  return ::access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
}

Directory::Directory(const mpi::Communicator& world, const fs::path& parent) : world_(world) {
  std::string name = (parent / "b_eff_io_test_XXXXXX").string();
  if (world.is_root() && mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("no directory for the test");
  path_ = world.broadcast(name);
}

Directory::~Directory() {
  world_.barrier();
  std::error_code ignored;
  if (world_.is_root()) fs::remove_all(path_, ignored);
}

std::vector<std::string> Directory::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path_))
    if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
  return names;
}

Settings tiny(const mpi::Communicator& world) {
  Settings settings;
  settings.memory_mebibyte = 64;
  settings.partitions = {world.size()};
  settings.total_s = 1e-3;
  return settings;
}

const record::PointRecord& find(const Told& told, const std::string& access, int pattern, int processes) {
  for (const auto& point : told.points)
    if (point.processes == processes && *record::find(point.params, "access") == record::Value(access) &&
        *record::find(point.params, "pattern") == record::Value(std::int64_t{pattern}))
      return point;
  throw std::out_of_range("no such point");
}

double number(const record::PointRecord& point, std::string_view name) {
  const auto* value = record::find(point.classic, name);
  if (value == nullptr) throw std::out_of_range(point.key + " has no " + std::string(name));
  return record::number(*value);
}

Campaign::Campaign(const Settings& settings, const mpi::Communicator& world, const Directory& directory)
    : settings_(settings), world_(world), directory_(directory) {
  options_.schedule = campaign::ScheduleKind::suite;
  options_.measure_noise = false;
  options_.look_around = false;
  options_.head.command = {"steelyard", "run"};
  options_.resume_command = {"steelyard", "run", "--resume"};
}

campaign::Plan Campaign::plan(const suites::Suite& suite) const {
  const std::vector<campaign::Selected> selected{{&suite, std::string(benchmark_name)}};
  campaign::PlanOptions options;
  options.processes = world_.size();
  return campaign::make_plan(selected, options, "suite");
}

campaign::RunResult Campaign::run(const std::optional<campaign::ResumeState>& resume) {
  const auto suite = measurable_suite(settings_);
  record::Writer file(text_, resume ? resume->run : record::make_run_id(), resume ? resume->session : 1,
                      resume ? resume->next_seq : 0);
  options_.head.config = config_of(settings_);
  campaign::Outputs outputs;
  outputs.file = world_.is_root() ? &file : nullptr;
  outputs.errors = &errors_;
  std::optional<machine::Scratch> scratch;
  if (world_.is_root()) scratch.emplace(directory_.path());
  options_.files.directory = world_.broadcast(scratch ? scratch->path().string() : std::string());
  if (scratch) options_.files.claim = [&](const std::string& name) { scratch->claim(name); };
  if (stopper_ && world_.is_root()) outputs.texts.push_back(stopper_.get());
  return campaign::run(world_, plan(*suite), options_, outputs, resume);
}

void Campaign::stop_in(const std::string& access, const fs::path& stop_file) {
  if (world_.is_root()) fs::remove(options_.stop_file);
  options_.stop_file = stop_file;
  stopper_.reset();
  if (!stop_file.empty()) stopper_ = std::make_unique<StopLater>(access, stop_file);
}

Told Campaign::told() const {
  Told told;
  Reading reading(told);
  std::istringstream lines(text_.str());
  for (std::string line; std::getline(lines, line);)
    if (const auto record = record::from_line(line)) std::visit(reading, record->body);
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

}  // namespace steelyard::beffio::test
