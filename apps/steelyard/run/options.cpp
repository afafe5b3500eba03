// SPDX-License-Identifier: Apache-2.0
#include "run/options.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "hpcc/hpl_options.hpp"
#include "hpcc/options.hpp"
#include "measuring/compute_threads.hpp"
#include "measuring/selection.hpp"
#include "options/checks.hpp"
#include "options/schedule_options.hpp"
#include "options/shared_options.hpp"
#include "process/errors.hpp"
#include "process/launched.hpp"
#include "screening/options.hpp"
#include "units/utc.hpp"

namespace steelyard::cli {
namespace {

constexpr auto allowed = OnResume::allowed;
constexpr auto never_in_file = InFile::no;

constexpr Option words_run_what[] = {
    {.name = "preset",
     .kind = Kind::word,
     .fallback = "quick",
     .help = "selection, schedule and budgets; 'steelyard list --presets' shows them",
     .words = "quick standard official"},
    {.name = "exclude", .kind = Kind::pattern, .help = "removes from the selection", .repeat = Repeat::many},
    {.name = "np",
     .kind = Kind::counts,
     .fallback_text = "the suite's rule",
     .help = "numbers of processes: 2,4,8, "
             "2..16*2, pow2 (2, 4, 8 ... and all), all (every number from 2)"},
    {.name = "sizes",
     .kind = Kind::sizes,
     .fallback_text = "the suite's rule",
     .help = "message sizes: 0,1..4Mi"},
    {.name = "not-official",
     .help = "permits sizes where a suite prescribes its own: messages of b-eff and chunks of b-eff-io go "
             "up to the largest of --sizes, and the summary says so"},
    {.name = "map",
     .kind = Kind::special,
     .argument = "PxQ",
     .help = "numbers the processes row by row of a P x Q matrix "
             "that was filled column by column",
     .check = check_map},
    {.name = "groups",
     .kind = Kind::word,
     .fallback = "one",
     .help = "one group of processes, or as many as fit side by "
             "side",
     .words = "one all"},
    threads_option,
    {.name = "memory",
     .kind = Kind::size,
     .fallback_text = "from the limits",
     .help = "memory per process that "
             "benchmarks may plan with",
     .check = check_size_above_0},
    {.name = "memory-fraction",
     .kind = Kind::ratio,
     .fallback = "80%",
     .help = "part of the usable memory that benchmarks may plan with; the rest is for the MPI library and "
             "the system"},
    {.name = "off-cache",
     .kind = Kind::special,
     .argument = "SIZE[,LINE]|auto",
     .fallback_text = "off",
     .help = "keeps buffers out of a cache of this size; auto is the last-level cache",
     .check = check_cache},
    io_directory_option("./steelyard-io"),
    io_hint_option,
};

constexpr Option how[] = {
    {.name = "schedule",
     .kind = Kind::special,
     .argument = "RULE",
     .fallback = "suite",
     .help = "suite, adaptive, fixed:N operations, or time:DURATION a point",
     .check = check_schedule},
    {.name = "ci",
     .kind = Kind::ratio,
     .fallback = "2%",
     .help = "adaptive: half-width of the 95 % interval over the "
             "median to reach"},
    {.name = "min-batches",
     .kind = Kind::count,
     .fallback = "8",
     .help = "adaptive: least batches of a point",
     .low = 1,
     .high = 1 << 20},
    {.name = "max-batches",
     .kind = Kind::count,
     .fallback = "4096",
     .help = "adaptive: most batches of a point",
     .low = 1,
     .high = 1 << 20},
    {.name = "warm-up",
     .kind = Kind::count,
     .fallback_text = "the rule's",
     .help = "fixed: operations before timing",
     .low = 1,
     .high = 1 << 30},
    {.name = "rounds",
     .kind = Kind::count,
     .fallback = "1",
     .help = "suite: repeats the suite's whole rule and takes the "
             "median of the values; where screen alone is measured: rounds of --pairs sample",
     .low = 1,
     .high = 64},
    {.name = "point-budget",
     .kind = Kind::duration,
     .fallback = "2s",
     .help = "adaptive: longest time for one point",
     .check = check_duration_above_0},
    {.name = "budget",
     .kind = Kind::duration,
     .fallback_text = "none",
     .help = "most time for everything, of each launch with --launches; less if all intervals are "
             "reached; the plan is shrunk to it before the start",
     .on_resume = allowed},
    {.name = "deadline",
     .kind = Kind::special,
     .argument = "TIME",
     .fallback_text = "a minute before the job's end",
     .help = "stop in order before this time: 2026-11-20T18:00 or +45m",
     .check = check_deadline,
     .on_resume = allowed},
    {.name = "give-up",
     .kind = Kind::duration,
     .fallback_text = "never",
     .help =
         "end the run, to be resumed, when a block takes so much longer than planned: a host or a "
         "process may be lost, and others wait for it; 0: never, also where a file or an earlier run says "
         "a time",
     .on_resume = allowed},
    {.name = "sizes-of",
     .kind = Kind::directory,
     .fallback_text = "by the rates of this machine",
     .help =
         "the sizes of experiments of an earlier run, with the same words and budget, so that both can be "
         "compared point by point"},
    {.name = "verify",
     .kind = Kind::word,
     .fallback = "suite",
     .help = "checks of the data outside the timed region: the suite's few operations of each point, none, "
             "one, or as many as the suite's own rule repeats",
     .words = "suite off sample all"},
    {.name = "samples",
     .kind = Kind::word,
     .fallback = "thin",
     .help = "batch values kept in a record: none, up to 32, or every one (merged over the ranks)",
     .words = "none thin all"},
    {.name = "confirm",
     .kind = Kind::count,
     .fallback = "0",
     .help = "measure points that stand out from their "
             "neighbours again, so often",
     .low = 0,
     .high = 5},
    {.name = "order",
     .kind = Kind::word,
     .fallback = "plan",
     .help = "order of the tables",
     .words = "plan random"},
    {.name = "seed",
     .kind = Kind::count,
     .fallback = "1",
     .help = "of all random choices",
     .low = 0,
     .high = (std::int64_t{1} << 53) - 1},
    {.name = "clock",
     .kind = Kind::word,
     .fallback = "auto",
     .help = "source of time",
     .words = "auto raw mono tsc mpi"},
    {.name = "sync",
     .kind = Kind::word,
     .fallback = "suite",
     .help = "what precedes each operation, which is then timed alone; suite is the benchmark's own way",
     .words = "suite none barrier barrier2 dissemination window"},
    {.name = "timing",
     .kind = Kind::word,
     .fallback = "suite",
     .help = "where the clock is read: around a visit, between batches, around each operation",
     .words = "suite whole batch each"},
    {.name = "buffer-align",
     .kind = Kind::count,
     .fallback = "64",
     .help = "first address of buffers: a multiple of this power of two, in bytes",
     .low = 1,
     .high = 1 << 21},
    {.name = "huge-pages",
     .kind = Kind::word,
     .fallback = "system",
     .help =
         "what the kernel is asked for the buffers: nothing, no huge pages, huge pages if it likes, or pages "
         "of the pool that is set aside (points fail without it)",
     .words = "system off madvise explicit"},
    {.name = "buffer-kind",
     .kind = Kind::word,
     .fallback = "plain",
     .help = "memory of the buffers: the system's, or that of MPI_Alloc_mem (imb-mpi1)",
     .words = "plain mpi"},
    {.name = "wait-quiet",
     .kind = Kind::duration,
     .fallback_text = "0",
     .help = "wait before each block, so long at most "
             "in total, until the other load is small"},
    {.name = "idle",
     .kind = Kind::word,
     .fallback = "sleep",
     .help = "what processes do that wait for a block's end",
     .words = "sleep spin"},
};

constexpr Option results[] = {
    {.name = "out",
     .letter = 'o',
     .kind = Kind::directory,
     .fallback_text = "steelyard-results/<run id>",
     .help = "result directory; - writes the records to standard output and no table",
     .on_resume = allowed},
    {.name = "append", .help = "a new run in an existing file", .on_resume = allowed},
    {.name = "resume",
     .help = "continue the last run of --out DIR",
     .on_resume = allowed,
     .in_file = never_in_file},
    {.name = "retry",
     .kind = Kind::special,
     .argument = "WHICH",
     .fallback = "failed,partial",
     .help = "what a resume measures again besides what is missing: none, failed, partial, skipped, all",
     .check = check_retry,
     .on_resume = allowed},
    {.name = "force",
     .help = "resume although machine, MPI or program differ",
     .on_resume = allowed,
     .in_file = never_in_file},
    {.name = "name",
     .kind = Kind::text,
     .fallback_text = "host name",
     .help = "the machine's name in reports",
     .on_resume = allowed},
    {.name = "label",
     .kind = Kind::special,
     .argument = "KEY=VALUE",
     .help = "words of your own for the run record",
     .check = check_label,
     .repeat = Repeat::many,
     .on_resume = allowed},
    {.name = "anonymous", .help = "no host names, paths and job names in any record", .on_resume = allowed},
    {.name = "table",
     .kind = Kind::word,
     .argument = "STYLE",
     .fallback = "steelyard",
     .help = "tables on standard output: steelyard is short on a terminal, a row per benchmark, and long "
             "elsewhere, a row per point; original is the text of the classic program",
     .words = "steelyard short long original none",
     .former = "seed=original",
     .on_resume = allowed},
    {.name = "fail-on-warning",
     .help = "exit code 3 if anything was to be warned of, where it would be 0",
     .on_resume = allowed},
    {.name = "report", .help = "write report.html beside the records at the end", .on_resume = allowed},
};

constexpr Option start[] = {
    {.name = "launch",
     .letter = 'n',
     .kind = Kind::special,
     .argument = "N|auto",
     .fallback_text = "auto when not under "
                      "a launcher",
     .help =
         "start N processes through the MPI launcher; auto: one for each usable core or, in a job on several "
         "nodes, for each of its tasks, at least 2",
     .check = check_launch,
     .on_resume = allowed},
    no_launch_option,
    launcher_option,
    {.name = "bind",
     .kind = Kind::word,
     .fallback = "launcher",
     .help = "what the launcher is told to bind each process to; launcher is its own habit, or none "
             "with --threads",
     .words = "launcher none core numa socket",
     .on_resume = allowed},
    allow_root_option,
    {.name = "launches",
     .kind = Kind::count,
     .argument = "K",
     .fallback = "1",
     .help =
         "start the processes K times; each is a run of its own, with a budget of its own, tied by a common "
         "series",
     .low = 1,
     .high = 1000},
    {.name = "plan",
     .help = "print points, memory and time estimate; measure nothing",
     .on_resume = allowed,
     .in_file = never_in_file},
    {.name = "print-environment",
     .help = "print what the run record would say about this machine; measure nothing",
     .on_resume = allowed,
     .in_file = never_in_file},
    {.name = "progress",
     .kind = Kind::word,
     .argument = "MODE",
     .fallback = "auto",
     .help = "progress on standard error",
     .words = "auto bar lines json none",
     .on_resume = allowed},
};

const std::array groups{Group{"What", words_run_what},
                        Group{"How", how},
                        hpcc_run_group(),
                        hpl_group(),
                        screen_group(),
                        Group{"Results", results},
                        Group{"Start and talk", start}};

}  // namespace

std::span<const Group> run_options() {
  return groups;
}

namespace {

// Presets, configuration files and variables serve many runs and may say what the chosen schedule does not use;
// a command line may not.
void refuse_unless(bool fits, const Values& values, std::string_view option, const std::string& needs) {
  if (!fits && values.typed(option)) throw UsageError("--" + std::string(option) + ": needs " + needs);
}

void refuse_both_said(const Values& values, std::string_view a, std::string_view b) {
  if (values.typed(a) && values.typed(b))
    throw UsageError("--" + std::string(a) + " and --" + std::string(b) + " exclude each other");
}

void check_schedule_options(const Invocation& invocation) {
  const Values& values = invocation.values;
  using Schedule = ScheduleWords::Kind;
  const Schedule kind = parse_schedule(values.need("schedule")).kind;
  for (const char* name : {"ci", "min-batches", "max-batches", "point-budget"})
    refuse_unless(kind == Schedule::adaptive, values, name, "--schedule adaptive");
  refuse_unless(kind == Schedule::fixed, values, "warm-up", "--schedule fixed:N");
  if (values.typed("rounds"))
    refuse_unless(kind == Schedule::suite || only_screens(invocation), values, "rounds", "--schedule suite");
  if (*values.count("min-batches") > *values.count("max-batches"))
    throw UsageError("--min-batches: " + values.need("min-batches") + " is more than --max-batches " +
                     values.need("max-batches"));
  if (*values.ratio("ci") <= 0) throw UsageError("--ci: must be above 0");
}

void check_timing(const Values& values) {
  const bool own_rule = parse_schedule(values.need("schedule")).kind == ScheduleWords::Kind::suite;
  for (const char* name : {"sync", "timing"})
    refuse_unless(!own_rule || values.word(name) == "suite", values, name,
                  "--schedule adaptive, fixed:N or time:DURATION");
  const auto sync = values.need("sync");
  const bool separates = sync != "suite" && sync != "none";
  if (separates && values.word("timing") != "suite" && values.word("timing") != "each")
    throw UsageError("--sync: " + sync + " needs --timing each");
  if (values.word("buffer-kind") == "mpi") refuse_unless(false, values, "huge-pages", "--buffer-kind plain");
  if (!std::has_single_bit(static_cast<std::uint64_t>(*values.count("buffer-align"))))
    throw UsageError("--buffer-align: must be a power of two, got '" + values.need("buffer-align") + "'");
}

// A record is a line of at most 1 MiB.
void check_samples(const Values& values) {
  constexpr std::int64_t most = 32768;
  if (values.word("samples") == "all" && *values.count("max-batches") > most)
    throw UsageError("--samples: all keeps at most " + std::to_string(most) +
                     " batches of a point, --max-batches says " + values.need("max-batches"));
}

void check_memory(const Values& values) {
  refuse_both_said(values, "memory", "memory-fraction");
  if (*values.ratio("memory-fraction") <= 0) throw UsageError("--memory-fraction: must be above 0");
}

void check_results(const Values& values) {
  const bool stream = values.word("out") == "-";
  refuse_both_said(values, "append", "resume");
  refuse_both_said(values, "sizes-of", "resume");
  refuse_unless(values.on("resume"), values, "force", "--resume");
  refuse_unless(values.on("resume"), values, "retry", "--resume");
  refuse_unless(values.said("out") && !stream, values, "append", "--out DIR");
  refuse_unless(values.said("out") && !stream, values, "resume", "--out DIR");
  refuse_unless(!stream, values, "report", "a result directory");
  if (stream && values.typed("table") && values.word("table") != "none")
    throw UsageError("--table: standard output carries the records (--out -)");
}

void check_start(const Invocation& invocation) {
  const Values& values = invocation.values;
  refuse_both_said(values, "launch", "no-launch");
  const bool several = *values.count("launches") > 1;
  const bool at_resume = values.on("resume") && values.typed("launches");  // else the run's own number counts
  if (several && (values.on("no-launch") || at_resume || values.word("out") == "-"))
    throw UsageError("--launches: cannot be combined with --no-launch, --resume or --out -");
  const bool binds = values.word("bind") != "launcher";
  if (binds && (values.on("no-launch") || values.said("launcher")))
    throw UsageError("--bind: needs the launcher found at build time, without --launcher and --no-launch");
  if (const auto deadline = values.word("deadline"); deadline && !invocation.from_parent)
    if (const double now = units::unix_now_s(); parse_deadline(*deadline, now) <= now)
      throw UsageError("--deadline: " + *deadline + " has passed");
  if (invocation.from_parent || !under_launcher()) return;
  if (binds) throw UsageError("--bind: already started by mpiexec, which binds");
  if (const OptionWords* launch = values.find("launch"); launch != nullptr && values.said("launch"))
    throw UsageError(launch->origin + ": already started by mpiexec");
  if (several) throw UsageError("--launches: already started by mpiexec");
}

}  // namespace

void check_combinations(const Invocation& invocation) {
  check_schedule_options(invocation);
  check_timing(invocation.values);
  check_samples(invocation.values);
  check_memory(invocation.values);
  check_results(invocation.values);
  check_start(invocation);
}

}  // namespace steelyard::cli
