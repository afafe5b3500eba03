// SPDX-License-Identifier: Apache-2.0
#include "measuring/agreement.hpp"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <thread>

#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "process/errors.hpp"

namespace steelyard::cli {
namespace {

constexpr std::chrono::seconds time_to_abort{5};

}  // namespace

std::string place_of_error(const mpi::Communicator& world) {
  if (world.is_root()) return {};
  return "[rank " + std::to_string(world.rank()) + " on " + mpi::processor_name() + "] ";
}

int explain_here(const mpi::Communicator& world, const std::string& help_of) {
  try {
    throw;
  } catch (const mpi::Error& error) {
    print_error_here(place_of_error(world) + error.what());
    return exit_code::point_failed;
  } catch (...) {
    return explain_current_exception(help_of, place_of_error(world));
  }
}

int code_here() {
  try {
    throw;
  } catch (const mpi::Error&) {
    return exit_code::point_failed;
  } catch (...) {
    return code_of_current_exception();
  }
}

void end_hanging(const std::function<void()>& before) {
  std::thread([] {
    std::this_thread::sleep_for(time_to_abort);
    std::_Exit(exit_code::point_failed);
  }).detach();
  if (before) before();
  mpi::abort(exit_code::point_failed);
}

void agreed(const mpi::Communicator& world, const std::string& help_of, const std::function<void()>& act) {
  std::exception_ptr failure;
  try {
    act();
  } catch (...) {
    failure = std::current_exception();
  }
  const std::int64_t mine = failure ? world.rank() : world.size();
  const std::int64_t first = world.min(mine);
  if (first == world.size()) return;
  std::int64_t code = 0;
  if (mine == first) try {
      std::rethrow_exception(failure);
    } catch (...) {
      code = explain_here(world, help_of);
    }
  throw Ended(static_cast<int>(world.max(code)));
}

void agreed_on_root(const mpi::Communicator& world, const std::string& help_of,
                    const std::function<void()>& act) {
  agreed(world, help_of, [&] {
    if (world.is_root()) act();
  });
}

}  // namespace steelyard::cli
