// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/image.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace steelyard::imb {
namespace {

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

// `elements` elements from one after the other to every second place.
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

}  // namespace

Image Image::sent(const CheckedSides& sides, int rank, int processes) {
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

Image Image::received(const CheckedSides& sides, int processes, std::vector<Segment> segments,
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

void Image::fill(Kind kind, std::uint64_t repetition, std::int64_t first, std::span<std::byte> out) const {
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

void Image::fill_message(Kind kind, std::uint64_t repetition, std::int64_t first,
                         std::span<std::byte> out) const {
  if (sum_) fill_sum(kind, repetition, first, out);
  const auto end = first + static_cast<std::int64_t>(out.size());
  auto segment =
      std::ranges::upper_bound(segments_, first, {}, [](const Segment& s) { return s.at + s.bytes; });
  for (; segment != segments_.end() && segment->at < end; ++segment)
    fill_segment(*segment, kind, repetition, first, out);
}

void Image::fill_segment(const Segment& segment, Kind kind, std::uint64_t repetition, std::int64_t first,
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

void Image::fill_sum(Kind kind, std::uint64_t repetition, std::int64_t first,
                     std::span<std::byte> out) const {
  const auto bytes = overlap(first, out, sum_->at, sum_->bytes);
  if (bytes.empty()) return;
  const auto from = std::max(first, sum_->at) - sum_->at + sum_->from;
  const bool prefilled = kind == Kind::before && before_.has_value();
  (prefilled ? *before_ : *after_).fill(repetition, from / size_of(type_), bytes);
  if (kind == Kind::before && !is_sent_ && !prefilled) complement(bytes);
}

std::size_t Image::granule() const {
  return sum_ ? static_cast<std::size_t>(size_of(type_)) : 1;
}

double Image::deviation(const std::byte* found, const std::byte* expected) const {
  return imb::deviation(type_, found, expected);
}

}  // namespace steelyard::imb
