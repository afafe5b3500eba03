// SPDX-License-Identifier: Apache-2.0
#include "tests/imb/interposed_costs.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>

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

}  // namespace

void make_transfers(Transfer kind, double seconds) {
  costs() = {.kind = kind, .seconds = seconds};
}

}  // namespace steelyard::imb::test

using steelyard::imb::test::begin;
using steelyard::imb::test::costs;
using steelyard::imb::test::wait;

extern "C" {
int MPI_File_write(MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Status* status) {
  begin();
  wait();
  return PMPI_File_write(file, data, count, type, status);
}

int MPI_File_iwrite(MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Request* request) {
  begin();
  return PMPI_File_iwrite(file, data, count, type, request);
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
