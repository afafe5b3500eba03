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
