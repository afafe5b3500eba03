// SPDX-License-Identifier: Apache-2.0
// Preloaded by a test: counts what the program makes in the MPI library and gives back, and at MPI_Finalize
// writes a line "kind made kept" per kind to the file STEELYARD_TEST_HANDLES.RANK. STEELYARD_TEST_LOSE=kind: the first
// of this kind is not given back. What a suite begins to use belongs here too: what is given back unseen
// makes the number kept negative.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { communicators, types, operations, infos, windows, files, memory, requests, kinds };

static const char* const names[kinds] = {"communicators", "types", "operations", "infos",
                                         "windows",       "files", "memory",     "requests"};
static long made[kinds], kept[kinds];

static int make(enum kind kind, int code) {
  if (code != MPI_SUCCESS) return code;
  ++made[kind];
  ++kept[kind];
  return code;
}

static int give_back(enum kind kind, int code) {
  if (code == MPI_SUCCESS) --kept[kind];
  return code;
}

// MPICH makes parts of a type by its own public functions and gives them back by others.
static int is_ours(void* caller) {
  Dl_info object;
  return dladdr(caller, &object) == 0 || strstr(object.dli_fname, "/libmpi") == NULL;
}
static int make_type(void* caller, int code) {
  return is_ours(caller) ? make(types, code) : code;
}

static int is_lost(enum kind kind) {
  static int before = 0;
  const char* lost = getenv("STEELYARD_TEST_LOSE");
  return lost != NULL && strcmp(lost, names[kind]) == 0 && before++ == 0;
}

static void report(void) {
  const char* stem = getenv("STEELYARD_TEST_HANDLES");
  char path[4096];
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(path, sizeof path, "%s.%d", stem == NULL ? "handles" : stem, rank);
  FILE* file = fopen(path, "w");
  if (file == NULL) abort();
  for (int kind = 0; kind < kinds; ++kind) fprintf(file, "%s %ld %ld\n", names[kind], made[kind], kept[kind]);
  fclose(file);
}

int MPI_Finalize(void) {
  report();
  return PMPI_Finalize();
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  return make(communicators, PMPI_Comm_dup(comm, copy));
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  return make(communicators, PMPI_Comm_split_type(comm, type, key, info, part));
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* part) {
  const int code = PMPI_Comm_split(comm, color, key, part);
  return *part == MPI_COMM_NULL ? code : make(communicators, code);
}
int MPI_Cart_create(MPI_Comm comm, int dimensions, const int* sizes, const int* periods, int reorder,
                    MPI_Comm* grid) {
  const int code = PMPI_Cart_create(comm, dimensions, sizes, periods, reorder, grid);
  return *grid == MPI_COMM_NULL ? code : make(communicators, code);
}
int MPI_Comm_free(MPI_Comm* comm) {
  return is_lost(communicators) ? MPI_SUCCESS : give_back(communicators, PMPI_Comm_free(comm));
}

int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype* type) {
  return make_type(__builtin_return_address(0), PMPI_Type_contiguous(count, old, type));
}
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype* type) {
  return make_type(__builtin_return_address(0), PMPI_Type_vector(count, length, stride, old, type));
}
int MPI_Type_create_struct(int count, const int* lengths, const MPI_Aint* at, const MPI_Datatype* old,
                           MPI_Datatype* type) {
  return make_type(__builtin_return_address(0), PMPI_Type_create_struct(count, lengths, at, old, type));
}
int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint from, MPI_Aint extent, MPI_Datatype* type) {
  return make_type(__builtin_return_address(0), PMPI_Type_create_resized(old, from, extent, type));
}
int MPI_Type_create_darray(int size, int rank, int dimensions, const int* sizes, const int* kinds_of,
                           const int* arguments, const int* grid, int order, MPI_Datatype old,
                           MPI_Datatype* type) {
  return make_type(
      __builtin_return_address(0),
      PMPI_Type_create_darray(size, rank, dimensions, sizes, kinds_of, arguments, grid, order, old, type));
}
int MPI_Type_free(MPI_Datatype* type) {
  if (!is_ours(__builtin_return_address(0))) return PMPI_Type_free(type);
  return is_lost(types) ? MPI_SUCCESS : give_back(types, PMPI_Type_free(type));
}

int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* operation) {
  return make(operations, PMPI_Op_create(function, commutes, operation));
}
int MPI_Op_free(MPI_Op* operation) {
  return is_lost(operations) ? MPI_SUCCESS : give_back(operations, PMPI_Op_free(operation));
}

int MPI_Info_create(MPI_Info* info) {
  return make(infos, PMPI_Info_create(info));
}
int MPI_File_get_info(MPI_File file, MPI_Info* info) {
  return make(infos, PMPI_File_get_info(file, info));
}
int MPI_Info_free(MPI_Info* info) {
  return is_lost(infos) ? MPI_SUCCESS : give_back(infos, PMPI_Info_free(info));
}

int MPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* window) {
  return make(windows, PMPI_Win_create(base, size, unit, info, comm, window));
}
int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                            MPI_Win* window) {
  return make(windows, PMPI_Win_allocate_shared(size, unit, info, comm, base, window));
}
int MPI_Win_free(MPI_Win* window) {
  return is_lost(windows) ? MPI_SUCCESS : give_back(windows, PMPI_Win_free(window));
}

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
  return make(files, PMPI_File_open(comm, name, mode, info, file));
}
int MPI_File_close(MPI_File* file) {
  return is_lost(files) ? MPI_SUCCESS : give_back(files, PMPI_File_close(file));
}

int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void* base) {
  return make(memory, PMPI_Alloc_mem(bytes, info, base));
}
int MPI_Free_mem(void* base) {
  return is_lost(memory) ? MPI_SUCCESS : give_back(memory, PMPI_Free_mem(base));
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return make(requests, PMPI_Isend(data, count, type, to, tag, comm, request));
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return make(requests, PMPI_Irecv(data, count, type, from, tag, comm, request));
}
int MPI_Send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  return make(requests, PMPI_Send_init(data, count, type, to, tag, comm, request));
}
int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  return make(requests, PMPI_Recv_init(data, count, type, from, tag, comm, request));
}
#if MPI_VERSION >= 4
int MPI_Psend_init(const void* data, int parts, MPI_Count count, MPI_Datatype type, int to, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return make(requests, PMPI_Psend_init(data, parts, count, type, to, tag, comm, info, request));
}
int MPI_Precv_init(void* data, int parts, MPI_Count count, MPI_Datatype type, int from, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return make(requests, PMPI_Precv_init(data, parts, count, type, from, tag, comm, info, request));
}
#endif
int MPI_Ineighbor_alltoall(const void* send, int sent, MPI_Datatype send_type, void* data, int count,
                           MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  return make(requests, PMPI_Ineighbor_alltoall(send, sent, send_type, data, count, type, comm, request));
}
int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return make(requests, PMPI_Ibcast(data, count, type, root, comm, request));
}
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return make(requests, PMPI_Ibarrier(comm, request));
}
int MPI_Iscatterv(const void* send, const int* counts, const int* at, MPI_Datatype send_type, void* data,
                  int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return make(requests, PMPI_Iscatterv(send, counts, at, send_type, data, count, type, root, comm, request));
}
int MPI_Iallgatherv(const void* send, int count, MPI_Datatype send_type, void* data, const int* counts,
                    const int* at, MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  return make(requests, PMPI_Iallgatherv(send, count, send_type, data, counts, at, type, comm, request));
}
int MPI_Iallgather(const void* send, int sent, MPI_Datatype send_type, void* data, int count,
                   MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  return make(requests, PMPI_Iallgather(send, sent, send_type, data, count, type, comm, request));
}
int MPI_Ialltoall(const void* send, int sent, MPI_Datatype send_type, void* data, int count,
                  MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  return make(requests, PMPI_Ialltoall(send, sent, send_type, data, count, type, comm, request));
}
int MPI_Igather(const void* send, int sent, MPI_Datatype send_type, void* data, int count, MPI_Datatype type,
                int root, MPI_Comm comm, MPI_Request* request) {
  return make(requests, PMPI_Igather(send, sent, send_type, data, count, type, root, comm, request));
}
int MPI_Iscatter(const void* send, int sent, MPI_Datatype send_type, void* data, int count, MPI_Datatype type,
                 int root, MPI_Comm comm, MPI_Request* request) {
  return make(requests, PMPI_Iscatter(send, sent, send_type, data, count, type, root, comm, request));
}
int MPI_Igatherv(const void* send, int sent, MPI_Datatype send_type, void* data, const int* counts,
                 const int* at, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return make(requests, PMPI_Igatherv(send, sent, send_type, data, counts, at, type, root, comm, request));
}
int MPI_Ialltoallv(const void* send, const int* sent, const int* from, MPI_Datatype send_type, void* data,
                   const int* counts, const int* at, MPI_Datatype type, MPI_Comm comm, MPI_Request* request) {
  return make(requests, PMPI_Ialltoallv(send, sent, from, send_type, data, counts, at, type, comm, request));
}
int MPI_Ireduce(const void* send, void* data, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
  return make(requests, PMPI_Ireduce(send, data, count, type, op, root, comm, request));
}
int MPI_Iallreduce(const void* send, void* data, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  return make(requests, PMPI_Iallreduce(send, data, count, type, op, comm, request));
}
int MPI_Ireduce_scatter(const void* send, void* data, const int* counts, MPI_Datatype type, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request) {
  return make(requests, PMPI_Ireduce_scatter(send, data, counts, type, op, comm, request));
}

// Persistent collectives have two names: of MPI-4, and of the extension of Open MPI 4.
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define INIT(operation) MPIX_##operation##_init
#define INNER_INIT(operation) PMPIX_##operation##_init
#elif MPI_VERSION >= 4
#define INIT(operation) MPI_##operation##_init
#define INNER_INIT(operation) PMPI_##operation##_init
#endif
#ifdef INIT
int INIT(Allgather)(const void* send, int sent, MPI_Datatype send_type, void* data, int count,
                    MPI_Datatype type, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return make(requests, INNER_INIT(Allgather)(send, sent, send_type, data, count, type, comm, info, request));
}
int INIT(Alltoall)(const void* send, int sent, MPI_Datatype send_type, void* data, int count,
                   MPI_Datatype type, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return make(requests, INNER_INIT(Alltoall)(send, sent, send_type, data, count, type, comm, info, request));
}
int INIT(Gather)(const void* send, int sent, MPI_Datatype send_type, void* data, int count, MPI_Datatype type,
                 int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return make(requests,
              INNER_INIT(Gather)(send, sent, send_type, data, count, type, root, comm, info, request));
}
int INIT(Scatter)(const void* send, int sent, MPI_Datatype send_type, void* data, int count,
                  MPI_Datatype type, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return make(requests,
              INNER_INIT(Scatter)(send, sent, send_type, data, count, type, root, comm, info, request));
}
int INIT(Gatherv)(const void* send, int sent, MPI_Datatype send_type, void* data, const int* counts,
                  const int* at, MPI_Datatype type, int root, MPI_Comm comm, MPI_Info info,
                  MPI_Request* request) {
  return make(requests,
              INNER_INIT(Gatherv)(send, sent, send_type, data, counts, at, type, root, comm, info, request));
}
int INIT(Alltoallv)(const void* send, const int* sent, const int* from, MPI_Datatype send_type, void* data,
                    const int* counts, const int* at, MPI_Datatype type, MPI_Comm comm, MPI_Info info,
                    MPI_Request* request) {
  return make(requests, INNER_INIT(Alltoallv)(send, sent, from, send_type, data, counts, at, type, comm, info,
                                              request));
}
int INIT(Reduce)(const void* send, void* data, int count, MPI_Datatype type, MPI_Op op, int root,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return make(requests, INNER_INIT(Reduce)(send, data, count, type, op, root, comm, info, request));
}
int INIT(Allreduce)(const void* send, void* data, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                    MPI_Info info, MPI_Request* request) {
  return make(requests, INNER_INIT(Allreduce)(send, data, count, type, op, comm, info, request));
}
int INIT(Reduce_scatter)(const void* send, void* data, const int* counts, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return make(requests, INNER_INIT(Reduce_scatter)(send, data, counts, type, op, comm, info, request));
}
int INIT(Reduce_scatter_block)(const void* send, void* data, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return make(requests, INNER_INIT(Reduce_scatter_block)(send, data, count, type, op, comm, info, request));
}
int INIT(Neighbor_alltoall)(const void* send, int sent, MPI_Datatype send_type, void* data, int count,
                            MPI_Datatype type, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return make(requests,
              INNER_INIT(Neighbor_alltoall)(send, sent, send_type, data, count, type, comm, info, request));
}
int INIT(Bcast)(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Info info,
                MPI_Request* request) {
  return make(requests, INNER_INIT(Bcast)(data, count, type, root, comm, info, request));
}
int INIT(Barrier)(MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return make(requests, INNER_INIT(Barrier)(comm, info, request));
}
int INIT(Scatterv)(const void* send, const int* counts, const int* at, MPI_Datatype send_type, void* data,
                   int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Info info,
                   MPI_Request* request) {
  return make(requests, INNER_INIT(Scatterv)(send, counts, at, send_type, data, count, type, root, comm, info,
                                             request));
}
int INIT(Allgatherv)(const void* send, int count, MPI_Datatype send_type, void* data, const int* counts,
                     const int* at, MPI_Datatype type, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return make(requests,
              INNER_INIT(Allgatherv)(send, count, send_type, data, counts, at, type, comm, info, request));
}
#endif
int MPI_File_iwrite(MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Request* request) {
  return make(requests, PMPI_File_iwrite(file, data, count, type, request));
}
int MPI_File_iwrite_at(MPI_File file, MPI_Offset at, const void* data, int count, MPI_Datatype type,
                       MPI_Request* request) {
  return make(requests, PMPI_File_iwrite_at(file, at, data, count, type, request));
}
int MPI_File_iwrite_shared(MPI_File file, const void* data, int count, MPI_Datatype type,
                           MPI_Request* request) {
  return make(requests, PMPI_File_iwrite_shared(file, data, count, type, request));
}
int MPI_File_iread(MPI_File file, void* data, int count, MPI_Datatype type, MPI_Request* request) {
  return make(requests, PMPI_File_iread(file, data, count, type, request));
}
int MPI_File_iread_at(MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type,
                      MPI_Request* request) {
  return make(requests, PMPI_File_iread_at(file, at, data, count, type, request));
}
int MPI_File_iread_shared(MPI_File file, void* data, int count, MPI_Datatype type, MPI_Request* request) {
  return make(requests, PMPI_File_iread_shared(file, data, count, type, request));
}

static long pending(int count, const MPI_Request* list) {
  long number = 0;
  for (int i = 0; i < count; ++i) number += list[i] != MPI_REQUEST_NULL;
  return number;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const long before = pending(1, request);
  const int code = PMPI_Wait(request, status);
  kept[requests] -= before - pending(1, request);
  return code;
}
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  const long before = pending(1, request);
  const int code = PMPI_Test(request, flag, status);
  kept[requests] -= before - pending(1, request);
  return code;
}
int MPI_Waitall(int count, MPI_Request* list, MPI_Status* statuses) {
  const long before = pending(count, list);
  const int code = PMPI_Waitall(count, list, statuses);
  kept[requests] -= before - pending(count, list);
  return code;
}
int MPI_Testall(int count, MPI_Request* list, int* flag, MPI_Status* statuses) {
  const long before = pending(count, list);
  const int code = PMPI_Testall(count, list, flag, statuses);
  kept[requests] -= before - pending(count, list);
  return code;
}
int MPI_Request_free(MPI_Request* request) {
  return give_back(requests, PMPI_Request_free(request));
}
