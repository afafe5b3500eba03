// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace steelyard::mpi {

enum class ThreadLevel { single, funneled, serialized, multiple };

/// MPI from initialisation to finalisation; the first object of a measuring main. MPI_COMM_WORLD and
/// MPI_COMM_SELF return errors instead of aborting. Throws Error.
class Environment {
 public:
  Environment(int* argc, char*** argv, ThreadLevel wanted);
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment();  // finalises

  [[nodiscard]] ThreadLevel provided() const { return provided_; }

 private:
  ThreadLevel provided_ = ThreadLevel::single;
};

/// True between initialisation and finalisation: handles may be freed.
[[nodiscard]] bool active();

/// True from initialisation on, after finalisation too.
[[nodiscard]] bool was_started();

/// MPI_Get_library_version, first line, and MPI_Get_version as "3.1".
[[nodiscard]] std::string library_version();
[[nodiscard]] std::string standard_version();
[[nodiscard]] std::string processor_name();

/// Ends all processes with this code, half a second later so that the launcher can read the output; for
/// states from which MPI cannot finalise.
[[noreturn]] void abort(int code);

}  // namespace steelyard::mpi
