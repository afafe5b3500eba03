// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <optional>

#include "measure/synchronise.hpp"
#include "mpi/error.hpp"

namespace steelyard::measure {
namespace {

constexpr int question_tag = 1001;
constexpr int answer_tag = 1002;
/// A machine that is shared answers in milliseconds: no series takes much longer than this.
constexpr auto clock_patience = std::chrono::milliseconds(20);

enum class Question : int { more, last };

Exchange ask_once(MPI_Comm comm, int reference, const Timer& timer, Question question) {
  Exchange exchange;
  exchange.before_s = timer.seconds(timer.now());
  mpi::check(MPI_Send(&question, 1, MPI_INT, reference, question_tag, comm), "MPI_Send");
  mpi::check(MPI_Recv(&exchange.reference_s, 1, MPI_DOUBLE, reference, answer_tag, comm, MPI_STATUS_IGNORE),
             "MPI_Recv");
  exchange.after_s = timer.seconds(timer.now());
  return exchange;
}

}  // namespace

Exchange ask_clock(const mpi::Communicator& comm, int reference, Timer& timer, int tries) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + clock_patience;
  std::optional<Exchange> best;
  for (Question question = Question::more; question != Question::last;) {
    --tries;
    const bool enough = tries <= 0 || (best && Clock::now() >= until);
    question = enough ? Question::last : Question::more;
    const Exchange exchange = ask_once(comm.get(), reference, timer, question);
    if (!best || exchange.round_trip_s() < best->round_trip_s()) best = exchange;
  }
  return *best;
}

void answer_clock(const mpi::Communicator& comm, int client, Timer& timer, const ClockModel& model) {
  for (Question question = Question::more; question != Question::last;) {
    mpi::check(MPI_Recv(&question, 1, MPI_INT, client, question_tag, comm.get(), MPI_STATUS_IGNORE),
               "MPI_Recv");
    double answer = model.global(timer.seconds(timer.now()));
    mpi::check(MPI_Send(&answer, 1, MPI_DOUBLE, client, answer_tag, comm.get()), "MPI_Send");
  }
}

}  // namespace steelyard::measure
