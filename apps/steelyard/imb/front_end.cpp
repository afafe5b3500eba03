// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "formats/imb/head.hpp"
#include "formats/imb/text.hpp"
#include "formats/writer.hpp"
#include "imb/options.hpp"
#include "machine/build_info.hpp"
#include "measuring/measuring.hpp"
#include "options/checks.hpp"
#include "process/errors.hpp"
#include "suites/imb/part_definition.hpp"

// Commands of IMB's parts: what each measures, its options and examples of them.

namespace steelyard::cli {
namespace {

// Writer of -dumpfile. Throws Refused if the file cannot be written.
std::unique_ptr<formats::Writer> dump_to(const std::string& file) {
  auto out = std::make_unique<std::ofstream>(file, std::ios::binary | std::ios::trunc);
  if (!*out)
    throw Refused("-dumpfile: cannot write '" + file + "': " + std::generic_category().message(errno));
  return formats::imb_dump(std::move(out));
}

// A classic front-end of the imb suites: IMB's schedule, IMB's text on standard output, records only with --out.
class ImbJob final : public FrontEndJob {
 public:
  explicit ImbJob(const Invocation& invocation) : FrontEndJob(invocation) {}

  [[nodiscard]] mpi::ThreadLevel threads() const override {
    const bool of_threads = &imb_part(invocation_) == &imb::mt();
    if (of_threads && threads_of_mt(invocation_.values) > 1) return mpi::ThreadLevel::multiple;
    const std::string word = invocation_.values.word_or("thread_level", "single");
    if (word == "funneled") return mpi::ThreadLevel::funneled;
    if (word == "serialized") return mpi::ThreadLevel::serialized;
    return word == "multiple" ? mpi::ThreadLevel::multiple : mpi::ThreadLevel::single;
  }
  [[nodiscard]] FileWishes files() const override {
    const OptionWords* named = invocation_.values.find("io-dir");
    FileWishes wishes{invocation_.values.word_or("io-dir", "."), {}, named == nullptr ? "" : named->origin};
    for (const std::string& hint : invocation_.values.list("hint")) wishes.hints.push_back(parse_label(hint));
    return wishes;
  }
  [[nodiscard]] Prepared prepare(const Place& place) override {
    Prepared prepared = prepare_imb(invocation_, place);
    const imb::Settings& settings = prepared.settings<imb::PartDefinition>(imb_part(invocation_).name);
    show_tail_ = settings.show_tail;
    dump_ = settings.dump;
    without_effect_ = settings.without_effect;
    check_ = settings.check;
    if (prepared.plan.measurable() == 0 && prepared.plan.points() > 0)
      obstacle_ = ": " + prepared.plan.blocks.front().points.front().skip_text;
    return prepared;
  }
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override {
    campaign::RunOptions options = FrontEndJob::options(prepared);
    options.verify = check_;
    return options;
  }
  /// Tells on standard error why nothing was measured, or what stopped it: a script that keeps the text sees the exit
  /// code alone.
  void finished(const campaign::RunResult& result, const Destinations&) override {
    if (result.exit_code == exit_code::refused)
      std::cerr << "steelyard: nothing was measured" + obstacle_ << std::endl;
    tell_stop(result);
  }

 private:
  void add_texts(Destinations& to) override {
    warn_of_words_without_effect();
    const Values& values = invocation_.values;
    formats::ImbTextOptions text;
    text.show_tail = show_tail_;
    text.headless = values.on("noheader");
    to.texts.push_back(formats::imb_text(std::cout, text));
    if (dump_) to.texts.push_back(dump_to(values.need("dumpfile")));
  }

  // The head says it too, but not everybody has one.
  void warn_of_words_without_effect() const {
    for (const std::string& words : without_effect_)
      std::cerr << "steelyard: warning: " << words << " changes nothing in " << invocation_.command->name
                << std::endl;
  }

  bool show_tail_ = false;
  bool dump_ = false;
  bool check_ = false;
  std::string obstacle_;  // of the first point, where none can be measured
  std::vector<std::string> without_effect_;
};

void refuse_other_memory(const Values& values) {
  const auto memory = values.word("mem_alloc_type");
  if (memory && *memory != "cpu")
    throw Refused("-mem_alloc_type " + *memory + ": no GPU support in this build");
}

int print_list(const imb::Part& part, imb::Version version) {
  if (speaks_for_all())
    std::cout << formats::imb_list(part, version, machine::build_info().version) << std::flush;
  return exit_code::done;
}

/// Runs the command, whose name is that of a part of IMB: -list, a launch, or the measurement. Returns the exit code.
int run_imb(const Invocation& invocation) {
  const Values& values = invocation.values;
  const imb::Part& part = imb_part(invocation);
  if (values.on("list")) return print_list(part, imb::defaults(part, rule_set(values)).version);
  refuse_other_memory(values);
  // Names and files are looked at before anything is started.
  static_cast<void>(imb_names(part, values, imb_settings(part, values, {}).version));
  return run_front_end<ImbJob>(invocation);
}

constexpr int imb_exit_codes[] = {0, 1, 2, 4, 5, 70};

/// The command of a part of IMB. `link`: name of the classic program; empty if there is none.
Command imb_command(std::string_view name, std::string_view link, std::string_view summary,
                    std::string_view description, std::span<const Group> groups,
                    std::span<const std::string_view> examples,
                    std::string_view see_also = "steelyard help run", NameCase names = NameCase::as_written) {
  return {.name = name,
          .section = "Classic programs",
          .summary = summary,
          .description = description,
          .positional = {"NAME", Kind::text, Repeat::many,
                         "benchmarks, separated by blanks or commas, in any case"},
          .groups = groups,
          .examples = examples,
          .exit_codes = imb_exit_codes,
          .see_also = see_also,
          .dashes = DashStyle::one_or_two,
          .names = names,
          .link = link,
          .run = run_imb};
}

constexpr std::string_view imb_mpi1_examples[] = {
    "mpiexec -n 4 steelyard imb-mpi1 PingPong Allreduce",
    "steelyard imb-mpi1 -n 2 -npmin 2 -msglog 0:10 Sendrecv",
    "steelyard imb-mpi1 --launch 4 -multi 0 -map 2x2 PingPong --out imb-results"};

constexpr std::string_view imb_ext_examples[] = {
    "mpiexec -n 2 steelyard imb-ext Unidir_Put Unidir_Get",
    "steelyard imb-ext -n 2 -aggregate_mode non_aggregate Bidir_Put",
    "steelyard imb-ext --launch 4 -multi 0 Accumulate --check"};

constexpr std::string_view imb_io_examples[] = {
    "mpiexec -n 4 steelyard imb-io P_Write_Indv C_Write_Indv",
    "steelyard imb-io -n 2 --io-dir /scratch S_Read_Expl -dropcache",
    "steelyard imb-io --launch 2 -msglog 10:20 P_IWrite_Shared --hint cb_nodes=1"};

constexpr std::string_view imb_nbc_examples[] = {"mpiexec -n 4 steelyard imb-nbc Iallreduce Iallreduce_pure",
                                                 "steelyard imb-nbc -n 4 --progress-calls 10 Ialltoall",
                                                 "steelyard imb-nbc --launch 4 -msglog 10:20 Ibcast --check"};

constexpr std::string_view imb_mpi4_examples[] = {
    "mpiexec -n 4 steelyard imb-mpi4 Allreduce_persist Allreduce_persist_pure",
    "steelyard imb-mpi4 -n 4 --progress-calls 10 Alltoall_persist",
    "steelyard imb-mpi4 --launch 4 -msglog 10:20 Bcast_persist --check"};

constexpr std::string_view mpi4_examples[] = {
    "mpiexec -n 2 steelyard mpi4 PingPong_persist PingPong_part",
    "steelyard mpi4 -n 6 -cart 3x2 Halo_p2p Neighbor_alltoall",
    "steelyard mpi4 --launch 4 -msglog 10:20 Allreduce_init --check"};

constexpr std::string_view imb_rma_examples[] = {
    "mpiexec -n 2 steelyard imb-rma Unidir_put Unidir_get",
    "steelyard imb-rma --launch 4 All_put_all Exchange_put --check",
    "steelyard imb-rma -n 2 -aggregate_mode aggregate --outstanding 64 Accumulate",
    "steelyard imb-rma -n 2 Truly_passive_put -msglog 3:16"};

constexpr std::string_view imb_p2p_examples[] = {
    "mpiexec -n 4 steelyard imb-p2p PingPong Stencil2D",
    "steelyard imb-p2p -n 4 -iter 1000,80 -msgwr off -msgrd off Corandom",
    "steelyard imb-p2p --launch 8 -msglog 3:20 -pause 100000 Unirandom --check"};

constexpr std::string_view imb_mt_examples[] = {
    "mpiexec -n 2 steelyard imb-mt --threads 4 PingPongMT UniBandMT",
    "steelyard imb-mt -n 4 -stride 1 -count 1,1024 SendRecvMT",
    "steelyard imb-mt --launch 2 --threads 2 -datatype char AllReduceMT --check"};

}  // namespace

const Command imb_mpi1_command = imb_command(
    "imb-mpi1", "IMB-MPI1", "IMB-MPI1: its words, its rules, its text",
    "Measures point-to-point and collective MPI operations by the rules of IMB-MPI1 and prints its text. "
    "Words stand in any order; one dash and two are equal. Without a NAME the default set is measured. "
    "Records are written only with --out.",
    imb_mpi1_options, imb_mpi1_examples);

const Command imb_ext_command = imb_command(
    "imb-ext", "IMB-EXT", "IMB-EXT: its words, its rules, its text",
    "Measures one-sided communication of MPI by the rules of IMB-EXT and prints its text: transfers "
    "completed together (aggregate) and one by one (non-aggregate). Words stand in any order; one dash and "
    "two are equal. Without a NAME all benchmarks are measured. Records are written only with --out.",
    imb_ext_options, imb_ext_examples);

const Command imb_io_command = imb_command(
    "imb-io", "IMB-IO", "IMB-IO: its words, its rules, its text",
    "Measures reading and writing of files with MPI by the rules of IMB-IO and prints its text. Files are "
    "made in a directory of our own below --io-dir and removed at the end. Words stand in any order; one "
    "dash and two are equal. Without a NAME all benchmarks are measured. Records are written only with "
    "--out.",
    imb_io_options, imb_io_examples, "steelyard help doctor");

const Command imb_nbc_command = imb_command(
    "imb-nbc", "IMB-NBC", "IMB-NBC: its words, its rules, its text",
    "Measures non-blocking collectives of MPI by the rules of IMB-NBC and prints its text: how long each "
    "takes alone, how long with a computation of the same length between start and wait, and how much of "
    "it that hides. Words stand in any order; one dash and two are equal. Without a NAME all benchmarks "
    "with a computation are measured. Records are written only with --out.",
    imb_nbc_options, imb_nbc_examples);

const Command imb_mpi4_command = imb_command(
    "imb-mpi4", "IMB-MPI4", "IMB-MPI4: its words, its rules, its text",
    "Measures persistent collectives of MPI-4 by the rules of IMB-MPI4 and prints its text: how long each "
    "takes from start to wait alone, how long with a computation of the same length between, and how much "
    "of it that hides. Requests are made and freed outside the clock, which records tell. Words stand in "
    "any order; one dash and two are equal. Without a NAME all benchmarks with a computation are measured.",
    imb_mpi4_options, imb_mpi4_examples);

const Command mpi4_command = imb_command(
    "mpi4", "", "requests, parts and neighbours of MPI-4, in the text of IMB",
    "Measures what no program of IMB does: messages by persistent requests beside the same messages "
    "without, what making the request of a collective costs and after how many executions it has paid for "
    "itself, messages in parts and how many of them leave while the rest is computed, collectives of "
    "neighbours beside messages to the same neighbours. Words and text are those of IMB. Without a NAME "
    "all benchmarks but two are measured, as far as the MPI library has their functions.",
    own_mpi4_options, mpi4_examples);

const Command imb_rma_command = imb_command(
    "imb-rma", "IMB-RMA", "IMB-RMA: its words, its rules, its text",
    "Measures one-sided communication with passive targets by the rules of IMB-RMA and prints its text: "
    "put, get, accumulate, fetch, swap, completed one by one by a flush (non-aggregate) or together "
    "(aggregate). Words stand in any order; one dash and two are equal. Without a NAME all benchmarks of "
    "the default set are measured. Records are written only with --out.",
    imb_rma_options, imb_rma_examples);

const Command imb_p2p_command = imb_command(
    "imb-p2p", "IMB-P2P", "IMB-P2P: its words, its rules, its text",
    "Measures patterns of messages among all processes by the rules of IMB-P2P and prints its text: pairs, "
    "random pairs and rings, grids of neighbours. Words stand in any order; one dash and two are equal, "
    "and so are small and capital letters of names. Without a NAME all benchmarks are measured. Records "
    "are written only with --out.",
    imb_p2p_options, imb_p2p_examples, "steelyard help run", NameCase::any);

const Command imb_mt_command = imb_command(
    "imb-mt", "IMB-MT", "IMB-MT: its words, its rules, its text",
    "Measures what several threads of every process do at the same time, by the rules of IMB-MT, and "
    "prints its text. More than one thread needs MPI_THREAD_MULTIPLE. Words stand in any order; one dash "
    "and two are equal. Without a NAME all benchmarks are measured. Records are written only with --out.",
    imb_mt_options, imb_mt_examples);

}  // namespace steelyard::cli
