// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/distributed_fft.hpp"

#include <algorithm>

#include "fourier/transforms.hpp"
#include "mpi/error.hpp"
#include "suites/hpcc/fft/data.hpp"
#include "suites/hpcc/fft/plain_transform.hpp"
#include "suites/hpcc/foundation/lines.hpp"

namespace steelyard::hpcc {
namespace {

enum Tag { first_tag = 51, second_tag, third_tag };

/// Calls move(i, j) for all of a matrix, tile by tile: lines of memory that are
/// touched across stay in the cache.
template <class Move>
void in_tiles(std::int64_t rows, std::int64_t columns, Move move) {
  constexpr std::int64_t tile = 16;
  for (std::int64_t i0 = 0; i0 < rows; i0 += tile)
    for (std::int64_t j0 = 0; j0 < columns; j0 += tile)
      for (std::int64_t i = i0; i < std::min(i0 + tile, rows); ++i)
        for (std::int64_t j = j0; j < std::min(j0 + tile, columns); ++j) move(i, j);
}

mpi::Transfer doubles_of(std::int64_t elements, std::int64_t longest) {
  return {2 * elements, MPI_DOUBLE, longest};
}

/// The rows of a matrix that this process has.
struct Rows {
  std::int64_t count, length;
};

/// Sends every process the columns that are its rows of the transposed matrix: element(i) is that of place i here, and
/// may lie where the blocks arrive, one of each process, each with `count` elements of every row. Collective.
template <class Element>
void transpose(const mpi::Communicator& comm, const Rows& from, Element element, std::span<Complex> packed,
               std::span<Complex> arrived, std::int64_t longest) {
  const std::int64_t p = comm.size(), width = from.length / p, block = width * from.count;
  for (std::int64_t q = 0; q < p; ++q)
    in_tiles(from.count, width, [&, to = packed.data() + q * block](std::int64_t i, std::int64_t j) {
      to[j * from.count + i] = element(static_cast<std::size_t>(i * from.length + q * width + j));
    });
  const auto part = doubles_of(block, longest);
  mpi::check(MPI_Alltoall(packed.data(), part.count(), part.type(), arrived.data(), part.count(), part.type(),
                          comm.get()),
             "MPI_Alltoall");
}

}  // namespace

DistributedFft::DistributedFft(const mpi::Communicator& comm, std::int64_t n, Form form, std::int64_t longest)
    : comm_(comm.duplicate()),
      n_(n),
      p_(comm.size()),
      longest_(longest),
      form_(form),
      factors_(two_factors(n, p_)),
      m1_(factors_.n1 / p_),
      m2_(factors_.n2 / p_),
      columns_(factors_, largest_divisor(m2_, pass_width(factors_.n1))),
      rows_(factors_.n2),
      width_(part_size(m2_, columns_.columns(), m1_, form)),
      height_(part_height(m1_, m2_, form)),
      columns_block_{m1_ * width_, doubles_of(m1_ * width_, longest)},
      cells_block_{groups() * width_ * lanes, doubles_of(groups() * width_ * lanes, longest)},
      rows_block_{m2_ * height_, doubles_of(m2_ * height_, longest)},
      b_(n / p_),
      c_(cells_between()),
      own_(elements_of_arrays()),
      places_(static_cast<std::size_t>(p_)) {
  static_cast<void>(smooth_factors(n));
  beside_.planning = made_.seconds();
}

void DistributedFft::prepare(std::optional<Way> way) {
  const auto part = n_ / p_;
  const bool share = form_ == Form::optimized && way != Way::messages;
  if (share) node_ = NodeMemory(comm_, elements_of_arrays() * static_cast<std::int64_t>(sizeof(Complex)));
  if (!node_.whole()) node_ = {};
  node_.populate();
  if (node_.available()) own_ = {};
  place_arrays();
  const Stopwatch generation;
  fill_fft_data({in_, static_cast<std::size_t>(part)}, comm_.rank() * part);
  beside_.generation = generation.seconds();
  if (!node_.available()) return;
  const Stopwatch choice;
  node_.publish();
  way_ = way ? *way : faster_way(comm_, [this](Way one) {
    way_ = one;
    return run();
  });
  beside_.planning += choice.seconds();
}

void DistributedFft::place_arrays() {
  std::ranges::fill(b_.span(), Complex{});
  std::ranges::fill(c_.span(), LaneCell{});
  std::fill_n(array_of(comm_.rank(), Array::between), elements_of_arrays(), Complex{});
  d_ = cells_of(comm_.rank());
  in_ = array_of(comm_.rank(), Array::in);
  out_ = array_of(comm_.rank(), Array::out);
}

Complex* DistributedFft::array_of(int rank, Array array) const noexcept {
  Complex* const first = node_.available() ? reinterpret_cast<Complex*>(node_.of(rank)) : own_.data();
  if (array == Array::between) return first;
  return first + cells_between() * lanes + (array == Array::out ? n_ / p_ : 0);
}

LaneCell* DistributedFft::cells_of(int rank) const noexcept {
  return reinterpret_cast<LaneCell*>(array_of(rank, Array::between));
}

void DistributedFft::store_columns(std::int64_t q, LaneCell* to, std::int64_t stride) const noexcept {
  for (std::int64_t k = 0; k < m1_; k += height_, to += part_groups() * stride)
    columns_.store(q * m1_ + k, height_, to, stride);
}

void DistributedFft::run_rows(std::int64_t part, std::int64_t tile, std::int64_t distance) noexcept {
  const LaneCell* from = d_ + part * part_groups() * tile;
  for (std::int64_t k = 0; k < height_; k += lanes, from += tile) {
    rows_.run({from, tile, distance}, std::min(lanes, height_ - k), places_);
    for (auto& place : places_) place.first += lanes;
  }
}

// What two partners exchange before and after the transforms has two places each, in turn: it stays in the caches.

/// Packs rows j1 of this process: for every destination the columns of one part.
void DistributedFft::pack_columns(std::int64_t part) noexcept {
  for (std::int64_t q = 0; q < p_; ++q) {
    if (stays(q)) continue;
    Complex* to = out_ + (part % 2 * p_ + q) * m1_ * width_;
    for (std::int64_t j1 = 0; j1 < m1_; ++j1, to += width_)
      std::copy_n(in_ + j1 * factors_.n2 + q * m2_ + part * width_, width_, to);
  }
}

DistributedFft::Exchange DistributedFft::first(std::int64_t part) const noexcept {
  const auto at = part % 2 * factors_.n1 * width_;
  return {out_ + at, b_.data() + at, columns_block_};
}

/// Transforms the columns of a part and stores them by destination, then group of rows.
void DistributedFft::transform_columns(std::int64_t part) noexcept {
  const auto at = part % 2 * factors_.n1 * width_, tile = groups() * width_;
  const auto column = comm_.rank() * m2_ + part * width_;
  for (std::int64_t j = 0; j < width_; j += columns_.columns()) {
    for (std::int64_t s = 0; s < p_; ++s)
      if (stays(s))
        columns_.gather(in_ + column + j, factors_.n2, s * m1_, m1_);
      else
        columns_.gather(b_.data() + at + s * m1_ * width_ + j, width_, s * m1_, m1_);
    columns_.transform();
    columns_.turn(column + j);
    for (std::int64_t q = 0; q < p_; ++q) {
      LaneCell* const to = stays(q) ? d_ + column / width_ * tile : c_.data() + (part * p_ + q) * tile;
      store_columns(q, to + j, width_);
    }
  }
  finish_stores();
}

/// Second exchange of a part. It arrives by source, then part, then group of rows: tiles of the columns of a
/// part.
DistributedFft::Exchange DistributedFft::second(std::int64_t part) const noexcept {
  const auto tile = cells_block_.elements;
  return {elements_of(c_.span()).data() + part * p_ * tile,
          array_of(comm_.rank(), Array::between) + part * tile, cells_block_};
}

void DistributedFft::transform_rows(std::int64_t part) noexcept {
  for (std::int64_t q = 0; q < p_; ++q)
    if (stays(q))
      places_[static_cast<std::size_t>(q)] = {out_ + q * m1_ + part * height_, factors_.n1};
    else
      places_[static_cast<std::size_t>(q)] = {b_.data() + (part % 2 * factors_.n2 + q * m2_) * height_,
                                              height_};
  run_rows(part, width_, groups() * width_);
  finish_stores();
}

DistributedFft::Exchange DistributedFft::third(std::int64_t part) const noexcept {
  const auto at = part % 2 * height_ * factors_.n2;
  return {b_.data() + at, elements_of(c_.span()).data() + at, rows_block_};
}

void DistributedFft::unpack_rows(std::int64_t part) noexcept {
  for (std::int64_t s = 0; s < p_; ++s) {
    if (stays(s)) continue;
    const Complex* from = elements_of(c_.span()).data() + (part % 2 * factors_.n2 + s * m2_) * height_;
    for (std::int64_t k2 = 0; k2 < m2_; ++k2, from += height_)
      copy_past_caches(from, height_, out_ + k2 * factors_.n1 + s * m1_ + part * height_);
  }
  finish_stores();
}

int DistributedFft::run() noexcept {
  error_ = MPI_SUCCESS;
  stages_ = {};
  last_lap_ = MPI_Wtime();
  if (way_ == Way::shared_memory) return run_in_place();
  return form_ == Form::base ? run_at_once() : run_in_parts();
}

void DistributedFft::lap(Stage stage) noexcept {
  const double now = MPI_Wtime();
  stages_[static_cast<std::size_t>(stage)] += now - last_lap_;
  last_lap_ = now;
}

std::vector<NamedBuffer> DistributedFft::buffers() const {
  std::vector<NamedBuffer> all{{"b", b_.memory()}, {"c", c_.memory()}};
  if (node_.available())
    all.emplace_back("in_between_out", node_.size(), node_.in_huge_pages());
  else
    all.emplace_back("in_between_out", own_.memory());
  return all;
}

/// Runs in the memory of the node. Nobody stores into what somebody else still gathers: input, between and
/// output are different memory, and the barriers order the passes.
int DistributedFft::run_in_place() noexcept {
  columns_in_place();
  lap(Stage::columns);
  if (const int code = MPI_Barrier(comm_.get()); code != MPI_SUCCESS) return code;
  lap(Stage::second);
  rows_in_place();
  lap(Stage::rows);
  const int code = MPI_Barrier(comm_.get());
  lap(Stage::third);
  return code;
}

void DistributedFft::columns_in_place() noexcept {
  const auto mine = comm_.rank() * m2_;
  for (std::int64_t j = 0; j < m2_; j += columns_.columns()) {
    for (int s = 0; s < comm_.size(); ++s)
      columns_.gather(array_of(s, Array::in) + mine + j, factors_.n2, s * m1_, m1_);
    columns_.transform();
    columns_.turn(mine + j);
    for (int q = 0; q < comm_.size(); ++q) store_columns(q, cells_of(q) + mine + j, factors_.n2);
  }
  finish_stores();
}

void DistributedFft::rows_in_place() noexcept {
  for (std::int64_t part = 0; part < m1_ / height_; ++part) {
    for (int q = 0; q < comm_.size(); ++q)
      places_[static_cast<std::size_t>(q)] = {array_of(q, Array::out) + comm_.rank() * m1_ + part * height_,
                                              factors_.n1};
    run_rows(part, factors_.n2, 0);
  }
  finish_stores();
}

int DistributedFft::at_once(const Exchange& exchange) noexcept {
  const mpi::Transfer& part = exchange.block.doubles;
  return mpi::noted(MPI_Alltoall(exchange.send, part.count(), part.type(), exchange.receive, part.count(),
                                 part.type(), comm_.get()),
                    "MPI_Alltoall");
}

int DistributedFft::run_at_once() noexcept {
  pack_columns(0);
  if (const int code = at_once(first(0)); code != MPI_SUCCESS) return code;
  lap(Stage::first);
  transform_columns(0);
  lap(Stage::columns);
  if (const int code = at_once(second(0)); code != MPI_SUCCESS) return code;
  lap(Stage::second);
  transform_rows(0);
  lap(Stage::rows);
  if (const int code = at_once(third(0)); code != MPI_SUCCESS) return code;
  unpack_rows(0);
  lap(Stage::third);
  return MPI_SUCCESS;
}

/// Begins an exchange with all others. Elements from rank s arrive at receive + s * distance.
void DistributedFft::start(const Exchange& exchange, std::int64_t distance, int tag,
                           std::vector<MPI_Request>& requests) noexcept {
  const auto note = [this](int code, const char* call) { measure::keep_first(error_, code, call); };
  const auto& [elements, doubles] = exchange.block;
  const int me = comm_.rank(), size = comm_.size();
  for (int step = 1; step < size; ++step) {
    const int from = (me - step + size) % size, to = (me + step) % size;
    note(MPI_Irecv(exchange.receive + from * distance, doubles.count(), doubles.type(), from, tag,
                   comm_.get(), &requests.emplace_back(MPI_REQUEST_NULL)),
         "MPI_Irecv");
    note(MPI_Isend(exchange.send + to * elements, doubles.count(), doubles.type(), to, tag, comm_.get(),
                   &requests.emplace_back(MPI_REQUEST_NULL)),
         "MPI_Isend");
  }
}

void DistributedFft::finish(std::vector<MPI_Request>& requests) noexcept {
  measure::keep_first(error_,
                      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
                      "MPI_Waitall");
  requests.clear();
}

int DistributedFft::run_in_parts() noexcept {
  columns_in_parts();
  rows_in_parts();
  return error_;
}

/// Transforms the columns in parts; a part travels while the one before it is transformed.
void DistributedFft::columns_in_parts() noexcept {
  const std::int64_t parts = m2_ / width_;
  const auto send = [this](std::int64_t part) {
    pack_columns(part);
    start(first(part), m1_ * width_, first_tag, of(outer_, part));
  };
  send(0);
  for (std::int64_t part = 0; part < parts; ++part) {
    if (part + 1 < parts) send(part + 1);
    finish(of(outer_, part));
    lap(Stage::first);
    transform_columns(part);
    lap(Stage::columns);
    finish(of(inner_, part));
    start(second(part), parts * cells_block_.elements, second_tag, of(inner_, part));
    lap(Stage::second);
  }
  for (auto& requests : inner_) finish(requests);
  lap(Stage::second);
}

void DistributedFft::rows_in_parts() noexcept {
  const std::int64_t parts = m1_ / height_;
  const auto take = [this](std::int64_t part) {
    finish(of(outer_, part));
    unpack_rows(part);
    lap(Stage::third);
  };
  for (std::int64_t part = 0; part < parts; ++part) {
    transform_rows(part);
    lap(Stage::rows);
    start(third(part), m2_ * height_, third_tag, of(outer_, part));
    if (part > 0) take(part - 1);
  }
  take(parts - 1);
}

measure::CheckResult DistributedFft::verify(double threshold) {
  const Stopwatch inverse;
  plain_distributed_inverse(comm_, factors_, result(), b_.span(), elements_of(c_.span()).first(b_.size()),
                            longest_);
  beside_.inverse = inverse.seconds();
  return fft_judgement(fft_deviation(result(), comm_.rank() * (n_ / p_)), n_, threshold);
}

void plain_distributed_inverse(const mpi::Communicator& comm, const Factors& factors,
                               std::span<Complex> values, std::span<Complex> one, std::span<Complex> other,
                               std::int64_t longest) {
  const auto [n1, n2] = factors;
  const auto m1 = n1 / comm.size(), m2 = n2 / comm.size();
  transpose(
      comm, {m1, n2}, [&](std::size_t i) { return std::conj(values[i]); }, one, other, longest);
  plain_forward({other, m1}, one, n1, fourier::Roots(n1 * n2), comm.rank() * m2);
  transpose(
      comm, {m2, n1}, [&](std::size_t i) { return one[i]; }, other, one, longest);
  plain_forward({one, m2}, other, n2);
  transpose(
      comm, {m1, n2}, [&](std::size_t i) { return other[i]; }, one, other, longest);
  const double scale = 1 / static_cast<double>(n1 * n2);
  const Complex* from = other.data();
  for (std::int64_t s = 0; s < comm.size(); ++s)
    for (std::int64_t j = 0; j < m2; ++j, from += m1)
      std::transform(from, from + m1, values.data() + j * n1 + s * m1,
                     [scale](const Complex& z) { return std::conj(z) * scale; });
}

}  // namespace steelyard::hpcc
