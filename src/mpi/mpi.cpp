// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <array>
#include <climits>
#include <ctime>
#include <limits>
#include <string>

#include "mpi/communicator.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "mpi/transfer.hpp"

namespace steelyard::mpi {
namespace {

std::string error_text(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> buffer{};
  int length = 0;
  if (!active() || MPI_Error_string(code, buffer.data(), &length) != MPI_SUCCESS)
    return "error code " + std::to_string(code);
  return {buffer.data(), static_cast<std::size_t>(length)};
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
    {MPI_ERR_RMA_CONFLICT, "MPI_ERR_RMA_CONFLICT"},
    {MPI_ERR_RMA_SYNC, "MPI_ERR_RMA_SYNC"},
    {MPI_ERR_SIZE, "MPI_ERR_SIZE"},
    {MPI_ERR_DISP, "MPI_ERR_DISP"},
    {MPI_ERR_WIN, "MPI_ERR_WIN"},
    {MPI_ERR_UNSUPPORTED_DATAREP, "MPI_ERR_UNSUPPORTED_DATAREP"},
    {MPI_ERR_UNSUPPORTED_OPERATION, "MPI_ERR_UNSUPPORTED_OPERATION"},
};

ThreadLevel from_mpi(int level) {
  if (level == MPI_THREAD_MULTIPLE) return ThreadLevel::multiple;
  if (level == MPI_THREAD_SERIALIZED) return ThreadLevel::serialized;
  if (level == MPI_THREAD_FUNNELED) return ThreadLevel::funneled;
  return ThreadLevel::single;
}

int to_mpi(ThreadLevel level) {
  switch (level) {
    case ThreadLevel::multiple:
      return MPI_THREAD_MULTIPLE;
    case ThreadLevel::serialized:
      return MPI_THREAD_SERIALIZED;
    case ThreadLevel::funneled:
      return MPI_THREAD_FUNNELED;
    case ThreadLevel::single:
      break;
  }
  return MPI_THREAD_SINGLE;
}

template <class T>
T all_reduce(T value, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  T result{};
  check(MPI_Allreduce(&value, &result, 1, type, op, comm), "MPI_Allreduce");
  return result;
}

}  // namespace

std::string class_name(int code) {
  int error_class = 0;
  if (!active() || MPI_Error_class(code, &error_class) != MPI_SUCCESS) return "MPI_ERR_UNKNOWN";
  for (const auto& entry : class_names)
    if (entry.error_class == error_class) return entry.name;
  return "error class " + std::to_string(error_class);
}

Error::Error(std::string failed_call, int code)
    : std::runtime_error(failed_call + ": " + error_text(code)),
      call(std::move(failed_call)),
      error_class(class_name(code)),
      text(error_text(code)),
      rank(world_rank()),
      host(active() ? processor_name() : std::string()) {}

static_assert(MPI_SUCCESS == 0);

void fail(int code, const char* call) {
  throw Error(call, code);
}

bool active() {
  int initialised = 0;
  int finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  return initialised != 0 && finalised == 0;
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
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();  // MPI_Abort does not return; the compiler does not know
}

Communicator Communicator::world() {
  Communicator c;
  c.borrowed_ = MPI_COMM_WORLD;
  MPI_Comm_rank(MPI_COMM_WORLD, &c.rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &c.size_);
  return c;
}

Communicator Communicator::self() {
  Communicator c;
  c.borrowed_ = MPI_COMM_SELF;
  c.rank_ = 0;
  c.size_ = 1;
  return c;
}

void Communicator::adopt(MPI_Comm comm) {
  owned_ = CommHandle(comm);
  if (comm == MPI_COMM_NULL) return;
  check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(comm, &size_), "MPI_Comm_size");
}

Communicator Communicator::split(int color, int key) const {
  MPI_Comm comm = MPI_COMM_NULL;
  check(MPI_Comm_split(get(), color < 0 ? MPI_UNDEFINED : color, key, &comm), "MPI_Comm_split");
  Communicator result;
  result.adopt(comm);
  return result;
}

Communicator Communicator::split_shared() const {
  MPI_Comm comm = MPI_COMM_NULL;
  check(MPI_Comm_split_type(get(), MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &comm), "MPI_Comm_split_type");
  Communicator result;
  result.adopt(comm);
  return result;
}

Communicator Communicator::duplicate() const {
  MPI_Comm comm = MPI_COMM_NULL;
  check(MPI_Comm_dup(get(), &comm), "MPI_Comm_dup");
  Communicator result;
  result.adopt(comm);
  return result;
}

Communicator Communicator::cartesian(const std::vector<int>& extents, bool cyclic) const {
  const std::vector<int> periods(extents.size(), cyclic ? 1 : 0);
  MPI_Comm comm = MPI_COMM_NULL;
  check(MPI_Cart_create(get(), static_cast<int>(extents.size()), extents.data(), periods.data(), 1, &comm),
        "MPI_Cart_create");
  Communicator result;
  result.adopt(comm);
  return result;
}

void Communicator::barrier() const {
  check(MPI_Barrier(get()), "MPI_Barrier");
}

void Communicator::sleepy_barrier(double nap_s) const {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(get(), &request), "MPI_Ibarrier");
  timespec nap{0, static_cast<long>(nap_s * 1e9)};
  for (int done = 0;;) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return;
    nanosleep(&nap, nullptr);
  }
}

void Communicator::broadcast_bytes(void* data, std::size_t bytes, int root) const {
  const Transfer transfer(static_cast<std::int64_t>(bytes), MPI_BYTE);
  check(MPI_Bcast(data, transfer.count(), transfer.type(), root, get()), "MPI_Bcast");
}

std::string Communicator::broadcast(std::string text, int root) const {
  const auto length = broadcast(static_cast<std::int64_t>(text.size()), root);
  text.resize(static_cast<std::size_t>(length));
  broadcast(std::span<char>(text), root);
  return text;
}

double Communicator::max(double v) const {
  return all_reduce(v, MPI_DOUBLE, MPI_MAX, get());
}
double Communicator::min(double v) const {
  return all_reduce(v, MPI_DOUBLE, MPI_MIN, get());
}
double Communicator::sum(double v) const {
  return all_reduce(v, MPI_DOUBLE, MPI_SUM, get());
}
std::int64_t Communicator::max(std::int64_t v) const {
  return all_reduce(v, MPI_INT64_T, MPI_MAX, get());
}
std::int64_t Communicator::min(std::int64_t v) const {
  return all_reduce(v, MPI_INT64_T, MPI_MIN, get());
}
std::int64_t Communicator::sum(std::int64_t v) const {
  return all_reduce(v, MPI_INT64_T, MPI_SUM, get());
}

std::vector<std::string> Communicator::gather(const std::string& text, int root) const {
  const int length = to_int(static_cast<std::int64_t>(text.size()));
  const bool receives = rank_ == root;
  const auto ranks = receives ? static_cast<std::size_t>(size_) : 0;
  std::vector<int> lengths(ranks);
  check(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, root, get()), "MPI_Gather");
  std::vector<int> starts(ranks);
  std::int64_t total = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    starts[r] = to_int(total);
    total += lengths[r];
  }
  std::string all(static_cast<std::size_t>(total), '\0');
  check(MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR, root,
                    get()),
        "MPI_Gatherv");
  std::vector<std::string> result;
  for (std::size_t r = 0; r < ranks; ++r)
    result.push_back(all.substr(static_cast<std::size_t>(starts[r]), static_cast<std::size_t>(lengths[r])));
  return result;
}

int to_int(std::int64_t value) {
  if (value < 0 || value > INT_MAX)
    throw std::overflow_error("count " + std::to_string(value) + " is outside MPI's 0.." +
                              std::to_string(INT_MAX));
  return static_cast<int>(value);
}

Transfer::Transfer(std::int64_t elements, MPI_Datatype type) : type_(type) {
  if (elements <= INT_MAX) {
    count_ = to_int(elements);
    return;
  }
  constexpr std::int64_t block = std::int64_t{1} << 20;
  const int blocks = to_int(elements / block);
  const int rest = static_cast<int>(elements % block);
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  DatatypeHandle one_block;
  DatatypeHandle many;
  check(MPI_Type_contiguous(static_cast<int>(block), type, one_block.put()), "MPI_Type_contiguous");
  check(MPI_Type_contiguous(blocks, one_block.get(), many.put()), "MPI_Type_contiguous");
  const int lengths[] = {1, rest};
  const MPI_Aint starts[] = {0, blocks * block * extent};
  const MPI_Datatype types[] = {many.get(), type};
  check(MPI_Type_create_struct(2, lengths, starts, types, owned_.put()), "MPI_Type_create_struct");
  check(MPI_Type_commit(owned_.put()), "MPI_Type_commit");
  count_ = 1;
}

}  // namespace steelyard::mpi
