# SPDX-License-Identifier: Apache-2.0
"""Words that need no processes: help, version, errors, names of links, catalogue, configuration."""

import json
import os
import re
import time
import unittest
from pathlib import Path

from program import HAS_MPI, PROGRAM, Case, main, steelyard


class Overview(Case):
    def test_without_words_usage_goes_to_standard_error(self):
        self.assert_refused(steelyard(), 2, "usage: steelyard SUBCOMMAND", "Examples")

    def test_help_goes_to_standard_output(self):
        for words in (["help"], ["--help"], ["-h"]):
            done = steelyard(*words)
            self.assert_code(done, 0)
            self.assertIn("usage: steelyard SUBCOMMAND", done.stdout)
            self.assertEqual(done.stderr, "")

    def test_help_of_a_subcommand_is_the_same_both_ways(self):
        first, second = steelyard("help", "list"), steelyard("list", "--help")
        self.assert_code(first, 0)
        self.assertEqual(first.stdout, second.stdout)

    def test_help_wins_over_other_words(self):
        self.assert_code(steelyard("list", "--nonsense", "--help"), 0)

    def test_misspelt_subcommand_is_suggested(self):
        self.assert_refused(steelyard("lst"), 2, "steelyard: error: unknown subcommand 'lst'", "did you mean 'list'?")
        self.assert_refused(steelyard("nonsense"), 2, "unknown subcommand 'nonsense'\n'steelyard help' lists them")

    def test_version_as_text_and_as_object(self):
        self.assertRegex(steelyard("--version").stdout, r"^steelyard \d+\.\d+\.\d+ \(.*\)\n$")
        details = steelyard("--version", "--verbose").stdout
        for name in ("commit", "build", "compiler", "flags", "MPI library", "libraries", "hwloc", "zlib", "report"):
            self.assertRegex(details, rf"(?m)^  {name} +\S", details)
        self.assertEqual(steelyard("list", "-V", "-v").stdout, details)
        for words in (["--version", "--format", "json"], ["list", "-V", "--format=json"]):
            told = json.loads(steelyard(*words).stdout)
            self.assertEqual(told["name"], "steelyard")
            self.assertEqual(told["mpi"] is not None, HAS_MPI)

    def test_common_options_may_stand_in_front(self):
        self.assert_code(steelyard("--color", "never", "list", "--names"), 0)


class Errors(Case):
    def test_form_of_an_error(self):
        done = steelyard("list", "--lng")
        self.assertEqual(done.stderr, "steelyard: error: unknown option '--lng'\ndid you mean '--long'?\n"
                                      "try 'steelyard list --help'\n")
        self.assert_refused(done, 2)

    def test_unreadable_input_is_two(self):
        self.assert_refused(steelyard("export", self.directory / "none", "--to", "csv"), 2, "none")

    def test_unknown_pattern_is_suggested(self):
        self.assert_refused(steelyard("list", "imb-mpi1/PingPongg"), 2, "imb-mpi1/PingPong")

    @unittest.skipIf(HAS_MPI, "this build has MPI")
    def test_measuring_names_without_mpi_are_four(self):
        for name in ("run", "imb-mpi1", "imb-ext", "imb-io", "imb-nbc", "imb-mpi4", "mpi4", "imb-rma", "imb-p2p", "imb-mt", "b-eff", "b-eff-io", "ftio", "hpcc", "hpl", "selftest"):
            self.assert_refused(steelyard(name), 4, "this build has no MPI")

    @unittest.skipIf(HAS_MPI, "this build has MPI")
    def test_links_of_measuring_programs_without_mpi_are_four(self):
        link = self.directory / "IMB-MPI1"
        os.symlink(PROGRAM, link)
        self.assert_refused(steelyard("PingPong", program=str(link)), 4, "this build has no MPI")

    def test_rank_that_does_not_speak_is_silent(self):
        done = steelyard("list", "--lng", PMI_RANK="1", PMI_FD="9")
        self.assert_refused(done, 2)
        self.assertEqual(done.stderr, "")

    def test_directory_in_place_of_a_file_is_refused(self):
        readers = [["accept", self.directory, self.directory]]
        if HAS_MPI:
            readers += [["hpcc", "-n", "2", "--input", self.directory], ["b-eff-io", "-n", "2", "-i", self.directory]]
        for words in readers:
            self.assert_refused(steelyard(*words), 2, f"cannot read '{self.directory}': Is a directory")
        self.assert_refused(steelyard("accept", self.directory, self.directory), 2, "CRITERIA is a file and comes first")


    def test_words_are_printed_within_their_line_and_not_whole_if_very_long(self):
        for word, told in (("a\nb", r"'a\nb'"), ("a\tb\x1b[31m", r"'a\tb\x1b[31m'"), ("x" * 100000, "x" * 79 + "...")):
            with self.subTest(told):
                done = steelyard(word)
                self.assert_refused(done, 2, "unknown subcommand " + (told if told[0] == "'" else "'" + told))
                self.assertLess(len(done.stderr), 500)
                self.assertTrue(done.stderr.splitlines()[0].startswith("steelyard: error: "))
                self.assertLessEqual(len(done.stderr.splitlines()), 3)

    def test_directory_to_clean_that_is_not_there_is_named(self):
        done = steelyard("doctor", "--clean", self.directory / "nowhere")
        self.assert_refused(done, 4, f"--clean: {self.directory}/nowhere: No such file or directory\n")


class Catalogue(Case):
    def test_names_are_bare(self):
        names = steelyard("list", "--names").stdout.splitlines()
        self.assertIn("imb-mpi1/PingPong", names)
        self.assertTrue(all("/" in name and " " not in name for name in names))

    def test_json_and_names_agree(self):
        told = json.loads(steelyard("list", "--format", "json").stdout)
        self.assertEqual([f"{row['suite']}/{row['benchmark']}" for row in told],
                         steelyard("list", "--names").stdout.splitlines())

    def test_patterns_choose(self):
        self.assertEqual(steelyard("list", "--names", "imb-mpi1/all*").stdout.split(),
                         ["imb-mpi1/Allreduce", "imb-mpi1/Allgather", "imb-mpi1/Allgatherv", "imb-mpi1/Alltoall",
                          "imb-mpi1/Alltoallv"])

    def test_long_form_tells_sources(self):
        self.assertIn("source", steelyard("list", "--long", "imb-mpi1/Bcast").stdout)

    def test_presets(self):
        self.assertIn("quick", steelyard("list", "--presets").stdout)
        self.assertEqual([p["name"] for p in json.loads(steelyard("list", "--presets", "--format", "json").stdout)],
                         ["quick", "standard", "official"])


class Doctor(Case):
    def test_directory_that_is_not_there_is_four(self):
        absent = self.directory / "none"
        self.assert_refused(steelyard("doctor", "--io-dir", absent), 4, f"--io-dir: there is no directory '{absent}'")
        self.assertFalse(absent.exists())

    def test_file_system_and_mount_point_of_a_directory_are_told(self):
        findings = json.loads(steelyard("doctor", "--io-dir", self.directory, "--format", "json").stdout)
        rooted = re.search(r"^\S+ \S+ \S+ \S+ / ", Path("/proc/self/mountinfo").read_text(), re.M)  # not so below chroot
        place = " mounted at /" if rooted else ": an unknown file system, "
        self.assertTrue([f for f in findings if f["section"] == "files" and place in f["text"]], findings)
        self.assertFalse([f for f in findings if "options ." in f["text"]])

    def test_directory_is_written_past_the_page_cache_or_the_reason_is_told(self):
        findings = json.loads(steelyard("doctor", "--io-dir", self.directory, "--format", "json").stdout)
        finding, = (f for f in findings if "past the page cache (O_DIRECT)" in f["text"])
        self.assertEqual(finding["section"], "files")
        self.assertEqual(finding["level"], "ok" if finding["text"].startswith("Files can be") else "note")
        self.assertEqual(list(self.directory.iterdir()), [])
        findings = json.loads(steelyard("doctor", "--format", "json").stdout)
        self.assertFalse([f for f in findings if "O_DIRECT" in f["text"]])

    def test_lines_fit_with_the_code_of_the_finding_where_words_can_be_parted(self):
        for columns in (80, 100):
            for line in steelyard("doctor", COLUMNS=str(columns)).stdout.splitlines():
                self.assertTrue(len(line) <= columns or " " not in line.strip(), (columns, line))

    def test_colours_are_there_where_somebody_asks_for_them_and_nobody_forbids_them(self):
        always, never, forced, forbidden = ("--color", "always"), ("--color", "never"), {"CLICOLOR_FORCE": "1"}, {"NO_COLOR": "1"}
        for words, variables, coloured in ((always, forbidden, True), ((), forced, True), ((), {**forced, "NO_COLOR": ""}, True),
                                           ((), {}, False), (never, forced, False), ((), {**forced, **forbidden}, False)):
            done = steelyard("doctor", *words, **variables)
            self.assertEqual("\x1b" in done.stdout, coloured, (words, variables))

    def test_findings_have_level_section_and_text(self):
        findings = json.loads(steelyard("doctor", "--format", "json").stdout)
        self.assertTrue(findings)
        for finding in findings:
            self.assertIn(finding["level"], ("ok", "note", "warning", "problem"))
            self.assertTrue(finding["section"] and finding["text"])

    def test_batch_job_and_limits_are_told(self):
        limited = 'ulimit -t 1000; ulimit -n 200; ulimit -f 100000; exec "$0" doctor --format json'
        done = steelyard("-c", limited, PROGRAM, program="bash", SLURM_JOB_ID="7", SLURM_JOB_PARTITION="big",
                         SLURM_JOB_NUM_NODES="2", SLURM_NTASKS="1", SLURM_JOB_END_TIME=str(int(time.time()) + 3630))
        texts = [finding["text"] for finding in json.loads(done.stdout)]
        self.assertTrue([text for text in texts if re.fullmatch(r"slurm job 7 in big, 2 nodes, 1 task: its end is in 6[01] min\.", text)], texts)
        for limit in ("may use 1000 s of processor time", "may have 97.7 MiB at most", "may open 200 files at once"):
            self.assertTrue([text for text in texts if limit in text], (limit, texts))
        job, = (finding for finding in json.loads(steelyard("doctor", "--format", "json", LSB_JOBID="8").stdout)
                if finding["section"] == "job")
        self.assertEqual((job["text"], job["level"]), ("lsf job 8: it does not tell when it ends.", "note"))
        self.assertIn("--deadline", job["cure"])

    def test_strict_is_three_exactly_when_something_is_wrong(self):
        done = steelyard("doctor", "--format", "json", "--strict")
        bad = any(f["level"] in ("warning", "problem") for f in json.loads(done.stdout))
        self.assert_code(done, 3 if bad else 0)

    @unittest.skipUnless(HAS_MPI, "this build has no MPI")
    def test_missing_launcher_is_a_problem(self):
        findings = json.loads(steelyard("doctor", "--format", "json", "--launcher", "/nonexistent/mpiexec").stdout)
        self.assertTrue([f for f in findings if f["section"] == "launcher" and f["level"] == "problem"])


@unittest.skipUnless(HAS_MPI, "this build has no MPI")
class Links(Case):
    def link(self, name):
        path = self.directory / name
        os.symlink(PROGRAM, path)
        return str(path)

    def test_name_of_the_seed_program_selects_its_front_end(self):
        for name in ("IMB-MPI1", "imb_mpi1", "IMB-MPI1.mpich"):
            done = steelyard("-list", program=self.link(name))
            self.assert_code(done, 0)
            title, *lines = done.stdout.splitlines()
            self.assertRegex(title, r"^steelyard \S+, MPI-1 part \(IMB 3\.1 rules\)$")
            self.assertEqual(lines[:3], ["List of benchmarks:", "IMB-MPI1:", "    Allgather"])
            self.assertEqual(lines[2:], sorted(lines[2:]))
            self.assertIn("    Uniband (non-default)", lines)

    def test_patterns_are_listed_by_their_letter_too(self):
        self.assertEqual(steelyard("-l", program=self.link("IMB-P2P")).stdout, steelyard("imb-p2p", "-list").stdout)

    def test_patterns_have_no_defaults_of_a_rule_set(self):
        text = steelyard("imb-p2p", "--help").stdout
        self.assertIn("-time", text)
        self.assertNotIn("under 2021", text)

    def test_name_of_b_eff_selects_its_front_end(self):
        for name in ("b_eff", "B-EFF", "b_eff.mpich"):
            done = steelyard("-help", program=self.link(name))
            self.assert_code(done, 0)
            self.assertIn("usage: steelyard b-eff [OPTION...] [RESULT]", done.stdout)

    def test_its_help_explains_single_options(self):
        program = self.link("IMB-MPI1")
        self.assertIn("-npmin", steelyard("-help", program=program).stdout)
        self.assertIn("smallest number", steelyard("-help", "npmin", program=program).stdout)
        self.assert_refused(steelyard("-help", "npmn", program=program), 2, "npmn", "-npmin")

    def test_unknown_words_are_refused_together(self):
        done = steelyard("PingPongg", "Allreduc", program=self.link("IMB-MPI1"))
        self.assert_refused(done, 2, "'PingPongg', 'Allreduc'", "did you mean 'PingPong', 'Allreduce'?")


@unittest.skipUnless(HAS_MPI, "this build has no MPI")
class Help(Case):
    def test_help_of_help_is_the_overview(self):
        done = steelyard("help", "help")
        self.assert_code(done, 0)
        self.assertEqual(done.stdout, steelyard("help").stdout)

    def test_exit_codes_tell_of_a_budget_that_holds_nothing(self):
        help_text = " ".join(steelyard("run", "--help").stdout.split())
        self.assertIn("too few processes, or a budget that no point fits into", help_text)

    def test_text_of_another_program_is_refused_in_one_line_of_our_own(self):
        foreign = self.directory / "foreign.txt"
        foreign.write_text("Results of another program\n1 2 3\n")
        for words in (["balance", foreign], ["compare", foreign, foreign], ["export", foreign, "--to", "csv"], ["report", foreign]):
            done = steelyard(*words)
            self.assert_refused(done, 2, "foreign.txt:1: not valid JSON")
            self.assertNotIn("json.exception", done.stderr)


class Variables(Case):
    def test_unknown_variable_is_told_once_with_the_nearest_one(self):
        done = steelyard("list", "--names", STEELYARD_FROMAT="json", STEELYARD_TEST_ANYTHING="1")
        self.assert_code(done, 0)
        self.assertEqual(done.stderr, "steelyard: warning: STEELYARD_FROMAT is not read: no option has this variable; did you mean "
                         "STEELYARD_FORMAT?\n" if HAS_MPI else "")


@unittest.skipUnless(HAS_MPI, "this build has no MPI")
class Configuration(Case):
    def test_printed_configuration_is_read_again(self):
        words = ["run", "imb-mpi1/A*", "--np", "2,4", "--sizes", "0,1..64Ki", "-n", "4", "--memory", "64Mi"]
        file = self.directory / "c.toml"
        file.write_text(steelyard(*words, "--print-config").stdout)
        first, second = steelyard(*words, "--plan"), steelyard("run", "--config", file, "--plan")
        self.assert_code(first, 0)
        self.assertEqual(first.stdout, second.stdout)

    def test_error_in_a_file_has_its_place(self):
        file = self.directory / "c.toml"
        file.write_text("[run]\nsizs = 1\n")
        self.assert_refused(steelyard("run", "--config", file, "--plan"), 2,
                            f"steelyard: error: {file}:2:1: unknown option 'sizs' in [run]; did you mean 'sizes'?")

    def test_steps_follow_the_command_line_and_do_not_hinder_other_subcommands(self):
        file = self.directory / "c.toml"
        file.write_text('[[step]]\nselect = ["imb-mpi1/Bcast"]\nnp = [2]\n')
        words = ["run", "--config", file, "-n", "4", "--memory", "64Mi", "--np", "3", "--plan"]
        self.assertRegex(steelyard(*words).stdout, r"(?m)^imb-mpi1/Bcast +3 ")
        again = self.directory / "again.toml"
        again.write_text(steelyard(*words[:-1], "--print-config").stdout)
        self.assertRegex(steelyard("run", "--config", again, "--plan").stdout, r"(?m)^imb-mpi1/Bcast +3 ")
        self.assert_code(steelyard("list", "--names", STEELYARD_CONFIG=str(file)), 0)
        self.assert_refused(steelyard("list", STEELYARD_CONFIG="/none.toml"), 2, "error: STEELYARD_CONFIG: cannot read '/none.toml'")

    def test_a_plan_of_several_launches_tells_the_time_of_all(self):
        words = ["run", "imb-mpi1/PingPong", "-n", "2", "--memory", "64Mi", "--schedule", "time:5s", "--sizes", "8,1Ki", "--budget", "60s", "--plan"]
        one, five = steelyard(*words), steelyard(*words, "--launches", "5")
        self.assertRegex(one.stdout, r"(?m)^estimate: .* in about 1\d(\.\d+)? s,")
        self.assertNotIn("launches", one.stdout)
        self.assertRegex(five.stdout, r"(?m)^5 launches: about 5\d(\.\d+)? s$")

    def test_timed_points_are_planned_with_their_time(self):
        done = steelyard("run", "imb-mpi1/PingPong", "-n", "2", "--memory", "64Mi", "--schedule", "time:5s", "--budget", "60s", "--plan")
        measured = int(done.stdout.splitlines()[1].split()[3])
        self.assertGreater(measured, 3)
        self.assertLessEqual(5 * measured, 60)

    def test_results_are_never_overwritten(self):
        (self.directory / "result.jsonl").write_text("{}\n")
        self.assert_refused(steelyard("run", "-n", "2", "-o", self.directory), 4, "nothing is overwritten")

    def test_launch_below_a_launcher_is_refused(self):
        self.assert_refused(steelyard("run", "-n", "2", PMI_RANK="0", PMI_FD="9"), 2, "already started by mpiexec")


if __name__ == "__main__":
    main()
