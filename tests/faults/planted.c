// SPDX-License-Identifier: Apache-2.0
// Preloaded by a test: on one rank (-1: on all), one call goes wrong.
// STEELYARD_TEST_FAULT="KIND CALL RANK NTH [AMOUNT]":
//   error   the call returns an error without having been made: who waits for what it does waits on
//   early   the same of a call on a file of the survey; the others do not count such calls
//   full    from such a call on, which is made, writes to a file of the survey find no room
//   told    the call returns an error after it was made
//   memory  the same, of class "no memory"; MPI_Alloc_mem counts from 120 MiB on
//   kill    the process dies before the call
//   sleep   the process sleeps for AMOUNT milliseconds before the call
//   away    the directory of the file that MPI_File_open is called for gets another name before the call
//   limit   from the call on the process gets no more than AMOUNT MiB of memory
//   quota   CALL is "write": from the Nth write to a file in a scratch directory on, the quota of the disk is
//   used up
//   slow    CALL is "write": from the Nth such write on, each begins AMOUNT milliseconds later
//   count   nothing goes wrong: when the process ends, it adds to the file STEELYARD_TEST_COUNTS a line for every
//   call here that it made: CALL, how often, its rank
// STEELYARD_TEST_FAULT_ONCE=FILE: it goes wrong in one process and session alone, which makes the file.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
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
  const char* text = getenv("STEELYARD_TEST_FAULT");
  if (!read && text != NULL)
    sscanf(text, "%15s %31s %d %ld %ld", fault.kind, fault.call, &fault.rank, &fault.nth, &fault.amount);
  read = 1;
  return &fault;
}

static int own_rank(void) {
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL) rank = getenv("PMI_RANK");
  if (rank == NULL) rank = getenv("SLURM_PROCID");
  return rank == NULL ? 0 : atoi(rank);
}

static int is(const char* kind) {
  return strcmp(planned()->kind, kind) == 0;
}

// Whether the file that the fault waits for is there, if it waits for one.
static int has_begun(void) {
  static int begun = 0;
  const char* file = getenv("STEELYARD_TEST_FAULT_AFTER");
  if (!begun) begun = file == NULL || access(file, F_OK) == 0;
  return begun;
}

// Whether the file that was opened last is one of the survey, which is not what the fault is meant for.
static int surveying = 0;

static int of_survey(const char* call) {
  return surveying && strncmp(call, "MPI_File_", 9) == 0;
}

static int meant_for_survey(void) {
  return is("early") || is("full");
}

// Whether writes to files of the survey find no room any more.
static int is_full = 0;

enum { most_calls = 64 };

static struct {
  const char* call;
  long times;
} counted[most_calls];

static void count(const char* call) {
  for (int i = 0; i < most_calls; ++i) {
    if (counted[i].call != NULL && strcmp(counted[i].call, call) != 0) continue;
    counted[i].call = call;
    ++counted[i].times;
    return;
  }
}

static void write_counts(void) {
  FILE* file = fopen(getenv("STEELYARD_TEST_COUNTS"), "a");
  if (file == NULL) abort();
  for (int i = 0; i < most_calls && counted[i].call != NULL; ++i)
    fprintf(file, "%s %ld %d\n", counted[i].call, counted[i].times, own_rank());
  fclose(file);
}

// How often the call was reached on the rank of the fault since; 0 for others. Every answer counts one.
static long times(const char* call) {
  static long seen = 0;
  const struct fault* fault = planned();
  const int here =
      (fault->rank < 0 || fault->rank == own_rank()) && has_begun() && of_survey(call) == meant_for_survey();
  if (here && is("count")) count(call);
  return here && strcmp(call, fault->call) == 0 ? ++seen : 0;
}

// Whether it has not gone wrong before, where it may only once.
static int is_first(void) {
  const char* file = getenv("STEELYARD_TEST_FAULT_ONCE");
  const int made = file == NULL ? -1 : open(file, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (made >= 0) close(made);
  return file == NULL || made >= 0;
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

static int is_due(const char* call) {
  return planned()->nth != 0 && times(call) == planned()->nth && is_first();
}

static int happens(const char* call) {
  if (!is_due(call)) return MPI_SUCCESS;
  if (is("kill")) raise(SIGKILL);
  if (is("memory")) return MPI_ERR_NO_MEM;
  if (is("error") || is("early")) return MPI_ERR_OTHER;
  if (is("sleep")) nap(planned()->amount);
  if (is("limit")) limit_memory(planned()->amount);
  if (is("full")) is_full = 1;
  return MPI_SUCCESS;
}

// What a call that was made with `code` answers.
static int answer(const char* call, int code) {
  return is("told") && is_due(call) ? MPI_ERR_OTHER : code;
}

// Stands for NAME(ARGUMENTS), called with VALUES.
#define PLANTED(name, arguments, ...)                                        \
  int name arguments {                                                       \
    const int code = is("told") ? MPI_SUCCESS : happens(#name);              \
    return code != MPI_SUCCESS ? code : answer(#name, P##name(__VA_ARGS__)); \
  }

PLANTED(MPI_Barrier, (MPI_Comm comm), comm)
PLANTED(MPI_Send, (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), data,
        count, type, to, tag, comm)
PLANTED(MPI_Recv,
        (void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status),
        data, count, type, from, tag, comm, status)
PLANTED(MPI_Isend,
        (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
         MPI_Request* request),
        data, count, type, to, tag, comm, request)
PLANTED(MPI_Irecv,
        (void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request),
        data, count, type, from, tag, comm, request)
PLANTED(MPI_Sendrecv_replace,
        (void* data, int count, MPI_Datatype type, int to, int out_tag, int from, int in_tag, MPI_Comm comm,
         MPI_Status* status),
        data, count, type, to, out_tag, from, in_tag, comm, status)
PLANTED(MPI_Waitall, (int count, MPI_Request* requests, MPI_Status* statuses), count, requests, statuses)
PLANTED(MPI_Bcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm), data, count, type,
        root, comm)
PLANTED(MPI_Ibcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request),
        data, count, type, root, comm, request)
PLANTED(MPI_Allreduce, (const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
        in, out, count, type, op, comm)
PLANTED(MPI_Alltoall,
        (const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
         MPI_Comm comm),
        out, out_count, out_type, in, in_count, in_type, comm)
PLANTED(MPI_Alltoallv,
        (const void* out, const int* out_counts, const int* out_at, MPI_Datatype out_type, void* in,
         const int* in_counts, const int* in_at, MPI_Datatype in_type, MPI_Comm comm),
        out, out_counts, out_at, out_type, in, in_counts, in_at, in_type, comm)
PLANTED(MPI_Win_create, (void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* window),
        base, size, unit, info, comm, window)
PLANTED(MPI_Win_fence, (int assertion, MPI_Win window), assertion, window)
PLANTED(MPI_File_sync, (MPI_File file), file)
PLANTED(MPI_File_set_view,
        (MPI_File file, MPI_Offset at, MPI_Datatype element, MPI_Datatype type, const char* representation,
         MPI_Info info),
        file, at, element, type, representation, info)

// Processes meet by exchanges of one integer, as many as the state of the machine asks for: none is counted.
int MPI_Sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in,
                 int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                 MPI_Status* status) {
  const int counts = out_type != MPI_INT;
  const int code = counts && !is("told") ? happens("MPI_Sendrecv") : MPI_SUCCESS;
  if (code != MPI_SUCCESS) return code;
  const int made =
      PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status);
  return counts ? answer("MPI_Sendrecv", made) : made;
}

int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void* base) {
  const int code = bytes >= large_byte ? happens("MPI_Alloc_mem") : MPI_SUCCESS;
  return code != MPI_SUCCESS ? code : PMPI_Alloc_mem(bytes, info, base);
}

int MPI_File_write_at(MPI_File file, MPI_Offset at, const void* data, int count, MPI_Datatype type,
                      MPI_Status* status) {
  if (is_full && of_survey("MPI_File_write_at")) return MPI_ERR_NO_SPACE;
  return PMPI_File_write_at(file, at, data, count, type, status);
}

static void move_away(const char* file) {
  char here[4096], there[4096 + 8];
  snprintf(here, sizeof here, "%s", file);
  *strrchr(here, '/') = 0;
  snprintf(there, sizeof there, "%s.away", here);
  if (rename(here, there) != 0) abort();
}

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
  surveying = strstr(name, "/.steelyard-survey-") != NULL;
  const int away = is("away");
  if (away && is_due("MPI_File_open")) move_away(name);
  const int code = away ? MPI_SUCCESS : happens("MPI_File_open");
  return code != MPI_SUCCESS ? code : PMPI_File_open(comm, name, mode, info, file);
}

int MPI_Finalize(void) {
  if (is("kill")) happens("MPI_Finalize");
  if (is("count") && (planned()->rank < 0 || planned()->rank == own_rank())) write_counts();
  return PMPI_Finalize();
}

static int out_of_quota(int descriptor) {
  char link[64], path[4096];
  if (!is("quota") && !is("slow")) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (strstr(path, "/steelyard-scratch-") == NULL || times("write") < planned()->nth) return 0;
  errno = EDQUOT;
  if (is("slow")) nap(planned()->amount);
  return is("quota");
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
