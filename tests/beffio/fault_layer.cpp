// SPDX-License-Identifier: Apache-2.0
#include "fault_layer.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using steelyard::beffio::test::Fault;
using steelyard::beffio::test::planned_faults;

struct Open {
  std::string name;
  int mode = 0;
  int views = 0;
};
std::map<MPI_File, Open>& files() {
  static std::map<MPI_File, Open> open;
  return open;
}

bool hits(std::string_view name, Fault fault) {
  return std::ranges::any_of(planned_faults(), [&](const auto& one) {
    return one.fault == fault && (one.file.empty() || name.ends_with(one.file));
  });
}
bool hits(MPI_File file, Fault fault) {
  const auto found = files().find(file);
  return found != files().end() && hits(found->second.name, fault);
}

/// In the middle of the file's first chunk of 1 MB.
void flip_byte(const char* name) {
  constexpr std::streamoff at = 300'001;
  std::fstream file(name, std::ios::in | std::ios::out | std::ios::binary);
  char byte = 0;
  if (!file.seekg(at).get(byte)) return;
  file.seekp(at).put(static_cast<char>(byte ^ 0x10));
}

/// Once, beside the directory of the file: all but 64 kB of what is free.
void fill_disk_of(const std::filesystem::path& file) {
  const auto ballast = file.parent_path().parent_path() / "ballast";
  if (std::filesystem::exists(ballast)) return;
  constexpr std::uintmax_t rest = 65536;
  std::vector<char> piece(rest);
  std::ofstream out(ballast, std::ios::binary);
  while (out.write(piece.data(), static_cast<std::streamsize>(piece.size())).flush()) {
  }
  out.close();
  std::filesystem::resize_file(ballast, std::filesystem::file_size(ballast) - rest);
}

}  // namespace

namespace steelyard::beffio::test {

std::vector<PlannedFault>& planned_faults() {
  static std::vector<PlannedFault> faults;
  return faults;
}

}  // namespace steelyard::beffio::test

extern "C" {

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
  if (hits(name, Fault::unopenable)) return MPI_ERR_ACCESS;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool reads = (mode & MPI_MODE_RDONLY) != 0 && (mode & MPI_MODE_DELETE_ON_CLOSE) != 0;
  if (reads && hits(name, Fault::flipped_byte) && rank == 0) flip_byte(name);
  const int code = PMPI_File_open(comm, name, mode, info, file);
  if (code == MPI_SUCCESS) files()[*file] = {name, mode, 0};
  return code;
}

int MPI_File_close(MPI_File* file) {
  files().erase(*file);
  return PMPI_File_close(file);
}

int MPI_File_set_view(MPI_File file, MPI_Offset displacement, MPI_Datatype element, MPI_Datatype type,
                      const char* representation, MPI_Info info) {
  if (files().contains(file)) ++files()[file].views;
  if (hits(file, Fault::slow_view)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return PMPI_File_set_view(file, displacement, element, type, representation, info);
}

int MPI_File_get_info(MPI_File file, MPI_Info* info) {
  const int code = PMPI_File_get_info(file, info);
  if (code != MPI_SUCCESS || !hits(file, Fault::counted_views)) return code;
  if (*info == MPI_INFO_NULL) PMPI_Info_create(info);
  return PMPI_Info_set(*info, "views", std::to_string(files()[file].views).c_str());
}

int MPI_File_write_ordered(MPI_File file, const void* memory, int count, MPI_Datatype type,
                           MPI_Status* status) {
  if (hits(file, Fault::no_shared_pointer)) return MPI_ERR_UNSUPPORTED_OPERATION;
  if (!hits(file, Fault::wrong_order)) return PMPI_File_write_ordered(file, memory, count, type, status);
  // Bytes of the neighbour in the ring: as if the library had let it go first.
  int rank = 0, size = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<double> other(static_cast<std::size_t>(count));
  PMPI_Sendrecv(memory, count, type, (rank + 1) % size, 0, other.data(), count, type,
                (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return PMPI_File_write_ordered(file, other.data(), count, type, status);
}

int MPI_File_write_all(MPI_File file, const void* memory, int count, MPI_Datatype type, MPI_Status* status) {
  const bool again = files().contains(file) && (files()[file].mode & MPI_MODE_CREATE) == 0;
  if (again && hits(file, Fault::lost_rewrite)) {
    PMPI_Status_set_elements(status, type, count);
    return MPI_SUCCESS;
  }
  return PMPI_File_write_all(file, memory, count, type, status);
}

int MPI_File_write(MPI_File file, const void* memory, int count, MPI_Datatype type, MPI_Status* status) {
  if (hits(file, Fault::no_space)) return MPI_ERR_NO_SPACE;
  if (hits(file, Fault::filled_disk)) fill_disk_of(files()[file].name);
  return PMPI_File_write(file, memory, count, type, status);
}

}  // extern "C"
