// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "record/conversion.hpp"
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

  /// The next line that is not empty, without its end; false after the last one.
  bool next(std::string& line) {
    do {
      if (!fetch(line)) return false;
      ++number_;
    } while (line.find_first_not_of(" \t\r") == std::string::npos);
    return true;
  }

  [[nodiscard]] std::string place() const { return name_ + ":" + std::to_string(number_) + ": "; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  bool fetch(std::string& line) {
    line.clear();
    while (true) {
      const auto end = std::find(at_, end_, '\n');
      line.append(at_, end);
      if (line.size() > max_line_byte) throw too_long();
      if (end != end_) return at_ = end + 1, true;
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
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16);
  const char* at_ = buffer_.data();
  const char* end_ = buffer_.data();
  std::int64_t number_ = 0;
};

/// Feeds records to the consumer; a broken line is forgiven if nothing follows it.
class Scanner {
 public:
  explicit Scanner(const std::filesystem::path& file) : lines_(file) {}

  FileContent scan(const std::function<void(Record&&)>& consumer) {
    std::string line;
    while (lines_.next(line)) {
      if (!broken_.empty()) throw ReadError(broken_);
      take(line, consumer);
    }
    if (!any_) throw ReadError(lines_.name() + ": no steelyard records");
    return std::move(content_);
  }

 private:
  void take(const std::string& line, const std::function<void(Record&&)>& consumer) {
    if (auto record = understand(line)) return consumer(std::move(*record));
    if (broken_.empty()) ++content_.unknown_types;
  }

  std::optional<Record> understand(const std::string& line) {
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

}  // namespace steelyard::record
