// SPDX-License-Identifier: Apache-2.0
// How the pieces of PTRANS travel.
#include "measure/first_error.hpp"
#include "suites/hpcc/ptrans/ptrans.hpp"

namespace steelyard::hpcc {
namespace {

constexpr int piece_tag = 41;

}  // namespace

int Ptrans::exchange_whole() noexcept {
  int error = MPI_SUCCESS;
  const auto note = [&error](int code) { measure::keep_first(error, code); };
  const auto slot = [this](const HugeArray<double>& slots, std::size_t i) {
    return slots.data() + static_cast<std::int64_t>(i) * slot_;
  };
  for (std::size_t i = 0; i < now_.receives.size(); ++i)
    note(MPI_Irecv(slot(arrived_, i), static_cast<int>(now_.receives[i].elements(matrix_)), MPI_DOUBLE,
                   now_.receives[i].route->partner, piece_tag, comm_.get(), &receive_requests_[i]));
  for (std::size_t i = 0; i < now_.sends.size(); ++i) {
    pack(now_.sends[i], slot(packed_, i));
    note(MPI_Isend(slot(packed_, i), static_cast<int>(now_.sends[i].elements(matrix_)), MPI_DOUBLE,
                   now_.sends[i].route->partner, piece_tag, comm_.get(), &send_requests_[i]));
  }
  for (const auto& piece : now_.direct) add_direct(piece);
  for (std::size_t i = 0; i < now_.receives.size(); ++i) {
    note(MPI_Wait(&receive_requests_[i], MPI_STATUS_IGNORE));
    add(now_.receives[i], slot(arrived_, i));
  }
  note(MPI_Waitall(static_cast<int>(ahead_), send_requests_.data(), MPI_STATUSES_IGNORE));
  return error;
}

int Ptrans::exchange_pieces() noexcept {
  int error = MPI_SUCCESS;
  const auto note = [&error](int code) { measure::keep_first(error, code); };
  std::size_t posted = 0, received = 0, sent = 0, direct = 0;
  const auto slots = static_cast<std::size_t>(ahead_);
  const auto post = [&] {
    for (; posted < now_.receives.size() && posted < received + slots; ++posted)
      note(MPI_Irecv(arrived_.data() + static_cast<std::int64_t>(posted % slots) * slot_,
                     static_cast<int>(now_.receives[posted].elements(matrix_)), MPI_DOUBLE,
                     now_.receives[posted].route->partner, piece_tag, comm_.get(),
                     &receive_requests_[posted % slots]));
  };
  const auto complete = [&](MPI_Request& request) {
    int flag = 0;
    note(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
  };
  post();
  while ((received < now_.receives.size() || sent < now_.sends.size() || direct < now_.direct.size()) &&
         error == MPI_SUCCESS) {
    const bool can_send = sent < now_.sends.size() && complete(send_requests_[sent % slots]);
    if (can_send) {
      double* to = packed_.data() + static_cast<std::int64_t>(sent % slots) * slot_;
      pack(now_.sends[sent], to);
      note(MPI_Isend(to, static_cast<int>(now_.sends[sent].elements(matrix_)), MPI_DOUBLE,
                     now_.sends[sent].route->partner, piece_tag, comm_.get(), &send_requests_[sent % slots]));
      ++sent;
    }
    const bool arrived = received < posted && complete(receive_requests_[received % slots]);
    if (arrived) {
      add(now_.receives[received], arrived_.data() + static_cast<std::int64_t>(received % slots) * slot_);
      ++received;
      post();
    }
    if (!can_send && !arrived && direct < now_.direct.size()) add_direct(now_.direct[direct++]);
  }
  note(MPI_Waitall(static_cast<int>(ahead_), send_requests_.data(), MPI_STATUSES_IGNORE));
  return error;
}

}  // namespace steelyard::hpcc
