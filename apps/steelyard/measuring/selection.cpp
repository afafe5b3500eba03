// SPDX-License-Identifier: Apache-2.0
#include "measuring/selection.hpp"

#include <algorithm>
#include <utility>

#include "process/errors.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/screen/quantities.hpp"
#include "suites/suite_list.hpp"

namespace steelyard::cli {
namespace {

// A step's words over those of [run].
Values merged(const Values& base, const Values& step) {
  Values out = base;
  for (const auto& [name, given] : step.all()) {
    OptionWords strong = given;
    strong.source = Source::command_line;
    out.set(name, std::move(strong));
  }
  return out;
}

std::vector<campaign::Selected> left_of(const Values& values, const std::vector<const suites::Suite*>& all) {
  const auto exclude = values.list("exclude");
  return campaign::select(values.list("select"), exclude, all);
}

/// Refuses benchmarks that a file names and nobody has, with their place in it.
void refuse_unknown_of_file(const Values& values, const std::vector<const suites::Suite*>& all) {
  const std::vector<std::string> none;
  for (const auto& [name, given] : values.all()) {
    const bool selects = name == "select";
    if (given.source != Source::file || (!selects && name != "exclude")) continue;
    try {
      static_cast<void>(campaign::select(selects ? given.words : none, selects ? none : given.words, all));
    } catch (const UsageError& unknown) {
      throw UsageError(given.origin + ": " + unknown.what(), unknown.suggestion());
    }
  }
}

constexpr const char* nothing_left = "--exclude removes every selected benchmark";

}  // namespace

std::vector<Values> steps_of(const Invocation& invocation) {
  const auto all = suites::definitions();
  refuse_unknown_of_file(invocation.values, suites::pointers(all));
  if (invocation.steps.empty()) return {invocation.values};
  std::vector<Values> out;
  for (const Values& step : invocation.steps) {
    refuse_unknown_of_file(step, suites::pointers(all));
    Values values = merged(invocation.values, step);
    const bool measures = !left_of(values, suites::pointers(all)).empty();
    const OptionWords* own = step.find("exclude");
    if (!measures && own != nullptr) throw UsageError(own->origin + ": removes every benchmark of its step");
    if (measures) out.push_back(std::move(values));
  }
  if (out.empty()) throw UsageError(nothing_left);
  return out;
}

std::vector<campaign::Selected> selected_of(const Values& values,
                                            const std::vector<const suites::Suite*>& all) {
  auto selected = left_of(values, all);
  if (selected.empty()) throw UsageError(nothing_left);
  return selected;
}

std::set<suites::RateGroup> rate_groups(const Invocation& invocation) {
  std::set<suites::RateGroup> groups;
  const auto all = suites::definitions();
  for (const Values& values : steps_of(invocation))
    for (const auto& one : selected_of(values, suites::pointers(all)))
      for (const auto group : one.suite->rate_groups()) groups.insert(group);
  return groups;
}

bool computes_with_blas(const Invocation& invocation) {
  const auto all = suites::definitions();
  for (const Values& values : steps_of(invocation))
    for (const campaign::Selected& one : selected_of(values, suites::pointers(all)))
      if ((one.suite->name() == hpcc::suite_name && hpcc::computes_with_blas(one.benchmark)) ||
          (one.suite->name() == screen::suite_name && one.benchmark == "dgemm"))
        return true;
  return false;
}

bool only_screens(const Invocation& invocation) {
  const auto all = suites::definitions();
  const auto screens = [&](const Values& step) {
    return std::ranges::all_of(selected_of(step, suites::pointers(all)), [](const campaign::Selected& one) {
      return one.suite->name() == screen::suite_name;
    });
  };
  return std::ranges::all_of(steps_of(invocation), screens);
}

}  // namespace steelyard::cli
