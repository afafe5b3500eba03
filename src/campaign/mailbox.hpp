// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

/// Short messages to one process of a run that reach it while it waits within MPI. No MPI here.
namespace steelyard::campaign {

/// Mailbox for messages of at most 64 KiB from processes that know its address: of this host by a socket
/// without a name in the file system, of others by TCP. An address is a secret of the run, so that messages
/// of strangers are refused.
class Mailbox {
 public:
  /// Without `other_hosts` no port is opened. Throws std::system_error.
  explicit Mailbox(bool other_hosts);
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  ~Mailbox();

  /// Address for post(), a line of text.
  [[nodiscard]] const std::string& address() const { return address_; }

  /// Sleeps until a message comes, patience ends or wake() is called; nullopt in the last two cases.
  [[nodiscard]] std::optional<std::string> wait(std::optional<std::chrono::milliseconds> patience);
  /// Ends the present wait, or the next. From any thread.
  void wake();

 private:
  void listen_here();
  void listen_to_others();
  [[nodiscard]] std::optional<std::string> take(int listener) const;

  std::string secret_;
  std::string address_;
  std::vector<int> listeners_;
  int wake_ = -1;
};

/// Delivers a message; returns true once it was taken. Takes some seconds at most.
[[nodiscard]] bool post(const std::string& address, const std::string& message);

}  // namespace steelyard::campaign
