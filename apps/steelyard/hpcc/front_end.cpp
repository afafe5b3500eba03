// SPDX-License-Identifier: Apache-2.0
#include "hpcc/front_end.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iostream>
#include <system_error>
#include <utility>

#include "formats/hpcc/text.hpp"
#include "hpcc/options.hpp"
#include "measuring/computing.hpp"
#include "options/shared_options.hpp"
#include "process/errors.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/input/file.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view derived_hpcc_input = "hpccinf.auto.txt";

std::int64_t unix_now() {
  return static_cast<std::int64_t>(units::unix_now_s());
}

constexpr std::string_view hpl_input = "HPL.dat", derived_hpl_input = "HPL.auto.dat";

constexpr Option hpcc_hpl_front_input[] = {
    {"input", Kind::file,
     "input file. Options of the groups below stand above its lines, their defaults count where none is read",
     FallbackText{"HPL.dat"}},
    {"auto", Kind::special,
     "derive N, NB and the grid from the processes and this part of the usable memory, or this much memory "
     "of a process",
     Argument{"RATIO|SIZE"}, FallbackText{"50%"}, check_hpcc_memory, Presence::optional},
    {"defaults",
     "the problem that the published suite takes where it finds no input file: 64 MiB of a process, or what "
     "hpccmemf.txt says"},
    {"repeat", Kind::count, "executions of each combination", Argument{"R"}, Fallback{"1"}, Within{1, 1000}},
    threads_option,
};

constexpr Option hpcc_hpl_front_output[] = {
    {"output", Kind::file, "file of the results, which is written anew; - is standard output",
     FallbackText{"as lines 3 and 4 say"}},
    front_end_out,
    front_end_label,
};

hpcc::Settings settings_of(const Values& values, const HpccInput& input,
                           std::span<const suites::PanelRate> rates, const Place& place) {
  hpcc::Settings settings = input.settings(place, rates);
  set_problem(values, place.processes, settings.problem);
  set_solver(values, settings);
  set_conduct(values, place, settings);
  settings.blas_wish = blas_wish(values, hpcc::BlasWish::Kind::as_linked);
  return hpcc::as_built(std::move(settings));
}

/// Rates of tried NB if --auto has to choose it, with the BLAS that will compute (nullptr: the linked one); else
/// empty. Collective.
std::vector<suites::PanelRate> tried_blocks(const Values& values, const HpccInput& input,
                                            const mpi::Communicator& world,
                                            const std::shared_ptr<const hpcc::BlasInUse>& blas) {
  const auto library = hpcc::usable_blas(blas.get());
  if (!input.is_derived() || values.said("hpcc-nb") || !library) return {};
  return hpcc::panel_rates(world, hpcc::default_grid(world.size()), hpcc::blas::Routines::of(*library));
}

Prepared planned(const hpcc::Settings& settings, const std::vector<std::string>& chosen, const Place& place) {
  Prepared prepared;
  prepared.suites.push_back(hpcc::measurable_suite(settings));
  prepared.blas = settings.blas_in_use;
  std::vector<campaign::Selected> selected;
  for (const auto& name : chosen) selected.push_back({prepared.suites.front().get(), name});
  prepared.options.processes = place.processes;
  prepared.options.threads = settings.threads;
  prepared.options.memory_byte = usable_byte(place);  // whoever names a problem may use all that there is
  prepared.options.seed = settings.seed;
  prepared.plan = campaign::make_plan(selected, prepared.options, "hpcc");
  return prepared;
}

constexpr std::string_view hpcc_examples[] = {
    "mpiexec -n 8 steelyard hpcc", "steelyard hpcc -n 4 --auto 20%",
    "steelyard hpcc -n 2 --hpcc-n 1000 --only HPL,STREAM --output out.txt"};
constexpr int hpcc_codes[] = {0, 1, 2, 4, 5, 70};

constexpr std::string_view hpl_examples[] = {"mpiexec -n 8 steelyard hpl", "steelyard hpl -n 4 --auto 20%",
                                             "steelyard hpl -n 2 --hpcc-n 1000 --hpl-detail --hpl-timeline"};
constexpr int hpl_codes[] = {0, 1, 2, 4, 5, 70};

}  // namespace

HpccFrontEndJob::HpccFrontEndJob(const Invocation& invocation, HpccInput input)
    : FrontEndJob(invocation), input_(std::move(input)) {
  check_threads(invocation.values);
}

mpi::ThreadLevel HpccFrontEndJob::threads() const {
  return compute_threads(invocation_.values) > 1 ? mpi::ThreadLevel::funneled : mpi::ThreadLevel::single;
}

void HpccFrontEndJob::choose(const mpi::Communicator& world, const std::string& program,
                             bool computes_with_blas) {
  const Values& values = invocation_.values;
  if (computes_with_blas) {
    const auto wish = blas_wish(values, hpcc::BlasWish::Kind::as_linked);
    blas_ = chosen_blas(world, program, compute_threads(values), wish);
    tell_blas(world, invocation_, *blas_);
  }
  rates_ = tried_blocks(values, input_, world, blas_);
}

Place HpccFrontEndJob::with_blas(const Place& place) const {
  Place here = place;
  here.blas = blas_;
  return here;
}

void HpccFrontEndJob::write_input(const std::filesystem::path& file) const {
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << hpcc::write_input(settings_);
  if (!out.flush()) refuse(file);
}

void HpccFrontEndJob::open(const std::filesystem::path& file, std::ios::openmode mode) {
  errno = 0;
  out_.open(file, std::ios::binary | std::ios::out | mode);
  if (!out_) refuse(file);
}

std::ostream& HpccFrontEndJob::text_stream(const std::string& file, std::ios::openmode mode) {
  if (file == "-") return std::cout;
  open(file, mode);
  return out_;
}

void HpccFrontEndJob::add_text(std::unique_ptr<formats::Writer> text, Destinations& to) {
  to.texts.push_back(std::move(text));
  auto verdict = std::make_unique<Verdict>();
  success_ = &verdict->success();
  to.texts.push_back(std::move(verdict));
}

void HpccFrontEndJob::end_by_success(const campaign::RunResult& result) const {
  const bool ran = result.exit_code == exit_code::done || result.exit_code == exit_code::refused;
  if (!success() && ran) throw Ended(exit_code::point_failed);
}

void HpccFrontEndJob::refuse(const std::filesystem::path& file) {
  throw Refused("cannot write '" + file.string() + "': " + std::generic_category().message(errno));
}

HpccJob::HpccJob(const Invocation& invocation)
    : HpccFrontEndJob(invocation, HpccInput(invocation.values)),
      chosen_(hpcc_chosen(invocation.values)),
      output_(invocation.values.need("output")) {}

void HpccJob::arrive(const mpi::Communicator& world) {
  choose(world, "hpcc", std::ranges::any_of(chosen_, hpcc::computes_with_blas));
}

Prepared HpccJob::prepare(const Place& place) {
  Prepared prepared = prepare_hpcc(invocation_.values, input_, chosen_, rates_, with_blas(place));
  settings_ = prepared.settings<hpcc::Definition>(hpcc::suite_name);
  for (const auto& block : prepared.plan.blocks)
    points_[block.benchmark] += static_cast<int>(block.points.size());
  dropped_ = dropped_orders(prepared);
  return prepared;
}

void HpccJob::add_texts(Destinations& to) {
  std::ostream& out =
      text_stream(output_, invocation_.values.on("truncate") ? std::ios::trunc : std::ios::app);
  if (input_.is_derived()) write_input(std::filesystem::path(output_).parent_path() / derived_hpcc_input);
  for (const auto& note : input_.notes()) std::cerr << "steelyard: input: " + note + '\n';
  for (const auto& sentence : dropped_)
    std::cerr << "steelyard: input: " + input_.name_of("ptrans-n", hpcc::extra_orders_line + 1) + ": " +
                     sentence + '\n';
  add_text(formats::hpcc_text(out, {points_, unix_now}), to);
}

void HpccJob::finished(const campaign::RunResult& result, const Destinations&) {
  tell_stop(result);
  if (out_.is_open() && !out_.flush()) refuse(output_);
  if (!invocation_.values.on("quiet") && out_.is_open())
    std::cout << "results  " << on_one_line(output_) << "  (Success=" << (success() ? 1 : 0) << ")"
              << std::endl;
  end_by_success(result);
}

HplJob::HplJob(const Invocation& invocation)
    : HpccFrontEndJob(invocation, HpccInput(invocation.values, hpl_input)), file_(file()) {}

void HplJob::arrive(const mpi::Communicator& world) {
  choose(world, "hpl", true);
}

Prepared HplJob::prepare(const Place& place) {
  Prepared prepared = prepare_hpl(invocation_.values, input_, rates_, with_blas(place));
  settings_ = prepared.settings<hpcc::Definition>(hpcc::suite_name);
  return prepared;
}

/// File of the text; empty: a stream of the process.
std::string HplJob::file() const {
  if (const auto said = invocation_.values.word("output")) return *said;
  const auto device = input_.device();
  return device.is_file() ? device.file : "";
}

std::ostream& HplJob::opened() {
  if (file_.empty()) return input_.device().number == hpcc::InputFile::standard_error ? std::cerr : std::cout;
  return text_stream(file_, std::ios::trunc);
}

void HplJob::add_texts(Destinations& to) {
  auto& out = opened();
  if (input_.is_derived()) write_input(derived_hpl_input);
  add_text(formats::hpl_text(out, formats::HplVersion::v23, unix_now), to);
}

void HplJob::finished(const campaign::RunResult& result, const Destinations&) {
  tell_stop(result);
  if (out_.is_open() && !out_.flush()) refuse(file_);
  end_by_success(result);
}

std::span<const Group> hpl_front_options() {
  static const std::array groups = {Group{"Input", hpcc_hpl_front_input}, hpcc_problem_group(),
                                    hpl_solver_group(), Group{"Output", hpcc_hpl_front_output},
                                    Group{"Start and talk", front_end_start}};
  return groups;
}

Prepared prepare_hpl(const Values& values, const HpccInput& input, std::span<const suites::PanelRate> rates,
                     const Place& place) {
  hpcc::Settings settings = input.settings(place, rates);
  set_problem(values, place.processes, settings.problem);
  set_solver(values, settings);
  set_solver_conduct(values, place, settings);
  settings.blas_wish = blas_wish(values, hpcc::BlasWish::Kind::as_linked);
  return planned(hpcc::as_built(std::move(settings)), {"HPL"}, place);
}

Prepared prepare_hpcc(const Values& values, const HpccInput& input, const std::vector<std::string>& chosen,
                      std::span<const suites::PanelRate> rates, const Place& place) {
  return planned(settings_of(values, input, rates, place), chosen, place);
}

const Command hpcc_command{
    .name = "hpcc",
    .section = "Classic programs",
    .summary = "HPC Challenge: input file hpccinf.txt, results in hpccoutf.txt",
    .description =
        "Runs HPC Challenge by the lines of hpccinf.txt in the working directory and appends sections and "
        "Summary to hpccoutf.txt, each section when its test has ended. A line that is wrong ends the "
        "program before anything is run; all faults are told. Exit code 0 says that Success is 1. Records "
        "are written only with --out.",
    .groups = hpcc_front_options(),
    .examples = hpcc_examples,
    .exit_codes = hpcc_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "hpcc",
    .run = run_front_end<HpccJob>};

const Command hpl_command{.name = "hpl",
                          .section = "Classic programs",
                          .summary = "the linear solver of HPC Challenge alone: input file HPL.dat",
                          .description =
                              "Runs every combination that HPL.dat in the working directory lists, and "
                              "writes a row with rate and residual for each, in the form of HPL 2.3, where "
                              "lines 3 and 4 of the file say: on standard output, on standard error or into "
                              "a file. A line that is wrong ends the program before anything is run; all "
                              "faults are told. Exit code 0 says that all residuals passed. Records are "
                              "written only with --out.",
                          .groups = hpl_front_options(),
                          .examples = hpl_examples,
                          .exit_codes = hpl_codes,
                          .see_also = "steelyard help hpcc",
                          .dashes = DashStyle::one_or_two,
                          .link = "hpl",
                          .run = run_front_end<HplJob>};

}  // namespace steelyard::cli
