// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <string>

#include "commands/program.hpp"
#include "docs/pages.hpp"
#include "exports/output.hpp"
#include "launch/launch.hpp"
#include "options/resolve.hpp"
#include "process/errors.hpp"
#include "process/version.hpp"

namespace steelyard::cli {
namespace {

// Job scripts to start from.

constexpr std::string_view slurm_head = R"script(#!/bin/bash
#SBATCH --job-name=steelyard
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=2
#SBATCH --time=01:00:00
# The run stops at this signal, 180 s or up to 240 s before the end: keep --time well above that.
#SBATCH --signal=USR1@180
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=steelyard-%j.log

# What to measure. A job that was requeued keeps its number, and so goes on in the same directory.
measure=(--preset standard)
out=steelyard-results/job-$SLURM_JOB_ID
most_restarts=20

# The run stops a minute before the job's end. Where Slurm does not put that into the environment, it is asked.
if [ -z "${SLURM_JOB_END_TIME:-}" ]; then
  end=$(squeue --noheader --job="$SLURM_JOB_ID" --format=%e)
  case "$end" in
    "" | NONE | N/A) ;;  # a job without a limit has no end
    *) SLURM_JOB_END_TIME=$(date --date="$end" +%s) && export SLURM_JOB_END_TIME ;;
  esac
fi

)script";

constexpr std::string_view slurm_tail = R"script(if [ -s "$out/result.jsonl" ]; then
  "${start[@]}" steelyard run --resume -o "$out"
else
  "${start[@]}" steelyard run "${measure[@]}" -o "$out"
fi
code=$?

# 5: stopped in order before everything was measured. By the signal or the time limit: once more into the queue.
# By a file STOP in the directory: somebody wants it to end. Without a point the limit is too short: the next start would
# measure none either.
if [ "$code" = 5 ] && grep -q '"type":"point"' "$out/result.jsonl" &&
   [ "${SLURM_RESTART_COUNT:-0}" -lt "$most_restarts" ] && [ ! -e "$out/STOP" ] &&
   ! tail -n 1 "$out/result.jsonl" | grep -q '"cause":"stop_file"'; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
)script";

// What a script needs for a batch system that tells its job no end; the rest is the same for all.
struct Limited {
  std::string_view system;
  std::string_view directives;          // four nodes, two processes on each, one hour
  std::string_view number;              // of the job
  std::string_view begin;               // lines before it measures
  std::string_view start;               // words that start the processes
  std::string_view submit, submit_end;  // words around the directory, to go on in a new job
};

constexpr std::array limited{
    Limited{.system = "pbs",
            .directives = R"script(#PBS -N steelyard
#PBS -l select=4:ncpus=2:mpiprocs=2
#PBS -l walltime=01:00:00
#PBS -r y
#PBS -j oe
)script",
            .number = "${PBS_JOBID%%.*}",
            .begin = "cd \"$PBS_O_WORKDIR\" || exit 4\n",
            .start = "mpiexec -n \"$processes\"",
            .submit = "qsub -v out=",
            .submit_end = " steelyard.pbs"},
    Limited{.system = "lsf",
            .directives = R"script(#BSUB -J steelyard
#BSUB -n 8
#BSUB -R "span[ptile=2]"
#BSUB -W 60
#BSUB -r
#BSUB -o steelyard-%J.log
)script",
            .number = "$LSB_JOBID",
            .begin = {},
            .start = "mpiexec -n \"$processes\"",
            .submit = "out=",
            .submit_end = " bsub < steelyard.lsf"},
    Limited{.system = "grid-engine",
            .directives = R"script(#$ -N steelyard
#$ -S /bin/bash
# The parallel environment decides how many slots a node gives: 'qconf -spl' lists those of the site.
#$ -pe mpi 8
#$ -l h_rt=01:00:00
#$ -notify
#$ -r y
#$ -j y
#$ -cwd
)script",
            .number = "$JOB_ID",
            .begin = {},
            .start = "mpiexec -n \"$processes\"",
            .submit = "qsub -v out=",
            .submit_end = " steelyard.sge"},
    Limited{.system = "flux",
            .directives = R"script(#flux: --job-name=steelyard
#flux: --nodes=4
#flux: --nslots=8
#flux: --time-limit=1h
#flux: --output=steelyard-{{id}}.log
)script",
            .number = "${FLUX_ENCLOSING_ID//[^0-9A-Za-z]/}",
            .begin = {},
            .start = "flux run --nodes=4 --ntasks=\"$processes\"",
            .submit = "out=",
            .submit_end = " flux batch steelyard.flux"},
};

constexpr std::string_view limited_tail = R"script(if [ -s "$out/result.jsonl" ]; then
  "${start[@]}" steelyard run --resume -o "$out" "${deadline[@]}"
else
  "${start[@]}" steelyard run "${measure[@]}" -o "$out" "${deadline[@]}"
fi
code=$?

# 5: stopped in order before everything was measured. A job that is run again goes on by itself; a new one goes on in the
# directory that it is given.
)script";

// With Slurm 22.05, PMIx 4.2 and Open MPI 4.1 on four busy hosts, a process at times left MPI_Init before a
// peer could take its first message, and the peer crashed: 10 of 240 starts with barriers over a tree, none
// of 130 over a ring.
constexpr std::string_view barrier_over_a_ring =
    "# Barriers over a tree, Slurm's choice, at times let a process leave MPI_Init too early; those over a "
    "ring do not.\n"
    "export SLURM_PMIX_FENCE=\"${SLURM_PMIX_FENCE:-ring}\"\n";

// Start by Slurm's own launcher, which passes signals to the processes and knows of lost nodes; how it meets them
// depends on the MPI library.
std::string srun() {
  constexpr std::string_view why =
      "# How srun meets the MPI library: 'srun --mpi=list' tells what there is.\n";
  const Library library = library_kind(mpi_library());
  std::string lines = std::string(why) + "start=(" + srun_words(library) + ")\n";
  if (library == Library::open_mpi) lines += barrier_over_a_ring;
  return lines + "\n";
}

constexpr std::string_view screening_head = R"script(#!/bin/bash
#SBATCH --job-name=steelyard-screen
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=00:30:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=steelyard-screen-%j.log

# A task has all cores of its node. Jobs over other nodes may be judged with this one:
#   steelyard screen steelyard-results/screen-*
export OMP_NUM_THREADS=${SLURM_CPUS_ON_NODE:-1}
out=steelyard-results/screen-$SLURM_JOB_ID

)script";

constexpr std::string_view screening_tail =
    R"script(# A job that lost a node is started again under its number, and goes on with what was measured.
start+=(--cpus-per-task="$OMP_NUM_THREADS")
if [ -s "$out/result.jsonl" ]; then
  "${start[@]}" steelyard run --resume -o "$out"
else
  "${start[@]}" steelyard run screen -o "$out"
fi
measured=$?
[ -s "$out/result.jsonl" ] || exit "$measured"

# What there is is judged, however the run ended. 3: a node or a link is not like the others.
steelyard screen "$out"
code=$?
steelyard screen "$out" --fail-on none --format hostlist > "$out/slow-nodes"
[ "$code" = 0 ] && code=$measured
exit "$code"
)script";

// A job script for Slurm that compares the nodes of the job with one another: a task on each, which uses all of its
// cores. The names of those that are slow, wrong or missing end in a file.
std::string screening_script() {
  return std::string(screening_head) + srun() + std::string(screening_tail);
}

// A job script that measures a campaign over four nodes, ends in order before the time limit and goes on
// where it was when it is started again: after the limit, after it was requeued, after a node was lost. The
// launcher in it is that of the MPI library of this build.
std::string slurm_script() {
  return std::string(slurm_head) + srun() + std::string(slurm_tail);
}

std::string limited_script(const Limited& batch) {
  const std::string again = std::string(batch.submit) + "$out" + std::string(batch.submit_end);
  return "#!/bin/bash\n" + std::string(batch.directives) +
         "\n# What to measure, on how many processes, and the seconds of the limit above: the job is not told them.\n"
         "measure=(--preset standard)\nprocesses=8\nlimit_s=3600\n" +
         std::string(batch.begin) + "out=${out:-steelyard-results/job-" + std::string(batch.number) +
         "}\n\n# The run stops in order two minutes before the end.\n"
         "deadline=(--deadline \"+$((limit_s - 120 - SECONDS))\")\n\nstart=(" +
         std::string(batch.start) + ")\n\n" + std::string(limited_tail) +
         "[ \"$code\" = 5 ] && echo \"steelyard: not finished; go on with: " + again + "\"\nexit \"$code\"\n";
}

// Empty for a word that names no batch system.
std::string batch_script(std::string_view system) {
  if (system == "slurm") return slurm_script();
  const auto found = std::ranges::find(limited, system, &Limited::system);
  return found == limited.end() ? std::string() : limited_script(*found);
}

constexpr std::string_view usage =
    "docs: wants 'man DIR', 'markdown DIR', 'completion bash|zsh|fish', 'slurm', 'pbs', "
    "'lsf', 'grid-engine' or 'flux'";

void write_file(const std::filesystem::path& file, const std::string& text) {
  write_whole(text, file.string(), Existing::replaced);
}

template <class Page>
void write_pages(const std::filesystem::path& directory, std::string_view suffix, Page page) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw Refused("cannot create '" + directory.string() + "': " + error.message());
  for (const Command* command : commands())
    if (command->visibility == Visibility::shown)
      write_file(directory / ("steelyard-" + std::string(command->name) + std::string(suffix)),
                 page(*command));
}

int print_completion(const std::string& shell) {
  static constexpr std::string_view shells[] = {"bash", "zsh", "fish"};
  try {
    const std::string known = units::parse_word(shell, shells);
    std::cout << completion(commands(), known == "bash"  ? Shell::bash
                                        : known == "zsh" ? Shell::zsh
                                                         : Shell::fish);
  } catch (const units::ParseError& error) {
    throw UsageError(std::string("docs completion: ") + error.what());
  }
  return exit_code::done;
}

int run_docs(const Invocation& invocation) {
  const std::vector<std::string> words = invocation.values.list("what");
  if (invocation.values.on("screen")) {
    if (words.size() != 1 || words[0] != "slurm") throw UsageError("--screen belongs to 'docs slurm'");
    std::cout << screening_script() << std::flush;
    return exit_code::done;
  }
  if (const auto script = words.size() == 1 ? batch_script(words[0]) : std::string(); !script.empty()) {
    std::cout << script << std::flush;
    return exit_code::done;
  }
  if (words.size() != 2) throw UsageError(std::string(usage));
  if (words[0] == "completion") return print_completion(words[1]);
  if (words[0] == "man") {
    write_pages(words[1], ".1", man_page);
    write_file(std::filesystem::path(words[1]) / "steelyard.1", man_overview(commands()));
  } else if (words[0] == "markdown") {
    write_pages(words[1], ".md", markdown_page);
  } else {
    throw UsageError(std::string(usage));
  }
  return exit_code::done;
}

constexpr Option docs_options[] = {
    {"screen", "slurm: a job that compares the nodes of a machine with one another"},
};
constexpr Group docs_groups[] = {{"Job scripts", docs_options}};
constexpr std::string_view docs_examples[] = {
    "steelyard docs man man1", "steelyard docs markdown reference", "steelyard docs completion bash",
    "steelyard docs slurm > steelyard.sbatch", "steelyard docs slurm --screen > screen.sbatch"};
constexpr int docs_codes[] = {0, 2, 4};

}  // namespace

constinit const Command docs_command{
    .name = "docs",
    .section = "This machine",
    .summary = "manual pages, reference, shell completion and job scripts",
    .description =
        "Writes manual pages or a Markdown reference into a directory, or prints a completion script; all "
        "of it comes from the option tables of this program. Prints a job script for Slurm, PBS, LSF, Grid Engine or "
        "Flux to start from: it ends in order before the time limit and goes on where it was when the job runs again.",
    .positional = {"WHAT", Kind::text, Repeat::many,
                   "man DIR, markdown DIR, completion bash|zsh|fish, slurm, pbs, lsf, grid-engine, or flux"},
    .groups = docs_groups,
    .examples = docs_examples,
    .exit_codes = docs_codes,
    .see_also = "steelyard help",
    .run = run_docs};

}  // namespace steelyard::cli
