// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/p2p/touch.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace steelyard::imb {
namespace {

constexpr std::int64_t compared_at_once = 8 << 10;

}  // namespace

Inspection::Inspection(const CheckedSides& sides, int rank, int processes, std::int64_t bytes, bool travels)
    : sides_(sides),
      around_send_(sides.send),
      around_receive_(sides.receive),
      rank_(rank),
      processes_(processes),
      bytes_(bytes),
      travels_(travels) {
  const auto section = std::max<std::int64_t>(bytes, 4);
  sent_.resize(static_cast<std::size_t>(sides.send.layout.length / section));
}

std::span<std::byte> Inspection::with_surroundings(const Area& area) const {
  return {area.base - Checker::guard, static_cast<std::size_t>(area.layout.slots.bytes + 2 * Checker::guard)};
}

// Sender, receiver, repetition and number make one number, of which no two messages have the same.
void Inspection::fill(const Label& label, std::int64_t first, std::span<std::byte> out) const noexcept {
  constexpr std::uint64_t most_numbers = std::uint64_t{1} << 24;
  const auto to = static_cast<std::uint64_t>(label.receiver);
  const auto message = (label.repetition * static_cast<std::uint64_t>(processes_) + to) * most_numbers +
                       static_cast<std::uint64_t>(label.number);
  fill_bytes(label.sender, message, first, out);
}

void Inspection::begin(std::uint64_t repetition) {
  repetition_ = repetition;
  std::ranges::fill(sent_, std::nullopt);
  if (travels_ && repetition > 0) return;
  for (const auto& area : {sides_.send, sides_.receive})
    std::ranges::fill(with_surroundings(area), untouched);
  if (travels_) fill({rank_, 0, 0, 0}, 0, {sides_.receive.base, static_cast<std::size_t>(bytes_)});
}

void Inspection::write(std::byte* place, const Label& label) noexcept {
  fill(label, 0, {place, static_cast<std::size_t>(bytes_)});
  const auto section = position(sides_.send, place) / std::max<std::int64_t>(bytes_, 4);
  sent_[static_cast<std::size_t>(section)] = label;
}

// Wipes out what was looked at: the next message comes to the same place, or nothing may.
void Inspection::read(std::byte* place, const Label& label) noexcept {
  const std::span<std::byte> there(place, static_cast<std::size_t>(bytes_));
  compare(there, label, "receive", position(sides_.receive, place));
  if (!travels_) std::ranges::fill(there, untouched);
}

void Inspection::end() {
  const auto receive = with_surroundings(sides_.receive);
  const auto skipped = static_cast<std::size_t>(travels_ ? bytes_ : 0) + Checker::guard;
  if (!travels_) compare(receive, std::nullopt, "receive", -Checker::guard);
  if (travels_) {
    compare(receive.first(Checker::guard), std::nullopt, "receive", -Checker::guard);
    compare(receive.subspan(skipped), std::nullopt, "receive", bytes_);
  }
  const auto section = std::max<std::int64_t>(bytes_, 4);
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i) * section;
    compare({sides_.send.base + at, static_cast<std::size_t>(bytes_)}, sent_[i], "send", at);
  }
}

void Inspection::compare(std::span<const std::byte> there, const std::optional<Label>& label,
                         std::string_view side, std::int64_t at) noexcept {
  std::array<std::byte, compared_at_once> wanted;
  for (std::size_t done = 0; done < there.size(); done += wanted.size()) {
    const auto piece = there.subspan(done, std::min(wanted.size(), there.size() - done));
    wanted.fill(untouched);
    if (label) fill(*label, static_cast<std::int64_t>(done), std::span(wanted).first(piece.size()));
    if (std::memcmp(piece.data(), wanted.data(), piece.size()) == 0) continue;
    Findings findings(rank_, repetition_, result_);
    for (std::size_t i = 0; i < piece.size(); ++i)
      if (piece[i] != wanted[i])
        findings.add({side, at + static_cast<std::int64_t>(done + i), piece[i], wanted[i]});
  }
}

measure::CheckResult Inspection::finish() {
  fill_send(sides_.send, rank_);
  fill_receive(sides_.receive);
  return std::move(result_);
}

}  // namespace steelyard::imb
