// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <system_error>
#include <unordered_map>

#include "record/conversion.hpp"
#include "record/file.hpp"
#include "record/source.hpp"
#include "record/table.hpp"
#include "record/unfinished.hpp"

namespace steelyard::record {
namespace {

/// Records of one kind; those of a later session replace those of the same identity from earlier sessions.
template <class Kind>
class Latest {
 public:
  void take(std::string identity, int session, const Kind& record) {
    std::erase_if(kept_,
                  [&](const Entry& kept) { return kept.identity == identity && kept.session < session; });
    kept_.push_back({std::move(identity), session, record});
  }
  [[nodiscard]] std::vector<Kind> records() && {
    std::vector<Kind> list;
    for (Entry& kept : kept_) list.push_back(std::move(kept.record));
    return list;
  }

 private:
  struct Entry {
    std::string identity;
    int session;
    Kind record;
  };
  std::vector<Entry> kept_;
};

/// Parts of a table, and what a session has added to it line by line, as one.
std::vector<TableRecord> joined(std::vector<TableRecord> parts) {
  std::vector<TableRecord> tables;
  std::map<std::string, std::size_t, std::less<>> places;
  for (TableRecord& part : parts) {
    const auto [place, is_new] =
        places.try_emplace(part.suite + "/" + part.name + ";" + part.key, tables.size());
    if (!is_new && append_rows(tables[place->second], part)) continue;
    place->second = tables.size();
    tables.push_back(std::move(part));
  }
  return tables;
}

class Merge {
 public:
  void take(const Record& record) {
    envelope_ = &record.envelope;
    run_.id = record.envelope.run;
    run_.next_seq = std::max(run_.next_seq, record.envelope.seq + 1);
    sessions_.insert(record.envelope.session);
    std::visit([this](const auto& body) { take(body); }, record.body);
  }

  [[nodiscard]] Run finish() && {
    if (!has_head_) throw ReadError("run " + run_.id + " has no run record");
    run_.sessions = static_cast<int>(sessions_.size());
    run_.tables = joined(std::move(tables_).records());
    run_.summaries = std::move(summaries_).records();
    return std::move(run_);
  }

 private:
  void take(const RunRecord& head) {
    run_.head = head;
    run_.end.reset();
    has_head_ = true;
  }

  void take(const PointRecord& point) {
    const auto [found, is_new] = places_.try_emplace(point.key, run_.points.size());
    if (is_new) {
      run_.points.push_back(point);
      run_.envelopes.push_back(*envelope_);
      return;
    }
    run_.points[found->second] = point;
    run_.envelopes[found->second] = *envelope_;
  }

  void take(const TableRecord& table) {
    tables_.take(table.suite + "/" + table.name + ";" + table.key, envelope_->session, table);
  }

  void take(const SummaryRecord& summary) {
    summaries_.take(summary.suite + "/" + summary.name + ";" + std::to_string(summary.processes),
                    envelope_->session, summary);
  }

  void take(const EventRecord& event) { run_.events.push_back(event); }
  void take(const EndRecord& end) { run_.end = end; }

  Run run_;
  const Envelope* envelope_ = nullptr;
  bool has_head_ = false;
  std::set<int> sessions_;
  std::unordered_map<std::string, std::size_t> places_;
  Latest<TableRecord> tables_;
  Latest<SummaryRecord> summaries_;
};

}  // namespace

namespace detail {

std::filesystem::path file_of(const std::filesystem::path& input) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(input, ignored)) return input;
  const auto compressed = input / "result.jsonl.gz";
  const auto plain = input / "result.jsonl";
  const bool only_compressed =
      !std::filesystem::exists(plain, ignored) && std::filesystem::exists(compressed, ignored);
  return only_compressed ? compressed : plain;
}

namespace {

int open_input(const std::filesystem::path& file) {
  const int descriptor = file == "-" ? ::dup(STDIN_FILENO) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw ReadError(file.string() + ": " + std::system_category().message(errno));
  return descriptor;
}

/// Lines of a source with what is needed to speak about them.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& file)
      : name_(file == "-" ? "standard input" : file.string()),
        source_(open_source(open_input(file), name_)) {}

  /// The next line that is not empty, without its end; false after the last one. It lives until the next call.
  bool next(std::string_view& line) {
    do {
      if (!fetch(line)) return false;
      ++number_;
    } while (line.find_first_not_of(" \t\r") == std::string_view::npos);
    return true;
  }

  [[nodiscard]] std::string place() const { return name_ + ":" + std::to_string(number_) + ": "; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  /// A line that lies whole in the buffer is not copied.
  bool fetch(std::string_view& line) {
    begun_.clear();
    while (true) {
      const auto left = static_cast<std::size_t>(end_ - at_);
      const auto* end = static_cast<const char*>(left == 0 ? nullptr : std::memchr(at_, '\n', left));
      const std::string_view part(at_, end == nullptr ? left : static_cast<std::size_t>(end - at_));
      if (begun_.size() + part.size() > max_line_byte) throw too_long();
      if (end != nullptr && begun_.empty()) return line = part, at_ = end + 1, true;
      begun_ += part;
      line = begun_;
      if (end != nullptr) return at_ = end + 1, true;
      if (!refill()) return !line.empty();
    }
  }

  bool refill() {
    const std::size_t count = source_->read(buffer_);
    at_ = buffer_.data();
    end_ = at_ + count;
    return count > 0;
  }

  [[nodiscard]] ReadError too_long() const {
    return ReadError(name_ + ":" + std::to_string(number_ + 1) + ": longer than " +
                     std::to_string(max_line_byte) + " bytes, which no result line is");
  }

  std::string name_;
  std::unique_ptr<Source> source_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 18);
  const char* at_ = buffer_.data();
  const char* end_ = buffer_.data();
  std::string begun_;  // of a line that the buffer holds a part of
  std::int64_t number_ = 0;
};

/// Feeds records to the consumer; a broken line is forgiven if nothing follows it.
class Scanner {
 public:
  explicit Scanner(const std::filesystem::path& file) : lines_(file) {}

  FileContent scan(const std::function<void(Record&&)>& consumer, const LineTaker& taker = {}) {
    std::string_view line;
    while (lines_.next(line)) {
      if (!broken_.empty()) throw ReadError(broken_);
      if (taker && taker(line))
        any_ = true;
      else
        take(line, consumer);
    }
    if (!any_) throw ReadError(lines_.name() + ": no steelyard records");
    return std::move(content_);
  }

 private:
  void take(std::string_view line, const std::function<void(Record&&)>& consumer) {
    if (auto record = understand(line)) return consumer(std::move(*record));
    if (broken_.empty()) ++content_.unknown_types;
  }

  std::optional<Record> understand(std::string_view line) {
    try {
      auto record = from_line(line);
      any_ = true;
      return record;
    } catch (const BrokenLine& error) {
      broken_ = lines_.place() + error.what();
      content_.torn_bytes = static_cast<std::int64_t>(line.size());
      return std::nullopt;
    } catch (const ReadError& error) {
      throw ReadError(lines_.place() + error.what());
    }
  }

  Lines lines_;
  FileContent content_;
  std::string broken_;
  bool any_ = false;
};

std::string known_runs(const std::vector<Record>& records) {
  std::string known, last;
  for (const Record& record : records) {
    if (record.envelope.run != last) known += (known.empty() ? "" : ", ") + (last = record.envelope.run);
  }
  return known;
}

std::string chosen_id(const std::vector<Record>& records, const RunChoice& choice) {
  if (choice.kind == RunChoice::Kind::id) return choice.id;
  if (records.empty()) return "";
  return choice.kind == RunChoice::Kind::first ? records.front().envelope.run : records.back().envelope.run;
}

}  // namespace
}  // namespace detail

FileContent scan(const std::filesystem::path& input, const std::function<void(Record&&)>& consumer) {
  std::error_code ignored;
  const bool directory = std::filesystem::is_directory(input, ignored);
  if (!directory || !std::filesystem::exists(detail::unfinished_file(input), ignored))
    return detail::Scanner(detail::file_of(input)).scan(consumer);
  detail::UnfinishedPoints unfinished(input);
  FileContent content = detail::Scanner(detail::file_of(input)).scan([&](Record&& record) {
    unfinished.saw(record);
    consumer(std::move(record));
  });
  for (Record& point : std::move(unfinished).take()) consumer(std::move(point));
  return content;
}

FileContent scan(const std::filesystem::path& input, const LineTaker& taker,
                 const std::function<void(Record&&)>& consumer) {
  return detail::Scanner(detail::file_of(input)).scan(consumer, taker);
}

FileContent read(const std::filesystem::path& input, const RunChoice& choice) {
  std::vector<Record> records;
  FileContent content = scan(input, [&records](Record&& record) { records.push_back(std::move(record)); });
  if (choice.kind != RunChoice::Kind::all) {
    const std::string id = detail::chosen_id(records, choice);
    const std::string known = detail::known_runs(records);
    std::erase_if(records, [&id](const Record& record) { return record.envelope.run != id; });
    if (records.empty() && !known.empty()) {
      throw ReadError(input.string() + ": no run " + id + "; there is " + known);
    }
  }
  content.records = std::move(records);
  return content;
}

RunChoice parse_run_choice(std::string_view word) {
  using Kind = RunChoice::Kind;
  if (word == "last") return {Kind::last, {}};
  if (word == "first") return {Kind::first, {}};
  if (word == "all") return {Kind::all, {}};
  return {Kind::id, std::string(word)};
}

std::vector<Run> runs(const FileContent& content) {
  std::vector<Merge> merges;
  std::map<std::string, std::size_t, std::less<>> places;
  for (const Record& record : content.records) {
    const auto [found, is_new] = places.try_emplace(record.envelope.run, merges.size());
    if (is_new) merges.emplace_back();
    merges[found->second].take(record);
  }
  std::vector<Run> list;
  for (Merge& merge : merges) list.push_back(std::move(merge).finish());
  return list;
}

std::vector<Run> last_with_its_launches(std::vector<Run> runs) {
  if (runs.empty()) return runs;
  const std::string series = runs.back().head.series, id = runs.back().id;
  std::erase_if(
      runs, [&](const Run& run) { return run.id != id && (series.empty() || run.head.series != series); });
  return runs;
}

}  // namespace steelyard::record
