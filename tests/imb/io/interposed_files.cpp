// SPDX-License-Identifier: Apache-2.0
#include "tests/imb/io/interposed_files.hpp"

#include <mpi.h>

#include <cstddef>

namespace steelyard::imb::test {
namespace {

struct Spoiler {
  FileFault fault = FileFault::none;
  int hit = 1;
  int calls = 0;
  int transfers = 0;
  MPI_Offset last = 0;
};

Spoiler& spoiler() {
  static Spoiler instance;
  return instance;
}

bool hits_now() {
  auto& state = spoiler();
  return state.fault != FileFault::none && state.calls++ == state.hit;
}

/// A transfer as it was asked for, then as it is made.
struct Moved {
  Moved(const void* where, int bytes, MPI_Offset offset = 0)
      : data(const_cast<std::byte*>(static_cast<const std::byte*>(where))), count(bytes), at(offset) {
    const bool now = hits_now();
    ++spoiler().transfers;
    const auto fault = spoiler().fault;
    if (now && fault == FileFault::drop) count = 0;
    if (now && fault == FileFault::shift) ++data;
    if (now && fault == FileFault::overrun) ++count;
    if (now && fault == FileFault::twice) at = spoiler().last;
    spoiler().last = offset;
  }
  std::byte* data;
  int count;
  MPI_Offset at;
};

bool reverses() {
  return spoiler().fault == FileFault::reverse;
}

/// Every rank in its turn, the last one first.
template <class Act>
int in_reverse(MPI_File file, Act act) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_File_get_group(file, &group);
  int size = 0, rank = 0, code = MPI_SUCCESS;
  PMPI_Group_size(group, &size);
  PMPI_Group_rank(group, &rank);
  PMPI_Group_free(&group);
  for (int turn = size - 1; turn >= 0; --turn) {
    if (turn == rank) code = act();
    PMPI_Barrier(MPI_COMM_WORLD);
  }
  return code;
}

}  // namespace

void spoil_files(FileFault fault, int hit) {
  spoiler() = {.fault = fault, .hit = hit};
}

int transfers_of_files() {
  return spoiler().transfers;
}

}  // namespace steelyard::imb::test

using steelyard::imb::test::in_reverse;
using steelyard::imb::test::Moved;
using steelyard::imb::test::reverses;

extern "C" {
int MPI_File_write(MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Status* status) {
  const Moved moved(data, count);
  return PMPI_File_write(file, moved.data, moved.count, type, status);
}
int MPI_File_write_at(MPI_File file, MPI_Offset at, const void* data, int count, MPI_Datatype type,
                      MPI_Status* status) {
  const Moved moved(data, count, at);
  return PMPI_File_write_at(file, moved.at, moved.data, moved.count, type, status);
}
int MPI_File_write_shared(MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Status* status) {
  const Moved moved(data, count);
  return PMPI_File_write_shared(file, moved.data, moved.count, type, status);
}
int MPI_File_write_all(MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Status* status) {
  const Moved moved(data, count);
  return PMPI_File_write_all(file, moved.data, moved.count, type, status);
}
int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void* data, int count, MPI_Datatype type,
                          MPI_Status* status) {
  const Moved moved(data, count, at);
  return PMPI_File_write_at_all(file, moved.at, moved.data, moved.count, type, status);
}
int MPI_File_write_ordered(MPI_File file, const void* data, int count, MPI_Datatype type,
                           MPI_Status* status) {
  const Moved moved(data, count);
  if (reverses())
    return in_reverse(file,
                      [&] { return PMPI_File_write_shared(file, moved.data, moved.count, type, status); });
  return PMPI_File_write_ordered(file, moved.data, moved.count, type, status);
}
int MPI_File_iwrite(MPI_File file, const void* data, int count, MPI_Datatype type, MPI_Request* request) {
  const Moved moved(data, count);
  return PMPI_File_iwrite(file, moved.data, moved.count, type, request);
}
int MPI_File_iwrite_at(MPI_File file, MPI_Offset at, const void* data, int count, MPI_Datatype type,
                       MPI_Request* request) {
  const Moved moved(data, count, at);
  return PMPI_File_iwrite_at(file, moved.at, moved.data, moved.count, type, request);
}
int MPI_File_iwrite_shared(MPI_File file, const void* data, int count, MPI_Datatype type,
                           MPI_Request* request) {
  const Moved moved(data, count);
  return PMPI_File_iwrite_shared(file, moved.data, moved.count, type, request);
}
int MPI_File_write_all_begin(MPI_File file, const void* data, int count, MPI_Datatype type) {
  const Moved moved(data, count);
  return PMPI_File_write_all_begin(file, moved.data, moved.count, type);
}
int MPI_File_write_at_all_begin(MPI_File file, MPI_Offset at, const void* data, int count,
                                MPI_Datatype type) {
  const Moved moved(data, count, at);
  return PMPI_File_write_at_all_begin(file, moved.at, moved.data, moved.count, type);
}
int MPI_File_write_ordered_begin(MPI_File file, const void* data, int count, MPI_Datatype type) {
  const Moved moved(data, count);
  return PMPI_File_write_ordered_begin(file, moved.data, moved.count, type);
}
int MPI_File_read(MPI_File file, void* data, int count, MPI_Datatype type, MPI_Status* status) {
  const Moved moved(data, count);
  return PMPI_File_read(file, moved.data, moved.count, type, status);
}
int MPI_File_read_at(MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type,
                     MPI_Status* status) {
  const Moved moved(data, count, at);
  return PMPI_File_read_at(file, moved.at, moved.data, moved.count, type, status);
}
int MPI_File_read_shared(MPI_File file, void* data, int count, MPI_Datatype type, MPI_Status* status) {
  const Moved moved(data, count);
  return PMPI_File_read_shared(file, moved.data, moved.count, type, status);
}
int MPI_File_read_all(MPI_File file, void* data, int count, MPI_Datatype type, MPI_Status* status) {
  const Moved moved(data, count);
  return PMPI_File_read_all(file, moved.data, moved.count, type, status);
}
int MPI_File_read_at_all(MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type,
                         MPI_Status* status) {
  const Moved moved(data, count, at);
  return PMPI_File_read_at_all(file, moved.at, moved.data, moved.count, type, status);
}
int MPI_File_read_ordered(MPI_File file, void* data, int count, MPI_Datatype type, MPI_Status* status) {
  const Moved moved(data, count);
  if (reverses())
    return in_reverse(file,
                      [&] { return PMPI_File_read_shared(file, moved.data, moved.count, type, status); });
  return PMPI_File_read_ordered(file, moved.data, moved.count, type, status);
}
int MPI_File_iread(MPI_File file, void* data, int count, MPI_Datatype type, MPI_Request* request) {
  const Moved moved(data, count);
  return PMPI_File_iread(file, moved.data, moved.count, type, request);
}
int MPI_File_iread_at(MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type,
                      MPI_Request* request) {
  const Moved moved(data, count, at);
  return PMPI_File_iread_at(file, moved.at, moved.data, moved.count, type, request);
}
int MPI_File_iread_shared(MPI_File file, void* data, int count, MPI_Datatype type, MPI_Request* request) {
  const Moved moved(data, count);
  return PMPI_File_iread_shared(file, moved.data, moved.count, type, request);
}
int MPI_File_read_all_begin(MPI_File file, void* data, int count, MPI_Datatype type) {
  const Moved moved(data, count);
  return PMPI_File_read_all_begin(file, moved.data, moved.count, type);
}
int MPI_File_read_at_all_begin(MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type) {
  const Moved moved(data, count, at);
  return PMPI_File_read_at_all_begin(file, moved.at, moved.data, moved.count, type);
}
int MPI_File_read_ordered_begin(MPI_File file, void* data, int count, MPI_Datatype type) {
  const Moved moved(data, count);
  return PMPI_File_read_ordered_begin(file, moved.data, moved.count, type);
}
}
