// SPDX-License-Identifier: Apache-2.0
#include "launch/launch.hpp"

#include <gmock/gmock.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <utility>

#include "record/file.hpp"
#include "scratch.hpp"
#include "words.hpp"

namespace steelyard::cli {
namespace {

TEST(container, is_one_if_the_machine_names_its_kind) {
  const record::Json bare{{"container", {{"kind", nullptr}, {"quota_cores", 2.0}}}};
  const record::Json inside{{"container", {{"kind", "podman"}}}};
  EXPECT_FALSE(names_container(bare));
  EXPECT_FALSE(names_container(record::Json::object()));
  EXPECT_TRUE(names_container(inside));
}

using test::invoke;
using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

Values values(const test::Strings& words) {
  return invoke("run", words).values;
}

TEST(library, is_known_by_its_version) {
  EXPECT_EQ(library_kind("Open MPI v4.1.4, package: Debian"), Library::open_mpi);
  EXPECT_EQ(library_kind("MPICH Version:\t4.0.2"), Library::mpich);
  EXPECT_EQ(library_kind("Something else"), Library::other);
}

constexpr Room two_cores{2, 2};

test::Strings words_for(int processes, const Room& room, Library library, const test::Strings& said = {}) {
  return launcher_words(values(said), processes, room, library);
}

// What Open MPI is told of yielding: "1", "0", or "" for nothing.
std::string yields(const test::Strings& words) {
  const auto at = std::ranges::find(words, "mpi_yield_when_idle");
  return at == words.end() ? "" : *(at + 1);
}

TEST(launcher_words, open_mpi_is_told_of_more_processes_than_cores) {
  EXPECT_THAT(words_for(4, two_cores, Library::open_mpi), Contains("--oversubscribe"));
  EXPECT_EQ(yields(words_for(4, two_cores, Library::open_mpi)), "1");
  EXPECT_THAT(words_for(2, two_cores, Library::open_mpi), Not(Contains("--oversubscribe")));
  EXPECT_EQ(yields(words_for(2, two_cores, Library::open_mpi)), "");
  EXPECT_THAT(words_for(4, two_cores, Library::mpich), Not(Contains("--oversubscribe")));
}

// Open MPI 5 refuses -q, the short form of this.
TEST(launcher_words, open_mpi_is_told_to_be_quiet_in_words_that_every_version_takes) {
  const auto words = words_for(2, two_cores, Library::open_mpi);
  EXPECT_THAT(words, IsSupersetOf({"--mca", "orte_execute_quiet", "1"}));
  EXPECT_THAT(words, Not(Contains("-q")));
}

TEST(launcher_words, open_mpi_yields_only_where_cores_are_shared_not_where_slots_are_few) {
  const Room one_slot{1, 16};
  EXPECT_THAT(words_for(16, one_slot, Library::open_mpi), Contains("--oversubscribe"));
  EXPECT_EQ(yields(words_for(16, one_slot, Library::open_mpi)), "0");
  EXPECT_EQ(yields(words_for(17, one_slot, Library::open_mpi)), "1");
}

TEST(launcher_words, what_is_not_known_of_several_nodes_is_left_to_the_launcher) {
  const Room slots_alone{32, std::nullopt};
  EXPECT_THAT(words_for(32, slots_alone, Library::open_mpi), Not(Contains("--oversubscribe")));
  EXPECT_THAT(words_for(33, slots_alone, Library::open_mpi), Contains("--oversubscribe"));
  EXPECT_EQ(yields(words_for(33, slots_alone, Library::open_mpi)), "");
  const auto unknown = words_for(1000, {}, Library::open_mpi, {"--bind", "core"});
  EXPECT_THAT(unknown, Not(Contains("--oversubscribe")));
  EXPECT_THAT(unknown, IsSupersetOf({"--bind-to", "core"}));
}

TEST(launcher_words, binding_is_told_in_the_library_s_words) {
  EXPECT_THAT(words_for(2, two_cores, Library::open_mpi, {"--bind", "core"}),
              IsSupersetOf({"--bind-to", "core"}));
  EXPECT_THAT(words_for(4, two_cores, Library::open_mpi, {"--bind", "core"}),
              Contains("core:overload-allowed"));
  EXPECT_THAT(words_for(4, two_cores, Library::mpich, {"--bind", "none"}),
              IsSupersetOf({"-bind-to", "none"}));
  EXPECT_THAT(words_for(2, two_cores, Library::mpich), Not(Contains("-bind-to")));
  EXPECT_THAT(words_for(1, two_cores, Library::mpich, {"--threads", "2"}),
              IsSupersetOf({"-bind-to", "none"}));
  EXPECT_THAT(words_for(1, two_cores, Library::mpich, {"--threads", "2", "--bind", "core"}),
              IsSupersetOf({"-bind-to", "core"}));
  EXPECT_THAT(words_for(2, two_cores, Library::mpich, {"--threads", "1"}), Not(Contains("-bind-to")));
  EXPECT_THAT(test::refusal([] {
                return words_for(2, two_cores, Library::other, {"--bind", "core"}).size();
              }),
              testing::StartsWith("--bind: how this MPI library's launcher binds is not known"));
}

TEST(launcher, of_a_batch_system_is_told_no_words_of_the_library) {
  for (const char* other : {"srun", "/opt/ibm/jsm/bin/jsrun", "aprun"})
    EXPECT_FALSE(takes_words_of_library(other));
  for (const char* own : {"mpiexec.openmpi", "/opt/srun/bin/mpirun", "mpiexec.hydra"})
    EXPECT_TRUE(takes_words_of_library(own));
}

TEST(launcher_room, is_that_of_the_folder_that_open_mpi_takes) {
  const auto room = [](const std::map<std::string, std::string>& set, Library library) {
    return scarce_room_of_launcher(library, [&](const char* name) {
      const auto found = set.find(name);
      return found == set.end() ? std::nullopt : std::optional(found->second);
    });
  };
  // Folders of the kernel take no file and have no room.
  const std::map<std::string, std::string> none{{"TMPDIR", "/proc/sys"}, {"TMP", "/tmp"}};
  EXPECT_THAT(room(none, Library::open_mpi), testing::StartsWith("'/proc/sys' "));
  EXPECT_EQ(room(none, Library::mpich), "");
  const test::Scratch scratch;
  EXPECT_EQ(room({{"TMPDIR", scratch.path().string()}}, Library::open_mpi), "");
}

TEST(launcher_words, own_command_takes_the_number_where_it_says) {
  EXPECT_THAT(words_for(8, two_cores, Library::open_mpi, {"--launcher", "srun -n{n}  --mpi=pmix"}),
              ElementsAre("srun", "-n8", "--mpi=pmix"));
  EXPECT_THAT(words_for(8, two_cores, Library::mpich, {"--launcher", "prun"}),
              ElementsAre("prun", "-n", "8"));
  EXPECT_THAT(
      words_for(8, two_cores, Library::mpich, {"--launcher", "'/my mpi/mpiexec' --wdir=/a\\ b -n {n}"}),
      ElementsAre("/my mpi/mpiexec", "--wdir=/a b", "-n", "8"));
}

TEST(processes, auto_is_at_least_two) {
  EXPECT_GE(processes_to_launch(values({"-n", "auto"})), 2);
  EXPECT_EQ(processes_to_launch(values({"-n", "7"})), 7);
}

TEST(processes, auto_is_as_many_as_a_job_on_several_nodes_has_slots) {
  const auto automatic = values({"-n", "auto"});
  constexpr Room four_nodes{256, 512, 4}, one_slot_each{4, std::nullopt, 4}, unknown{{}, {}, 4};
  const int here = processes_to_launch(automatic, Room{});
  EXPECT_EQ(processes_to_launch(automatic, four_nodes), 256);
  EXPECT_EQ(processes_to_launch(automatic, one_slot_each), 4);
  EXPECT_EQ(processes_to_launch(automatic, unknown), here);
  EXPECT_EQ(processes_to_launch(automatic, Room{1, 16, 1}), here);
  EXPECT_EQ(processes_to_launch(values({"-n", "7"}), four_nodes), 7);
}

TEST(processes, are_not_started_in_a_heterogeneous_job) {
  const Room groups{.slots = {}, .cores = 16, .groups = 3};
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"-n", "auto"}, {"-n", "8"}, {"-n", "auto", "--launcher", "srun"}}) {
    try {
      refuse_several_groups(values(words), groups, Library::open_mpi);
      ADD_FAILURE() << "not refused";
    } catch (const Refused& refused) {
      EXPECT_THAT(refused.what(), testing::HasSubstr("srun --mpi=pmix --het-group=0-2 steelyard"));
    }
  }
  const auto said = values({"-n", "8", "--launcher", "srun --het-group=0-2 -n {n}"});
  EXPECT_NO_THROW(refuse_several_groups(said, groups, Library::open_mpi));
  EXPECT_NO_THROW(refuse_several_groups(values({"-n", "auto"}), Room{}, Library::open_mpi));
}

TEST(child_words, name_the_subcommand_also_when_a_link_was_called) {
  Invocation invocation = invoke("imb-mpi1", {"PingPong"});
  invocation.argv = {"IMB-MPI1", "PingPong"};
  const auto words = child_words(invocation, {});
  EXPECT_THAT(words, ElementsAre(testing::_, launched_word({}), "imb-mpi1", "PingPong"));
  invocation.argv = {"bin/imb-mpi1.mpich", "PingPong", "--out", "imb-mpi1"};
  EXPECT_THAT(child_words(invocation, {}),
              ElementsAre(testing::_, launched_word({}), "imb-mpi1", "PingPong", "--out", "imb-mpi1"));
  invocation.argv = {"steelyard", "imb-mpi1", "PingPong"};
  EXPECT_THAT(child_words(invocation, {}),
              ElementsAre(testing::_, launched_word({}), "imb-mpi1", "PingPong"));
}

TEST(start, exit_code_comes_back) {
  EXPECT_EQ(start_and_wait({"sh", "-c", "exit 5"}).code, 5);
  EXPECT_EQ(start_and_wait({"sh", "-c", "kill -KILL $$"}).code, 128 + 9);
}

TEST(start_and_wait, signal_of_a_launcher_is_told) {
  EXPECT_EQ(start_and_wait({"sh", "-c", "kill -SEGV $$"}).signal, SIGSEGV);
  EXPECT_EQ(start_and_wait({"sh", "-c", "exit 139"}).signal, 0);
}

TEST(nothing_begun, crash_of_the_launcher_is_called_one) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(lost_run({128 + SIGABRT, "/nonexistent/results", {}, false, SIGABRT}), 4);
  EXPECT_EQ(lost_run({128 + SIGKILL, "/nonexistent/results", {}, false, SIGKILL}), 4);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, testing::HasSubstr("the launcher itself crashed before anything was measured (signal 6"));
  EXPECT_THAT(said, testing::HasSubstr(
                        "the processes ended before anything was measured (the launcher's code is 137)"));
}

TEST(lost_run, tells_whom_the_kernel_killed_for_lack_of_memory) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(lost_run({137, "/nonexistent/results", {}, false, 0, 1}), 4);
  EXPECT_EQ(lost_run({9, {}, {}, false, 0, 2}), 1);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, testing::HasSubstr(
                        "code is 137; meanwhile the kernel here killed 1 process for lack of memory)"));
  EXPECT_THAT(said, testing::HasSubstr(
                        "code is 9; meanwhile the kernel here killed 2 processes for lack of memory)"));
}

TEST(host_name, is_too_long_for_open_mpi_4_with_fifty_characters_before_a_digit) {
  const std::string four = "Open MPI v4.1.4, package: Debian OpenMPI";
  EXPECT_TRUE(is_too_long_for_launcher(std::string(50, 'x') + "1.site", four));
  EXPECT_FALSE(is_too_long_for_launcher(std::string(49, 'x') + "1" + std::string(40, 'x'), four));
  EXPECT_FALSE(is_too_long_for_launcher("node." + std::string(60, 'x'), four));
  EXPECT_FALSE(is_too_long_for_launcher(std::string(64, 'x'), "Open MPI v5.0.7, package: Debian OpenMPI"));
  EXPECT_FALSE(is_too_long_for_launcher(std::string(64, 'x'), "MPICH Version: 4.0.2"));
}

// The launcher of Open MPI 5 asks no list of users.
TEST(give_home, is_that_of_the_list_of_users_where_no_variable_names_one) {
  const char* const before = std::getenv("HOME");
  const std::string kept = before == nullptr ? "" : before;
  unsetenv("HOME");
  give_home();
  const passwd* const user = getpwuid(geteuid());
  EXPECT_STREQ(std::getenv("HOME"), user == nullptr ? "/" : user->pw_dir);
  setenv("HOME", "/elsewhere", 1);
  give_home();
  EXPECT_STREQ(std::getenv("HOME"), "/elsewhere");
  if (before == nullptr)
    unsetenv("HOME");
  else
    setenv("HOME", kept.c_str(), 1);
}

TEST(own_exit_code, is_none_that_launchers_make_of_lost_processes) {
  for (const int own : {0, 1, 2, 3, 4, 5, 70}) EXPECT_TRUE(own_exit_code(own)) << own;
  for (const int of_launcher : {9, 15, 137, 139, 205, 255})
    EXPECT_FALSE(own_exit_code(of_launcher)) << of_launcher;
}

TEST(lost_run, is_four_where_nothing_was_recorded_and_one_where_that_is_not_known) {
  EXPECT_EQ(lost_run({137, "/nonexistent/results", {}}), 4);
  EXPECT_EQ(lost_run({137, {}, {}}), 1);
}

// A result directory with these lines, of which `last` has no line end.
class Recorded {
 public:
  explicit Recorded(const std::string& last) {
    static_cast<void>(scratch_.file("result.jsonl",
                                    record::to_line({{"r", 1, 0, 0}, record::EventRecord{}}) + '\n' + last));
  }
  [[nodiscard]] const std::filesystem::path& path() const { return scratch_.path(); }

 private:
  test::Scratch scratch_;
};

std::string end_line(int exit_code) {
  record::EndRecord end;
  end.status = "interrupted";
  end.exit_code = exit_code;
  return record::to_line({{"r", 1, 1, 0}, end});
}

TEST(recorded_end, is_the_last_whole_line_or_none) {
  ASSERT_TRUE(recorded_end(Recorded(end_line(5) + '\n').path()));
  EXPECT_EQ(recorded_end(Recorded(end_line(5) + '\n').path())->exit_code, 5);
  for (const std::string& last : {std::string(), end_line(5), end_line(5) + "\n{\"torn\n"})
    EXPECT_FALSE(recorded_end(Recorded(last).path())) << last;
  EXPECT_FALSE(recorded_end("/nonexistent/results"));
  EXPECT_FALSE(recorded_end({}));
}

TEST(records_gone, fail_a_run_unless_its_processes_have_told_of_it) {
  const test::Scratch scratch;
  EXPECT_TRUE(file_is_gone(scratch.path()));
  EXPECT_FALSE(file_is_gone(Recorded("").path()));
  EXPECT_EQ(records_gone({4, scratch.path(), {}}), 4);
  EXPECT_EQ(records_gone({0, scratch.path(), {}}), 1);
  EXPECT_EQ(records_gone({137, scratch.path(), {}}), 1);
}

TEST(late_loss, has_the_recorded_code) {
  record::EndRecord end;
  end.exit_code = 5;
  EXPECT_EQ(late_loss({1, "/nonexistent/results", {}, true}, end), 5);
}

TEST(died_of_the_wish, is_what_usr1_does_to_processes_that_do_not_know_it) {
  for (const int code : {0, SIGUSR1, 128 + SIGUSR1}) EXPECT_TRUE(died_of_the_wish(code)) << code;
  for (const int code : {1, 4, 5, 9, 137, 143, 255}) EXPECT_FALSE(died_of_the_wish(code)) << code;
}

TEST(start, standard_input_is_empty) {
  EXPECT_EQ(start_and_wait({"sh", "-c", "test -z \"$(cat)\""}).code, 0);
}

TEST(start, wish_to_end_is_passed_on_as_usr1_and_told) {
  const Finish finish =
      start_and_wait({"sh", "-c", "trap 'exit 5' USR1; kill -TERM $PPID; while :; do sleep 0.05; done"});
  EXPECT_EQ(finish.code, 5);
  EXPECT_EQ(finish.asked, Asked::to_stop);
}

TEST(start, usr2_by_which_batch_systems_announce_the_end_is_a_wish_and_ends_no_launcher) {
  const Finish finish = start_and_wait(
      {"sh", "-c", "kill -USR2 $$; trap 'exit 5' USR1; kill -USR2 $PPID; while :; do sleep 0.05; done"});
  EXPECT_EQ(finish.code, 5);
  EXPECT_EQ(finish.asked, Asked::to_stop);
}

TEST(start, quit_ends_the_launcher_at_once) {
  const Finish finish =
      start_and_wait({"sh", "-c", "trap 'exit 9' TERM; kill -QUIT $PPID; while :; do sleep 0.05; done"});
  EXPECT_EQ(finish.code, 9);
  EXPECT_TRUE(finish.insisted);
}

TEST(start, stop_by_the_terminal_stops_us_alone_and_says_so) {
  testing::internal::CaptureStderr();
  const Finish finish =
      start_and_wait({"sh", "-c", "kill -TSTP $PPID; sleep 0.2; kill -CONT $PPID; sleep 0.1; exit 5"});
  EXPECT_EQ(finish.code, 5);
  EXPECT_EQ(finish.asked, Asked::nothing);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "steelyard: the processes go on measuring while this one is stopped\n");
}

// Ending of a child that asks us twice to end it; TERM ends it with 9, otherwise it ends by itself with 5.
Finish asked_twice(bool end_is_recorded) {
  Watching watching;
  watching.ended = [=] { return end_is_recorded; };
  return start_and_wait({"sh", "-c",
                         "trap : USR1; trap 'exit 9' TERM; kill -TERM $PPID; sleep 0.3; kill -TERM $PPID; "
                         "sleep 0.3; sleep 0.3; exit 5"},
                        watching);
}

TEST(start, second_wish_is_passed_on_as_term_unless_the_end_is_recorded) {
  const Finish ended = asked_twice(false), left = asked_twice(true);
  EXPECT_EQ(ended.code, 9);
  EXPECT_TRUE(ended.insisted);
  EXPECT_EQ(left.code, 5);
  EXPECT_FALSE(left.insisted);
}

// Processes of Open MPI 5 are in groups of their own, and stay where their launcher is killed.
TEST(start, third_wish_kills_what_was_started_in_other_groups_too) {
  const test::Scratch scratch;
  const auto told = scratch.path() / "process";
  const Finish finish =
      start_and_wait({"sh", "-c",
                      "trap '' USR1 TERM; setsid sleep 60 >/dev/null & echo $! >'" + told.string() +
                          "'; for i in 1 2 3; do sleep 0.1; kill -TERM $PPID; done; sleep 60"});
  EXPECT_EQ(finish.signal, SIGKILL);
  std::ifstream file(told);
  pid_t process = 0;
  ASSERT_TRUE(file >> process);
  for (int looks = 0; looks < 200 && is_alive(process); ++looks) usleep(10000);
  EXPECT_FALSE(is_alive(process));
}

TEST(start, what_was_recorded_is_seen_while_it_is_there) {
  Watching watching;
  watching.recorded = [] { return true; };
  EXPECT_TRUE(start_and_wait({"sleep", "1.5"}, watching).recorded);
  watching.recorded = [] { return false; };
  EXPECT_FALSE(start_and_wait({"sleep", "1.5"}, watching).recorded);
}

// Ending of a child that sends us this signal while we have it ignored.
Finish with_ignored(int signal, const std::string& name) {
  auto* const before = std::signal(signal, SIG_IGN);
  const Finish finish =
      start_and_wait({"sh", "-c", "trap 'exit 5' USR1; kill -" + name + " $PPID; sleep 0.2"});
  std::signal(signal, before);
  return finish;
}

TEST(start, signals_that_were_ignored_are_not_heard) {
  for (const auto& [signal, name] : {std::pair{SIGINT, "INT"}, {SIGHUP, "HUP"}}) {
    const Finish finish = with_ignored(signal, name);
    EXPECT_EQ(finish.code, 0) << name;
    EXPECT_EQ(finish.asked, Asked::nothing) << name;
  }
}

TEST(start, missing_program_is_refused) {
  EXPECT_EQ(test::refusal([] { return start_and_wait({"/nonexistent/mpiexec"}).code; }),
            "cannot start '/nonexistent/mpiexec': No such file or directory");
}

TEST(start, output_can_be_read) {
  std::string output;
  EXPECT_EQ(start_and_read({"sh", "-c", "echo a; echo b; exit 3"}, output), 3);
  EXPECT_EQ(output, "a\nb\n");
}

}  // namespace
}  // namespace steelyard::cli
