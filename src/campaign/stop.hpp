// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "campaign/mailbox.hpp"
#include "mpi/communicator.hpp"
#include "record/records.hpp"

namespace steelyard::campaign {

/// Installs handlers of SIGUSR1, SIGUSR2, SIGXCPU, SIGTERM and, unless it is ignored as in the background of a shell, SIGINT,
/// which only set a flag: a stop in order. A second signal, if it is not SIGXCPU, ends at once with MPI_Abort and code 5. Has
/// SIGXCPU come five seconds of processor time before the hard limit kills. May be called again.
void install_stop_signals();
/// The same for the time in which MPI starts: SIGUSR1, SIGUSR2 and SIGXCPU set the flag, the others end this process with code 5.
/// It may wait for processes that do not come, and nobody would look at a flag.
void install_stop_signals_of_start();

enum class StopCause { none, signal, cpu_limit, stop_file, deadline, budget, error };
/// What a signal to this process asks for: none, signal, or cpu_limit for SIGXCPU, which nobody sends by hand.
[[nodiscard]] StopCause cause_by_signal();
/// Word of the end record; empty for StopCause::none.
[[nodiscard]] std::string_view text(StopCause cause);

/// Removes the file STOP that an earlier run left in a result directory, unless another steelyard writes there, for which
/// it is meant.
void forget_stop_file(const std::filesystem::path& directory);
/// Whether somebody has put a file STOP into the result directory.
[[nodiscard]] bool stop_file_is_there(const std::filesystem::path& directory);

/// Rules that may end a campaign before its plan is done.
struct StopRules {
  std::filesystem::path file;  // empty: none
  std::optional<double> deadline_unix_s;
  std::optional<double> budget_s;  // from the making of the watch
};

/// Watch for reasons to stop. Rank 0 asks it between batches: cheap; the stop file is looked for at most once
/// a second. The first cause stays.
class StopWatch {
 public:
  explicit StopWatch(StopRules rules);

  StopCause look();
  /// Sets a cause found elsewhere: a record that cannot be written, a signal on another rank.
  void raise(StopCause cause) {
    if (cause_ == StopCause::none) cause_ = cause;
  }
  [[nodiscard]] StopCause cause() const { return cause_; }

  [[nodiscard]] double elapsed_s() const;
  [[nodiscard]] std::optional<double> left_to_deadline_s() const;

 private:
  [[nodiscard]] StopCause found();
  [[nodiscard]] bool file_is_there();

  StopRules rules_;
  std::chrono::steady_clock::time_point start_;
  double file_looked_s_ = -1;
  StopCause cause_ = StopCause::none;
};

/// Alarm about an error of one process, which leaves others waiting within MPI. The process tells rank 0
/// outside MPI as soon as a call returns the error (mpi/error.hpp), and goes on. If all processes then meet
/// after all, the error becomes the record of a point and nothing more happens. If they do not meet within
/// the patience, the session is ended in a thread of its own. One object in a process at a time, alive while
/// anything is measured.
class Alarm {
 public:
  /// Placeholder for the call in a reason for which only an error code was seen.
  static constexpr const char* some_call = "an MPI call";
  struct Endings {
    /// On rank 0: records the reason and ends all processes. Must not come back.
    std::function<void(const record::Reason&)> on_root;
    /// On the process that met the error, if rank 0 cannot be told: the same without a record.
    std::function<void(const record::Reason&)> alone;
  };

  using Patience = std::chrono::milliseconds;
  /// Time for processes to come together in spite of an error: a visit is over long before.
  static constexpr Patience usual_patience{10000};
  /// Rank 0 needs the time to write its records.
  static constexpr Patience usual_time_to_end{8000};

  /// Collective over the world.
  Alarm(const mpi::Communicator& world, Endings endings, Patience patience = usual_patience,
        Patience time_to_end = usual_time_to_end);
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  ~Alarm();

  /// Notes that all processes of the team have come so far, each by way of rank 0: earlier announcements are
  /// settled. Called the same number of times on all of them.
  void met();
  /// Notes the same for all processes of the world, which have come to this block.
  void met(std::size_t block);

  /// Called on a process other than rank 0 that cannot go on: rank 0 ends the session at once. Comes back
  /// only if that fails.
  void cannot_go_on(const record::Reason& reason);

 private:
  struct Announcement {
    record::Reason reason;
    std::uint64_t meetings = 0;  // of the process that tells, when it met the error
    bool at_once = false;
  };
  static void hear(int code, const char* call) noexcept;
  void tell(record::Reason reason, bool at_once);
  void take(Announcement told);
  void listen(const std::stop_token& stop);
  void wait_alone(const std::stop_token& stop, const Announcement& told);
  [[nodiscard]] bool settled(const Announcement& told) const { return meetings_.load() > told.meetings; }

  const mpi::Communicator& world_;
  Endings endings_;
  Patience patience_;
  Patience time_to_end_;
  std::unique_ptr<Mailbox> mailbox_;  // on rank 0
  std::string address_;
  std::atomic<std::uint64_t> meetings_{0};
  std::atomic<bool> has_told_{false};  // since the last meeting
  std::mutex mutex_;
  std::optional<Announcement> own_;  // of rank 0, for its thread
  std::jthread thread_;
};

}  // namespace steelyard::campaign
