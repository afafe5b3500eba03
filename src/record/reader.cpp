// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>

#include "record/ahead.hpp"
#include "record/chosen.hpp"
#include "record/conversion.hpp"
#include "record/file.hpp"
#include "record/members.hpp"
#include "record/source.hpp"
#include "record/unfinished.hpp"

namespace steelyard::record {
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

/// Pipes that a shell makes for a program have no name of their own, and end; one that lies in a directory may have no
/// writer, and most devices never end.
void refuse_endless(const std::filesystem::path& file) {
  using Kind = std::filesystem::file_type;
  std::error_code error;
  const Kind kind = std::filesystem::status(file, error).type();
  const bool is_device = kind == Kind::character && file != "/dev/null" && file != "/dev/stdin";
  const bool is_named_pipe = kind == Kind::fifo && !std::filesystem::canonical(file, error).empty();
  if (is_device || is_named_pipe) throw ReadError(file.string() + ": is no regular file");
}

int open_input(const std::filesystem::path& file) {
  if (file != "-") refuse_endless(file);
  const int descriptor = file == "-" ? ::dup(STDIN_FILENO) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw ReadError(file.string() + ": " + std::system_category().message(errno));
  return descriptor;
}

/// Place of standard input, to which it goes back with the object: one that is a file can be read again.
class StandardInputPlace {
 public:
  StandardInputPlace() : place_(::lseek(STDIN_FILENO, 0, SEEK_CUR)) {}
  ~StandardInputPlace() {
    if (place_ >= 0) static_cast<void>(::lseek(STDIN_FILENO, place_, SEEK_SET));
  }
  StandardInputPlace(const StandardInputPlace&) = delete;
  StandardInputPlace& operator=(const StandardInputPlace&) = delete;

 private:
  off_t place_;
};

/// Lines of a source, with their file and number for messages.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& file)
      : name_(file == "-" ? "standard input" : file.string()), source_(open_source(open_input(file), name_)) {
    if (file == "-") place_.emplace();
  }

  /// Next line that is not empty, without its end; false after the last one. It lives until the next call.
  bool next(std::string_view& line) {
    do {
      if (!fetch(line)) return false;
      ++number_;
    } while (line.find_first_not_of(" \t\r") == std::string_view::npos);
    return true;
  }

  [[nodiscard]] std::string place(std::int64_t number) const {
    return name_ + ":" + std::to_string(number) + ": ";
  }
  [[nodiscard]] std::int64_t number() const { return number_; }  // of the line that came last
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
  std::optional<StandardInputPlace> place_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 18);
  const char* at_ = buffer_.data();
  const char* end_ = buffer_.data();
  std::string begun_;  // of a line of which the buffer holds only a part
  std::int64_t number_ = 0;
};

/// Filter of lines that need no record; may be asked long before the records of earlier lines are handed over.
using LineFilter = std::function<bool(std::string_view line)>;

TextConsumer without_text(const std::function<void(Record&&)>& consumer) {
  return [&consumer](Record&& record, std::string_view /*text*/) { consumer(std::move(record)); };
}

/// Scanner that feeds records to the consumer; broken lines are counted, a last one as torn.
class Scanner {
 public:
  explicit Scanner(const std::filesystem::path& file) : lines_(file) {}

  /// Makes records and texts ahead of the consumer, but of lines that are to be passed over.
  FileContent scan(const LineFilter& pass_over, const TextMaker& maker, const TextConsumer& consumer) {
    Ahead ahead(maker);
    for (bool ended = false; !ended || !ahead.is_empty();) {
      while (!ended && ahead.has_room()) {
        auto batch = ahead.empty_batch();
        ended = !fill(*batch, pass_over);
        ahead.give(std::move(batch));
      }
      for (Batch::Line& line : ahead.take().lines()) take(line, consumer);
    }
    if (failure_) std::rethrow_exception(failure_);
    return content();
  }

  /// Looks at each line in turn; the taker may depend on the records before it.
  FileContent scan_in_turn(const LineTaker& taker, const std::function<void(Record&&)>& consumer) {
    const auto consume = without_text(consumer);
    Elements elements;
    for (std::string_view line; lines_.next(line);) {
      if (taker(line)) {
        note_whole_line();
        continue;
      }
      Batch one;
      one.add(line, lines_.number());
      one.understand(elements, {});
      take(one.lines().front(), consume);
    }
    return content();
  }

 private:
  /// False at the end of the file, and where it cannot be read further, which is told behind its last line.
  bool fill(Batch& batch, const LineFilter& pass_over) try {
    for (std::string_view line; !batch.is_full();) {
      if (!lines_.next(line)) return false;
      if (pass_over && pass_over(line))
        batch.pass_over();
      else
        batch.add(line, lines_.number());
    }
    return true;
  } catch (const ReadError&) {
    failure_ = std::current_exception();
    return false;
  }

  void take(Batch::Line& line, const TextConsumer& consumer) {
    if (line.passed_over) return note_whole_line();
    Understood& said = line.said;
    if (!said.wrong.empty()) throw ReadError(lines_.place(line.number) + said.wrong);
    if (!said.broken.empty()) {
      note_break(lines_.place(line.number) + said.broken, line.size);
      return;
    }
    note_whole_line();
    if (said.record) return consumer(std::move(*said.record), line.text);
    ++content_.unknown_types;
  }

  /// A broken line is a torn one if none follows, else a damaged one.
  void note_break(std::string fault, std::size_t size) {
    note_damage();
    broken_ = std::move(fault);
    content_.torn_bytes = static_cast<std::int64_t>(size);
  }

  void note_whole_line() {
    any_ = true;
    note_damage();
  }

  void note_damage() {
    if (broken_.empty()) return;
    if (content_.damaged_lines++ == 0) content_.first_damage = std::move(broken_);
    broken_.clear();
    content_.torn_bytes = 0;
  }

  FileContent content() {
    if (!any_)
      throw ReadError(content_.damaged_lines > 0 ? content_.first_damage
                                                 : lines_.name() + ": no steelyard records");
    return std::move(content_);
  }

  Lines lines_;
  FileContent content_;
  std::string broken_;
  bool any_ = false;
  std::exception_ptr failure_;
};

/// Runs of a file, found without making records of its points.
struct RunsOfFile {
  struct Named {
    std::string id, series;
    std::size_t points = 0;
  };
  std::vector<Named> runs;  // in order of first appearance
  std::string last;         // of the last record

  Named& of(std::string_view id) {
    const auto found = std::ranges::find(runs, id, &Named::id);
    return found == runs.end() ? runs.emplace_back(Named{std::string(id), {}, 0}) : *found;
  }
  [[nodiscard]] std::string known() const {
    std::string list;
    for (const Named& run : runs) list += (list.empty() ? "" : ", ") + run.id;
    return list;
  }
};

/// Finder of runs. Looks at whole lines of records that this version knows, and at the beginning of points of the run that
/// it is in; faults of others are reported when they are read.
class RunFinder {
 public:
  void see(std::string_view line) {
    if (is_next_point(line)) {
      ++found_.runs[at_].points;
      return;
    }
    std::string_view type, run;
    if (!line_.scan(line) || !line_.each_member(line_.whole(), [&](std::string_view name, const auto& value) {
          if (name == "type") type = plain_text(value.text).value_or("");
          if (name == "run") run = plain_text(value.text).value_or("");
          return true;
        }))
      return;
    if (std::ranges::find(known_types, type) == known_types.end()) return;
    if (found_.runs.empty() || run != found_.last)
      at_ = static_cast<std::size_t>(&found_.of(run) - found_.runs.data());
    found_.last = run;
    if (type == "point") ++found_.runs[at_].points;
    if (type == "run") note_series(line);
  }
  [[nodiscard]] RunsOfFile found() && { return std::move(found_); }

 private:
  static constexpr std::array<std::string_view, 6> known_types{"run",     "point", "table",
                                                               "summary", "event", "end"};

  [[nodiscard]] bool is_next_point(std::string_view line) const {
    const auto begins = beginning_of_point(line);
    return begins && !found_.runs.empty() && begins->run == found_.last;
  }

  void note_series(std::string_view line) {
    try {
      const auto record = from_line(line);
      found_.of(record->envelope.run).series = std::get<RunRecord>(record->body).series;
    } catch (const ReadError&) {
    }
  }

  ScannedLine line_;
  RunsOfFile found_;
  std::size_t at_ = 0;  // run of the last line
};

RunsOfFile runs_of(const std::filesystem::path& input) {
  Lines lines(file_of(input));
  RunFinder finder;
  for (std::string_view line; lines.next(line);) finder.see(line);
  return std::move(finder).found();
}

RunsOfFile runs_of(const std::vector<Record>& records) {
  RunsOfFile found;
  for (const Record& record : records) {
    found.last = record.envelope.run;
    auto& run = found.of(found.last);
    if (const auto* head = std::get_if<RunRecord>(&record.body)) run.series = head->series;
  }
  return found;
}

using Ids = std::set<std::string, std::less<>>;

/// Ids of the chosen runs. Throws ReadError if a file with runs has none of them.
Ids chosen_ids(const RunsOfFile& file, const RunChoice& choice, const std::filesystem::path& input) {
  using Kind = RunChoice::Kind;
  Ids ids;
  if (file.runs.empty()) return ids;
  const std::string id = choice.kind == Kind::id       ? choice.id
                         : choice.kind == Kind::first  ? file.runs.front().id
                         : choice.kind == Kind::series ? file.runs.back().id
                                                       : file.last;
  const auto found = std::ranges::find(file.runs, id, &RunsOfFile::Named::id);
  if (found == file.runs.end())
    throw ReadError(input.string() + ": no run " + id + "; there is " + file.known());
  for (const auto& run : file.runs) {
    const bool launch = choice.kind == Kind::series && !found->series.empty() && run.series == found->series;
    if (launch || run.id == id) ids.insert(run.id);
  }
  return ids;
}

/// Filter that passes over lines of other runs before they become records.
class OtherRuns {
 public:
  explicit OtherRuns(Ids chosen) : chosen_(std::move(chosen)) {}
  bool operator()(std::string_view line) {
    if (is_written_point(line)) return false;
    bool other = false;
    const bool whole =
        line_.scan(line) && line_.each_member(line_.whole(), [&](std::string_view name, const auto& value) {
          if (name == "run") other = !chosen_.contains(plain_text(value.text).value_or(""));
          return true;
        });
    return whole && other;
  }

 private:
  /// Whether a line begins as this program writes a point of a chosen run.
  [[nodiscard]] bool is_written_point(std::string_view line) const {
    constexpr std::string_view name = R"("run":")";
    if (!line.starts_with(beginning_of_points) || !line.substr(beginning_of_points.size()).starts_with(name))
      return false;
    const std::string_view rest = line.substr(beginning_of_points.size() + name.size());
    return chosen_.contains(rest.substr(0, rest.find('"')));
  }

  Ids chosen_;
  ScannedLine line_;
};

/// True for a file that can be read again; the content of others, as of standard input, has to be kept.
bool can_be_read_again(const std::filesystem::path& input) {
  std::error_code ignored;
  return input != "-" && std::filesystem::is_regular_file(file_of(input), ignored);
}

/// Hands over a record that was kept.
void hand_over(Record& record, const TextMaker& maker, const TextConsumer& consumer) {
  std::string text;
  if (maker) maker(record, text);
  consumer(std::move(record), text);
}

FileContent scan_all(const std::filesystem::path& input, const LineFilter& pass_over, const TextMaker& maker,
                     const TextConsumer& consumer) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(input, ignored) || !has_unfinished(input))
    return Scanner(file_of(input)).scan(pass_over, maker, consumer);
  UnfinishedPoints unfinished(input);
  const auto saw = [&](Record&& record, std::string_view text) {
    unfinished.saw(record);
    consumer(std::move(record), text);
  };
  FileContent content = Scanner(file_of(input)).scan(pass_over, maker, saw);
  for (Record& point : std::move(unfinished).take()) hand_over(point, maker, consumer);
  return content;
}

}  // namespace

std::string last_run_of(const std::filesystem::path& file) {
  constexpr std::streamoff looked_at_byte = 64 << 10;
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const auto from = std::max<std::streamoff>(0, in.tellg() - looked_at_byte);
  in.seekg(from);
  RunFinder finder;
  std::string line;
  if (from > 0) std::getline(in, line);  // begins before
  while (std::getline(in, line)) finder.see(line);
  return std::move(finder).found().last;
}

FileContent scan_chosen(const std::filesystem::path& input, const RunChoice& choice, const RoomTaker& room,
                        const TextMaker& maker, const TextConsumer& consumer) {
  if (choice.kind == RunChoice::Kind::all) return scan_all(input, {}, maker, consumer);
  if (can_be_read_again(input)) {
    const bool one_alone = choice.kind == RunChoice::Kind::last && !room;
    if (const auto last = one_alone ? last_run_of(file_of(input)) : std::string(); !last.empty())
      return scan_all(input, OtherRuns({last}), maker, consumer);
    const auto file = runs_of(input);
    const auto ids = chosen_ids(file, choice, input);
    for (const auto& run : file.runs)
      if (room && ids.contains(run.id)) room(run.id, run.points);
    return scan_all(input, file.runs.size() == ids.size() ? LineFilter() : OtherRuns(ids), maker, consumer);
  }
  std::vector<Record> records;
  FileContent content =
      record::scan(input, [&records](Record&& record) { records.push_back(std::move(record)); });
  const auto ids = chosen_ids(runs_of(records), choice, input);
  for (Record& record : records)
    if (ids.contains(record.envelope.run)) hand_over(record, maker, consumer);
  return content;
}

}  // namespace detail

FileContent scan(const std::filesystem::path& input, const std::function<void(Record&&)>& consumer) {
  return detail::scan_all(input, {}, {}, detail::without_text(consumer));
}

FileContent scan(const std::filesystem::path& input, const LineTaker& taker,
                 const std::function<void(Record&&)>& consumer) {
  return detail::Scanner(detail::file_of(input)).scan_in_turn(taker, consumer);
}

FileContent scan(const std::filesystem::path& input, const RunChoice& choice,
                 const std::function<void(Record&&)>& consumer) {
  return scan(input, choice, {}, detail::without_text(consumer));
}

FileContent scan(const std::filesystem::path& input, const RunChoice& choice, const TextMaker& maker,
                 const TextConsumer& consumer) {
  return detail::scan_chosen(input, choice, {}, maker, consumer);
}

FileContent read(const std::filesystem::path& input, const RunChoice& choice) {
  std::vector<Record> records;
  FileContent content =
      scan(input, choice, [&records](Record&& record) { records.push_back(std::move(record)); });
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

}  // namespace steelyard::record
