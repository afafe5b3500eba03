// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "machine/environment.hpp"
#include "mpi/file.hpp"
#include "survey/probes.hpp"

namespace steelyard::survey {
namespace {

using suites::Rates;

constexpr int file_trials = 3, small_calls = 64, small_calls_together = 8, pieces = 32;
constexpr std::int64_t small_byte = 1024, piece_byte = 32 << 10, chunk_byte = pieces * piece_byte;
// A disk has to take all of these, and memory that files have not used yet is slower
// than memory just given back.
constexpr int chunks_of_all = 128, most_chunks = 64;

/// The nearest directory that exists: the one asked for may be made later.
std::filesystem::path existing(std::filesystem::path directory) {
  std::error_code ignored;
  directory = std::filesystem::absolute(directory, ignored);
  while (!directory.empty() && directory != directory.root_path() &&
         !std::filesystem::is_directory(directory, ignored))
    directory = directory.parent_path();
  return directory;
}

/// Start of the names of survey files on this host; the number of the process that made them follows.
std::string prefix_here() {
  return ".steelyard-survey-" + machine::host_name() + '-';
}

/// Whether a process of this host made the file and is gone.
bool is_abandoned(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  pid_t maker = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), maker);
  const bool is_number = error == std::errc() && end != name.data() + name.size() && *end == '-' && maker > 0;
  return is_number && ::kill(maker, 0) != 0 && errno == ESRCH;
}

/// Removes files of surveys that were killed. A folder of very many files is not searched whole.
void remove_abandoned(const std::filesystem::path& directory) {
  constexpr int most_entries = 10000;
  const std::string prefix = prefix_here();
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  for (int i = 0; !error && entry != std::filesystem::directory_iterator() && i < most_entries;
       ++i, entry.increment(error))
    if (is_abandoned(entry->path().filename().string(), prefix)) ::unlink(entry->path().c_str());
}

/// Path for a file of the survey; empty if root cannot make one. Collective.
std::string file_path(const mpi::Communicator& world, const std::filesystem::path& directory) {
  std::string name;
  if (world.is_root()) {
    const auto place = existing(directory);
    remove_abandoned(place);
    name = (place / (prefix_here() + std::to_string(::getpid()) + "-XXXXXX")).string();
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0)
      name.clear();
    else
      ::close(descriptor);
  }
  return world.broadcast(name);
}

/// A file of all processes, each in a part of its own. A failure on one process does not make the others
/// wait. All calls are collective.
class FileProbe {
 public:
  FileProbe(const mpi::Communicator& world, const std::filesystem::path& directory)
      : world_(world), path_(file_path(world, directory)) {}
  FileProbe(const FileProbe&) = delete;
  FileProbe& operator=(const FileProbe&) = delete;
  ~FileProbe() {
    if (world_.is_root()) ::unlink(path_.c_str());
  }

  /// Seconds of the slowest process; nullopt if the act failed on any process.
  template <class Act>
  std::optional<double> seconds(Act act) {
    bool failed = false;
    const double taken = seconds_together(world_, [&] {
      try {
        act();
      } catch (const std::exception&) {
        failed = true;
      }
    });
    if (world_.any(failed)) return std::nullopt;
    return taken;
  }

  std::optional<double> open() {
    if (path_.empty()) return std::nullopt;
    const auto s = seconds([&] { file_ = mpi::File(world_, path_, MPI_MODE_CREATE | MPI_MODE_RDWR); });
    if (!s && file_.valid()) file_.abandon();  // closing would wait for those that have none
    return s;
  }
  std::optional<double> close() {
    return seconds([&] { file_.close(); });
  }
  /// Removes the file's name: a process killed from here on leaves nothing behind.
  std::optional<double> remove() {
    return seconds([&] {
      if (world_.is_root()) ::unlink(path_.c_str());
    });
  }

  void write(const std::vector<char>& bytes, std::int64_t at) {
    file_.write_at(part() + at, bytes.data(), std::ssize(bytes));
  }
  void read(std::vector<char>& bytes, std::int64_t at) {
    if (file_.read_at(part() + at, bytes.data(), std::ssize(bytes)) != std::ssize(bytes))
      throw std::runtime_error("read less than was written");
  }
  /// Collective.
  void write_together(const std::vector<char>& bytes, std::int64_t at) {
    file_.write_at_all(part() + at, bytes.data(), static_cast<int>(bytes.size()));
  }
  /// Collective.
  void read_together(std::vector<char>& bytes, std::int64_t at) {
    const auto asked = static_cast<int>(bytes.size());
    if (file_.read_at_all(part() + at, bytes.data(), asked) != asked)
      throw std::runtime_error("read less than was written");
  }
  void sync() { file_.sync(); }

 private:
  [[nodiscard]] std::int64_t part() const { return world_.rank() * (most_chunks + 1) * chunk_byte; }

  const mpi::Communicator& world_;
  std::string path_;
  mpi::File file_;
};

/// A file of this process alone, by system calls. It has no name.
class OwnFile {
 public:
  explicit OwnFile(const std::filesystem::path& directory) {
    auto name = (existing(directory) / (prefix_here() + std::to_string(::getpid()) + "-XXXXXX")).string();
    descriptor_ = ::mkstemp(name.data());
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), name);
    ::unlink(name.c_str());
  }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;
  ~OwnFile() { ::close(descriptor_); }

  void write(const std::vector<char>& bytes, std::int64_t at) const {
    whole(::pwrite(descriptor_, bytes.data(), bytes.size(), at), bytes);
  }
  void read(std::vector<char>& bytes, std::int64_t at) const {
    whole(::pread(descriptor_, bytes.data(), bytes.size(), at), bytes);
  }

 private:
  static void whole(ssize_t moved, const std::vector<char>& bytes) {
    if (moved != std::ssize(bytes)) throw std::runtime_error("moved less than was asked for");
  }
  int descriptor_;
};

/// Seconds of opening, closing and removing files, without the first one, with which
/// a library prepares itself.
std::optional<std::vector<double>> opening(const ProbeClock& clock, FileProbe& probe) {
  std::vector<double> seconds;
  for (int i = 0; i <= file_trials && (i <= 1 || clock.before(1)); ++i) {
    const auto opened = probe.open();
    const auto closed = opened ? probe.close() : std::nullopt;
    const auto removed = closed ? probe.remove() : std::nullopt;
    if (!removed) return std::nullopt;
    if (i > 0) seconds.push_back(*opened + *closed + *removed);
  }
  return seconds;
}

/// Seconds of short writes and reads of a file; nullopt if one failed anywhere.
template <class File>
std::optional<std::vector<double>> calling(const ProbeClock& clock, FileProbe& probe, File& file) {
  std::vector<char> small(small_byte, 1);
  std::vector<double> seconds;
  for (int trial = 0; trial < file_trials && (trial == 0 || clock.before(1)); ++trial) {
    const auto s = probe.seconds([&] {
      for (int i = 0; i < small_calls; ++i) {
        file.write(small, (2 * i + trial) * small_byte);
        file.read(small, (2 * i + trial) * small_byte);
      }
    });
    if (!s) return std::nullopt;
    seconds.push_back(*s / (2 * small_calls));
  }
  return seconds;
}

void probe_own(const ProbeClock& clock, FileProbe& probe, const std::filesystem::path& directory,
               RateNotes& notes) {
  std::unique_ptr<OwnFile> own;
  if (!probe.seconds([&] { own = std::make_unique<OwnFile>(directory); })) return;
  if (const auto calls = calling(clock, probe, *own)) notes.time(&Rates::file_own_call_s, *calls);
}

/// Bytes of a process with which all together move no more than a few processes do one by one.
std::int64_t together_byte(int processes) {
  return std::clamp(chunks_of_all * chunk_byte / processes / piece_byte * piece_byte, piece_byte, chunk_byte);
}

/// Seconds of one collective call of several; nullopt if one failed anywhere. A process on which one fails
/// makes the others all the same, as the rest would wait in them.
template <class Act>
std::optional<double> of_call_together(FileProbe& probe, int calls, Act act) {
  const auto all = probe.seconds([&] {
    bool failed = false;
    for (int i = 0; i < calls; ++i) {
      try {
        act();
      } catch (const std::exception&) {
        failed = true;
      }
    }
    if (failed) throw std::runtime_error("a collective call failed");
  });
  return all ? std::optional(*all / calls) : std::nullopt;
}

/// Measures collective calls on what was written before; some libraries exchange
/// bytes between processes first.
void probe_together(const mpi::Communicator& world, const ProbeClock& clock, FileProbe& probe,
                    RateNotes& notes) {
  std::vector<char> small(small_byte, 4), large(static_cast<std::size_t>(together_byte(world.size())), 5);
  std::vector<double> calls, writes, reads;
  for (int trial = 0; trial < file_trials && (trial == 0 || clock.before(1)); ++trial) {
    const auto small_write_s =
        of_call_together(probe, small_calls_together, [&] { probe.write_together(small, 0); });
    const auto small_read_s =
        of_call_together(probe, small_calls_together, [&] { probe.read_together(small, 0); });
    const auto write_s = of_call_together(probe, 1, [&] { probe.write_together(large, 0); });
    const auto read_s = of_call_together(probe, 1, [&] { probe.read_together(large, 0); });
    if (!small_write_s || !small_read_s || !write_s || !read_s) return;
    calls.push_back((*small_write_s + *small_read_s) / 2);
    // A long call is a short one and its bytes.
    writes.push_back(std::max(*write_s - *small_write_s, *write_s / 10));
    reads.push_back(std::max(*read_s - *small_read_s, *read_s / 10));
  }
  notes.time(&Rates::file_together_call_s, calls);
  notes.mean_rate(&Rates::file_together_write_byte_s, static_cast<double>(large.size()), writes);
  notes.mean_rate(&Rates::file_together_read_byte_s, static_cast<double>(large.size()), reads);
}

/// Seconds of move(place within the chunk) for all pieces of a chunk; nullopt if a process failed.
template <class Move>
std::optional<double> of_chunk(FileProbe& probe, Move move) {
  return probe.seconds([&] {
    for (int k = 0; k < pieces; ++k) move(k * piece_byte);
  });
}

}  // namespace

void probe_files(const mpi::Communicator& world, const Wishes& wishes, Surveyed& surveyed) {
  FileProbe probe(world, wishes.directory);
  RateNotes notes(surveyed);
  // Each of their kinds has so much, and one trial at least.
  const auto part = [&] { return ProbeClock(world, 0.1 * wishes.seconds); };
  const auto opened = opening(part(), probe);
  if (!opened) return;
  notes.time(&Rates::file_open_s, *opened);
  if (!probe.open() || !probe.remove()) return;
  const auto calls = calling(part(), probe, probe);
  if (!calls) return;
  notes.time(&Rates::file_call_s, *calls);
  probe_own(part(), probe, wishes.directory, notes);

  std::vector<char> piece(piece_byte, 2), small(small_byte, 3);
  std::vector<double> written;
  std::int64_t end = 0;
  const int chunks = std::clamp(chunks_of_all / world.size(), file_trials, most_chunks);
  const ProbeClock writing = part();
  for (int i = 0; i < chunks && (i < file_trials || writing.before(1)); ++i) {
    const auto s = of_chunk(probe, [&](std::int64_t at) { probe.write(piece, end + at); });
    if (!s) return;
    end += chunk_byte;
    written.push_back(*s);
  }
  notes.mean_rate(&Rates::file_write_byte_s, static_cast<double>(chunk_byte), written);
  const auto flushed = probe.seconds([&] { probe.sync(); });
  if (!flushed) return;
  notes.rate(&Rates::file_flush_byte_s, static_cast<double>(end), {*flushed});
  // Apart: a process whose write fails would not come to the collective call.
  const auto dirtied = probe.seconds([&] { probe.write(small, 0); });
  const auto clean = dirtied ? probe.seconds([&] { probe.sync(); }) : std::nullopt;
  if (!clean) return;
  notes.time(&Rates::file_sync_s, {*dirtied + *clean});
  const auto again = [&](double Rates::*rate, auto move) {
    std::vector<double> seconds;
    const ProbeClock moving = part();
    std::int64_t moved = 0;
    for (; moved < end && (moved < file_trials * chunk_byte || moving.before(1)); moved += chunk_byte) {
      const auto s = of_chunk(probe, [&](std::int64_t at) { move(moved + at); });
      if (!s) return std::int64_t{0};
      seconds.push_back(*s);
    }
    notes.mean_rate(rate, static_cast<double>(chunk_byte), seconds);
    return moved;
  };
  if (!again(&Rates::file_read_byte_s, [&](std::int64_t at) { probe.read(piece, at); })) return;
  const auto rewritten = again(&Rates::file_rewrite_byte_s, [&](std::int64_t at) { probe.write(piece, at); });
  if (rewritten == 0) return;
  probe_together(world, part(), probe, notes);
  // Data with a place on the disk go there faster, and a file that waits for nothing is given back faster.
  const auto flushed_again = probe.seconds([&] { probe.sync(); });
  if (!flushed_again) return;
  notes.rate(&Rates::file_reflush_byte_s, static_cast<double>(rewritten), {*flushed_again});
  const auto removed = probe.close();
  if (removed) notes.rate(&Rates::file_remove_byte_s, static_cast<double>(end), {*removed});
}

}  // namespace steelyard::survey
