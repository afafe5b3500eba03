// SPDX-License-Identifier: Apache-2.0
#include "campaign/watchdog.hpp"

#include <algorithm>
#include <utility>

#include "units/text.hpp"

namespace steelyard::campaign {

Watchdog::Watchdog(std::ostream& out, Patience patience)
    : out_(out), patience_(patience), thread_([this](const std::stop_token& stop) { loop(stop); }) {}

Watchdog::~Watchdog() {
  thread_.request_stop();
  thread_.join();
}

void Watchdog::watch(std::string what, double estimate_s) {
  const std::scoped_lock lock(mutex_);
  what_ = std::move(what);
  limit_s_ = std::max(patience_.factor * estimate_s, patience_.least_s);
  since_ = Clock::now();
}

void Watchdog::rest() {
  const std::scoped_lock lock(mutex_);
  what_.clear();
}

void Watchdog::loop(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto nap = std::chrono::duration<double>(patience_.nap_s);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, nap, [] { return false; });
    if (!stop.stop_requested()) look();
  }
}

void Watchdog::look() {
  if (what_.empty()) return;
  const double age = std::chrono::duration<double>(Clock::now() - since_).count();
  if (age < limit_s_) return;
  out_ << "\nsteelyard: " << what_ << " has been running for " << units::format_clock(Seconds{age})
       << std::endl;
  limit_s_ = 2 * age;
}

}  // namespace steelyard::campaign
