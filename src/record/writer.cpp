// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <random>
#include <system_error>

#include "record/appender.hpp"
#include "record/file.hpp"
#include "record/records.hpp"
#include "record/unfinished.hpp"

namespace steelyard::record {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::seconds sync_interval{1};

std::filesystem::path result_file(const std::filesystem::path& directory) {
  return directory / "result.jsonl";
}

std::filesystem::path made(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw WriteError(directory.string() + ": cannot be created: " + error.message());
  return result_file(directory);
}

/// True for an empty file, which a process that was killed before its first record leaves.
bool is_empty_file(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::file_size(file, error) == 0 && !error;
}

/// A reader takes result.jsonl where there are both: records of before would seem to be gone.
void refuse_beside_compressed(const std::filesystem::path& file) {
  auto compressed = file;
  compressed += ".gz";
  std::error_code error;
  if (!std::filesystem::exists(file, error) && std::filesystem::exists(compressed, error))
    throw WriteError(compressed.string() + " holds records that " + file.filename().string() +
                     " would hide; once it is uncompressed, --append adds a run");
}

std::string who(const Body& body) {
  if (const auto* point = std::get_if<PointRecord>(&body)) return "point " + point->key;
  if (const auto* summary = std::get_if<SummaryRecord>(&body)) return "summary " + summary->name;
  if (const auto* event = std::get_if<EventRecord>(&body)) return "event " + event->code;
  if (const auto* table = std::get_if<TableRecord>(&body)) return "table " + table->name;
  return std::holds_alternative<RunRecord>(body) ? "run record" : "end record";
}

bool must_sync(const Body& body) {
  return std::holds_alternative<RunRecord>(body) || std::holds_alternative<SummaryRecord>(body) ||
         std::holds_alternative<EndRecord>(body);
}

std::string utc(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm fields{};
  gmtime_r(&now, &fields);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &fields)};
}

}  // namespace

struct Writer::State {
  std::unique_ptr<detail::Appender> file;
  std::ostream* stream = nullptr;
  std::string run;
  int session = 1;
  std::int64_t seq = 0;
  bool keeps = false;  // unfinished points
  SteadyClock::time_point origin = SteadyClock::now();
  SteadyClock::time_point synced = origin;

  void write(const Body& body) {
    const auto now = SteadyClock::now();
    // Times count from the run record; those of earlier records, if any, from the opening.
    if (std::holds_alternative<RunRecord>(body)) origin = now;
    const std::chrono::duration<double> at = now - origin;
    std::string line = to_line({{run, session, seq, at.count()}, body});
    line += '\n';
    if (line.size() > max_line_byte) {
      throw WriteError(who(body) + ": " + std::to_string(line.size()) + " bytes do not fit into a line of " +
                       std::to_string(max_line_byte));
    }
    put(line);
    ++seq;
    if (file && (must_sync(body) || now - synced >= sync_interval)) sync();
  }

  void put(const std::string& line) {
    if (file) return file->append(line);
    if (!(*stream << line << std::flush)) throw WriteError("the output stream cannot be written");
  }

  void sync() {
    file->sync();
    synced = SteadyClock::now();
  }
};

Writer::Writer(const std::filesystem::path& directory, Mode mode, std::string run, int session,
               std::int64_t first_seq, std::optional<std::int64_t> read_byte)
    : state_(std::make_unique<State>()) {
  const auto file = made(directory);
  refuse_beside_compressed(file);
  const bool fresh = mode == Mode::create && !is_empty_file(file);
  const int flags = mode == Mode::create ? O_WRONLY | O_CREAT | (fresh ? O_EXCL : 0) : O_RDWR | O_CREAT;
  state_->file = std::make_unique<detail::Appender>(file, flags);
  if (mode == Mode::create) state_->file->refuse_content();
  if (read_byte) state_->file->refuse_other_size(*read_byte);
  if (mode == Mode::append) {
    state_->file->repair();
    detail::take_in_unfinished(directory, *state_->file);
  }
  state_->run = std::move(run);
  state_->session = session;
  state_->seq = first_seq;
}

Writer::Writer(std::ostream& stream, std::string run, int session, std::int64_t first_seq)
    : state_(std::make_unique<State>()) {
  state_->stream = &stream;
  state_->run = std::move(run);
  state_->session = session;
  state_->seq = first_seq;
}

Writer::Writer(Writer&&) noexcept = default;

Writer::~Writer() {
  if (!state_ || !state_->file) return;
  try {
    state_->sync();
  } catch (const WriteError&) {
    // Every record that had to be on disk was synced when it was written; errors were reported then.
  }
}

void Writer::write(const Body& body) {
  const auto* table = std::get_if<TableRecord>(&body);
  if (table == nullptr) return state_->write(body);
  for (const TableRecord& part : split_table(*table)) state_->write(part);
}

void Writer::keep_unfinished(const std::vector<PointRecord>& points) {
  if (!state_->file || (points.empty() && !state_->keeps)) return;
  const std::chrono::duration<double> at = SteadyClock::now() - state_->origin;
  std::vector<Record> records;
  for (const PointRecord& point : points)
    records.push_back({{state_->run, state_->session, state_->seq, at.count()}, point});
  detail::replace_unfinished(state_->file->file().parent_path(), records);
  state_->keeps = !points.empty();
}

std::filesystem::path Writer::path() const {
  return state_->file ? state_->file->file() : "";
}
bool Writer::locked() const {
  return !state_->file || state_->file->locked();
}

std::int64_t cut_torn_line(const std::filesystem::path& directory) {
  return detail::Appender(result_file(directory), O_RDWR).repair();
}

bool wait_for_writer(const std::filesystem::path& directory, std::chrono::seconds at_most) {
  return detail::wait_for_unlock(result_file(directory), at_most);
}

std::string utc_now() {
  return utc("%Y-%m-%dT%H:%M:%SZ");
}

std::string make_run_id() {
  std::array<char, 16> random{};
  const int length = std::snprintf(random.data(), random.size(), "-%08x", std::random_device{}());
  return utc("%Y%m%dT%H%M%SZ") + std::string(random.data(), static_cast<std::size_t>(length));
}

}  // namespace steelyard::record
