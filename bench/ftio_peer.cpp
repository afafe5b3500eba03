// SPDX-License-Identifier: Apache-2.0
// FTIO written down in the plainest way, on FFTW's own distributed transform and MPI-IO: what
// bench/ftio_versus.py runs beside ours. One file per process, a blocking call per row section or segment,
// MPI_File_sync after each phase. Arguments: DIRECTORY PARAMETER. Prints one line of JSON.
#include <fftw3-mpi.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "suites/ftio/closed_form.hpp"
#include "suites/ftio/settings.hpp"

namespace {

using namespace steelyard::ftio;

void must(int code) {
  if (code != MPI_SUCCESS) throw std::runtime_error("an MPI call failed");
}

class Peer {
 public:
  Peer(const std::string& directory, std::int64_t parameter, int rank, int processes)
      : shape_{processes, parameter},
        rank_(rank),
        width_(static_cast<int>(parameter)),
        band_(static_cast<int>(shape_.band())),
        form_(shape_.order(), rank * shape_.band(), shape_.band()),
        other_(static_cast<std::size_t>(band_)) {
    plan_transform();
    char name[32];
    std::snprintf(name, sizeof name, "/ftio_peer.%06d", rank);
    const std::string path = directory + name;
    must(MPI_File_open(MPI_COMM_SELF, path.c_str(),
                       MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                       MPI_INFO_NULL, &file_));
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer() {
    MPI_File_close(&file_);
    fftw_destroy_plan(plan_);
    fftw_free(row_);
  }

  void run() {
    timed(Phase::initialise, [this] { initialise(); });
    timed(Phase::first_transforms, [this] { transform(); });
    timed(Phase::transpose, [this] { transpose(); });
    timed(Phase::exchange, [this] { exchange(); });
    timed(Phase::second_transforms, [this] { transform(); });
    timed(Phase::verify, [this] { compare(); });
  }

  void report() {
    double largest = 0, total_s = 0;
    MPI_Reduce(&largest_, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    std::array<double, phase_count> slowest{}, io{};
    MPI_Reduce(phase_s_.data(), slowest.data(), static_cast<int>(phase_count), MPI_DOUBLE, MPI_MAX, 0,
               MPI_COMM_WORLD);
    MPI_Reduce(io_s_.data(), io.data(), static_cast<int>(phase_count), MPI_DOUBLE, MPI_SUM, 0,
               MPI_COMM_WORLD);
    if (rank_ != 0) return;
    std::string phases, ios;
    for (std::size_t p = 0; p < phase_count; ++p) {
      phases += (p == 0 ? "" : ", ") + std::to_string(slowest[p]);
      ios += (p == 0 ? "" : ", ") + std::to_string(io[p] / shape_.processes);
      if (p < timed_phases) total_s += slowest[p];
    }
    std::printf(
        "{\"phase_s\": [%s], \"phase_io_s\": [%s], \"total_s\": %.6f, \"largest_difference\": %.6g, "
        "\"allowed_difference\": %.6g}\n",
        phases.c_str(), ios.c_str(), total_s, largest, largest_difference(shape_.order()));
  }

 private:
  void plan_transform() {
    std::ptrdiff_t n_in = 0, first_in = 0, n_out = 0, first_out = 0;
    const std::ptrdiff_t needed = fftw_mpi_local_size_1d(shape_.order(), MPI_COMM_WORLD, FFTW_FORWARD,
                                                         FFTW_ESTIMATE, &n_in, &first_in, &n_out, &first_out);
    if (n_in != band_ || n_out != band_ || first_in != rank_ * shape_.band())
      throw std::runtime_error("FFTW distributes the row in another way");
    row_ = fftw_alloc_complex(static_cast<std::size_t>(needed));
    plan_ = fftw_mpi_plan_dft_1d(shape_.order(), row_, row_, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
    if (plan_ == nullptr) throw std::runtime_error("FFTW has no plan");
  }

  void timed(Phase phase, const std::function<void()>& act) {
    io_ = &io_s_[index(phase)];
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_s = MPI_Wtime();
    act();
    if (phase != Phase::verify) io([this] { must(MPI_File_sync(file_)); });
    MPI_Barrier(MPI_COMM_WORLD);
    phase_s_[index(phase)] = MPI_Wtime() - start_s;
  }

  template <class Act>
  void io(Act act) {
    const double start_s = MPI_Wtime();
    act();
    *io_ += MPI_Wtime() - start_s;
  }
  void read(std::int64_t element, void* to, int elements) {
    io([&] {
      must(MPI_File_read_at(file_, element * element_byte, to, elements, MPI_C_DOUBLE_COMPLEX,
                            MPI_STATUS_IGNORE));
    });
  }
  void write(std::int64_t element, const void* from, int elements) {
    io([&] {
      must(MPI_File_write_at(file_, element * element_byte, from, elements, MPI_C_DOUBLE_COMPLEX,
                             MPI_STATUS_IGNORE));
    });
  }
  [[nodiscard]] Complex* row() { return reinterpret_cast<Complex*>(row_); }
  [[nodiscard]] std::span<Complex> section() { return {row(), static_cast<std::size_t>(band_)}; }

  void initialise() {
    for (std::int64_t r = 0; r < shape_.order(); ++r) {
      form_.input_row(r, section());
      write(r * band_, row_, band_);
    }
  }

  void transform() {
    for (std::int64_t r = 0; r < shape_.order(); ++r) {
      read(r * band_, row_, band_);
      fftw_execute(plan_);
      write(r * band_, row_, band_);
    }
  }

  void transpose() {
    for (std::int64_t square = 0; square < shape_.processes; ++square)
      for (int a = 0; a < width_; ++a)
        for (int b = a; b < width_; ++b) turn(square, a, b);
  }

  /// Mini-Square (a, b) and its conjugate.
  void turn(std::int64_t square, int a, int b) {
    read_mini(square, a, b, row());
    if (a != b) read_mini(square, b, a, other_.data());
    write_turned(square, b, a, row());
    if (a != b) write_turned(square, a, b, other_.data());
  }
  [[nodiscard]] std::int64_t place(std::int64_t square, int a, int b, int line) const {
    return (square * band_ + std::int64_t{a} * width_ + line) * band_ + std::int64_t{b} * width_;
  }
  void read_mini(std::int64_t square, int a, int b, Complex* to) {
    for (int line = 0; line < width_; ++line) read(place(square, a, b, line), to + line * width_, width_);
  }
  void write_turned(std::int64_t square, int a, int b, Complex* from) {
    for (int row = 0; row < width_; ++row)
      for (int column = row + 1; column < width_; ++column)
        std::swap(from[row * width_ + column], from[column * width_ + row]);
    for (int line = 0; line < width_; ++line) write(place(square, a, b, line), from + line * width_, width_);
  }

  void exchange() {
    for (int diagonal = 0; diagonal < shape_.processes; ++diagonal) {
      const int partner = (diagonal - rank_ + shape_.processes) % shape_.processes;
      if (partner == rank_) continue;
      for (std::int64_t r = 0; r < band_; ++r) {
        const std::int64_t at = (partner * shape_.band() + r) * band_;
        read(at, row_, band_);
        must(MPI_Sendrecv_replace(row_, band_, MPI_C_DOUBLE_COMPLEX, partner, diagonal, partner, diagonal,
                                  MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        write(at, row_, band_);
      }
    }
  }

  void compare() {
    for (std::int64_t r = 0; r < shape_.order(); ++r) {
      read(r * band_, row_, band_);
      form_.expected_row(r, other_);
      for (std::size_t k = 0; k < other_.size(); ++k)
        largest_ = std::max(largest_, std::abs(section()[k] - other_[k]));
    }
  }

  Shape shape_;
  int rank_, width_, band_;
  ClosedForm form_;
  std::vector<Complex> other_;
  fftw_complex* row_ = nullptr;
  fftw_plan plan_ = nullptr;
  MPI_File file_ = MPI_FILE_NULL;
  double largest_ = 0;
  double* io_ = nullptr;
  std::array<double, phase_count> phase_s_{}, io_s_{};
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  int rank = 0, processes = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  if (argc != 3 || !valid_parameter(processes, std::atoll(argv[2]))) {
    if (rank == 0)
      std::fprintf(stderr, "usage: ftio_peer DIRECTORY PARAMETER; the processes divide its square\n");
    MPI_Finalize();
    return 2;
  }
  try {
    Peer peer(argv[1], std::atoll(argv[2]), rank, processes);
    peer.run();
    peer.report();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ftio_peer: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
