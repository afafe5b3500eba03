/* SPDX-License-Identifier: Apache-2.0
   Preloaded by a test: every received vector of an Allreduce arrives with one wrong byte. */
#include <mpi.h>

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int code = PMPI_Allreduce(send, receive, count, type, op, comm);
  /* What the program itself agrees on is small; the benchmark's vectors are floats. */
  if (type == MPI_FLOAT && count > 0) ((unsigned char*)receive)[0] ^= 1;
  return code;
}
