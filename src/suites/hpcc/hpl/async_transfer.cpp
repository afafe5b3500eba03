// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/async_transfer.hpp"

#include <thread>
#include <utility>

#include "mpi/error.hpp"
#include "mpi/handle.hpp"

namespace steelyard::hpcc::hpl {
namespace {

bool complete(std::span<MPI_Request> requests) {
  int all = 0;
  mpi::check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &all, MPI_STATUSES_IGNORE),
             "MPI_Testall");
  return all != 0;
}

void yield_to(const std::function<void()>& between) {
  if (between) between();
  std::this_thread::yield();
}

}  // namespace

void AsyncTransfer::start(Steps steps, Load load) {
  steps_ = std::move(steps);
  load_ = std::move(load);
  at_ = 0;
  if (!done()) begin_step();
}

void AsyncTransfer::follow(MPI_Request request) {
  steps_.assign(1, {});
  at_ = 0;
  requests_.assign(1, request);
}

void AsyncTransfer::begin_step() {
  requests_.clear();
  for (const auto& transfer : steps_[at_]) {
    if (transfer.count == 0) continue;
    double* const data = load_.data + transfer.first * load_.unit;
    const int count = mpi::to_int(transfer.count * load_.unit);
    const int partner = load_.ranks[static_cast<std::size_t>(transfer.partner)];
    MPI_Request request = MPI_REQUEST_NULL;
    if (transfer.direction == Direction::receive)
      mpi::check(MPI_Irecv(data, count, MPI_DOUBLE, partner, load_.tag, load_.comm, &request), "MPI_Irecv");
    else
      mpi::check(MPI_Isend(data, count, MPI_DOUBLE, partner, load_.tag, load_.comm, &request), "MPI_Isend");
    requests_.push_back(request);
  }
}

bool AsyncTransfer::advance() {
  while (!done()) {
    if (!complete(requests_)) return false;
    if (++at_ < steps_.size()) begin_step();
  }
  return true;
}

void AsyncTransfer::finish(const std::function<void()>& between) {
  while (!advance()) yield_to(between);
}

void wait_for(std::span<MPI_Request> requests, const std::function<void()>& between) {
  while (!complete(requests)) yield_to(between);
}

std::vector<int> ranks_from(int first, int size) {
  std::vector<int> ranks;
  for (int distance = 0; distance < size; ++distance) ranks.push_back((first + distance) % size);
  return ranks;
}

}  // namespace steelyard::hpcc::hpl
