// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "record/file.hpp"

namespace steelyard::record {

/// As to_line(), at the end of a text.
void append_line(std::string& text, const Record& record);

/// Scans the records of the chosen runs with a text that `maker` makes of each ahead of the consumer, in several threads at
/// once; empty texts without a maker.
using TextMaker = std::function<void(const Record& record, std::string& text)>;
using TextConsumer = std::function<void(Record&& record, std::string_view text)>;
FileContent scan(const std::filesystem::path& input, const RunChoice& choice, const TextMaker& maker,
                 const TextConsumer& consumer);

/// Taker of points, one at a time.
using PointConsumer =
    std::function<void(const RunRecord& head, const Envelope& envelope, const PointRecord& point)>;
/// Maker of a text of a point.
using PointText = std::function<void(const RunRecord& head, const Envelope& envelope,
                                     const PointRecord& point, std::string& text)>;
/// Taker of runs and their points, one at a time; with a maker it takes the texts of the points instead.
struct RunTaker {
  /// A run begins: id, head, end and where it ran are those of the whole run, the rest is not told.
  std::function<void(const Run& run)> run;
  /// A point of that run.
  PointConsumer point;
  PointText make = {};  // called ahead of the others, by several threads at once
  std::function<void(std::string_view text)> text = {};
  std::function<void(Record&& record)> rest = {};  // every other record, by walk_lone_run alone

  void take(const RunRecord& head, const Envelope& envelope, const PointRecord& of) const {
    if (!make) return point(head, envelope, of);
    std::string made;
    make(head, envelope, of, made);
    text(made);
  }
};

/// Hands over the chosen runs and each point of them as read_runs gives them and in its order. Memory: for a file
/// 8 byte a point, and the records of keys that come several times, as in a resumed run; for standard input and
/// for files whose runs are interleaved, everything. The returned content has the counts and no records. Throws
/// ReadError, and what the taker throws.
FileContent walk_runs(const std::filesystem::path& input, const RunChoice& choice, const RunTaker& taker);

/// Hands over the run of a file that holds this one alone, of one session and with each key once, without a look at the
/// file before. Returns nullopt for other files, of which nothing counts that was handed over, for compressed ones and
/// for those that cannot be read: they take the way above.
[[nodiscard]] std::optional<FileContent> walk_lone_run(const std::filesystem::path& input,
                                                       const RunTaker& taker);

/// Taker of points, which returns true of one that need not be kept.
using PointSieve = std::function<bool(const Envelope& envelope, const PointRecord& point)>;
/// As read_runs of such a file, without the points that the sieve takes, which it sees in their order. Returns nullopt as
/// walk_lone_run does; then nothing counts that it has seen.
[[nodiscard]] std::optional<Run> read_lone_run(const std::filesystem::path& input, const PointSieve& sieve,
                                               FileContent& told);

namespace detail {
class Overlook;
}
/// The same in two steps, of which the first, a look at the whole file, can be done for several files at once.
class RunWalk {
 public:
  RunWalk(std::filesystem::path input, RunChoice choice);
  FileContent hand_over(const RunTaker& taker) const;

 private:
  std::filesystem::path input_;
  RunChoice choice_;
  std::shared_ptr<const detail::Overlook> overlook_;  // nullptr: the records have to be kept
};

/// False for standard input, pipes and results with points of a killed session, of which walk_runs keeps everything.
[[nodiscard]] bool can_be_walked_again(const std::filesystem::path& input);

}  // namespace steelyard::record
