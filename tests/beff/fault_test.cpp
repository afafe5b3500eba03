// SPDX-License-Identifier: Apache-2.0
// MPI calls of this program go through a layer that spoils what arrives: every method must notice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "beff_campaign.hpp"
#include "record/json.hpp"

namespace {

constexpr int target_byte = 1024;

enum class Where { first_byte, middle, last_byte };

/// What the layer does: after `skip` messages of the target length one byte of the next `count` is changed.
struct Fault {
  Where where = Where::last_byte;
  long skip = 0, count = 0;
};
Fault fault;
std::vector<void*> pending;  // receives of the target length that are under way

void spoil(void* buffer) {
  if (fault.skip-- > 0 || fault.count-- <= 0) return;
  const std::size_t at = fault.where == Where::first_byte ? 0
                         : fault.where == Where::middle   ? target_byte / 2
                                                          : target_byte - 1;
  static_cast<unsigned char*>(buffer)[at] ^= 0x20;
}

bool is_target(int count, MPI_Datatype type) {
  return count == target_byte && type == MPI_BYTE;
}

}  // namespace

extern "C" {

int MPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void* receive, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                 MPI_Status* status) {
  const int code =
      PMPI_Sendrecv(send, send_count, send_type, to, send_tag, receive, count, type, from, tag, comm, status);
  if (is_target(count, type)) spoil(receive);
  return code;
}

int MPI_Recv(void* receive, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
  const int code = PMPI_Recv(receive, count, type, from, tag, comm, status);
  if (is_target(count, type)) spoil(receive);
  return code;
}

int MPI_Irecv(void* receive, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (is_target(count, type)) pending.push_back(receive);
  return PMPI_Irecv(receive, count, type, from, tag, comm, request);
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  const int code = PMPI_Waitall(count, requests, statuses);
  for (void* receive : std::exchange(pending, {})) spoil(receive);
  return code;
}

int MPI_Alltoallv(const void* send, const int* send_counts, const int* send_at, MPI_Datatype send_type,
                  void* receive, const int* counts, const int* at, MPI_Datatype type, MPI_Comm comm) {
  const int code = PMPI_Alltoallv(send, send_counts, send_at, send_type, receive, counts, at, type, comm);
  int size = 0;
  PMPI_Comm_size(comm, &size);
  for (int rank = 0; rank < size; ++rank)
    if (is_target(counts[rank], type)) spoil(static_cast<unsigned char*>(receive) + at[rank]);
  return code;
}

}  // extern "C"

namespace steelyard::beff {
namespace {

constexpr long always = 1'000'000'000;

/// The records of a run with this fault on one process, and its exit code.
struct Outcome {
  int exit_code = 0;
  test::Told told;
};

Outcome run_with(const Fault& wanted, Method method) {
  const auto world = mpi::Communicator::world();
  auto settings = test::tiny();
  for (const auto other : methods)
    if (other != method) settings.without_methods.push_back(other);
  if (method != Method::sendrecv) settings.without_patterns.emplace_back("one-PingPong-Pair");
  test::Campaign campaign(settings, world);
  fault = world.rank() == 1 ? wanted : Fault{};
  Outcome outcome;
  outcome.exit_code = campaign.run().exit_code;
  fault = {};
  if (world.is_root()) outcome.told = campaign.told();
  return outcome;
}

class every_method : public ::testing::TestWithParam<Method> {};

TEST_P(every_method, notices_one_wrong_byte_in_one_timed_message) {
  for (const auto where : {Where::first_byte, Where::last_byte}) {
    const auto outcome = run_with({where, 5, 1}, GetParam());
    EXPECT_EQ(outcome.exit_code, 1);
    if (!mpi::Communicator::world().is_root()) continue;
    int wrong = 0;
    for (const auto& point : outcome.told.points) {
      if (point.verified != false) continue;
      ++wrong;
      EXPECT_EQ(point.check->errors, 1);
      EXPECT_EQ(point.params.at("message_byte"), record::Value(std::int64_t{target_byte}));
      EXPECT_THAT(point.check->first.json().dump(), ::testing::HasSubstr("rank "));
    }
    EXPECT_EQ(wrong, 1);
    ASSERT_EQ(outcome.told.summaries.size(), 1U);
    EXPECT_EQ(outcome.told.summaries[0].verified, false);
    EXPECT_EQ(outcome.told.summaries[0].official, false);
    EXPECT_EQ(outcome.told.end.points.unverified, 1);
  }
}

TEST_P(every_method, notices_wrong_bytes_between_the_stamps) {
  const auto outcome = run_with({Where::middle, 0, always}, GetParam());
  EXPECT_EQ(outcome.exit_code, 1);
  if (!mpi::Communicator::world().is_root()) return;
  for (const auto& point : outcome.told.points) {
    const bool hit = point.params.at("message_byte") == record::Value(std::int64_t{target_byte});
    if (!hit) {
      EXPECT_EQ(point.verified, true) << point.key;
    } else if (std::get<std::string>(*record::find(point.classic, "set")) != "additional") {
      EXPECT_EQ(point.verified, false) << point.key;  // rank 1 takes part in every ring and polygon
    }
  }
}

TEST_P(every_method, is_silent_about_a_sound_library) {
  const auto outcome = run_with({}, GetParam());
  EXPECT_EQ(outcome.exit_code, 0);
  if (!mpi::Communicator::world().is_root()) return;
  EXPECT_EQ(outcome.told.summaries.at(0).verified, true);
}

std::string name_of(const ::testing::TestParamInfo<Method>& tested) {
  constexpr const char* names[] = {"sendrecv", "alltoallv", "nonblocking"};
  return names[static_cast<std::size_t>(tested.param)];
}
INSTANTIATE_TEST_SUITE_P(beff, every_method, ::testing::ValuesIn(methods), name_of);

}  // namespace
}  // namespace steelyard::beff
