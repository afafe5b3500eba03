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

struct TrialRules {
  ChildProgram child = {};  // the program that answers
  int threads = 1;          // of one call
  double limit_s = 0.5;     // candidates that cannot begin long enough before are not tried
  double begin_s = 1;       // until a child says that it has begun: programs may lie on slow file systems
};

class NodeTrial {
 public:
  explicit NodeTrial(TrialRules rules) : rules_(std::move(rules)) {}

  /// The linked library and those of these files that are installed. One that ends the process that looks at
  /// it, or takes longer than `patience_s`, is left out and told by faults(). Throws nothing.
  [[nodiscard]] std::vector<InstalledBlas> installed(std::vector<std::string> files, double patience_s);
  /// Libraries that were left out: "libfoo.so: ended by SIGSEGV when it was loaded"
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }

  /// Rate of the candidate on this node, or the reason why it is refused, which may be that it takes longer
  /// than `patience_s` from the child's beginning. Throws nothing.
  [[nodiscard]] TriedBlas tried(const BlasCandidate& candidate, double patience_s) const;

 private:
  [[nodiscard]] ChildAnswer ask(const std::vector<std::string>& words, const Variables& variables,
                                double patience_s) const;

  TrialRules rules_;
  std::vector<std::string> faults_;
};

/// The linked library as this process has it; nullopt if there is none.
[[nodiscard]] std::optional<InstalledBlas> linked_blas();

/// Course of a trial within its time: fills tried and not_tried of the findings.
class TrialCourse {
 public:
  /// Call that finds the rate of a candidate, with so much patience.
  using Attempt = std::function<TriedBlas(const BlasCandidate&, double patience_s)>;
  TrialCourse(const TrialRules& rules, Attempt attempt, BlasFindings& findings)
      : limit_s_(rules.limit_s), attempt_(std::move(attempt)), findings_(findings) {}

  [[nodiscard]] double elapsed_s() const { return watch_.seconds(); }
  [[nodiscard]] double left_s() const { return limit_s_ - elapsed_s(); }
  /// Tries the candidates in turn, as many as there is time for. The first of all, which is the likeliest,
  /// and the linked library, with which everything is compared, are tried in any case.
  void attempt_all(const std::vector<BlasCandidate>& candidates);
  /// Tries the linked library and those that are nearly the fastest once more, so that a
  /// disturbance does not decide.
  void repeat_nearly_fastest();
  /// Tries candidates between which there is no choice, with all the patience that they need.
  void attempt_unhurried(const std::vector<BlasCandidate>& candidates);

 private:
  [[nodiscard]] TriedBlas timed(const BlasCandidate& candidate, double patience_s);

  double limit_s_;
  Attempt attempt_;
  BlasFindings& findings_;
  Stopwatch watch_;
  double longest_s_ = 0.08;  // of a child; a usual time before one was seen
};

}  // namespace steelyard::hpcc
