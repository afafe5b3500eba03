// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <numeric>
#include <vector>

#include "mpi/error.hpp"
#include "suites/imb/point.hpp"

/// Processes of a Cartesian topology, cyclic in every dimension, and the blocks that they exchange.
namespace steelyard::imb {

/// Sides of a grid of so many processes, the longest first, as the MPI library chooses them;
/// empty before it runs.
[[nodiscard]] std::vector<int> sides_of_grid(int processes, int dimensions);

/// Neighbours of this process in the order of MPI: -1, +1 of each dimension. Block s goes to neighbour s.
/// What is sent in direction +1 of a dimension arrives in the block of direction -1, and conversely.
class Neighbourhood {
 public:
  /// Collective over the point's communicator; throws mpi::Error.
  explicit Neighbourhood(const Point& point);

  [[nodiscard]] MPI_Comm comm() const { return grid_.get(); }
  [[nodiscard]] const std::vector<int>& ranks() const noexcept { return ranks_; }
  [[nodiscard]] int blocks() const noexcept { return static_cast<int>(ranks_.size()); }
  /// Block of neighbour s that arrives in block s: of the same dimension, in the other direction.
  [[nodiscard]] int counterpart(int s) const noexcept { return counterparts_[static_cast<std::size_t>(s)]; }
  /// Takes the order that a library has been seen to use, `arrived[s]` in block s, if it is a possible one:
  /// the blocks between this process and one and the same neighbour may come in any order.
  void learn(const std::vector<int>& arrived);
  /// Whether blocks come in another order than that of the standard.
  [[nodiscard]] bool exchanged() const noexcept;

 private:
  mpi::Communicator grid_;
  std::vector<int> ranks_, counterparts_;
};

/// Base of the collectives of neighbours, which exchange blocks in one call.
class BlocksOf {
 public:
  explicit BlocksOf(const Point& point) : hood_(std::make_shared<Neighbourhood>(point)), point_(point) {}
  [[nodiscard]] Neighbourhood& hood() noexcept { return *hood_; }
  [[nodiscard]] const Neighbourhood& hood() const noexcept { return *hood_; }

 protected:
  /// X bytes of each block; `from(s)` says which block of the neighbour arrives in block s.
  template <class From>
  [[nodiscard]] Arrival blocks(From from) const {
    const auto size = point_.size.count();
    Arrival arrival;
    for (int s = 0; s < hood_->blocks(); ++s)
      arrival.segments.push_back({.at = s * size,
                                  .bytes = size,
                                  .source = hood_->ranks()[static_cast<std::size_t>(s)],
                                  .from = from(s) * size});
    return arrival;
  }

  std::shared_ptr<Neighbourhood> hood_;
  Point point_;
};

/// A block of its own to each neighbour.
class NeighborAlltoallOf : public BlocksOf {
 public:
  explicit NeighborAlltoallOf(const Point& point) : BlocksOf(point), message_(point.message()) {}
  template <class Function, class... More>
  int call(Function function, std::byte* out, std::byte* in, More... more) const noexcept {
    return function(out, message_.count(), message_.type(), in, message_.count(), message_.type(),
                    hood_->comm(), more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return blocks([this](int s) { return hood_->counterpart(s); });
  }

 private:
  Message message_;
};

/// Finds out in which order blocks from one and the same neighbour arrive, with a call(out, in) of one int to
/// each neighbour whose error code is that of MPI: the standard was silent about it for long. Collective.
template <class Call>
void look_for_order(Neighbourhood& hood, Call call) {
  std::vector<int> out(hood.ranks().size()), in(out.size(), -1);
  std::iota(out.begin(), out.end(), 0);
  mpi::check(call(out.data(), in.data()), "collective of neighbours");
  hood.learn(in);
}

/// Workload of the persistent form.
[[nodiscard]] std::unique_ptr<measure::Workload> open_persistent_neighbours(const Point& point);

/// Workload of the same blocks by messages, which others are compared with.
[[nodiscard]] std::unique_ptr<measure::Workload> open_halo(const Point& point);

}  // namespace steelyard::imb
