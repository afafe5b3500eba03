// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>
#include <system_error>
#include <unordered_map>

#include "record/chosen.hpp"
#include "record/conversion.hpp"
#include "record/file.hpp"
#include "record/members.hpp"
#include "record/source.hpp"
#include "record/unfinished.hpp"
#include "record/walk.hpp"
#include "record/whereabouts.hpp"

namespace steelyard::record {
namespace detail {
namespace {

/// Numbers that come more than once, in ascending order. Which may come again is looked for first: to sort all of very
/// many takes longer.
std::vector<std::uint64_t> repeated(std::vector<std::uint64_t> numbers) {
  constexpr std::size_t places_each = 8;
  const std::size_t places = std::bit_ceil(places_each * numbers.size() + 1);
  std::vector<bool> taken(places), shared(places);
  for (const std::uint64_t number : numbers) {
    const std::size_t place = number % places;
    if (taken[place]) shared[place] = true;
    taken[place] = true;
  }
  std::erase_if(numbers, [&](std::uint64_t number) { return !shared[number % places]; });
  std::ranges::sort(numbers);
  auto kept = numbers.begin();
  for (auto at = numbers.begin(); (at = std::adjacent_find(at, numbers.end())) != numbers.end();) {
    const std::uint64_t twice = *at;
    at = std::upper_bound(at, numbers.end(), twice);
    *kept++ = twice;
  }
  numbers.erase(kept, numbers.end());
  return numbers;
}

}  // namespace

/// Result of a first walk through a file without making records of its points: its runs, and the keys that may repeat.
class Overlook {
 public:
  struct Found {
    Run run;  // id, heads and end
    bool has_head = false;
    std::int64_t last_seq = 0;
  };

  explicit Overlook(const std::filesystem::path& input) {
    const auto take_point = [this](std::string_view line) { return is_point(line); };
    scan(input, take_point, [this](Record&& record) {
      Found& found = of(record.envelope.run, record.envelope.seq);
      if (auto* end = std::get_if<EndRecord>(&record.body)) found.run.end = std::move(*end);
      auto* head = std::get_if<RunRecord>(&record.body);
      if (head == nullptr) return;
      begin_session(found.run, std::move(*head), record.envelope.session);
      found.run.end.reset();
      found.has_head = true;
    });
    keys_ = repeated(std::move(keys_));
  }

  /// False if runs are interleaved, or a key has letters that may be spelled in several ways.
  [[nodiscard]] bool is_plain() const { return plain_; }
  [[nodiscard]] const std::vector<Found>& runs() const { return runs_; }
  [[nodiscard]] const Found* find(std::string_view id) const {
    const auto found = std::ranges::find_if(runs_, [id](const Found& one) { return one.run.id == id; });
    return found == runs_.end() ? nullptr : &*found;
  }
  [[nodiscard]] bool any_repeats() const { return !keys_.empty(); }
  [[nodiscard]] bool may_repeat(const Record& record, const PointRecord& point) const {
    return any_repeats() && std::ranges::binary_search(keys_, mixed(record.envelope.run, point.key));
  }

 private:
  static std::uint64_t mixed(std::string_view run, std::string_view key) {
    const std::hash<std::string_view> hash;
    return hash(run) * 31 + hash(key);
  }

  Found& of(std::string_view run, std::int64_t seq) {
    if (runs_.empty() || runs_.back().run.id != run) {
      if (find(run) != nullptr) plain_ = false;
      runs_.emplace_back().run.id = run;
    }
    runs_.back().last_seq = std::max(runs_.back().last_seq, seq);
    return runs_.back();
  }

  /// Members of a line that tell which point it is.
  struct Names {
    std::string_view type, run, seq, key;

    void note(std::string_view name, std::string_view value) {
      if (name == "type") type = value;
      if (name == "run") run = value;
      if (name == "seq") seq = value;
      if (name == "key") key = value;
    }
    [[nodiscard]] bool are_of_point() const { return type == "\"point\""; }
  };

  /// Names of a line if it is whole.
  std::optional<Names> names_of(std::string_view line) {
    Names names;
    const auto note = [&names](std::string_view name, const ScannedLine::Value& value) {
      names.note(name, value.text);
      return true;
    };
    if (!line_.scan(line) || !line_.each_member(line_.whole(), note)) return std::nullopt;
    return names;
  }

  /// True for a point; other lines are left to the reader. One that is damaged behind its names only counts as one of
  /// which there may be another.
  bool is_point(std::string_view line) {
    if (const auto begins = beginning_of_point(line)) return note(begins->run, begins->seq, begins->key);
    const auto names = names_of(line);
    if (!names || !names->are_of_point()) return false;
    const auto run = plain_text(names->run), key = plain_text(names->key);
    std::int64_t number = 0;
    const char* const end = names->seq.data() + names->seq.size();
    const bool counted = std::from_chars(names->seq.data(), end, number).ec == std::errc();
    if (!run || !key || !counted) return plain_ = false;
    return note(*run, number, *key);
  }

  bool note(std::string_view run, std::int64_t seq, std::string_view key) {
    of(run, seq);
    keys_.push_back(mixed(run, key));
    return true;
  }

  ScannedLine line_;
  std::vector<Found> runs_;
  std::vector<std::uint64_t> keys_;  // of all points, then of those that may repeat
  bool plain_ = true;
};

}  // namespace detail

namespace {

using detail::Overlook;
using Chosen = std::vector<std::string>;

Chosen chosen_runs(const std::vector<Overlook::Found>& runs, const RunChoice& choice) {
  using Kind = RunChoice::Kind;
  if (choice.kind == Kind::first) return {runs.front().run.id};
  if (choice.kind == Kind::last) return {runs.back().run.id};
  if (choice.kind == Kind::id) return {choice.id};
  const std::string& series = runs.back().run.head.series;
  if (choice.kind == Kind::series && series.empty()) return {runs.back().run.id};
  Chosen ids;
  for (const auto& found : runs)
    if (choice.kind == Kind::all || found.run.head.series == series) ids.push_back(found.run.id);
  return ids;
}

/// Walk that hands over runs and their points one by one. Records of a key that comes several times are kept, and handed
/// over at its first place.
class OneByOne {
 public:
  OneByOne(const std::filesystem::path& input, const Overlook& overlook, RunChoice choice,
           const RunTaker& taker)
      : input_(input), overlook_(overlook), choice_(std::move(choice)), taker_(taker) {
    if (overlook.runs().size() == 1) choice_.kind = RunChoice::Kind::all;  // spares another walk
  }

  /// Returns the counts of the last scan, which alone makes records of points: a line may be damaged within a value.
  FileContent scan_all() {
    if (overlook_.any_repeats()) scan(input_, choice_, [this](Record&& record) { keep(std::move(record)); });
    const TextMaker make = [this](const Record& record, std::string& text) { make_text(record, text); };
    return scan(input_, choice_, taker_.make ? make : TextMaker(),
                [this](Record&& record, std::string_view text) { hand_over(record, text); });
  }

 private:
  static std::string identity(const Record& record, const PointRecord& point) {
    return record.envelope.run + '\n' + point.key;
  }

  void keep(Record&& record) {
    const auto* point = std::get_if<PointRecord>(&record.body);
    if (point == nullptr || !overlook_.may_repeat(record, *point)) return;
    std::string name = identity(record, *point);
    kept_.insert_or_assign(std::move(name), std::move(record));
  }

  void make_text(const Record& record, std::string& text) const {
    const auto* point = std::get_if<PointRecord>(&record.body);
    const auto* found = point == nullptr ? nullptr : overlook_.find(record.envelope.run);
    if (found != nullptr) taker_.make(found->run.head, record.envelope, *point, text);
  }

  /// Passes over what another process has written since the overlook.
  void hand_over(const Record& record, std::string_view text) {
    if (run_ == nullptr || run_->id != record.envelope.run) {
      const auto* found = overlook_.find(record.envelope.run);
      if (found == nullptr) return;
      run_ = &found->run;
      last_seq_ = found->last_seq;
      taker_.run(*run_);
    }
    if (record.envelope.seq > last_seq_) return;
    const auto* point = std::get_if<PointRecord>(&record.body);
    if (point == nullptr) return;
    if (!overlook_.may_repeat(record, *point))
      return taker_.make ? taker_.text(text) : taker_.point(run_->head, record.envelope, *point);
    const auto kept = kept_.extract(identity(record, *point));
    if (!kept.empty())
      taker_.take(run_->head, kept.mapped().envelope, std::get<PointRecord>(kept.mapped().body));
  }

  const std::filesystem::path& input_;
  const Overlook& overlook_;
  RunChoice choice_;
  const RunTaker& taker_;
  const Run* run_ = nullptr;   // that is walked through
  std::int64_t last_seq_ = 0;  // of that run
  std::unordered_map<std::string, Record> kept_;
};

bool have_heads(const Overlook& overlook, const Chosen& chosen) {
  return std::ranges::all_of(chosen, [&](const std::string& id) {
    const auto* found = overlook.find(id);
    return found != nullptr && found->has_head;
  });
}

/// Overlook of a file; nullptr if its runs cannot be walked through, or a record cannot be read, which may be one of a run
/// that is not chosen.
std::shared_ptr<const Overlook> overlook_of(const std::filesystem::path& input, const RunChoice& choice) try {
  if (!can_be_walked_again(input)) return nullptr;
  auto overlook = std::make_shared<const Overlook>(input);
  const bool plain = overlook->is_plain() && !overlook->runs().empty();
  return plain && have_heads(*overlook, chosen_runs(overlook->runs(), choice)) ? overlook : nullptr;
} catch (const ReadError&) {
  return nullptr;
}

/// Taker of the records of a file that may hold one run alone.
class LoneRun {
 public:
  /// Thrown where the file holds more.
  struct NotAlone {};

  LoneRun(std::filesystem::path file, const RunTaker& taker) : file_(std::move(file)), taker_(taker) {}

  void take(Record&& record) {
    if (run_.id.empty()) return begin(std::move(record));
    if (record.envelope.run != run_.id || std::holds_alternative<RunRecord>(record.body)) throw NotAlone();
    const auto* point = std::get_if<PointRecord>(&record.body);
    if (point == nullptr) return taker_.rest ? taker_.rest(std::move(record)) : void();
    keys_.push_back(std::hash<std::string_view>{}(point->key));
    taker_.point(run_.head, record.envelope, *point);
  }

  /// Whether no key came twice; it may have where this is false. For once.
  [[nodiscard]] bool has_each_key_once() { return detail::repeated(std::move(keys_)).empty(); }

 private:
  void begin(Record&& record) {
    auto* head = std::get_if<RunRecord>(&record.body);
    if (head == nullptr || detail::last_run_of(file_) != record.envelope.run) throw NotAlone();
    run_.id = record.envelope.run;
    begin_session(run_, *head, record.envelope.session);
    taker_.run(run_);
    if (taker_.rest) taker_.rest(std::move(record));
  }

  std::filesystem::path file_;
  const RunTaker& taker_;
  Run run_;
  std::vector<std::uint64_t> keys_;  // their hashes
};

}  // namespace

bool can_be_walked_again(const std::filesystem::path& input) {
  std::error_code ignored;
  return input != "-" && std::filesystem::is_regular_file(detail::file_of(input), ignored) &&
         !detail::has_unfinished(input);
}

RunWalk::RunWalk(std::filesystem::path input, RunChoice choice)
    : input_(std::move(input)), choice_(std::move(choice)), overlook_(overlook_of(input_, choice_)) {}

FileContent RunWalk::hand_over(const RunTaker& taker) const {
  if (overlook_) return OneByOne(input_, *overlook_, choice_, taker).scan_all();
  FileContent counts;
  for (const Run& run : read_runs(input_, choice_, &counts)) {
    taker.run(run);
    for (std::size_t i = 0; i < run.points.size(); ++i) taker.take(run.head, run.envelopes[i], run.points[i]);
  }
  return counts;
}

std::optional<FileContent> walk_lone_run(const std::filesystem::path& input, const RunTaker& taker) try {
  LoneRun run(detail::file_of(input), taker);
  FileContent content = scan(input, [&run](Record&& record) { run.take(std::move(record)); });
  return run.has_each_key_once() ? std::optional(std::move(content)) : std::nullopt;
} catch (const LoneRun::NotAlone&) {
  return std::nullopt;
} catch (const ReadError&) {
  return std::nullopt;
}

FileContent walk_runs(const std::filesystem::path& input, const RunChoice& choice, const RunTaker& taker) {
  return RunWalk(input, choice).hand_over(taker);
}

}  // namespace steelyard::record
