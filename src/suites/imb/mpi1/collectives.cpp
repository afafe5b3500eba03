// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/collectives.hpp"

#include <vector>

#include "suites/imb/workloads.hpp"

// The blocking collectives, those that sum, and the barrier.
namespace steelyard::imb {
namespace {

using measure::Workload;

template <class Collective, auto function, Name name>
std::unique_ptr<Workload> blocking(const Point& point) {
  return workload(NamedCall<Collective, function, name>(point), point);
}

// No data, hence nothing to check.
struct Barrier {
  MPI_Comm comm;
  int operator()(std::uint64_t) const noexcept { return mpi::noted(MPI_Barrier(comm), "MPI_Barrier"); }
};

// Vector of X bytes of each rank: in one call, or in pieces if MPI cannot count its elements.
class SummedVector : public CollectiveOf {
 public:
  explicit SummedVector(const Point& point)
      : CollectiveOf(point),
        turns_(point),
        vector_(point.type(), point.settings.contiguous_type, point.elements()),
        sum_(point.type(), point.settings.contiguous_type) {}
  void seek(std::uint64_t i) noexcept { turns_.seek(i); }

 protected:
  Turns turns_;
  Vector vector_;
  Sum sum_;
};

// Sum on the root.
struct Reduce : SummedVector {
  using SummedVector::SummedVector;
  int operator()(std::uint64_t) noexcept {
    const Turn turn = turns_.next();
    return vector_.for_each_piece([&](std::int64_t at, const Message& piece) {
      return mpi::noted(
          MPI_Reduce(turn.out + at, turn.in + at, piece.count(), piece.type(), sum_.get(), turn.root, comm_),
          "MPI_Reduce");
    });
  }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const { return is_root(i) ? arrives_as_sum(0) : Arrival{}; }
};

// Sum on every rank.
struct Allreduce : SummedVector {
  using SummedVector::SummedVector;
  int operator()(std::uint64_t) noexcept {
    const Turn turn = turns_.next();
    return vector_.for_each_piece([&](std::int64_t at, const Message& piece) {
      return mpi::noted(
          MPI_Allreduce(turn.out + at, turn.in + at, piece.count(), piece.type(), sum_.get(), comm_),
          "MPI_Allreduce");
    });
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return arrives_as_sum(0); }
};

// Adds the send buffer to the receive buffer, without communication.
struct ReduceLocal : SummedVector {
  using SummedVector::SummedVector;
  int operator()(std::uint64_t) noexcept {
    const Turn turn = turns_.next();
    return vector_.for_each_piece([&](std::int64_t at, const Message& piece) {
      return mpi::noted(
          MPI_Reduce_local(turn.out + at, turn.in + at, piece.count(), piece.type(), sum_.get()),
          "MPI_Reduce_local");
    });
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.sum = SumSegment{.bytes = size_, .first_rank = rank_, .ranks = 2, .accumulates = true}};
  }
};

// Elements that each rank keeps: shares of a vector of X bytes (3.1), or X bytes each (2021).
std::vector<std::int64_t> shares(const Point& point) {
  std::vector<std::int64_t> elements;
  for (int rank = 0; rank < point.processes; ++rank)
    elements.push_back(point.settings.version == Version::v2021
                           ? point.elements()
                           : reduce_scatter_share(point.elements(), point.processes, rank));
  return elements;
}

// The shares differ in length, so that the datatype of a vector layout covers one element.
Message one_element(const Point& point) {
  return {point.type(), true, point.settings.contiguous_type, 1, Packing::free};
}

// Sum of a vector, scattered over the ranks.
class ReduceScatter : public CollectiveOf {
 public:
  explicit ReduceScatter(const Point& point)
      : CollectiveOf(point),
        cursors_(point),
        element_(one_element(point)),
        sum_(point.type(), point.settings.contiguous_type) {
    std::int64_t before = 0;
    const auto elements = shares(point);
    for (int rank = 0; rank < processes_; ++rank) {
      const auto share = elements[static_cast<std::size_t>(rank)];
      counts_.push_back(mpi::to_int(share));
      if (rank < rank_) before += share;
      if (rank == rank_) kept_byte_ = share * size_of(point.type());
    }
    from_ = before * size_of(point.type());
  }

  int operator()(std::uint64_t) noexcept {
    return mpi::noted(MPI_Reduce_scatter(cursors_.send.next(), cursors_.receive.next(), counts_.data(),
                                         element_.type(), sum_.get(), comm_),
                      "MPI_Reduce_scatter");
  }
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.sum = SumSegment{.bytes = kept_byte_, .from = from_, .ranks = processes_}};
  }

 private:
  Cursors cursors_;
  Message element_;
  Sum sum_;
  std::vector<int> counts_;
  std::int64_t kept_byte_ = 0;
  std::int64_t from_ = 0;
};

}  // namespace

std::unique_ptr<Workload> open(Named<"Allgather">, const Point& point) {
  return blocking<AllgatherOf, MPI_Allgather, "MPI_Allgather">(point);
}
std::unique_ptr<Workload> open(Named<"Allgatherv">, const Point& point) {
  return blocking<AllgathervOf, MPI_Allgatherv, "MPI_Allgatherv">(point);
}
std::unique_ptr<Workload> open(Named<"Gather">, const Point& point) {
  return blocking<GatherOf, MPI_Gather, "MPI_Gather">(point);
}
std::unique_ptr<Workload> open(Named<"Gatherv">, const Point& point) {
  return blocking<GathervOf, MPI_Gatherv, "MPI_Gatherv">(point);
}
std::unique_ptr<Workload> open(Named<"Scatter">, const Point& point) {
  return blocking<ScatterOf, MPI_Scatter, "MPI_Scatter">(point);
}
std::unique_ptr<Workload> open(Named<"Scatterv">, const Point& point) {
  return blocking<ScattervOf, MPI_Scatterv, "MPI_Scatterv">(point);
}
std::unique_ptr<Workload> open(Named<"Alltoall">, const Point& point) {
  return blocking<AlltoallOf, MPI_Alltoall, "MPI_Alltoall">(point);
}
std::unique_ptr<Workload> open(Named<"Alltoallv">, const Point& point) {
  return blocking<AlltoallvOf, MPI_Alltoallv, "MPI_Alltoallv">(point);
}
std::unique_ptr<Workload> open(Named<"Bcast">, const Point& point) {
  return blocking<BcastOf, MPI_Bcast, "MPI_Bcast">(point);
}
std::unique_ptr<Workload> open(Named<"Barrier">, const Point& point) {
  return measure::make_workload<measure::Loop<Barrier>>(Barrier{point.comm()});
}

std::unique_ptr<Workload> open(Named<"Reduce">, const Point& point) {
  return workload(Reduce(point), point);
}
std::unique_ptr<Workload> open(Named<"Allreduce">, const Point& point) {
  return workload(Allreduce(point), point);
}
std::unique_ptr<Workload> open(Named<"Reduce_local">, const Point& point) {
  return workload(ReduceLocal(point), point);
}
std::unique_ptr<Workload> open(Named<"Reduce_scatter">, const Point& point) {
  return workload(ReduceScatter(point), point);
}
std::unique_ptr<Workload> open(Named<"Reduce_scatter_block">, const Point& point) {
  return workload(
      NamedCall<ReduceScatterBlockOf, MPI_Reduce_scatter_block, "MPI_Reduce_scatter_block">(point), point);
}

}  // namespace steelyard::imb
