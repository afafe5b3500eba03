// SPDX-License-Identifier: Apache-2.0
#include "tests/imb/rma/interposed_windows.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace steelyard::imb::test {

Windows& windows() {
  static Windows instance;
  return instance;
}

void watch_windows(WindowFault fault, int hit, bool late) {
  const auto [made, freed, opened, closed] =
      std::tuple{windows().made, windows().freed, windows().opened, windows().closed};
  windows() = {};
  windows().fault = fault;
  windows().hit = hit;
  windows().late = late;
  windows().made = made;
  windows().freed = freed;
  windows().opened = opened;
  windows().closed = closed;
}

namespace {

struct Memory {
  std::byte* base = nullptr;
  std::int64_t bytes = 0;
};
Memory& own_memory() {
  static Memory memory;
  return memory;
}

// What a call of a transfer may be changed in.
struct Transfer {
  std::byte* own = nullptr;  // that the data come from, or go to
  int target = 0;
  MPI_Aint at = 0;
};

int mirrored(int target, MPI_Win window) {
  MPI_Group group = MPI_GROUP_NULL;
  int rank = 0, size = 1;
  PMPI_Win_get_group(window, &group);
  PMPI_Group_rank(group, &rank);
  PMPI_Group_size(group, &size);
  PMPI_Group_free(&group);
  return (2 * rank - target + 2 * size) % size;
}

std::int64_t bytes_of(int count, MPI_Datatype type) {
  int bytes = 0;
  PMPI_Type_size(type, &bytes);
  return std::int64_t{count} * bytes;
}

int perform(int target, std::function<int()> action) {
  if (!windows().late) return action();
  windows().held.emplace_back(target, std::move(action));
  return MPI_SUCCESS;
}

// `call(transfer)` is the library's own. Empty ones are let through.
template <class Call>
int transferring(const char* name, Transfer transfer, std::int64_t bytes, int unit, MPI_Win window,
                 Call call) {
  auto& state = windows();
  state.calls.push_back(std::string(name) + " " + std::to_string(transfer.target) + " " +
                        std::to_string(transfer.at));
  const bool concerned = state.fault == WindowFault::drop || state.fault == WindowFault::twice ||
                         state.fault == WindowFault::shift || state.fault == WindowFault::mirror ||
                         state.fault == WindowFault::section;
  if (concerned && bytes > 0 && state.seen++ == state.hit) {
    if (state.fault == WindowFault::drop) return MPI_SUCCESS;
    if (state.fault == WindowFault::shift) transfer.own += 4;
    if (state.fault == WindowFault::mirror) transfer.target = mirrored(transfer.target, window);
    if (state.fault == WindowFault::section)
      transfer.at += transfer.at * unit >= bytes ? -bytes / unit : bytes / unit;
    if (state.fault == WindowFault::twice)
      static_cast<void>(perform(transfer.target, [=] { return call(transfer); }));
  }
  return perform(transfer.target, [=] { return call(transfer); });
}

constexpr int every_target = -1;

int release(int of) {
  int error = MPI_SUCCESS;
  std::erase_if(windows().held, [&](const auto& one) {
    const auto& [target, action] = one;
    if (of != every_target && of != target) return false;
    if (const int code = action(); code != MPI_SUCCESS) error = code;
    return true;
  });
  return error;
}

template <class Call>
int completing(const std::string& name, int target, Call call) {
  auto& state = windows();
  state.calls.push_back(name);
  const bool concerned = state.fault == WindowFault::unflushed || state.fault == WindowFault::overrun;
  if (concerned && state.seen++ == state.hit) {
    if (state.fault == WindowFault::unflushed) return MPI_SUCCESS;
    own_memory().base[own_memory().bytes] = std::byte{0x77};
  }
  const int code = release(target);
  return code == MPI_SUCCESS ? call() : code;
}

std::byte* bytes(const void* data) {
  return static_cast<std::byte*>(const_cast<void*>(data));
}

}  // namespace
}  // namespace steelyard::imb::test

using namespace steelyard::imb::test;

extern "C" {

int MPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm c, MPI_Win* w) {
  own_memory() = {static_cast<std::byte*>(base), size};
  ++windows().made;
  return PMPI_Win_create(base, size, unit, info, c, w);
}
int MPI_Win_free(MPI_Win* w) {
  ++windows().freed;
  return PMPI_Win_free(w);
}

int MPI_Win_lock(int type, int rank, int assertion, MPI_Win w) {
  windows().calls.push_back((type == MPI_LOCK_SHARED ? "lock " : "exclude ") + std::to_string(rank));
  ++windows().opened;
  return PMPI_Win_lock(type, rank, assertion, w);
}
int MPI_Win_unlock(int rank, MPI_Win w) {
  static_cast<void>(release(rank));
  windows().calls.push_back("unlock " + std::to_string(rank));
  ++windows().closed;
  return PMPI_Win_unlock(rank, w);
}
int MPI_Win_lock_all(int assertion, MPI_Win w) {
  windows().calls.emplace_back("lock_all");
  ++windows().opened;
  return PMPI_Win_lock_all(assertion, w);
}
int MPI_Win_unlock_all(MPI_Win w) {
  static_cast<void>(release(every_target));
  windows().calls.emplace_back("unlock_all");
  ++windows().closed;
  return PMPI_Win_unlock_all(w);
}

int MPI_Win_flush(int rank, MPI_Win w) {
  return completing("flush " + std::to_string(rank), rank, [=] { return PMPI_Win_flush(rank, w); });
}
int MPI_Win_flush_local(int rank, MPI_Win w) {
  return completing("flush_local " + std::to_string(rank), rank,
                    [=] { return PMPI_Win_flush_local(rank, w); });
}
int MPI_Win_flush_all(MPI_Win w) {
  return completing("flush_all", every_target, [=] { return PMPI_Win_flush_all(w); });
}
int MPI_Win_flush_local_all(MPI_Win w) {
  return completing("flush_local_all", every_target, [=] { return PMPI_Win_flush_local_all(w); });
}

int MPI_Put(const void* b, int n, MPI_Datatype t, int to, MPI_Aint at, int tn, MPI_Datatype tt, MPI_Win w) {
  return transferring("put", {bytes(b), to, at}, bytes_of(n, t), 1, w,
                      [=](const Transfer& x) { return PMPI_Put(x.own, n, t, x.target, x.at, tn, tt, w); });
}
int MPI_Get(void* b, int n, MPI_Datatype t, int from, MPI_Aint at, int tn, MPI_Datatype tt, MPI_Win w) {
  return transferring("get", {bytes(b), from, at}, bytes_of(n, t), 1, w,
                      [=](const Transfer& x) { return PMPI_Get(x.own, n, t, x.target, x.at, tn, tt, w); });
}
int MPI_Accumulate(const void* b, int n, MPI_Datatype t, int to, MPI_Aint at, int tn, MPI_Datatype tt,
                   MPI_Op op, MPI_Win w) {
  return transferring("accumulate", {bytes(b), to, at}, bytes_of(n, t), 4, w, [=](const Transfer& x) {
    return PMPI_Accumulate(x.own, n, t, x.target, x.at, tn, tt, op, w);
  });
}
int MPI_Get_accumulate(const void* b, int n, MPI_Datatype t, void* r, int rn, MPI_Datatype rt, int to,
                       MPI_Aint at, int tn, MPI_Datatype tt, MPI_Op op, MPI_Win w) {
  return transferring("get_accumulate", {bytes(r), to, at}, bytes_of(n, t), 4, w, [=](const Transfer& x) {
    return PMPI_Get_accumulate(b, n, t, x.own, rn, rt, x.target, x.at, tn, tt, op, w);
  });
}
int MPI_Fetch_and_op(const void* b, void* r, MPI_Datatype t, int to, MPI_Aint at, MPI_Op op, MPI_Win w) {
  return transferring("fetch_and_op", {bytes(r), to, at}, bytes_of(1, t), 4, w, [=](const Transfer& x) {
    return PMPI_Fetch_and_op(b, x.own, t, x.target, x.at, op, w);
  });
}
int MPI_Compare_and_swap(const void* b, const void* compare, void* r, MPI_Datatype t, int to, MPI_Aint at,
                         MPI_Win w) {
  return transferring("compare_and_swap", {bytes(r), to, at}, bytes_of(1, t), 4, w, [=](const Transfer& x) {
    return PMPI_Compare_and_swap(b, compare, x.own, t, x.target, x.at, w);
  });
}

}  // extern "C"
