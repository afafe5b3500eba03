// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "measure/workload.hpp"
#include "mpi/file.hpp"
#include "suites/beffio/layout.hpp"
#include "suites/beffio/patterns.hpp"
#include "suites/beffio/written_files.hpp"

/// The timed loops: calls of MPI-IO, stamps and a counter.
namespace steelyard::beffio {

/// Ways in which a pattern type calls MPI-IO; placed: independent calls at explicit offsets.
enum class Call { collective, ordered, independent, placed };
enum class Direction { out, in };

/// Places of placed calls: call i goes to place order(i) behind `begin_byte` of the view.
struct Places {
  Shuffle order;
  std::int64_t begin_byte = 0;
};

/// Objects that a loop works on: an open file with its view, the memory of one call.
struct LoopPlan {
  MPI_File file = MPI_FILE_NULL;
  Pattern pattern;
  Origin origin;
  std::span<std::uint64_t> memory;  // of one call
  Places places = {};
};

/// Loop whose operation i is call i of the pattern, or what lies at its place: out stamps the chunks and
/// writes, in reads and compares the stamps. Collective over the file's processes, but for independent calls.
/// `wrong` outlives the workload.
[[nodiscard]] std::unique_ptr<measure::Workload> open_loop(Call call, Direction direction,
                                                           const LoopPlan& plan, Mismatches& wrong);

// The file, or the files, of one pattern type in one partition.

/// Site of a session's work: its settings, files, processes and partition.
struct Site {
  const Settings* settings = nullptr;
  WrittenFiles* written = nullptr;
  const mpi::Communicator* team = nullptr;
  std::size_t partition = 0;  // index in the list of partitions
};

/// Way in which a pattern type calls MPI-IO here.
[[nodiscard]] Call call_of(PatternType type, Pointer pointer);

/// Path of the file that process `rank` of the partition accesses.
[[nodiscard]] std::string file_path(const Site& site, PatternType type, int rank);

/// Open file. Opening, closing, views and syncs are collective over the team also where every process has a
/// file of its own. Throws mpi::Error on the rank where it happens.
class TypeFile {
 public:
  TypeFile(const Site& site, PatternType type, Access access);

  [[nodiscard]] PatternType type() const { return type_; }
  [[nodiscard]] Access access() const { return access_; }
  [[nodiscard]] MPI_File get() const { return file_.get(); }
  /// Seconds of barrier, open, barrier.
  [[nodiscard]] double open_s() const { return open_s_; }

  /// The view that a pattern needs, and its hints: made before, set inside the timed region.
  class View {
   public:
    /// `begin`: of the pattern in the file.
    View(const TypeFile& file, const Pattern& pattern, std::int64_t begin, std::int64_t segment_begin);
    void set(TypeFile& file) const;
    [[nodiscard]] const std::vector<Hint>& hints() const { return hints_; }

   private:
    bool needed_;
    MPI_Offset displacement_ = 0;
    mpi::DatatypeHandle scattered_;
    std::vector<Hint> hints_;
  };

  void sync() { file_.sync(); }
  /// Closes the file, barrier; returns the seconds of both. Drops the pages of the file afterwards where
  /// that was asked for.
  double close();
  /// Hints in force.
  [[nodiscard]] mpi::Hints hints() const { return file_.hints(); }
  /// Implementation of MPI-IO: OMPIO, ROMIO.
  [[nodiscard]] std::string implementation() const { return mpi::io_implementation(file_); }

 private:
  [[nodiscard]] bool has_shared_pointer() const;
  /// Collective. Untimed: the pointer is where it was.
  void make_pointer_file();
  void drop_pages() const;

  Site site_;
  PatternType type_;
  Access access_;
  mpi::File file_;
  double open_s_ = 0;
};

}  // namespace steelyard::beffio
