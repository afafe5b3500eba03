// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>
#include <stdexcept>

#include "foreign/readers.hpp"
#include "foreign/text.hpp"
#include "record/point_view.hpp"
#include "units/text.hpp"

namespace steelyard::foreign {
namespace {

constexpr std::string_view begin_mark = "Begin of Summary section.", end_mark = "End of Summary section.",
                           host_mark = "Hostname: '", time_mark = "Current time (";

/// Thrown for a text that is not as it should be. what() begins with the number of the line, or is about the whole.
class TextError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Content of a hpccoutf.txt of any HPC Challenge 1.x: its last complete Summary, in the order of the file.
/// Values are whole numbers, numbers or texts as they are written; unknown keys are kept.
struct HpccOutput {
  std::string host;  // of the head; empty: not told
  std::string date;  // of the head, as printed
  record::Members summary;
};

record::Value summary_value(std::string_view word) {
  if (const auto count = units::read_number<std::int64_t>(word)) return *count;
  if (const auto real = units::read_number<double>(word); real && std::isfinite(*real)) return *real;
  return record::valid_utf8(word);
}

class SummaryReader {
 public:
  void line(std::string_view text) {
    ++number_;
    if (text == begin_mark) {
      inside_ = true;
      found_.clear();
      fault_.clear();
    } else if (text == end_mark) {
      finish();
    } else if (inside_ && !text.empty()) {
      pair(text);
    } else if (text.starts_with(host_mark)) {
      output_.host = record::valid_utf8(text.substr(host_mark.size(), text.rfind('\'') - host_mark.size()));
    } else if (text.starts_with(time_mark) && output_.date.empty()) {
      output_.date = record::valid_utf8(text.substr(std::min(text.find(" is ") + 4, text.size())));
    }
  }

  /// Host and date of the head, which a text that was cut off has too.
  [[nodiscard]] const HpccOutput& head() const { return output_; }

  HpccOutput take() {
    if (!complete_)
      throw TextError(inside_ ? "line " + std::to_string(number_) +
                                    ": the Summary section is cut off before '" + std::string(end_mark) + "'"
                              : "no Summary section: expected a line '" + std::string(begin_mark) + "'");
    return std::move(output_);
  }

 private:
  void finish() {
    if (inside_ && !fault_.empty()) throw TextError(fault_);
    if (inside_) output_.summary = std::move(found_);
    complete_ = complete_ || inside_;
    inside_ = false;
  }

  void pair(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      if (fault_.empty())
        fault_ = "line " + std::to_string(number_) + ": expected key=value in the Summary, got '" +
                 record::valid_utf8(text.substr(0, 60)) + "'";
      return;
    }
    found_.emplace_back(record::valid_utf8(trimmed(text.substr(0, equals))),
                        summary_value(trimmed(text.substr(equals + 1))));
  }

  HpccOutput output_;
  record::Members found_;
  bool inside_ = false, complete_ = false;
  std::size_t number_ = 0;
  std::string fault_;  // of a section that may turn out to be cut off, which is no fault of its lines
};

std::optional<std::int64_t> whole_in(const record::Members& members, std::string_view name) {
  return record::whole_of(record::find(members, name));
}

std::optional<int> count_in(const record::Members& members, std::string_view name) {
  return as_count(whole_in(members, name));
}

void take_head(const HpccOutput& output, const Description& told, Piece& piece) {
  if (!output.host.empty()) piece.machine["hostname"] = output.host;
  if (const auto started = date(output.date, told.minutes_before_utc)) piece.started_utc = *started;
}

/// Content of a Summary, as the record that this program writes of its own tests.
record::SummaryRecord summary_of(record::Members members, int processes) {
  record::SummaryRecord summary;
  summary.name = "hpcc";
  summary.suite = "hpcc";
  summary.processes = processes;
  const auto success = whole_in(members, "Success");
  if (success) summary.verified = *success == 1;
  summary.classic = std::move(members);
  return summary;
}

}  // namespace

void read_hpcc(const Block& block, const Description& told, Pieces& pieces) {
  Piece piece(block);
  const auto first = block.lines.front().text;
  if (const auto release = behind(first, "HPC Challenge Benchmark version")) {
    const auto words = words_of(*release);
    if (!words.empty()) piece.release = record::valid_utf8(words[0]);
  }
  read_hpl_rows(block.lines, piece, told.minutes_before_utc);
  for (const Point& point : piece.points)
    piece.processes = std::max(piece.processes.value_or(0), point.record.processes);
  SummaryReader reader;
  try {
    for (const Line& line : block.lines) reader.line(trimmed(line.text));
    take_head(reader.head(), told, piece);
    HpccOutput output = reader.take();
    if (piece.release.empty())
      if (const auto major = whole_in(output.summary, "VersionMajor"),
          minor = whole_in(output.summary, "VersionMinor");
          major && minor)
        piece.release = std::to_string(*major) + '.' + std::to_string(*minor);
    if (const auto processes = count_in(output.summary, "CommWorldProcs")) piece.processes = *processes;
    piece.threads = count_in(output.summary, "STREAM_Threads");
    piece.summaries.push_back(summary_of(std::move(output.summary), piece.processes.value_or(1)));
  } catch (const TextError& error) {
    const bool in_summary = std::string_view(error.what()).starts_with("line ");
    if (piece.points.empty() || (in_summary && !holds(error.what(), "cut off"))) {
      // Lines of the block are numbered anew by the reader of the Summary; blank ones were taken away before.
      std::string_view what = error.what();
      std::size_t line = block.last_line();
      if (const auto number = in_summary ? first_whole(what) : std::nullopt;
          number && *number >= 1 && static_cast<std::size_t>(*number) <= block.lines.size()) {
        line = block.lines[static_cast<std::size_t>(*number) - 1].number;
        what = what.substr(what.find(": ") + 2);
      }
      throw Refusal(line, std::string(what));
    }
    piece.truncated = true;
    piece.remark("import_truncated", block.last_line(),
                 "it ends before its Summary: the rows of HPL alone were read");
  }
  pieces.push_back(std::move(piece));
}

}  // namespace steelyard::foreign
