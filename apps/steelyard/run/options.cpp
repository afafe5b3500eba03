// SPDX-License-Identifier: Apache-2.0
#include "run/options.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "hpcc/options.hpp"
#include "measuring/computing.hpp"
#include "measuring/selection.hpp"
#include "options/checks.hpp"
#include "options/shared_options.hpp"
#include "process/errors.hpp"
#include "process/launched.hpp"
#include "screening/options.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

constexpr auto allowed = OnResume::allowed;
constexpr auto never_in_file = InFile::no;

constexpr Option words_run_what[] = {
    {"preset", Kind::word, "selection, schedule and budgets; 'steelyard list --presets' shows them",
     Fallback{"quick"}, OneOf{"quick standard official"}},
    {"exclude", Kind::pattern, "removes from the selection", Repeat::many},
    {"np", Kind::counts,
     "numbers of processes: 2,4,8, 2..16*2, pow2 (2, 4, 8 ... and all), all (every number from 2)",
     FallbackText{"the suite's rule"}},
    {"sizes", Kind::sizes, "message sizes: 0,1..4Mi", FallbackText{"the suite's rule"}},
    {"not-official",
     "permits sizes where a suite prescribes its own: messages of b-eff and chunks of b-eff-io go up to the "
     "largest of --sizes, and the summary says so"},
    {"map", Kind::special,
     "numbers the processes row by row of a P x Q matrix that was filled column by column", Argument{"PxQ"},
     parses<parse_map>},
    {"groups", Kind::word, "one group of processes, or as many as fit side by side", Fallback{"one"},
     OneOf{"one all"}},
    threads_option,
    {"memory", Kind::size, "memory per process that benchmarks may plan with",
     FallbackText{"from the limits"}, check_size_above_0},
    {"memory-fraction", Kind::ratio,
     "part of the usable memory that benchmarks may plan with; the rest is for the MPI library and the "
     "system",
     Fallback{"80%"}},
    {"off-cache", Kind::special, "keeps buffers out of a cache of this size; auto is the last-level cache",
     Argument{"SIZE[,LINE]|auto"}, FallbackText{"off"}, parses<parse_cache>},
    io_directory_option("./steelyard-io"),
    io_hint_option,
};

constexpr Option how[] = {
    {"schedule", Kind::special, "suite, adaptive, fixed:N operations, or time:DURATION a point",
     Argument{"RULE"}, Fallback{"suite"}, parses<parse_schedule>},
    {"ci", Kind::ratio, "adaptive: half-width of the 95 % interval over the median to reach", Fallback{"2%"}},
    {"min-batches", Kind::count, "adaptive: least batches of a point", Fallback{"8"}, Within{1, 1 << 20}},
    {"max-batches", Kind::count, "adaptive: most batches of a point", Fallback{"4096"}, Within{1, 1 << 20}},
    {"warm-up", Kind::count, "fixed: operations before timing", FallbackText{"the rule's"},
     Within{1, 1 << 30}},
    {"rounds", Kind::count,
     "suite: repeats the suite's whole rule and takes the median of the values; where screen alone is "
     "measured: rounds of --pairs sample",
     Fallback{"1"}, Within{1, 64}},
    {"point-budget", Kind::duration, "adaptive: longest time for one point", Fallback{"2s"},
     check_duration_above_0},
    {"budget", Kind::duration,
     "most time for everything, of each launch with --launches; less if all intervals are reached; the plan "
     "is shrunk to it before the start",
     FallbackText{"none"}, allowed},
    {"deadline", Kind::special, "stop in order before this time: 2026-11-20T18:00 or +45m", Argument{"TIME"},
     FallbackText{"a minute before the job's end"}, parses<parse_deadline, 0>, allowed},
    {"give-up", Kind::duration,
     "end the run, to be resumed, when a block takes so much longer than planned: a host or a process may "
     "be lost, and others wait for it; 0: never, also where a file or an earlier run says a time",
     FallbackText{"never"}, allowed},
    {"sizes-of", Kind::directory,
     "the sizes of experiments of an earlier run, with the same words and budget, so that both can be "
     "compared point by point",
     FallbackText{"by the rates of this machine"}},
    {"verify", Kind::word,
     "checks of the data outside the timed region: the suite's few operations of each point, none, one, or "
     "as many as the suite's own rule repeats",
     Fallback{"suite"}, OneOf{"suite off sample all"}},
    {"samples", Kind::word,
     "batch values kept in a record: none, up to 32, or every one (merged over the ranks)", Fallback{"thin"},
     OneOf{"none thin all"}},
    {"confirm", Kind::count, "measure points that stand out from their neighbours again, so often",
     Fallback{"0"}, Within{0, 5}},
    {"order", Kind::word, "order of the tables", Fallback{"plan"}, OneOf{"plan random"}},
    {"seed", Kind::count, "of all random choices", Fallback{"1"}, Within{0, (std::int64_t{1} << 53) - 1}},
    {"clock", Kind::word, "source of time", Fallback{"auto"}, OneOf{"auto raw mono tsc mpi"}},
    {"sync", Kind::word,
     "what precedes each operation, which is then timed alone; suite is the benchmark's own way",
     Fallback{"suite"}, OneOf{"suite none barrier barrier2 dissemination window"}},
    {"timing", Kind::word, "where the clock is read: around a visit, between batches, around each operation",
     Fallback{"suite"}, OneOf{"suite whole batch each"}},
    {"buffer-align", Kind::count, "first address of buffers: a multiple of this power of two, in bytes",
     Fallback{"64"}, Within{1, 1 << 21}},
    {"huge-pages", Kind::word,
     "what the kernel is asked for the buffers: nothing, no huge pages, huge pages if it likes, or pages of "
     "the pool that is set aside (points fail without it)",
     Fallback{"system"}, OneOf{"system off madvise explicit"}},
    {"buffer-kind", Kind::word, "memory of the buffers: the system's, or that of MPI_Alloc_mem (imb-mpi1)",
     Fallback{"plain"}, OneOf{"plain mpi"}},
    {"wait-quiet", Kind::duration,
     "wait before each block, so long at most in total, until the other load is small", FallbackText{"0"}},
    {"idle", Kind::word, "what processes do that wait for a block's end", Fallback{"sleep"},
     OneOf{"sleep spin"}},
};

constexpr Option results[] = {
    {"out", Kind::directory, "result directory; - writes the records to standard output and no table", 'o',
     FallbackText{"steelyard-results/<run id>"}, allowed},
    {"append", "a new run in an existing file", allowed},
    {"resume", "continue the last run of --out DIR", allowed, never_in_file},
    {"retry", Kind::special,
     "what a resume measures again besides what is missing: none, failed, partial, skipped, all",
     Argument{"WHICH"}, Fallback{"failed,partial"}, parses<parse_retry>, allowed},
    {"force", "resume although machine, MPI or program differ", allowed, never_in_file},
    {"name", Kind::text, "the machine's name in reports", FallbackText{"host name"}, allowed},
    {"label", Kind::special, "words of your own for the run record", Argument{"KEY=VALUE"},
     parses<parse_label>, Repeat::many, allowed},
    {"anonymous", "no host names, paths and job names in any record", allowed},
    {"table", Kind::word,
     "tables on standard output: steelyard is short on a terminal, a row per benchmark, and long elsewhere, "
     "a row per point; original is the text of the classic program",
     Argument{"STYLE"}, Fallback{"steelyard"}, OneOf{"steelyard short long original none"},
     Former{"seed=original"}, allowed},
    {"fail-on-warning", "exit code 3 if anything was to be warned of, where it would be 0", allowed},
    {"report", "write report.html beside the records at the end", allowed},
};

constexpr Option start[] = {
    {"launch", Kind::special,
     "start N processes through the MPI launcher; auto: one for each usable core or, in a job on several "
     "nodes, for each of its tasks, at least 2",
     'n', Argument{"N|auto"}, FallbackText{"auto when not under a launcher"}, parses<parse_launch>, allowed},
    no_launch_option,
    launcher_option,
    {"bind", Kind::word,
     "what the launcher is told to bind each process to; launcher is its own habit, or none with --threads",
     Fallback{"launcher"}, OneOf{"launcher none core numa socket"}, allowed},
    allow_root_option,
    {"launches", Kind::count,
     "start the processes K times; each is a run of its own, with a budget of its own, tied by a common "
     "series",
     Argument{"K"}, Fallback{"1"}, Within{1, 1000}},
    {"plan", "print points, memory and time estimate; measure nothing", allowed, never_in_file},
    {"print-environment", "print what the run record would say about this machine; measure nothing", allowed,
     never_in_file},
    {"progress", Kind::word, "progress on standard error", Argument{"MODE"}, Fallback{"auto"},
     OneOf{"auto bar lines json none"}, allowed},
};

const std::array groups{Group{"What", words_run_what},
                        Group{"How", how},
                        hpcc_run_group(),
                        hpl_group(),
                        screen_group(),
                        Group{"Results", results},
                        Group{"Start and talk", start}};

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

std::span<const Group> run_options() {
  return groups;
}

void check_combinations(const Invocation& invocation) {
  check_schedule_options(invocation);
  check_timing(invocation.values);
  check_samples(invocation.values);
  check_memory(invocation.values);
  check_results(invocation.values);
  check_start(invocation);
}

}  // namespace steelyard::cli
