// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/checker.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <span>
#include <string>

#include "mpi/error.hpp"

namespace steelyard::imb {
namespace {

std::string hex(std::byte value) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "0x%02x", std::to_integer<unsigned>(value));
  return text.data();
}

constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max() / 2;

// The part of out, which starts at `first`, that lies in at .. at + bytes - 1.
std::span<std::byte> overlap(std::int64_t first, std::span<std::byte> out, std::int64_t at,
                             std::int64_t bytes) {
  const auto end = first + static_cast<std::int64_t>(out.size());
  const auto low = std::max(first, at);
  const auto high = std::min(end, at + bytes);
  if (low >= high) return {};
  return out.subspan(static_cast<std::size_t>(low - first), static_cast<std::size_t>(high - low));
}

// Copies `elements` elements from one after the other to every second place.
template <std::size_t Size>
void spread(const std::byte* from, std::size_t elements, std::byte* to) {
  for (std::size_t k = 0; k < elements; ++k) std::memcpy(to + 2 * k * Size, from + k * Size, Size);
}

void spread(std::span<const std::byte> message, std::size_t element, std::size_t elements,
            std::span<std::byte> out) {
  if (element == 1) return spread<1>(message.data(), elements, out.data());
  if (element == 4) return spread<4>(message.data(), elements, out.data());
  for (std::size_t k = 0; k < elements; ++k)
    std::memcpy(out.data() + 2 * k * element, message.data() + k * element, element);
}

void complement(std::span<std::byte> bytes) {
  for (auto& byte : bytes) byte = ~byte;
}

// The bytes of one side of a point in a checked repetition.
class Image {
 public:
  // `before` the operation, nothing that must arrive is there; `expected` afterwards.
  enum class Kind { before, expected };

  [[nodiscard]] static Image sent(const CheckedSides& sides, int rank, int processes) {
    Image image;
    image.type_ = sides.type;
    image.stride_ = sides.stride;
    image.period_ = sides.send_period;
    image.is_sent_ = true;
    if (!sides.reduction) {
      image.segments_ = {{.at = 0, .bytes = endless, .source = rank, .from = 0}};
      return image;
    }
    image.sum_ = SumSegment{.at = 0, .bytes = endless, .from = 0, .first_rank = rank, .ranks = 1};
    image.after_.emplace(sides.type, processes, rank, 1);
    return image;
  }
  [[nodiscard]] static Image received(const CheckedSides& sides, int processes, std::vector<Segment> segments,
                                      std::optional<SumSegment> sum) {
    Image image;
    image.type_ = sides.type;
    image.stride_ = sides.stride;
    image.period_ = sides.send_period;
    image.segments_ = std::move(segments);
    image.sum_ = sum;
    if (!sum) return image;
    image.after_.emplace(sides.type, processes, sum->first_rank, sum->ranks);
    if (sum->accumulates) image.before_.emplace(sides.type, processes, sum->first_rank + sum->ranks - 1, 1);
    return image;
  }

  // Memory bytes first .. first + out.size() - 1 of the slot in use; `out` holds `untouched` before, and
  // keeps it where there is no message. `first` is a multiple of two elements.
  void fill(Kind kind, std::uint64_t repetition, std::int64_t first, std::span<std::byte> out) const {
    if (stride_ == 1) return fill_message(kind, repetition, first, out);
    const auto element = static_cast<std::size_t>(size_of(type_));
    const auto extent = element * static_cast<std::size_t>(stride_);
    const auto elements = (out.size() + extent - 1) / extent;
    std::vector<std::byte> message(elements * element, untouched);
    fill_message(kind, repetition, first / stride_, message);
    const auto whole = out.size() / extent;
    spread(message, element, whole, out);
    if (whole == elements) return;
    const auto rest = out.subspan(whole * extent);
    std::memcpy(rest.data(), message.data() + whole * element, std::min(element, rest.size()));
  }

  // Bytes that are compared as one element.
  [[nodiscard]] std::size_t granule() const { return sum_ ? static_cast<std::size_t>(size_of(type_)) : 1; }
  [[nodiscard]] double deviation(const std::byte* found, const std::byte* expected) const {
    return imb::deviation(type_, found, expected);
  }

 private:
  void fill_message(Kind kind, std::uint64_t repetition, std::int64_t first, std::span<std::byte> out) const {
    if (sum_) fill_sum(kind, repetition, first, out);
    const auto end = first + static_cast<std::int64_t>(out.size());
    auto segment =
        std::ranges::upper_bound(segments_, first, {}, [](const Segment& s) { return s.at + s.bytes; });
    for (; segment != segments_.end() && segment->at < end; ++segment)
      fill_segment(*segment, kind, repetition, first, out);
  }
  void fill_segment(const Segment& segment, Kind kind, std::uint64_t repetition, std::int64_t first,
                    std::span<std::byte> out) const {
    auto bytes = overlap(first, out, segment.at, segment.bytes);
    auto from = std::max(first, segment.at) - segment.at + segment.from;
    for (auto rest = bytes; !rest.empty();) {
      const auto phase = period_ > 0 ? from % period_ : from;
      const auto length =
          period_ > 0 ? std::min(rest.size(), static_cast<std::size_t>(period_ - phase)) : rest.size();
      fill_bytes(segment.source, repetition, phase, rest.first(length));
      from += static_cast<std::int64_t>(length);
      rest = rest.subspan(length);
    }
    if (kind == Kind::before && !is_sent_) complement(bytes);
  }
  void fill_sum(Kind kind, std::uint64_t repetition, std::int64_t first, std::span<std::byte> out) const {
    const auto bytes = overlap(first, out, sum_->at, sum_->bytes);
    if (bytes.empty()) return;
    const auto from = std::max(first, sum_->at) - sum_->at + sum_->from;
    const bool prefilled = kind == Kind::before && before_.has_value();
    (prefilled ? *before_ : *after_).fill(repetition, from / size_of(type_), bytes);
    if (kind == Kind::before && !is_sent_ && !prefilled) complement(bytes);
  }

  DataType type_ = DataType::byte;
  std::int64_t stride_ = 1;
  std::int64_t period_ = 0;
  bool is_sent_ = false;
  std::vector<Segment> segments_;
  std::optional<SumSegment> sum_;
  std::optional<Summands> after_, before_;
};

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
    std::optional<std::int64_t> in_message;  // from the message's first byte; nullopt outside it
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
  explicit Aside(Subject& subject)
      : subject_(subject), memory_(static_cast<std::size_t>(subject.aside_byte() + 2 * Checker::guard)) {
    const auto bytes = subject.aside_byte();
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
  Subject& subject_;
  std::vector<std::byte> memory_;
  Area area_;
};

}  // namespace

Surroundings::Surroundings(const Area& area)
    : before_(area.base - guard_byte), after_(area.base + area.layout.slots.bytes) {
  std::memcpy(kept_.data(), before_, guard_byte);
  std::memcpy(kept_.data() + guard_byte, after_, guard_byte);
}

Surroundings::~Surroundings() {
  std::memcpy(before_, kept_.data(), guard_byte);
  std::memcpy(after_, kept_.data() + guard_byte, guard_byte);
}

void Findings::add(const Difference& difference) {
  ++result_.errors;
  result_.worst = std::max(result_.worst, difference.size);
  if (!result_.first.empty()) return;
  result_.first = "rank " + std::to_string(rank_) + ", repetition " + std::to_string(repetition_) + ", " +
                  std::string(difference.side) + " byte " + std::to_string(difference.at) + ": found " +
                  hex(difference.found) + ", expected " + hex(difference.expected);
}

CheckResult Checker::check(std::uint64_t repetitions, Subject& subject) const {
  CheckResult result;
  const Surroundings around_send(sides_.send);
  const Surroundings around_receive(sides_.receive);
  const Aside aside(subject);
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
