// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicator.hpp"

#include <ctime>
#include <utility>

namespace steelyard::mpi {
namespace {

template <class T>
T all_reduce(T value, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  T result{};
  check(MPI_Allreduce(&value, &result, 1, type, op, comm), "MPI_Allreduce");
  return result;
}

}  // namespace

Communicator Communicator::world() {
  Communicator c;
  c.borrowed_ = MPI_COMM_WORLD;
  MPI_Comm_rank(MPI_COMM_WORLD, &c.rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &c.size_);
  return c;
}

Communicator Communicator::self() {
  Communicator c;
  c.borrowed_ = MPI_COMM_SELF;
  c.rank_ = 0;
  c.size_ = 1;
  return c;
}

Communicator Communicator::borrowed(MPI_Comm comm) {
  Communicator c;
  c.borrowed_ = comm;
  check(MPI_Comm_rank(comm, &c.rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(comm, &c.size_), "MPI_Comm_size");
  return c;
}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  std::swap(owned_, other.owned_);
  std::swap(origin_, other.origin_);
  std::swap(borrowed_, other.borrowed_);
  std::swap(rank_, other.rank_);
  std::swap(size_, other.size_);
  return *this;
}

// Takes over the new communicator `comm`, made of this one.
Communicator Communicator::adopt(MPI_Comm comm) const {
  Communicator result;
  result.owned_ = CommHandle(comm);
  if (comm == MPI_COMM_NULL) return result;
  result.origin_ = std::make_shared<Origin>(Origin{origin_});
  check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(comm, &result.rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(comm, &result.size_), "MPI_Comm_size");
  return result;
}

bool Communicator::is_abandoned() const {
  for (const Origin* origin = origin_.get(); origin != nullptr; origin = origin->made_of.get())
    if (origin->abandoned) return true;
  return false;
}

Communicator Communicator::split(int color, int key) const {
  MPI_Comm comm = MPI_COMM_NULL;
  check(MPI_Comm_split(get(), color < 0 ? MPI_UNDEFINED : color, key, &comm), "MPI_Comm_split");
  return adopt(comm);
}

Communicator Communicator::split_shared() const {
  MPI_Comm comm = MPI_COMM_NULL;
  check(MPI_Comm_split_type(get(), MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &comm), "MPI_Comm_split_type");
  return adopt(comm);
}

Communicator Communicator::duplicate() const {
  MPI_Comm comm = MPI_COMM_NULL;
  check(MPI_Comm_dup(get(), &comm), "MPI_Comm_dup");
  return adopt(comm);
}

Communicator Communicator::cartesian(const std::vector<int>& extents, bool cyclic, RankOrder order) const {
  const std::vector<int> periods(extents.size(), cyclic ? 1 : 0);
  MPI_Comm comm = MPI_COMM_NULL;
  check(MPI_Cart_create(get(), static_cast<int>(extents.size()), extents.data(), periods.data(),
                        order == RankOrder::may_change ? 1 : 0, &comm),
        "MPI_Cart_create");
  return adopt(comm);
}

void Communicator::barrier() const {
  check(MPI_Barrier(get()), "MPI_Barrier");
}

void Communicator::sleepy_barrier(double nap_s) const {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(get(), &request), "MPI_Ibarrier");
  timespec nap{0, static_cast<long>(nap_s * 1e9)};
  for (int done = 0;;) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return;
    nanosleep(&nap, nullptr);
  }
}

void Communicator::broadcast_bytes(void* data, std::size_t bytes, int root) const {
  const Transfer transfer(static_cast<std::int64_t>(bytes), MPI_BYTE);
  check(MPI_Bcast(data, transfer.count(), transfer.type(), root, get()), "MPI_Bcast");
}

std::string Communicator::broadcast(std::string text, int root) const {
  const auto length = broadcast(static_cast<std::int64_t>(text.size()), root);
  text.resize(static_cast<std::size_t>(length));
  broadcast(std::span<char>(text), root);
  return text;
}

double Communicator::max(double v) const {
  return all_reduce(v, MPI_DOUBLE, MPI_MAX, get());
}
double Communicator::min(double v) const {
  return all_reduce(v, MPI_DOUBLE, MPI_MIN, get());
}
double Communicator::sum(double v) const {
  return all_reduce(v, MPI_DOUBLE, MPI_SUM, get());
}
std::int64_t Communicator::max(std::int64_t v) const {
  return all_reduce(v, MPI_INT64_T, MPI_MAX, get());
}
std::int64_t Communicator::min(std::int64_t v) const {
  return all_reduce(v, MPI_INT64_T, MPI_MIN, get());
}
std::int64_t Communicator::sum(std::int64_t v) const {
  return all_reduce(v, MPI_INT64_T, MPI_SUM, get());
}

std::vector<std::string> Communicator::gather(const std::string& text, int root) const {
  const int length = to_int(static_cast<std::int64_t>(text.size()));
  const bool receives = rank_ == root;
  const auto ranks = receives ? static_cast<std::size_t>(size_) : 0;
  std::vector<int> lengths(ranks);
  check(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, root, get()), "MPI_Gather");
  std::vector<int> starts(ranks);
  std::int64_t total = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    starts[r] = to_int(total);
    total += lengths[r];
  }
  std::string all(static_cast<std::size_t>(total), '\0');
  check(MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR, root,
                    get()),
        "MPI_Gatherv");
  std::vector<std::string> result;
  for (std::size_t r = 0; r < ranks; ++r)
    result.push_back(all.substr(static_cast<std::size_t>(starts[r]), static_cast<std::size_t>(lengths[r])));
  return result;
}

}  // namespace steelyard::mpi
