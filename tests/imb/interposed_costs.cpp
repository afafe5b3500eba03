// SPDX-License-Identifier: Apache-2.0
#include "tests/imb/interposed_costs.hpp"

#include <mpi.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>

namespace steelyard::imb::test {
namespace {

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Costs {
  Transfer kind = Transfer::free;
  double seconds = 0;
  double ready_s = 0;  // when what was started last has arrived
};

Costs& costs() {
  static Costs instance;
  return instance;
}

void spin_until(double time_s) {
  while (now_s() < time_s) {
  }
}

void begin() {
  Costs& all = costs();
  all.ready_s = all.kind == Transfer::late ? 0 : now_s() + all.seconds;
  if (all.kind == Transfer::blocking) spin_until(all.ready_s);
}

void wait() {
  Costs& all = costs();
  spin_until(all.kind == Transfer::late ? now_s() + all.seconds : all.ready_s);
}

int tell_elements(void* count, MPI_Status* status) {
  MPI_Status_set_cancelled(status, 0);
  return MPI_Status_set_elements(status, MPI_BYTE, static_cast<int>(reinterpret_cast<std::intptr_t>(count)));
}
int forget(void*) {
  return MPI_SUCCESS;
}
int cancel(void*, int) {
  return MPI_SUCCESS;
}

}  // namespace

void make_transfers(Transfer kind, double seconds) {
  costs() = {.kind = kind, .seconds = seconds};
}

}  // namespace steelyard::imb::test

using steelyard::imb::test::begin;
using steelyard::imb::test::cancel;
using steelyard::imb::test::forget;
using steelyard::imb::test::tell_elements;
using steelyard::imb::test::wait;

extern "C" {
// All clocks show the time of this thread on its processor: others that use it too change nothing.
int clock_gettime(clockid_t clock, timespec* time) {
  const clockid_t shown = clock == CLOCK_MONOTONIC ? CLOCK_THREAD_CPUTIME_ID : clock;
  return static_cast<int>(::syscall(SYS_clock_gettime, shown, time));
}

int MPI_File_write(MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Status* status) {
  begin();
  wait();
  return PMPI_File_write(file, data, count, type, status);
}

// The data are moved at once, so that only what was asked for takes time.
int MPI_File_iwrite(MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Request* request) {
  begin();
  const int code = PMPI_File_write(file, data, count, type, MPI_STATUS_IGNORE);
  MPI_Grequest_start(tell_elements, forget, cancel, reinterpret_cast<void*>(std::intptr_t{count}), request);
  MPI_Grequest_complete(*request);
  return code;
}

int MPI_Iallreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  const int code = PMPI_Iallreduce(from, to, count, type, op, comm, request);
  begin();
  return code;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  wait();
  return PMPI_Wait(request, status);
}
}
