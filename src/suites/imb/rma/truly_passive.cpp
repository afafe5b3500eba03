// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/rma/truly_passive.hpp"

#include <algorithm>

#include "measure/failure.hpp"
#include "mpi/error.hpp"
#include "suites/imb/computation.hpp"
#include "suites/imb/rma/moves.hpp"
#include "suites/imb/schedule.hpp"

namespace steelyard::imb {
namespace {

// The small product of later releases: a block of it can be as short as a put.
constexpr int order_of_products = 10;

class Products final : public BesideBlock {
 public:
  [[nodiscard]] double prepare(Seconds target) override {
    computation_.prepare(order_of_products, target);
    block_ = rescale(computation_.kernel(), computation_.block(), target, steady_seconds);
    return block_.seconds;
  }
  void run() noexcept override { computation_.kernel().multiply(block_.products); }

 private:
  Computation computation_;
  ComputedBlock block_;
};

}  // namespace

std::unique_ptr<BesideBlock> beside_block() {
  return std::make_unique<Products>();
}

struct TrulyPassivePut::State {
  explicit State(const Point& point)
      : side(point), comm(point.comm), is_origin(point.rank == 0), loop(Repetition(this)) {}

  PassiveSide<PairMove<Direction::put>> side;
  MPI_Comm comm;
  bool is_origin;
  BesideBlock* block = nullptr;  // of a target that computes

  class Repetition {
   public:
    explicit Repetition(State* state) : state_(state) {}
    int operator()(std::uint64_t i) noexcept { return state_->repeat(i); }
    void seek(std::uint64_t i) noexcept { state_->side.seek(i); }

   private:
    State* state_;
  };
  measure::Loop<Repetition> loop;

  int put(std::uint64_t i) noexcept {
    int error = MPI_SUCCESS;
    measure::keep_first(error, side.start(i));
    measure::keep_first(error, side.complete());
    return error;
  }
  int repeat(std::uint64_t i) noexcept {
    if (block != nullptr) block->run();
    int error = put(i);
    measure::keep_first(error, MPI_Barrier(comm));
    return error;
  }
  // Puts one after the other, the target in the barrier that follows them; without it.
  int put_alone(std::uint64_t repetitions, double& seconds) noexcept {
    int error = MPI_SUCCESS;
    const double start = steady_seconds();
    for (std::uint64_t i = 0; i < repetitions; ++i) measure::keep_first(error, put(i));
    seconds = steady_seconds() - start;
    measure::keep_first(error, MPI_Barrier(comm));
    return error;
  }
  int repeat_timed(std::uint64_t repetitions, double& seconds) noexcept {
    int error = MPI_SUCCESS;
    measure::keep_first(error, MPI_Barrier(comm));
    const double start = steady_seconds();
    measure::keep_first(error, loop.run(0, repetitions));
    seconds = steady_seconds() - start;
    return error;
  }
};

TrulyPassivePut::TrulyPassivePut(const Point& point) : state_(std::make_unique<State>(point)) {}
TrulyPassivePut::~TrulyPassivePut() = default;

PassiveTimes TrulyPassivePut::prepare(const mpi::Communicator& group, BesideBlock& block,
                                      std::uint64_t repetitions, Seconds longest) {
  state_->block = nullptr;
  int error = MPI_SUCCESS;
  double first_s = 0, pure_s = 0, put_s = 0;
  measure::keep_first(error, state_->repeat_timed(1, first_s));
  const double fits = std::max(1.0, longest.value() / std::max(group.broadcast(first_s), 1e-9));
  const auto count = fits < static_cast<double>(repetitions) ? static_cast<std::uint64_t>(fits) : repetitions;
  measure::keep_first(error, state_->repeat_timed(count, pure_s));
  measure::keep_first(error, state_->put_alone(count, put_s));
  measure::all_or_none(group, [error] { mpi::check(error, "Truly_passive_put"); });
  PassiveTimes times{pure_s / static_cast<double>(count), put_s / static_cast<double>(count), 0};
  times = group.broadcast(times);
  if (!state_->is_origin) {
    times.block_s = block.prepare(Seconds{times.pure_s});
    state_->block = &block;
  }
  return group.broadcast(times, group.size() - 1);
}

int TrulyPassivePut::run(std::uint64_t first, std::uint64_t count) noexcept {
  return state_->loop.run(first, count);
}

// How long the target computes changes nothing of what arrives, nor does a barrier behind the put.
std::optional<measure::CheckResult> TrulyPassivePut::verify(std::uint64_t repetitions) {
  return state_->side.verify(repetitions);
}

double passive_progress(const PassiveTimes& times, double overlapped_s) {
  if (!(times.put_s > 0)) return 0;
  return std::clamp((times.pure_s + times.block_s - overlapped_s) / times.put_s, 0.0, 1.0);
}

std::unique_ptr<measure::Workload> open(Named<"rma/Truly_passive_put">, const Point& point) {
  return std::make_unique<TrulyPassivePut>(point);
}

}  // namespace steelyard::imb
