/* SPDX-License-Identifier: Apache-2.0
   Preloaded by a test: the last byte of every message of this many bytes arrives wrong by MPI_Sendrecv. */
#include <mpi.h>

enum { spoilt = 4096 };

int MPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void* receive, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 MPI_Status* status) {
  const int code =
      PMPI_Sendrecv(send, send_count, send_type, to, send_tag, receive, count, type, from, tag, comm, status);
  if (type == MPI_BYTE && count == spoilt && from != MPI_PROC_NULL) ((unsigned char*)receive)[count - 1] ^= 1;
  return code;
}
