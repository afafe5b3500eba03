// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "measure/workload.hpp"
#include "mpi/error.hpp"
#include "suites/imb/checker.hpp"
#include "suites/imb/point.hpp"
#include "suites/imb/sides.hpp"

/// Patterns of IMB-P2P, and the handling of their data before a message goes and after it has come: in a timed
/// operation little or nothing (-msgwr, -msgrd), in a check everything. The operation is the same code for both.
namespace steelyard::imb {

/// Label of a message. Both sides know it, and the contents of a checked message follow from it.
struct Label {
  int sender = 0, receiver = 0;
  std::uint64_t repetition = 0;
  int number = 0;  // direction, or draw within the repetition
};

/// Touch of one byte of every 64: a line of the cache each.
class Touch {
 public:
  Touch(bool writes, bool reads, std::int64_t bytes)
      : written_(writes ? bytes : 0), read_(reads ? bytes : 0) {}

  void write(std::byte* place, const Label&) noexcept {
    ++running_;
    for (std::int64_t at = 0; at < written_; at += line) place[at] = static_cast<std::byte>(running_);
  }
  void read(std::byte* place, const Label&) noexcept {
    for (std::int64_t at = 0; at < read_; at += line) {
      [[maybe_unused]] const std::byte there = *const_cast<const volatile std::byte*>(place + at);
    }
  }

 private:
  static constexpr std::int64_t line = 64;
  std::int64_t written_, read_;
  unsigned char running_ = 0;
};

/// Inspection of messages: writes contents that no other message has, and compares every byte.
class Inspection {
 public:
  /// Keeps the bytes around both sides until it ends; then both hold their first contents again. A message
  /// that `travels` is received where it is sent from.
  Inspection(const CheckedSides& sides, int rank, int processes, std::int64_t bytes, bool travels);

  /// Begins a repetition, before which nothing that must arrive is there.
  void begin(std::uint64_t repetition);
  void write(std::byte* place, const Label& label) noexcept;
  void read(std::byte* place, const Label& label) noexcept;
  /// Ends a repetition, after which nothing else may have been written anywhere.
  void end();

  [[nodiscard]] measure::CheckResult finish();

 private:
  void fill(const Label& label, std::int64_t first, std::span<std::byte> out) const noexcept;
  void compare(std::span<const std::byte> there, const std::optional<Label>& label, std::string_view side,
               std::int64_t at) noexcept;
  [[nodiscard]] std::span<std::byte> with_surroundings(const Area& area) const;
  [[nodiscard]] std::int64_t position(const Area& area, const std::byte* place) const {
    return place - area.base;
  }

  CheckedSides sides_;
  Surroundings around_send_, around_receive_;
  int rank_, processes_;
  std::int64_t bytes_;
  bool travels_;
  std::uint64_t repetition_ = 0;
  std::vector<std::optional<Label>> sent_;  // message that each section of the send side holds
  measure::CheckResult result_;
};

/// Base of the patterns of IMB-P2P, which consist of whole messages between sections of the two sides.
class Patterned {
 public:
  explicit Patterned(const Point& point)
      : message_(point.message()),
        rank_(point.rank),
        processes_(point.processes),
        send_(point.send.base),
        receive_(point.receive.base),
        section_(std::max<std::int64_t>(point.size.count(), 4)),
        comm_(point.comm()) {}

 protected:
  [[nodiscard]] std::byte* out(int section = 0) const noexcept { return send_ + section * section_; }
  [[nodiscard]] std::byte* in(int section = 0) const noexcept { return receive_ + section * section_; }

  int send(int to) noexcept {
    return mpi::noted(MPI_Send(out(), message_.count(), message_.type(), to, tag, comm_), "MPI_Send");
  }
  int receive(int from) noexcept {
    return mpi::noted(MPI_Recv(in(), message_.count(), message_.type(), from, tag, comm_, MPI_STATUS_IGNORE),
                      "MPI_Recv");
  }
  int start_send(int section, int to, int with, MPI_Request& request) noexcept {
    return mpi::noted(MPI_Isend(out(section), message_.count(), message_.type(), to, with, comm_, &request),
                      "MPI_Isend");
  }
  int start_receive(int section, int from, int with, MPI_Request& request) noexcept {
    return mpi::noted(MPI_Irecv(in(section), message_.count(), message_.type(), from, with, comm_, &request),
                      "MPI_Irecv");
  }

  /// Sends to one process and receives from another at the same time.
  template <class Hand>
  int exchange(const Label& outgoing, const Label& incoming, Hand& hand) noexcept {
    MPI_Request request = MPI_REQUEST_NULL;
    hand.write(out(), outgoing);
    int error = 0;
    measure::keep_first(error, start_receive(0, incoming.sender, tag, request));
    measure::keep_first(error, send(outgoing.receiver));
    measure::keep_first(error, MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    hand.read(in(), incoming);
    return error;
  }

  Message message_;
  int rank_, processes_;

 private:
  std::byte *send_, *receive_;
  std::int64_t section_;

 protected:
  MPI_Comm comm_;
};

template <class Pattern>
concept TallyingPattern = requires(Pattern pattern, std::uint64_t i) {
  pattern.tally(i, i);
};

/// Pattern as an operation: `repeat(i, hand)` with a hand that touches data while it is timed, with one that
/// inspects them in a check.
template <class Pattern>
class PatternOperationOf {
 public:
  PatternOperationOf(Pattern pattern, const Point& point)
      : pattern_(std::move(pattern)),
        touch_(point.settings.writes, point.settings.reads, point.size.count()),
        sides_(point.checked_sides()),
        rank_(point.rank),
        processes_(point.processes),
        bytes_(point.size.count()) {}

  int operator()(std::uint64_t i) noexcept { return pattern_.repeat(i, touch_); }
  void foresee(std::uint64_t first, std::uint64_t count) {
    if constexpr (requires { pattern_.foresee(first, count); }) pattern_.foresee(first, count);
  }
  void tally(std::uint64_t first, std::uint64_t count) requires TallyingPattern<Pattern> {
    pattern_.tally(first, count);
  }
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) {
    Inspection inspection(sides_, rank_, processes_, bytes_, Pattern::travels);
    for (std::uint64_t i = 0; i < repetitions; ++i) {
      inspection.begin(i);
      mpi::check(pattern_.repeat(i, inspection), "checked operation");
      inspection.end();
    }
    return inspection.finish();
  }

 private:
  Pattern pattern_;
  Touch touch_;
  CheckedSides sides_;
  int rank_, processes_;
  std::int64_t bytes_;
};

/// Workload of a benchmark of IMB-P2P; nullptr if there is none of this name.
[[nodiscard]] std::unique_ptr<measure::Workload> open_pattern(const Point& point);

}  // namespace steelyard::imb
