// SPDX-License-Identifier: Apache-2.0
#include "run/combinations.hpp"

#include <bit>
#include <cstdint>
#include <string>

#include "measuring/selection.hpp"
#include "options/schedule_options.hpp"
#include "process/errors.hpp"
#include "process/launched.hpp"

namespace steelyard::cli {
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

void check_schedule_options(const Values& values) {
  using Schedule = ScheduleWords::Kind;
  const Schedule kind = parse_schedule(values.need("schedule")).kind;
  for (const char* name : {"ci", "min-batches", "max-batches", "point-budget"})
    refuse_unless(kind == Schedule::adaptive, values, name, "--schedule adaptive");
  refuse_unless(kind == Schedule::fixed, values, "warm-up", "--schedule fixed:N");
  if (values.typed("rounds"))
    refuse_unless(kind == Schedule::suite || only_screens(values), values, "rounds", "--schedule suite");
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
  if (several && (values.on("no-launch") || values.on("resume") || values.word("out") == "-"))
    throw UsageError("--launches: cannot be combined with --no-launch, --resume or --out -");
  const bool binds = values.word("bind") != "launcher";
  if (binds && (values.on("no-launch") || values.said("launcher")))
    throw UsageError("--bind: needs the launcher found at build time, without --launcher and --no-launch");
  if (invocation.from_parent || !under_launcher()) return;
  if (binds) throw UsageError("--bind: already started by mpiexec, which binds");
  if (const OptionWords* launch = values.find("launch"); launch != nullptr && values.said("launch"))
    throw UsageError(launch->origin + ": already started by mpiexec");
  if (several) throw UsageError("--launches: already started by mpiexec");
}

}  // namespace

void check_combinations(const Invocation& invocation) {
  check_schedule_options(invocation.values);
  check_timing(invocation.values);
  check_samples(invocation.values);
  check_memory(invocation.values);
  check_results(invocation.values);
  check_start(invocation);
}

}  // namespace steelyard::cli
