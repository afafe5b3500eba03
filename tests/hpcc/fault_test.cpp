// SPDX-License-Identifier: Apache-2.0
// MPI calls of this program go through a layer that spoils one message of one process: every exchange must
// notice.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "measure/failure.hpp"
#include "mpi/communicator.hpp"
#include "suites/hpcc/fft/distributed_fft.hpp"
#include "suites/hpcc/latency_bandwidth/ring_times.hpp"
#include "suites/hpcc/ptrans/ptrans.hpp"
#include "suites/hpcc/random_access/distributed_updates.hpp"
#include "tests/little_memory.hpp"

namespace {

struct Message {
  void* data = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// What the layer does while it is armed: after `skip` received messages of this type one bit of the next is
/// changed, or of every one that follows.
struct Fault {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int skip = 0;
  bool armed = false;
  bool lasts = false;
};
Fault fault;
std::map<MPI_Request, Message> pending;

/// Bytes: the first one. Numbers: of the second word where there is one, a bit that does not change where an
/// update belongs; the first word may be a header.
bool spoil(const Message& message) {
  auto* bytes = static_cast<unsigned char*>(message.data);
  if (message.type == MPI_BYTE) {
    bytes[0] ^= 0x20;
    return true;
  }
  const int word = message.type == MPI_UINT64_T ? 1 : 0;
  if (message.count <= word) return false;
  constexpr unsigned char bit_60 = 0x10, mantissa = 0x08;
  bytes[8 * word + (message.type == MPI_DOUBLE ? 6 : 7)] ^= message.type == MPI_DOUBLE ? mantissa : bit_60;
  return true;
}

void arrived(Message message, const MPI_Status* status) {
  if (!fault.armed || message.type != fault.type || message.count == 0) return;
  if (status != nullptr) PMPI_Get_count(status, message.type, &message.count);
  if (fault.skip > 0) {
    --fault.skip;
    return;
  }
  const bool spoilt = spoil(message);
  fault.armed = fault.lasts || !spoilt;
}

std::optional<Message> taken(MPI_Request request) {
  const auto found = pending.find(request);
  if (request == MPI_REQUEST_NULL || found == pending.end()) return std::nullopt;
  const auto message = found->second;
  pending.erase(found);
  return message;
}

}  // namespace

extern "C" {

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const int code = PMPI_Recv(data, count, type, from, tag, comm, status);
  arrived({data, count, type}, nullptr);
  return code;
}

int MPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int to, int send_tag, void* data,
                 int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const int code =
      PMPI_Sendrecv(send, send_count, send_type, to, send_tag, data, count, type, from, tag, comm, status);
  arrived({data, count, type}, nullptr);
  return code;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const int code = PMPI_Irecv(data, count, type, from, tag, comm, request);
  if (type != MPI_DATATYPE_NULL && type == fault.type) pending[*request] = {data, count, type};
  return code;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const auto message = taken(*request);
  MPI_Status own;
  MPI_Status* const used = status == MPI_STATUS_IGNORE ? &own : status;
  const int code = PMPI_Wait(request, used);
  if (message) arrived(*message, used);
  return code;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  const MPI_Request before = *request;
  MPI_Status own;
  MPI_Status* const used = status == MPI_STATUS_IGNORE ? &own : status;
  const int code = PMPI_Test(request, flag, used);
  if (*flag == 0) return code;
  if (const auto message = taken(before)) arrived(*message, used);
  return code;
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  const auto n = static_cast<std::size_t>(count);
  std::vector<std::optional<Message>> messages(n);
  for (std::size_t i = 0; i < n; ++i) messages[i] = taken(requests[i]);
  std::vector<MPI_Status> own(n);
  MPI_Status* const used = statuses == MPI_STATUSES_IGNORE ? own.data() : statuses;
  const int code = PMPI_Waitall(count, requests, used);
  for (std::size_t i = 0; i < n; ++i)
    if (messages[i]) arrived(*messages[i], &used[i]);
  return code;
}

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* data, int count,
                 MPI_Datatype type, MPI_Comm comm) {
  const int code = PMPI_Alltoall(send, send_count, send_type, data, count, type, comm);
  arrived({data, count, type}, nullptr);
  return code;
}

}  // extern "C"

using namespace steelyard;
using namespace steelyard::hpcc;

namespace {

const mpi::Communicator& world() {
  static const auto comm = mpi::Communicator::world();
  return comm;
}

/// One message that the last process receives while this lives; a message of the type must have come.
class OneWrongMessage {
 public:
  explicit OneWrongMessage(MPI_Datatype type, int skip = 0) {
    pending.clear();
    fault = {type, skip, world().rank() == world().size() - 1};
  }
  OneWrongMessage(const OneWrongMessage&) = delete;
  OneWrongMessage& operator=(const OneWrongMessage&) = delete;
  ~OneWrongMessage() {
    EXPECT_FALSE(fault.armed) << "no message was spoilt";
    fault = {};
  }
};

class WrongMessage : public testing::TestWithParam<Form> {};

std::unique_ptr<UpdateExchange> exchange_of(int which) {
  if (which == 0) return bucket_exchange(world(), Generator::polynomial);
  return which == 1 ? batched_exchange(world(), Generator::polynomial)
                    : routed_exchange(world(), Generator::polynomial);
}

}  // namespace

TEST(wrong_message, is_noticed_by_ping_pong) {
  for (const std::int64_t bytes : {8, 5000}) {
    const RingRule rule{bytes, 2, 2, 2, 1, 1e-3};
    for (const int skip : {0, 7}) {
      const OneWrongMessage wrong(MPI_BYTE, skip);
      EXPECT_EQ(ping_pong(world(), rule).wrong, 1);
    }
  }
}

TEST(wrong_message, is_noticed_in_rings_by_both_ways_to_exchange) {
  const RingRule rule{1000, 2, 2, 1, 2, 1e-3};
  // A loop of two and one before the clock, two messages each: first by Sendrecv, then without blocking.
  for (const int skip : {0, 5, 6, 11}) {
    const OneWrongMessage wrong(MPI_BYTE, skip);
    EXPECT_EQ(ring_times(world(), rule, 1).wrong, 1);
  }
}

TEST(wrong_message, of_updates_leaves_wrong_words) {
  for (const int which : {0, 1, 2}) {
    const TableParts parts(12, world().size());
    std::vector<std::uint64_t> table(static_cast<std::size_t>(parts.length(world().rank())));
    const UpdateTask task{table.data(), parts, world().rank(), 4 * parts.length(world().rank())};
    {
      const OneWrongMessage wrong(MPI_UINT64_T, 1);
      ASSERT_EQ(exchange_of(which)->run(task), MPI_SUCCESS);
    }
    ASSERT_EQ(exchange_of(which)->run(task), MPI_SUCCESS);  // undoes the first but for the fault
    std::int64_t wrong_words = 0;
    for (const auto word : table) wrong_words += word == 0 ? 0 : 1;
    EXPECT_EQ(world().sum(wrong_words), 1) << which;
  }
}

TEST_P(WrongMessage, of_updates_fails_the_check) {
  DistributedUpdates updates(world(), Generator::polynomial, 12, GetParam());
  {
    const OneWrongMessage wrong(MPI_UINT64_T);
    ASSERT_EQ(updates.run(), MPI_SUCCESS);
  }
  EXPECT_EQ(world().sum(updates.verify().errors), 1);
}

TEST_P(WrongMessage, in_each_of_two_runs_of_updates_fails_the_check) {
  DistributedUpdates updates(world(), Generator::polynomial, 12, GetParam());
  updates.prepare(Way::messages);
  fault = {MPI_UINT64_T, 0, true, true};
  for (int run = 0; run < 2; ++run) ASSERT_EQ(updates.run(), MPI_SUCCESS);
  const auto wrong = updates.verify().errors;
  fault = {};
  EXPECT_GT(world().sum(wrong), world().size());
}

TEST_P(WrongMessage, of_ptrans_fails_the_check) {
  Ptrans ptrans(world(), {60, 5, {1, world().size()}}, GetParam());
  ptrans.prepare(Way::messages);
  {
    const OneWrongMessage wrong(MPI_DOUBLE);
    ASSERT_EQ(ptrans.run(), MPI_SUCCESS);
  }
  EXPECT_EQ(world().sum(ptrans.verify().errors), 1);
}

TEST_P(WrongMessage, of_the_transform_fails_the_check) {
  const int p = world().size();
  for (const int skip : {0, 1, 2}) {
    DistributedFft fft(world(), std::int64_t{64} * p * p, GetParam());
    fft.prepare(Way::messages);
    {
      const OneWrongMessage wrong(MPI_DOUBLE, skip);
      ASSERT_EQ(fft.run(), MPI_SUCCESS);
    }
    EXPECT_GT(world().sum(fft.verify().errors), 0) << skip;
  }
}

TEST_P(WrongMessage, none_is_seen_where_none_is) {
  DistributedUpdates updates(world(), Generator::polynomial, 10, GetParam());
  ASSERT_EQ(updates.run(), MPI_SUCCESS);
  EXPECT_EQ(updates.verify().errors, 0);
  EXPECT_EQ(ping_pong(world(), {8, 2, 2, 1, 1, 1e-3}).wrong, 0);
  EXPECT_EQ(ring_times(world(), {8, 2, 2, 1, 1, 1e-3}, 1).wrong, 0);
}

TEST(too_little_memory, on_one_process_ends_the_point_on_all_with_its_rank) {
  if (!memory_may_lack) GTEST_SKIP() << "the address sanitizer ends a process that gets no memory";
  constexpr std::int64_t little = 12 << 20;  // of more than 20 MiB that each process needs
  const LittleMemory memory(little);
  const auto failure =
      measure::agree(world(), measure::attempt([] {
                       const DistributedUpdates updates(world(), Generator::polynomial, 23, Form::optimized);
                     }));
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->code, record::ReasonCode::memory);
  EXPECT_EQ(failure->rank, world().size() - 1);
}

TEST(too_little_memory, for_the_check_of_ptrans_on_one_process_ends_it_on_all) {
  if (!memory_may_lack) GTEST_SKIP() << "the address sanitizer ends a process that gets no memory";
  Ptrans ptrans(world(), {3000, 50, {1, world().size()}}, Form::base);
  ptrans.prepare();
  ASSERT_EQ(ptrans.run(), MPI_SUCCESS);
  constexpr std::int64_t little = 12 << 20;  // of more than 20 MiB that the check needs
  const LittleMemory memory(little);
  const auto failure = measure::attempt([&] { static_cast<void>(ptrans.verify()); });
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->code, record::ReasonCode::memory);
  EXPECT_EQ(failure->rank, world().size() - 1);
}

INSTANTIATE_TEST_SUITE_P(forms, WrongMessage, testing::Values(Form::base, Form::optimized));
