// SPDX-License-Identifier: Apache-2.0
// The exchange of PTRANS, its data and its check.
#include "suites/hpcc/ptrans/ptrans.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "measure/failure.hpp"
#include "suites/hpcc/foundation/transpose.hpp"

namespace steelyard::hpcc {
namespace {

constexpr int piece_tag = 41;

/// Visits one process's part column by column: element(local row, local column, value). In C and
/// in transposed A the sequence runs along the rows, so that one row further is n states
/// further; in A along the columns.
template <class Visit>
void visit(const GridMatrix& matrix, int rank, Matrix which, bool transposed, Visit element) {
  const PtransSequence sequence(which, matrix.n);
  const bool along_rows = which == Matrix::c || transposed;
  const Affine down = narrow_step.times(along_rows ? static_cast<std::uint64_t>(matrix.n) : 1);
  const auto rows = matrix.rows(), columns = matrix.columns();
  const std::int64_t local_rows = matrix.local_rows(rank), local_columns = matrix.local_columns(rank);
  for (std::int64_t j = 0; j < local_columns; ++j)
    for (std::int64_t i = 0; i < local_rows; i += matrix.nb) {
      const auto gi = rows.global(matrix.row_of(rank), i), gj = columns.global(matrix.column_of(rank), j);
      auto state = along_rows ? sequence.state(gj, gi) : sequence.state(gi, gj);
      for (auto k = i; k < std::min(i + matrix.nb, local_rows); ++k, state = down(state) & 0x7fffffffU)
        element(k, j, PtransSequence::value(state));
    }
}

constexpr std::int64_t piece_elements = piece_byte / 8;

}  // namespace

/// Progress of an exchange, in pieces.
struct Ptrans::Progress {
  std::size_t posted = 0, received = 0, sent = 0, direct = 0;
  int error = MPI_SUCCESS;

  void note(int code, const char* call = "") noexcept { measure::keep_first(error, code, call); }
  [[nodiscard]] bool complete(MPI_Request& request) noexcept {
    int flag = 0;
    note(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
  }
};

double* Ptrans::slot(const machine::HugeArray<double>& buffer, std::size_t piece) const noexcept {
  return buffer.data() + static_cast<std::int64_t>(piece % slots()) * slot_;
}

int Ptrans::exchange_whole() noexcept {
  Progress progress;
  post(progress);
  while (send_next(progress)) {
  }
  for (const auto& piece : now_.direct) add_direct(piece);
  for (std::size_t i = 0; i < now_.receives.size(); ++i) {
    progress.note(MPI_Wait(&receive_requests_[i], MPI_STATUS_IGNORE), "MPI_Wait");
    add(now_.receives[i], slot(arrived_, i));
  }
  progress.note(MPI_Waitall(static_cast<int>(ahead_), send_requests_.data(), MPI_STATUSES_IGNORE),
                "MPI_Waitall");
  return progress.error;
}

/// Posts receives of as many pieces ahead as there are slots.
void Ptrans::post(Progress& progress) noexcept {
  for (; progress.posted < now_.receives.size() && progress.posted < progress.received + slots();
       ++progress.posted) {
    const auto& piece = now_.receives[progress.posted];
    progress.note(MPI_Irecv(slot(arrived_, progress.posted), piece.doubles.count(), piece.doubles.type(),
                            piece.route->partner, piece_tag, comm_.get(),
                            &receive_requests_[progress.posted % slots()]),
                  "MPI_Irecv");
  }
}

/// Packs and sends the next piece if the slot that it needs is free.
bool Ptrans::send_next(Progress& progress) noexcept {
  if (progress.sent == now_.sends.size()) return false;
  MPI_Request& request = send_requests_[progress.sent % slots()];
  if (!progress.complete(request)) return false;
  const auto& piece = now_.sends[progress.sent];
  double* const to = slot(packed_, progress.sent++);
  pack(piece, to);
  progress.note(MPI_Isend(to, piece.doubles.count(), piece.doubles.type(), piece.route->partner, piece_tag,
                          comm_.get(), &request),
                "MPI_Isend");
  return true;
}

/// Adds the next piece if it has arrived.
bool Ptrans::add_next(Progress& progress) noexcept {
  if (progress.received == progress.posted) return false;
  if (!progress.complete(receive_requests_[progress.received % slots()])) return false;
  add(now_.receives[progress.received], slot(arrived_, progress.received));
  ++progress.received;
  post(progress);
  return true;
}

bool Ptrans::finished(const Progress& progress) const noexcept {
  return progress.received == now_.receives.size() && progress.sent == now_.sends.size() &&
         progress.direct == now_.direct.size();
}

/// Exchanges in pieces. Those in the memory of this node are added while nothing can be sent or has arrived.
int Ptrans::exchange_pieces() noexcept {
  Progress progress;
  post(progress);
  while (!finished(progress) && progress.error == MPI_SUCCESS) {
    const bool sent = send_next(progress), added = add_next(progress);
    if (!sent && !added && progress.direct < now_.direct.size()) add_direct(now_.direct[progress.direct++]);
  }
  progress.note(MPI_Waitall(static_cast<int>(ahead_), send_requests_.data(), MPI_STATUSES_IGNORE),
                "MPI_Waitall");
  return progress.error;
}

Ptrans::Piece Ptrans::next_piece(const Route& route, std::size_t done) const {
  const auto all = route.column_blocks.size();
  const auto rows = std::span(route.row_blocks).subspan(done / all);
  const auto columns = std::span(route.column_blocks).subspan(done % all);
  const auto fitting = [this](std::int64_t block_elements, std::size_t left) {
    const auto most = static_cast<std::size_t>(std::max<std::int64_t>(1, piece_elements / block_elements));
    return form_ == Form::base ? left : std::min(left, most);
  };
  const auto blocks = columns.first(fitting(matrix_.nb * matrix_.nb, columns.size()));
  const auto slabs = rows.first(blocks.size() < all ? 1 : fitting(route.height * matrix_.nb, rows.size()));
  std::int64_t width = 0, height = 0;
  for (const auto bi : slabs) width += matrix_.rows().size_of(bi);
  for (const auto bj : blocks) height += matrix_.columns().size_of(bj);
  return {&route, slabs, blocks, height, width * height, {width * height, MPI_DOUBLE, longest_}};
}

Ptrans::Ptrans(const mpi::Communicator& grid, const GridMatrix& matrix, Form form, std::int64_t longest)
    : comm_(grid.duplicate()),
      matrix_(matrix),
      form_(form),
      longest_(longest),
      rows_(matrix.local_rows(grid.rank())),
      columns_(matrix.local_columns(grid.rank())) {
  if (matrix.grid.processes() != grid.size())
    throw std::invalid_argument("a grid of another number of processes");
  if (matrix.nb < 1) throw std::invalid_argument("blocks of no elements");
  own_ = machine::HugeArray<double>(rows_ * columns_);
  c_ = machine::HugeArray<double>(rows_ * columns_);
  out_ = routes_from(matrix, comm_.rank());
  in_ = routes_to(matrix, comm_.rank());
  now_ = transfers(Way::messages);
  allocate_slots(now_);
}

void Ptrans::prepare(std::optional<Way> way) {
  const bool share = form_ == Form::optimized && way != Way::messages;
  if (share) node_ = NodeMemory(comm_, 8 * rows_ * columns_);
  node_.populate();
  if (node_.available()) own_ = {};
  a_ = node_.available() ? reinterpret_cast<double*>(node_.of(comm_.rank())) : own_.data();
  fill();
  if (!node_.available()) return;
  use(way ? *way : faster_way(comm_, [this](Way one) {
    use(one);
    return run();
  }));
}

void Ptrans::allocate_slots(const Transfers& largest) {
  for (const auto* list : {&largest.sends, &largest.receives})
    for (const auto& piece : *list) slot_ = std::max(slot_, piece.elements);
  constexpr std::int64_t pieces_at_once = 4;
  ahead_ = form_ == Form::base
               ? static_cast<std::int64_t>(std::max(largest.sends.size(), largest.receives.size()))
               : pieces_at_once;
  packed_ = machine::HugeArray<double>(slot_ * ahead_);
  arrived_ = machine::HugeArray<double>(slot_ * ahead_);
  std::ranges::fill(packed_.span(), 0.0);
  std::ranges::fill(arrived_.span(), 0.0);
  send_requests_.assign(static_cast<std::size_t>(ahead_), MPI_REQUEST_NULL);
  receive_requests_ = send_requests_;
}

void Ptrans::fill() {
  visit(matrix_, comm_.rank(), Matrix::a, false,
        [this](std::int64_t i, std::int64_t j, double value) { a_[i + j * rows_] = value; });
  visit(matrix_, comm_.rank(), Matrix::c, false, [this](std::int64_t i, std::int64_t j, double value) {
    c_[static_cast<std::size_t>(i + j * rows_)] = value;
  });
  if (node_.available()) node_.publish();
}

Ptrans::Transfers Ptrans::transfers(Way way) const {
  const auto visible = [&](const Route& route) {
    if (route.partner == comm_.rank()) return true;
    return way == Way::shared_memory && node_.of(route.partner) != nullptr;
  };
  Transfers found{pieces(out_), pieces(in_), pieces(in_)};
  std::erase_if(found.sends, [&](const Piece& piece) { return visible(*piece.route); });
  std::erase_if(found.receives, [&](const Piece& piece) { return visible(*piece.route); });
  std::erase_if(found.direct, [&](const Piece& piece) { return !visible(*piece.route); });
  return found;
}

void Ptrans::use(Way way) {
  way_ = way;
  now_ = transfers(way);
}

/// Pieces of the routes: each route whole, or as many slabs, or blocks of a slab, as make a piece of moderate size,
/// one at least. The pieces of the routes take turns, so that no partner waits for another's last. Sender and
/// receiver see the same order, by turn and distance in rank: the first transfer of that order that is not
/// complete can always proceed.
std::vector<Ptrans::Piece> Ptrans::pieces(const std::vector<Route>& routes) const {
  std::vector<Piece> all;
  std::vector<std::size_t> done(routes.size());
  for (bool more = true; more;) {
    more = false;
    for (std::size_t r = 0; r < routes.size(); ++r) {
      const auto& route = routes[r];
      if (done[r] == route.row_blocks.size() * route.column_blocks.size()) continue;
      const auto& piece = all.emplace_back(next_piece(route, done[r]));
      done[r] += piece.row_blocks.size() * piece.column_blocks.size();
      more = true;
    }
  }
  return all;
}

const double* Ptrans::part_of(int partner) const noexcept {
  return partner == comm_.rank() ? a_ : reinterpret_cast<const double*>(node_.of(partner));
}

/// Place of a block of A in the part of a process with so many rows.
std::int64_t Ptrans::source(std::int64_t bi, std::int64_t bj, std::int64_t rows) const noexcept {
  return matrix_.rows().local(bi * matrix_.nb) + matrix_.columns().local(bj * matrix_.nb) * rows;
}

double* Ptrans::target(std::int64_t bj, std::int64_t bi) const noexcept {
  return c_.data() + matrix_.rows().local(bj * matrix_.nb) + matrix_.columns().local(bi * matrix_.nb) * rows_;
}

void Ptrans::pack(const Piece& piece, double* to) const noexcept {
  for (const auto bi : piece.row_blocks) {
    const auto width = matrix_.rows().size_of(bi);
    double* at = to;
    for (const auto bj : piece.column_blocks) {
      const auto size = matrix_.columns().size_of(bj);
      copy_transposed({size, width}, at, piece.height, a_ + source(bi, bj, rows_), rows_);
      at += size;
    }
    to += width * piece.height;
  }
}

void Ptrans::add(const Piece& piece, const double* from) const noexcept {
  for (const auto bi : piece.row_blocks) {
    const auto width = matrix_.rows().size_of(bi);
    const double* at = from;
    for (const auto bj : piece.column_blocks) {
      const auto size = matrix_.columns().size_of(bj);
      add_block({size, width}, target(bj, bi), rows_, at, piece.height);
      at += size;
    }
    from += width * piece.height;
  }
}

void Ptrans::add_direct(const Piece& piece) const noexcept {
  const double* const part = part_of(piece.route->partner);
  const std::int64_t rows = matrix_.local_rows(piece.route->partner);
  for (const auto bi : piece.row_blocks)
    for (const auto bj : piece.column_blocks)
      add_transposed({matrix_.columns().size_of(bj), matrix_.rows().size_of(bi)}, target(bj, bi), rows_,
                     part + source(bi, bj, rows), rows);
}

int Ptrans::run() noexcept {
  ++runs_;
  return form_ == Form::base ? exchange_whole() : exchange_pieces();
}

measure::CheckResult Ptrans::verify(double threshold) {
  machine::HugeArray<double> expected;
  measure::all_or_none(comm_, [&] { expected = machine::HugeArray<double>(rows_ * columns_); });
  const auto at = [this](std::int64_t i, std::int64_t j) { return static_cast<std::size_t>(i + j * rows_); };
  visit(matrix_, comm_.rank(), Matrix::c, false,
        [&](std::int64_t i, std::int64_t j, double value) { expected[at(i, j)] = value; });
  visit(matrix_, comm_.rank(), Matrix::a, true, [&](std::int64_t i, std::int64_t j, double value) {
    for (int run = 0; run < runs_; ++run) expected[at(i, j)] += value;
  });
  measure::CheckResult result;
  double difference = 0, largest = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    largest = std::max(largest, std::abs(expected[k]));
    const double off = std::abs(c_[k] - expected[k]);
    if (off == 0) continue;
    difference = std::isnan(off) ? std::numeric_limits<double>::infinity() : std::max(difference, off);
    if (result.errors++ == 0) result.first = "local element " + std::to_string(k);
  }
  const double scale = comm_.max(largest);
  error_ = scale > 0 ? comm_.max(difference) / scale : 0;
  result.worst = error_ / (half_epsilon * static_cast<double>(std::max<std::int64_t>(matrix_.n, 1)));
  if (result.worst <= threshold) result.errors = 0;
  return result;
}

}  // namespace steelyard::hpcc
