// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "record/records.hpp"

namespace steelyard::record {

/// The result file cannot be written (exit code 4): exists already, locked, no space, no permission.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The input cannot be read (exit code 2). what() names file and line.
class ReadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A number that is not finite was handed to the writer: always our own bug.
class NotANumber : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// One line without the line end. Throws NotANumber if any double is not finite.
[[nodiscard]] std::string to_line(const Record& record);

/// Record of one line; nothing for a type that this version does not know.
/// Throws ReadError for malformed lines and for a higher format_version.
[[nodiscard]] std::optional<Record> from_line(std::string_view line);

/// The record as a JSON value (what to_line prints).
[[nodiscard]] Document to_document(const Record& record);

/// Start time in UTC and 32 random bits: "20261120T083000Z-7f3a91c2".
[[nodiscard]] std::string make_run_id();
/// RFC 3339 with Z, now.
[[nodiscard]] std::string utc_now();

/// Appends records to a result file: one write per line to a descriptor opened with O_APPEND under an exclusive
/// lock; synced after run, summary and end records and otherwise at most once a second. One rank only.
class Writer {
 public:
  enum class Mode { create, append };

  /// Opens DIR/result.jsonl (creating DIR). Mode create refuses an existing file. Throws WriteError.
  Writer(const std::filesystem::path& directory, Mode mode, std::string run, int session, std::int64_t first_seq);
  /// Writes to a stream that somebody else owns (standard output, tests).
  Writer(std::ostream& stream, std::string run, int session, std::int64_t first_seq);
  Writer(Writer&&) noexcept;
  ~Writer();

  /// Throws WriteError (no space, ...) after which the file still ends with a whole line as far as possible.
  void write(const Body& body);

  [[nodiscard]] const std::string& run() const;
  [[nodiscard]] int session() const;
  [[nodiscard]] std::filesystem::path path() const;  // empty for a stream

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Which run of a file a reader wants.
struct RunChoice {
  enum class Kind { last, first, all, id } kind = Kind::last;
  std::string id;
};
[[nodiscard]] RunChoice parse_run_choice(std::string_view word);

struct FileContent {
  std::vector<Record> records;     // of the chosen runs, in file order
  std::int64_t unknown_types = 0;
  std::int64_t torn_bytes = 0;     // of an incomplete last line
};

/// Reads a result directory, a result.jsonl (or .gz where built with zlib), or "-". Throws ReadError.
[[nodiscard]] FileContent read(const std::filesystem::path& input, const RunChoice& choice = {});

/// All sessions of one run merged: last run record, and for every key the last point record, in order of first
/// appearance. Throws ReadError if there is no run record.
struct Run {
  std::string id;
  RunRecord head;                    // of the last session
  std::vector<Envelope> envelopes;   // of points
  std::vector<PointRecord> points;
  std::vector<TableRecord> tables;
  std::vector<SummaryRecord> summaries;
  std::vector<EventRecord> events;
  std::optional<EndRecord> end;
  int sessions = 1;
  std::int64_t next_seq = 0;
};
[[nodiscard]] std::vector<Run> runs(const FileContent& content);

/// Cuts an incomplete last line off DIR/result.jsonl into result.jsonl.torn before a resume; bytes cut.
std::int64_t cut_torn_line(const std::filesystem::path& directory);

}  // namespace steelyard::record
