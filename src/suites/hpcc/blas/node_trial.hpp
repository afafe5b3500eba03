// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "suites/hpcc/blas/child.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "suites/hpcc/foundation/stopwatch.hpp"

/// The trial of the BLAS libraries on one node, each in a process of its own.
namespace steelyard::hpcc {

/// How the trial is made.
struct TrialRules {
  ChildProgram child = {};  // that answers
  int threads = 1;          // of one call
  double limit_s = 0.5;     // what has not begun long enough before is not tried
  double begin_s = 1;       // until a child says that it has begun: programs may lie on slow file systems
};

class NodeTrial {
 public:
  explicit NodeTrial(TrialRules rules) : rules_(std::move(rules)) {}

  /// The linked library and those of these files that are installed. One that ends the process that looks at
  /// it, or takes longer than `patience_s`, is left out and told by faults(). Nothing is thrown.
  [[nodiscard]] std::vector<InstalledBlas> installed(std::vector<std::string> files, double patience_s);
  /// "libfoo.so: ended by SIGSEGV when it was loaded"
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }

  /// Rate of the candidate on this node, or why it is refused: also if it takes longer than `patience_s`
  /// from the child's beginning. Nothing is thrown.
  [[nodiscard]] TriedBlas tried(const BlasCandidate& candidate, double patience_s) const;

 private:
  [[nodiscard]] ChildAnswer ask(const std::vector<std::string>& words, const Variables& variables,
                                double patience_s) const;

  TrialRules rules_;
  std::vector<std::string> faults_;
};

/// The linked library as this process has it; nothing where there is none.
[[nodiscard]] std::optional<InstalledBlas> linked_blas();

/// The time of a trial and what is done in it: tried and not_tried of the findings.
class TrialCourse {
 public:
  /// Rate of a candidate, with so much patience.
  using Attempt = std::function<TriedBlas(const BlasCandidate&, double patience_s)>;
  TrialCourse(const TrialRules& rules, Attempt attempt, BlasFindings& findings)
      : limit_s_(rules.limit_s), attempt_(std::move(attempt)), findings_(findings) {}

  [[nodiscard]] double elapsed_s() const { return watch_.seconds(); }
  [[nodiscard]] double left_s() const { return limit_s_ - elapsed_s(); }
  /// In turn, as many as there is time for. The first of all, which is the likeliest, and the linked library,
  /// with which everything is compared, are tried in any case.
  void attempt_all(const std::vector<BlasCandidate>& candidates);
  /// The linked library and those that are nearly the fastest once more, so that a disturbance does not
  /// decide.
  void repeat_nearly_fastest();
  /// Candidates between which there is no choice, with all the patience that they need.
  void attempt_unhurried(const std::vector<BlasCandidate>& candidates);

 private:
  [[nodiscard]] TriedBlas timed(const BlasCandidate& candidate, double patience_s);

  double limit_s_;
  Attempt attempt_;
  BlasFindings& findings_;
  Stopwatch watch_;
  double longest_s_ = 0.08;  // of a child; usual before one was seen
};

}  // namespace steelyard::hpcc
