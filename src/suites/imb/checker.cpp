// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/checker.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include "mpi/error.hpp"
#include "suites/imb/image.hpp"

namespace steelyard::imb {
namespace {

using measure::CheckResult;

// The bytes on either side of an area, given back when the check ends.
class Surroundings {
 public:
  explicit Surroundings(const Area& area)
      : before_(area.base - Checker::guard), after_(area.base + area.layout.slots.bytes) {
    std::memcpy(kept_.data(), before_, Checker::guard);
    std::memcpy(kept_.data() + Checker::guard, after_, Checker::guard);
  }
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  ~Surroundings() {
    std::memcpy(before_, kept_.data(), Checker::guard);
    std::memcpy(after_, kept_.data() + Checker::guard, Checker::guard);
  }

 private:
  std::byte* before_;
  std::byte* after_;
  std::array<std::byte, 2 * Checker::guard> kept_{};
};

std::string hex(std::byte value) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "0x%02x", std::to_integer<unsigned>(value));
  return text.data();
}

struct Difference {
  std::string_view side;
  std::int64_t at = 0;
  std::byte found{}, expected{};
  double size = 1;
};

class Findings {
 public:
  Findings(int rank, std::uint64_t repetition, CheckResult& result)
      : rank_(rank), repetition_(repetition), result_(result) {}

  void add(const Difference& difference) {
    ++result_.errors;
    result_.worst = std::max(result_.worst, difference.size);
    if (!result_.first.empty()) return;
    result_.first = "rank " + std::to_string(rank_) + ", repetition " + std::to_string(repetition_) + ", " +
                    std::string(difference.side) + " byte " + std::to_string(difference.at) + ": found " +
                    hex(difference.found) + ", expected " + hex(difference.expected);
  }

 private:
  int rank_;
  std::uint64_t repetition_;
  CheckResult& result_;
};

// One side in one repetition: the bytes that must stand there, written or compared piece by piece.
class Picture {
 public:
  Picture(const Area& area, const Image& image, std::string_view side)
      : area_(area), image_(image), side_(side) {}

  void write(Image::Kind kind, std::uint64_t repetition) const {
    visit(kind, repetition, [](std::span<std::byte> there, std::span<const std::byte> wanted, std::int64_t) {
      std::ranges::copy(wanted, there.begin());
    });
  }

  void compare(std::uint64_t repetition, Findings& findings) const {
    visit(Image::Kind::expected, repetition,
          [&](std::span<std::byte> there, std::span<const std::byte> wanted, std::int64_t at) {
            if (!std::ranges::equal(there, wanted)) differences(there, wanted, at, repetition, findings);
          });
  }

 private:
  static constexpr std::int64_t piece = 64 << 10;

  [[nodiscard]] std::int64_t used_slot(std::uint64_t repetition) const {
    return static_cast<std::int64_t>(repetition % static_cast<std::uint64_t>(area_.layout.slots.slots));
  }

  // action(memory, wanted bytes, offset from the area's first byte) for every piece, surroundings included.
  template <class Action>
  void visit(Image::Kind kind, std::uint64_t repetition, Action action) const {
    const auto& slots = area_.layout.slots;
    const auto start = used_slot(repetition) * slots.offset;
    const auto end = start + area_.layout.length;
    std::vector<std::byte> wanted(piece);
    const auto part = [&](std::int64_t from, std::int64_t to, bool used) {
      for (auto at = from; at < to; at += piece) {
        const std::span<std::byte> bytes(wanted.data(), static_cast<std::size_t>(std::min(piece, to - at)));
        std::ranges::fill(bytes, untouched);
        if (used) image_.fill(kind, repetition, at - start, bytes);
        action(std::span<std::byte>(area_.base + at, bytes.size()), bytes, at);
      }
    };
    part(-Checker::guard, start, false);
    part(start, end, true);
    part(end, slots.bytes + Checker::guard, false);
  }

  void differences(std::span<const std::byte> there, std::span<const std::byte> wanted, std::int64_t at,
                   std::uint64_t repetition, Findings& findings) const {
    const auto start = used_slot(repetition) * area_.layout.slots.offset;
    const bool used = at >= start && at < start + area_.layout.length;
    const auto step = used ? image_.granule() : 1;
    for (std::size_t i = 0; i < there.size(); i += step) {
      const auto length = std::min(step, there.size() - i);
      if (std::memcmp(there.data() + i, wanted.data() + i, length) == 0) continue;
      const double size = length > 1 ? image_.deviation(there.data() + i, wanted.data() + i) : 1.0;
      findings.add({side_, at + static_cast<std::int64_t>(i), there[i], wanted[i], size});
    }
  }

  const Area& area_;
  const Image& image_;
  std::string_view side_;
};

// A place of its own for receives that the operation sets aside.
class Aside {
 public:
  Aside(const Subject& subject, std::int64_t bytes)
      : subject_(subject), memory_(static_cast<std::size_t>(bytes + 2 * Checker::guard)) {
    area_.base = memory_.data() + Checker::guard;
    area_.layout = {bytes, {.offset = bytes, .slots = 1, .bytes = bytes}};
    if (bytes > 0) subject_.set_aside(area_.base);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  ~Aside() {
    if (area_.layout.length > 0) subject_.set_aside(nullptr);
  }
  [[nodiscard]] const Area& area() const { return area_; }

 private:
  const Subject& subject_;
  std::vector<std::byte> memory_;
  Area area_;
};

}  // namespace

CheckResult Checker::check(std::uint64_t repetitions, const Subject& subject) const {
  CheckResult result;
  const Surroundings around_send(sides_.send);
  const Surroundings around_receive(sides_.receive);
  const Aside aside(subject, subject.aside_byte);
  for (std::uint64_t i = 0; i < repetitions; ++i) {
    const auto arrival = subject.arrival(i);
    const auto sent = Image::sent(sides_, rank_, processes_);
    const auto received = Image::received(sides_, processes_, arrival.segments, arrival.sum);
    const auto put_aside = Image::received(sides_, processes_, arrival.aside, std::nullopt);
    const Picture pictures[] = {{sides_.send, sent, "send"},
                                {sides_.receive, received, "receive"},
                                {aside.area(), put_aside, "receive"}};
    for (const auto& picture : pictures) picture.write(Image::Kind::before, i);
    mpi::check(subject.run(i), "checked operation");
    Findings findings(rank_, i, result);
    for (const auto& picture : pictures) picture.compare(i, findings);
  }
  fill_send({sides_.send.base, sides_.send_slots.value_or(sides_.send.layout)}, rank_);
  fill_receive(sides_.receive);
  return result;
}

}  // namespace steelyard::imb
