// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/ext/transfer.hpp"
#include "suites/imb/workloads.hpp"

namespace steelyard::imb {
namespace {

// A window of X bytes is made, used and freed. The second fence completes the byte that the process puts into
// its own memory, so that no library can leave out an unused window (IMB 3.1 User's Guide, 4.2.3.6).
class Cycle {
 public:
  explicit Cycle(const Point& point)
      : cursors_(point),
        info_(window_hints(point.settings)),
        size_(point.size.count()),
        rank_(point.rank),
        comm_(point.comm()) {}

  int operator()(std::uint64_t) noexcept {
    std::byte* const origin = cursors_.send.next();
    std::byte* const memory = cursors_.receive.next();
    MPI_Win window = MPI_WIN_NULL;
    if (const int code = MPI_Win_create(memory, size_, 1, info_.get(), comm_, &window); code != 0)
      return code;
    int error = use(window, origin);
    measure::keep_first(error, MPI_Win_free(&window), "MPI_Win_free");
    return error;
  }
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = {{.at = 0, .bytes = put_byte(), .source = rank_, .from = 0}}};
  }

 private:
  [[nodiscard]] int put_byte() const noexcept { return size_ > 0 ? 1 : 0; }

  // Windows end the program at an error unless they are told otherwise.
  [[nodiscard]] int use(MPI_Win window, const std::byte* origin) const noexcept {
    int error = 0;
    measure::keep_first(error, MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
    measure::keep_first(error, MPI_Win_fence(0, window), "MPI_Win_fence");
    if (size_ > 0)
      measure::keep_first(error, MPI_Put(origin, 1, MPI_BYTE, rank_, 0, 1, MPI_BYTE, window), "MPI_Put");
    measure::keep_first(error, MPI_Win_fence(0, window), "MPI_Win_fence");
    return error;
  }

  Cursors cursors_;
  mpi::InfoHandle info_;
  std::int64_t size_;
  int rank_;
  MPI_Comm comm_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Window">, const Point& point) {
  return workload(Cycle(point), point);
}

}  // namespace steelyard::imb
