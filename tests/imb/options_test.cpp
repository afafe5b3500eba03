// SPDX-License-Identifier: Apache-2.0
#include "imb/options.hpp"

#include <gmock/gmock.h>

#include "scratch.hpp"
#include "suites/imb/part_definition.hpp"
#include "words.hpp"

namespace steelyard::cli {
namespace {

using test::invoke;
using test::refusal;
using test::Strings;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

imb::Settings settings(const Strings& words) {
  return imb_settings(imb::mpi1(), invoke("imb-mpi1", words).values, {16 << 20, 128});
}
Strings names(const Strings& words) {
  return imb_names(imb::mpi1(), invoke("imb-mpi1", words).values, imb::Version::v31);
}
std::string wrong_settings(const Strings& words) {
  return refusal([&] { return settings(words); });
}
std::string wrong_names(const Strings& words) {
  return refusal([&] { return names(words); });
}

// The only value that the words give this option.
std::string value_of(const char* command, const Strings& words, const char* option) {
  return parse_words(*commands().find(command), words).options.at(option).back();
}

TEST(unknown_options, that_are_the_word_of_an_option_name_it) {
  EXPECT_EQ(refusal("run", {"--quick"}), "unknown option '--quick' | did you mean '--preset quick'?");
}

TEST(unknown_options, known_names_behind_one_dash_are_not_a_letter_with_its_value) {
  EXPECT_EQ(refusal("run", {"-np", "4"}), "unknown option '-np' | did you mean '-n'?");
  EXPECT_EQ(refusal("run", {"-launch=4"}), "unknown option '-launch=4' | did you mean '--launch'?");
  EXPECT_EQ(value_of("run", {"-n4", "-qv"}, "launch"), "4");
}

TEST(single_dash, unknown_names_are_no_values_of_a_letter) {
  EXPECT_EQ(refusal("imb-mpi1", {"-npmim", "3"}), "unknown option '-npmim' | did you mean '-npmin'?");
  EXPECT_EQ(refusal("imb-mpi1", {"-npmim=3", "--mlti"}),
            "unknown options '-npmim=3', '--mlti' | did you mean '-npmin', '-multi'?");
  EXPECT_EQ(refusal("imb-mpi1", {"-outt", "x"}), "unknown option '-outt' | did you mean '--out'?");
}

TEST(single_dash, letters_keep_their_values) {
  EXPECT_EQ(value_of("imb-mpi1", {"-n4"}, "launch"), "4");
  EXPECT_EQ(value_of("imb-mpi1", {"-o", "-npmim"}, "out"), "-npmim");
  EXPECT_EQ(value_of("imb-mpi1", {"--off_cache", "-1,64"}, "off_cache"), "-1,64");
  EXPECT_EQ(value_of("imb-mpi1", {"-qh"}, "help"), "on");
}

TEST(imb_words, defaults_are_those_of_version_31) {
  const imb::Settings s = settings({});
  EXPECT_EQ(s.npmin, 2);
  EXPECT_FALSE(s.multi);
  EXPECT_EQ(s.policy, imb::IterationPolicy::volume);
  EXPECT_TRUE(s.root_shift);
  EXPECT_FALSE(s.sync);
  EXPECT_FALSE(s.time_limit);
  EXPECT_EQ(s.iterations.per_sample, 1000);
}

TEST(imb_words, version_2021_changes_what_was_not_said) {
  const imb::Settings s = settings({"--imb-version", "2021", "-root_shift", "on"});
  EXPECT_EQ(s.policy, imb::IterationPolicy::dynamic);
  EXPECT_TRUE(s.root_shift);
  EXPECT_TRUE(s.sync);
  EXPECT_TRUE(s.time_limit);
}

TEST(imb_words, every_measuring_word_arrives) {
  const imb::Settings s =
      settings({"-npmin",       "4",      "-multi",         "1",           "-map",         "2x3",
                "-iter",        "7,8,9",  "-iter_policy",   "multiple_np", "-time",        "2.5",
                "-mem",         "0.5",    "-msglog",        "3:5",         "-zero_size",   "off",
                "-window_size", "64",     "-root_shift",    "0",           "-sync",        "yes",
                "-imb_barrier", "ON",     "-warm_up",       "false",       "-msg_pause",   "on",
                "-data_type",   "double", "-red_data_type", "int",         "-contig_type", "resize_vec",
                "-show_tail",   "yes",    "--check"});
  EXPECT_EQ(s.npmin, 4);
  EXPECT_EQ(s.multi, 1);
  EXPECT_THAT(*s.map, Pair(2, 3));
  EXPECT_EQ(s.iterations.per_sample, 7);
  EXPECT_EQ(s.iterations.volume, 8 * mebi);
  EXPECT_EQ(s.iterations.non_aggregate, 9);
  EXPECT_EQ(s.policy, imb::IterationPolicy::multiple_np);
  EXPECT_EQ(s.time_limit, Seconds{2.5});
  EXPECT_EQ(s.memory, 512 * mebi);
  EXPECT_EQ(s.sizes.low_exponent, 3);
  EXPECT_EQ(s.sizes.high_exponent, 5);
  EXPECT_FALSE(s.sizes.zero);
  EXPECT_EQ(s.window, 64);
  EXPECT_FALSE(s.root_shift);
  EXPECT_TRUE(s.sync && s.own_barrier && s.message_pause && s.show_tail && s.check);
  EXPECT_FALSE(s.warm_up);
  EXPECT_EQ(s.data_type, imb::DataType::real);
  EXPECT_EQ(s.reduction_type, imb::DataType::integer);
  EXPECT_EQ(s.contiguous_type, imb::ContiguousType::resize_vector);
}

imb::Settings ext_settings(const Strings& words) {
  return imb_settings(imb::ext(), invoke("imb-ext", words).values, {16 << 20, 128});
}

TEST(imb_ext_words, modes_and_hints_arrive) {
  EXPECT_EQ(ext_settings({}).mode, imb::Mode::none);
  EXPECT_EQ(ext_settings({"-aggregate_mode", "multi"}).mode, imb::Mode::none);
  const imb::Settings s =
      ext_settings({"-aggregate_mode", "non_aggregate", "--hint", "a=b=c", "--hint", "d="});
  EXPECT_EQ(s.mode, imb::Mode::non_aggregate);
  EXPECT_THAT(s.hints, ElementsAre(Pair("a", "b=c"), Pair("d", "")));
}

TEST(imb_ext_words, its_own_names_are_known_and_others_are_not) {
  const auto names_of = [](const Strings& words) {
    return imb_names(imb::ext(), invoke("imb-ext", words).values, imb::Version::v31);
  };
  EXPECT_THAT(names_of({"unidir_put,WINDOW"}), ElementsAre("Unidir_Put", "Window"));
  EXPECT_EQ(names_of({}).size(), 6U);
  EXPECT_EQ(refusal([&] { return names_of({"PingPong"}); }).substr(0, 41),
            "no benchmark of this name: 'PingPong' | '");
}

TEST(imb_rma_words, transfers_under_way_arrive_and_none_is_refused) {
  const auto settings = [](const Strings& words) {
    return imb_settings(imb::rma(), invoke("imb-rma", words).values, {16 << 20, 128});
  };
  EXPECT_EQ(settings({"--outstanding", "64"}).outstanding, 64U);
  EXPECT_EQ(settings({}).outstanding, std::nullopt);
  EXPECT_TRUE(settings({"-sync", "on", "-root_shift", "off", "-imb_barrier", "on"}).sync);
  EXPECT_EQ(settings({"--n-warmup", "5"}).first_warm_up, 5);
  EXPECT_EQ(settings({"--n-barr", "3"}).barriers, 3);
  for (const char* word : {"0", "-1", "many"})
    EXPECT_THAT(refusal("imb-rma", {"--outstanding", word}), HasSubstr("outstanding")) << word;
  EXPECT_THAT(refusal("imb-rma", {"-window_size", "1"}), HasSubstr("unknown option"));
}

TEST(imb_rma_words, both_modes_are_taken_where_no_benchmark_has_one) {
  const auto names_of = [](const Strings& words) {
    return imb_names(imb::rma(), invoke("imb-rma", words).values, imb::Version::v31);
  };
  EXPECT_THAT(names_of({"-aggregate_mode", "multi", "All_put_all"}), ElementsAre("All_put_all"));
  for (const char* mode : {"aggregate", "non_aggregate"})
    EXPECT_THAT(refusal([&] {
                  return names_of({"-aggregate_mode", mode, "All_put_all"});
                }),
                HasSubstr("-aggregate_mode: none"));
}

TEST(imb_ext_words, options_of_messages_are_refused) {
  for (const char* option : {"-root_shift", "-sync", "-data_type", "-window_size", "-msgsize"})
    EXPECT_THAT(refusal("imb-ext", {option, "1"}), HasSubstr("unknown option")) << option;
  EXPECT_THAT(refusal("imb-ext", {"-aggregate_mode", "both"}), HasSubstr("aggregate_mode"));
  EXPECT_THAT(refusal("imb-ext", {"--hint", "=x"}), HasSubstr("KEY=VALUE"));
}

TEST(mpi4_words, of_parts_and_neighbours_arrive_and_wrong_ones_are_refused) {
  const auto settings = [](const Strings& words) {
    return imb_settings(imb::own_mpi4(), invoke("mpi4", words).values, {16 << 20, 128});
  };
  const imb::Settings plain = settings({});
  EXPECT_TRUE(plain.usual_sizes);
  EXPECT_THAT(plain.partitions, ElementsAre(1, 4, 16));
  EXPECT_DOUBLE_EQ(plain.noise, 0.04);
  EXPECT_EQ(imb::text(plain.cart), "2");
  const imb::Settings s =
      settings({"-partitions", "2,8", "-pready", "backward", "-pready_call", "range", "-noise", "50",
                "-noise_model", "gauss", "-cart", "3x2", "-msglog", "3:4", "-window_size", "8"});
  EXPECT_FALSE(s.usual_sizes);
  EXPECT_THAT(s.partitions, ElementsAre(2, 8));
  EXPECT_EQ(s.part_order, imb::PartOrder::backward);
  EXPECT_EQ(s.part_call, imb::PartCall::range);
  EXPECT_EQ(s.noise_model, imb::NoiseModel::gauss);
  EXPECT_DOUBLE_EQ(s.noise, 0.5);
  EXPECT_EQ(imb::text(s.cart), "3x2");
  EXPECT_EQ(s.cart.dimensions, 2);
  EXPECT_EQ(s.window, 8);
  for (const auto& [option, word] : {std::pair{"-partitions", "0"},
                                     {"-partitions", ","},
                                     {"-noise", "-1"},
                                     {"-noise", "much"},
                                     {"-cart", "4"},
                                     {"-cart", "2x2x2x2"},
                                     {"-cart", "x2"},
                                     {"-pready", "sideways"},
                                     {"-pready_call", "two"},
                                     {"-noise_model", "pink"}})
    EXPECT_THAT(refusal("mpi4", {option, word}), HasSubstr(option + 1)) << word;
  EXPECT_THAT(refusal("imb-nbc", {"-cart", "2"}), HasSubstr("unknown option"));
  EXPECT_FALSE(settings({"-thread_level", "serialized"}).part_threads);
  EXPECT_TRUE(settings({"-thread_level", "multiple"}).part_threads);
  EXPECT_EQ(refusal([&] {
              return settings({"-thread_level", "multiple", "-pready", "random"});
            }),
            "-pready random: with -thread_level multiple each part is handed over by a thread of its own");
  EXPECT_THAT(refusal([&] {
                return settings({"-thread_level", "multiple", "-pready_call", "list"});
              }),
              HasSubstr("-pready_call list"));
}

TEST(imb_nbc_words, of_started_and_persistent_collectives_arrive) {
  for (const imb::Part* part : {&imb::nbc(), &imb::mpi4()}) {
    const std::string command(part->name);
    const auto settings_of = [&](const Strings& words) {
      return imb_settings(*part, invoke(command.c_str(), words).values, {16 << 20, 128});
    };
    const imb::Settings plain = settings_of({});
    EXPECT_EQ(plain.progress_calls, 0U);
    EXPECT_FALSE(plain.sync);
    EXPECT_TRUE(plain.root_shift);
    const imb::Settings s =
        settings_of({"--progress-calls", "7", "-n-warmup", "3", "--n-barr", "0", "-sync", "on"});
    EXPECT_EQ(s.progress_calls, 7U);
    EXPECT_EQ(s.first_warm_up, 3);
    EXPECT_EQ(s.barriers, 0);
    EXPECT_TRUE(s.sync);
    EXPECT_TRUE(settings_of({"--imb-version", "2021"}).sync);
    EXPECT_EQ(imb_names(*part, invoke(command.c_str(), {}).values, imb::Version::v31).size(), 13U);
    for (const char* option : {"-aggregate_mode", "-data_type", "-window_size"})
      EXPECT_THAT(refusal(command.c_str(), {option, "1"}), HasSubstr("unknown option")) << option;
    EXPECT_THAT(refusal(command.c_str(), {"--progress-calls", "-1"}), HasSubstr("progress-calls"));
    EXPECT_THAT(refusal(command.c_str(), {"--n-barr", "x"}), HasSubstr("n-barr"));
  }
}

imb::Settings p2p_settings(const Strings& words) {
  return imb_settings(imb::p2p(), invoke("imb-p2p", words).values, {16 << 20, 128});
}

std::vector<std::int64_t> lengths_of(const imb::Settings& settings) {
  std::vector<std::int64_t> lengths;
  for (const Bytes size : imb::sizes(settings, *imb::find(imb::p2p(), "PingPong")))
    lengths.push_back(size.count());
  return lengths;
}

TEST(imb_p2p_words, defaults_are_those_of_the_program_but_for_the_pause) {
  const imb::Settings s = p2p_settings({});
  EXPECT_EQ(s.npmin, std::numeric_limits<int>::max());
  EXPECT_EQ(s.iterations.per_sample, 100000);
  EXPECT_EQ(s.iterations.volume, 800 * mebi);
  EXPECT_TRUE(s.writes && s.reads && s.warm_up && s.iterations.nearest);
  EXPECT_EQ(s.pause.value(), 0);
  EXPECT_EQ(s.seed, 0U);
  EXPECT_EQ(s.version, imb::Version::v2021);
  EXPECT_FALSE(s.time_limit);
  EXPECT_EQ(lengths_of(s).size(), 24U);
}

TEST(imb_p2p_words, sizes_have_exponents_files_and_single_ones) {
  EXPECT_THAT(lengths_of(p2p_settings({"-msglog", "3"})), ElementsAre(0, 1, 2, 4, 8));
  EXPECT_THAT(lengths_of(p2p_settings({"-msglog", "2:4"})), ElementsAre(4, 8, 16));
  EXPECT_THAT(lengths_of(p2p_settings({"-msgsz", "5", "-msgsz", "1K,7"})), ElementsAre(5, 1024, 7));
  EXPECT_THAT(lengths_of(p2p_settings({"-msglog", "0:1", "-msgsz", "100"})), ElementsAre(1, 2, 100));
  EXPECT_EQ(lengths_of(p2p_settings({"-msglog", "47:47"})).front(), std::int64_t{1} << 47);
}

TEST(imb_p2p_words, a_later_list_of_sizes_replaces_those_before) {
  EXPECT_THAT(lengths_of(p2p_settings({"-msglog", "3:4", "-msgsz", "5", "-msglog", "1:2"})),
              ElementsAre(2, 4));
  EXPECT_THAT(lengths_of(p2p_settings({"-msgsz=5", "-msglog=1:2", "-msgsz", "100"})), ElementsAre(2, 4, 100));
  const test::Scratch scratch;
  const std::string file = scratch.file("lengths", "3\n9\n");
  EXPECT_THAT(lengths_of(p2p_settings({"-msglog", "3:4", "-msglen", file})), ElementsAre(3, 9));
  EXPECT_THAT(lengths_of(p2p_settings({"-msglen", file, "-msglog", "3:4"})), ElementsAre(8, 16));
}

TEST(imb_p2p_words, all_others_arrive) {
  const imb::Settings s = p2p_settings({"-iter", "20,1", "-pause", "100000", "-msgwr", "disable", "-msgrd",
                                        "no", "--seed", "9", "-npmin", "2", "-multi", "0", "-time", "3"});
  EXPECT_EQ(s.iterations.per_sample, 20);
  EXPECT_EQ(s.iterations.volume, mebi);
  EXPECT_TRUE(s.iterations.nearest);
  EXPECT_DOUBLE_EQ(s.pause.value(), 0.1);
  EXPECT_DOUBLE_EQ(p2p_settings({"-pause", "20ms"}).pause.value(), 0.02);
  EXPECT_FALSE(s.writes || s.reads);
  EXPECT_EQ(s.seed, 9U);
  EXPECT_EQ(s.npmin, 2);
  EXPECT_EQ(s.time_limit->value(), 3);
}

TEST(imb_p2p_words, bad_ones_are_refused_with_the_word) {
  const std::vector<Strings> bad{{"-iter", "0"},     {"-iter", "1,2,3"}, {"-msglog", "48"},
                                 {"-msglog", "5:4"}, {"-pause", "soon"}, {"-msgwr", "often"},
                                 {"-msgsz", "x"},    {"--seed", "-1"}};
  for (const Strings& words : bad) EXPECT_THAT(refusal("imb-p2p", words), HasSubstr(words[1])) << words[0];
  EXPECT_THAT(refusal("imb-p2p", {"-root_shift", "on"}), HasSubstr("unknown option"));
}

TEST(later_only, a_rule_set_changes_nothing_and_is_told) {
  for (const imb::Part* part : {&imb::p2p(), &imb::mt()}) {
    const std::string command(part->name);
    const auto settings_of = [&](const Strings& words) {
      return imb_settings(*part, invoke(command.c_str(), words).values, {16 << 20, 128});
    };
    EXPECT_THAT(settings_of({}).without_effect, testing::IsEmpty());
    for (const char* version : {"3.1", "2021"}) {
      const imb::Settings s = settings_of({"--imb-version", version});
      EXPECT_EQ(s.version, imb::Version::v2021) << command;
      EXPECT_EQ(s.root_shift, settings_of({}).root_shift);
      EXPECT_THAT(s.without_effect, ElementsAre("--imb-version " + std::string(version))) << command;
    }
    EXPECT_THAT(refusal(command.c_str(), {"--imb-version", "4"}), HasSubstr("imb-version"));
  }
}

imb::Settings mt_settings(const Strings& words) {
  return imb_settings(imb::mt(), invoke("imb-mt", words).values, {16 << 20, 128});
}

TEST(imb_mt_words, defaults_are_those_of_the_program_but_for_threads_and_buffers) {
  const imb::Settings s = mt_settings({"--threads", "1"});
  EXPECT_EQ(s.threads, 1);
  EXPECT_EQ(s.stride, 0);
  EXPECT_EQ(s.iterations.per_sample, 1000);
  EXPECT_EQ(s.warm_up_operations, 100U);
  EXPECT_TRUE(s.warm_up);
  EXPECT_EQ(s.window, 64);
  EXPECT_EQ(s.gap, imb::GapBarrier::on);
  EXPECT_EQ(s.allocation, imb::Allocation::parallel);
  EXPECT_EQ(s.buffer_align, 64);
  EXPECT_EQ(s.sizes.listed, (std::vector{Bytes{4}, Bytes{8}, Bytes{16}, Bytes{32}}));
}

TEST(imb_mt_words, all_others_arrive) {
  const imb::Settings s = mt_settings(
      {"--threads",    "3",    "-stride",  "2",       "-repeat",      "7",          "-warmup",       "0",
       "-window_size", "5",    "-barrier", "special", "-malloc_algo", "continuous", "-malloc_align", "4096",
       "-datatype",    "char", "-count",   "3,5",     "--check"});
  EXPECT_EQ(s.threads, 3);
  EXPECT_EQ(s.stride, 2);
  EXPECT_EQ(s.iterations.per_sample, 7);
  EXPECT_EQ(s.warm_up_operations, 0U);
  EXPECT_EQ(s.window, 5);
  EXPECT_EQ(s.gap, imb::GapBarrier::special);
  EXPECT_EQ(s.allocation, imb::Allocation::continuous);
  EXPECT_EQ(s.buffer_align, 4096);
  EXPECT_EQ(s.reduction_type, imb::DataType::character);
  EXPECT_EQ(s.sizes.listed, (std::vector{Bytes{3}, Bytes{5}}));
  EXPECT_TRUE(s.check);
  EXPECT_EQ(mt_settings({"-msgsize", "100,7"}).sizes.listed, (std::vector{Bytes{100}, Bytes{7}}));
  EXPECT_FALSE(mt_settings({"-msglog", "3:4"}).sizes.listed);
}

TEST(imb_mt_words, the_check_is_a_switch_that_may_stand_alone) {
  EXPECT_TRUE(mt_settings({"-check", "on"}).check);
  EXPECT_FALSE(mt_settings({"-check", "off"}).check);
  EXPECT_FALSE(mt_settings({"-check=no"}).check);
  EXPECT_TRUE(mt_settings({"--check", "-repeat", "3"}).check);
  EXPECT_FALSE(mt_settings({}).check);
  const Values words = invoke("imb-mt", {"--check", "BcastMT"}).values;
  EXPECT_TRUE(words.on("check"));
  EXPECT_THAT(words.list("name"), ElementsAre("BcastMT"));
}

TEST(imb_mt_words, more_than_one_thread_needs_the_level_multiple) {
  EXPECT_EQ(mt_settings({"--threads", "2", "-thread_level", "multiple"}).threads, 2);
  EXPECT_EQ(mt_settings({"-thread_level", "single"}).threads, 1);
  EXPECT_THAT(refusal([] {
                return mt_settings({"--threads", "2", "-thread_level", "serialized"});
              }),
              HasSubstr("needs -thread_level multiple, not serialized"));
}

TEST(imb_mt_words, bad_ones_are_refused_with_the_word) {
  const std::vector<Strings> bad{
      {"-stride", "-1"},      {"-repeat", "0"},        {"-warmup", "x"},   {"-window_size", "0"},
      {"-barrier", "always"}, {"-malloc_algo", "any"}, {"-count", "x"},    {"-malloc_align", "100"},
      {"-malloc_align", "4"}, {"-datatype", "float"},  {"--threads", "0"}, {"-thread_level", "nompiinit"}};
  for (const Strings& words : bad) EXPECT_THAT(refusal("imb-mt", words), HasSubstr(words[1])) << words[0];
  EXPECT_THAT(refusal("imb-mt", {"-multi", "0"}), HasSubstr("unknown option"));
  EXPECT_EQ(refusal([] {
              check_stride_fits(mt_settings({"-stride", "3"}), 3);
            }),
            "-stride 3 is not below the number of processes, 3");
  check_stride_fits(mt_settings({"-stride", "3"}), 4);
}

TEST(imb_mt_words, numbers_of_processes_and_a_time_limit_are_those_of_other_parts) {
  const imb::Settings plain = mt_settings({});
  EXPECT_EQ(plain.npmin, std::numeric_limits<int>::max());
  EXPECT_FALSE(plain.time_limit);
  const imb::Settings s = mt_settings({"-npmin", "2", "-time", "3"});
  EXPECT_EQ(s.npmin, 2);
  EXPECT_EQ(s.time_limit->value(), 3);
}

TEST(imb_mt_words, what_harnesses_say_to_every_part_changes_nothing_and_is_told) {
  const imb::Settings s =
      mt_settings({"-iter_policy", "dynamic", "-map", "2x1", "-zero_size", "off", "-count", "3"});
  EXPECT_EQ(s.policy, imb::IterationPolicy::off);
  EXPECT_FALSE(s.map);
  EXPECT_THAT(s.without_effect, ElementsAre("-iter_policy dynamic", "-map 2x1", "-zero_size off"));
  EXPECT_THAT(mt_settings({"-zero_size", "off", "-msglog", "3:4"}).without_effect, testing::IsEmpty());
  const imb::Settings tail = mt_settings({"-show_tail", "yes", "-dumpfile", "times"});
  EXPECT_FALSE(tail.show_tail || tail.dump);
  EXPECT_THAT(tail.without_effect, ElementsAre("-show_tail yes", "-dumpfile times"));
}

imb::Settings io_settings(const Strings& words) {
  return imb_settings(imb::io(), invoke("imb-io", words).values, {16 << 20, 128});
}

TEST(imb_io_words, defaults_are_those_of_the_seed_and_of_later_releases) {
  const imb::Settings s = io_settings({});
  EXPECT_EQ(s.npmin, 1);
  EXPECT_EQ(s.sizes.high_exponent, 24);
  EXPECT_EQ(s.iterations.per_sample, 50);
  EXPECT_EQ(s.iterations.volume, 16 * mebi);
  EXPECT_EQ(s.iterations.non_aggregate, 10);
  EXPECT_TRUE(s.bounded_computation);
  const imb::Settings later = io_settings({"--imb-version", "2021"});
  EXPECT_EQ(later.sizes.high_exponent, 22);
  EXPECT_EQ(later.iterations.per_sample, 1000);
  EXPECT_EQ(later.iterations.volume, 40 * mebi);
}

TEST(imb_io_words, every_measuring_word_arrives) {
  const imb::Settings s = io_settings({"-npmin",
                                       "2",
                                       "-multi",
                                       "0",
                                       "-map",
                                       "2x2",
                                       "-aggregate_mode",
                                       "aggregate",
                                       "-iter",
                                       "7,8",
                                       "-time",
                                       "3",
                                       "-mem",
                                       "2",
                                       "-msglog",
                                       "3:5",
                                       "-imb_barrier",
                                       "on",
                                       "-zero_size",
                                       "off",
                                       "-msg_pause",
                                       "yes",
                                       "-thread_level",
                                       "single",
                                       "--hint",
                                       "a=b",
                                       "--file-name",
                                       "other",
                                       "-dropcache",
                                       "--balance-overlap",
                                       "-show_tail",
                                       "on",
                                       "--check",
                                       "-dumpfile",
                                       "d"});
  EXPECT_EQ(s.npmin, 2);
  EXPECT_EQ(s.multi, 0);
  EXPECT_THAT(*s.map, Pair(2, 2));
  EXPECT_EQ(s.mode, imb::Mode::aggregate);
  EXPECT_EQ(s.iterations.per_sample, 7);
  EXPECT_EQ(s.iterations.volume, 8 * mebi);
  EXPECT_EQ(s.iterations.non_aggregate, 10);
  EXPECT_EQ(s.time_limit, Seconds{3});
  EXPECT_EQ(s.memory, 2048 * mebi);
  EXPECT_EQ(s.sizes.low_exponent, 3);
  EXPECT_FALSE(s.sizes.zero);
  EXPECT_THAT(s.hints, ElementsAre(Pair("a", "b")));
  EXPECT_EQ(s.file_name, "other");
  EXPECT_TRUE(s.own_barrier && s.message_pause && s.drop_cache && s.balance_overlap);
  EXPECT_TRUE(s.show_tail && s.check && s.dump);
  EXPECT_FALSE(s.bounded_computation);  // who says -iter wants the computation of IMB
}

TEST(imb_io_words, the_head_says_how_long_a_computation_takes) {
  const auto remarks = [](const Strings& words) {
    return std::get<std::string>(
        *record::find(imb::definition(imb::io(), io_settings(words))->configuration(), "remarks"));
  };
  EXPECT_THAT(remarks({}),
              HasSubstr("Computation beside a transfer: 0.0200 s, at most 3 repetitions; -iter"));
  EXPECT_THAT(remarks({"-iter", "50"}), testing::EndsWith("Computation beside a transfer: 0.100 s"));
  EXPECT_THAT(remarks({"-iter_policy", "off", "--imb-version", "2021"}),
              testing::EndsWith("Computation beside a transfer: 0.0100 s"));
  const std::string own = remarks({"--target-cpu-secs", "0.01"});
  EXPECT_THAT(own, testing::EndsWith(
                       "Computation beside a transfer: 0.0100 s (--target-cpu-secs), at most 6 repetitions"));
  EXPECT_THAT(own, testing::Not(HasSubstr("instead of none")));
}

TEST(imb_io_words, of_other_parts_are_taken_where_they_change_nothing) {
  EXPECT_FALSE(io_settings({"-warm_up", "on"}).warm_up);
  const imb::Settings cached = io_settings({"-off_cache", "-1"});
  EXPECT_FALSE(cached.off_cache.on());
  EXPECT_THAT(cached.without_effect, ElementsAre("-off_cache -1"));
  EXPECT_FALSE(io_settings({"-iter_policy", "off"}).bounded_computation);
  for (const char* option : {"-root_shift", "-sync", "-data_type", "-window_size", "-msgsize"})
    EXPECT_THAT(refusal("imb-io", {option, "1"}), HasSubstr("unknown option")) << option;
  EXPECT_THAT(refusal("imb-io", {"-imb_barrier", "maybe"}), HasSubstr("imb_barrier"));
}

TEST(imb_io_words, a_mode_that_no_benchmark_has_is_refused) {
  const auto names_of = [](const Strings& words) {
    return imb_names(imb::io(), invoke("imb-io", words).values, imb::Version::v31);
  };
  EXPECT_EQ(names_of({}).size(), 37U);
  EXPECT_THAT(names_of({"s_write_indv", "P_Read_Priv", "-aggregate_mode", "non_aggregate"}),
              ElementsAre("S_Write_Indv", "P_Read_Priv"));
  EXPECT_THAT(refusal([&] {
                return names_of({"S_IWrite_Indv,P_Read_Priv", "-aggregate_mode", "aggregate"});
              }),
              HasSubstr("-aggregate_mode: none"));
}

TEST(imb_words, one_exponent_starts_at_zero) {
  EXPECT_EQ(settings({"-msglog", "7"}).sizes.low_exponent, 0);
  EXPECT_EQ(settings({"-msglog", "7"}).sizes.high_exponent, 7);
}

TEST(imb_words, memory_without_bounds_allows_everything) {
  EXPECT_EQ(settings({"-mem", "0.5"}).memory, Bytes{std::int64_t{1} << 29});
  EXPECT_EQ(settings({"-mem", "1e30"}).memory, Bytes{std::int64_t{1} << 62});
}

TEST(imb_words, off_cache_takes_the_machine_or_what_is_said) {
  EXPECT_EQ(settings({"-off_cache", "-1"}).off_cache.cache_byte, 16 << 20);
  EXPECT_EQ(settings({"-off_cache", "-1"}).off_cache.line_byte, 128);
  EXPECT_EQ(settings({"-off_cache", "-1,32"}).off_cache.line_byte, 32);
  EXPECT_EQ(settings({"-off_cache", "0.5,64"}).off_cache.cache_byte, 1 << 19);
  EXPECT_FALSE(settings({}).off_cache.on());
}

TEST(imb_words, listed_sizes_keep_order_and_repetitions) {
  EXPECT_THAT(*settings({"-msgsize", "8,4,4,16..64*2"}).sizes.listed,
              ElementsAre(Bytes{8}, Bytes{4}, Bytes{4}, Bytes{16}, Bytes{32}, Bytes{64}));
}

TEST(imb_words, lists_of_sizes_exclude_each_other) {
  EXPECT_EQ(wrong_settings({"-msgsize", "8", "-msglog", "3"}), "-msglog and -msgsize exclude each other");
}

TEST(imb_names, stand_anywhere_with_commas_in_any_case) {
  EXPECT_THAT(names({"pingpong,BCAST", "-npmin", "2", "allreduce"}),
              ElementsAre("PingPong", "Bcast", "Allreduce"));
  EXPECT_THAT(names({"bcast", "bcast"}), ElementsAre("Bcast", "Bcast"));
}

TEST(imb_names, none_means_the_default_set) {
  EXPECT_EQ(names({}), imb::default_set(imb::mpi1(), imb::Version::v31));
}

TEST(imb_names, included_ones_come_first_and_excluded_ones_go) {
  EXPECT_THAT(names({"Bcast", "Reduce", "-exclude", "reduce", "-include", "Barrier,PingPing"}),
              ElementsAre("Barrier", "PingPing", "Bcast"));
  EXPECT_EQ(wrong_names({"Bcast", "-exclude", "bcast"}), "-exclude: leaves no benchmark");
}

TEST(imb_names, all_unknown_ones_are_named_together) {
  EXPECT_EQ(
      wrong_names({"PingPongg", "Bcast", "Xyzzyxyzzy", "-exclude", "Reduc"}),
      "no benchmarks of these names: 'PingPongg', 'Xyzzyxyzzy', 'Reduc' | did you mean 'PingPong', 'Reduce'? "
      "('-list' shows all)");
}

TEST(imb_names, a_word_without_a_name_does_not_ask_for_everything) {
  EXPECT_EQ(wrong_names({""}), "no name of a benchmark in '' | '-list' shows all");
  EXPECT_EQ(wrong_names({","}), "no name of a benchmark in ',' | '-list' shows all");
  EXPECT_THAT(names({"", "Bcast"}), ElementsAre("Bcast"));
}

class ImbFiles : public testing::Test {
 protected:
  test::Scratch scratch_;
};

TEST_F(ImbFiles, lengths_are_read_with_comments_and_suffixes) {
  const std::string file = scratch_.file("lengths", "# sizes\n\n  0 \n100 # odd\n64K\n100\n");
  EXPECT_THAT(*settings({"-msglen", file}).sizes.listed,
              ElementsAre(Bytes{0}, Bytes{100}, Bytes{65536}, Bytes{100}));
}

TEST_F(ImbFiles, blanks_may_stand_before_the_suffix_of_a_length) {
  EXPECT_THAT(*settings({"-msglen", scratch_.file("lengths", "2 K\n 1\tm \n")}).sizes.listed,
              ElementsAre(Bytes{2048}, Bytes{1 << 20}));
  for (const char* bad : {"2 3\n", "2 K 3\n", "K 2\n"})
    EXPECT_THAT(wrong_settings({"-msglen", scratch_.file("bad", bad)}), HasSubstr("is not a size")) << bad;
}

TEST_F(ImbFiles, bad_length_is_told_with_its_line) {
  const std::string file = scratch_.file("lengths", "1\n\n-5\n");
  EXPECT_THAT(wrong_settings({"-msglen", file}), testing::StartsWith(file + ":3: "));
  EXPECT_THAT(wrong_settings({"-msglen", scratch_.file("empty", "# nothing\n")}),
              HasSubstr("holds no length"));
  EXPECT_THAT(wrong_settings({"-msglen", file + "x"}), HasSubstr("No such file or directory"));
}

TEST_F(ImbFiles, names_follow_those_of_the_command_line) {
  const std::string file = scratch_.file("names", "# list\nallreduce # one\n\n Bcast\n");
  EXPECT_THAT(names({"-input", file, "PingPong"}), ElementsAre("PingPong", "Allreduce", "Bcast"));
}

TEST_F(ImbFiles, unknown_name_is_told_with_its_line) {
  const std::string file = scratch_.file("names", "Bcast\nAllreduc\n");
  EXPECT_THAT(wrong_names({"-input", file}), HasSubstr("'Allreduc' (" + file + ":2)"));
  const std::string two = scratch_.file("two", "Bcast Reduce\n");
  EXPECT_EQ(wrong_names({"-input", two}), two + ":1: more than one word: 'Bcast Reduce'");
}

TEST(imb_map, must_number_all_processes) {
  imb::Settings s;
  s.map = {2, 3};
  EXPECT_EQ(refusal([&] {
              check_map_fits(s, 6, "-map");
              return 0;
            }),
            "accepted");
  EXPECT_EQ(refusal([&] {
              check_map_fits(s, 4, "-map");
              return 0;
            }),
            "-map: 2x3 does not number 4 processes | possible are 1x4, 2x2, 4x1");
}

}  // namespace
}  // namespace steelyard::cli
