// SPDX-License-Identifier: Apache-2.0
// Messages by persistent requests, each compared with the benchmark of IMB-MPI1 of the same shape.
#include "mpi/error.hpp"
#include "suites/imb/own/compared.hpp"
#include "suites/imb/point.hpp"

namespace steelyard::imb {
namespace {

using measure::keep_first;

// Makes requests to send and receive messages of a point; tells what one took.
class Maker {
 public:
  explicit Maker(const Point& point)
      : message_(point.message()), section_byte_(point.size.count() * point.stride()), comm_(point.comm()) {}

  void send(const std::byte* place, int section, int to, int with, MPI_Request* request) {
    timed([&] {
      return mpi::noted(MPI_Send_init(place + section * section_byte_, message_.count(), message_.type(), to,
                                      with, comm_, request),
                        "MPI_Send_init");
    });
  }
  void receive(std::byte* place, int section, int from, int with, MPI_Request* request) {
    timed([&] {
      return mpi::noted(MPI_Recv_init(place + section * section_byte_, message_.count(), message_.type(),
                                      from, with, comm_, request),
                        "MPI_Recv_init");
    });
  }
  [[nodiscard]] double mean_s() const { return made_ == 0 ? 0 : seconds_ / made_; }

 private:
  template <class Call>
  void timed(Call call) {
    const double start_s = steady_seconds();
    mpi::check(call(), "persistent request");
    seconds_ += steady_seconds() - start_s;
    ++made_;
  }

  Message message_;
  std::int64_t section_byte_;
  MPI_Comm comm_;
  double seconds_ = 0;
  int made_ = 0;
};

// Base of every benchmark here: the requests of a repetition, slot after slot.
class ByRequests {
 public:
  ByRequests(const Point& point, int of_one) : point_(point), requests_(slots(point), of_one) {}
  void seek(std::uint64_t i) noexcept { requests_.seek(i); }

 protected:
  // make(maker, send place, receive place, requests) for every slot.
  template <class Make>
  void make_all(Make make) {
    Maker maker(point_);
    auto send = point_.send.cursor();
    auto receive = point_.receive.cursor();
    for (std::int64_t slot = 0; slot < slots(point_); ++slot)
      make(maker, send.next(), receive.next(), requests_.of_place(slot));
    point_.own->set_request(maker.mean_s(), 0);
  }
  [[nodiscard]] static int start_and_wait(MPI_Request* request) noexcept {
    int error = 0;
    keep_first(error, MPI_Start(request), "MPI_Start");
    keep_first(error, MPI_Wait(request, MPI_STATUS_IGNORE), "MPI_Wait");
    return error;
  }
  [[nodiscard]] static int start_and_wait(int count, MPI_Request* requests) noexcept {
    int error = 0;
    keep_first(error, MPI_Startall(count, requests), "MPI_Startall");
    keep_first(error, MPI_Waitall(count, requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
    return error;
  }
  [[nodiscard]] Arrival from(int source) const {
    return {.segments = {{.at = 0, .bytes = point_.size.count(), .source = source, .from = 0}}};
  }

  Point point_;
  PersistentRequests requests_;

 private:
  static std::int64_t slots(const Point& point) { return point.send.layout.slots.slots; }
};

// Request 0 receives from the partner, request 1 sends to it: what is started first can be received at once.
class TwoProcesses : public ByRequests {
 public:
  explicit TwoProcesses(const Point& point) : ByRequests(point, 2), partner_(1 - point.rank) {
    make_all([this](Maker& make, std::byte* out, std::byte* in, MPI_Request* requests) {
      make.receive(in, 0, partner_, tag, requests);
      make.send(out, 0, partner_, tag, requests + 1);
    });
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return from(partner_); }

 private:
  int partner_;
};

struct PingPongServer : TwoProcesses {
  using TwoProcesses::TwoProcesses;
  int operator()(std::uint64_t) noexcept {
    MPI_Request* const requests = requests_.next();
    int error = 0;
    keep_first(error, start_and_wait(requests + 1));
    keep_first(error, start_and_wait(requests));
    return error;
  }
};

struct PingPongReturner : TwoProcesses {
  using TwoProcesses::TwoProcesses;
  int operator()(std::uint64_t) noexcept {
    MPI_Request* const requests = requests_.next();
    int error = 0;
    keep_first(error, start_and_wait(requests));
    keep_first(error, start_and_wait(requests + 1));
    return error;
  }
};

struct PingPing : TwoProcesses {
  using TwoProcesses::TwoProcesses;
  int operator()(std::uint64_t) noexcept { return start_and_wait(2, requests_.next()); }
};

// A ring. What goes to the right has one tag, what goes to the left another: with two processes both
// neighbours are one.
constexpr int to_the_right = tag;
constexpr int to_the_left = tag + 1;

class InRing : public ByRequests {
 public:
  InRing(const Point& point, int of_one)
      : ByRequests(point, of_one),
        right_((point.rank + 1) % point.processes),
        left_((point.rank + point.processes - 1) % point.processes) {}

 protected:
  int right_, left_;
};

class Sendrecv : public InRing {
 public:
  explicit Sendrecv(const Point& point) : InRing(point, 2) {
    make_all([this](Maker& make, std::byte* out, std::byte* in, MPI_Request* requests) {
      make.receive(in, 0, left_, to_the_right, requests);
      make.send(out, 0, right_, to_the_right, requests + 1);
    });
  }
  int operator()(std::uint64_t) noexcept { return start_and_wait(2, requests_.next()); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return from(left_); }
};

// The first section goes to the right, the second one to the left; what comes from the left lies first.
class Exchange : public InRing {
 public:
  explicit Exchange(const Point& point) : InRing(point, 4) {
    make_all([this](Maker& make, std::byte* out, std::byte* in, MPI_Request* requests) {
      make.receive(in, 0, left_, to_the_right, requests);
      make.receive(in, 1, right_, to_the_left, requests + 1);
      make.send(out, 1, left_, to_the_left, requests + 2);
      make.send(out, 0, right_, to_the_right, requests + 3);
    });
  }
  int operator()(std::uint64_t) noexcept { return start_and_wait(4, requests_.next()); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    const auto size = point_.size.count();
    return {.segments = {{.at = 0, .bytes = size, .source = left_, .from = 0},
                         {.at = size, .bytes = size, .source = right_, .from = size}}};
  }
};

// A window of W messages between rank r of the lower half and rank r + Q/2, and 0 byte that say
// that they arrived.
class Window {
 public:
  Window(const Point& point, bool receives, bool sends)
      : point_(point),
        lower_(point.rank < point.processes / 2),
        partner_(lower_ ? point.rank + point.processes / 2 : point.rank - point.processes / 2),
        count_((receives ? point.settings.window : 0) + (sends ? point.settings.window : 0)),
        requests_(1, count_) {
    Maker make(point);
    MPI_Request* next = requests_.of_place(0);
    if (receives)
      for (auto* const place : places(point.receive, point.settings.window))
        make.receive(place, 0, partner_, tag, next++);
    if (sends)
      for (auto* const place : places(point.send, point.settings.window))
        make.send(place, 0, partner_, tag, next++);
    point_.own->set_request(make.mean_s(), 0);
  }

  void seek(std::uint64_t) noexcept {}
  int operator()(std::uint64_t) noexcept {
    MPI_Request* const requests = requests_.of_place(0);
    int error = 0;
    keep_first(error, MPI_Startall(count_, requests), "MPI_Startall");
    keep_first(error, MPI_Waitall(count_, requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
    keep_first(error, acknowledge());
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return point_.definition.messages == 1 && lower_ ? Arrival{} : window_arrival(point_, partner_);
  }

 private:
  [[nodiscard]] int acknowledge() const noexcept {
    return lower_ ? MPI_Recv(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm(), MPI_STATUS_IGNORE)
                  : MPI_Send(nullptr, 0, MPI_BYTE, partner_, tag, point_.comm());
  }

  Point point_;
  bool lower_;
  int partner_;
  int count_;
  PersistentRequests requests_;
};

std::unique_ptr<measure::Workload> compared(std::unique_ptr<measure::Workload> benchmark,
                                            std::string_view shape, const Point& point) {
  return measure::make_workload<Compared>(std::move(benchmark), workload_of(mpi1().name, shape)(point),
                                          point);
}

}  // namespace

std::unique_ptr<measure::Workload> open_requests(const Point& whole) {
  const Point point = with_request_slots(whole);
  const auto name = point.definition.name;
  if (name == "PingPong_persist" && point.rank == 0)
    return compared(workload(PingPongServer(point), point), "PingPong", point);
  if (name == "PingPong_persist")
    return compared(workload(PingPongReturner(point), point), "PingPong", point);
  if (name == "PingPing_persist") return compared(workload(PingPing(point), point), "PingPing", point);
  if (name == "Sendrecv_persist") return compared(workload(Sendrecv(point), point), "Sendrecv", point);
  if (name == "Exchange_persist") return compared(workload(Exchange(point), point), "Exchange", point);
  // All slots of a window are in flight at once.
  if (name == "Uniband_persist") {
    const bool lower = whole.rank < whole.processes / 2;
    return compared(workload(Window(whole, !lower, lower), whole, band_sides(whole)), "Uniband", whole);
  }
  if (name == "Biband_persist")
    return compared(workload(Window(whole, true, true), whole, band_sides(whole)), "Biband", whole);
  return nullptr;
}

}  // namespace steelyard::imb
