// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdlib>

#include "imb/options.hpp"
#include "launch/launch.hpp"
#include "measuring/computing.hpp"
#include "measuring/config_record.hpp"
#include "measuring/measured_suite.hpp"
#include "measuring/selection.hpp"
#include "options/config_file.hpp"
#include "run/options.hpp"
#include "run/plan.hpp"
#include "scratch.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/foundation/threads.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/suite_list.hpp"
#include "words.hpp"

namespace steelyard::cli {
namespace {

using test::invoke;
using test::refusal;
using test::Strings;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

Place place(int processes) {
  return {processes, std::int64_t{1} << 30, {16 << 20, 64}};
}
Prepared prepared(const Strings& words, int processes = 4) {
  return prepare_run(invoke("run", words), place(processes));
}
std::string wrong(const Strings& words, int processes = 4) {
  return refusal([&] { return prepared(words, processes).plan.hash; });
}
std::string combination(const Strings& words) {
  return refusal([&] {
    check_combinations(invoke("run", words));
    return 0;
  });
}

std::vector<int> process_numbers(const Prepared& p) {
  std::vector<int> numbers;
  for (const auto& block : p.plan.blocks)
    if (numbers.empty() || numbers.back() != block.processes) numbers.push_back(block.processes);
  return numbers;
}

TEST(run_plan, numbers_of_processes_follow_np) {
  EXPECT_THAT(process_numbers(prepared({"imb-mpi1/Bcast"}, 6)), ElementsAre(2, 4, 6));
  EXPECT_THAT(process_numbers(prepared({"imb-mpi1/Bcast", "--np", "3"}, 6)), ElementsAre(3));
  EXPECT_THAT(process_numbers(prepared({"imb-mpi1/Bcast", "--np", "all"}, 4)), ElementsAre(2, 3, 4));
}

TEST(run_plan, np_beyond_the_processes_is_refused) {
  EXPECT_EQ(wrong({"--np", "2,64"}, 16),
            "--np: asks for 64 processes, started with 16 | -n 64, or the launcher, starts as many");
}

TEST(run_plan, map_must_number_all_processes) {
  EXPECT_THAT(wrong({"--map", "2x3"}, 4), HasSubstr("--map: 2x3 does not number 4 processes"));
}

TEST(run_plan, memory_beyond_what_is_there_is_refused) {
  EXPECT_THAT(wrong({"--memory", "64Gi"}), HasSubstr("--memory: 64 GiB are more than the"));
  EXPECT_EQ(prepared({"--memory", "1Mi"}).options.memory_byte, 1 << 20);
}

TEST(run_plan, memory_fraction_is_of_all_that_is_usable) {
  const auto planned = [](const char* fraction) {
    return static_cast<double>(prepared({"--memory-fraction", fraction}).options.memory_byte);
  };
  const auto usual = static_cast<double>(std::int64_t{1} << 30);
  EXPECT_EQ(planned("80%"), usual);
  EXPECT_NEAR(planned("0.4"), usual / 2, 1);
  EXPECT_NEAR(planned("1"), usual / 0.8, 1);
}

TEST(run_plan, unknown_patterns_are_named_together) {
  const std::string text = wrong({"imb-mpi1/PingPongg", "imb-mpii", "--exclude", "x/y"});
  EXPECT_THAT(text, HasSubstr("imb-mpi1/PingPongg"));
  EXPECT_THAT(text, HasSubstr("imb-mpii"));
}

TEST(run_plan, excluding_everything_is_refused) {
  EXPECT_NE(wrong({"imb-mpi1/Bcast", "--exclude", "imb-mpi1/*"}), "accepted");
}

TEST(run_plan, off_cache_auto_is_the_machine) {
  EXPECT_EQ(prepared({"--off-cache", "auto"}).settings<imb::PartDefinition>("imb-mpi1").off_cache.cache_byte,
            16 << 20);
  EXPECT_EQ(
      prepared({"--off-cache", "1Mi,128"}).settings<imb::PartDefinition>("imb-mpi1").off_cache.line_byte,
      128);
  EXPECT_EQ(refusal([] {
              return prepare_run(invoke("run", {"--off-cache", "auto"}), {2, 0, {}}).plan.hash;
            }),
            "--off-cache: the size of this machine's cache is unknown; name it");
}

TEST(run_plan, same_words_in_other_spellings_make_the_same_plan) {
  const Strings a{"imb-mpi1/Bcast", "--ci", "2%", "--point-budget", "1500ms", "--sizes", "1024"};
  const Strings b{"--sizes=1Ki", "imb-mpi1/bcast", "--ci=0.02", "--point-budget=1.5"};
  EXPECT_EQ(prepared(a).plan.hash, prepared(b).plan.hash);
  EXPECT_NE(
      prepared(a).plan.hash,
      prepared({"imb-mpi1/Bcast", "--ci", "3%", "--point-budget", "1500ms", "--sizes", "1024"}).plan.hash);
}

TEST(run_plan, printed_configuration_makes_the_same_plan) {
  const test::Scratch scratch;
  const Invocation first =
      invoke("run", {"imb-mpi1/A*", "--exclude", "imb-mpi1/Alltoall*", "--np", "2,4", "--sizes",
                     "0,1..64Ki*4", "--off-cache", "auto", "--seed", "7", "--label", "a=b c"});
  const std::string file = scratch.file("c.toml", config_text(*first.command, first.values, first.steps));
  const Invocation second = invoke("run", {"--config", file});
  EXPECT_EQ(prepare_run(first, place(4)).plan.hash, prepare_run(second, place(4)).plan.hash);
  EXPECT_EQ(first.values.list("label"), second.values.list("label"));
}

TEST(run_plan, steps_are_planned_one_after_the_other_with_their_own_words) {
  const test::Scratch scratch;
  const std::string file =
      scratch.file("c.toml",
                   "[run]\nsizes = \"8\"\n[[step]]\nselect = [\"imb-mpi1/Bcast\"]\nnp = [4]\n"
                   "[[step]]\nselect = [\"imb-mpi1/PingPong\"]\nsizes = \"1,2\"\n");
  const Invocation steps = invoke("run", {"--config", file});
  const Prepared p = prepare_run(steps, place(4));
  EXPECT_THAT(p.plan.sequence, ElementsAre("imb-mpi1/Bcast", "imb-mpi1/PingPong"));
  ASSERT_EQ(p.plan.blocks.size(), 2U);
  EXPECT_EQ(p.plan.blocks[0].processes, 4);
  EXPECT_EQ(p.plan.blocks[0].points.size(), 1U);
  EXPECT_EQ(p.plan.blocks[1].points.size(), 2U);
  const std::string printed = scratch.file("d.toml", config_text(*steps.command, steps.values, steps.steps));
  EXPECT_EQ(prepare_run(invoke("run", {"--config", printed}), place(4)).plan.hash, p.plan.hash);
}

TEST(run_plan, steps_are_measured_by_suites_with_their_own_words) {
  const test::Scratch scratch;
  const std::string file =
      scratch.file("c.toml",
                   "[run]\n[[step]]\nselect = [\"imb-mpi1/Bcast\"]\n"
                   "[[step]]\nselect = [\"imb-mpi1/PingPong\"]\ngroups = \"all\"\nmap = \"2x2\"\n");
  const Prepared p = prepare_run(invoke("run", {"--config", file}), place(4));
  const auto settings_of = [](const suites::BlockPlan& block) {
    return dynamic_cast<const imb::PartDefinition&>(*block.planned_by).settings();
  };
  EXPECT_FALSE(settings_of(p.plan.blocks.front()).map || settings_of(p.plan.blocks.front()).multi);
  EXPECT_TRUE(settings_of(p.plan.blocks.back()).map && settings_of(p.plan.blocks.back()).multi);
}

// Words of a run with these lines of [run] and these selections as its steps.
Strings with_steps(const test::Scratch& scratch, const std::string& run, const Strings& selections) {
  std::string text = "[run]\n" + run;
  for (const std::string& one : selections) text += "[[step]]\nselect = [\"" + one + "\"]\n";
  return {"--config", scratch.file("steps.toml", text)};
}

TEST(exclude, leaves_out_the_steps_of_which_it_leaves_nothing) {
  const test::Scratch scratch;
  const auto excluding = [&](const Strings& words) {
    Strings all = with_steps(scratch, "sizes = \"8\"\n", {"imb-mpi1/Bcast", "imb-mpi1/PingPong"});
    all.insert(all.end(), words.begin(), words.end());
    return all;
  };
  EXPECT_THAT(prepared(excluding({"--exclude", "imb-mpi1/PingPong"})).plan.sequence,
              ElementsAre("imb-mpi1/Bcast"));
  EXPECT_EQ(wrong(excluding({"--exclude", "imb-mpi1/B*", "--exclude", "imb-mpi1/P*"})),
            "--exclude removes every selected benchmark");
  EXPECT_EQ(wrong({"imb-mpi1/Bcast", "--exclude", "imb-mpi1/*"}),
            "--exclude removes every selected benchmark");
}

TEST(exclude, of_a_step_leaves_something_of_it) {
  const test::Scratch scratch;
  const std::string file =
      scratch.file("c.toml",
                   "[[step]]\nselect = [\"imb-mpi1/Bcast\"]\n"
                   "[[step]]\nselect = [\"imb-mpi1/PingPong\"]\nexclude = [\"imb-mpi1/*\"]\n");
  EXPECT_THAT(wrong({"--config", file}),
              EndsWith("c.toml:5:1: exclude: removes every benchmark of its step"));
}

TEST(selection, that_nobody_has_is_refused_with_its_place_in_the_file) {
  const test::Scratch scratch;
  const auto refused = [&](const std::string& text) {
    return wrong({"--config", scratch.file("c.toml", text)});
  };
  EXPECT_THAT(
      refused("[[step]]\nselect = [\"imb-mpi1/Bcast\"]\n[[step]]\nselect = [\"imb-mpi1/PingPnog\"]\n"),
      EndsWith("c.toml:4:1: select: no benchmark matches 'imb-mpi1/PingPnog'; did you mean "
               "'imb-mpi1/PingPong'? ('steelyard list' shows all)"));
  EXPECT_THAT(refused("[run]\nselect = [\"imb-mpi1\"]\nexclude = [\"imb-mpi1/Nobody\"]\n"),
              HasSubstr("c.toml:3:1: exclude: no benchmark matches 'imb-mpi1/Nobody'"));
  EXPECT_EQ(wrong({"imb-mpi1/PingPnog"}).find("no benchmark matches"), 0);
}

TEST(rounds, are_those_of_a_sample_where_every_step_screens) {
  const test::Scratch scratch;
  const Strings screens = with_steps(scratch, "", {"screen/fma", "screen/pairs"});
  const auto with_rounds = [](Strings words) { return words.insert(words.end(), {"--rounds", "3"}), words; };
  EXPECT_EQ(combination(with_rounds(screens)), "accepted");
  const Strings all_pairs =
      with_steps(scratch, "pairs = \"all\"\nrounds = 3\n", {"screen/fma", "screen/pairs"});
  EXPECT_EQ(wrong(all_pairs), "--rounds belongs to --pairs sample, not to --pairs all");
}

TEST(rounds, are_those_of_the_schedule_where_a_step_measures_something_else) {
  const test::Scratch scratch;
  const Strings mixed = with_steps(scratch, "schedule = \"suite\"\npairs = \"all\"\nrounds = 3\n",
                                   {"screen/pairs", "imb-mpi1/Bcast"});
  EXPECT_EQ(wrong(mixed), "accepted");
}

TEST(run_plan, a_point_of_two_steps_is_refused_with_both) {
  const test::Scratch scratch;
  const auto with_third = [&](const std::string& second) {
    const std::string file = scratch.file("c.toml",
                                          "[run]\nsizes = \"8\"\n[[step]]\nselect = [\"imb-mpi1/Reduce\"]\n"
                                          "[[step]]\nselect = [\"imb-mpi1/Bcast\"]\nnp = [2]\n[[step]]\n" +
                                              second);
    return wrong({"--config", file});
  };
  EXPECT_THAT(with_third("select = [\"imb-mpi1/B*\"]\nnp = [4, 2]\n"),
              testing::StartsWith("[[step]]: steps 2 and 3 both measure imb-mpi1/B"));
  EXPECT_EQ(with_third("select = [\"imb-mpi1/Bcast\"]\nnp = [4]\n"), "accepted");
  EXPECT_EQ(with_third("select = [\"imb-mpi1/Bcast\"]\nnp = [2]\nsizes = \"16\"\n"), "accepted");
}

TEST(suites, are_the_same_in_every_list) {
  std::vector<std::string_view> listed, defined, measured;
  for (const auto& suite : suites::suite_list()) listed.push_back(suite.name);
  for (const auto& suite : suites::definitions()) defined.push_back(suite->name());
  for (const auto* suite : measured_suites()) measured.push_back(suite->name);
  EXPECT_EQ(defined, measured);
  EXPECT_THAT(listed, testing::UnorderedElementsAreArray(defined));
  for (const auto& suite : measured_suites()) EXPECT_EQ(suite->tiny(2)->name(), suite->name);
  for (const std::string_view name : listed) EXPECT_NE(commands().find(name), nullptr) << name;
}

TEST(combinations, options_of_another_schedule_are_refused) {
  EXPECT_EQ(combination({"--schedule", "suite", "--ci", "1%"}), "--ci: needs --schedule adaptive");
  EXPECT_EQ(combination({"--warm-up", "3"}), "--warm-up: needs --schedule fixed:N");
  EXPECT_EQ(combination({"--rounds", "3"}), "--rounds: needs --schedule suite");
  EXPECT_EQ(combination({"--schedule", "suite"}), "accepted");
}

TEST(combinations, memory_is_said_once_and_is_some) {
  EXPECT_EQ(combination({"--memory", "1Gi", "--memory-fraction", "50%"}),
            "--memory and --memory-fraction exclude each other");
  EXPECT_EQ(combination({"--memory-fraction", "0"}), "--memory-fraction: must be above 0");
}

TEST(combinations, binding_needs_our_own_launcher) {
  EXPECT_EQ(combination({"--bind", "core", "-n", "2"}), "accepted");
  EXPECT_THAT(combination({"--bind", "core", "--launcher", "prun"}), HasSubstr("--bind: needs the launcher"));
}

TEST(combinations, buffers_of_mpi_have_no_pages_of_ours) {
  EXPECT_EQ(combination({"--buffer-kind", "mpi"}), "accepted");
  EXPECT_EQ(combination({"--buffer-kind", "mpi", "--huge-pages", "madvise"}),
            "--huge-pages: needs --buffer-kind plain");
}

TEST(combinations, all_samples_fit_into_a_line) {
  EXPECT_EQ(combination({"--samples", "all"}), "accepted");
  EXPECT_THAT(combination({"--samples", "all", "--max-batches", "40000"}),
              HasSubstr("at most 32768 batches"));
}

TEST(combinations, batches_must_leave_room) {
  EXPECT_EQ(combination({"--min-batches", "9", "--max-batches", "8"}),
            "--min-batches: 9 is more than --max-batches 8");
}

TEST(combinations, results_that_contradict_are_refused) {
  EXPECT_EQ(combination({"--append"}), "--append: needs --out DIR");
  EXPECT_EQ(combination({"--resume", "--append", "-o", "d"}), "--append and --resume exclude each other");
  EXPECT_EQ(combination({"--force"}), "--force: needs --resume");
  EXPECT_EQ(combination({"--table", "seed", "-o", "-"}),
            "--table: standard output carries the records (--out -)");
  EXPECT_EQ(combination({"--launches", "3", "-o", "-"}),
            "--launches: cannot be combined with --no-launch, --resume or --out -");
  EXPECT_EQ(combination({"-n", "2", "--no-launch"}), "--launch and --no-launch exclude each other");
}

TEST(resume_words, plan_changing_options_are_refused_by_name) {
  const auto check = [](const Strings& words) {
    return refusal([&] {
      check_resume_words(invoke("run", words));
      return 0;
    });
  };
  EXPECT_EQ(check({"--resume", "-o", "d", "--budget", "9", "--progress", "none"}), "accepted");
  EXPECT_EQ(check({"--resume", "-o", "d", "--sizes", "8", "imb-mpi1", "--np", "2"}),
            "--resume: takes the plan of the run that it continues, without --np, SELECT, --sizes");
}

TEST(imb_plan, takes_the_words_of_the_front_end) {
  const Prepared p = prepare_imb(invoke("imb-mpi1", {"-msgsize", "4,8", "-npmin", "4", "Bcast"}), place(4));
  ASSERT_EQ(p.plan.blocks.size(), 1U);
  EXPECT_EQ(p.plan.blocks[0].processes, 4);
  EXPECT_EQ(p.plan.points(), 2U);
}

TEST(memory_share, leaves_a_fifth_and_divides_the_rest) {
  EXPECT_EQ(memory_share({1000, 0}, 4), 200);
  EXPECT_EQ(memory_share({1000, 240}, 4), 192) << "a limit of each process is not divided";
}

/// OMP_NUM_THREADS for the life of one test.
class OmpThreads {
 public:
  explicit OmpThreads(const char* word) {
    if (const char* old = std::getenv(name)) old_ = old;
    put(word == nullptr ? std::nullopt : std::optional<std::string>(word));
  }
  OmpThreads(const OmpThreads&) = delete;
  OmpThreads& operator=(const OmpThreads&) = delete;
  ~OmpThreads() { put(old_); }

 private:
  static constexpr const char* name = "OMP_NUM_THREADS";
  static void put(const std::optional<std::string>& word) {
    word ? ::setenv(name, word->c_str(), 1) : ::unsetenv(name);
  }
  std::optional<std::string> old_;
};

TEST(compute_threads, are_what_was_said_or_the_environment_or_one) {
  const auto threads = [](const Strings& words) { return compute_threads(invoke("run", words).values); };
  const OmpThreads none(nullptr);
  EXPECT_EQ(threads({}), 1);
  EXPECT_EQ(threads({"--threads", "3"}), 3);
  for (const auto& [word, expected] : {std::pair{"4,2", 4}, {"6", 6}, {"0", 1}, {"many", 1}, {"2x", 1}}) {
    const OmpThreads said(word);
    EXPECT_EQ(threads({}), hpcc::has_threads() ? expected : 1) << word;
    EXPECT_EQ(threads({"--threads", "3"}), 3);
  }
}

TEST(compute_threads, are_refused_where_the_program_has_none) {
  const auto answer = wrong({"hpcc/StarSTREAM", "--threads", "2"});
  if (hpcc::has_threads())
    EXPECT_EQ(answer, "accepted");
  else
    EXPECT_THAT(answer, HasSubstr("built without OpenMP"));
  EXPECT_EQ(wrong({"hpcc/StarSTREAM", "--threads", "1"}), "accepted");
}

TEST(compute_threads, are_part_of_the_plan) {
  if (!hpcc::has_threads()) GTEST_SKIP() << "built without OpenMP";
  const auto plan = prepared({"hpcc/StarSTREAM", "--threads", "2"});
  EXPECT_EQ(plan.options.threads, 2);
  EXPECT_EQ(plan.settings<hpcc::Definition>("hpcc").threads, 2);
  EXPECT_THAT(plan.plan.blocks.at(0).points.at(0).key, HasSubstr(";threads=2"));
}

hpcc::BlasWish wish(Strings words) {
  words.insert(words.begin(), "hpcc/StarDGEMM");
  return prepared(words).settings<hpcc::Definition>("hpcc").blas_wish;
}

TEST(blas, that_computes_is_the_fastest_unless_the_words_say_otherwise) {
  using enum hpcc::BlasWish::Kind;
  EXPECT_EQ(wish({}), hpcc::BlasWish{fastest});
  EXPECT_EQ(wish({"--blas-trial"}), hpcc::BlasWish{fastest});
  EXPECT_EQ(wish({"--blas", "as-linked"}), hpcc::BlasWish{as_linked});
  EXPECT_EQ(wish({"--base"}), hpcc::BlasWish{as_linked});
  EXPECT_EQ(wish({"--base", "--blas", "fastest"}), hpcc::BlasWish{fastest});
  EXPECT_EQ(wish({"--blas", "libblis.so.4"}), (hpcc::BlasWish{named, "libblis.so.4"}));
  EXPECT_EQ(wish({"--blas", "/a:b/libopenblas.so:Haswell"}),
            (hpcc::BlasWish{named, "/a:b/libopenblas.so", "Haswell"}));
  EXPECT_THROW(wish({"--blas", "as-linked", "--blas-trial"}), UsageError);
  for (const char* nothing : {":Haswell", "libopenblas.so:"})
    EXPECT_THROW(wish({"--blas", nothing}), UsageError) << nothing;
}

TEST(blas, is_needed_where_the_selection_holds_dgemm_or_hpl) {
  const auto needed = [](const Strings& words) { return computes_with_blas(invoke("run", words)); };
  EXPECT_TRUE(needed({"hpcc/StarDGEMM"}));
  EXPECT_TRUE(needed({"hpcc/HPL"}));
  EXPECT_TRUE(needed({"hpcc"}));
  EXPECT_TRUE(needed({}));
  EXPECT_FALSE(needed({"hpcc/*STREAM", "imb-mpi1"}));
  EXPECT_FALSE(needed({"hpcc", "--exclude", "hpcc/*DGEMM", "--exclude", "hpcc/HPL"}));
}

TEST(hpcc_plan, skips_what_needs_more_memory_for_this_reason) {
  const auto plan = prepared({"hpcc", "--hpcc-n", "20000", "--memory", "32MiB"}).plan;
  for (const auto& block : plan.blocks)
    for (const auto& point : block.points) {
      if (block.benchmark == "LatencyBandwidth") continue;
      EXPECT_EQ(point.skip, record::ReasonCode::memory) << point.key;
      EXPECT_GT(point.needed_byte, point.available_byte) << point.key;
    }
}

}  // namespace
}  // namespace steelyard::cli
