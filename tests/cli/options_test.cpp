// SPDX-License-Identifier: Apache-2.0
// Every option of every subcommand with a good word, bad words, and none.
#include <gmock/gmock.h>

#include <map>

#include "words.hpp"

namespace steelyard::cli {
namespace {

using test::refusal;
using test::Strings;
using testing::StartsWith;

struct Samples {
  Strings good, bad;
};

const std::map<Kind, Samples>& samples_by_kind() {
  static const std::map<Kind, Samples> all{
      {Kind::size, {{"4096", "64K", "1.5Gi", "2GB"}, {"64Q", "", "-1", "1.5"}}},
      {Kind::sizes, {{"0,1..4Mi", "100..1000+100"}, {"8..4", "x", "1,,x"}}},
      {Kind::duration, {{"90", "250ms", "1h30m"}, {"5 parsecs", "", "m"}}},
      {Kind::ratio, {{"0.05", "5%", "1"}, {"7", "-1%", "x"}}},
      {Kind::number, {{"1.5"}, {"x", "inf", "1,5"}}},
      {Kind::counts, {{"2,4,8", "2..16*2", "pow2", "all"}, {"two", "0", "4..2"}}},
      {Kind::on_off, {{"on", "OFF", "yes", "0", "enable"}, {"maybe", "2"}}},
      {Kind::text, {{"anything", "-x"}, {}}},
      {Kind::file, {{"file"}, {""}}},
      {Kind::directory, {{"dir"}, {""}}},
      {Kind::pattern, {{"imb-mpi1/All*"}, {}}}};
  return all;
}

// By the option's name, or by SUBCOMMAND/NAME where two subcommands mean different things.
const std::map<std::string, Samples>& samples_by_name() {
  static const std::map<std::string, Samples> all{
      {"b-eff/mem", {{"1", "2048"}, {"0", "0.5", "x"}}},
      {"b-eff/lmax", {{"4104", "1Mi", "128Mi"}, {"4103", "129Mi", "x"}}},
      {"b-eff/looptime", {{"0.005", "5ms"}, {"0", "-1", "x"}}},
      {"b-eff/prefix", {{"a", "runs/a.b"}, {"", "runs/"}}},
      {"b-eff-io/partitions", {{"1", "2,4,8"}, {"", "0", "1,1", "x", "1,2,3,4,5,6,7,8,9,10,11"}}},
      {"b-eff-io/align", {{"1Mi", "64Mi", "1Gi"}, {"1", "1500000", "2Gi", "x"}}},
      {"ftio/sweep", {{"4", "8,16,24"}, {"", "1", "4,4", "x", "4;8"}}},
      {"ftio/prefix", {{"a", "runs/a.b"}, {"", "runs/"}}},
      {"b-eff-io/prefix", {{"a", "runs/a.b"}, {"", "runs/"}}},
      {"auto", {{"80%", "0.5", "2GiB"}, {"0", "7%%", "1K", "x"}}},
      {"only", {{"HPL", "starstream,latbw"}, {"dgem", ","}}},
      {"skip", {{"FFT"}, {"x"}}},
      {"hpl-pfact", {{"left", "crout,Right"}, {"up", ""}}},
      {"hpl-rfact", {{"left", "crout,Right"}, {"up", ""}}},
      {"hpl-nbmin", {{"1", "4,8"}, {"0", "x", ""}}},
      {"hpl-ndiv", {{"2", "2,3"}, {"1", "x", ""}}},
      {"hpl-bcast", {{"1rg", "2rM,lng"}, {"3rg", ""}}},
      {"hpl-depth", {{"0", "0,1"}, {"-1", "x", ""}}},
      {"ptrans-n", {{"0", "500,600"}, {"-1", "x", ""}}},
      {"ptrans-nb", {{"1", "40,50"}, {"0", "x", ""}}},
      {"rmax", {{"0.5", "1e3"}, {"0", "-1", "x"}}},
      {"at", {{"3", "0.5"}, {"0", "-1", "x"}}},
      {"hpl-gflops", {{"100", "1e3"}, {"0", "-1", "x"}}},
      {"peak-gflops", {{"100", "1e3"}, {"0", "-1", "x"}}},
      {"peak-memory-gbytes", {{"55.5"}, {"0", "-1", "x"}}},
      {"processes-per-node", {{"8*4,4", "2"}, {"", "0", "x"}}},
      {"yrange", {{"0.01:10000", "[1:2]"}, {"5", "2:1", "0:1"}}},
      {"hpcc-n", {{"1000", "100,200"}, {"-1", "", "x", "1.5"}}},
      {"hpcc-nb", {{"80", "64,128"}, {"0", "", "x"}}},
      {"blas",
       {{"fastest", "as-linked", "libblis.so.4", "/a/libopenblas.so:Haswell"}, {"", ":Haswell", "a.so:"}}},
      {"hpcc-grid", {{"1x2", "2x2,1x4"}, {"2", "0x2", ""}}},
      {"set", {{"processes=4,type=MPI_INT", "base:nodes=2"}, {"nonsense", "processes=x", "nodes="}}},
      {"date", {{"2023-05-04", "2023-05-04T10:00+02:00"}, {"nonsense", "", "4.5.2023"}}},
      {"timezone", {{"UTC", "+02:00"}, {"nonsense", "", "+2"}}},
      {"path",
       {{"{label.m}/{processes}.txt", "{*}-{date:%Y-%m-%d}"},
        {"nonsense", "", "{processes", "{A}", "{date:%Y-%q}"}}},
      {"describe", {{}, {""}}},
      {"run/memory", {{"4096", "1.5Gi"}, {"0", "0Gi", "64Q", ""}}},
      {"screen/memory", {{"4096", "1.5Gi"}, {"0", "64Q", ""}}},
      {"point-budget", {{"2", "250ms"}, {"0", "0ms", "soon", ""}}},
      {"map", {{"2x3"}, {"2", "0x2", "2y3"}}},
      {"tolerance", {{"triad=5%", "dgemm=3%,chase=0.2"}, {"", "triad", "traid=5%", "triad=0"}}},
      {"hint", {{"a=b"}, {"ab", "=b"}}},
      {"label", {{"a=b"}, {"ab", "=b"}}},
      {"io-hint", {{"a=b"}, {"ab", "=b"}}},
      {"deadline", {{"+45m", "2026-11-20T18:00"}, {"soon", "2026-11-20"}}},
      {"launch", {{"auto", "4"}, {"0", "few"}}},
      {"schedule", {{"suite", "adaptive", "fixed:100", "time:2s"}, {"fixed:", "fixed:0", "time:0", "fast"}}},
      {"off-cache", {{"auto", "32Mi", "8Mi,128"}, {"0", "x", "8Mi,0", "1,2,3", "1,,2", "1,"}}},
      {"retry", {{"none", "failed,partial", "all"}, {"", "none,all", "lost"}}},
      {"off_cache", {{"-1", "8", "0.5,64"}, {"0", "-2", "8,0", "8,6.5", "x", "1,2,3", "1e30"}}},
      {"iter", {{"10", "10,20", "10,20,30"}, {"0", "1,0", "1,2,3,4", "x", "1,,2"}}},
      {"time", {{"0.5", "10"}, {"0", "-1", "x"}}},
      {"mem", {{"0.5", "2"}, {"0", "-1", "x"}}},
      {"msglog", {{"0:22", "10", "3:3"}, {"5:4", "0:41", "a:b", "-1:2"}}},
      {"target-cpu-secs", {{"0.02", "1"}, {"0", "-1", "x"}}},
      {"imb-mt/count", {{"1,2", "0,3"}, {"x", "1,x"}}},
      {"malloc_align", {{"64", "4096"}, {"0", "100", "x"}}},
      {"imb-p2p/msglog", {{"22", "2:4"}, {"5:4", "48", "x"}}},
      {"msgsz", {{"5", "1K,7"}, {"x", "-4"}}},
      {"imb-p2p/iter", {{"20", "20,1"}, {"0", "1,2,3", "x"}}},
      {"imb-p2p/pause", {{"100000", "20ms", "0"}, {"soon", "-1"}}},
      {"mpi4/partitions", {{"1", "1,4,16"}, {"", "0", "x"}}},
      {"noise", {{"4", "0"}, {"-1", "x"}}},
      {"cart", {{"2", "3", "2x3", "2x2x2"}, {"0", "4", "x", "2y2"}}},
      {"msgsize", {{"4,4,2", "1Ki", "1..8"}, {"", "x", "-4"}}}};
  return all;
}

Samples samples_of(const Command& command, const Option& option) {
  const std::string name(option.name);
  for (const std::string& key : {std::string(command.name) + '/' + name, name})
    if (const auto found = samples_by_name().find(key); found != samples_by_name().end())
      return found->second;
  if (option.kind == Kind::word) return {{std::string(words_of(option).front())}, {"purpel"}};
  if (option.kind == Kind::count)
    return {{std::to_string(option.low), std::to_string(option.high)},
            {std::to_string(option.low - 1), std::to_string(option.high + 1), "x", "1.5", ""}};
  const auto found = samples_by_kind().find(option.kind);
  if (found == samples_by_kind().end())
    throw std::out_of_range("no samples of " + std::string(command.name) + " --" + name);
  return found->second;
}

template <class Act>
void for_each_valued_option(Act act) {
  for (const Command* command : commands())
    for (const Group& group : all_groups(*command))
      for (const Option& option : group.options)
        if (option.kind != Kind::flag) act(*command, option);
}

/// The option with this value. A switch that may stand alone takes only a word of a switch from behind it.
Strings said(const Option& option, const std::string& word) {
  if (option.kind == Kind::on_off && option.value == Presence::optional) return {dashed(option) + '=' + word};
  return {dashed(option), word};
}

TEST(every_option, good_words_are_accepted) {
  for_each_valued_option([](const Command& command, const Option& option) {
    for (const std::string& word : samples_of(command, option).good)
      EXPECT_EQ(refusal(command.name.data(), said(option, word)), "accepted")
          << command.name << ' ' << dashed(option);
  });
}

TEST(every_option, bad_words_are_refused_by_name) {
  for_each_valued_option([](const Command& command, const Option& option) {
    for (const std::string& word : samples_of(command, option).bad)
      EXPECT_THAT(refusal(command.name.data(), said(option, word)), StartsWith(dashed(option) + ": "))
          << command.name << " '" << word << "'";
  });
}

TEST(every_option, missing_value_is_refused_by_name) {
  for_each_valued_option([](const Command& command, const Option& option) {
    if (option.value == Presence::optional) {
      EXPECT_EQ(refusal(command.name.data(), {dashed(option)}), "accepted") << command.name;
      return;
    }
    EXPECT_THAT(refusal(command.name.data(), {dashed(option)}),
                StartsWith(dashed(option) + ": lacks its value"))
        << command.name;
  });
}

TEST(every_option, name_of_a_file_is_no_option) {
  for_each_valued_option([](const Command& command, const Option& option) {
    if (option.kind == Kind::directory || option.kind == Kind::file)
      EXPECT_THAT(refusal(command.name.data(), {dashed(option), "--help"}),
                  StartsWith(dashed(option) + ": lacks its value"))
          << command.name;
  });
  EXPECT_EQ(refusal("report", {"-o", "--quiet"}),
            "-o: lacks its value FILE: '--quiet' is an option ('./--quiet' is a name)");
}

TEST(every_option, flags_refuse_a_value) {
  for (const Command* command : commands())
    for (const Group& group : all_groups(*command))
      for (const Option& option : group.options)
        if (option.kind == Kind::flag)
          EXPECT_EQ(refusal(command->name.data(), {dashed(option) + "=on"}),
                    dashed(option) + ": takes no value");
}

TEST(every_classic_word, is_accepted_with_one_dash_and_with_two) {
  const auto doubled = [](const std::string& word) { return word[1] == '-' ? word : "-" + word; };
  for_each_valued_option([&](const Command& command, const Option& option) {
    if (command.dashes != DashStyle::one_or_two) return;
    const std::string good = samples_of(command, option).good.front();
    EXPECT_EQ(refusal(command.name.data(), {"-" + std::string(option.name), good}), "accepted")
        << option.name;
    EXPECT_EQ(refusal(command.name.data(), {doubled(dashed(option)), good}), "accepted") << option.name;
  });
}

}  // namespace
}  // namespace steelyard::cli
