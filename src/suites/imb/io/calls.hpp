// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <string>

#include "suites/imb/io/rules.hpp"

/// The calls of MPI-IO by what a benchmark does. Offsets count where the pointer is explicit; data is only
/// read from where the call writes the file.
namespace steelyard::imb {

using BlockingCall = int (*)(MPI_File, MPI_Offset, void* data, int count, MPI_Datatype, MPI_Status*);
using StartCall = int (*)(MPI_File, MPI_Offset, void* data, int count, MPI_Datatype, MPI_Request*);
using BeginCall = int (*)(MPI_File, MPI_Offset, void* data, int count, MPI_Datatype);
using EndCall = int (*)(MPI_File, void* data, MPI_Status*);

/// MPI_File_write and its kin.
[[nodiscard]] BlockingCall blocking_call(const FileAction& action);
/// MPI_File_iwrite and its kin, of actions that are not collective.
[[nodiscard]] StartCall start_call(const FileAction& action);
/// MPI_File_write_all_begin and _end and their kin, of collective actions.
struct SplitCall {
  BeginCall begin = nullptr;
  EndCall end = nullptr;
};
[[nodiscard]] SplitCall split_call(const FileAction& action);

/// The name of the call that an action makes, for messages: "MPI_File_write_at_all".
[[nodiscard]] std::string call_name(const FileAction& action);

}  // namespace steelyard::imb
