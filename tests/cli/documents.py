# SPDX-License-Identifier: Apache-2.0
"""Manual pages, completion, examples of help."""

import os
import re
import shutil
import shlex
import subprocess
import unittest

from program import HAS_MPI, PROGRAM, Case, environment, main, steelyard, tool


def shown_commands():
    return re.findall(r"^  ([a-z0-9-]+) {2,}", steelyard("help").stdout, re.MULTILINE)


class ManualPages(Case):
    def test_groff_has_nothing_to_say(self):
        groff = tool("groff")
        self.assert_code(steelyard("docs", "man", self.directory), 0)
        pages = sorted(self.directory.glob("*.1"))
        self.assertEqual(len(pages), len(shown_commands()))  # help has none, the program itself has one
        for page in pages:
            done = subprocess.run([groff, "-man", "-ww", "-Tutf8", str(page)], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)

    def test_every_option_of_help_is_in_the_page(self):
        steelyard("docs", "man", self.directory)
        for command in shown_commands():
            if command == "help":
                continue
            page = (self.directory / f"steelyard-{command}.1").read_text().replace("\\", "")
            for option in re.findall(r"^  (-\S+(?:, --\S+)?)", steelyard("help", command).stdout, re.MULTILINE):
                self.assertIn(option, page, command)

    def test_directory_that_cannot_be_made_is_four(self):
        self.assert_refused(steelyard("docs", "man", "/proc/none/man1"), 4, "cannot create")

    def test_pages_that_do_not_fit_leave_no_piece_of_one(self):
        pages, refused = self.directory / "man", ""
        for old in (None, "an older page\n"):
            if old:
                (pages / refused).write_text(old)
            done = subprocess.run([tool("bash"), "-c", 'ulimit -f 4; exec "$@"', "-", PROGRAM, "docs", "man", str(pages)],
                                  env=environment(), capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertRegex(done.stderr, r"/steelyard-\w+\.1': File too large")
            refused = re.search(r"[^/]*\.1", done.stderr).group()
            pieces = [page.read_text() for page in pages.iterdir() if not page.read_text().endswith(".BR steelyard (1)\n")]
            self.assertEqual(pieces, [old] if old else [])

    def test_wrong_words_are_two(self):
        for words in ([], ["man"], ["pages", "x"], ["completion", "csh"]):
            self.assert_refused(steelyard("docs", *words), 2)


class JobScripts(Case):
    def test_scripts_are_correct_shell_and_go_on_where_they_were(self):
        for system, directive in (("slurm", "#SBATCH --signal=USR1@"), ("pbs", "#PBS -l walltime="), ("lsf", "#BSUB -W 60"),
                                  ("grid-engine", "#$ -notify"), ("flux", "#flux: --time-limit=1h")):
            done = steelyard("docs", system)
            self.assert_code(done, 0)
            self.assertIn(directive, done.stdout)
            self.assertIn("steelyard run --resume", done.stdout)
            self.assertEqual(subprocess.run([tool("bash"), "-n"], input=done.stdout, capture_output=True, text=True,
                                            timeout=20, check=False).stderr, "")

    def test_script_of_a_screening_is_correct_shell_and_leaves_a_list(self):
        done = steelyard("docs", "slurm", "--screen")
        self.assert_code(done, 0)
        for words in ("#SBATCH --exclusive", "steelyard run screen", "--format hostlist"):
            self.assertIn(words, done.stdout)
        self.assertEqual(subprocess.run([tool("bash"), "-n"], input=done.stdout, capture_output=True, text=True,
                                        timeout=20, check=False).stderr, "")
        self.assert_refused(steelyard("docs", "pbs", "--screen"), 2, "--screen belongs to 'docs slurm'")

    def stand_in(self, name, text):
        """A program that the script finds before others of that name."""
        folder = self.directory / "bin"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text("#!/bin/bash\n" + text)
        (folder / name).chmod(0o755)

    def run_script(self, *words):
        """The script with stand-ins; every call of steelyard and scontrol is a line of `calls`."""
        folder = self.directory / "bin"
        self.stand_in("srun", 'while [ "$1" != steelyard ]; do shift; done\nexec "$@"\n')
        self.stand_in("scontrol", 'echo "scontrol $*" >> calls\n')
        script = steelyard("docs", "slurm", *words).stdout
        calls = self.directory / "calls"
        calls.write_text("")
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run([tool("bash"), "-c", script], capture_output=True, text=True, cwd=self.directory,
                              timeout=60, check=False,
                              env=environment(PATH=path, SLURM_JOB_ID="7", SLURM_JOB_END_TIME=None))
        return done, calls.read_text().splitlines()

    def test_screening_goes_on_when_it_is_started_again_and_is_judged_however_it_ended(self):
        out = self.directory / "steelyard-results" / "screen-7"
        out.mkdir(parents=True)
        self.stand_in("steelyard", 'echo "$*" >> calls\n[ "$1" = screen ] && exit 0\n'
                                   '[ "$2" = screen ] && echo x > "${@: -1}/result.jsonl"\nexit 4\n')
        for first in ("run screen -o", "run --resume -o"):
            done, calls = self.run_script("--screen")
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertEqual([re.sub(r" \S*screen-7", "", call) for call in calls],
                             [first, "screen", "screen --fail-on none --format hostlist"])
            self.assertTrue((out / "slow-nodes").exists())

    def test_screening_that_began_nothing_is_not_judged(self):
        self.stand_in("steelyard", 'echo "$*" >> calls\nexit 4\n')
        done, calls = self.run_script("--screen")
        self.assertEqual((done.returncode, len(calls)), (4, 1), done.stderr)

    def test_job_without_a_limit_has_no_end(self):
        self.stand_in("steelyard", 'echo "${SLURM_JOB_END_TIME:-none}" >> calls\n')
        for told, end in (("NONE", "none"), ("N/A", "none"), ("", "none"), ("2033-05-18T03:33:20Z", "2000000000")):
            self.stand_in("squeue", f"echo '{told}'\n")
            done, calls = self.run_script()
            self.assertEqual((done.returncode, done.stderr, calls), (0, "", [end]), told)

    def test_job_that_was_stopped_is_requeued_only_if_it_measured_something(self):
        for point, requeued in (("", []), ('{"type":"point"}\n', ["scontrol requeue 7"])):
            self.stand_in("squeue", "echo NONE\n")
            self.stand_in("steelyard", 'out="${@: -1}"; mkdir -p "$out"\n'
                                       f"printf '%s' '{point}' > \"$out/result.jsonl\"\nexit 5\n")
            done, calls = self.run_script()
            self.assertEqual((done.returncode, calls), (5, requeued), done.stderr)

    def test_no_directory_is_wanted(self):
        self.assert_refused(steelyard("docs", "slurm", "x"), 2, "'grid-engine' or 'flux'")

    # the number of the job in the environment of each, and the words that start processes there
    OTHERS = {"pbs": ({"PBS_JOBID": "7.server", "PBS_O_WORKDIR": "."}, "mpiexec"), "lsf": ({"LSB_JOBID": "7"}, "mpiexec"),
              "grid-engine": ({"JOB_ID": "7"}, "mpiexec"), "flux": ({"FLUX_ENCLOSING_ID": "\u01927"}, "flux")}

    def test_scripts_with_a_deadline_measure_go_on_and_say_how(self):
        self.stand_in("steelyard", 'echo "$*" >> calls\nmkdir -p steelyard-results/job-7\n'
                                   "echo x > steelyard-results/job-7/result.jsonl\nexit 5\n")
        path = f"{self.directory / 'bin'}{os.pathsep}{os.environ['PATH']}"
        for system, (variables, start) in self.OTHERS.items():
            shutil.rmtree(self.directory / "steelyard-results", ignore_errors=True)
            calls = self.directory / "calls"
            calls.write_text("")
            self.stand_in(start, 'while [ "$1" != steelyard ]; do shift; done\nexec "$@"\n')
            for _ in range(2):
                done = subprocess.run([tool("bash"), "-c", steelyard("docs", system).stdout], capture_output=True, text=True,
                                      cwd=self.directory, timeout=60, check=False, env=environment(PATH=path, **variables))
                self.assertEqual(done.returncode, 5, system + done.stderr)
                self.assertRegex(done.stdout, r"go on with: .*out=steelyard-results/job-7 .*steelyard\.\w+\n")
            self.assertEqual([re.sub(r"\+34[78]\d", "+D", call) for call in calls.read_text().splitlines()],
                             ["run --preset standard -o steelyard-results/job-7 --deadline +D",
                              "run --resume -o steelyard-results/job-7 --deadline +D"], system)


class Completion(Case):
    def complete(self, *words):
        """What bash proposes for the last word."""
        script = steelyard("docs", "completion", "bash").stdout
        line = " ".join(shlex.quote(word) for word in words)
        script += f"\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _steelyard; printf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
        path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
        done = subprocess.run([tool("bash"), "-c", script], capture_output=True, text=True, cwd=self.directory,
                              env=environment(PATH=path))
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_scripts_are_correct_shell(self):
        for shell in ("bash", "zsh", "fish"):
            script = steelyard("docs", "completion", shell).stdout
            self.assertTrue(script)
            if shell == "bash":
                done = subprocess.run([tool("bash"), "-n"], input=script, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def complete_in_fish(self, line):
        """What fish proposes for the last word."""
        (self.directory / "steelyard.fish").write_text(steelyard("docs", "completion", "fish").stdout)
        path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
        done = subprocess.run([tool("fish"), "--no-config", "-c", f"source steelyard.fish; complete -C {shlex.quote(line)}"],
                              capture_output=True, text=True, cwd=self.directory, timeout=60, check=False,
                              env=environment(PATH=path, HOME=str(self.directory)))
        self.assertEqual(done.stderr, "")
        return [proposed.split("\t")[0] for proposed in done.stdout.splitlines()]

    def test_fish_completes(self):
        for line, proposed in (("steelyard do", ["docs", "doctor"]), ("steelyard help li", ["list"]),
                               ("steelyard list --fo", ["--format"]), ("steelyard list --format j", ["json"]),
                               ("steelyard list imb-mpi1/Bar", ["imb-mpi1/Barrier"]),
                               ("steelyard systems hitachi-sr2", ["hitachi-sr2201"]),
                               ("steelyard compare --fail-on slow", ["slower"]),
                               ("steelyard compare --fail-on slower,mi", ["slower,missing"]),
                               ("steelyard compare --fail-on=slower,mi", ["--fail-on=slower,missing"]),
                               ("steelyard docs completion ", ["bash", "fish", "zsh"])):
            self.assertEqual(self.complete_in_fish(line), proposed, line)
        if HAS_MPI:
            self.assertEqual(self.complete_in_fish("steelyard imb-mpi1 Bar"), ["Barrier"])

    def test_zsh_completes_when_asked_for_the_first_time(self):
        zsh = tool("zsh")
        (self.directory / "_steelyard").write_text(steelyard("docs", "completion", "zsh").stdout)
        script = self.directory / "ask.zsh"  # an interactive shell, and a tabulator behind a word
        script.write_text("""zmodload zsh/zpty || exit 77
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=($PWD \\$fpath); autoload -Uz compinit; compinit -u -D; echo loa''ded"
zpty -r shell out '*loaded*'
zpty -w -n shell "steelyard list --fo"$'\\t'
zpty -r shell out '*--format*'
zpty -d shell
""")
        path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
        done = subprocess.run([zsh, "-f", script.name], capture_output=True, text=True, cwd=self.directory, timeout=60,
                              check=False, env=environment(PATH=path, HOME=str(self.directory)))
        if done.returncode == 77:
            self.skipTest("this zsh has no pseudo terminals")
        self.assertEqual((done.stderr, done.returncode), ("", 0))

    def test_subcommands(self):
        self.assertEqual(self.complete("steelyard", "do"), ["doctor", "docs"])
        self.assertEqual(self.complete("steelyard", "help", "li"), ["list"])

    def test_options_and_their_words(self):
        self.assertEqual(self.complete("steelyard", "list", "--fo"), ["--format"])
        self.assertEqual(self.complete("steelyard", "list", "--format", "j"), ["json"])

    def test_benchmarks(self):
        self.assertEqual(self.complete("steelyard", "list", "imb-mpi1/Bar"), ["imb-mpi1/Barrier"])

    @unittest.skipUnless(HAS_MPI, "this build has no MPI")
    def test_benchmarks_of_a_front_end(self):
        self.assertEqual(self.complete("steelyard", "imb-mpi1", "Bar"), ["Barrier"])

    def test_values_behind_an_equal_sign(self):
        self.assertEqual(self.complete("steelyard", "list", "--format", "=", "j"), ["json"])
        self.assertEqual(self.complete("steelyard", "list", "--format", "="), ["text", "json"])
        self.assertEqual(self.complete("steelyard", "list", "--format=j"), ["--format=json"])

    def test_lists_of_words(self):
        self.assertEqual(self.complete("steelyard", "compare", "--fail-on", "sl"), ["slower"])
        self.assertEqual(self.complete("steelyard", "compare", "--fail-on", "slower,unc"), ["slower,unclear"])
        self.assertEqual(self.complete("steelyard", "screen", "--fail-on=f"), ["--fail-on=fast"])

    def test_systems(self):
        self.assertEqual(self.complete("steelyard", "systems", "hitachi-sr2"), ["hitachi-sr2201"])

    def test_suites(self):
        self.assertEqual(self.complete("steelyard", "list", "imb-mpi1")[-1], "imb-mpi1")

    def test_what_docs_writes_and_for_which_shells(self):
        self.assertEqual(self.complete("steelyard", "docs", "s"), ["slurm"])
        self.assertEqual(self.complete("steelyard", "docs", "p"), ["pbs"])
        self.assertEqual(self.complete("steelyard", "docs", "completion", ""), ["bash", "zsh", "fish"])

    def test_files(self):
        (self.directory / "result.jsonl").write_text("")
        self.assertEqual(self.complete("steelyard", "export", "res"), ["result.jsonl"])


class Examples(Case):
    """Every example of a help text is understood; measuring ones are planned instead."""

    def examples(self, command):
        text = steelyard("help", command).stdout
        return re.findall(r"^  ((?:mpiexec -n \d+ )?steelyard .*)$", text.split("\nExamples\n")[1].split("\n\n")[0], re.MULTILINE)

    def try_example(self, example):
        words = shlex.split(example)
        words = words[words.index("steelyard") + 1:]
        if "--resume" in words or words[0] in ("export", "import", "balance", "compare", "report", "accept", "history", "screen") or "--probe" in words:
            return  # need a result of a run, or processes: runs.py and reading.py have them
        if words[0] == "run":
            words.append("--plan")
        if words[0] in ("imb-mpi1", "imb-ext", "imb-io", "imb-nbc", "imb-mpi4", "mpi4", "imb-rma", "imb-p2p", "imb-mt", "b-eff", "b-eff-io", "ftio", "hpcc", "hpl", "selftest"):
            words.append("--version")
        for stream in ("<", ">"):
            words = words[:words.index(stream)] if stream in words else words
        done = steelyard(*words, cwd=self.directory)
        self.assertIn(done.returncode, (0, 3) if words[0] == "doctor" else (0,), example + done.stderr)

    def test_examples_of_all_help_texts(self):
        for command in shown_commands():
            if command == "help":
                continue
            examples = self.examples(command)
            self.assertGreaterEqual(len(examples), 3, command)
            for example in examples:
                if HAS_MPI or not example.startswith("steelyard run "):
                    self.try_example(example)

    @unittest.skipUnless(HAS_MPI, "this build has no MPI")
    def test_examples_that_measure_parse(self):
        for example in self.examples("imb-mpi1"):
            words = shlex.split(example)
            words = words[words.index("imb-mpi1"):]
            self.assert_code(steelyard(*words, "-list"), 0)


if __name__ == "__main__":
    main()
