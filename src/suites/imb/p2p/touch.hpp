// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "measure/workload.hpp"
#include "suites/imb/check_data.hpp"
#include "suites/imb/checker.hpp"

/// Handling of the data of a pattern of IMB-P2P before a message goes and after it has come: in a
/// timed operation little or nothing (-msgwr, -msgrd), in a check everything. The operation is the
/// same code for both.
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

}  // namespace steelyard::imb
