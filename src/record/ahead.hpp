// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "record/element.hpp"
#include "record/records.hpp"
#include "record/walk.hpp"

/// Lines of a file made into records by several threads. Internal to this folder.
namespace steelyard::record::detail {

/// What a line says.
struct Understood {
  std::optional<Record> record;  // none: of a type that this version does not know, or a fault
  std::string broken;            // fault of a line that is no complete JSON
  std::string wrong;             // fault of a whole line: nothing behind it is to be read
  [[nodiscard]] bool is_record() const { return record && broken.empty() && wrong.empty(); }
};

/// Some lines that follow one another, and what they say. Its memory serves batch after batch, that of records too, which
/// end where their successors are made: memory is best given back by the thread that asked for it.
class Batch {
 public:
  struct Line {
    std::size_t begin = 0, size = 0;
    std::int64_t number = 0;  // in the file
    bool passed_over = false;
    Understood said = {};
    std::string text = {};  // made of the record
  };

  void clear();
  void add(std::string_view line, std::int64_t number);
  /// Adds a line of which only that it is there counts.
  void pass_over();
  [[nodiscard]] bool is_full() const;
  /// Makes the records, and of each a text if there is a maker.
  void understand(Elements& elements, const TextMaker& maker);
  /// The lines after understand(); throws what stopped that.
  [[nodiscard]] std::span<Line> lines();

 private:
  Line& next_line();

  std::string text_;
  std::vector<Line> lines_;  // so many of which are of this batch:
  std::size_t count_ = 0;
  std::exception_ptr failure_;
};

/// Batches that are understood by threads of their own ahead of the one that takes them, in the order in which they were
/// given. That one understands a batch too where it would have to wait. For one thread to give and take.
class Ahead {
 public:
  /// `maker`, which may be empty, is referred to.
  explicit Ahead(const TextMaker& maker) : maker_(maker) {}
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;
  ~Ahead();

  /// Whether another batch may be given before one is taken: what is ahead lies in memory.
  [[nodiscard]] bool has_room() const { return batches_.size() < 2 * threads_.size() + 1; }
  [[nodiscard]] bool is_empty() const { return batches_.empty(); }
  /// A batch without lines, for give().
  [[nodiscard]] std::unique_ptr<Batch> empty_batch();
  void give(std::unique_ptr<Batch> batch);
  /// The first that was given, which lives until the next call. Requires one.
  [[nodiscard]] Batch& take();

 private:
  enum class State : std::uint8_t { waiting, begun, done };
  struct Entry {
    std::unique_ptr<Batch> batch;
    State state = State::waiting;
  };

  void start_threads();
  void work();
  /// The first batch that waits, which is begun then; nullptr if there is none.
  Entry* begin_next();
  void finish(Entry& entry, Elements& elements, std::unique_lock<std::mutex>& lock);

  const TextMaker& maker_;
  std::mutex mutex_;
  std::condition_variable given_, done_;
  std::deque<Entry> batches_;  // that only the taker adds and removes
  std::vector<std::unique_ptr<Batch>> used_;
  std::unique_ptr<Batch> taken_;
  bool ends_ = false;
  std::size_t given_until_now_ = 0;
  Elements own_;
  std::vector<std::thread> threads_;
};

}  // namespace steelyard::record::detail
