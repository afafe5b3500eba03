// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "suites/imb/point.hpp"
#include "suites/imb/workloads.hpp"

namespace steelyard::imb {
namespace {

using measure::keep_first;

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
      keep_first(error,
                 MPI_Isend(place, message_.count(), message_.type(), partner_, tag, point_.comm(),
                           &requests_[started_++]),
                 "MPI_Isend");
  }
  void start_receives(int& error) noexcept {
    for (std::byte* const place : receive_)
      keep_first(error,
                 MPI_Irecv(place, message_.count(), message_.type(), partner_, tag, point_.comm(),
                           &requests_[started_++]),
                 "MPI_Irecv");
  }
  void wait(int& error) noexcept {
    const int count = static_cast<int>(std::exchange(started_, 0));
    keep_first(error, MPI_Waitall(count, requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }
  void acknowledge(int& error) noexcept {
    if (lower_)
      keep_first(error,
                 MPI_Recv(&acknowledgement_, 1, MPI_CHAR, partner_, tag, point_.comm(), MPI_STATUS_IGNORE),
                 "MPI_Recv");
    else
      keep_first(error, MPI_Send(&acknowledgement_, 1, MPI_CHAR, partner_, tag, point_.comm()), "MPI_Send");
  }
  [[nodiscard]] bool lower() const noexcept { return lower_; }

  [[nodiscard]] Arrival arrives() const { return window_arrival(point_, partner_); }

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
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return arrives(); }
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
  [[nodiscard]] Arrival arrival(std::uint64_t) const { return arrives(); }
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Uniband">, const Point& point) {
  if (point.rank < point.processes / 2) return workload(LowerUniband(point), point, band_sides(point));
  return workload(UpperUniband(point), point, band_sides(point));
}
std::unique_ptr<measure::Workload> open(Named<"Biband">, const Point& point) {
  return workload(Biband(point), point, band_sides(point));
}

}  // namespace steelyard::imb
