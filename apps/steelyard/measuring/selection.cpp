// SPDX-License-Identifier: Apache-2.0
#include "measuring/selection.hpp"

#include <algorithm>

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

}  // namespace

std::vector<Values> steps_of(const Invocation& invocation) {
  if (invocation.steps.empty()) return {invocation.values};
  std::vector<Values> out;
  for (const Values& step : invocation.steps) out.push_back(merged(invocation.values, step));
  return out;
}

std::vector<campaign::Selected> selected_of(const Values& values,
                                            const std::vector<const suites::Suite*>& all) {
  const auto exclude = values.list("exclude");
  return campaign::select(values.list("select"), exclude, all);
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
