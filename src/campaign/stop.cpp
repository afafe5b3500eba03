// SPDX-License-Identifier: Apache-2.0
#include "campaign/stop.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "campaign/signals.hpp"

namespace steelyard::campaign {
namespace {

constexpr double between_looks_s = 1;

double unix_now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string_view text(StopCause cause) {
  switch (cause) {
    case StopCause::signal:
      return "signal";
    case StopCause::stop_file:
      return "stop_file";
    case StopCause::deadline:
      return "deadline";
    case StopCause::budget:
      return "budget";
    case StopCause::error:
      return "error";
    case StopCause::none:
      break;
  }
  return {};
}

StopWatch::StopWatch(StopRules rules) : rules_(std::move(rules)), start_(std::chrono::steady_clock::now()) {
  std::error_code ignored;
  if (!rules_.file.empty()) std::filesystem::remove(rules_.file, ignored);
}

double StopWatch::elapsed_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::optional<double> StopWatch::left_to_deadline_s() const {
  if (!rules_.deadline_unix_s) return std::nullopt;
  return *rules_.deadline_unix_s - unix_now_s();
}

std::optional<double> StopWatch::left_s() const {
  const auto deadline = left_to_deadline_s();
  if (!rules_.budget_s) return deadline;
  const double budget = *rules_.budget_s - elapsed_s();
  return deadline ? std::min(*deadline, budget) : budget;
}

bool StopWatch::file_is_there() {
  if (rules_.file.empty()) return false;
  const double now = elapsed_s();
  if (file_looked_s_ >= 0 && now - file_looked_s_ < between_looks_s) return false;
  file_looked_s_ = now;
  std::error_code ignored;
  return std::filesystem::exists(rules_.file, ignored);
}

StopCause StopWatch::found() {
  if (stop_signal_seen()) return StopCause::signal;
  if (left_to_deadline_s().value_or(1) <= 0) return StopCause::deadline;
  if (rules_.budget_s && elapsed_s() >= *rules_.budget_s) return StopCause::budget;
  return file_is_there() ? StopCause::stop_file : StopCause::none;
}

StopCause StopWatch::look() {
  if (cause_ == StopCause::none) cause_ = found();
  return cause_;
}

void StopWatch::raise(StopCause cause) {
  if (cause_ == StopCause::none) cause_ = cause;
}

}  // namespace steelyard::campaign
