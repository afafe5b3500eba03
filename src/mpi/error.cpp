// SPDX-License-Identifier: Apache-2.0
#include "mpi/error.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>

#include "mpi/environment.hpp"

namespace steelyard::mpi {
namespace {

static_assert(MPI_SUCCESS == 0);

std::string error_text(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> buffer{};
  int length = 0;
  if (!active() || MPI_Error_string(code, buffer.data(), &length) != MPI_SUCCESS)
    return "error code " + std::to_string(code);
  return without_addresses({buffer.data(), static_cast<std::size_t>(length)});
}

bool is_function(std::string_view name) {
  return name.starts_with("MPI_") || name.starts_with("MPIX_");
}

// A code that went through many hands is told with a name for all that they did.
std::string best_name(std::string known, const std::string& text) {
  if (is_function(known)) return known;
  auto told = function_in(text);
  return told.empty() ? known : told;
}

int world_rank() {
  int rank = -1;
  if (active()) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

struct ClassName {
  int error_class;
  const char* name;
};

// The classes a benchmark can meet; MPI offers no call that names them.
constexpr ClassName class_names[] = {
    {MPI_ERR_BUFFER, "MPI_ERR_BUFFER"},
    {MPI_ERR_COUNT, "MPI_ERR_COUNT"},
    {MPI_ERR_TYPE, "MPI_ERR_TYPE"},
    {MPI_ERR_TAG, "MPI_ERR_TAG"},
    {MPI_ERR_COMM, "MPI_ERR_COMM"},
    {MPI_ERR_RANK, "MPI_ERR_RANK"},
    {MPI_ERR_REQUEST, "MPI_ERR_REQUEST"},
    {MPI_ERR_ROOT, "MPI_ERR_ROOT"},
    {MPI_ERR_GROUP, "MPI_ERR_GROUP"},
    {MPI_ERR_OP, "MPI_ERR_OP"},
    {MPI_ERR_TOPOLOGY, "MPI_ERR_TOPOLOGY"},
    {MPI_ERR_DIMS, "MPI_ERR_DIMS"},
    {MPI_ERR_ARG, "MPI_ERR_ARG"},
    {MPI_ERR_UNKNOWN, "MPI_ERR_UNKNOWN"},
    {MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE"},
    {MPI_ERR_OTHER, "MPI_ERR_OTHER"},
    {MPI_ERR_INTERN, "MPI_ERR_INTERN"},
    {MPI_ERR_PENDING, "MPI_ERR_PENDING"},
    {MPI_ERR_IN_STATUS, "MPI_ERR_IN_STATUS"},
    {MPI_ERR_ACCESS, "MPI_ERR_ACCESS"},
    {MPI_ERR_AMODE, "MPI_ERR_AMODE"},
    {MPI_ERR_BAD_FILE, "MPI_ERR_BAD_FILE"},
    {MPI_ERR_FILE, "MPI_ERR_FILE"},
    {MPI_ERR_FILE_EXISTS, "MPI_ERR_FILE_EXISTS"},
    {MPI_ERR_FILE_IN_USE, "MPI_ERR_FILE_IN_USE"},
    {MPI_ERR_INFO, "MPI_ERR_INFO"},
    {MPI_ERR_IO, "MPI_ERR_IO"},
    {MPI_ERR_NO_MEM, "MPI_ERR_NO_MEM"},
    {MPI_ERR_NO_SPACE, "MPI_ERR_NO_SPACE"},
    {MPI_ERR_NO_SUCH_FILE, "MPI_ERR_NO_SUCH_FILE"},
    {MPI_ERR_QUOTA, "MPI_ERR_QUOTA"},
    {MPI_ERR_READ_ONLY, "MPI_ERR_READ_ONLY"},
    {MPI_ERR_INFO_KEY, "MPI_ERR_INFO_KEY"},
    {MPI_ERR_INFO_NOKEY, "MPI_ERR_INFO_NOKEY"},
    {MPI_ERR_INFO_VALUE, "MPI_ERR_INFO_VALUE"},
    {MPI_ERR_NOT_SAME, "MPI_ERR_NOT_SAME"},
    {MPI_ERR_CONVERSION, "MPI_ERR_CONVERSION"},
    {MPI_ERR_ASSERT, "MPI_ERR_ASSERT"},
    {MPI_ERR_BASE, "MPI_ERR_BASE"},
    {MPI_ERR_LOCKTYPE, "MPI_ERR_LOCKTYPE"},
    {MPI_ERR_RMA_ATTACH, "MPI_ERR_RMA_ATTACH"},
    {MPI_ERR_RMA_CONFLICT, "MPI_ERR_RMA_CONFLICT"},
    {MPI_ERR_RMA_FLAVOR, "MPI_ERR_RMA_FLAVOR"},
    {MPI_ERR_RMA_RANGE, "MPI_ERR_RMA_RANGE"},
    {MPI_ERR_RMA_SHARED, "MPI_ERR_RMA_SHARED"},
    {MPI_ERR_RMA_SYNC, "MPI_ERR_RMA_SYNC"},
    {MPI_ERR_SIZE, "MPI_ERR_SIZE"},
    {MPI_ERR_DISP, "MPI_ERR_DISP"},
    {MPI_ERR_WIN, "MPI_ERR_WIN"},
    {MPI_ERR_UNSUPPORTED_DATAREP, "MPI_ERR_UNSUPPORTED_DATAREP"},
    {MPI_ERR_UNSUPPORTED_OPERATION, "MPI_ERR_UNSUPPORTED_OPERATION"},
};

}  // namespace

std::string class_name(int code) {
  int error_class = 0;
  if (!active() || MPI_Error_class(code, &error_class) != MPI_SUCCESS) return "MPI_ERR_UNKNOWN";
  for (const auto& entry : class_names)
    if (entry.error_class == error_class) return entry.name;
  return "error class " + std::to_string(error_class);
}

std::string without_addresses(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdefABCDEF", begin = "0x";
  constexpr std::size_t fewest_digits = 6;  // constants of a library, as "status=0x1", have less
  std::string result;
  while (!text.empty()) {
    const auto at = std::min(text.find(begin), text.size());
    result += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) break;
    const auto end = std::min(text.find_first_not_of(digits, begin.size()), text.size());
    result += end < begin.size() + fewest_digits ? text.substr(0, end) : "0x...";
    text.remove_prefix(end);
  }
  return result;
}

std::string function_in(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  for (auto at = text.find("MPI"); at != std::string_view::npos; at = text.find("MPI", at + 1)) {
    const auto name = text.substr(at, text.find_first_not_of(letters, at) - at);
    const bool begins = at == 0 || letters.find(text[at - 1]) == std::string_view::npos;
    const bool takes_arguments = at + name.size() < text.size() && text[at + name.size()] == '(';
    if (begins && takes_arguments && is_function(name)) return std::string(name);
  }
  return {};
}

Error::Error(const std::string& failed_call, int code, int left)
    : Error(failed_call, code, error_text(code), left) {}

Error::Error(const std::string& failed_call, int code, const std::string& told, int left)
    : std::runtime_error(best_name(failed_call, told) + ": " + told),
      call(best_name(failed_call, told)),
      error_class(class_name(code)),
      text(told),
      rank(world_rank()),
      host(active() ? processor_name() : std::string()),
      system_error(left) {}

void fail(int code, const char* call) {
  const int left = errno;
  tell_listener(code, call);
  const std::string_view noted = take_noted_call();
  throw Error(noted.empty() || is_function(call) ? std::string(call) : std::string(noted), code, left);
}

}  // namespace steelyard::mpi
