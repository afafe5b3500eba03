// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/own/neighbours.hpp"

#include "mpi/environment.hpp"
#include "suites/imb/collectives.hpp"
#include "suites/imb/own/compared.hpp"

namespace steelyard::imb {
namespace {

using measure::keep_first;

// All blocks by messages of their own; the tag is the direction, so that two messages between the same
// processes are told apart.
class Halo : public BlocksOf {
 public:
  explicit Halo(const Point& point)
      : BlocksOf(point),
        cursors_(point),
        message_(point.message()),
        block_byte_(point.size.count() * point.stride()),
        requests_(2 * hood_->ranks().size(), MPI_REQUEST_NULL) {}

  int operator()(std::uint64_t) noexcept {
    std::byte* const out = cursors_.send.next();
    std::byte* const in = cursors_.receive.next();
    const auto& ranks = hood_->ranks();
    MPI_Request* request = requests_.data();
    int error = 0;
    for (std::size_t s = 0; s < ranks.size(); ++s)
      keep_first(error,
                 MPI_Irecv(in + at(s), message_.count(), message_.type(), ranks[s], static_cast<int>(s ^ 1),
                           hood_->comm(), request++),
                 "MPI_Irecv");
    for (std::size_t s = 0; s < ranks.size(); ++s)
      keep_first(error,
                 MPI_Isend(out + at(s), message_.count(), message_.type(), ranks[s], static_cast<int>(s),
                           hood_->comm(), request++),
                 "MPI_Isend");
    keep_first(error, MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
               "MPI_Waitall");
    return error;
  }
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return blocks([](int s) { return s ^ 1; });
  }

 private:
  [[nodiscard]] std::int64_t at(std::size_t s) const noexcept {
    return static_cast<std::int64_t>(s) * block_byte_;
  }
  Cursors cursors_;
  Message message_;
  std::int64_t block_byte_;
  std::vector<MPI_Request> requests_;
};

// The first block to all.
class NeighborAllgatherOf : public BlocksOf {
 public:
  explicit NeighborAllgatherOf(const Point& point) : BlocksOf(point), message_(point.message()) {}
  int call(std::byte* out, std::byte* in) const noexcept {
    return mpi::noted(MPI_Neighbor_allgather(out, message_.count(), message_.type(), in, message_.count(),
                                             message_.type(), hood_->comm()),
                      "MPI_Neighbor_allgather");
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return blocks([](int) { return 0; });
  }
  void look() {}

 private:
  Message message_;
};

class NeighborAlltoall : public NeighborAlltoallOf {
 public:
  using NeighborAlltoallOf::NeighborAlltoallOf;
  int call(std::byte* out, std::byte* in) const noexcept {
    return NeighborAlltoallOf::call(MPI_Neighbor_alltoall, out, in);
  }
  void look() {
    look_for_order(*hood_, [this](int* out, int* in) {
      return mpi::noted(MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, hood_->comm()),
                        "MPI_Neighbor_alltoall");
    });
  }
};

// Counts and displacements of each block, all counts equal.
class NeighborAlltoallv : public BlocksOf {
 public:
  explicit NeighborAlltoallv(const Point& point) : BlocksOf(point), pieces_(point, hood_->blocks()) {}
  int call(std::byte* out, std::byte* in) const noexcept {
    return mpi::noted(
        MPI_Neighbor_alltoallv(out, pieces_.counts(), pieces_.displacements(), pieces_.type(), in,
                               pieces_.counts(), pieces_.displacements(), pieces_.type(), hood_->comm()),
        "MPI_Neighbor_alltoallv");
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return blocks([this](int s) { return hood_->counterpart(s); });
  }
  void look() {
    const std::vector<int> ones(hood_->ranks().size(), 1);
    std::vector<int> at(ones.size());
    std::iota(at.begin(), at.end(), 0);
    look_for_order(*hood_, [&](int* out, int* in) {
      return mpi::noted(MPI_Neighbor_alltoallv(out, ones.data(), at.data(), MPI_INT, in, ones.data(),
                                               at.data(), MPI_INT, hood_->comm()),
                        "MPI_Neighbor_alltoallv");
    });
  }

 private:
  PerRank pieces_;
};

template <class Blocks>
class Called {
 public:
  explicit Called(const Point& point) : blocks_(point), cursors_(point) {
    blocks_.look();
    point.own->set_exchanged(blocks_.hood().exchanged());
  }
  int operator()(std::uint64_t) noexcept {
    std::byte* const out = cursors_.send.next();
    return blocks_.call(out, cursors_.receive.next());
  }
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const { return blocks_.arrival(i); }

 private:
  Blocks blocks_;
  Cursors cursors_;
};

// The form that is started and waited for.
class Ineighbor {
 public:
  explicit Ineighbor(const Point& point) : blocks_(point), cursors_(point) {
    look_for_order(blocks_.hood(), [this](int* out, int* in) {
      const int code =
          MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, blocks_.hood().comm(), &request_);
      return code == MPI_SUCCESS ? wait() : code;
    });
    point.own->set_exchanged(blocks_.hood().exchanged());
  }
  int start() noexcept {
    std::byte* const out = cursors_.send.next();
    return blocks_.call(MPI_Ineighbor_alltoall, out, cursors_.receive.next(), &request_);
  }
  int wait() noexcept { return mpi::noted(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait"); }
  int test() noexcept {
    int done = 0;
    return mpi::noted(MPI_Test(&request_, &done, MPI_STATUS_IGNORE), "MPI_Test");
  }
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const { return blocks_.arrival(i); }

 private:
  NeighborAlltoallOf blocks_;
  Cursors cursors_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

std::unique_ptr<measure::Workload> beside_halo(std::unique_ptr<measure::Workload> benchmark,
                                               const Point& point) {
  return measure::make_workload<Compared>(std::move(benchmark), open_halo(point), point);
}

template <class Blocks>
std::unique_ptr<measure::Workload> called(const Point& point) {
  return beside_halo(workload(Called<Blocks>(point), point), point);
}

}  // namespace

std::vector<int> sides_of_grid(int processes, int dimensions) {
  if (!mpi::active()) return {};
  std::vector<int> sides(static_cast<std::size_t>(dimensions));
  mpi::check(MPI_Dims_create(processes, dimensions, sides.data()), "MPI_Dims_create");
  return sides;
}

Neighbourhood::Neighbourhood(const Point& point) {
  const auto& cart = point.settings.cart;
  const auto sides = cart.sides.empty() ? sides_of_grid(point.processes, cart.dimensions) : cart.sides;
  grid_ = point.group.cartesian(sides, true, mpi::RankOrder::kept);
  for (int dimension = 0; dimension < static_cast<int>(sides.size()); ++dimension) {
    int before = 0, behind = 0;
    mpi::check(MPI_Cart_shift(grid_.get(), dimension, 1, &before, &behind), "MPI_Cart_shift");
    ranks_.insert(ranks_.end(), {before, behind});
    counterparts_.insert(counterparts_.end(), {2 * dimension + 1, 2 * dimension});
  }
}

void Neighbourhood::learn(const std::vector<int>& arrived) {
  auto learned = counterparts_;
  for (const int rank : ranks_) {
    std::vector<int> usual, seen;
    for (std::size_t s = 0; s < ranks_.size(); ++s) {
      if (ranks_[s] != rank) continue;
      usual.push_back(static_cast<int>(s) ^ 1);
      seen.push_back(arrived[s]);
    }
    if (!std::ranges::is_permutation(usual, seen)) continue;
    for (std::size_t s = 0; s < ranks_.size(); ++s)
      if (ranks_[s] == rank) learned[s] = arrived[s];
  }
  counterparts_ = std::move(learned);
}

bool Neighbourhood::exchanged() const noexcept {
  for (int s = 0; s < blocks(); ++s)
    if (counterpart(s) != (s ^ 1)) return true;
  return false;
}

std::unique_ptr<measure::Workload> open_halo(const Point& point) {
  return workload(Halo(point), point);
}

std::unique_ptr<measure::Workload> open_neighbours(const Point& point) {
  const auto name = point.definition.name;
  if (name == "Halo_p2p") return open_halo(point);
  if (name == "Neighbor_allgather") return called<NeighborAllgatherOf>(point);
  if (name == "Neighbor_alltoall") return called<NeighborAlltoall>(point);
  if (name == "Neighbor_alltoallv") return called<NeighborAlltoallv>(point);
  if (name == "Ineighbor_alltoall") return beside_halo(overlapped<Ineighbor>(point), point);
  if (name == "Ineighbor_alltoall_pure") return beside_halo(alone<Ineighbor>(point), point);
  if (name == "Neighbor_alltoall_persist") return open_persistent_neighbours(point);
  return nullptr;
}

}  // namespace steelyard::imb
