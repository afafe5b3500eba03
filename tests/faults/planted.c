// SPDX-License-Identifier: Apache-2.0
// Preloaded by a test: on one rank (-1: on all), one call goes wrong.
// STEELYARD_FAULT="KIND CALL RANK NTH [AMOUNT]":
//   error   the call returns an error without having been made
//   memory  the same, of class "no memory"; MPI_Alloc_mem counts from 120 MiB on
//   kill    the process dies before the call
//   sleep   the process sleeps for AMOUNT milliseconds before the call
//   away    the directory of the file that MPI_File_open is called for gets another name before the call
//   limit   from the call on the process gets no more than AMOUNT MiB of memory
//   quota   CALL is "write": from the Nth write to a file in a directory "io" on, the quota of the disk is
//   used up
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { large_byte = 120 << 20 };

struct fault {
  char kind[16], call[32];
  int rank;
  long nth, amount;
};

static const struct fault* planned(void) {
  static struct fault fault;
  static int read = 0;
  const char* text = getenv("STEELYARD_FAULT");
  if (!read && text != NULL)
    sscanf(text, "%15s %31s %d %ld %ld", fault.kind, fault.call, &fault.rank, &fault.nth, &fault.amount);
  read = 1;
  return &fault;
}

static int own_rank(void) {
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL) rank = getenv("PMI_RANK");
  return rank == NULL ? 0 : atoi(rank);
}

static int is(const char* kind) { return strcmp(planned()->kind, kind) == 0; }

// How often the call was reached on the rank of the fault; 0 for others. Every answer counts one.
static long times(const char* call) {
  static long seen = 0;
  const struct fault* fault = planned();
  const int here = fault->rank < 0 || fault->rank == own_rank();
  return here && strcmp(call, fault->call) == 0 ? ++seen : 0;
}

static void nap(long milliseconds) {
  const struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static void limit_memory(long mebibyte) {
  long pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld", &pages) != 1) abort();
  fclose(file);
  const rlim_t most = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + (mebibyte << 20));
  const struct rlimit limit = {.rlim_cur = most, .rlim_max = most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) abort();
}

static int is_due(const char* call) { return planned()->nth != 0 && times(call) == planned()->nth; }

static int happens(const char* call) {
  if (!is_due(call)) return MPI_SUCCESS;
  if (is("kill")) raise(SIGKILL);
  if (is("memory")) return MPI_ERR_NO_MEM;
  if (is("error")) return MPI_ERR_OTHER;
  if (is("sleep")) nap(planned()->amount);
  if (is("limit")) limit_memory(planned()->amount);
  return MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm comm) {
  const int code = happens("MPI_Barrier");
  return code != MPI_SUCCESS ? code : PMPI_Barrier(comm);
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const int code = happens("MPI_Recv");
  return code != MPI_SUCCESS ? code : PMPI_Recv(data, count, type, from, tag, comm, status);
}

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count,
                 MPI_Datatype type, MPI_Comm comm) {
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

static void move_away(const char* file) {
  char here[4096], there[4096 + 8];
  snprintf(here, sizeof here, "%s", file);
  *strrchr(here, '/') = 0;
  snprintf(there, sizeof there, "%s.away", here);
  if (rename(here, there) != 0) abort();
}

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
  const int away = is("away");
  if (away && is_due("MPI_File_open")) move_away(name);
  const int code = away ? MPI_SUCCESS : happens("MPI_File_open");
  return code != MPI_SUCCESS ? code : PMPI_File_open(comm, name, mode, info, file);
}

static int out_of_quota(int descriptor) {
  char link[64], path[4096];
  if (!is("quota")) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (strstr(path, "/io/") == NULL || times("write") < planned()->nth) return 0;
  errno = EDQUOT;
  return 1;
}

ssize_t write(int descriptor, const void* data, size_t bytes) {
  return out_of_quota(descriptor) ? -1 : syscall(SYS_write, descriptor, data, bytes);
}
ssize_t pwrite(int descriptor, const void* data, size_t bytes, off_t offset) {
  return out_of_quota(descriptor) ? -1 : syscall(SYS_pwrite64, descriptor, data, bytes, offset);
}
ssize_t pwrite64(int descriptor, const void* data, size_t bytes, off_t offset) {
  return pwrite(descriptor, data, bytes, offset);
}
ssize_t writev(int descriptor, const struct iovec* parts, int count) {
  return out_of_quota(descriptor) ? -1 : syscall(SYS_writev, descriptor, parts, count);
}
ssize_t pwritev(int descriptor, const struct iovec* parts, int count, off_t offset) {
  return out_of_quota(descriptor) ? -1 : syscall(SYS_pwritev, descriptor, parts, count, offset, 0);
}
ssize_t pwritev64(int descriptor, const struct iovec* parts, int count, off_t offset) {
  return pwritev(descriptor, parts, count, offset);
}
