/* SPDX-License-Identifier: Apache-2.0
   Preloaded by a test: every received vector of an Allreduce arrives with one wrong byte, and so does every
   message of 2048 byte of an Alltoallv. */
#include <mpi.h>

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const int code = PMPI_Allreduce(send, receive, count, type, op, comm);
  /* What the program itself agrees on is small; the benchmark's vectors are floats. */
  if (type == MPI_FLOAT && count > 0) ((unsigned char*)receive)[0] ^= 1;
  return code;
}

int MPI_Alltoallv(const void* send, const int* send_counts, const int* send_at, MPI_Datatype send_type,
                  void* receive, const int* counts, const int* at, MPI_Datatype type, MPI_Comm comm) {
  const int code = PMPI_Alltoallv(send, send_counts, send_at, send_type, receive, counts, at, type, comm);
  int size = 0;
  PMPI_Comm_size(comm, &size);
  for (int rank = 0; rank < size; ++rank)
    if (type == MPI_BYTE && counts[rank] == 2048) ((unsigned char*)receive)[at[rank]] ^= 1;
  return code;
}
