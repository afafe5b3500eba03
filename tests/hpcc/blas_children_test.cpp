// SPDX-License-Identifier: Apache-2.0
// Libraries that nobody has seen work, in processes of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "fake_blas.hpp"
#include "machine/source.hpp"
#include "suites/hpcc/blas/blas.hpp"
#include "suites/hpcc/blas/child.hpp"
#include "suites/hpcc/blas/library.hpp"
#include "suites/hpcc/dgemm/dgemm.hpp"

using namespace steelyard::hpcc;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr double patience_s = 20;

TriedBlas tried(const std::string& name, double patience = patience_s) {
  const BlasCandidate candidate{.make = name, .file = fake_blas(name)};
  return NodeTrial(trial_rules()).tried(candidate, patience);
}

TEST(blas_child, right_library_gets_a_rate) {
  const auto found = tried("right");
  EXPECT_EQ(found.refused, "");
  EXPECT_GT(found.flop_s, 0);
  EXPECT_GE(found.order, 96);
}

TEST(blas_child, library_that_crashes_is_refused_by_the_signal) {
  EXPECT_EQ(tried("crashes").refused, "ended by SIGILL");
}

TEST(blas_child, library_that_hangs_is_ended_and_refused) {
  EXPECT_EQ(tried("hangs", 0.2).refused, "did not end within 0.20 s");
}

TEST(blas_child, library_that_answers_nothing_or_nonsense_is_refused) {
  EXPECT_EQ(tried("ends").refused, "gave no answer that can be read");
  EXPECT_EQ(tried("talks_nonsense").refused, "gave no answer that can be read");
}

TEST(blas_child, wrong_products_are_refused_whether_small_or_large) {
  EXPECT_THAT(tried("transposes").refused, HasSubstr("a product of order 75 is wrong"));
  EXPECT_THAT(tried("keeps_what_was_there").refused, HasSubstr("a product of order 75 is wrong"));
  EXPECT_THAT(tried("forgets").refused, HasSubstr("is wrong"));
}

TEST(blas_child, library_that_cannot_be_loaded_is_refused) {
  EXPECT_NE(tried("that_nobody_made").refused, "");
}

TEST(blas_child, program_that_cannot_be_started_is_told) {
  TrialRules rules = trial_rules();
  rules.child = {"/nowhere/steelyard"};
  const char* told = emulated() ? "ended with exit code 127" : "no process can be started";
  const auto found = NodeTrial(rules).tried({.make = "right", .file = fake_blas("right")}, patience_s);
  EXPECT_THAT(found.refused, HasSubstr(told));
  NodeTrial trial(rules);
  EXPECT_TRUE(trial.installed({fake_blas("right")}, patience_s).empty());
  ASSERT_EQ(trial.faults().size(), 1);
  EXPECT_THAT(trial.faults()[0], HasSubstr(told));
}

TEST(blas_child, leaves_the_environment_and_the_limits_of_this_process_alone) {
  ::setenv("OPENBLAS_CORETYPE", "Haswell", 1);
  static_cast<void>(tried("right"));
  EXPECT_STREQ(std::getenv("OPENBLAS_CORETYPE"), "Haswell");
  ::unsetenv("OPENBLAS_CORETYPE");
}

std::vector<std::string> fakes_among(const std::vector<InstalledBlas>& installed) {
  std::vector<std::string> names;
  for (const auto& blas : installed)
    if (!blas.linked) names.push_back(blas.identity.file);
  return names;
}

TEST(installed_blas, are_found_behind_one_that_ends_the_process) {
  NodeTrial trial(trial_rules());
  const auto found = trial.installed({fake_blas("slow"), fake_blas("crashes_when_loaded"), "libm.so.6",
                                      "libsteelyard-has-no-such.so", fake_blas("right")},
                                     patience_s);
  EXPECT_THAT(fakes_among(found), ElementsAre("libfake_slow.so", "libfake_right.so"));
  EXPECT_THAT(trial.faults(), ElementsAre(HasSubstr("libfake_crashes_when_loaded.so: ended by SIGILL")));
  const auto own = std::ranges::count(found, true, &InstalledBlas::linked);
  EXPECT_EQ(own, blas::available() ? 1 : 0) << "told once";
}

TEST(blas_trial, of_two_right_libraries_takes_the_faster_and_names_those_left_out) {
  NodeTrial trial(trial_rules());
  auto installed = trial.installed(
      {fake_blas("slow"), fake_blas("crashes"), fake_blas("right"), fake_blas("forgets"), fake_blas("hangs")},
      patience_s);
  std::erase_if(installed, [](const InstalledBlas& blas) { return blas.linked; });
  const auto candidates =
      blas_candidates(installed, steelyard::machine::vector_units({}), [](auto) { return false; });
  ASSERT_EQ(candidates.to_try.size(), 5);
  BlasFindings findings;
  findings.wish.kind = BlasWish::Kind::fastest;
  const auto attempt = [&](const BlasCandidate& candidate, double) {
    return trial.tried(candidate, candidate.make == "libfake_hangs.so" ? 0.2 : patience_s);
  };
  TrialCourse(trial_rules(), attempt, findings).attempt_all(candidates.to_try);
  const auto place = choice(findings);
  ASSERT_TRUE(place.has_value());
  findings.used = place;
  EXPECT_EQ(findings.in_use()->candidate.make, "libfake_right.so");
  const auto text = sentence(findings);
  for (const char* name : {"libfake_crashes.so", "libfake_forgets.so", "libfake_hangs.so"})
    EXPECT_THAT(text, HasSubstr(name));
}

class LoadedBlas : public testing::Test {
 protected:
  void SetUp() override {
    if (!blas::available()) GTEST_SKIP() << "built without a BLAS";
    linked_ = BlasLibrary::linked().identity();
    steelyard::machine::Source source{steelyard::machine::Roots{}};
    const auto units = steelyard::machine::vector_units(source);
    for (const auto& kernel : steelyard::machine::executable_kernels(linked_.name, units))
      if (!steelyard::machine::word_of_kernel(linked_, kernel.name).empty() && kernel.name != linked_.kernel)
        other_ = kernel.name;
    if (other_.empty() || linked_.path.empty())
      GTEST_SKIP() << "the linked BLAS has one kernel for this processor";
    if (lack_of_separation(other()).empty()) return;
    EXPECT_THROW(static_cast<void>(BlasLibrary::load(other(), other_, 1)), std::runtime_error);
    GTEST_SKIP() << lack_of_separation(other());
  }
  [[nodiscard]] BlasCandidate other() const {
    return candidate_of({linked_, linked_.path, true}, KernelChoice::told, other_);
  }
  steelyard::machine::BlasIdentity linked_;
  std::string other_;
};

TEST_F(LoadedBlas, computes_with_another_kernel_beside_the_linked_library) {
  const auto variable = std::string(steelyard::machine::kernel_variables(linked_.name).front());
  ASSERT_EQ(std::getenv(variable.c_str()), nullptr);
  for (int again = 0; again < 2; ++again) {
    const auto library = BlasLibrary::load(other(), other_, 1);
    EXPECT_EQ(library.identity().kernel, other_);
    EXPECT_FALSE(library.is_linked());
    EXPECT_EQ(BlasLibrary::linked().identity().kernel, linked_.kernel) << "is what it was";
    EXPECT_EQ(std::getenv(variable.c_str()), nullptr) << "the variable is taken back";
    Dgemm dgemm(150, 1, library);
    dgemm.run();
    EXPECT_EQ(dgemm.verify().errors, 0);
    EXPECT_EQ(checked_rate(library, 1).wrong, "");
  }
}

TEST_F(LoadedBlas, several_kernels_side_by_side_stay_what_they_are) {
  const auto first = BlasLibrary::load(other(), other_, 1);
  const auto again = candidate_of({linked_, linked_.path, true}, KernelChoice::told, linked_.kernel);
  const auto second = BlasLibrary::load(again, linked_.kernel, 1);
  EXPECT_EQ(steelyard::machine::identify_blas()->kernel, linked_.kernel);
  EXPECT_EQ(first.identity().kernel, other_);
  EXPECT_EQ(second.identity().kernel, linked_.kernel);
}

TEST_F(LoadedBlas, from_a_copy_that_somebody_else_holds_is_the_same) {
  const auto copy = std::make_shared<const FileCopy>(linked_.path);
  const auto path = path_of(copy->place());
  ASSERT_FALSE(path.empty());
  EXPECT_EQ(BlasLibrary::load(other(), other_, 1, {path, nullptr}).identity().kernel, other_);
  auto wrong = copy->place();
  wrong.node += 1;
  EXPECT_EQ(path_of(wrong), "") << "another file under that number";
}

TEST_F(LoadedBlas, that_takes_another_kernel_than_it_was_told_is_refused) {
  EXPECT_THROW(static_cast<void>(BlasLibrary::load(other(), "Unheard", 1)), std::runtime_error);
  auto unheard = other();
  unheard.word = "Unheard";
  EXPECT_THROW(static_cast<void>(BlasLibrary::load(unheard, other_, 1)), std::runtime_error);
}

TEST(file_copy, of_what_is_not_there_says_why) {
  try {
    FileCopy copy("/nowhere/libblas.so");
    FAIL() << "there is no such file";
  } catch (const std::runtime_error& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("No such file"));
  }
}

}  // namespace
