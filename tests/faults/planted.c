// SPDX-License-Identifier: Apache-2.0
// Preloaded by a test: on one rank (-1: on all), one call goes wrong.
// STEELYARD_FAULT="KIND CALL RANK NTH [MILLISECONDS]":
//   error   the call returns an error without having been made
//   memory  the same, of class "no memory"; MPI_Alloc_mem and mmap count from 120 MiB on
//   kill    the process dies before the call
//   sleep   the process sleeps before the call
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { large_byte = 120 << 20 };

struct fault {
  char kind[16], call[32];
  int rank;
  long nth, milliseconds;
};

static const struct fault* planned(void) {
  static struct fault fault;
  static int read = 0;
  const char* text = getenv("STEELYARD_FAULT");
  if (!read && text != NULL)
    sscanf(text, "%15s %31s %d %ld %ld", fault.kind, fault.call, &fault.rank, &fault.nth, &fault.milliseconds);
  read = 1;
  return &fault;
}

static int own_rank(void) {
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL) rank = getenv("PMI_RANK");
  return rank == NULL ? 0 : atoi(rank);
}

static int is(const char* kind) { return strcmp(planned()->kind, kind) == 0; }

// Whether this is the call; every answer counts one.
static int hit(const char* call) {
  static long seen = 0;
  const struct fault* fault = planned();
  const int here = fault->rank < 0 || fault->rank == own_rank();
  return here && strcmp(call, fault->call) == 0 && ++seen == fault->nth;
}

static int happens(const char* call) {
  if (!hit(call)) return MPI_SUCCESS;
  if (is("kill")) raise(SIGKILL);
  if (is("sleep")) {
    const long ms = planned()->milliseconds;
    const struct timespec nap = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&nap, NULL);
    return MPI_SUCCESS;
  }
  return is("memory") ? MPI_ERR_NO_MEM : MPI_ERR_OTHER;
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const int code = happens("MPI_Recv");
  return code != MPI_SUCCESS ? code : PMPI_Recv(data, count, type, from, tag, comm, status);
}

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
                 MPI_Comm comm) {
  const int code = happens("MPI_Alltoall");
  const int made = PMPI_Alltoall(send, send_count, send_type, receive, count, type, comm);
  return code != MPI_SUCCESS ? code : made;  // the other ranks wait for this one
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const int code = happens("MPI_Bcast");
  return code != MPI_SUCCESS ? code : PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void* base) {
  const int code = bytes >= large_byte ? happens("MPI_Alloc_mem") : MPI_SUCCESS;
  return code != MPI_SUCCESS ? code : PMPI_Alloc_mem(bytes, info, base);
}

int MPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* window) {
  const int code = happens("MPI_Win_create");
  return code != MPI_SUCCESS ? code : PMPI_Win_create(base, size, unit, info, comm, window);
}

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
  const int code = happens("MPI_File_open");
  return code != MPI_SUCCESS ? code : PMPI_File_open(comm, name, mode, info, file);
}

void* mmap(void* wish, size_t bytes, int protection, int flags, int file, off_t offset) {
  static void* (*map)(void*, size_t, int, int, int, off_t) = NULL;
  if (map == NULL) *(void**)&map = dlsym(RTLD_NEXT, "mmap");
  const int large = (flags & MAP_ANONYMOUS) != 0 && file == -1 && bytes >= large_byte;
  if (large && is("memory") && hit("mmap")) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return map(wish, bytes, protection, flags, file, offset);
}
