// SPDX-License-Identifier: Apache-2.0
// How the pieces of PTRANS travel.
#include "measure/first_error.hpp"
#include "suites/hpcc/ptrans/ptrans.hpp"

namespace steelyard::hpcc {
namespace {

constexpr int piece_tag = 41;

}  // namespace

/// How far an exchange is, in pieces.
struct Ptrans::Course {
  std::size_t posted = 0, received = 0, sent = 0, direct = 0;
  int error = MPI_SUCCESS;

  void note(int code) noexcept { measure::keep_first(error, code); }
  [[nodiscard]] bool complete(MPI_Request& request) noexcept {
    int flag = 0;
    note(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
  }
};

double* Ptrans::slot(const HugeArray<double>& buffer, std::size_t piece) const noexcept {
  return buffer.data() + static_cast<std::int64_t>(piece % slots()) * slot_;
}

int Ptrans::exchange_whole() noexcept {
  Course course;
  post(course);
  while (send_next(course)) {
  }
  for (const auto& piece : now_.direct) add_direct(piece);
  for (std::size_t i = 0; i < now_.receives.size(); ++i) {
    course.note(MPI_Wait(&receive_requests_[i], MPI_STATUS_IGNORE));
    add(now_.receives[i], slot(arrived_, i));
  }
  course.note(MPI_Waitall(static_cast<int>(ahead_), send_requests_.data(), MPI_STATUSES_IGNORE));
  return course.error;
}

/// Receives as many pieces ahead as there are slots.
void Ptrans::post(Course& course) noexcept {
  for (; course.posted < now_.receives.size() && course.posted < course.received + slots(); ++course.posted) {
    const auto& piece = now_.receives[course.posted];
    course.note(MPI_Irecv(slot(arrived_, course.posted), static_cast<int>(piece.elements(matrix_)),
                          MPI_DOUBLE, piece.route->partner, piece_tag, comm_.get(),
                          &receive_requests_[course.posted % slots()]));
  }
}

/// Packs and sends the next piece if the slot that it needs is free.
bool Ptrans::send_next(Course& course) noexcept {
  if (course.sent == now_.sends.size()) return false;
  MPI_Request& request = send_requests_[course.sent % slots()];
  if (!course.complete(request)) return false;
  const auto& piece = now_.sends[course.sent];
  double* const to = slot(packed_, course.sent++);
  pack(piece, to);
  course.note(MPI_Isend(to, static_cast<int>(piece.elements(matrix_)), MPI_DOUBLE, piece.route->partner,
                        piece_tag, comm_.get(), &request));
  return true;
}

/// Adds the next piece if it has arrived.
bool Ptrans::add_next(Course& course) noexcept {
  if (course.received == course.posted) return false;
  if (!course.complete(receive_requests_[course.received % slots()])) return false;
  add(now_.receives[course.received], slot(arrived_, course.received));
  ++course.received;
  post(course);
  return true;
}

bool Ptrans::finished(const Course& course) const noexcept {
  return course.received == now_.receives.size() && course.sent == now_.sends.size() &&
         course.direct == now_.direct.size();
}

/// What lies in the memory of this node is added while nothing can be sent or has arrived.
int Ptrans::exchange_pieces() noexcept {
  Course course;
  post(course);
  while (!finished(course) && course.error == MPI_SUCCESS) {
    const bool sent = send_next(course), added = add_next(course);
    if (!sent && !added && course.direct < now_.direct.size()) add_direct(now_.direct[course.direct++]);
  }
  course.note(MPI_Waitall(static_cast<int>(ahead_), send_requests_.data(), MPI_STATUSES_IGNORE));
  return course.error;
}

}  // namespace steelyard::hpcc
