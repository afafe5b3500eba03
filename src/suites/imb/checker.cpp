// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/checker.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "mpi/error.hpp"
#include "suites/imb/image.hpp"

namespace steelyard::imb {
namespace {

using measure::CheckResult;

// One side in one repetition: the bytes that must stand there, written or compared piece by piece.
class Picture {
 public:
  Picture(const Area& area, const Image& image, std::string_view side)
      : area_(area), image_(image), side_(side) {}

  void write(Image::Kind kind, std::uint64_t repetition) const {
    visit(repetition, [&](const Part& part) { compose(kind, repetition, part, part.memory); });
  }

  void compare(std::uint64_t repetition, Findings& findings) const {
    std::array<std::byte, piece> memory;
    visit(repetition, [&](const Part& part) {
      const std::span<std::byte> wanted(memory.data(), part.memory.size());
      compose(Image::Kind::expected, repetition, part, wanted);
      if (std::memcmp(part.memory.data(), wanted.data(), wanted.size()) != 0)
        differences(part, wanted, findings);
    });
  }

 private:
  // A quarter of a small first-level cache: a piece is written and read several times.
  static constexpr std::int64_t piece = 8 << 10;

  struct Part {
    std::span<std::byte> memory;
    std::int64_t at = 0;                     // from the area's first byte
    std::optional<std::int64_t> in_message;  // from the message's first byte; nothing outside it
  };

  // action(part) for every piece, surroundings included.
  template <class Action>
  void visit(std::uint64_t repetition, Action action) const {
    const auto& slots = area_.layout.slots;
    const auto slot = static_cast<std::int64_t>(repetition % static_cast<std::uint64_t>(slots.slots));
    const auto start = slot * slots.offset;
    const auto end = start + area_.layout.length;
    const auto parts = [&](std::int64_t from, std::int64_t to, bool message) {
      for (auto at = from; at < to; at += piece) {
        const auto length = static_cast<std::size_t>(std::min(piece, to - at));
        action(Part{{area_.base + at, length}, at, message ? std::optional(at - start) : std::nullopt});
      }
    };
    parts(-Checker::guard, start, false);
    parts(start, end, true);
    parts(end, slots.bytes + Checker::guard, false);
  }

  void compose(Image::Kind kind, std::uint64_t repetition, const Part& part, std::span<std::byte> out) const {
    std::memset(out.data(), std::to_integer<int>(untouched), out.size());
    if (part.in_message) image_.fill(kind, repetition, *part.in_message, out);
  }

  void differences(const Part& part, std::span<const std::byte> wanted, Findings& findings) const {
    const auto& there = part.memory;
    const auto step = part.in_message ? image_.granule() : 1;
    for (std::size_t i = 0; i < there.size(); i += step) {
      const auto length = std::min(step, there.size() - i);
      if (std::memcmp(there.data() + i, wanted.data() + i, length) == 0) continue;
      const double size = length > 1 ? image_.deviation(there.data() + i, wanted.data() + i) : 1.0;
      findings.add({side_, part.at + static_cast<std::int64_t>(i), there[i], wanted[i], size});
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
  const auto first = sides_.first_repetition;
  for (std::uint64_t i = first; i < first + repetitions; ++i) {
    const auto arrival = subject.arrival(i);
    const auto sent = Image::sent(sides_, rank_, processes_);
    const auto received = Image::received(sides_, processes_, arrival.segments, arrival.sum);
    const auto put_aside = Image::received(sides_, processes_, arrival.aside, std::nullopt);
    const Picture pictures[] = {{sides_.send, sent, "send"},
                                {sides_.receive, received, "receive"},
                                {aside.area(), put_aside, "receive"}};
    for (const auto& picture : pictures) picture.write(Image::Kind::before, i);
    mpi::check(subject.run(i), "checked operation");
    Findings findings(rank_, i - first, result);
    for (const auto& picture : pictures) picture.compare(i, findings);
  }
  fill_send({sides_.send.base, sides_.send_slots.value_or(sides_.send.layout)}, rank_);
  fill_receive(sides_.receive);
  return result;
}

}  // namespace steelyard::imb
