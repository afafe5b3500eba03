// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/row_exchange.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "mpi/error.hpp"
#include "mpi/handle.hpp"

namespace steelyard::hpcc::hpl {
namespace {

constexpr int exchange_tag = 52;

constexpr int roll_tag = 53;

}  // namespace

// Process rows are numbered by their distance from the owner of the block. The first power of two of them are
// the members of a hypercube; one beyond them has a member that stands for it, and its group comes right
// after that member's, so that what a half of the hypercube has gathered is one range of packed rows.
std::size_t BinaryExchange::position(int distance) const {
  const int more = size_ - whole_;
  return static_cast<std::size_t>(distance < whole_ ? distance + std::min(distance, more)
                                                    : 2 * (distance - whole_) + 1);
}

std::span<const Coming> BinaryExchange::group(int distance) const {
  const int owner = payload_->panel->owner.row;
  return payload_->interchanges->coming[static_cast<std::size_t>((owner + distance) % size_)];
}

/// Numbers the packed rows of the groups, without the owner's, whose own rows are in U from the beginning.
void BinaryExchange::number_groups() {
  starts_.assign(static_cast<std::size_t>(size_) + 1, 0);
  for (int distance = 1; distance < size_; ++distance)
    starts_[position(distance) + 1] = static_cast<std::int64_t>(group(distance).size());
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
}

/// Packed rows of the members first .. last - 1 and of those for whom they stand.
std::span<double> BinaryExchange::rows_of(int first, int last) const {
  const auto from = starts_[position(first)];
  const auto to = last == whole_ ? starts_.back() : starts_[position(last)];
  return packed_.subspan(static_cast<std::size_t>(from * payload_->n),
                         static_cast<std::size_t>((to - from) * payload_->n));
}

std::span<double> BinaryExchange::whole_u() const {
  return {payload_->u.data, static_cast<std::size_t>(payload_->panel->width * payload_->n)};
}

void BinaryExchange::run(const Payload& payload, const Between& between) {
  payload_ = &payload;
  between_ = &between;
  size_ = column_->size();
  whole_ = static_cast<int>(std::bit_floor(static_cast<unsigned>(size_)));
  me_ = (column_->rank() - payload.panel->owner.row + size_) % size_;
  number_groups();
  if (me_ == 0)
    fill_u();
  else
    pack_own();
  if (me_ >= whole_) return follow();
  if (me_ + whole_ < size_) fold();
  for (int span = 1; span < whole_; span *= 2) cross(span);
  if (me_ + whole_ < size_) exchange(me_ + whole_, whole_u(), {});
}

/// Fills U: the owner's contributions in their slots; in the others the rows that are
/// to go where those come from.
void BinaryExchange::fill_u() const {
  const auto top = payload_->panel->top;
  std::vector<Pair> into, out;
  for (const auto& [slot, from] : payload_->interchanges->staying) into.push_back({top + from, slot});
  for (int distance = 1; distance < size_; ++distance)
    for (const auto& one : group(distance)) into.push_back({top + one.displaced, one.slot});
  for (const auto& one : group(0)) {
    into.push_back({one.row, one.slot});
    out.push_back({one.row, top + one.displaced});
  }
  take_rows(into, payload_->n, payload_->a, payload_->u);
  put_rows(out, payload_->n, by_rows(payload_->a.data, payload_->a.leading), payload_->a);
}

void BinaryExchange::pack_own() const {
  std::vector<Pair> pairs;
  std::int64_t slot = starts_[position(me_)];
  for (const auto& one : group(me_)) pairs.push_back({one.row, slot++});
  take_rows(pairs, payload_->n, payload_->a, by_rows(packed_.data(), payload_->n));
}

/// Gets the rows of the process row beyond the hypercube for which this member stands.
void BinaryExchange::fold() {
  const auto at = starts_[position(me_ + whole_)], end = starts_[position(me_ + whole_) + 1];
  const auto into = packed_.subspan(static_cast<std::size_t>(at * payload_->n),
                                    static_cast<std::size_t>((end - at) * payload_->n));
  exchange(me_ + whole_, me_ == 0 ? whole_u() : std::span<double>{}, into);
  if (me_ == 0) store(0, 1);
}

/// Takes part from beyond the hypercube: the packed rows go to the member that stands for this process row; U
/// as the owner made it comes along a tree, the finished one from the member.
void BinaryExchange::follow() {
  const int follower = me_ - whole_, followers = size_ - whole_;
  const auto own = packed_.subspan(static_cast<std::size_t>(starts_[position(me_)] * payload_->n),
                                   group(me_).size() * static_cast<std::size_t>(payload_->n));
  exchange(follower, own, follower == 0 ? whole_u() : std::span<double>{});
  const int span = follower == 0 ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(followers)))
                                 : follower & -follower;
  if (follower != 0) exchange(me_ - span, {}, whole_u());
  for (int half = span / 2; half > 0; half /= 2)
    if (follower + half < followers) exchange(me_ + half, whole_u(), {});
  take_u();
  exchange(follower, {}, whole_u());
}

/// Does one step: the halves of a part of the hypercube meet. Those nearer to the owner than `span` have U.
void BinaryExchange::cross(int span) {
  const int partner = me_ ^ span;
  const int first = me_ & ~(span - 1), other = partner & ~(span - 1);
  const auto gathered = rows_of(first, first + span), others = rows_of(other, other + span);
  if (me_ < span) {
    exchange(partner, whole_u(), others);
    store(other, other + span);
  } else if (partner < span) {
    exchange(partner, gathered, whole_u());
    take_u();
    store(first, first + span);
  } else {
    exchange(partner, gathered, others);
  }
}

/// Takes the rows that are to go here out of the U that has come.
void BinaryExchange::take_u() {
  std::vector<Pair> pairs;
  for (const auto& one : group(me_)) pairs.push_back({one.row, one.slot});
  put_rows(pairs, payload_->n, payload_->u, payload_->a);
}

/// Copies packed rows of the members first .. last - 1 into their slots.
void BinaryExchange::store(int first, int last) {
  std::vector<Pair> pairs;
  const auto add = [&](int distance) {
    if (distance == 0 || distance >= size_) return;
    std::int64_t row = starts_[position(distance)];
    for (const auto& one : group(distance)) pairs.push_back({row++, one.slot});
  };
  for (int member = first; member < last; ++member) {
    add(member);
    add(member + whole_);
  }
  copy_rows(pairs, payload_->n, by_rows(packed_.data(), payload_->n), payload_->u);
}

void BinaryExchange::exchange(int distance, std::span<double> out, std::span<double> into) {
  const int partner = (payload_->panel->owner.row + distance) % size_;
  std::vector<MPI_Request> requests;
  const auto count = [](std::span<double> data) {
    return mpi::to_int(static_cast<std::int64_t>(data.size()));
  };
  if (!into.empty())
    mpi::check(MPI_Irecv(into.data(), count(into), MPI_DOUBLE, partner, exchange_tag, column_->get(),
                         &requests.emplace_back(MPI_REQUEST_NULL)),
               "MPI_Irecv");
  if (!out.empty())
    mpi::check(MPI_Isend(out.data(), count(out), MPI_DOUBLE, partner, exchange_tag, column_->get(),
                         &requests.emplace_back(MPI_REQUEST_NULL)),
               "MPI_Isend");
  wait_for(requests, *between_);
}

std::vector<Shift> even_out(std::span<const std::int64_t> rows) {
  const auto size = static_cast<std::int64_t>(rows.size());
  const std::int64_t sum = std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
  std::vector<std::size_t> by_size(rows.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::ranges::stable_sort(by_size, std::ranges::greater{}, [&](std::size_t i) { return rows[i]; });
  std::vector<std::int64_t> surplus(rows.begin(), rows.end());
  for (std::size_t i = 0; i < by_size.size(); ++i)
    surplus[by_size[i]] -= sum / size + (static_cast<std::int64_t>(i) < sum % size ? 1 : 0);
  std::vector<Shift> shifts;
  std::size_t from = 0, to = 0;
  while (true) {
    while (from < surplus.size() && surplus[from] <= 0) ++from;
    while (to < surplus.size() && surplus[to] >= 0) ++to;
    if (from == surplus.size() || to == surplus.size()) return shifts;
    const auto count = std::min(surplus[from], -surplus[to]);
    shifts.push_back({static_cast<int>(from), static_cast<int>(to), count});
    surplus[from] -= count;
    surplus[to] += count;
  }
}

std::span<const Coming> SpreadRoll::coming(std::size_t position) const {
  return payload_->interchanges->coming[static_cast<std::size_t>(groups_[position].process_row)];
}

/// Orders the groups, that of the owner of the block first. Positions with few bits set are near the root of
/// the tree: they go to the process rows that get many rows.
void SpreadRoll::order_groups() {
  const int size = column_->size(), owner = payload_->panel->owner.row;
  auto others = ranks_from(owner, size);
  others.erase(others.begin());
  std::ranges::stable_sort(others, std::ranges::greater{}, [&](int row) {
    return payload_->interchanges->coming[static_cast<std::size_t>(row)].size();
  });
  std::vector<int> positions(others.size());
  std::iota(positions.begin(), positions.end(), 1);
  std::ranges::stable_sort(positions, {}, [](int p) { return std::popcount(static_cast<unsigned>(p)); });
  groups_.assign(static_cast<std::size_t>(size), {});
  groups_[0].process_row = owner;
  for (std::size_t i = 0; i < others.size(); ++i)
    groups_[static_cast<std::size_t>(positions[i])].process_row = others[i];
  for (const auto& one : payload_->interchanges->staying) groups_[0].slots.push_back(one.slot);
  for (std::size_t p = 0; p < groups_.size(); ++p) {
    for (const auto& one : coming(p)) groups_[p].slots.push_back(one.slot);
    if (groups_[p].process_row == column_->rank()) me_ = static_cast<int>(p);
  }
}

/// Bounds of the packed rows of each group, the first at `first`.
std::vector<std::int64_t> SpreadRoll::bounds(std::int64_t first) const {
  std::vector<std::int64_t> all{first};
  for (const auto& group : groups_) all.push_back(all.back() + static_cast<std::int64_t>(group.slots.size()));
  return all;
}

void SpreadRoll::run(const Payload& payload, const Between& between) {
  payload_ = &payload;
  between_ = &between;
  order_groups();
  if (me_ == 0) load_root();
  spread();
  if (me_ != 0) exchange_own();
  const auto first = equilibrate();
  roll(first);
  std::vector<Pair> pairs;
  std::int64_t row = first;
  for (const auto& group : groups_)
    for (const auto slot : group.slots) pairs.push_back({row++, slot});
  copy_rows(pairs, payload.n, by_rows(packed_.data(), payload.n), payload.u);
}

/// Packs the rows of all groups: the owner's group is ready at once; the groups of the others
/// are the rows that go to them.
void SpreadRoll::load_root() const {
  const auto top = payload_->panel->top;
  std::int64_t slot = 0;
  std::vector<Pair> into, out;
  for (const auto& one : payload_->interchanges->staying) into.push_back({top + one.from, slot++});
  for (const auto& one : coming(0)) {
    into.push_back({one.row, slot++});
    out.push_back({one.row, top + one.displaced});
  }
  for (std::size_t p = 1; p < groups_.size(); ++p)
    for (const auto& one : coming(p)) into.push_back({top + one.displaced, slot++});
  take_rows(into, payload_->n, payload_->a, by_rows(packed_.data(), payload_->n));
  put_rows(out, payload_->n, by_rows(payload_->a.data, payload_->a.leading), payload_->a);
}

void SpreadRoll::exchange_own() const {
  std::vector<Pair> pairs;
  auto slot = bounds(0)[static_cast<std::size_t>(me_)];
  for (const auto& one : coming(static_cast<std::size_t>(me_))) pairs.push_back({one.row, slot++});
  swap_rows(pairs, payload_->n, by_rows(packed_.data(), payload_->n), payload_->a);
}

void SpreadRoll::spread() {
  if (carrier_ == Carrier::library) return scatter();
  Steps steps;
  append_spread(steps, bounds(0), me_);
  travel(std::move(steps));
}

void SpreadRoll::roll(std::int64_t first) {
  if (carrier_ == Carrier::library) return gather(first);
  Steps steps;
  append_roll(steps, bounds(first), me_);
  travel(std::move(steps));
}

/// Elements of each process row's group of packed rows, by rank.
SpreadRoll::Shares SpreadRoll::shares(std::int64_t first) const {
  const auto limits = bounds(first);
  Shares all{std::vector<int>(groups_.size()), std::vector<int>(groups_.size())};
  for (std::size_t p = 0; p < groups_.size(); ++p) {
    const auto rank = static_cast<std::size_t>(groups_[p].process_row);
    all.counts[rank] = mpi::to_int((limits[p + 1] - limits[p]) * payload_->n);
    all.places[rank] = mpi::to_int(limits[p] * payload_->n);
  }
  return all;
}

void SpreadRoll::scatter() {
  const auto [counts, places] = shares(0);
  const auto mine = static_cast<std::size_t>(column_->rank());
  const bool root = me_ == 0;
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(MPI_Iscatterv(packed_.data(), counts.data(), places.data(), MPI_DOUBLE,
                           root ? MPI_IN_PLACE : packed_.data() + places[mine], counts[mine], MPI_DOUBLE,
                           groups_[0].process_row, column_->get(), &request),
             "MPI_Iscatterv");
  wait_for({&request, 1}, *between_);
}

void SpreadRoll::gather(std::int64_t first) {
  const auto [counts, places] = shares(first);
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, packed_.data(), counts.data(), places.data(),
                             MPI_DOUBLE, column_->get(), &request),
             "MPI_Iallgatherv");
  wait_for({&request, 1}, *between_);
}

void SpreadRoll::travel(Steps steps) {
  std::vector<int> ranks;
  for (const auto& group : groups_) ranks.push_back(group.process_row);
  transfer_.start(std::move(steps),
                  {column_->get(), std::move(ranks), roll_tag, packed_.data(), payload_->n});
  transfer_.finish(*between_);
}

/// Moves rows between groups until these are even; returns the packed row at which they begin then.
std::int64_t SpreadRoll::equilibrate() {
  if (equilibration_ == Equilibration::no || groups_.size() <= 2) return 0;
  std::vector<std::int64_t> rows;
  for (const auto& group : groups_) rows.push_back(static_cast<std::int64_t>(group.slots.size()));
  const auto shifts = even_out(rows);
  if (shifts.empty()) return 0;
  const auto before = bounds(0);
  for (const auto& [from, to, count] : shifts) {
    auto& source = groups_[static_cast<std::size_t>(from)].slots;
    auto& target = groups_[static_cast<std::size_t>(to)].slots;
    target.insert(target.end(), source.end() - count, source.end());
    source.erase(source.end() - count, source.end());
  }
  const auto second_half = payload_->panel->width;
  const auto after = bounds(second_half);
  const auto mine = static_cast<std::size_t>(me_);
  const auto kept = std::min(before[mine + 1] - before[mine], after[mine + 1] - after[mine]);
  std::copy_n(packed_.data() + before[mine] * payload_->n, kept * payload_->n,
              packed_.data() + after[mine] * payload_->n);
  travel({shift_rows(shifts, before, after)});
  return second_half;
}

/// Step that moves the rows. A group gives its last rows first, and gets rows after those that it keeps.
Step SpreadRoll::shift_rows(std::span<const Shift> shifts, Bounds before, Bounds after) const {
  const auto mine = static_cast<std::size_t>(me_);
  Step step;
  std::int64_t end = before[mine + 1], place = after[mine] + before[mine + 1] - before[mine];
  for (const auto& [from, to, count] : shifts) {
    if (from == me_) step.push_back({Direction::send, to, end -= count, count});
    if (to != me_) continue;
    step.push_back({Direction::receive, from, place, count});
    place += count;
  }
  return step;
}

}  // namespace steelyard::hpcc::hpl
