// SPDX-License-Identifier: Apache-2.0
#include "measure/engine.hpp"

#include <mpi.h>

#include <atomic>
#include <utility>

#include "measure/block.hpp"
#include "measure/probe.hpp"
#include "measure/wtime.hpp"
#include "mpi/error.hpp"

namespace steelyard::measure {

struct Engine::Impl {
  Impl(Timer* with, EngineOptions how, StopRequest when)
      : timer(with), options(std::move(how)), stop(std::move(when)) {}

  Timer* timer;
  EngineOptions options;
  StopRequest stop;
  EngineAccount account{};
  std::vector<EngineNotice> notices{};
  bool told_of_shared_memory = false;
  std::uint64_t blocks = 0;
  std::atomic<std::int64_t> in_flight{-1};
  bool spoilt = false;
  std::vector<std::size_t> left_out{};

  bool run(Block& block) {
    try {
      const bool stopped = block.run();
      in_flight = -1;
      return stopped;
    } catch (const std::exception& error) {  // here, while the block still holds what it has
      if (options.when_lost) options.when_lost(error);
      throw;
    }
  }
  /// What holds for all blocks of a session alike is told of the first one.
  void take(std::vector<EngineNotice>& of_block) {
    for (EngineNotice& notice : of_block) {
      const bool is_known = notice.code == "shared_memory" && std::exchange(told_of_shared_memory, true);
      if (!is_known) notices.push_back(std::move(notice));
    }
  }
  void add(const EngineAccount& block, double wall_s) {
    account.timed_s += block.timed_s;
    account.warmup_s += block.warmup_s;
    account.overhead_s += wall_s - block.timed_s - block.warmup_s;
    account.visits += block.visits;
    account.migrated_visits += block.migrated_visits;
  }
};

Engine::Engine(Timer& timer, EngineOptions options, StopRequest stop)
    : impl_(std::make_unique<Impl>(&timer, std::move(options), std::move(stop))) {}

Engine::~Engine() = default;

bool Engine::measure(const Team& team, std::span<const Task> tasks, const Sink& sink, const Keep& keep) {
  const Ticks start = impl_->timer->now();
  // A process that took no part in an earlier block has counted fewer blocks.
  const std::uint64_t number = team.active.broadcast(impl_->blocks);
  impl_->blocks = number + 1;
  const Block::Context context{&team, impl_->timer, &impl_->options,   &impl_->stop,
                               &sink, &keep,        &impl_->in_flight, number};
  Block block(context, tasks);
  const bool stopped = impl_->run(block);
  impl_->add(block.account(), impl_->timer->seconds(impl_->timer->now() - start));
  impl_->spoilt = block.spoilt();
  impl_->left_out = block.left_out();
  impl_->take(block.notices());
  return stopped;
}

bool Engine::stop_requested() const {
  return impl_->stop && impl_->stop();
}

bool Engine::spoilt() const {
  return impl_->spoilt;
}

std::span<const std::size_t> Engine::left_out() const {
  return impl_->left_out;
}

std::int64_t Engine::in_flight() const {
  return impl_->in_flight;
}

EngineAccount Engine::account() const {
  return impl_->account;
}

std::vector<EngineNotice> Engine::take_notices() {
  return std::exchange(impl_->notices, {});
}

ClockQuality calibrate(const Timer& timer, const std::string& source, const mpi::Communicator& comm) {
  spin_up();
  comm.barrier();
  ClockQuality merged = calibrate(timer, source);
  if (source == wtime_name) merged.tick_claimed_s = MPI_Wtick();
  merged.cost_s = comm.max(merged.cost_s);
  merged.cost_min_s = comm.min(merged.cost_min_s);
  merged.resolution_s = comm.max(merged.resolution_s);
  merged.back_to_back_s = comm.max(merged.back_to_back_s);
  merged.detour_share = comm.max(merged.detour_share);
  merged.detour_max_s = comm.max(merged.detour_max_s);
  merged.tick_claimed_s = comm.max(merged.tick_claimed_s);
  merged.backwards = comm.max(merged.backwards);
  return merged;
}

RawMemory mpi_memory() {
  const auto take = [](std::int64_t bytes) {
    void* memory = nullptr;
    mpi::check(MPI_Alloc_mem(bytes, MPI_INFO_NULL, static_cast<void*>(&memory)), "MPI_Alloc_mem");
    return static_cast<std::byte*>(memory);
  };
  return {take, [](std::byte* memory, std::int64_t) { MPI_Free_mem(memory); }};
}

}  // namespace steelyard::measure
