// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/type_file.hpp"

#include <array>
#include <exception>
#include <filesystem>

#include "machine/file_pages.hpp"
#include "measure/clock.hpp"
#include "measure/failure.hpp"
#include "mpi/transfer.hpp"

namespace steelyard::beffio {
namespace {

int mode_of(Access access, const Settings& settings) {
  int mode = MPI_MODE_RDWR;
  if (access == Access::write) mode |= MPI_MODE_CREATE;
  if (access == Access::read) mode = MPI_MODE_RDONLY;
  if (access == Access::read && !settings.keep) mode |= MPI_MODE_DELETE_ON_CLOSE;
  if (settings.unique) mode |= MPI_MODE_UNIQUE_OPEN;
  return mode;
}

/// One chunk of every process in turn, this one's visible.
mpi::DatatypeHandle scattered_type(const mpi::Communicator& team, Bytes chunk) {
  const std::array<int, 2> sizes = {team.size(), mpi::to_int(chunk.count() / element_byte)};
  const std::array<int, 2> distributions = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE};
  const std::array<int, 2> arguments = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
  const std::array<int, 2> processes = {team.size(), 1};
  mpi::DatatypeHandle type;
  mpi::check(MPI_Type_create_darray(team.size(), team.rank(), 2, sizes.data(), distributions.data(),
                                    arguments.data(), processes.data(), MPI_ORDER_C, MPI_DOUBLE, type.put()),
             "MPI_Type_create_darray");
  mpi::check(MPI_Type_commit(type.put()), "MPI_Type_commit");
  return type;
}

}  // namespace

Call call_of(PatternType type, Pointer pointer) {
  if (type == PatternType::random) return Call::placed;
  if (!collective(type)) return Call::independent;
  return type == PatternType::shared && pointer == Pointer::shared ? Call::ordered : Call::collective;
}

bool viewed_by_pattern(PatternType type, Pointer pointer) {
  return type == PatternType::scatter || (type == PatternType::shared && pointer == Pointer::individual);
}

std::string file_path(const Site& site, PatternType type, int rank) {
  const auto own = type == PatternType::separated ? std::optional(rank) : std::nullopt;
  const std::string name =
      std::string(Course::file_prefix) + file_label(site.partition, site.team->size(), type, own);
  return (site.course->directory() / name).string();
}

TypeFile::TypeFile(const Site& site, PatternType type, Access access)
    : site_(site), type_(type), access_(access) {
  const measure::MonoSource clock;
  const auto self = mpi::Communicator::self();
  const auto& comm = type == PatternType::separated ? self : *site.team;
  const auto hints = site.settings->hints.at_open({site.team->size(), access, type});
  const std::string path = file_path(site, type, site.team->rank());
  measure::require_path(*site.team, site.course->directory());
  site.team->barrier();
  const auto start = clock.now();
  std::exception_ptr failure;
  try {
    file_ = mpi::File(comm, path, mode_of(access, *site.settings), hints);
  } catch (const mpi::Error&) {
    failure = std::current_exception();
  }
  site.team->barrier();
  open_s_ = clock.seconds(clock.now() - start);
  if (failure) std::rethrow_exception(failure);
}

TypeFile::View::View(const TypeFile& file, const Pattern& pattern, std::int64_t begin, std::size_t number,
                     std::int64_t segment_begin)
    : needed_(number == 0) {
  const Site& site = file.site_;
  const Bytes largest = file.type_ == PatternType::separated
                            ? largest_chunk(*site.settings)
                            : largest_common_chunk(*site.settings, site.team->size());
  hints_ = site.settings->hints.at_pattern({site.team->size(), file.access_, file.type_}, pattern, largest);
  if (size_driven(file.type_)) displacement_ = segment_begin;
  if (!viewed_by_pattern(file.type_, site.course->pointer())) return;
  needed_ = true;
  displacement_ = begin;
  scattered_ = scattered_type(*site.team, pattern.disk);
}

void TypeFile::View::set(TypeFile& file) const {
  const auto type = scattered_.get() == MPI_DATATYPE_NULL ? MPI_DOUBLE : scattered_.get();
  if (needed_)
    file.file_.set_view(displacement_, MPI_DOUBLE, type, hints_);
  else
    file.file_.set_hints(hints_);
}

double TypeFile::close() {
  const measure::MonoSource clock;
  const auto start = clock.now();
  std::exception_ptr failure;
  try {
    file_.close();
  } catch (const mpi::Error&) {
    failure = std::current_exception();
  }
  site_.team->barrier();
  const double seconds = clock.seconds(clock.now() - start);
  if (site_.settings->drop_cache && access_ != Access::read) drop_pages();
  if (failure) std::rethrow_exception(failure);
  return seconds;
}

/// Every process asks for its own file or the common one; asking again changes nothing.
void TypeFile::drop_pages() const {
  try {
    machine::drop_pages(file_path(site_, type_, site_.team->rank()));
  } catch (const std::filesystem::filesystem_error&) {
    // Only advice: how much of a file lies in memory is not part of the result.
  }
  site_.team->barrier();
}

}  // namespace steelyard::beffio
