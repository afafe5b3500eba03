// SPDX-License-Identifier: Apache-2.0
#include "mpi/error.hpp"

#include <gmock/gmock.h>
#include <mpi.h>

#include "mpi/communicator.hpp"
#include "mpi/environment.hpp"

namespace steelyard::mpi {
namespace {

using testing::HasSubstr;

TEST(error, carries_call_class_text_rank_and_host) {
  const Error error("MPI_Recv", MPI_ERR_TRUNCATE);
  EXPECT_EQ(error.call, "MPI_Recv");
  EXPECT_EQ(error.error_class, "MPI_ERR_TRUNCATE");
  EXPECT_FALSE(error.text.empty());
  EXPECT_EQ(error.rank, Communicator::world().rank());
  EXPECT_EQ(error.host, processor_name());
  EXPECT_THAT(error.what(), HasSubstr("MPI_Recv"));
  EXPECT_THAT(error.what(), HasSubstr(error.text));
}

TEST(error, real_code_of_a_failed_call_has_its_class) {
  int value = 0;
  const int code = MPI_Bcast(&value, 1, MPI_INT, -5, MPI_COMM_WORLD);
  ASSERT_NE(code, MPI_SUCCESS);
  EXPECT_EQ(class_name(code), "MPI_ERR_ROOT");
}

TEST(error, classes_are_known_by_their_symbols) {
  EXPECT_EQ(class_name(MPI_ERR_NO_SPACE), "MPI_ERR_NO_SPACE");
  EXPECT_EQ(class_name(MPI_ERR_NO_MEM), "MPI_ERR_NO_MEM");
  EXPECT_EQ(class_name(MPI_ERR_IO), "MPI_ERR_IO");
  EXPECT_EQ(class_name(MPI_ERR_RMA_RANGE), "MPI_ERR_RMA_RANGE");
  EXPECT_EQ(class_name(MPI_ERR_LOCKTYPE), "MPI_ERR_LOCKTYPE");
}

TEST(error, text_of_a_library_has_no_addresses) {
  EXPECT_EQ(without_addresses("MPI_Wait(request=0x55d5ee829078, status=0x1) failed"),
            "MPI_Wait(request=0x..., status=0x1) failed");
  EXPECT_EQ(without_addresses("comm=0x84000002, 0xFFEEDDCC"), "comm=0x..., 0x...");
  EXPECT_EQ(without_addresses("10x0, 0x"), "10x0, 0x");
  EXPECT_EQ(without_addresses(""), "");
}

TEST(error, call_of_an_unnamed_series_is_what_the_text_names) {
  EXPECT_EQ(
      function_in(
          "Invalid datatype, error stack:\ninternal_Wait(85): MPI_Wait(request=0x..., status=0x1) failed"),
      "MPI_Wait");
  EXPECT_EQ(function_in("MPIX_Start(request) failed"), "MPIX_Start");
  EXPECT_EQ(function_in("PMPI_Send(x): see MPI_Recv, MPIR_Wait(1)"), "");
  EXPECT_EQ(function_in("MPI_ERR_TRUNCATE: message truncated"), "");
}

TEST(error, call_that_was_noted_stands_for_a_series) {
  int error = MPI_SUCCESS;
  error = noted(MPI_ERR_TRUNCATE, "MPI_Wait");
  EXPECT_EQ(noted(MPI_ERR_COUNT, "MPI_Start"), MPI_ERR_COUNT);
  try {
    check(error, "checked operation");
    FAIL() << "no error";
  } catch (const Error& told) {
    EXPECT_EQ(told.call, "MPI_Wait");
  }
  EXPECT_STREQ(take_noted_call(), "");
}

TEST(error, call_that_was_noted_before_is_not_that_of_a_named_one) {
  EXPECT_EQ(noted(MPI_ERR_OTHER, "MPI_Start"), MPI_ERR_OTHER);
  try {
    check(MPI_ERR_RANK, "MPI_Send");
    FAIL() << "no error";
  } catch (const Error& told) {
    EXPECT_EQ(told.call, "MPI_Send");
  }
  EXPECT_STREQ(take_noted_call(), "");
}

TEST(check, success_passes_and_everything_else_throws) {
  EXPECT_NO_THROW(check(MPI_SUCCESS, "MPI_Barrier"));
  EXPECT_THROW(check(MPI_ERR_OTHER, "MPI_Barrier"), Error);
}

TEST(library, has_a_version_of_one_line_and_follows_a_standard) {
  EXPECT_FALSE(library_version().empty());
  EXPECT_EQ(library_version().find('\n'), std::string::npos);
  EXPECT_GE(std::stod(standard_version()), 3.1);
  EXPECT_TRUE(active());
}

}  // namespace
}  // namespace steelyard::mpi
