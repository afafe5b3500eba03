// SPDX-License-Identifier: Apache-2.0
#include "mpi/file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace steelyard::mpi {
namespace {

constexpr std::int64_t piece_byte = std::int64_t{1} << 30;

std::string value_of(MPI_Info info, const char* key) {
  int length = 0;
  int found = 0;
  check(MPI_Info_get_valuelen(info, key, &length, &found), "MPI_Info_get_valuelen");
  if (found == 0) return {};
  std::string value(static_cast<std::size_t>(length) + 1, '\0');
  check(MPI_Info_get(info, key, length, value.data(), &found), "MPI_Info_get");
  value.erase(value.find('\0'));
  return value;
}

}  // namespace

InfoHandle make_info(const Hints& hints) {
  InfoHandle info;
  if (hints.empty()) return info;
  check(MPI_Info_create(info.put()), "MPI_Info_create");
  for (const auto& [key, value] : hints)
    check(MPI_Info_set(info.get(), key.c_str(), value.c_str()), "MPI_Info_set");
  return info;
}

Hints hints_of(MPI_Info info) {
  Hints hints;
  if (info == MPI_INFO_NULL) return hints;
  int count = 0;
  check(MPI_Info_get_nkeys(info, &count), "MPI_Info_get_nkeys");
  for (int i = 0; i < count; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    check(MPI_Info_get_nthkey(info, i, key.data()), "MPI_Info_get_nthkey");
    hints.emplace_back(key.data(), value_of(info, key.data()));
  }
  return hints;
}

File::File(const Communicator& comm, const std::string& name, int access_mode, const Hints& hints) {
  const auto info = make_info(hints);
  check(MPI_File_open(comm.get(), name.c_str(), access_mode, info.get(), file_.put()), "MPI_File_open");
  check(MPI_File_set_errhandler(file_.get(), MPI_ERRORS_RETURN), "MPI_File_set_errhandler");
}

void File::close() {
  if (!valid()) return;
  const int code = MPI_File_close(file_.put());
  // A close that failed is not tried again by the destructor.
  if (code != MPI_SUCCESS) *file_.put() = MPI_FILE_NULL;
  check(code, "MPI_File_close");
}

void File::set_view(MPI_Offset displacement, MPI_Datatype element, MPI_Datatype file_type,
                    const Hints& hints) {
  const auto info = make_info(hints);
  check(MPI_File_set_view(get(), displacement, element, file_type, "native", info.get()),
        "MPI_File_set_view");
}

void File::set_size(MPI_Offset bytes) {
  check(MPI_File_set_size(get(), bytes), "MPI_File_set_size");
}

MPI_Offset File::size() const {
  MPI_Offset bytes = 0;
  check(MPI_File_get_size(get(), &bytes), "MPI_File_get_size");
  return bytes;
}

void File::sync() {
  check(MPI_File_sync(get()), "MPI_File_sync");
}

void File::seek_shared(MPI_Offset offset) {
  check(MPI_File_seek_shared(get(), offset, MPI_SEEK_SET), "MPI_File_seek_shared");
}

void File::set_hints(const Hints& hints) {
  const auto info = make_info(hints);
  if (info.get() != MPI_INFO_NULL) check(MPI_File_set_info(get(), info.get()), "MPI_File_set_info");
}

Hints File::hints() const {
  InfoHandle info;
  check(MPI_File_get_info(get(), info.put()), "MPI_File_get_info");
  return hints_of(info.get());
}

void File::write_at(MPI_Offset offset, const void* data, std::int64_t bytes) {
  const auto* place = static_cast<const std::byte*>(data);
  for (std::int64_t done = 0; done < bytes; done += piece_byte) {
    const int piece = to_int(std::min(piece_byte, bytes - done));
    MPI_Status status;
    int count = 0;
    check(MPI_File_write_at(get(), offset + done, place + done, piece, MPI_BYTE, &status),
          "MPI_File_write_at");
    check(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
    // OMPIO reports a full disk in the status alone.
    if (count != piece) fail(MPI_ERR_NO_SPACE, "MPI_File_write_at");
  }
}

std::int64_t File::read_at(MPI_Offset offset, void* data, std::int64_t bytes) {
  auto* place = static_cast<std::byte*>(data);
  std::int64_t done = 0;
  while (done < bytes) {
    const int piece = to_int(std::min(piece_byte, bytes - done));
    MPI_Status status;
    int count = 0;
    check(MPI_File_read_at(get(), offset + done, place + done, piece, MPI_BYTE, &status), "MPI_File_read_at");
    check(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
    done += count;
    if (count < piece) break;
  }
  return done;
}

void File::write_at_all(MPI_Offset offset, const void* data, int bytes) {
  MPI_Status status;
  int count = 0;
  check(MPI_File_write_at_all(get(), offset, data, bytes, MPI_BYTE, &status), "MPI_File_write_at_all");
  check(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
  if (count != bytes) fail(MPI_ERR_NO_SPACE, "MPI_File_write_at_all");
}

int File::read_at_all(MPI_Offset offset, void* data, int bytes) {
  MPI_Status status;
  int count = 0;
  check(MPI_File_read_at_all(get(), offset, data, bytes, MPI_BYTE, &status), "MPI_File_read_at_all");
  check(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
  return count;
}

bool delete_file(const std::string& name) {
  const int code = MPI_File_delete(name.c_str(), MPI_INFO_NULL);
  if (code == MPI_SUCCESS) return true;
  if (class_name(code) == "MPI_ERR_NO_SUCH_FILE") return false;
  fail(code, "MPI_File_delete");
}

std::string io_implementation(const File& file) {
  // ROMIO returns hints of its own name; OMPIO knows none of them.
  for (const auto& [key, value] : file.hints())
    if (std::string_view(key).starts_with("romio_")) return "ROMIO";
  return library_version().find("Open MPI") != std::string::npos ? "OMPIO" : "unknown";
}

}  // namespace steelyard::mpi
