// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/io/calls.hpp"

namespace steelyard::imb {
namespace {

// By pointer: individual, explicit, shared.
constexpr BlockingCall writes[] = {
    [](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type, MPI_Status* status) {
      return MPI_File_write(file, data, count, type, status);
    },
    [](MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type, MPI_Status* status) {
      return MPI_File_write_at(file, at, data, count, type, status);
    },
    [](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type, MPI_Status* status) {
      return MPI_File_write_shared(file, data, count, type, status);
    },
};
constexpr BlockingCall writes_together[] = {
    [](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type, MPI_Status* status) {
      return MPI_File_write_all(file, data, count, type, status);
    },
    [](MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type, MPI_Status* status) {
      return MPI_File_write_at_all(file, at, data, count, type, status);
    },
    [](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type, MPI_Status* status) {
      return MPI_File_write_ordered(file, data, count, type, status);
    },
};
constexpr StartCall write_starts[] = {
    [](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type, MPI_Request* request) {
      return MPI_File_iwrite(file, data, count, type, request);
    },
    [](MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type, MPI_Request* request) {
      return MPI_File_iwrite_at(file, at, data, count, type, request);
    },
    [](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type, MPI_Request* request) {
      return MPI_File_iwrite_shared(file, data, count, type, request);
    },
};
constexpr SplitCall write_splits[] = {
    {[](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type) {
       return MPI_File_write_all_begin(file, data, count, type);
     },
     [](MPI_File file, void* data, MPI_Status* status) {
       return MPI_File_write_all_end(file, data, status);
     }},
    {[](MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type) {
       return MPI_File_write_at_all_begin(file, at, data, count, type);
     },
     [](MPI_File file, void* data, MPI_Status* status) {
       return MPI_File_write_at_all_end(file, data, status);
     }},
    {[](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type) {
       return MPI_File_write_ordered_begin(file, data, count, type);
     },
     [](MPI_File file, void* data, MPI_Status* status) {
       return MPI_File_write_ordered_end(file, data, status);
     }},
};
constexpr BlockingCall reads[] = {
    [](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type, MPI_Status* status) {
      return MPI_File_read(file, data, count, type, status);
    },
    [](MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type, MPI_Status* status) {
      return MPI_File_read_at(file, at, data, count, type, status);
    },
    [](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type, MPI_Status* status) {
      return MPI_File_read_shared(file, data, count, type, status);
    },
};
constexpr BlockingCall reads_together[] = {
    [](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type, MPI_Status* status) {
      return MPI_File_read_all(file, data, count, type, status);
    },
    [](MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type, MPI_Status* status) {
      return MPI_File_read_at_all(file, at, data, count, type, status);
    },
    [](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type, MPI_Status* status) {
      return MPI_File_read_ordered(file, data, count, type, status);
    },
};
constexpr StartCall read_starts[] = {
    [](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type, MPI_Request* request) {
      return MPI_File_iread(file, data, count, type, request);
    },
    [](MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type, MPI_Request* request) {
      return MPI_File_iread_at(file, at, data, count, type, request);
    },
    [](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type, MPI_Request* request) {
      return MPI_File_iread_shared(file, data, count, type, request);
    },
};
constexpr SplitCall read_splits[] = {
    {[](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type) {
       return MPI_File_read_all_begin(file, data, count, type);
     },
     [](MPI_File file, void* data, MPI_Status* status) { return MPI_File_read_all_end(file, data, status); }},
    {[](MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type) {
       return MPI_File_read_at_all_begin(file, at, data, count, type);
     },
     [](MPI_File file, void* data, MPI_Status* status) {
       return MPI_File_read_at_all_end(file, data, status);
     }},
    {[](MPI_File file, MPI_Offset, void* data, int count, MPI_Datatype type) {
       return MPI_File_read_ordered_begin(file, data, count, type);
     },
     [](MPI_File file, void* data, MPI_Status* status) {
       return MPI_File_read_ordered_end(file, data, status);
     }},
};

std::size_t row(const FileAction& action) {
  return static_cast<std::size_t>(action.pointer);
}

}  // namespace

BlockingCall blocking_call(const FileAction& action) {
  if (action.writes()) return (action.together() ? writes_together : writes)[row(action)];
  return (action.together() ? reads_together : reads)[row(action)];
}

StartCall start_call(const FileAction& action) {
  return (action.writes() ? write_starts : read_starts)[row(action)];
}

SplitCall split_call(const FileAction& action) {
  return (action.writes() ? write_splits : read_splits)[row(action)];
}

std::string call_name(const FileAction& action) {
  constexpr std::string_view alone[] = {"", "_at", "_shared"};
  constexpr std::string_view together[] = {"_all", "_at_all", "_ordered"};
  std::string name = "MPI_File_";
  if (!action.blocks() && !action.together()) name += "i";
  name += action.writes() ? "write" : "read";
  name += (action.together() ? together : alone)[row(action)];
  return name + (!action.blocks() && action.together() ? "_begin" : "");
}

}  // namespace steelyard::imb
