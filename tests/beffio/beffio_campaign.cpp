// SPDX-License-Identifier: Apache-2.0
#include "beffio_campaign.hpp"

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "machine/scratch.hpp"
#include "suites/beffio/definition.hpp"
#include "suites/session.hpp"

namespace steelyard::beffio::test {
namespace {

namespace fs = std::filesystem;

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

const record::PointRecord& find(const Told& told, std::string_view access, int pattern, int processes) {
  for (const auto& point : told.points)
    if (point.processes == processes &&
        *record::find(point.params, "access") == record::Value(std::string(access)) &&
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
  auto file = campaign::test::writer_to(text_, resume);
  options_.head.config = campaign::test::config_of(*suite);
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

campaign::ResumeState Campaign::state_to_resume(const Told& told) const {
  return campaign::test::state_to_resume(told, plan(Definition(settings_)));
}

}  // namespace steelyard::beffio::test
