// SPDX-License-Identifier: Apache-2.0
#include "campaign/watchdog.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "units/text.hpp"

namespace steelyard::campaign {

Watchdog::Watchdog(std::ostream& out, Patience patience, GiveUp give_up)
    : out_(out),
      patience_(patience),
      give_up_(std::move(give_up)),
      thread_([this](const std::stop_token& stop) { loop(stop); }) {}

Watchdog::~Watchdog() {
  thread_.request_stop();
  thread_.join();
}

void Watchdog::watch(std::string what, double estimate_s) {
  const std::scoped_lock lock(mutex_);
  what_ = std::move(what);
  limit_s_ = std::max(patience_.factor * estimate_s, patience_.least_s);
  last_s_ = patience_.give_up_s ? estimate_s + *patience_.give_up_s : std::numeric_limits<double>::infinity();
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
  if (age >= limit_s_) speak(age);
  if (age >= last_s_) give_up(age);
}

void Watchdog::speak(double age) {
  out_ << "\nsteelyard: " + what_ + " has been running for " + units::format_clock(Seconds{age}) + '\n'
       << std::flush;
  limit_s_ = 2 * age;
}

void Watchdog::give_up(double age) {
  const std::string why =
      what_ + " is given up after " + units::format_clock(Seconds{age}) + ": a process or a host may be lost";
  what_.clear();
  out_ << "\nsteelyard: error: " + why + '\n' << std::flush;
  if (give_up_) give_up_(why);
}

}  // namespace steelyard::campaign
