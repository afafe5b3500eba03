// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/own/partitioned.hpp"

#include <algorithm>
#include <array>
#include <memory>

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

// Messages of 8 byte in two parts to both neighbours in a ring of all processes, and theirs.
struct RingTrial {
  explicit RingTrial(const mpi::Communicator& world)
      : own(from(world.rank())),
        left((world.rank() + world.size() - 1) % world.size()),
        right((world.rank() + 1) % world.size()) {
    make(world.get(), {right, left}, {left, right});
  }
  RingTrial(const RingTrial&) = delete;
  RingTrial& operator=(const RingTrial&) = delete;
  ~RingTrial() {
    for (MPI_Request& request : requests)
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }

  using Message = std::array<std::int32_t, 2>;
  static Message from(int rank) { return {rank, ~rank}; }

  void make(MPI_Comm comm, std::array<int, 2> to, std::array<int, 2> source) noexcept {
    for (std::size_t way = 0; way < 2; ++way) {
      const int its_tag = tag + static_cast<int>(way);
      keep_first(code,
                 MPI_Psend_init(own.data(), 2, 1, MPI_INT32_T, to[way], its_tag, comm, MPI_INFO_NULL,
                                &requests[way]),
                 "MPI_Psend_init");
      keep_first(code,
                 MPI_Precv_init(found[way].data(), 2, 1, MPI_INT32_T, source[way], its_tag, comm,
                                MPI_INFO_NULL, &requests[2 + way]),
                 "MPI_Precv_init");
    }
  }
  void start() noexcept {
    keep_first(code, MPI_Startall(4, requests), "MPI_Startall");
    for (std::size_t way = 0; way < 2 && code == MPI_SUCCESS; ++way)
      for (int part = 0; part < 2; ++part) keep_first(code, MPI_Pready(part, requests[way]), "MPI_Pready");
  }
  // Whether all have ended, or failed, in so many seconds.
  bool ends_within(double seconds) noexcept {
    const double end_s = steady_seconds() + seconds;
    int done = 0;
    while (done == 0 && code == MPI_SUCCESS && steady_seconds() < end_s)
      keep_first(code, MPI_Testall(4, requests, &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    return done != 0 || code != MPI_SUCCESS;
  }
  [[nodiscard]] bool is_right() const { return found[0] == from(left) && found[1] == from(right); }

  Message own, found[2] = {};
  int left, right;
  MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int code = MPI_SUCCESS;
};

// Why messages in parts cannot be measured; the same on all processes. All take part: Open MPI 5 prepares the first of
// them among all processes of the world, and one that makes none lets the others wait for ever.
std::string obstacle_in(const mpi::Communicator& world) {
  constexpr int patience_s = 5;
  auto trial = std::make_unique<RingTrial>(world);
  const auto refused = [&]() -> std::string {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(trial->code, &error_class);
    const auto worst = static_cast<int>(world.max(std::int64_t{error_class}));
    if (worst == MPI_SUCCESS) return {};
    return "the partitioned communication of this MPI library refuses: " + mpi::class_name(worst);
  };
  // A process without a request leaves the others waiting.
  if (auto why = refused(); !why.empty()) return why;
  trial->start();
  auto why = refused();
  if (why.empty() && !world.all(trial->ends_within(patience_s)))
    why = "messages in parts to both neighbours did not arrive in " + std::to_string(patience_s) +
          " s with this MPI library";
  if (why.empty()) why = refused();
  // What is under way can be neither freed nor given other memory.
  if (!why.empty())
    static_cast<void>(trial.release());
  else if (!world.all(trial->is_right()))
    why = "the partitioned communication of this MPI library delivers wrong data";
  return why;
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
  static const std::string why = obstacle_in(mpi::Communicator::world());
  return why;
}

}  // namespace steelyard::imb
