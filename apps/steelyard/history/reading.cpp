// SPDX-License-Identifier: Apache-2.0
#include "history/reading.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <mutex>
#include <set>
#include <sstream>

#include "analysis/comparison/imported.hpp"
#include "analysis/parallel.hpp"
#include "history/cache.hpp"
#include "input/foreign_input.hpp"
#include "input/runs.hpp"
#include "input/text_file.hpp"
#include "machine/pages.hpp"
#include "options/toml.hpp"
#include "process/errors.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

const std::vector<std::string> known_words = {"select", "figure", "where", "after", "reason", "until"};

/// Value of a key, a text or a date; empty if the key is missing.
std::string word_of(const toml::table& table, const char* key, const std::string& name) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return {};
  if (const auto text = node->value<std::string>(); text && node->is_string()) return *text;
  std::ostringstream date;
  if (node->is_date())
    date << *node->as_date();
  else if (node->is_date_time())
    date << *node->as_date_time();
  if (!date.str().empty()) return date.str();
  throw UsageError(place_in(name, node->source()) + ": " + key + ": must be a text in quotes" +
                   (std::string(key) == "after" || std::string(key) == "until" ? " or a date" : ""));
}

/// Value of a key that is a date; empty if the key is missing.
std::string date_of(const toml::table& table, const char* key, const std::string& name) {
  std::string date = word_of(table, key, name);
  if (!date.empty() && !units::utc_moment(date))
    throw UsageError(place_in(name, table.get(key)->source()) + ": " + key + ": '" + date +
                     "' is no date such as 2026-05-12");
  return date;
}

history::Known known_of(const toml::table& table, const std::string& name) {
  allow_words(table, known_words, name);
  history::Known known;
  const std::string select = word_of(table, "select", name), figure = word_of(table, "figure", name);
  const std::string place = place_in(name, table.source()) + ": ";
  if (select.empty() == figure.empty()) throw UsageError(place + "needs one of select, figure");
  known.pattern = select.empty() ? figure : select;
  known.after = date_of(table, "after", name);
  if (known.after.empty()) throw UsageError(place + "needs a date: after = 2026-05-12");
  known.until = date_of(table, "until", name);
  known.reason = word_of(table, "reason", name);
  if (known.reason.empty()) throw UsageError(place + "needs a reason");
  try {
    known.where = comparison::RunFilter::parse(word_of(table, "where", name));
  } catch (const comparison::UnknownRunName& unknown) {
    throw UsageError(place + "where: " + unknown.what());
  }
  return known;
}

namespace fs = std::filesystem;
using history::Keys;
using history::RunColumns;

/// Memory in huge pages if the system has them: the first use of a few hundred mebibytes costs a third of the time that
/// the history of a thousand runs takes from its cache. It comes in pieces of 32 MiB and more, which are freed when the
/// object is destroyed. All threads share one object: columns in the same memory move without a copy.
class HugePages final : public std::pmr::memory_resource {
 private:
  /// Source of the pieces. Throws std::bad_alloc.
  class Pieces final : public std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t) override {
      return held_.emplace_back(static_cast<std::int64_t>(bytes)).data();
    }
    void do_deallocate(void*, std::size_t, std::size_t) override {}
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
      return this == &other;
    }
    std::vector<machine::HugeMemory> held_;
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::scoped_lock alone(mutex_);
    return pool_.allocate(bytes, alignment);
  }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::mutex mutex_;
  static constexpr std::size_t piece_byte = std::size_t{32} << 20;
  Pieces pieces_;
  std::pmr::monotonic_buffer_resource pool_{piece_byte, &pieces_};
};

/// Every result.jsonl (.gz) below a folder, by name.
std::vector<std::string> results_below(const std::string& place) {
  std::vector<std::string> files;
  std::set<std::string> seen;  // folders, so that a circle of links ends
  std::vector<fs::path> waiting{place};
  while (!waiting.empty()) {
    const fs::path folder = std::move(waiting.back());
    waiting.pop_back();
    std::error_code error;
    if (!seen.insert(fs::canonical(folder, error).string()).second) continue;
    for (const auto& entry :
         fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, error)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_directory(error))
        waiting.push_back(entry.path());
      else if (name == "result.jsonl" ||
               (name == "result.jsonl.gz" && !fs::exists(folder / "result.jsonl", error)))
        files.push_back(entry.path().string());
    }
  }
  std::ranges::sort(files);
  return files;
}

struct Input {
  std::string file;
  bool named = false;  // by the user, so that it may be a text of another program
};

std::vector<Input> inputs_of(const std::vector<std::string>& places) {
  std::vector<Input> inputs;
  for (const std::string& place : places) {
    if (!fs::exists(place)) throw record::ReadError(place + ": there is no such file or folder");
    if (!fs::is_directory(place)) {
      hold_input(place);
      inputs.push_back({place, true});
      continue;
    }
    for (std::string& file : results_below(place)) inputs.push_back({std::move(file)});
  }
  return inputs;
}

/// State of one thread: its cache, and keys by numbers of its own.
struct Reader {
  HistoryCache cache;
  Keys keys;
};

/// Runs of a text of another program; with --twins under the names of ours that do the same.
std::vector<RunColumns> columns_of_text(const std::string& file, const Values& values,
                                        const history::Followed& followed, Keys& keys) {
  auto runs = foreign_runs(file, description_of(values, file));
  std::vector<record::Run> none;
  if (values.on("twins")) static_cast<void>(comparison::align(runs, none, true));
  std::vector<RunColumns> columns;
  for (const record::Run& run : runs) columns.push_back(history::columns_of(run, file, keys, followed));
  return columns;
}

/// Runs of one input, or the reason why it cannot be read, and the thread that has their keys.
struct ReadInput {
  history::FileColumns found;
  std::string error;
  std::size_t thread = 0;
};

std::vector<ReadInput> read_inputs(const std::vector<Input>& inputs, const Values& values,
                                   const history::Followed& followed,
                                   std::vector<std::unique_ptr<Reader>>& readers) {
  std::vector<ReadInput> read(inputs.size());
  analysis::share_work(inputs.size(), [&](std::size_t i, std::size_t thread) {
    auto& [cache, keys] = *readers[thread];
    const Input& input = inputs[i];
    read[i].thread = thread;
    try {
      if (input.named && is_foreign_file(input.file))
        read[i].found.runs = columns_of_text(input.file, values, followed, keys);
      else
        read[i].found = cache.read(input.file, keys);
    } catch (const record::ReadError& error) {
      read[i].error = error.what();
    }
  });
  return read;
}

/// Numbers in `all` of the keys of a thread, in the order of the thread's numbers.
std::vector<std::uint32_t> numbers_among(const Keys& keys, Keys& all) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t key = 0; key < keys.size(); ++key) numbers.push_back(all.number(keys.text(key)));
  return numbers;
}

/// Refuses a --metric that no point has.
void refuse_absent(const history::Followed& followed, const std::vector<RunColumns>& runs) {
  if (followed.is_primary() ||
      std::ranges::any_of(runs, [](const auto& run) { return !run.columns.empty(); }))
    return;
  std::vector<std::string> known;
  for (const auto& one : record::metric_names()) known.emplace_back(one.name);
  const auto near = units::nearest(followed.metric, known);
  throw UsageError("--metric: no point of these runs has '" + followed.metric + '\'',
                   near && *near != followed.metric ? "did you mean " + *near + '?' : "");
}

}  // namespace

std::vector<history::Known> parse_known(std::string_view text, const std::string& name) {
  const toml::table root = parse_toml(text, name);
  std::vector<history::Known> list;
  for (const auto& [key, node] : root) {
    const toml::array* tables = node.as_array();
    if (key.str() != "known" || tables == nullptr)
      throw UsageError(place_in(name, key.source()) + ": [[known]] is expected");
    for (const toml::node& one : *tables) {
      if (!one.is_table()) throw UsageError(place_in(name, one.source()) + ": [[known]] is expected");
      list.push_back(known_of(*one.as_table(), name));
    }
  }
  return list;
}

ReadRuns read_history(const std::vector<std::string>& places, const Values& values) {
  const auto inputs = inputs_of(places);
  if (inputs.empty()) throw UsageError("no result.jsonl lies below " + places.front());
  const auto directory = values.on("no-cache") ? fs::path() : history_cache_place(values.word("cache"));
  const auto followed = history::Followed::of(values.word_or("metric", ""));
  std::vector<std::unique_ptr<Reader>> readers;
  ReadRuns all;
  all.memory = std::make_unique<HugePages>();
  for (std::size_t i = 0; i < analysis::threads_for(inputs.size()); ++i)
    readers.push_back(std::make_unique<Reader>(
        Reader{HistoryCache(directory, values.on("verify-cache"), followed, all.memory.get()), {}}));
  auto read = read_inputs(inputs, values, followed, readers);

  all.files = inputs.size();
  std::vector<std::vector<std::uint32_t>> numbers;
  std::set<std::string> notes;
  for (const auto& reader : readers) {
    numbers.push_back(numbers_among(reader->keys, all.keys));
    notes.insert(reader->cache.notes().begin(), reader->cache.notes().end());
  }
  analysis::share_work(read.size(), [&](std::size_t i, std::size_t) {
    for (RunColumns& run : read[i].found.runs)
      for (history::Column& column : run.columns)
        column.key = numbers[read[i].thread][column.key] % history::most_keys;
  });
  for (std::size_t i = 0; i < read.size(); ++i) {
    ReadInput& one = read[i];
    if (!one.error.empty()) {
      ++all.unreadable;
      std::cerr << "steelyard: warning: " << one.error << "; left out\n";
    }
    if (one.found.told.damaged_lines > 0) ++all.damaged;
    tell_of_lost_lines(inputs[i].file, one.found.told);
    std::ranges::move(one.found.runs, std::back_inserter(all.runs));
  }
  refuse_absent(followed, all.runs);
  for (const std::string& note : notes) std::cerr << "steelyard: note: " << note << '\n';
  return all;
}

}  // namespace steelyard::cli
