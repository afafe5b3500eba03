// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "suites/imb/computation.hpp"
#include "suites/imb/own/partitioned.hpp"

namespace steelyard::imb {
namespace {

using measure::keep_first;

// Kernels that compute the pieces: one for all if one thread does, else one for each thread, which makes it,
// so that no two of them write to the same lines of a cache. Throws what a thread has thrown.
std::vector<std::unique_ptr<MatrixVector>> kernels_of(const MatrixVector& kernel, ThreadTeam* team) {
  std::vector<std::unique_ptr<MatrixVector>> kernels(
      static_cast<std::size_t>(team == nullptr ? 1 : team->size()));
  const auto make = [&](int t) {
    kernels[static_cast<std::size_t>(t)] = std::make_unique<MatrixVector>(kernel);
  };
  if (team == nullptr)
    make(0);
  else
    team->run_throwing(make);
  return kernels;
}

// Parts that are handed over as soon as each has been computed: by one thread that computes one after the
// other, or by a thread for each. The receiver answers with 0 byte, whose way the sender's clock takes back.
class EarlyBird : public TwoProcesses {
 public:
  explicit EarlyBird(const Point& point)
      : TwoProcesses(point, false),
        kernels_(kernels_of(point.computation->kernel(), handover_.team())),
        block_(point.computation->block()),
        products_(static_cast<std::size_t>(point.partitions), 0),
        pieces_s_(products_.size(), 0),
        handed_s_(products_.size(), 0),
        seen_s_(products_.size(), 0) {}

  int operator()(std::uint64_t i) noexcept {
    MPI_Request* const pair = requests_.next();
    if (!sender()) return receive(pair + 1, false);
    const int error = compute_and_send(i, pair);
    if (shortest_ > 0) point_.own->add_operation(std::ranges::max(pieces_s_), last_s_);
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return sender() ? Arrival{} : from_partner(); }

  // Measures what belongs to a sample of `operations` operations, of which a message takes `message_s`.
  int prepare(std::uint64_t operations, double message_s) {
    constexpr std::uint64_t most = 16;
    const auto tries = std::min(operations, most);
    seek(0);
    int error = 0;
    answer_s_ = 0;
    shortest_ = 0;
    double answer_s = mean_s(1, error, [&] { return answer_back(); }) / 2;
    for (std::uint64_t i = 1; i < tries; ++i)
      answer_s = std::min(answer_s, mean_s(1, error, [&] { return answer_back(); }) / 2);
    const double bare_s = mean_s(tries, error, [&] { return (*this)(0); }) - answer_s;
    answer_s_ = answer_s;
    shortest_ = products_of_piece(message_s, static_cast<int>(kernels_.size()), point_.partitions,
                                  block_.rate_flop_s / kernels_.front()->operations_of_one());
    double early = 0;
    for (std::uint64_t i = 0; i < tries; ++i) keep_first(error, watch(i, early));
    point_.own->add(operations, {.other_s = message_s,
                                 .bare_s = bare_s,
                                 .answer_s = answer_s,
                                 .early_share = early / static_cast<double>(tries)});
    seek(0);
    return error;
  }

 private:
  template <class Call>
  static double mean_s(std::uint64_t tries, int& error, Call call) {
    const double start_s = steady_seconds();
    for (std::uint64_t i = 0; i < tries; ++i) keep_first(error, call());
    return (steady_seconds() - start_s) / static_cast<double>(tries);
  }

  int answer() noexcept {
    return sender() ? MPI_Recv(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm(), MPI_STATUS_IGNORE)
                    : MPI_Send(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm());
  }
  // There and back.
  int answer_back() noexcept {
    int error = 0;
    if (sender()) keep_first(error, MPI_Send(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm()), "MPI_Send");
    if (!sender())
      keep_first(error, MPI_Recv(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm(), MPI_STATUS_IGNORE),
                 "MPI_Recv");
    keep_first(error, answer());
    return error;
  }

  int compute_and_send(std::uint64_t i, MPI_Request* request) noexcept {
    set_noise(i);
    int error = 0;
    keep_first(error, MPI_Start(request), "MPI_Start");
    keep_first(error, handover_.each(*request, [this](int part) { compute(part); }));
    join_s_ = std::ranges::max(handed_s_);
    keep_first(error, MPI_Wait(request, MPI_STATUS_IGNORE), "MPI_Wait");
    keep_first(error, answer());
    last_s_ = steady_seconds() - join_s_ - answer_s_;
    return error;
  }

  // On the thread of this part, if it has one.
  void compute(int part) noexcept {
    const auto at = static_cast<std::size_t>(part);
    const double start_s = steady_seconds();
    if (products_[at] > 0) kernels_[kernels_.size() == 1 ? 0 : at]->multiply(products_[at]);
    handed_s_[at] = steady_seconds();
    pieces_s_[at] = handed_s_[at] - start_s;
  }

  void set_noise(std::uint64_t i) noexcept {
    std::fill(products_.begin(), products_.end(), 0);
    if (shortest_ == 0) return;
    const auto noise = piece_noise(point_.settings, static_cast<int>(products_.size()), i);
    for (std::size_t at = 0; at < noise.size(); ++at)
      products_[at] = static_cast<std::uint64_t>(std::max(1.0, shortest_ * (1 + noise[at])));
  }

  // The side that `watches` notes when each part was there.
  int receive(MPI_Request* request, bool watches) noexcept {
    int error = 0;
    keep_first(error, MPI_Start(request), "MPI_Start");
    if (watches) keep_first(error, poll(*request));
    keep_first(error, MPI_Wait(request, MPI_STATUS_IGNORE), "MPI_Wait");
    keep_first(error, answer());
    return error;
  }
  int poll(MPI_Request request) noexcept {
    int error = 0;
    std::fill(seen_s_.begin(), seen_s_.end(), 0);
    for (std::size_t missing = seen_s_.size(); missing > 0 && error == 0;)
      for (std::size_t part = 0; part < seen_s_.size(); ++part) {
        int there = 0;
        if (seen_s_[part] > 0) continue;
        keep_first(error, MPI_Parrived(request, static_cast<int>(part), &there), "MPI_Parrived");
        if (there == 0) continue;
        seen_s_[part] = steady_seconds();
        --missing;
      }
    return error;
  }

  // An operation whose receiver looks for each part, and tells how long before its answer it saw it: so both
  // ends stand on the sender's clock.
  int watch(std::uint64_t i, double& early) noexcept {
    MPI_Request* const pair = requests_.next();
    const int parts = static_cast<int>(seen_s_.size());
    int error = 0;
    if (!sender()) {
      keep_first(error, receive(pair + 1, true));
      const double answered_s = steady_seconds();
      for (double& seen_s : seen_s_) seen_s = answered_s - seen_s;
      keep_first(error, MPI_Send(seen_s_.data(), parts, MPI_DOUBLE, partner_, tag, point_.comm()),
                 "MPI_Send");
      return error;
    }
    keep_first(error, compute_and_send(i, pair));
    const double answered_s = steady_seconds() - answer_s_;
    keep_first(error,
               MPI_Recv(seen_s_.data(), parts, MPI_DOUBLE, partner_, tag, point_.comm(), MPI_STATUS_IGNORE),
               "MPI_Recv");
    std::vector<Travel> travels;
    for (std::size_t part = 0; part < seen_s_.size(); ++part)
      travels.push_back({handed_s_[part], answered_s - seen_s_[part]});
    early += early_share(std::move(travels), join_s_);
    return error;
  }

  std::vector<std::unique_ptr<MatrixVector>> kernels_;  // one for each thread
  ComputedBlock block_;
  double shortest_ = 0;                  // products of a piece without noise; 0: nothing is computed
  std::vector<std::uint64_t> products_;  // of each piece of the operation
  std::vector<double> pieces_s_, handed_s_, seen_s_;
  double join_s_ = 0, last_s_ = 0, answer_s_ = 0;
};

// The whole message goes there and back before each sample, and once more before that without a clock.
class EarlyBirdWorkload final : public measure::Workload {
 public:
  explicit EarlyBirdWorkload(const Point& point)
      : operation_(point),
        checker_(point.checked_sides(), point.rank, point.processes),
        whole_(workload_of(mpi1().name, "PingPong")(point)),
        before_(point),
        warms_up_(point.settings.warm_up),
        times_(point.own) {}

  int run(std::uint64_t first, std::uint64_t count) noexcept override {
    operation_.seek(first);
    int error = 0;
    for (std::uint64_t i = first; i != first + count; ++i) keep_first(error, operation_(i));
    return error;
  }
  int lead_in(std::uint64_t count) noexcept override {
    int error = 0;
    if (warms_up_) keep_first(error, whole_->run(0, 1));
    const double there_and_back_s = before_.seconds(
        0, count, error, [this](std::uint64_t first, std::uint64_t n) { return whole_->run(first, n); });
    keep_first(error, operation_.prepare(count, there_and_back_s / static_cast<double>(count) / 2));
    return error;
  }
  void timed(std::uint64_t count, double seconds) noexcept override { times_->set_own(count, seconds); }
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override {
    operation_.seek(0);
    SubjectOf subject([this](std::uint64_t i) { return operation_(i); },
                      [this](std::uint64_t i) { return operation_.arrival(i); });
    return checker_.check(repetitions, subject);
  }

 private:
  EarlyBird operation_;
  Checker checker_;
  std::unique_ptr<measure::Workload> whole_;
  TimedBefore before_;
  bool warms_up_;
  OwnTimes* times_;
};

}  // namespace

std::unique_ptr<measure::Workload> open_early_bird(const Point& point) {
  return measure::make_workload<EarlyBirdWorkload>(point);
}

}  // namespace steelyard::imb
