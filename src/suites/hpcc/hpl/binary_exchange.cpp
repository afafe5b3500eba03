// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "mpi/error.hpp"
#include "mpi/transfer.hpp"
#include "suites/hpcc/hpl/row_exchange.hpp"

namespace steelyard::hpcc::hpl {
namespace {

constexpr int tag = 52;

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

/// The owner's own rows are in U from the beginning.
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

/// The owner's contributions in their slots; in the others the rows that are to go where those come from.
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
  put_rows(out, payload_->n, {payload_->a.data, 1, payload_->a.leading}, payload_->a);
}

void BinaryExchange::pack_own() const {
  std::vector<Pair> pairs;
  std::int64_t slot = starts_[position(me_)];
  for (const auto& one : group(me_)) pairs.push_back({one.row, slot++});
  take_rows(pairs, payload_->n, payload_->a, by_rows(packed_.data(), payload_->n));
}

/// A member gets the rows of the one beyond the hypercube for whom it stands.
void BinaryExchange::fold() {
  const auto at = starts_[position(me_ + whole_)], end = starts_[position(me_ + whole_) + 1];
  const auto into = packed_.subspan(static_cast<std::size_t>(at * payload_->n),
                                    static_cast<std::size_t>((end - at) * payload_->n));
  exchange(me_ + whole_, me_ == 0 ? whole_u() : std::span<double>{}, into);
  if (me_ == 0) store(0, 1);
}

/// Beyond the hypercube: what was packed goes to the member that stands for it; U as the owner made it comes
/// along a tree, the finished one from the member.
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

/// One step: the halves of a part of the hypercube meet. Those nearer to the owner than `span` have U.
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

/// Packed rows of the members first .. last - 1 into their slots.
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
    mpi::check(MPI_Irecv(into.data(), count(into), MPI_DOUBLE, partner, tag, column_->get(),
                         &requests.emplace_back(MPI_REQUEST_NULL)),
               "MPI_Irecv");
  if (!out.empty())
    mpi::check(MPI_Isend(out.data(), count(out), MPI_DOUBLE, partner, tag, column_->get(),
                         &requests.emplace_back(MPI_REQUEST_NULL)),
               "MPI_Isend");
  wait_for(requests, *between_);
}

}  // namespace steelyard::hpcc::hpl
