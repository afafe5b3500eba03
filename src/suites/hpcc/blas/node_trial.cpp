// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/node_trial.hpp"

#include <algorithm>

#include "machine/text.hpp"
#include "suites/hpcc/blas/blas.hpp"
#include "suites/hpcc/blas/library.hpp"

namespace steelyard::hpcc {
namespace {

constexpr double shortest_patience_s = 0.15, longest_patience_s = 0.25;
// Patience with the library that computes anyway, with the likeliest one and with one that the user named: to
// wait is better than to err.
constexpr double unhurried_s = 2;

/// Places in `tried` of those that may be the fastest, the linked one first.
std::vector<std::size_t> worth_repeating(const BlasFindings& findings) {
  constexpr double nearly = 0.8;
  const auto* fastest = findings.fastest();
  std::vector<std::size_t> places;
  for (std::size_t i = 0; fastest != nullptr && i < findings.tried.size(); ++i) {
    const auto& one = findings.tried[i];
    const bool linked = one.candidate.as_linked();
    if (!one.refused.empty() || (!linked && one.flop_s < nearly * fastest->flop_s)) continue;
    places.insert(linked ? places.begin() : places.end(), i);
  }
  return places;
}

}  // namespace

ChildAnswer NodeTrial::ask(const std::vector<std::string>& words, const Variables& variables,
                           double patience_s) const {
  auto all = rules_.child;
  all.insert(all.end(), words.begin(), words.end());
  return ask_child(all, variables, has_begun, {rules_.begin_s, patience_s});
}

std::vector<InstalledBlas> NodeTrial::installed(std::vector<std::string> files, double patience_s) {
  std::vector<InstalledBlas> all;
  while (!files.empty()) {
    const auto answer = ask(words_to_find(files),
                            variables_of({.choice = KernelChoice::environment}, rules_.threads), patience_s);
    auto found = read_installation(answer.text);
    const bool again = !all.empty();  // the linked one has been told before
    for (auto& blas : found.found)
      if (!again || !blas.linked) all.push_back(std::move(blas));
    if (found.complete) break;
    const auto culprit = std::ranges::find(files, found.loading);
    faults_.push_back((culprit == files.end() ? "" : found.loading + ": ") +
                      (answer.failure.empty() ? "gave no answer that can be read" : answer.failure));
    if (culprit == files.end()) break;  // it did not come so far as to load one
    files.erase(files.begin(), culprit + 1);
  }
  return all;
}

TriedBlas NodeTrial::tried(const BlasCandidate& candidate, double patience_s) const {
  TriedBlas result{candidate};
  const auto answer =
      ask(words_to_try(candidate, rules_.threads), variables_of(candidate, rules_.threads), patience_s);
  const auto found = read_rate(answer.text);
  if (found) result.kernel = found->identity.kernel;
  const auto wanted = machine::lower(candidate.kernel);
  if (!answer.failure.empty())
    result.refused = answer.failure;
  else if (!found)
    result.refused = "gave no answer that can be read";
  else if (!found->rate.wrong.empty())
    result.refused = found->rate.wrong;
  else if (candidate.choice == KernelChoice::told && machine::lower(result.kernel) != wanted)
    result.refused = takes_another(result.kernel, candidate.kernel);
  if (!result.refused.empty()) return result;
  result.flop_s = result.least_flop_s = found->rate.flop_s;
  result.order = found->rate.order;
  return result;
}

std::optional<InstalledBlas> linked_blas() {
  if (!blas::available()) return std::nullopt;
  const auto identity = BlasLibrary::linked().identity();
  return InstalledBlas{identity, identity.path, true};
}

TriedBlas TrialCourse::timed(const BlasCandidate& candidate, double patience_s) {
  const double before = elapsed_s();
  auto one = attempt_(candidate, patience_s);
  if (one.refused.empty()) longest_s_ = std::max(longest_s_, elapsed_s() - before);
  return one;
}

void TrialCourse::attempt_all(const std::vector<BlasCandidate>& candidates) {
  for (const auto& candidate : candidates) {
    const bool needed = findings_.tried.empty() || candidate.as_linked();
    if (!needed && left_s() < longest_s_) {
      findings_.not_tried.push_back(candidate);
      continue;
    }
    const double patience_s =
        needed ? unhurried_s : std::clamp(left_s(), shortest_patience_s, longest_patience_s);
    findings_.tried.push_back(timed(candidate, patience_s));
  }
}

void TrialCourse::attempt_unhurried(const std::vector<BlasCandidate>& candidates) {
  for (const auto& candidate : candidates) findings_.tried.push_back(timed(candidate, unhurried_s));
}

void TrialCourse::repeat_nearly_fastest() {
  for (const auto place : worth_repeating(findings_)) {
    if (left_s() < longest_s_) return;
    auto& first = findings_.tried[place];
    auto again = timed(first.candidate, unhurried_s);
    if (!again.refused.empty() || again.flop_s > first.flop_s) first = std::move(again);
  }
}

}  // namespace steelyard::hpcc
