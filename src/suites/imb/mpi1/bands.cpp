// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

using measure::keep_first;

// Message w of a window lies in slot w mod slots of either side.
std::vector<std::byte*> places(const Area& area, int window) {
  auto cursor = area.cursor();
  std::vector<std::byte*> result(static_cast<std::size_t>(window));
  std::ranges::generate(result, [&] { return cursor.next(); });
  return result;
}

// A whole side as one slot: in every repetition the window uses all of it.
Area whole(const Area& area) {
  const auto bytes = area.layout.slots.bytes;
  return {area.base, {bytes, {.offset = bytes, .slots = 1, .bytes = bytes}}};
}

// A window of W messages between rank r of the lower half and rank r + Q/2, and one char that says that they
// arrived.
class Window {
 public:
  explicit Window(const Point& point)
      : send_(places(point.send, point.settings.window)),
        receive_(places(point.receive, point.settings.window)),
        requests_(2 * send_.size(), MPI_REQUEST_NULL),
        message_(point.message()),
        point_(point),
        lower_(point.rank < point.processes / 2),
        partner_(lower_ ? point.rank + point.processes / 2 : point.rank - point.processes / 2) {}

  void seek(std::uint64_t) noexcept {}

 protected:
  // Each step adds its first error to that of the steps before it.
  void start_sends(int& error) noexcept {
    for (std::byte* const place : send_)
      keep_first(error, MPI_Isend(place, message_.count(), message_.type(), partner_, tag, point_.comm,
                                  &requests_[started_++]));
  }
  void start_receives(int& error) noexcept {
    for (std::byte* const place : receive_)
      keep_first(error, MPI_Irecv(place, message_.count(), message_.type(), partner_, tag, point_.comm,
                                  &requests_[started_++]));
  }
  void wait(int& error) noexcept {
    const int count = static_cast<int>(std::exchange(started_, 0));
    keep_first(error, MPI_Waitall(count, requests_.data(), MPI_STATUSES_IGNORE));
  }
  void acknowledge(int& error) noexcept {
    if (lower_)
      keep_first(error,
                 MPI_Recv(&acknowledgement_, 1, MPI_CHAR, partner_, tag, point_.comm, MPI_STATUS_IGNORE));
    else
      keep_first(error, MPI_Send(&acknowledgement_, 1, MPI_CHAR, partner_, tag, point_.comm));
  }
  [[nodiscard]] bool lower() const noexcept { return lower_; }

  // Where receives overlap, all messages of the window are equal, and so is what stands there at the end.
  [[nodiscard]] Arrival window_arrival() const {
    Arrival arrival;
    for (std::size_t w = 0; w < receive_.size(); ++w) {
      const auto at = (receive_[w] - point_.receive.base) / point_.stride();
      const auto from = (send_[w] - point_.send.base) / point_.stride();
      if (w > 0 && receive_[w] <= receive_[w - 1]) break;
      arrival.segments.push_back({.at = at, .bytes = point_.size.count(), .source = partner_, .from = from});
    }
    return arrival;
  }

 private:
  std::vector<std::byte*> send_, receive_;
  std::vector<MPI_Request> requests_;
  std::size_t started_ = 0;
  Message message_;
  Point point_;
  bool lower_;
  int partner_;
  char acknowledgement_ = 0;
};

struct LowerUniband : Window {
  using Window::Window;
  int operator()(std::uint64_t) noexcept {
    int error = 0;
    start_sends(error);
    wait(error);
    acknowledge(error);
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return {}; }
};

struct UpperUniband : Window {
  using Window::Window;
  int operator()(std::uint64_t) noexcept {
    int error = 0;
    start_receives(error);
    wait(error);
    acknowledge(error);
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return window_arrival(); }
};

struct Biband : Window {
  using Window::Window;
  int operator()(std::uint64_t) noexcept {
    int error = 0;
    start_receives(error);
    start_sends(error);
    wait(error);
    acknowledge(error);
    return error;
  }
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return window_arrival(); }
};

CheckedSides band_sides(const Point& point) {
  auto sides = point.checked_sides();
  sides.send = whole(point.send);
  sides.send_slots = point.send.layout;
  sides.receive = whole(point.receive);
  const bool overlapping = point.settings.window * point.size > separate_receives_limit;
  if (overlapping) sides.send_period = point.send.layout.slots.offset / point.stride();
  return sides;
}

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Uniband">, const Point& point) {
  if (point.rank < point.processes / 2) return workload(LowerUniband(point), point, band_sides(point));
  return workload(UpperUniband(point), point, band_sides(point));
}
std::unique_ptr<measure::Workload> open(Named<"Biband">, const Point& point) {
  return workload(Biband(point), point, band_sides(point));
}

}  // namespace steelyard::imb
