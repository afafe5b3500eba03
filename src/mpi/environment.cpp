// SPDX-License-Identifier: Apache-2.0
#include "mpi/environment.hpp"

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "mpi/error.hpp"

namespace steelyard::mpi {
namespace {

ThreadLevel from_mpi(int level) {
  if (level == MPI_THREAD_MULTIPLE) return ThreadLevel::multiple;
  if (level == MPI_THREAD_SERIALIZED) return ThreadLevel::serialized;
  if (level == MPI_THREAD_FUNNELED) return ThreadLevel::funneled;
  return ThreadLevel::single;
}

int to_mpi(ThreadLevel level) {
  switch (level) {
    case ThreadLevel::multiple: return MPI_THREAD_MULTIPLE;
    case ThreadLevel::serialized: return MPI_THREAD_SERIALIZED;
    case ThreadLevel::funneled: return MPI_THREAD_FUNNELED;
    case ThreadLevel::single: break;
  }
  return MPI_THREAD_SINGLE;
}

}  // namespace

bool active() {
  int initialised = 0;
  int finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  return initialised != 0 && finalised == 0;
}

bool was_started() {
  int initialised = 0;
  MPI_Initialized(&initialised);
  return initialised != 0;
}

Environment::Environment(int* argc, char*** argv, ThreadLevel wanted) {
  int provided = MPI_THREAD_SINGLE;
  check(MPI_Init_thread(argc, argv, to_mpi(wanted), &provided), "MPI_Init_thread");
  provided_ = from_mpi(provided);
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

Environment::~Environment() {
  if (active()) MPI_Finalize();
}

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> buffer{};
  int length = 0;
  check(MPI_Get_library_version(buffer.data(), &length), "MPI_Get_library_version");
  const std::string text(buffer.data());  // Open MPI counts the terminating zero in its length
  return text.substr(0, text.find('\n'));
}

std::string standard_version() {
  int major = 0;
  int minor = 0;
  check(MPI_Get_version(&major, &minor), "MPI_Get_version");
  return std::to_string(major) + "." + std::to_string(minor);
}

std::string processor_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> buffer{};
  int length = 0;
  MPI_Get_processor_name(buffer.data(), &length);
  return {buffer.data(), static_cast<std::size_t>(length)};
}

void abort(int code) {
  // Launchers pass on the output of processes at their own pace; MPICH's drops what it has not read when
  // the job is killed.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();  // MPI_Abort does not return, which the compiler does not know
}

}  // namespace steelyard::mpi
