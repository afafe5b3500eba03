// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <thread>

namespace steelyard::campaign {

/// Limits at which a Watchdog speaks up.
struct Patience {
  double factor = 10;
  double least_s = 60;
  double nap_s = 5;
  std::optional<double> give_up_s = {};  // beyond the estimate
};

/// Watch over the task in flight: tells it on `out` when it takes more than 10 times its estimate and longer
/// than 60 s, once at that age and again each time the age has doubled. A task that takes give_up_s longer
/// than its estimate is given up: once, in the watchdog's own thread, with a sentence that says why. Ends
/// nothing itself; sleeps otherwise.
class Watchdog {
 public:
  using GiveUp = std::function<void(const std::string& why)>;
  explicit Watchdog(std::ostream& out, Patience patience = {}, GiveUp give_up = {});
  ~Watchdog();

  void watch(std::string what, double estimate_s);
  void rest();

 private:
  using Clock = std::chrono::steady_clock;
  void loop(const std::stop_token& stop);
  void look();
  void speak(double age);
  void give_up(double age);

  std::ostream& out_;
  Patience patience_;
  GiveUp give_up_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string what_;                 // empty: nothing in flight
  double limit_s_ = 0, last_s_ = 0;  // ages at which it speaks and gives up
  Clock::time_point since_;
  std::jthread thread_;  // last member: starts when the rest is there
};

}  // namespace steelyard::campaign
