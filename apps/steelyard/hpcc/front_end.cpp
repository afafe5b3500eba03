// SPDX-License-Identifier: Apache-2.0
#include "hpcc/front_end.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <ostream>
#include <system_error>
#include <utility>

#include "formats/hpcc/text.hpp"
#include "formats/writer.hpp"
#include "hpcc/options.hpp"
#include "measuring/computing.hpp"
#include "measuring/measuring.hpp"
#include "options/checks.hpp"
#include "options/shared_options.hpp"
#include "process/descriptor.hpp"
#include "process/errors.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/hpl/block_trial.hpp"
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

constexpr Option hpcc_front_input[] = {
    {"input", Kind::file,
     "input file; an HPL.dat will do. Options of the groups below stand above its lines, their defaults "
     "count where none is read",
     FallbackText{"hpccinf.txt"}},
    {"auto", Kind::special,
     "derive N, NB and the grid from the processes and this part of the usable memory, or this much memory "
     "of a process, for the matrix of the linear solver",
     Argument{"RATIO|SIZE"}, FallbackText{"50%"}, check_hpcc_memory, Presence::optional},
    {"defaults",
     "the problem that the published suite takes where it finds no input file: 64 MiB of a process, or what "
     "hpccmemf.txt says"},
};

constexpr Option hpcc_front_what[] = {
    {"only", Kind::special,
     "these tests: names as in the sections of the output, or HPL DGEMM PTRANS STREAM RandomAccess FFT LatBw",
     Argument{"LIST"}, parses<parse_hpcc_tests>, Repeat::many},
    {"skip", Kind::special, "all but these tests", Argument{"LIST"}, parses<parse_hpcc_tests>, Repeat::many},
    {"random-generator", Kind::word, "of RandomAccess", Fallback{"both"}, OneOf{"polynomial lcg both"}},
    {"optimized", "the best algorithms that the published rules allow; the default"},
    {"seed", Kind::count,
     "of what is drawn: matrices of DGEMM, placements, rings, the rank of the Single tests", Fallback{"1"},
     Within{0, (std::int64_t{1} << 53) - 1}},
    threads_option,
};

constexpr Option hpcc_front_output[] = {
    {"output", Kind::file, "text with all sections and the Summary; a run is appended; - is standard output",
     Fallback{"hpccoutf.txt"}},
    {"truncate", "begin the text anew"},
    front_end_out,
    front_end_label,
};

using Strings = std::vector<std::string>;

constexpr std::array<std::string_view, 7> families = {"HPL",          "DGEMM", "PTRANS", "STREAM",
                                                      "RandomAccess", "FFT",   "LatBw"};
constexpr std::string_view congruential = "_LCG";

bool belongs(std::string_view benchmark, std::string_view family) {
  if (family == "LatBw") return benchmark == "LatencyBandwidth";
  return benchmark.find(family) != benchmark.npos;
}

Strings all_names() {
  Strings names;
  for (const auto& benchmark : hpcc::all_benchmarks()) names.emplace_back(benchmark.name);
  return names;
}

bool has(const Strings& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Benchmarks that a word names: one of that name, else those of the family.
Strings named(std::string_view word) {
  const auto all = all_names();
  std::vector<std::string_view> valid(all.begin(), all.end());
  std::ranges::copy_if(families, std::back_inserter(valid),  // HPL and PTRANS are tests and families
                       [&](std::string_view one) { return !has(all, std::string(one)); });
  const auto name = units::parse_word(word, valid);
  if (std::ranges::find(all, name) != all.end()) return {name};
  Strings found;
  std::ranges::copy_if(all, std::back_inserter(found), [&](const auto& one) { return belongs(one, name); });
  return found;
}

Strings listed(const Values& values, std::string_view option) {
  Strings names;
  for (const auto& list : values.list(option)) {
    const auto found = parse_hpcc_tests(list);
    names.insert(names.end(), found.begin(), found.end());
  }
  return names;
}

bool wanted_generator(const Values& values, const std::string& name) {
  const auto generator = values.need("random-generator");
  if (generator == "both" || !belongs(name, "RandomAccess")) return true;
  return name.ends_with(congruential) == (generator == "lcg");
}

constexpr double automatic_share = 0.5;
constexpr std::string_view memory_file = "hpccmemf.txt";
constexpr int of_all = 1, of_thread = 2;  // codes of what the memory file tells; 3: of a process

void refuse_together(const Values& values, const char* one, const char* other) {
  if (values.said(one) && values.said(other))
    throw UsageError(std::string("--") + one + " and --" + other + " exclude each other");
}

[[noreturn]] void refuse_missing(const std::string& file, const std::string& why) {
  throw UsageError(
      "cannot read '" + file + "': " + why,
      "--auto derives the problem from memory and processes and writes such a file, --defaults takes "
      "the built-in one, --hpcc-n N gives the order");
}

[[noreturn]] void refuse_wrong(const std::string& faults) {
  throw UsageError("the input file is wrong, nothing is run", on_their_lines(faults));
}

/// Largest order N whose matrix takes at most so many bytes of each process.
std::int64_t order_of(double bytes, const hpcc::Grid& grid) {
  return static_cast<std::int64_t>(std::sqrt(bytes * static_cast<double>(grid.processes()) / 8));
}

/// Writer that keeps Success of the Summary of HPC Challenge.
class Verdict final : public formats::Writer {
 public:
  void run(const record::RunRecord&) override {}
  void point(const record::PointRecord&) override {}
  void summary(const record::SummaryRecord& summary) override {
    if (const auto success = record::whole_of(record::find(summary.classic, "Success")))
      success_ = *success == 1;
  }
  void end(const record::EndRecord&) override {}
  [[nodiscard]] const std::optional<bool>& success() const { return success_; }

 private:
  std::optional<bool> success_;
};

/// Common part of the front-ends hpcc and hpl: an input file, a BLAS, a text that is written while it is measured, and
/// an exit code that tells success.
class HpccFrontEndJob : public FrontEndJob {
 public:
  [[nodiscard]] mpi::ThreadLevel threads() const override {
    return compute_threads(invocation_.values) > 1 ? mpi::ThreadLevel::funneled : mpi::ThreadLevel::single;
  }
  /// Options with the rule of the exit code: 1 for a run that was measured without success.
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override {
    campaign::RunOptions options = FrontEndJob::options(prepared);
    options.is_success = [this] { return success(); };
    return options;
  }

 protected:
  /// Throws UsageError for words and files that are wrong.
  HpccFrontEndJob(const Invocation& invocation, HpccInput input)
      : FrontEndJob(invocation), input_(std::move(input)) {
    check_threads(invocation.values);
  }

  /// Chooses the BLAS that will compute, if one does, and finds the rates by which --auto chooses NB. Collective.
  void choose(const mpi::Communicator& world, const std::string& program, bool computes_with_blas) {
    const Values& values = invocation_.values;
    if (computes_with_blas) {
      const auto wish = blas_wish(values, hpcc::BlasWish::Kind::as_linked);
      blas_ = chosen_blas(world, program, compute_threads(values), wish);
      tell_blas(world, invocation_, *blas_);
    }
    rates_ = tried_blocks(values, input_, world, blas_);
  }
  [[nodiscard]] Place with_blas(const Place& place) const {
    Place here = place;
    here.blas = blas_;
    return here;
  }
  /// Writes the derived input, for the user. Throws Refused.
  void write_input(const std::filesystem::path& file) const {
    errno = 0;
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << hpcc::write_input(settings_);
    if (!out.flush()) refuse(file);
  }
  /// Opens the file of the text. Throws Refused.
  void open(const std::filesystem::path& file, std::ios::openmode mode) {
    errno = 0;
    out_.open(file, std::ios::binary | std::ios::out | mode);
    if (!out_) refuse(file);
  }
  /// The stream of the text: that file, opened, or standard output for "-". Throws Refused.
  [[nodiscard]] std::ostream& text_stream(const std::string& file, std::ios::openmode mode) {
    if (file == "-") return std::cout;
    open(file, mode);
    return out_;
  }
  /// Adds the text, and a writer that keeps its Success.
  void add_text(std::unique_ptr<formats::Writer> text, Destinations& to) {
    to.texts.push_back(std::move(text));
    auto verdict = std::make_unique<Verdict>();
    success_ = &verdict->success();
    to.texts.push_back(std::move(verdict));
  }
  [[nodiscard]] bool success() const { return success_ != nullptr && success_->value_or(false); }
  /// Throws Refused, with the reason that errno gives.
  [[noreturn]] static void refuse(const std::filesystem::path& file) {
    throw Refused("cannot write '" + file.string() + "': " + std::generic_category().message(errno));
  }

  HpccInput input_;
  std::shared_ptr<const hpcc::BlasInUse> blas_;  // nullptr if no test needs one
  std::vector<suites::PanelRate> rates_;
  hpcc::Settings settings_;
  std::ofstream out_;  // on rank 0

 private:
  const std::optional<bool>* success_ = nullptr;  // of one of the destinations' texts
};

/// The front-end hpcc: the tests of an input file in the order of the suite, hpccoutf.txt section by section,
/// records only with --out.
class HpccJob final : public HpccFrontEndJob {
 public:
  /// Throws UsageError for words and files that are wrong.
  explicit HpccJob(const Invocation& invocation)
      : HpccFrontEndJob(invocation, HpccInput(invocation.values)),
        chosen_(hpcc_chosen(invocation.values)),
        output_(invocation.values.need("output")) {}

  void arrive(const mpi::Communicator& world) override {
    choose(world, "hpcc", std::ranges::any_of(chosen_, hpcc::computes_with_blas));
  }
  [[nodiscard]] Prepared prepare(const Place& place) override {
    Prepared prepared = prepare_hpcc(invocation_.values, input_, chosen_, rates_, with_blas(place));
    settings_ = prepared.settings<hpcc::Definition>(hpcc::suite_name);
    for (const auto& block : prepared.plan.blocks)
      points_[block.benchmark] += static_cast<int>(block.points.size());
    dropped_ = dropped_orders(prepared);
    return prepared;
  }
  void finished(const campaign::RunResult& result, const Destinations&) override {
    tell_stop(result);
    if (out_.is_open() && !out_.flush()) refuse(output_);
    if (!invocation_.values.on("quiet") && out_.is_open())
      std::cout << "results  " << on_one_line(output_) << "  (Success=" << (success() ? 1 : 0) << ")"
                << std::endl;
  }

 private:
  void add_texts(Destinations& to) override {
    std::ostream& out =
        text_stream(output_, invocation_.values.on("truncate") ? std::ios::trunc : std::ios::app);
    if (input_.is_derived()) write_input(std::filesystem::path(output_).parent_path() / derived_hpcc_input);
    for (const auto& note : input_.notes()) std::cerr << "steelyard: input: " + note + '\n';
    for (const auto& sentence : dropped_)
      std::cerr << "steelyard: input: " + input_.name_of("ptrans-n", hpcc::extra_orders_line + 1) + ": " +
                       sentence + '\n';
    add_text(formats::hpcc_text(out, {points_, unix_now}), to);
  }

  std::vector<std::string> chosen_;
  std::string output_;
  std::map<std::string, int, std::less<>> points_;  // of the plan, by benchmark
  std::vector<std::string> dropped_;                // sentences
};

/// The same for the linear solver alone.
Prepared prepare_hpl(const Values& values, const HpccInput& input, std::span<const suites::PanelRate> rates,
                     const Place& place) {
  hpcc::Settings settings = input.settings(place, rates);
  set_problem(values, place.processes, settings.problem);
  set_solver(values, settings);
  set_solver_conduct(values, place, settings);
  settings.blas_wish = blas_wish(values, hpcc::BlasWish::Kind::as_linked);
  return planned(hpcc::as_built(std::move(settings)), {"HPL"}, place);
}

/// The front-end hpl: the linear solver alone by HPL.dat, its text on the device of lines 3 and 4, records
/// only with --out.
class HplJob final : public HpccFrontEndJob {
 public:
  /// Throws UsageError for words and files that are wrong.
  explicit HplJob(const Invocation& invocation)
      : HpccFrontEndJob(invocation, HpccInput(invocation.values, hpl_input)), file_(file()) {}

  void arrive(const mpi::Communicator& world) override { choose(world, "hpl", true); }
  [[nodiscard]] Prepared prepare(const Place& place) override {
    Prepared prepared = prepare_hpl(invocation_.values, input_, rates_, with_blas(place));
    settings_ = prepared.settings<hpcc::Definition>(hpcc::suite_name);
    return prepared;
  }
  void finished(const campaign::RunResult& result, const Destinations&) override {
    tell_stop(result);
    if (out_.is_open() && !out_.flush()) refuse(file_);
  }

 private:
  void add_texts(Destinations& to) override {
    auto& out = opened();
    if (input_.is_derived()) write_input(derived_hpl_input);
    add_text(formats::hpl_text(out, formats::HplVersion::v23, unix_now), to);
  }

  /// File of the text; empty: a stream of the process.
  [[nodiscard]] std::string file() const {
    if (const auto said = invocation_.values.word("output")) return *said;
    const auto device = input_.device();
    return device.is_file() ? device.file : "";
  }
  [[nodiscard]] std::ostream& opened() {
    if (file_.empty())
      return input_.device().number == hpcc::InputFile::standard_error ? std::cerr : std::cout;
    return text_stream(file_, std::ios::trunc);
  }

  std::string file_;  // of the text; empty: a stream of the process
};

}  // namespace

std::span<const Group> hpl_front_options() {
  static const std::array groups = {Group{"Input", hpcc_hpl_front_input}, hpcc_problem_group(),
                                    hpl_solver_group(), Group{"Output", hpcc_hpl_front_output},
                                    Group{"Start and talk", front_end_start}};
  return groups;
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

std::span<const Group> hpcc_front_options() {
  static const std::array groups = {Group{"Input", hpcc_front_input},
                                    Group{"What is measured", hpcc_front_what},
                                    hpcc_run_group(),
                                    hpl_group(),
                                    Group{"Output", hpcc_front_output},
                                    Group{"Start and talk", front_end_start}};
  return groups;
}

Strings parse_hpcc_tests(std::string_view word) {
  Strings names;
  for (const auto& one : comma_list(word)) {
    const auto found = named(one);
    names.insert(names.end(), found.begin(), found.end());
  }
  if (names.empty()) throw units::ParseError("'" + std::string(word) + "' names no test");
  return names;
}

Strings hpcc_chosen(const Values& values) {
  const auto only = listed(values, "only"), skip = listed(values, "skip");
  Strings chosen;
  for (const auto& name : all_names()) {
    const bool asked = !values.said("only") || has(only, name);
    if (asked && !has(skip, name) && wanted_generator(values, name)) chosen.push_back(name);
  }
  if (chosen.empty()) throw UsageError("--only, --skip and --random-generator leave no test");
  return chosen;
}

HpccMemory parse_hpcc_memory(std::string_view word) {
  try {
    const double share = units::parse_ratio(word);
    if (share <= 0) throw units::ParseError("must be above 0, got '" + std::string(word) + "'");
    return {share, std::nullopt};
  } catch (const units::ParseError&) {
    const auto size = units::parse_size(word);
    if (size < mebi)
      throw units::ParseError("must be a part of the memory such as 80%, or at least 1Mi, got '" +
                              std::string(word) + "'");
    return {std::nullopt, size};
  }
}

void check_hpcc_memory(std::string_view word) {
  if (!word.empty()) static_cast<void>(parse_hpcc_memory(word));
}

HpccInput::HpccInput(const Values& values, std::string_view file) : values_(values), name_(file) {
  refuse_together(values, "auto", "input");
  refuse_together(values, "auto", "defaults");
  refuse_together(values, "defaults", "input");
  refuse_together(values, "base", "optimized");
  if (values.said("auto")) kind_ = Kind::automatic;
  if (values.said("defaults")) kind_ = Kind::defaults;
  if (kind_ == Kind::file) read_file();
  if (kind_ == Kind::defaults) read_memory_file();
}

void HpccInput::read_file() {
  name_ = values_.word_or("input", name_);
  std::string why;
  const auto found = read_text(name_, why);
  if (!found && (values_.said("input") || !values_.said("hpcc-n"))) refuse_missing(name_, why);
  if (!found) kind_ = Kind::options;
  text_ = found.value_or("");
  if (found) static_cast<void>(parsed());
}

void HpccInput::read_memory_file() {
  std::string why;
  const auto found = read_text(memory_file, why);
  if (!found) return;
  const std::string line = found->substr(0, found->find_first_of("\r\n"));
  constexpr std::string_view kinds[] = {"Total=", "Thread=", "Process="};
  for (int code = 1; code <= 3; ++code) {
    const auto kind = kinds[code - 1];
    if (!line.starts_with(kind)) continue;
    try {
      memory_file_ = {code, units::parse_number(line.substr(kind.size()))};
      if (memory_file_->mebibyte > 0) return;
    } catch (const units::ParseError&) {
    }
  }
  throw UsageError(std::string(memory_file) +
                   ":1: must be Total=, Thread= or Process= and a number of MiB, found \"" + line + '"');
}

hpcc::InputFile HpccInput::parsed(std::optional<int> processes) const {
  try {
    return hpcc::read_input(text_, name_, {}, processes);
  } catch (const hpcc::InputError& error) {
    refuse_wrong(error.lines());
  }
}

std::vector<std::string> HpccInput::notes() const {
  std::vector<std::string> sentences;
  if (kind_ != Kind::file) return sentences;
  for (const auto& note : parsed().notes)
    if (!values_.said(note.line == hpcc::extra_orders_line ? "ptrans-n" : "ptrans-nb"))
      sentences.push_back("line " + std::to_string(note.line) + ": " + note.what);
  return sentences;
}

std::string HpccInput::name_of(std::string_view option, int line) const {
  const OptionWords* said = values_.said(option) ? values_.find(option) : nullptr;
  return said != nullptr ? said->origin : "line " + std::to_string(line);
}

HpccInput::Device HpccInput::device() const {
  if (kind_ != Kind::file) return {};
  const auto file = parsed();
  const Device device{file.device, file.output};
  if (device.is_file() && device.file.empty())
    refuse_wrong(name_ + ":3: must name the file of device " + std::to_string(device.number) +
                 ", found \"end of line\"");
  return device;
}

hpcc::Settings HpccInput::settings(const Place& place, std::span<const suites::PanelRate> rates) const {
  hpcc::Settings settings;
  // Grids of an option stand above those of the file, which may be of another job.
  const auto processes = values_.said("hpcc-grid") ? std::nullopt : std::optional(place.processes);
  if (kind_ == Kind::file) settings = parsed(processes).settings;
  if (kind_ == Kind::defaults) take_defaults(place, settings);
  if (kind_ == Kind::automatic) derive(place, rates, settings);
  return settings;
}

/// Memory of a process, of which the file tells that of all, of a thread, or itself.
double HpccInput::of_process(const MemoryFile& file, int processes) const {
  if (file.code == of_all) return file.mebibyte / processes;
  if (file.code == of_thread) return file.mebibyte * compute_threads(values_);
  return file.mebibyte;
}

void HpccInput::take_defaults(const Place& place, hpcc::Settings& settings) const {
  constexpr double without_file = 64;
  double mebibyte = without_file;
  if (memory_file_) {
    mebibyte = of_process(*memory_file_, place.processes);
    settings.memory = {memory_file_->code, memory_file_->mebibyte, mebibyte};
  }
  settings.problem = hpcc::default_problem(mebibyte, place.processes);
}

void HpccInput::derive(const Place& place, std::span<const suites::PanelRate> rates,
                       hpcc::Settings& settings) const {
  const auto word = values_.word_or("auto", "");
  const auto memory = word.empty() ? HpccMemory{automatic_share, std::nullopt} : parse_hpcc_memory(word);
  const auto usable = static_cast<double>(usable_byte(place));
  if (memory.share && usable <= 0)
    throw UsageError("--auto: the usable memory cannot be found out here",
                     "--auto SIZE tells that of a process");
  const double bytes =
      memory.share ? *memory.share * usable : static_cast<double>(memory.of_process->count());
  const auto grid = hpcc::default_grid(place.processes);
  const auto said = values_.word("hpcc-nb");
  const auto largest = order_of(bytes, grid);
  const auto block = said ? std::ranges::max(parse_blocks(*said)) : hpcc::hpl::best_block(rates, largest);
  const auto order = hpcc::rounded_order(largest, block);
  settings.problem = {{order}, {block}, {grid}};
  const std::string amount = units::format_significant(bytes / static_cast<double>(mebi.count()), 4) + " MiB";
  const auto reason = said ? std::string() : hpcc::hpl::block_reason(rates, largest);
  settings.derivation =
      "N: the matrix takes at most " + amount + " of each of " + std::to_string(grid.processes()) +
      " processes" +
      (memory.share ? " (" + units::format_significant(100 * *memory.share, 3) + " % of what is usable)"
                    : "") +
      (order % (2 * block) == 0 ? ", and N is a multiple of 2 NB" : ", which holds no multiple of 2 NB") +
      "; P x Q: as square as possible, P <= Q" + (reason.empty() ? "" : "; ") + reason;
}

}  // namespace steelyard::cli
