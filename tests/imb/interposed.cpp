// SPDX-License-Identifier: Apache-2.0
#include "tests/imb/interposed.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

namespace steelyard::imb::test {

Interposer& interposer() {
  static Interposer instance;
  return instance;
}

void watch(Fault fault, int hit) {
  interposer() = {};
  interposer().fault = fault;
  interposer().hit = hit;
}

namespace {

std::int64_t bytes_of(std::int64_t count, MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  return count * extent;
}

int size_of_comm(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

bool hits_now() {
  auto& state = interposer();
  return state.fault != Fault::none && state.calls++ == state.hit;
}

struct Place {
  std::byte* data = nullptr;
  std::int64_t bytes = 0;
  std::int64_t piece = 0;  // of one sender
  std::vector<std::byte> held = {};
};

void spoil(Fault fault, const Place& place, const std::vector<std::byte>& before, const void* send) {
  const auto bytes = static_cast<std::size_t>(place.bytes);
  const auto piece = static_cast<std::size_t>(place.piece);
  if (fault == Fault::drop) std::memcpy(place.data, before.data(), bytes);
  if (fault == Fault::shift) std::memmove(place.data + 4, place.data, bytes - 4);
  if (fault == Fault::overrun) place.data[bytes] = std::byte{0x77};
  if (fault == Fault::swap && bytes >= 2 * piece)
    std::swap_ranges(place.data, place.data + piece, place.data + piece);
  if (fault == Fault::last_piece)
    std::memcpy(place.data + bytes - piece, before.data() + bytes - piece, piece);
  if (fault == Fault::spoil && send != nullptr)
    static_cast<std::byte*>(const_cast<void*>(send))[0] ^= std::byte{1};
}

// Receives with `call`, then spoils what arrived if this is the call to hit. `held`: what the place of a receive that
// was started earlier held then.
template <class Call>
int receiving(void* buffer, std::int64_t bytes, std::int64_t piece, const void* send, Call call,
              const std::vector<std::byte>& held = {}) {
  auto& state = interposer();
  state.received.push_back(buffer);
  if (bytes <= 1 || !hits_now()) return call();
  const Place place{static_cast<std::byte*>(buffer), bytes, piece};
  const auto before = held.empty() ? std::vector<std::byte>(place.data, place.data + bytes) : held;
  const int code = call();
  spoil(state.fault, place, before, send);
  return code;
}

// What was started last and is not complete.
struct Started {
  bool spoilt = false;
  Place place;
  std::vector<std::byte> before;
  const void* send = nullptr;
};
Started& last_started() {
  static Started instance;
  return instance;
}

// Begins an operation that is to be spoilt when it is complete, if it is the one to hit.
void begin(void* buffer, std::int64_t bytes, std::int64_t piece, const void* send) {
  auto& state = interposer();
  state.calls_in_order += 's';
  state.received.push_back(buffer);
  state.sent.push_back(send);
  last_started() = {};
  if (bytes <= 1 || !hits_now()) return;
  auto* const data = static_cast<std::byte*>(buffer);
  last_started() = {true, {data, bytes, piece}, {data, data + bytes}, send};
}

template <class Call>
int starting(void* buffer, std::int64_t bytes, std::int64_t piece, const void* send, Call call) {
  begin(buffer, bytes, piece, send);
  return call();
}

void complete() {
  const Started done = std::exchange(last_started(), {});
  if (done.spoilt) spoil(interposer().fault, done.place, done.before, done.send);
}

// Where persistent requests receive.
std::map<MPI_Request, Place>& persistent_receives() {
  static std::map<MPI_Request, Place> places;
  return places;
}

void remember(MPI_Request request, void* buffer, std::int64_t bytes, std::int64_t piece) {
  interposer().calls_in_order += 'i';
  persistent_receives()[request] = {static_cast<std::byte*>(buffer), bytes, piece};
}

// Begins what these requests receive; at most one of them is the one to hit.
void begin_persistent(int count, const MPI_Request* requests) {
  for (int i = 0; i < count; ++i) {
    const auto known = persistent_receives().find(requests[i]);
    if (known == persistent_receives().end() || last_started().spoilt) continue;
    begin(known->second.data, known->second.bytes, known->second.piece, nullptr);
  }
}

// Blocks of the two neighbours of each dimension change places in a library that orders them otherwise.
void exchange_blocks(void* buffer, std::int64_t piece, std::int64_t blocks) {
  if (!interposer().exchanges_blocks) return;
  auto* const data = static_cast<std::byte*>(buffer);
  for (std::int64_t s = 0; s + 1 < blocks; s += 2)
    std::swap_ranges(data + s * piece, data + (s + 1) * piece, data + (s + 1) * piece);
}

// Blocks that arrive when what was started last is complete.
struct StartedBlocks {
  void* data = nullptr;
  std::int64_t piece = 0, count = 0;
};
StartedBlocks& started_blocks() {
  static StartedBlocks instance;
  return instance;
}

std::int64_t neighbours_of(MPI_Comm comm) {
  int dimensions = 0;
  PMPI_Cartdim_get(comm, &dimensions);
  return 2 * dimensions;
}

// The root in the call to hit is another one where senders are to be exchanged.
int exchanged(int root, MPI_Comm comm) {
  auto& state = interposer();
  state.roots.push_back(root);
  if (state.fault != Fault::swap) return root;
  return state.calls == state.hit ? (root + 1) % size_of_comm(comm) : root;
}

int rank_of(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

std::vector<Place>& expected_receives() {
  static std::vector<Place> places;
  return places;
}

struct Window {
  std::byte* base = nullptr;
  std::int64_t bytes = 0;
};
Window& last_window() {
  static Window window;
  return window;
}

// Starts a transfer with `call(origin, times)`, or spoils it if this is the call to hit.
template <class Call>
int transferring(const void* origin, MPI_Aint displacement, Call call) {
  auto& state = interposer();
  state.displacements.push_back(displacement);
  const bool concerned =
      state.fault == Fault::drop || state.fault == Fault::shift || state.fault == Fault::twice;
  if (!concerned || !hits_now() || state.fault == Fault::none) return call(origin);
  if (state.fault == Fault::drop) return MPI_SUCCESS;
  if (state.fault == Fault::shift) return call(static_cast<const std::byte*>(origin) + 4);
  call(origin);
  return call(origin);
}

}  // namespace
}  // namespace steelyard::imb::test

using namespace steelyard::imb::test;

extern "C" {

int MPI_Send(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) {
  interposer().sent.push_back(b);
  return PMPI_Send(b, n, t, to, tag, c);
}

int MPI_Isend(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* r) {
  interposer().sent.push_back(b);
  return PMPI_Isend(b, n, t, to, tag, c, r);
}

int MPI_Recv(void* b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status* s) {
  return receiving(b, bytes_of(n, t), bytes_of(n, t),
                   interposer().sent.empty() ? nullptr : interposer().sent.back(),
                   [&] { return PMPI_Recv(b, n, t, from, tag, c, s); });
}

int MPI_Irecv(void* b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request* r) {
  auto* const place = static_cast<std::byte*>(b);
  const auto bytes = bytes_of(n, t);
  expected_receives().push_back({place, bytes, bytes, std::vector<std::byte>(place, place + bytes)});
  return PMPI_Irecv(b, n, t, from, interposer().fault == Fault::cross ? tag ^ 1 : tag, c, r);
}

int MPI_Sendrecv_replace(void* b, int n, MPI_Datatype t, int to, int tag, int from, int rtag, MPI_Comm c,
                         MPI_Status* s) {
  return receiving(b, bytes_of(n, t), bytes_of(n, t), nullptr,
                   [&] { return PMPI_Sendrecv_replace(b, n, t, to, tag, from, rtag, c, s); });
}

int MPI_Waitall(int n, MPI_Request* r, MPI_Status* s) {
  if (expected_receives().empty()) {
    interposer().calls_in_order += 'w';
    const int code = PMPI_Waitall(n, r, s);
    complete();
    return code;
  }
  const auto place = expected_receives().back();
  expected_receives().clear();
  return receiving(
      place.data, place.bytes, place.piece, nullptr, [&] { return PMPI_Waitall(n, r, s); }, place.held);
}

int MPI_Sendrecv(const void* b, int n, MPI_Datatype t, int to, int tag, void* rb, int rn, MPI_Datatype rt,
                 int from, int rtag, MPI_Comm c, MPI_Status* s) {
  auto& state = interposer();
  state.sent.push_back(b);
  if (state.fault == Fault::swap && state.calls == state.hit) std::swap(to, from);
  return receiving(rb, bytes_of(rn, rt), bytes_of(rn, rt), b,
                   [&] { return PMPI_Sendrecv(b, n, t, to, tag, rb, rn, rt, from, rtag, c, s); });
}

int MPI_Bcast(void* b, int n, MPI_Datatype t, int root, MPI_Comm c) {
  const bool sends = root == rank_of(c);
  root = exchanged(root, c);
  (sends ? interposer().sent : interposer().received).push_back(b);
  if (sends) {
    interposer().calls += interposer().fault != Fault::none ? 1 : 0;
    return PMPI_Bcast(b, n, t, root, c);
  }
  return receiving(b, bytes_of(n, t), bytes_of(n, t), nullptr, [&] { return PMPI_Bcast(b, n, t, root, c); });
}

int MPI_Reduce(const void* b, void* rb, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c) {
  root = exchanged(root, c);
  return receiving(rb, bytes_of(n, t), bytes_of(n, t), b,
                   [&] { return PMPI_Reduce(b, rb, n, t, op, root, c); });
}

int MPI_Allreduce(const void* b, void* rb, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
  return receiving(rb, bytes_of(n, t), bytes_of(n, t), b, [&] { return PMPI_Allreduce(b, rb, n, t, op, c); });
}

int MPI_Reduce_local(const void* b, void* rb, int n, MPI_Datatype t, MPI_Op op) {
  return receiving(rb, bytes_of(n, t), bytes_of(n, t), b, [&] { return PMPI_Reduce_local(b, rb, n, t, op); });
}

int MPI_Reduce_scatter(const void* b, void* rb, const int* n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
  const auto bytes = bytes_of(n[rank_of(c)], t);
  return receiving(rb, bytes, bytes, b, [&] { return PMPI_Reduce_scatter(b, rb, n, t, op, c); });
}

int MPI_Reduce_scatter_block(const void* b, void* rb, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
  return receiving(rb, bytes_of(n, t), bytes_of(n, t), b,
                   [&] { return PMPI_Reduce_scatter_block(b, rb, n, t, op, c); });
}

int MPI_Allgather(const void* b, int n, MPI_Datatype t, void* rb, int rn, MPI_Datatype rt, MPI_Comm c) {
  const auto piece = bytes_of(rn, rt);
  return receiving(rb, piece * size_of_comm(c), piece, b,
                   [&] { return PMPI_Allgather(b, n, t, rb, rn, rt, c); });
}

int MPI_Allgatherv(const void* b, int n, MPI_Datatype t, void* rb, const int* rn, const int* d,
                   MPI_Datatype rt, MPI_Comm c) {
  const auto piece = bytes_of(rn[0], rt);
  return receiving(rb, piece * size_of_comm(c), piece, b,
                   [&] { return PMPI_Allgatherv(b, n, t, rb, rn, d, rt, c); });
}

int MPI_Gather(const void* b, int n, MPI_Datatype t, void* rb, int rn, MPI_Datatype rt, int root,
               MPI_Comm c) {
  interposer().roots.push_back(root);
  const auto piece = bytes_of(rn, rt);
  const auto bytes = root == rank_of(c) ? piece * size_of_comm(c) : piece;
  return receiving(rb, bytes, piece, b, [&] { return PMPI_Gather(b, n, t, rb, rn, rt, root, c); });
}

int MPI_Gatherv(const void* b, int n, MPI_Datatype t, void* rb, const int* rn, const int* d, MPI_Datatype rt,
                int root, MPI_Comm c) {
  interposer().roots.push_back(root);
  const auto piece = bytes_of(rn[0], rt);
  const auto bytes = root == rank_of(c) ? piece * size_of_comm(c) : piece;
  return receiving(rb, bytes, piece, b, [&] { return PMPI_Gatherv(b, n, t, rb, rn, d, rt, root, c); });
}

int MPI_Scatter(const void* b, int n, MPI_Datatype t, void* rb, int rn, MPI_Datatype rt, int root,
                MPI_Comm c) {
  root = exchanged(root, c);
  return receiving(rb, bytes_of(rn, rt), bytes_of(rn, rt), b,
                   [&] { return PMPI_Scatter(b, n, t, rb, rn, rt, root, c); });
}

int MPI_Scatterv(const void* b, const int* n, const int* d, MPI_Datatype t, void* rb, int rn, MPI_Datatype rt,
                 int root, MPI_Comm c) {
  root = exchanged(root, c);
  return receiving(rb, bytes_of(rn, rt), bytes_of(rn, rt), b,
                   [&] { return PMPI_Scatterv(b, n, d, t, rb, rn, rt, root, c); });
}

int MPI_Alltoall(const void* b, int n, MPI_Datatype t, void* rb, int rn, MPI_Datatype rt, MPI_Comm c) {
  const auto piece = bytes_of(rn, rt);
  return receiving(rb, piece * size_of_comm(c), piece, b,
                   [&] { return PMPI_Alltoall(b, n, t, rb, rn, rt, c); });
}

int MPI_Alltoallv(const void* b, const int* n, const int* d, MPI_Datatype t, void* rb, const int* rn,
                  const int* rd, MPI_Datatype rt, MPI_Comm c) {
  const auto piece = bytes_of(rn[0], rt);
  return receiving(rb, piece * size_of_comm(c), piece, b,
                   [&] { return PMPI_Alltoallv(b, n, d, t, rb, rn, rd, rt, c); });
}

int MPI_Win_create(void* base, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm c, MPI_Win* w) {
  last_window() = {static_cast<std::byte*>(base), bytes};
  return PMPI_Win_create(base, bytes, unit, info, c, w);
}

int MPI_Win_fence(int assert_, MPI_Win w) {
  auto& state = interposer();
  ++state.fences;
  const int code = PMPI_Win_fence(assert_, w);
  if ((state.fault != Fault::overrun && state.fault != Fault::spoil) || !hits_now()) return code;
  if (state.fault == Fault::overrun) last_window().base[last_window().bytes] = std::byte{0x77};
  if (state.fault == Fault::spoil) last_window().base[0] ^= std::byte{1};
  return code;
}

int MPI_Put(const void* b, int n, MPI_Datatype t, int to, MPI_Aint at, int tn, MPI_Datatype tt, MPI_Win w) {
  return transferring(b, at, [&](const void* origin) { return PMPI_Put(origin, n, t, to, at, tn, tt, w); });
}

int MPI_Get(void* b, int n, MPI_Datatype t, int from, MPI_Aint at, int tn, MPI_Datatype tt, MPI_Win w) {
  return transferring(b, at, [&](const void* origin) {
    return PMPI_Get(const_cast<void*>(origin), n, t, from, at, tn, tt, w);
  });
}

int MPI_Accumulate(const void* b, int n, MPI_Datatype t, int to, MPI_Aint at, int tn, MPI_Datatype tt,
                   MPI_Op op, MPI_Win w) {
  return transferring(
      b, at, [&](const void* origin) { return PMPI_Accumulate(origin, n, t, to, at, tn, tt, op, w); });
}

int MPI_Barrier(MPI_Comm c) {
  interposer().calls_in_order += 'b';
  return PMPI_Barrier(c);
}

int MPI_Wait(MPI_Request* r, MPI_Status* s) {
  interposer().calls_in_order += 'w';
  if (const auto blocks = std::exchange(started_blocks(), {}); blocks.data != nullptr) {
    const int code = PMPI_Wait(r, s);
    complete();
    exchange_blocks(blocks.data, blocks.piece, blocks.count);
    return code;
  }
  if (expected_receives().empty()) {
    const int code = PMPI_Wait(r, s);
    complete();
    return code;
  }
  const auto place = expected_receives().back();
  expected_receives().clear();
  return receiving(
      place.data, place.bytes, place.piece, nullptr, [&] { return PMPI_Wait(r, s); }, place.held);
}

int MPI_Test(MPI_Request* r, int* done, MPI_Status* s) {
  interposer().calls_in_order += 't';
  return PMPI_Test(r, done, s);
}

int MPI_Send_init(const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request* r) {
  interposer().calls_in_order += 'i';
  return PMPI_Send_init(b, n, t, to, tag, c, r);
}

int MPI_Recv_init(void* b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request* r) {
  const int code = PMPI_Recv_init(b, n, t, from, tag, c, r);
  remember(*r, b, bytes_of(n, t), bytes_of(n, t));
  return code;
}

int MPI_Startall(int n, MPI_Request* r) {
  const std::string before = interposer().calls_in_order;
  if (n > 0) interposer().receive_first = persistent_receives().contains(r[0]);
  last_started() = {};
  begin_persistent(n, r);
  interposer().calls_in_order = before + 's';
  return PMPI_Startall(n, r);
}

#ifdef STEELYARD_TEST_PARTITIONED
int MPI_Precv_init(void* b, int parts, MPI_Count n, MPI_Datatype t, int from, int tag, MPI_Comm c,
                   MPI_Info info, MPI_Request* r) {
  const int code = PMPI_Precv_init(b, parts, n, t, from, tag, c, info, r);
  remember(*r, b, parts * bytes_of(n, t), bytes_of(n, t));
  return code;
}

int MPI_Pready(int part, MPI_Request r) {
  {
    static std::mutex mutex;
    const std::lock_guard<std::mutex> one_thread(mutex);
    interposer().calls_in_order += 'p';
    interposer().parts.push_back(part);
  }
  return PMPI_Pready(part, r);
}
#endif

int MPI_Neighbor_allgather(const void* b, int n, MPI_Datatype t, void* rb, int rn, MPI_Datatype rt,
                           MPI_Comm c) {
  const auto piece = bytes_of(rn, rt);
  return receiving(rb, piece * neighbours_of(c), piece, b,
                   [&] { return PMPI_Neighbor_allgather(b, n, t, rb, rn, rt, c); });
}

int MPI_Neighbor_alltoall(const void* b, int n, MPI_Datatype t, void* rb, int rn, MPI_Datatype rt,
                          MPI_Comm c) {
  const auto piece = bytes_of(rn, rt);
  return receiving(rb, piece * neighbours_of(c), piece, b, [&] {
    const int code = PMPI_Neighbor_alltoall(b, n, t, rb, rn, rt, c);
    exchange_blocks(rb, piece, neighbours_of(c));
    return code;
  });
}

int MPI_Neighbor_alltoallv(const void* b, const int* n, const int* d, MPI_Datatype t, void* rb, const int* rn,
                           const int* rd, MPI_Datatype rt, MPI_Comm c) {
  const auto piece = bytes_of(rn[0], rt);
  return receiving(rb, piece * neighbours_of(c), piece, b, [&] {
    const int code = PMPI_Neighbor_alltoallv(b, n, d, t, rb, rn, rd, rt, c);
    exchange_blocks(rb, piece, neighbours_of(c));
    return code;
  });
}

int MPI_Ineighbor_alltoall(const void* b, int n, MPI_Datatype t, void* rb, int rn, MPI_Datatype rt,
                           MPI_Comm c, MPI_Request* r) {
  const auto piece = bytes_of(rn, rt);
  started_blocks() = {rb, piece, neighbours_of(c)};
  return starting(rb, piece * neighbours_of(c), piece, b,
                  [&] { return PMPI_Ineighbor_alltoall(b, n, t, rb, rn, rt, c, r); });
}

int MPI_Start(MPI_Request* r) {
  if (interposer().failing_start > 0 && --interposer().failing_start == 0) return interposer().code_of_start;
  if (persistent_receives().contains(*r)) {
    last_started() = {};
    begin_persistent(1, r);
    return PMPI_Start(r);
  }
  const auto& state = interposer();
  return starting(state.persistent_receive, state.persistent_byte, state.persistent_piece, nullptr,
                  [&] { return PMPI_Start(r); });
}

int MPI_Request_free(MPI_Request* r) {
  interposer().calls_in_order += 'f';
  persistent_receives().erase(*r);
  return PMPI_Request_free(r);
}

int MPI_Ibarrier(MPI_Comm c, MPI_Request* r) {
  interposer().calls_in_order += 's';
  return PMPI_Ibarrier(c, r);
}

int MPI_Ibcast(void* b, int n, MPI_Datatype t, int root, MPI_Comm c, MPI_Request* r) {
  const bool sends = root == rank_of(c);
  root = exchanged(root, c);
  if (sends) interposer().calls += interposer().fault != Fault::none ? 1 : 0;
  return starting(b, sends ? 0 : bytes_of(n, t), bytes_of(n, t), b,
                  [&] { return PMPI_Ibcast(b, n, t, root, c, r); });
}

int MPI_Ireduce(const void* b, void* rb, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c,
                MPI_Request* r) {
  root = exchanged(root, c);
  return starting(rb, bytes_of(n, t), bytes_of(n, t), b,
                  [&] { return PMPI_Ireduce(b, rb, n, t, op, root, c, r); });
}

int MPI_Iallreduce(const void* b, void* rb, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c, MPI_Request* r) {
  return starting(rb, bytes_of(n, t), bytes_of(n, t), b,
                  [&] { return PMPI_Iallreduce(b, rb, n, t, op, c, r); });
}

int MPI_Ireduce_scatter(const void* b, void* rb, const int* n, MPI_Datatype t, MPI_Op op, MPI_Comm c,
                        MPI_Request* r) {
  const auto bytes = bytes_of(n[rank_of(c)], t);
  return starting(rb, bytes, bytes, b, [&] { return PMPI_Ireduce_scatter(b, rb, n, t, op, c, r); });
}

int MPI_Iallgather(const void* b, int n, MPI_Datatype t, void* rb, int rn, MPI_Datatype rt, MPI_Comm c,
                   MPI_Request* r) {
  const auto piece = bytes_of(rn, rt);
  return starting(rb, piece * size_of_comm(c), piece, b,
                  [&] { return PMPI_Iallgather(b, n, t, rb, rn, rt, c, r); });
}

int MPI_Iallgatherv(const void* b, int n, MPI_Datatype t, void* rb, const int* rn, const int* d,
                    MPI_Datatype rt, MPI_Comm c, MPI_Request* r) {
  const auto piece = bytes_of(rn[0], rt);
  return starting(rb, piece * size_of_comm(c), piece, b,
                  [&] { return PMPI_Iallgatherv(b, n, t, rb, rn, d, rt, c, r); });
}

int MPI_Igather(const void* b, int n, MPI_Datatype t, void* rb, int rn, MPI_Datatype rt, int root, MPI_Comm c,
                MPI_Request* r) {
  interposer().roots.push_back(root);
  const auto piece = bytes_of(rn, rt);
  return starting(rb, root == rank_of(c) ? piece * size_of_comm(c) : piece, piece, b,
                  [&] { return PMPI_Igather(b, n, t, rb, rn, rt, root, c, r); });
}

int MPI_Igatherv(const void* b, int n, MPI_Datatype t, void* rb, const int* rn, const int* d, MPI_Datatype rt,
                 int root, MPI_Comm c, MPI_Request* r) {
  interposer().roots.push_back(root);
  const auto piece = bytes_of(rn[0], rt);
  return starting(rb, root == rank_of(c) ? piece * size_of_comm(c) : piece, piece, b,
                  [&] { return PMPI_Igatherv(b, n, t, rb, rn, d, rt, root, c, r); });
}

int MPI_Iscatter(const void* b, int n, MPI_Datatype t, void* rb, int rn, MPI_Datatype rt, int root,
                 MPI_Comm c, MPI_Request* r) {
  root = exchanged(root, c);
  return starting(rb, bytes_of(rn, rt), bytes_of(rn, rt), b,
                  [&] { return PMPI_Iscatter(b, n, t, rb, rn, rt, root, c, r); });
}

int MPI_Iscatterv(const void* b, const int* n, const int* d, MPI_Datatype t, void* rb, int rn,
                  MPI_Datatype rt, int root, MPI_Comm c, MPI_Request* r) {
  root = exchanged(root, c);
  return starting(rb, bytes_of(rn, rt), bytes_of(rn, rt), b,
                  [&] { return PMPI_Iscatterv(b, n, d, t, rb, rn, rt, root, c, r); });
}

int MPI_Ialltoall(const void* b, int n, MPI_Datatype t, void* rb, int rn, MPI_Datatype rt, MPI_Comm c,
                  MPI_Request* r) {
  const auto piece = bytes_of(rn, rt);
  return starting(rb, piece * size_of_comm(c), piece, b,
                  [&] { return PMPI_Ialltoall(b, n, t, rb, rn, rt, c, r); });
}

int MPI_Ialltoallv(const void* b, const int* n, const int* d, MPI_Datatype t, void* rb, const int* rn,
                   const int* rd, MPI_Datatype rt, MPI_Comm c, MPI_Request* r) {
  const auto piece = bytes_of(rn[0], rt);
  return starting(rb, piece * size_of_comm(c), piece, b,
                  [&] { return PMPI_Ialltoallv(b, n, d, t, rb, rn, rd, rt, c, r); });
}

}  // extern "C"
