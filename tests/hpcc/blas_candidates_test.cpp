// SPDX-License-Identifier: Apache-2.0
// Which libraries and kernels are tried, what is made of the rates, and what is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "record/json.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "suites/hpcc/blas/library.hpp"
#include "suites/hpcc/blas/node_trial.hpp"

using namespace steelyard::hpcc;
using steelyard::machine::VectorUnits;
using steelyard::record::Json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

VectorUnits wide() {
  return steelyard::machine::vector_units({"sse2", "pni", "ssse3", "sse4_1", "sse4_2", "avx", "avx2", "fma",
                                           "avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd",
                                           "avx512_bf16"});
}
VectorUnits narrow() {
  return steelyard::machine::vector_units({"sse2", "pni", "ssse3", "sse4_1", "sse4_2", "avx", "avx2", "fma"});
}

InstalledBlas open_blas(std::string kernel, bool linked = true) {
  InstalledBlas blas;
  blas.identity.name = "OpenBLAS";
  blas.identity.version = "0.3.21";
  blas.identity.kernel = std::move(kernel);
  blas.identity.kernels = {"SkylakeX", "Cooperlake", "Haswell", "Zen", "Nehalem", "Prescott"};
  blas.identity.file = "libopenblas.so.0";
  blas.file = "/lib/libopenblas.so.0";
  blas.linked = linked;
  return blas;
}

InstalledBlas blis(std::string kernel) {
  InstalledBlas blas;
  blas.identity.name = "BLIS";
  blas.identity.version = "0.9.0";
  blas.identity.kernel = std::move(kernel);
  blas.identity.kernels = {"skx", "knl", "haswell", "generic"};
  blas.file = "/lib/libblis.so.4";
  return blas;
}

bool nothing_set(std::string_view) {
  return false;
}
bool core_type_set(std::string_view name) {
  return name == "OPENBLAS_CORETYPE";
}

std::vector<std::string> keys(const std::vector<BlasCandidate>& candidates) {
  std::vector<std::string> all;
  for (const auto& one : candidates) all.push_back(key_of(one));
  return all;
}

std::vector<std::string> tried_of(std::vector<InstalledBlas> installed, const VectorUnits& units,
                                  const HasVariable& has = nothing_set) {
  auto found = blas_candidates(installed, units, has);
  found.to_try.insert(found.to_try.end(), found.unlikely.begin(), found.unlikely.end());
  return keys(found.to_try);
}

constexpr auto linked = "OpenBLAS 0.3.21 (linked), environment";

std::string told(const std::string& kernel) {
  return "OpenBLAS 0.3.21 (linked), kernel " + kernel;
}

TEST(blas_candidates, begin_with_the_linked_one_where_its_kernel_is_the_widest) {
  EXPECT_THAT(tried_of({open_blas("Cooperlake")}, wide()),
              ElementsAre(linked, told("SkylakeX"), told("Haswell"), told("Zen")));
  EXPECT_THAT(tried_of({open_blas("Haswell")}, narrow()), ElementsAre(linked, told("Zen")));
}

TEST(blas_candidates, begin_with_the_widest_kernel_where_the_linked_one_has_a_narrow_one) {
  EXPECT_THAT(tried_of({open_blas("Prescott")}, wide()),
              ElementsAre(told("SkylakeX"), linked, told("Cooperlake"), told("Haswell"), told("Zen")));
}

TEST(blas_candidates, hold_the_librarys_own_choice_beside_that_of_the_environment) {
  EXPECT_THAT(tried_of({open_blas("Prescott")}, wide(), core_type_set),
              ElementsAre(told("SkylakeX"), linked, "OpenBLAS 0.3.21 (linked), own choice",
                          told("Cooperlake"), told("Haswell"), told("Zen")));
}

TEST(blas_candidates, leave_out_kernels_that_are_much_narrower_and_say_so) {
  const auto found = blas_candidates(std::vector{open_blas("SkylakeX")}, wide(), nothing_set);
  EXPECT_THAT(found.narrower, ElementsAre("Nehalem", "Prescott"));
}

TEST(blas_candidates, of_a_library_built_for_one_processor_are_that_library) {
  auto fixed = open_blas("Haswell");
  fixed.identity.kernels.clear();
  EXPECT_THAT(tried_of({fixed}, wide()), ElementsAre(linked));
}

TEST(blas_candidates, that_are_part_of_the_program_cannot_be_told_anything) {
  auto inside = open_blas("Prescott");
  inside.file.clear();
  EXPECT_THAT(tried_of({inside}, wide(), core_type_set), ElementsAre(linked));
}

TEST(blas_candidates, of_other_libraries_come_with_their_own_choice_and_wider_kernels) {
  EXPECT_THAT(tried_of({open_blas("SkylakeX"), blis("generic")}, wide()),
              ElementsAre(linked, told("Cooperlake"), "BLIS 0.9.0 (libblis.so.4), kernel skx",
                          "BLIS 0.9.0 (libblis.so.4), own choice", told("Haswell"), told("Zen"),
                          "BLIS 0.9.0 (libblis.so.4), kernel haswell"));
}

TEST(blas_candidates, of_a_processor_that_tells_nothing_are_the_libraries_as_they_are) {
  EXPECT_THAT(tried_of({open_blas("Prescott"), blis("generic")}, VectorUnits{}),
              ElementsAre(linked, "BLIS 0.9.0 (libblis.so.4), own choice"));
}

TEST(blas_candidates, found_under_several_names_are_one) {
  EXPECT_EQ(distinct({open_blas("Zen"), open_blas("Zen", false), blis("skx")}).size(), 2);
}

TEST(named_blas, is_tried_beside_the_linked_one) {
  const std::vector installed{open_blas("Prescott"), open_blas("Prescott", false)};
  EXPECT_THAT(keys(named_candidate(installed, "libopenblas.so.0", "haswell").to_try),
              ElementsAre("OpenBLAS 0.3.21 (libopenblas.so.0), kernel haswell", linked));
  EXPECT_THAT(keys(named_candidate(installed, "libopenblas.so.0", "").to_try),
              ElementsAre("OpenBLAS 0.3.21 (libopenblas.so.0), environment", linked));
  EXPECT_THROW(static_cast<void>(named_candidate(installed, "libopenblas.so.0", "Unheard")),
               std::invalid_argument);
  EXPECT_THAT(named_candidate(std::vector{open_blas("Zen")}, "libnone.so", "").to_try, IsEmpty());
}

TEST(blas_variables, make_a_library_that_candidate) {
  const auto value = [](const Variables& variables, const std::string& name) {
    std::string last = "untouched";
    for (const auto& [one, text] : variables)
      if (one == name) last = text.value_or("removed");
    return last;
  };
  const auto variables_for = [](const InstalledBlas& blas, KernelChoice choice,
                                std::string_view kernel = {}) {
    return variables_of(candidate_of(blas, choice, kernel), 3);
  };
  const auto forced = variables_for(open_blas("Zen"), KernelChoice::told, "Haswell");
  EXPECT_EQ(value(forced, "OPENBLAS_CORETYPE"), "Haswell");
  EXPECT_EQ(value(forced, "OPENBLAS_L2_SIZE"), "removed");
  EXPECT_EQ(value(forced, "OPENBLAS_NUM_THREADS"), "3");
  EXPECT_EQ(value(variables_for(open_blas("Zen"), KernelChoice::own), "OPENBLAS_CORETYPE"), "removed");
  EXPECT_EQ(value(variables_for(open_blas("Zen"), KernelChoice::environment), "OPENBLAS_CORETYPE"),
            "untouched");
  EXPECT_EQ(value(variables_for(blis("generic"), KernelChoice::told, "haswell"), "BLIS_ARCH_TYPE"), "2");
}

/// The linked library with Prescott at 10, and the widest kernel at 57 Gflop/s.
BlasFindings slow_as_linked(BlasWish::Kind wish) {
  BlasFindings findings;
  findings.wish.kind = wish;
  findings.trial_s = 0.31;
  findings.tried.push_back({.candidate = candidate_of(open_blas("Prescott"), KernelChoice::told, "SkylakeX"),
                            .kernel = "SkylakeX",
                            .flop_s = 57e9,
                            .least_flop_s = 57e9,
                            .order = 512});
  findings.tried.push_back({.candidate = candidate_of(open_blas("Prescott"), KernelChoice::environment),
                            .kernel = "Prescott",
                            .flop_s = 10e9,
                            .least_flop_s = 10e9,
                            .order = 512});
  findings.used = choice(findings);
  return findings;
}

TEST(blas_choice, is_the_fastest_where_that_is_wished) {
  EXPECT_EQ(slow_as_linked(BlasWish::Kind::fastest).in_use()->kernel, "SkylakeX");
  EXPECT_EQ(slow_as_linked(BlasWish::Kind::as_linked).in_use()->kernel, "Prescott");
}

TEST(blas_choice, stays_with_the_linked_one_unless_another_is_faster_by_more_than_chance) {
  auto findings = slow_as_linked(BlasWish::Kind::fastest);
  findings.tried[1].flop_s = 56e9;
  EXPECT_TRUE(findings.tried[*choice(findings)].candidate.as_linked());
  findings.tried[1].refused = "a product of order 75 is wrong";
  EXPECT_FALSE(findings.tried[*choice(findings)].candidate.as_linked());
}

TEST(blas_choice, is_nothing_where_nothing_can_compute) {
  auto findings = slow_as_linked(BlasWish::Kind::fastest);
  for (auto& one : findings.tried) one.refused = "ended by SIGSEGV";
  EXPECT_FALSE(choice(findings).has_value());
  findings.used.reset();
  findings.failure = "no process can be started";
  EXPECT_THAT(sentence(findings), HasSubstr("as linked: no process can be started"));
}

TEST(blas_sentence, tells_what_computes_and_how_much_faster_it_is) {
  EXPECT_EQ(
      sentence(slow_as_linked(BlasWish::Kind::fastest)),
      "BLAS: OpenBLAS 0.3.21, kernel SkylakeX, 5.7 times faster than OpenBLAS 0.3.21, kernel Prescott, as "
      "linked (2 tried in 0.31 s)");
}

TEST(blas_sentence, tells_what_the_fastest_would_give_where_it_is_not_wished) {
  EXPECT_EQ(
      sentence(slow_as_linked(BlasWish::Kind::as_linked)),
      "BLAS: OpenBLAS 0.3.21, kernel Prescott, as linked; --blas fastest: OpenBLAS 0.3.21, kernel SkylakeX, "
      "would be 5.7 times faster (2 tried in 0.31 s)");
}

TEST(blas_sentence, tells_what_was_left_out_and_for_what_there_was_no_time) {
  auto findings = slow_as_linked(BlasWish::Kind::fastest);
  findings.tried[0].refused = "ended by SIGILL";
  findings.not_tried = {candidate_of(blis("skx"), KernelChoice::own)};
  findings.used = choice(findings);
  EXPECT_EQ(
      sentence(findings),
      "BLAS: OpenBLAS 0.3.21, kernel Prescott, as linked: no other is faster (2 tried in 0.31 s; left out: "
      "OpenBLAS 0.3.21, kernel SkylakeX (ended by SIGILL); no time to try 1 more)");
}

TEST(blas_sentence, leaves_out_names_for_which_the_library_takes_a_kernel_that_was_tried) {
  auto findings = slow_as_linked(BlasWish::Kind::fastest);
  const auto before = sentence(findings);
  findings.tried.push_back(
      {.candidate = candidate_of(open_blas("Prescott"), KernelChoice::told, "Cooperlake"),
       .kernel = "SkylakeX",
       .refused = "takes its kernel SkylakeX when told to take Cooperlake"});
  findings.trial_s = 0.31;
  auto expected = before;
  expected.replace(expected.find("2 tried"), 7, "3 tried");
  EXPECT_EQ(sentence(findings), expected);
  EXPECT_EQ(document(findings).json()["refused"].size(), 1) << "the record has it";
  findings.tried.back().kernel = "Nehalem";  // which nobody has tried
  EXPECT_THAT(sentence(findings), HasSubstr("left out"));
}

TEST(blas_record, holds_rates_refusals_and_the_factor) {
  auto findings = slow_as_linked(BlasWish::Kind::fastest);
  findings.tried.push_back(
      {.candidate = candidate_of(blis("skx"), KernelChoice::own), .refused = "ended by SIGILL"});
  const Json json = document(findings).json();
  EXPECT_EQ(json["wish"], "fastest");
  EXPECT_EQ(json["used"]["kernel"], "SkylakeX");
  EXPECT_EQ(json["used"]["variable"], "OPENBLAS_CORETYPE=SkylakeX");
  EXPECT_EQ(json["used"]["file"], "libopenblas.so.0") << "no directories";
  EXPECT_EQ(json["as_linked"]["kernel"], "Prescott");
  EXPECT_DOUBLE_EQ(json["factor"].get<double>(), 5.7);
  EXPECT_EQ(json["tried"].size(), 2);
  EXPECT_EQ(json["refused"][0]["why"], "ended by SIGILL");
  EXPECT_EQ(json["refused"][0]["library"], "BLIS");
  EXPECT_DOUBLE_EQ(json["trial_s"].get<double>(), 0.31);
  EXPECT_EQ(trial_rates(findings),
            "OpenBLAS 0.3.21, kernel SkylakeX: 57.0 Gflop/s; OpenBLAS 0.3.21, kernel Prescott: 10.0 Gflop/s");
}

TEST(blas_record, leads_a_resumed_run_to_the_same_candidate) {
  for (const auto wish : {BlasWish::Kind::fastest, BlasWish::Kind::as_linked}) {
    const auto findings = slow_as_linked(wish);
    const auto record = document(findings);
    const auto again = used_candidate(record, std::vector{blis("skx"), open_blas("Zen")});
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(*again, findings.in_use()->candidate);
    EXPECT_FALSE(used_candidate(record, std::vector{blis("skx")}).has_value());
    EXPECT_EQ(used_name(record), described(*findings.in_use()));
  }
  EXPECT_EQ(used_name({}), "");
  EXPECT_FALSE(used_candidate({}, std::vector{open_blas("Zen")}).has_value());
}

/// Candidates that are asked, and how often.
struct Asked {
  TrialCourse::Attempt attempt(std::function<double(const BlasCandidate&, int before)> rate) {
    return [this, rate](const BlasCandidate& candidate, double) {
      const double flop_s = rate(candidate, times[key_of(candidate)]++);
      return TriedBlas{.candidate = candidate, .flop_s = flop_s, .least_flop_s = flop_s};
    };
  }
  std::map<std::string, int> times;
};

TEST(blas_trial, that_has_no_time_tries_the_likeliest_and_the_linked_one_and_says_what_was_left) {
  const auto likeliest = candidate_of(open_blas("Zen"), KernelChoice::told, "Haswell");
  const std::vector candidates{likeliest, candidate_of(blis("skx"), KernelChoice::own),
                               candidate_of(open_blas("Zen"), KernelChoice::environment)};
  Asked asked;
  BlasFindings late;
  TrialCourse course({.limit_s = 0}, asked.attempt([](const auto&, int) { return 1e9; }), late);
  course.attempt_all(candidates);
  course.repeat_nearly_fastest();
  EXPECT_EQ(asked.times, (std::map<std::string, int>{{key_of(likeliest), 1}, {linked, 1}}));
  EXPECT_THAT(keys(late.not_tried), ElementsAre("BLIS 0.9.0 (libblis.so.4), own choice"));
  course.attempt_unhurried({candidates[1]});
  EXPECT_EQ(late.tried.size(), 3) << "where there is no choice there is no hurry";
}

TEST(blas_trial, repeats_those_that_are_nearly_the_fastest_and_keeps_their_best) {
  const std::vector candidates{candidate_of(open_blas("Zen"), KernelChoice::environment),
                               candidate_of(open_blas("Zen"), KernelChoice::told, "Haswell"),
                               candidate_of(blis("skx"), KernelChoice::own)};
  Asked asked;
  const auto rate = [](const BlasCandidate& candidate, int before) {
    return candidate.make == "BLIS" ? 1e9 : candidate.as_linked() ? 5e9 + 6e9 * before : 10e9;
  };
  BlasFindings findings;
  findings.wish.kind = BlasWish::Kind::fastest;
  TrialCourse course({.limit_s = 100}, asked.attempt(rate), findings);
  course.attempt_all(candidates);
  course.repeat_nearly_fastest();
  EXPECT_EQ(asked.times.at(linked), 2);
  EXPECT_EQ(asked.times.at("BLIS 0.9.0 (libblis.so.4), own choice"), 1) << "far from the fastest";
  EXPECT_TRUE(findings.tried[*choice(findings)].candidate.as_linked()) << "was disturbed at first";
}

TEST(blas_trial, refuses_what_fails_when_it_is_repeated) {
  const std::vector candidates{candidate_of(open_blas("Zen"), KernelChoice::told, "Haswell")};
  int times = 0;
  const TrialCourse::Attempt attempt = [&](const BlasCandidate& candidate, double) {
    TriedBlas one{.candidate = candidate, .flop_s = 1e9, .least_flop_s = 1e9};
    if (++times > 1) one.refused = "ended by SIGSEGV";
    return one;
  };
  BlasFindings findings;
  TrialCourse course({.limit_s = 100}, attempt, findings);
  course.attempt_all(candidates);
  course.repeat_nearly_fastest();
  EXPECT_EQ(findings.fastest(), nullptr);
}

TEST(blas_complaint, names_kernel_and_cure_of_a_slow_library_only) {
  const auto generic = blis("generic").identity;
  using enum BlasChosen;
  EXPECT_FALSE(blas_complaint(generic, wide(), linked, {least_peak_share, 0.2}, 1000).has_value());
  const auto text = blas_complaint(generic, wide(), linked, {0.4, 0.2}, 1000).value();
  EXPECT_FALSE(blas_complaint(generic, wide(), linked, {0.13, 0.13, 0.86}, 1000).has_value());
  EXPECT_TRUE(blas_complaint(generic, wide(), linked, {0.13, 0.13, 0.5}, 1000).has_value());
  for (const char* word : {"generic", "BLIS 0.9.0", "20 %", "export BLIS_ARCH_TYPE=0", "--blas fastest"})
    EXPECT_THAT(text, HasSubstr(word));
  const steelyard::machine::BlasIdentity mkl{.name = "MKL"};
  EXPECT_THAT(blas_complaint(mkl, wide(), linked, {0.5, 0.5}, 1000).value(), HasSubstr("--blas fastest"));
  EXPECT_THAT(blas_complaint(generic, wide(), other, {0.5, 0.5}, 1000).value(), HasSubstr("--blas FILE"));
  for (const auto& one : {generic, mkl})
    EXPECT_EQ(blas_complaint(one, wide(), linked_as_fastest, {0.5, 0.5}, 1000).value().find("--blas fastest"),
              std::string::npos)
        << "it was asked for, and found none faster";
}

}  // namespace
