// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/mt/threaded_workload.hpp"

#include <algorithm>
#include <exception>

#include "suites/imb/schedule.hpp"

namespace steelyard::imb {

using measure::CheckResult;
using measure::keep_first;

ThreadedWorkload::ThreadedWorkload(ThreadTeam& team,
                                   std::vector<std::unique_ptr<measure::Workload>> by_thread,
                                   measure::Synchroniser* gap, bool checks_at_once, ThreadTimes& times)
    : team_(&team), threads_(by_thread.size()), gap_(gap), checks_at_once_(checks_at_once), times_(&times) {
  for (std::size_t t = 0; t < by_thread.size(); ++t) threads_[t].workload = std::move(by_thread[t]);
}

int ThreadedWorkload::run(std::uint64_t first, std::uint64_t count) noexcept {
  double slowest_s = 0;
  int error = 0;
  if (takes_part()) {
    team_->run([&](int t) { run_thread(t, first, count); });
    for (const Thread& thread : threads_) {
      slowest_s = std::max(slowest_s, thread.seconds);
      keep_first(error, thread.error);
    }
  }
  if (!counting_) return error;
  runs_s_.push_back(slowest_s);
  for (std::size_t t = 0; t < times_->seconds.size(); ++t) times_->seconds[t] += threads_[t].seconds;
  times_->operations += count;
  return error;
}

void ThreadedWorkload::run_thread(int t, std::uint64_t first, std::uint64_t count) noexcept {
  Thread& own = threads_[static_cast<std::size_t>(t)];
  own.error = 0;
  if (gap_ == nullptr) {
    const double start = steady_seconds();
    own.error = own.workload->run(first, count);
    own.seconds = steady_seconds() - start;
    return;
  }
  own.seconds = 0;
  for (std::uint64_t i = first; i != first + count; ++i) {
    const double start = steady_seconds();
    keep_first(own.error, own.workload->run(i, 1));
    own.seconds += steady_seconds() - start;
    keep_first(own.error, meet_five_times(t));
  }
}

int ThreadedWorkload::meet_five_times(int t) noexcept {
  int error = 0;
  for (int i = 0; i < 5; ++i) {
    team_->meet();
    if (t == 0) keep_first(error, gap_->synchronise());
    team_->meet();
  }
  return error;
}

void ThreadedWorkload::begin_counting(std::size_t runs) {
  counting_ = true;
  runs_s_.clear();
  runs_s_.reserve(runs);
  if (takes_part()) times_->seconds.resize(threads_.size());
}

std::span<const double> ThreadedWorkload::counted_s() {
  counting_ = false;
  return runs_s_;
}

// Buffers without room between them are checked one thread after the other: a check writes around them.
std::optional<CheckResult> ThreadedWorkload::verify(std::uint64_t repetitions) {
  if (!takes_part()) return CheckResult{};
  std::vector<std::optional<CheckResult>> found(threads_.size());
  std::vector<std::exception_ptr> failed(threads_.size());
  auto check = [&](int t) noexcept {
    const auto at = static_cast<std::size_t>(t);
    try {
      found[at] = threads_[at].workload->verify(repetitions);
    } catch (...) {
      failed[at] = std::current_exception();
    }
  };
  if (checks_at_once_)
    team_->run(check);
  else
    for (int t = 0; t < team_->size(); ++t) check(t);
  for (const auto& exception : failed)
    if (exception) std::rethrow_exception(exception);
  if (!found.front()) return std::nullopt;
  CheckResult all;
  for (std::size_t t = 0; t < found.size(); ++t) {
    all.errors += found[t]->errors;
    all.worst = std::max(all.worst, found[t]->worst);
    if (all.first.empty() && !found[t]->first.empty())
      all.first = "thread " + std::to_string(t) + " of " + found[t]->first;
  }
  return all;
}

}  // namespace steelyard::imb
