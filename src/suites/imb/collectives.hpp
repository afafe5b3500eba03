// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "suites/imb/overlapped.hpp"
#include "suites/imb/point.hpp"
#include "suites/imb/workloads.hpp"

/// Arguments and results of collectives, the same in each of their forms: blocking, started with a request,
/// persistent. `call(function, turn, more...)` hands the arguments to MPI's function, with what its form
/// takes behind them.
namespace steelyard::imb {

/// Q pieces of X bytes one after the other, piece q from rank q at `from` of its send area.
[[nodiscard]] inline std::vector<Segment> one_piece_per_rank(std::int64_t size, int processes,
                                                             std::int64_t from) {
  std::vector<Segment> segments;
  for (int rank = 0; rank < processes; ++rank)
    segments.push_back({.at = rank * size, .bytes = size, .source = rank, .from = from});
  return segments;
}

/// Arguments of the calls that take a count and a displacement per rank or neighbour: all counts equal,
/// displacement of piece q is q messages. A message is one element of a datatype of X bytes if the
/// displacements would not fit MPI's int.
class PerRank {
 public:
  explicit PerRank(const Point& point) : PerRank(point, point.processes) {}
  PerRank(const Point& point, int pieces)
      : message_(point.message(fits(point, pieces) ? Packing::free : Packing::one)),
        counts_(static_cast<std::size_t>(pieces), message_.count()),
        displacements_(counts_.size()) {
    std::exclusive_scan(counts_.begin(), counts_.end(), displacements_.begin(), 0);
  }

  [[nodiscard]] int count() const noexcept { return message_.count(); }
  [[nodiscard]] MPI_Datatype type() const noexcept { return message_.type(); }
  [[nodiscard]] const int* counts() const noexcept { return counts_.data(); }
  [[nodiscard]] const int* displacements() const noexcept { return displacements_.data(); }

 private:
  static bool fits(const Point& point, int pieces) {
    return point.elements() * pieces <= std::numeric_limits<int>::max();
  }

  Message message_;
  std::vector<int> counts_;
  std::vector<int> displacements_;
};

/// Buffers of one repetition, and the root where there is one.
struct Turn {
  std::byte* out = nullptr;
  std::byte* in = nullptr;
  int root = 0;
};

/// Turns of repetitions, one after the other.
class Turns {
 public:
  explicit Turns(const Point& point) : cursors_(point), roots_(point) {}
  [[nodiscard]] Turn next() noexcept {
    return {cursors_.send.next(), cursors_.receive.next(), roots_.next()};
  }
  void seek(std::uint64_t i) noexcept {
    cursors_.seek(i);
    roots_.seek(i);
  }

 private:
  Cursors cursors_;
  Roots roots_;
};

/// Base of all collectives: what they know of a point.
class CollectiveOf {
 public:
  explicit CollectiveOf(const Point& point)
      : roots_(point),
        size_(point.size.count()),
        rank_(point.rank),
        processes_(point.processes),
        comm_(point.comm()) {}

 protected:
  [[nodiscard]] bool is_root(std::uint64_t i) const noexcept { return roots_.of(i) == rank_; }
  [[nodiscard]] static Arrival arrives(std::vector<Segment> segments) {
    return {.segments = std::move(segments)};
  }
  [[nodiscard]] Arrival arrives_as_sum(std::int64_t from) const {
    return {.sum = SumSegment{.bytes = size_, .from = from, .ranks = processes_}};
  }

  Roots roots_;
  std::int64_t size_;
  int rank_;
  int processes_;
  MPI_Comm comm_;
};

/// X bytes from the root, which uses its send buffer, to all others.
class BcastOf : public CollectiveOf {
 public:
  explicit BcastOf(const Point& point) : CollectiveOf(point), message_(point.message()) {}
  template <class Function, class... More>
  int call(Function function, const Turn& turn, More... more) const noexcept {
    return function(turn.root == rank_ ? turn.out : turn.in, message_.count(), message_.type(), turn.root,
                    comm_, more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const {
    if (is_root(i)) return {};
    return arrives({{.at = 0, .bytes = size_, .source = roots_.of(i), .from = 0}});
  }

 private:
  Message message_;
};

/// X bytes of each rank to all.
class AllgatherOf : public CollectiveOf {
 public:
  explicit AllgatherOf(const Point& point) : CollectiveOf(point), message_(point.message()) {}
  template <class Function, class... More>
  int call(Function function, const Turn& turn, More... more) const noexcept {
    return function(turn.out, message_.count(), message_.type(), turn.in, message_.count(), message_.type(),
                    comm_, more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return arrives(one_piece_per_rank(size_, processes_, 0));
  }

 private:
  Message message_;
};

class AllgathervOf : public CollectiveOf {
 public:
  explicit AllgathervOf(const Point& point) : CollectiveOf(point), pieces_(point) {}
  template <class Function, class... More>
  int call(Function function, const Turn& turn, More... more) const noexcept {
    return function(turn.out, pieces_.count(), pieces_.type(), turn.in, pieces_.counts(),
                    pieces_.displacements(), pieces_.type(), comm_, more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return arrives(one_piece_per_rank(size_, processes_, 0));
  }

 private:
  PerRank pieces_;
};

/// X bytes of each rank to the root.
class GatherOf : public CollectiveOf {
 public:
  explicit GatherOf(const Point& point) : CollectiveOf(point), message_(point.message()) {}
  template <class Function, class... More>
  int call(Function function, const Turn& turn, More... more) const noexcept {
    return function(turn.out, message_.count(), message_.type(), turn.in, message_.count(), message_.type(),
                    turn.root, comm_, more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const {
    return is_root(i) ? arrives(one_piece_per_rank(size_, processes_, 0)) : Arrival{};
  }

 private:
  Message message_;
};

class GathervOf : public CollectiveOf {
 public:
  explicit GathervOf(const Point& point) : CollectiveOf(point), pieces_(point) {}
  template <class Function, class... More>
  int call(Function function, const Turn& turn, More... more) const noexcept {
    return function(turn.out, pieces_.count(), pieces_.type(), turn.in, pieces_.counts(),
                    pieces_.displacements(), pieces_.type(), turn.root, comm_, more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const {
    return is_root(i) ? arrives(one_piece_per_rank(size_, processes_, 0)) : Arrival{};
  }

 private:
  PerRank pieces_;
};

/// X bytes from the root to each rank, other ones to each.
class ScatterOf : public CollectiveOf {
 public:
  explicit ScatterOf(const Point& point) : CollectiveOf(point), message_(point.message()) {}
  template <class Function, class... More>
  int call(Function function, const Turn& turn, More... more) const noexcept {
    return function(turn.out, message_.count(), message_.type(), turn.in, message_.count(), message_.type(),
                    turn.root, comm_, more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const {
    return arrives({{.at = 0, .bytes = size_, .source = roots_.of(i), .from = rank_ * size_}});
  }

 private:
  Message message_;
};

class ScattervOf : public CollectiveOf {
 public:
  explicit ScattervOf(const Point& point) : CollectiveOf(point), pieces_(point) {}
  template <class Function, class... More>
  int call(Function function, const Turn& turn, More... more) const noexcept {
    return function(turn.out, pieces_.counts(), pieces_.displacements(), pieces_.type(), turn.in,
                    pieces_.count(), pieces_.type(), turn.root, comm_, more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const {
    return arrives({{.at = 0, .bytes = size_, .source = roots_.of(i), .from = rank_ * size_}});
  }

 private:
  PerRank pieces_;
};

/// X bytes of each rank to each, other ones to each.
class AlltoallOf : public CollectiveOf {
 public:
  explicit AlltoallOf(const Point& point) : CollectiveOf(point), message_(point.message()) {}
  template <class Function, class... More>
  int call(Function function, const Turn& turn, More... more) const noexcept {
    return function(turn.out, message_.count(), message_.type(), turn.in, message_.count(), message_.type(),
                    comm_, more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return arrives(one_piece_per_rank(size_, processes_, rank_ * size_));
  }

 private:
  Message message_;
};

class AlltoallvOf : public CollectiveOf {
 public:
  explicit AlltoallvOf(const Point& point) : CollectiveOf(point), pieces_(point) {}
  template <class Function, class... More>
  int call(Function function, const Turn& turn, More... more) const noexcept {
    return function(turn.out, pieces_.counts(), pieces_.displacements(), pieces_.type(), turn.in,
                    pieces_.counts(), pieces_.displacements(), pieces_.type(), comm_, more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return arrives(one_piece_per_rank(size_, processes_, rank_ * size_));
  }

 private:
  PerRank pieces_;
};

/// Sum of vectors of X bytes. A vector that MPI cannot count has no such form: it would be
/// several operations.
class SumOf : public CollectiveOf {
 public:
  explicit SumOf(const Point& point)
      : CollectiveOf(point), message_(point.message()), sum_(point.type(), point.settings.contiguous_type) {}

 protected:
  Message message_;
  Sum sum_;
};

/// Sum of vectors on the root.
class ReduceOf : public SumOf {
 public:
  using SumOf::SumOf;
  template <class Function, class... More>
  int call(Function function, const Turn& turn, More... more) const noexcept {
    return function(turn.out, turn.in, message_.count(), message_.type(), sum_.get(), turn.root, comm_,
                    more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const { return is_root(i) ? arrives_as_sum(0) : Arrival{}; }
};

/// Sum of vectors on all ranks.
class AllreduceOf : public SumOf {
 public:
  using SumOf::SumOf;
  template <class Function, class... More>
  int call(Function function, const Turn& turn, More... more) const noexcept {
    return function(turn.out, turn.in, message_.count(), message_.type(), sum_.get(), comm_, more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return arrives_as_sum(0); }
};

/// Sum of vectors of Q pieces of X bytes, of which rank i keeps piece i; the counts are given one by one.
class ReduceScatterOf : public SumOf {
 public:
  explicit ReduceScatterOf(const Point& point)
      : SumOf(point), counts_(static_cast<std::size_t>(point.processes), message_.count()) {}
  template <class Function, class... More>
  int call(Function function, const Turn& turn, More... more) const noexcept {
    return function(turn.out, turn.in, counts_.data(), message_.type(), sum_.get(), comm_, more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return arrives_as_sum(rank_ * size_); }

 private:
  std::vector<int> counts_;
};

/// The same with one count for all pieces.
class ReduceScatterBlockOf : public SumOf {
 public:
  using SumOf::SumOf;
  template <class Function, class... More>
  int call(Function function, const Turn& turn, More... more) const noexcept {
    return function(turn.out, turn.in, message_.count(), message_.type(), sum_.get(), comm_, more...);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return arrives_as_sum(rank_ * size_); }
};

/// Barrier: no data, hence nothing to check.
class BarrierOf : public CollectiveOf {
 public:
  using CollectiveOf::CollectiveOf;
  template <class Function, class... More>
  int call(Function function, const Turn&, More... more) const noexcept {
    return function(comm_, more...);
  }
};

/// Collective by `function`, its blocking form.
template <class Collective, auto function>
class Blocking {
 public:
  explicit Blocking(const Point& point) : collective_(point), turns_(point) {}
  int operator()(std::uint64_t) noexcept { return collective_.call(function, turns_.next()); }
  void seek(std::uint64_t i) noexcept { turns_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const requires Arriving<Collective> {
    return collective_.arrival(i);
  }

 private:
  Collective collective_;
  Turns turns_;
};

/// The same, whose errors bear the function's name.
template <class Collective, auto function, Name name>
struct NamedCall : Blocking<Collective, function> {
  using Blocking<Collective, function>::Blocking;
  int operator()(std::uint64_t i) noexcept {
    return mpi::noted(Blocking<Collective, function>::operator()(i), name.text);
  }
};

/// Collective that `function`, one of MPI's non-blocking forms, starts.
template <class Collective, auto function>
class Started {
 public:
  explicit Started(const Point& point) : collective_(point), turns_(point) {}
  int start() noexcept { return collective_.call(function, turns_.next(), &request_); }
  int wait() noexcept { return mpi::noted(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait"); }
  int test() noexcept {
    int done = 0;
    return mpi::noted(MPI_Test(&request_, &done, MPI_STATUS_IGNORE), "MPI_Test");
  }
  void seek(std::uint64_t i) noexcept { turns_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const requires Arriving<Collective> {
    return collective_.arrival(i);
  }

 private:
  Collective collective_;
  Turns turns_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace steelyard::imb
