// SPDX-License-Identifier: Apache-2.0
#include "campaign/alarm.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "measure/failure.hpp"
#include "mpi/error.hpp"
#include "record/json.hpp"

namespace steelyard::campaign {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Alarm::Patience between_looks{500};
constexpr unsigned bits_of_meetings = 32;

std::atomic<Alarm*> current{nullptr};

std::unique_ptr<Mailbox> open_mailbox(bool other_hosts) {
  try {
    return std::make_unique<Mailbox>(other_hosts);
  } catch (const std::system_error&) {
    return nullptr;
  }
}

}  // namespace

Alarm::Alarm(const mpi::Communicator& world, Endings endings, Patience patience, Patience time_to_end)
    : world_(world), endings_(std::move(endings)), patience_(patience), time_to_end_(time_to_end) {
  if (world.size() == 1) return;
  const bool other_hosts = world.any(world.split_shared().size() < world.size());
  if (world.is_root()) mailbox_ = open_mailbox(other_hosts);
  address_ = world.broadcast(mailbox_ ? mailbox_->address() : std::string());
  if (mailbox_) thread_ = std::jthread([this](const std::stop_token& stop) { listen(stop); });
  current.store(this);
  mpi::error_listener.store(&Alarm::hear);
}

Alarm::~Alarm() {
  if (current.exchange(nullptr) == this) mpi::error_listener.store(nullptr);
  thread_.request_stop();
  if (mailbox_) mailbox_->wake();
}

void Alarm::met() {
  has_told_.store(false, std::memory_order_relaxed);
  meetings_.fetch_add(1);
}

void Alarm::met(std::size_t block) {
  has_told_.store(false, std::memory_order_relaxed);
  meetings_.store((static_cast<std::uint64_t>(block) + 1) << bits_of_meetings);
}

/// Called in the midst of a measurement, on the thread that met the error.
void Alarm::hear(int code, const char* call) noexcept {
  Alarm* const alarm = current.load();
  if (alarm == nullptr || alarm->has_told_.exchange(true)) return;
  try {
    alarm->tell(measure::reason_of_code(code, *call == 0 ? Alarm::some_call : call), false);
  } catch (...) {
    // Out of memory or of threads: processes that wait then are ended by the watchdog or the user.
  }
}

void Alarm::tell(record::Reason reason, bool at_once) {
  Announcement told{std::move(reason), meetings_.load(), at_once};
  if (mailbox_) {
    take(std::move(told));
    return;
  }
  const record::Json message{
      {"reason", measure::pack(told.reason)}, {"meetings", told.meetings}, {"at_once", at_once}};
  if (!address_.empty() && post(address_, message.dump())) return;
  if (!thread_.joinable())
    thread_ = std::jthread([this, told](const std::stop_token& stop) { wait_alone(stop, told); });
}

void Alarm::take(Announcement told) {
  {
    const std::scoped_lock lock(mutex_);
    own_ = std::move(told);
  }
  mailbox_->wake();
}

void Alarm::cannot_go_on(const record::Reason& reason) {
  if (world_.is_root() || address_.empty()) return;
  tell(reason, true);
  std::this_thread::sleep_for(time_to_end_);
}

/// Loop on rank 0. The first error that is not settled in time ends the session.
void Alarm::listen(const std::stop_token& stop) {
  std::optional<Announcement> pending;
  Clock::time_point until;
  while (!stop.stop_requested()) {
    const auto message =
        mailbox_->wait(pending ? std::optional(std::min(between_looks, patience_)) : std::nullopt);
    std::optional<Announcement> told;
    if (message) {
      const auto heard = record::Json::parse(*message);
      told = Announcement{measure::unpack(heard.at("reason").get<std::string>()),
                          heard.at("meetings").get<std::uint64_t>(), heard.at("at_once").get<bool>()};
    } else {
      const std::scoped_lock lock(mutex_);
      told = std::exchange(own_, std::nullopt);
    }
    if (pending && settled(*pending)) pending.reset();
    if (told && (!pending || told->at_once)) {
      until = Clock::now() + (told->at_once ? Patience{0} : patience_);
      pending = std::move(told);
    }
    const bool due = pending && Clock::now() >= until && (pending->at_once || !settled(*pending));
    if (due && !stop.stop_requested()) endings_.on_root(std::exchange(pending, std::nullopt)->reason);
  }
}

/// Waits on a process that could not reach rank 0.
void Alarm::wait_alone(const std::stop_token& stop, const Announcement& told) {
  for (const auto until = Clock::now() + patience_ + time_to_end_; Clock::now() < until;) {
    std::this_thread::sleep_for(between_looks);
    if (stop.stop_requested() || settled(told)) return;
  }
  endings_.alone(told.reason);
}

}  // namespace steelyard::campaign
