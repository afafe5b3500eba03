// SPDX-License-Identifier: Apache-2.0
#include "measure/synchronise.hpp"
#include "mpi/error.hpp"

namespace steelyard::measure {
namespace {

constexpr int question_tag = 1001;
constexpr int answer_tag = 1002;

Exchange ask_once(MPI_Comm comm, int reference, const Timer& timer) {
  Exchange exchange;
  double question = 0;
  exchange.before_s = timer.seconds(timer.now());
  mpi::check(MPI_Send(&question, 1, MPI_DOUBLE, reference, question_tag, comm), "MPI_Send");
  mpi::check(MPI_Recv(&exchange.reference_s, 1, MPI_DOUBLE, reference, answer_tag, comm, MPI_STATUS_IGNORE),
             "MPI_Recv");
  exchange.after_s = timer.seconds(timer.now());
  return exchange;
}

}  // namespace

Exchange ask_clock(const mpi::Communicator& comm, int reference, Timer& timer, int tries) {
  Exchange best = ask_once(comm.get(), reference, timer);
  for (int i = 1; i < tries; ++i) {
    const Exchange exchange = ask_once(comm.get(), reference, timer);
    if (exchange.round_trip_s() < best.round_trip_s()) best = exchange;
  }
  return best;
}

void answer_clock(const mpi::Communicator& comm, int client, Timer& timer, const ClockModel& model,
                  int tries) {
  for (int i = 0; i < tries; ++i) {
    double question = 0;
    mpi::check(MPI_Recv(&question, 1, MPI_DOUBLE, client, question_tag, comm.get(), MPI_STATUS_IGNORE),
               "MPI_Recv");
    double answer = model.global(timer.seconds(timer.now()));
    mpi::check(MPI_Send(&answer, 1, MPI_DOUBLE, client, answer_tag, comm.get()), "MPI_Send");
  }
}

}  // namespace steelyard::measure
