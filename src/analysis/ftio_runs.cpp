// SPDX-License-Identifier: Apache-2.0
#include "analysis/ftio_runs.hpp"

#include <algorithm>
#include <stdexcept>

#include "analysis/point_members.hpp"
#include "stats/moments.hpp"

namespace steelyard::analysis {
namespace {

using record::PointRecord;

void read_phases(const PointRecord& point, const char* name, double FtioPhase::*part, FtioRun& run) {
  const auto* value = member(point, name);
  const auto* list = value == nullptr ? nullptr : std::get_if<std::vector<double>>(value);
  if (list == nullptr || list->size() != run.phases.size())
    throw std::invalid_argument(point.key + " has no " + name + " of six phases");
  for (std::size_t p = 0; p < run.phases.size(); ++p) run.phases[p].*part = (*list)[p];
}

void read_phases(const PointRecord& point, FtioRun& run) {
  read_phases(point, "phase_s", &FtioPhase::time_s, run);
  read_phases(point, "phase_io_s", &FtioPhase::io_s, run);
  read_phases(point, "phase_io_min_s", &FtioPhase::io_min_s, run);
  read_phases(point, "phase_io_max_s", &FtioPhase::io_max_s, run);
  read_phases(point, "phase_communication_s", &FtioPhase::communication_s, run);
  read_phases(point, "phase_read_byte", &FtioPhase::read_byte, run);
  read_phases(point, "phase_written_byte", &FtioPhase::written_byte, run);
  read_phases(point, "phase_calls", &FtioPhase::calls, run);
}

FtioSpread spread_of(const stats::Moments& moments) {
  return {moments.mean(), moments.sd()};
}

bool same_size(const FtioRun& a, const FtioRun& b) {
  return a.processes == b.processes && a.parameter == b.parameter && a.file_access == b.file_access &&
         a.page_cache == b.page_cache;
}

}  // namespace

FtioPhase& FtioPhase::operator+=(const FtioPhase& other) {
  for (auto part :
       {&FtioPhase::time_s, &FtioPhase::io_s, &FtioPhase::io_min_s, &FtioPhase::io_max_s,
        &FtioPhase::communication_s, &FtioPhase::read_byte, &FtioPhase::written_byte, &FtioPhase::calls})
    this->*part += other.*part;
  return *this;
}

FtioPhase FtioRun::sum() const {
  FtioPhase sum;
  for (std::size_t p = 0; p < ftio_timed_phases; ++p) sum += phases[p];
  return sum;
}

bool ftio_has_result(const PointRecord& point) {
  const bool measured = point.status == record::Status::ok || point.status == record::Status::partial;
  return measured && record::find(point.classic, "total_s") != nullptr;
}

FtioRun ftio_run(const PointRecord& point) {
  FtioRun run;
  run.processes = point.processes;
  run.run = static_cast<int>(record::whole(number(point, "run")));
  run.parameter = record::whole(number(point, "input_parameter"));
  run.order = number(point, "matrix_order");
  run.matrix_byte = number(point, "matrix_byte");
  read_phases(point, run);
  run.io_fraction = number(point, "io_fraction");
  run.io_fraction_without_init = number(point, "io_fraction_without_init");
  run.communication_fraction = number(point, "communication_fraction");
  run.total_s = number(point, "total_s");
  run.flop_rate_flop_s = number(point, "flop_rate_flop_s");
  run.cycles_per_flop = number_if(point, "cycles_per_flop");
  run.total_difference = number_if(point, "total_difference");
  run.largest_difference = number_if(point, "largest_difference");
  run.memory_byte = number_if(point, "memory_byte");
  run.cycles_source = words(point, "cycles_source");
  run.file_access = words(point, "file_access");
  run.page_cache = words(point, "page_cache");
  run.kernel = words(point, "kernel");
  run.mpi_io = words(point, "mpi_io");
  run.passed = point.verified == true;
  return run;
}

FtioSpread FtioSize::spread(double FtioRun::*value) const {
  stats::Moments moments;
  for (const auto& run : runs) moments.add(run.*value);
  return spread_of(moments);
}

std::optional<FtioSpread> FtioSize::cycles_per_flop() const {
  stats::Moments moments;
  for (const auto& run : runs) {
    if (!run.cycles_per_flop) return std::nullopt;
    moments.add(*run.cycles_per_flop);
  }
  return spread_of(moments);
}

FtioRuns::FtioRuns(std::span<const PointRecord> points) {
  bool right = true, checked = true;
  for (const auto& point : points) {
    if (point.suite != "ftio") continue;
    ++points_;
    right = right && point.verified.value_or(true);
    if (!ftio_has_result(point)) {
      ++missing_;
      continue;
    }
    checked = checked && point.verified.has_value();
    const FtioRun run = ftio_run(point);
    const auto found = std::ranges::find_if(sizes_, [&](const auto& s) { return same_size(s.first(), run); });
    (found != sizes_.end() ? *found : sizes_.emplace_back()).runs.push_back(run);
  }
  if (points_ == 0) throw std::invalid_argument("no points of ftio");
  if (!right)
    verified_ = false;
  else if (checked && !sizes_.empty())
    verified_ = true;
}

const FtioSize* FtioRuns::largest() const {
  const auto less = [](const FtioSize& a, const FtioSize& b) { return a.first().order < b.first().order; };
  const auto found = std::ranges::max_element(sizes_, less);
  return found == sizes_.end() ? nullptr : &*found;
}

}  // namespace steelyard::analysis
