// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "record/records.hpp"

namespace steelyard::record {

/// Thrown if the result file cannot be written (exit code 4): exists already, locked, no space, no permission.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown if the input cannot be read (exit code 2). what() names file and line.
class ReadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown if a number that is not finite was handed to the writer: always our own bug.
class NotANumber : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Longest line of a result file, with its line end.
inline constexpr std::size_t max_line_byte = std::size_t{1} << 20;

/// Line of a record without the line end, of any length. Bytes that are not UTF-8 become U+FFFD. Throws
/// NotANumber if any double is not finite.
[[nodiscard]] std::string to_line(const Record& record);

/// Record of one line; nullopt for a type that this version does not know. Throws ReadError for malformed
/// lines and for a higher format_version.
[[nodiscard]] std::optional<Record> from_line(std::string_view line);

/// Run id from the start time in UTC and 32 random bits: "20261120T083000Z-7f3a91c2".
[[nodiscard]] std::string make_run_id();
/// Present time by RFC 3339 with Z.
[[nodiscard]] std::string utc_now();

/// Writer of records to a result file: one write per line to a descriptor opened with O_APPEND under an
/// exclusive lock; synced after run, summary and end records and otherwise at most once a second. One rank only.
class Writer {
 public:
  enum class Mode { create, append };

  /// Opens DIR/result.jsonl (creating DIR and its parents). Mode create refuses an existing file unless it is
  /// empty; mode append cuts an incomplete last line off as cut_torn_line does, and refuses a file that holds
  /// anything but records of this format version. Throws WriteError, also if another process holds the lock, and if the
  /// file does not have the size `read_byte` with which a resume has read it: another one went on with the run.
  Writer(const std::filesystem::path& directory, Mode mode, std::string run, int session,
         std::int64_t first_seq, std::optional<std::int64_t> read_byte = {});
  /// Writes to a stream that the caller owns (standard output, tests).
  Writer(std::ostream& stream, std::string run, int session, std::int64_t first_seq);
  Writer(Writer&&) noexcept;
  ~Writer();

  /// Writes a record. A table that does not fit into one line is written in parts. Throws WriteError (no
  /// space, another record of more than max_line_byte, a file that was removed or moved, ...), after which the file still ends with a whole line
  /// as far as possible, and NotANumber or std::domain_error (columns of different length) before anything is
  /// written. A file-size limit (RLIMIT_FSIZE) becomes a WriteError only if the program ignores SIGXFSZ.
  void write(const Body& body);

  /// Keeps points that have no record yet, as they are so far, in DIR/unfinished.jsonl; they replace those
  /// kept before. A reader of DIR finds them as if they were recorded, until there is a record. Does nothing
  /// for a stream. Never throws WriteError: it is a precaution against a kill.
  void keep_unfinished(const std::vector<PointRecord>& points);

  [[nodiscard]] std::filesystem::path path() const;  // empty for a stream
  /// False if the file system has no locks (worth an event no_locks); true for a stream.
  [[nodiscard]] bool locked() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Choice of runs of a file by a reader.
struct RunChoice {
  /// series: the last with the launches that belong to its series.
  enum class Kind { last, first, all, id, series } kind = Kind::last;
  std::string id;
};
/// Choice of "last", "first", "all"; any other word is the id of a run.
[[nodiscard]] RunChoice parse_run_choice(std::string_view word);

/// Content of a file: records and what readers find beside them. The caller tells the user of it.
struct FileContent {
  std::vector<Record> records;  // of the chosen runs, in file order
  std::int64_t unknown_types = 0;
  std::int64_t torn_bytes = 0;     // of an incomplete last line
  std::int64_t damaged_lines = 0;  // that are not complete JSON though others follow: left out
  std::string first_damage;        // of these: file, line and fault
};

/// Hands over the records of every run one by one in their order. Of a long file other threads make some 100 KiB of
/// lines into records ahead of the consumer, which is called by the caller alone. Points that a killed session of DIR
/// left unfinished come last. The returned content has the counts and no
/// records. Throws ReadError, and what the consumer throws.
FileContent scan(const std::filesystem::path& input, const std::function<void(Record&&)>& consumer);

/// Scans for readers of very many files: each line first goes to `taker`, which returns true if it took it;
/// only the others become records. Leaves out points of an unfinished session.
using LineTaker = std::function<bool(std::string_view line)>;
FileContent scan(const std::filesystem::path& input, const LineTaker& taker,
                 const std::function<void(Record&&)>& consumer);

/// Scans the records of the chosen runs. A file is read twice, first for the names of its runs; standard
/// input is kept in memory as a whole. Throws ReadError also for a run that is not there.
FileContent scan(const std::filesystem::path& input, const RunChoice& choice,
                 const std::function<void(Record&&)>& consumer);

/// Reads a result directory, a result.jsonl (or .gz where built with zlib), or "-" for standard input. Empty
/// lines are skipped; lines that are not complete JSON are counted, the last one in torn_bytes, others in
/// damaged_lines. Throws ReadError for any other line that cannot be read, a higher format_version, a run
/// that is not there, and an input without records.
[[nodiscard]] FileContent read(const std::filesystem::path& input, const RunChoice& choice = {});

/// Sessions of a run up to one, in a row, that ran in another place than the session behind them (record/whereabouts.hpp).
struct EarlierSessions {
  int last = 1;  // of them
  int processes = 1, nodes = 1;
  Document layout, machine;
};

/// All sessions of one run merged: last run record, and for every key the last point record, in order of
/// first appearance. Tables of a later session replace those of the same name, suite and key from earlier ones,
/// summaries all of the same name and suite; tables of one session with the same name, suite, key and columns
/// are joined. The end record is that of the last session, absent if it was cut off.
struct Run {
  std::string id;
  RunRecord head;                        // of the last session
  int head_session = 0;                  // its number; 0: not told
  std::vector<EarlierSessions> earlier;  // that ran elsewhere than those behind them, in their order
  std::vector<Envelope> envelopes;       // of points
  std::vector<PointRecord> points;
  std::vector<TableRecord> tables;
  std::vector<int> table_sessions;  // of tables; empty: not told
  std::vector<SummaryRecord> summaries;
  std::vector<EventRecord> events;
  std::optional<EndRecord> end;
  int sessions = 1;
  std::int64_t next_seq = 0;
};
/// Runs in order of first appearance. Throws ReadError for a run without run record.
[[nodiscard]] std::vector<Run> runs(const FileContent& content);

/// Runs as runs(read(input, choice)) without keeping the records beside the runs. `told`, if not nullptr,
/// gets the counts; without it a damaged line is a ReadError.
[[nodiscard]] std::vector<Run> read_runs(const std::filesystem::path& input, const RunChoice& choice = {},
                                         FileContent* told = nullptr);

/// Last of these runs, which are those of one file, with the launches that belong to its series.
[[nodiscard]] std::vector<Run> last_with_its_launches(std::vector<Run> runs);

/// Cuts an incomplete last line off DIR/result.jsonl into result.jsonl.torn before a resume; returns the
/// number of bytes cut. A complete last line that lacks its line end gets it. Throws WriteError if there is
/// no such file, it is no result of this format version, it cannot be changed or another process is writing to it.
std::int64_t cut_torn_line(const std::filesystem::path& directory);

/// Sleeps until no process writes to DIR/result.jsonl any more, if there is one. A launcher ends before the
/// processes that it has killed have given back their memory and their locks. Returns whether nobody writes any more.
bool wait_for_writer(const std::filesystem::path& directory, std::chrono::seconds at_most);

/// Makes records of the points that a killed session left unfinished in DIR, before a resume. Throws
/// WriteError as cut_torn_line does, and ReadError.
void take_in_unfinished(const std::filesystem::path& directory);

}  // namespace steelyard::record
