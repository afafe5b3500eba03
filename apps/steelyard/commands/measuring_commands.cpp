// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <vector>

#include "commands/program.hpp"
#include "measuring/computing.hpp"
#include "measuring/measuring.hpp"
#include "mpi/environment.hpp"
#include "options/resolve.hpp"
#include "process/errors.hpp"
#include "process/version.hpp"
#include "record/value.hpp"
#include "run/options.hpp"
#include "run/plan.hpp"
#include "suites/hpcc/blas/child.hpp"
#include "suites/imb/part_definition.hpp"

namespace steelyard::cli {
namespace {

std::vector<const Command*> with_front_ends() {
  std::vector<const Command*> all{&run_command, &selftest_command};
  for (const MeasuredSuite* suite : measured_suites())
    all.insert(all.end(), suite->front_ends.begin(), suite->front_ends.end());
  all.insert(all.end(), {&probe_command, &blas_child_command});
  return all;
}

// Job that doctor --probe starts: a trial of the BLAS and a short ping-pong with clock and noise, as
// records on standard output.
class ProbeJob final : public Job {
 public:
  explicit ProbeJob(const Invocation& invocation) : invocation_(invocation) {}
  [[nodiscard]] const Invocation& invocation() const override { return invocation_; }
  void arrive(const mpi::Communicator& world) override {
    blas_ = chosen_blas(world, "doctor", 1, {hpcc::BlasWish::Kind::as_linked});
  }
  [[nodiscard]] Prepared prepare(const Place& place) override {
    Prepared prepared;
    prepared.blas = blas_;
    imb::Settings settings = imb::defaults(imb::mpi1(), imb::Version::v31);
    settings.sizes.listed = {Bytes{0}, Bytes{std::int64_t{1} << 20}};
    prepared.suites.push_back(imb::measurable(imb::mpi1(), settings));
    std::vector<campaign::Selected> selected{{prepared.suites.front().get(), "PingPong"}};
    if (invocation_.values.said("io-dir")) add_files(place.processes, prepared, selected);
    prepared.options.processes = place.processes;
    prepared.options.half_width = half_width;
    prepared.options.point_budget = point_budget;
    prepared.plan = campaign::make_plan(selected, prepared.options, "probe");
    return prepared;
  }
  [[nodiscard]] campaign::RunOptions options(const Prepared&) override {
    campaign::RunOptions options;
    options.half_width = half_width;
    options.samples = measure::SamplesKept::none;
    return options;
  }
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>&,
                                          campaign::RunOptions&) override {
    Destinations to;
    to.file = std::make_unique<record::Writer>(std::cout, record::make_run_id(), 1, 0);
    return to;
  }

 private:
  // Files as b_eff_io and FTIO have them: of all processes, by pointers of their own and by one that they share.
  static void add_files(int processes, Prepared& prepared, std::vector<campaign::Selected>& selected) {
    imb::Settings settings = imb::defaults(imb::io(), imb::Version::v31);
    settings.sizes.listed = {Bytes{std::int64_t{1} << 20}};
    settings.processes = {processes};
    settings.mode = imb::Mode::aggregate;
    prepared.suites.push_back(imb::measurable(imb::io(), settings));
    for (const char* name : {"C_Write_Indv", "C_Read_Indv", "C_Write_Shared"})
      selected.push_back({prepared.suites.back().get(), name});
  }

  static constexpr double half_width = 0.05;
  static constexpr Seconds point_budget{0.5};
  const Invocation& invocation_;
  std::shared_ptr<const hpcc::BlasInUse> blas_;
};

int run_probe(const Invocation& invocation) {
  ProbeJob job(invocation);
  return measure(job);
}

constexpr Option probe_options[] = {{"io-dir", Kind::directory, "files are made there too", InFile::no}};
constexpr Group probe_groups[] = {{"Probe", probe_options}};
constexpr int probe_codes[] = {0, 1, 4};

constexpr int blas_child_codes[] = {0, 1, 2};

}  // namespace

std::span<const Command* const> measuring_commands() {
  static const std::vector<const Command*> all = with_front_ends();
  return all;
}

int explain_failure(const std::string& help_of, bool others_wait) {
  return others_wait && !mpi::was_started() ? fail_with_others(help_of) : explain_current_exception(help_of);
}

constinit const Command probe_command{.name = "probe",
                                      .section = "This machine",
                                      .summary = "the measuring child of 'doctor --probe'",
                                      .description = "A short ping-pong with clock and noise, as records.",
                                      .groups = probe_groups,
                                      .exit_codes = probe_codes,
                                      .visibility = Visibility::hidden,
                                      .run = run_probe};

constinit const Command blas_child_command{
    .name = "blas-child",
    .section = "This machine",
    .summary = "the child that tries a BLAS which nobody has seen work",
    .description = "Answers what is installed, or how fast a library multiplies, on standard output.",
    .positional = {"WORDS", Kind::text, Repeat::many, "what is asked"},
    .exit_codes = blas_child_codes,
    .visibility = Visibility::hidden,
    .run = [](const Invocation& invocation) {
      return hpcc::answer_as_child(invocation.values.list("words"));
    }};

std::string mpi_library() {
  return record::one_line(mpi::library_version());
}

}  // namespace steelyard::cli
