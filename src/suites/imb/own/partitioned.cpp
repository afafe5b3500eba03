// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/own/partitioned.hpp"

#include <algorithm>

namespace steelyard::imb {
namespace {

using measure::keep_first;

int wait(MPI_Request* request) noexcept {
  return mpi::noted(MPI_Wait(request, MPI_STATUS_IGNORE), "MPI_Wait");
}

int send_parts(MPI_Request* request, Handover& handover) noexcept {
  int error = 0;
  keep_first(error, MPI_Start(request), "MPI_Start");
  keep_first(error, handover.all(*request));
  keep_first(error, wait(request));
  return error;
}

int receive_parts(MPI_Request* request) noexcept {
  int error = 0;
  keep_first(error, MPI_Start(request), "MPI_Start");
  keep_first(error, wait(request));
  return error;
}

struct PingPong : TwoProcesses {
  explicit PingPong(const Point& point) : TwoProcesses(point, true) {}
  int operator()(std::uint64_t) noexcept {
    MPI_Request* const pair = requests_.next();
    int error = 0;
    if (sender()) {
      keep_first(error, send_parts(pair, handover_));
      keep_first(error, receive_parts(pair + 1));
    } else {
      keep_first(error, receive_parts(pair + 1));
      keep_first(error, send_parts(pair, handover_));
    }
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return from_partner(); }
};

// One way; the receiver answers now and then, so that the sender is never far ahead.
struct Uniband : TwoProcesses {
  explicit Uniband(const Point& point) : TwoProcesses(point, false) {}
  int operator()(std::uint64_t i) noexcept {
    constexpr std::uint64_t answered = 16;
    MPI_Request* const pair = requests_.next();
    int error = 0;
    keep_first(error, sender() ? send_parts(pair, handover_) : receive_parts(pair + 1));
    if (i % answered != answered - 1) return error;
    keep_first(error, sender()
                          ? MPI_Recv(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm(), MPI_STATUS_IGNORE)
                          : MPI_Send(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm()));
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return sender() ? Arrival{} : from_partner(); }
};

// A message to either neighbour of a ring.
class Exchange {
 public:
  explicit Exchange(const Point& point)
      : point_(point),
        handover_(point, true),
        requests_(1, 4),
        right_((point.rank + 1) % point.processes),
        left_((point.rank + point.processes - 1) % point.processes) {
    constexpr int to_the_right = 0, to_the_left = 1;
    const PartRequests make(point);
    MPI_Request* const requests = requests_.of_place(0);
    make.receive(point.receive.base, 0, left_, to_the_right, requests);
    make.receive(point.receive.base, 1, right_, to_the_left, requests + 1);
    make.send(point.send.base, 1, left_, to_the_left, requests + 2);
    make.send(point.send.base, 0, right_, to_the_right, requests + 3);
  }
  void seek(std::uint64_t) noexcept {}
  int operator()(std::uint64_t) noexcept {
    MPI_Request* const requests = requests_.of_place(0);
    int error = 0;
    keep_first(error, MPI_Startall(4, requests), "MPI_Startall");
    keep_first(error, handover_.all(requests[2]));
    keep_first(error, handover_.all(requests[3]));
    keep_first(error, MPI_Waitall(4, requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    const auto size = point_.size.count();
    return {.segments = {{.at = 0, .bytes = size, .source = left_, .from = 0},
                         {.at = size, .bytes = size, .source = right_, .from = size}}};
  }

 private:
  Point point_;
  Handover handover_;
  PersistentRequests requests_;
  int right_, left_;
};

// A message of 8 byte in two parts from the first process to the last, up to the first step that
// fails for one of them.
int try_one(const mpi::Communicator& both) {
  const std::int32_t own[] = {1, 2};
  std::int32_t found[] = {0, 0};
  const bool sends = both.is_root(), receives = both.rank() == both.size() - 1;
  PersistentRequests requests(1, 2);
  MPI_Request* const request = requests.of_place(0);
  int code = 0;
  if (sends)
    keep_first(
        code,
        MPI_Psend_init(own, 2, 1, MPI_INT32_T, both.size() - 1, tag, both.get(), MPI_INFO_NULL, request),
        "MPI_Psend_init");
  if (receives)
    keep_first(code, MPI_Precv_init(found, 2, 1, MPI_INT32_T, 0, tag, both.get(), MPI_INFO_NULL, request + 1),
               "MPI_Precv_init");
  // A process without a request leaves the other waiting.
  if (both.any(code != MPI_SUCCESS)) return code;
  for (MPI_Request* one : {request, request + 1})
    if (*one != MPI_REQUEST_NULL) keep_first(code, MPI_Start(one), "MPI_Start");
  for (int part = 0; part < 2 && sends; ++part) keep_first(code, MPI_Pready(part, request[0]), "MPI_Pready");
  if (both.any(code != MPI_SUCCESS)) return code;
  keep_first(code, MPI_Waitall(2, request, MPI_STATUSES_IGNORE), "MPI_Waitall");
  return code == MPI_SUCCESS && receives && !std::ranges::equal(own, found) ? MPI_ERR_OTHER : code;
}

// Error class of the two that tried; on all processes.
int class_of_attempt(const mpi::Communicator& world) {
  const auto both = world.split(world.rank() < 2 ? 0 : -1, world.rank());
  int error_class = MPI_SUCCESS;
  if (both.valid()) MPI_Error_class(try_one(both), &error_class);
  return static_cast<int>(world.max(std::int64_t{error_class}));
}

}  // namespace

std::unique_ptr<ThreadTeam> team_of_parts(const Point& point, bool sends) {
  if (!point.settings.part_threads) return nullptr;
  const int threads = sends ? point.partitions : 1;
  auto places = thread_places(mpi::Communicator::borrowed(point.comm()), threads);
  point.own->set_crowded(places.crowded);
  return threads == 1 ? nullptr : std::make_unique<ThreadTeam>(threads, std::move(places));
}

int Handover::hand_over(int part, MPI_Request request) noexcept {
  return mpi::noted(MPI_Pready(part, request), "MPI_Pready");
}

int Handover::all(MPI_Request request) noexcept {
  const int parts = static_cast<int>(order_.size());
  if (call_ == PartCall::range)
    return mpi::noted(MPI_Pready_range(0, parts - 1, request), "MPI_Pready_range");
  if (call_ == PartCall::list)
    return mpi::noted(MPI_Pready_list(parts, order_.data(), request), "MPI_Pready_list");
  return each(request, [](int) {});
}

void PartRequests::send(std::byte* place, int section, int to, int with, MPI_Request* request) const {
  mpi::check(MPI_Psend_init(place + section * section_byte_, parts_, elements_, MPI_BYTE, to, with, comm_,
                            MPI_INFO_NULL, request),
             "MPI_Psend_init");
}

void PartRequests::receive(std::byte* place, int section, int from, int with, MPI_Request* request) const {
  mpi::check(MPI_Precv_init(place + section * section_byte_, parts_, elements_, MPI_BYTE, from, with, comm_,
                            MPI_INFO_NULL, request),
             "MPI_Precv_init");
}

std::unique_ptr<measure::Workload> open_partitioned(const Point& whole) {
  const Point point = with_request_slots(whole);
  const auto name = point.definition.name;
  if (name == "PingPong_part") return workload(PingPong(point), point);
  if (name == "Uniband_part") return workload(Uniband(point), point);
  if (name == "Exchange_part") {
    Point one = point;
    one.send.layout.slots.slots = one.receive.layout.slots.slots = 1;
    return workload(Exchange(one), one);
  }
  if (name == "Overlap_part") return open_early_bird(point);
  return nullptr;
}

std::string partitioned_obstacle() {
  if (!mpi::active()) return {};
  static const int code = class_of_attempt(mpi::Communicator::world());
  if (code == MPI_SUCCESS) return {};
  return "the partitioned communication of this MPI library refuses: " + mpi::class_name(code);
}

}  // namespace steelyard::imb
