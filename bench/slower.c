// SPDX-License-Identifier: Apache-2.0
// Preloaded: everything that the first process does between two of its calls takes longer by STEELYARD_BENCH_SLOWER, a ratio.
// Of the last two intervals the shorter one counts, so that pauses between batches are not lengthened.
#include <mpi.h>
#include <stdlib.h>

static double ratio(void) {
  static double known = -1;
  if (known < 0) {
    const char* word = getenv("STEELYARD_BENCH_SLOWER");
    int rank = -1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    known = word != NULL && rank == 0 ? atof(word) : 0;
  }
  return known;
}

static void delay(void) {
  static double last_s = 0, before_s = 0;
  if (ratio() <= 0) return;
  const double now_s = PMPI_Wtime(), interval_s = now_s - last_s;
  const double shorter_s = interval_s < before_s ? interval_s : before_s;
  before_s = interval_s;
  while (PMPI_Wtime() - now_s < ratio() * shorter_s) continue;
  last_s = PMPI_Wtime();
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  delay();
  return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Sendrecv(const void* out, int sent, MPI_Datatype out_type, int to, int out_tag, void* in,
                 int received, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                 MPI_Status* status) {
  delay();
  return PMPI_Sendrecv(out, sent, out_type, to, out_tag, in, received, in_type, from, in_tag, comm, status);
}

int MPI_Allreduce(const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  delay();
  return PMPI_Allreduce(out, in, count, type, op, comm);
}
