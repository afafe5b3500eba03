// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "hpcc/front_end.hpp"
#include "hpcc/options.hpp"
#include "measuring/computing.hpp"
#include "options/checks.hpp"
#include "options/shared_options.hpp"
#include "process/descriptor.hpp"
#include "process/errors.hpp"
#include "suites/hpcc/definition.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

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

}  // namespace

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
