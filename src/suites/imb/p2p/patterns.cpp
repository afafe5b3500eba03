// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/p2p/patterns.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "suites/imb/p2p/sequence.hpp"

namespace steelyard::imb {
namespace {

constexpr std::int64_t compared_at_once = 8 << 10;

using measure::keep_first;

/// Rank r of the lower half and rank r + P / 2.
class Pairs : public Patterned {
 public:
  static constexpr bool travels = false;
  explicit Pairs(const Point& point)
      : Patterned(point), lower_(rank_ < processes_ / 2), partner_((rank_ + processes_ / 2) % processes_) {}

 protected:
  [[nodiscard]] Label outgoing(std::uint64_t i) const noexcept { return {rank_, partner_, i, 0}; }
  [[nodiscard]] Label incoming(std::uint64_t i) const noexcept { return {partner_, rank_, i, 0}; }
  template <class Hand>
  int give(std::uint64_t i, Hand& hand) noexcept {
    hand.write(out(), outgoing(i));
    return send(partner_);
  }
  template <class Hand>
  int take(std::uint64_t i, Hand& hand) noexcept {
    const int error = receive(partner_);
    hand.read(in(), incoming(i));
    return error;
  }

  bool lower_;
  int partner_;
};

struct BackAndForth : Pairs {
  using Pairs::Pairs;
  template <class Hand>
  int repeat(std::uint64_t i, Hand& hand) noexcept {
    int error = 0;
    keep_first(error, lower_ ? give(i, hand) : take(i, hand));
    keep_first(error, lower_ ? take(i, hand) : give(i, hand));
    return error;
  }
};

struct BothWays : Pairs {
  using Pairs::Pairs;
  template <class Hand>
  int repeat(std::uint64_t i, Hand& hand) noexcept {
    return exchange(outgoing(i), incoming(i), hand);
  }
};

/// P pairs are drawn in each repetition; a process takes part in those that it is drawn for,
/// one after the other.
class DrawnPairs : public Patterned {
 public:
  static constexpr bool travels = false;
  explicit DrawnPairs(const Point& point)
      : Patterned(point), draws_(draws_ahead(rank_, processes_, point.settings.seed)), drawn_(point.drawn) {}
  void foresee(std::uint64_t first, std::uint64_t count) { draws_.foresee(first, count); }
  void tally(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t i = first; drawn_ != nullptr && i != first + count; ++i)
      for (const Draw& draw : draws_.of(i)) ++(draw.first ? drawn_->first : drawn_->second);
  }

 protected:
  [[nodiscard]] std::span<const Draw> draws(std::uint64_t i) noexcept { return draws_.of(i); }
  [[nodiscard]] Label outgoing(std::uint64_t i, const Draw& draw) const noexcept {
    return {rank_, draw.partner, i, draw.number};
  }
  [[nodiscard]] Label incoming(std::uint64_t i, const Draw& draw) const noexcept {
    return {draw.partner, rank_, i, draw.number};
  }

 private:
  Ahead<Draw> draws_;
  RankLoad* drawn_;
};

struct OneWayPairs : DrawnPairs {
  using DrawnPairs::DrawnPairs;
  template <class Hand>
  int repeat(std::uint64_t i, Hand& hand) noexcept {
    int error = 0;
    for (const Draw& draw : draws(i)) {
      if (draw.first) {
        hand.write(out(), outgoing(i, draw));
        keep_first(error, send(draw.partner));
      } else {
        keep_first(error, receive(draw.partner));
        hand.read(in(), incoming(i, draw));
      }
    }
    return error;
  }
};

struct ExchangingPairs : DrawnPairs {
  using DrawnPairs::DrawnPairs;
  template <class Hand>
  int repeat(std::uint64_t i, Hand& hand) noexcept {
    int error = 0;
    for (const Draw& draw : draws(i)) keep_first(error, exchange(outgoing(i, draw), incoming(i, draw), hand));
    return error;
  }
};

/// A ring of all processes, whose order changes with every repetition.
class DrawnRing : public Patterned {
 public:
  static constexpr bool travels = false;
  explicit DrawnRing(const Point& point)
      : Patterned(point), places_(rings_ahead(rank_, processes_, point.settings.seed)) {}
  void foresee(std::uint64_t first, std::uint64_t count) { places_.foresee(first, count); }
  template <class Hand>
  int repeat(std::uint64_t i, Hand& hand) noexcept {
    const auto [before, behind] = places_.of(i).front();
    return exchange({rank_, behind, i, 0}, {before, rank_, i, 0}, hand);
  }

 private:
  Ahead<RingPlace> places_;
};

/// All neighbours of a periodic grid at once. The tag is the direction, so that two messages between the same
/// processes are told apart where a side is 2 long; the opposite of direction d is d xor 1.
template <int dimensions>
class Stencil : public Patterned {
 public:
  static constexpr bool travels = false;
  explicit Stencil(const Point& point)
      : Patterned(point), neighbours_(neighbours(grid(dimensions, processes_).value(), rank_)) {}

  template <class Hand>
  int repeat(std::uint64_t i, Hand& hand) noexcept {
    int error = 0;
    for (int d = 0; d < directions; ++d) hand.write(out(d), {rank_, to(d), i, d});
    for (int d = 0; d < directions; ++d) keep_first(error, start_receive(d, to(d), d ^ 1, requests_[at(d)]));
    for (int d = 0; d < directions; ++d)
      keep_first(error, start_send(d, to(d), d, requests_[at(directions + d)]));
    keep_first(error, MPI_Waitall(2 * directions, requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    for (int d = 0; d < directions; ++d) hand.read(in(d), {to(d), rank_, i, d ^ 1});
    return error;
  }

 private:
  static constexpr int directions = 2 * dimensions;
  static constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  [[nodiscard]] int to(int d) const noexcept { return neighbours_[at(d)]; }

  std::array<int, 6> neighbours_;
  std::array<MPI_Request, at(2 * directions)> requests_{};
};

/// A ring in which every process hands on what it has received.
class Replacement : public Patterned {
 public:
  static constexpr bool travels = true;
  explicit Replacement(const Point& point)
      : Patterned(point), right_((rank_ + 1) % processes_), left_((rank_ + processes_ - 1) % processes_) {}

  template <class Hand>
  int repeat(std::uint64_t i, Hand& hand) noexcept {
    const int error = MPI_Sendrecv_replace(in(), message_.count(), message_.type(), right_, tag, left_, tag,
                                           comm_, MPI_STATUS_IGNORE);
    hand.read(in(), {origin(i), 0, 0, 0});
    return error;
  }

 private:
  /// Whose data arrive in repetition i.
  [[nodiscard]] int origin(std::uint64_t i) const noexcept {
    const auto steps = static_cast<int>((i + 1) % static_cast<std::uint64_t>(processes_));
    return (rank_ - steps + processes_) % processes_;
  }

  int right_, left_;
};

template <class Pattern>
std::unique_ptr<measure::Workload> opened(const Point& point) {
  using Operation = PatternOperationOf<Pattern>;
  return measure::make_workload<measure::Loop<Operation>>(Operation(Pattern(point), point));
}

struct Row {
  std::string_view name;
  std::unique_ptr<measure::Workload> (*open)(const Point& point);
};
constexpr Row rows[] = {{"PingPong", opened<BackAndForth>}, {"PingPing", opened<BothWays>},
                        {"Unirandom", opened<OneWayPairs>}, {"Birandom", opened<ExchangingPairs>},
                        {"Corandom", opened<DrawnRing>},    {"Stencil2D", opened<Stencil<2>>},
                        {"Stencil3D", opened<Stencil<3>>},  {"SendRecv_Replace", opened<Replacement>}};

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

std::unique_ptr<measure::Workload> open_pattern(const Point& point) {
  for (const Row& row : rows)
    if (row.name == point.definition.name) return row.open(point);
  return nullptr;
}

}  // namespace steelyard::imb
