// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

namespace steelyard::campaign {

/// When a Watchdog speaks up.
struct Patience {
  double factor = 10;
  double least_s = 60;
  double nap_s = 5;
};

/// Says on `out` what is in flight when it takes more than 10 times its estimate and longer than 60 s: once
/// at that age and again each time the age has doubled. Never ends anything; sleeps otherwise.
class Watchdog {
 public:
  explicit Watchdog(std::ostream& out, Patience patience = {});
  ~Watchdog();

  void watch(std::string what, double estimate_s);
  void rest();

 private:
  using Clock = std::chrono::steady_clock;
  void loop(const std::stop_token& stop);
  void look();

  std::ostream& out_;
  Patience patience_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string what_;  // empty: nothing in flight
  double limit_s_ = 0;
  Clock::time_point since_;
  std::jthread thread_;  // last: starts when the rest is there
};

}  // namespace steelyard::campaign
