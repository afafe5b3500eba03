// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "record/chosen.hpp"
#include "record/file.hpp"
#include "record/records.hpp"
#include "record/walk.hpp"
#include "record/whereabouts.hpp"

namespace steelyard::record {
namespace {

/// Records of one kind; those of a later session replace those of the same identity from earlier sessions.
template <class Kind>
class Latest {
 public:
  void take(std::string identity, int session, Kind record) {
    std::erase_if(kept_,
                  [&](const Entry& kept) { return kept.identity == identity && kept.session < session; });
    kept_.push_back({std::move(identity), session, std::move(record)});
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

struct TableOfSession {
  TableRecord table;
  int session = 1;
};

/// Puts tables into a run, joined from their parts and from the rows that a session has added line by line.
void put_joined(std::vector<TableOfSession> parts, Run& run) {
  std::map<std::string, std::size_t, std::less<>> places;
  for (auto& [part, session] : parts) {
    const auto [place, is_new] =
        places.try_emplace(part.suite + "/" + part.name + ";" + part.key, run.tables.size());
    if (!is_new && append_rows(run.tables[place->second], part)) continue;
    place->second = run.tables.size();
    run.tables.push_back(std::move(part));
    run.table_sessions.push_back(session);
  }
}

class Merge {
 public:
  explicit Merge(std::size_t expected_points) {
    run_.points.reserve(expected_points);
    run_.envelopes.reserve(expected_points);
    places_.reserve(expected_points);
  }

  void take(Record&& record) {
    envelope_ = &record.envelope;
    run_.id = record.envelope.run;
    run_.next_seq = std::max(run_.next_seq, record.envelope.seq + 1);
    sessions_.insert(record.envelope.session);
    std::visit([this](auto& body) { take(std::move(body)); }, record.body);
  }

  /// `told`: place and fault of a damaged line of the same input, which the run record may be; empty if there is none.
  [[nodiscard]] Run finish(const std::string& told) && {
    if (!has_head_)
      throw ReadError(told.empty() ? "run " + run_.id + " has no run record"
                                   : told + "; without it run " + run_.id + " has no run record");
    run_.sessions = static_cast<int>(sessions_.size());
    put_joined(std::move(tables_).records(), run_);
    run_.summaries = std::move(summaries_).records();
    return std::move(run_);
  }

 private:
  void take(RunRecord&& head) {
    begin_session(run_, std::move(head), envelope_->session);
    run_.end.reset();
    has_head_ = true;
  }

  void take(PointRecord&& point) {
    const auto hash = std::hash<std::string>()(point.key);
    const auto [begin, end] = places_.equal_range(hash);
    const auto found = std::find_if(
        begin, end, [&](const auto& place) { return run_.points[place.second].key == point.key; });
    if (found != end) {
      run_.points[found->second] = std::move(point);
      run_.envelopes[found->second] = std::move(*envelope_);
      return;
    }
    places_.emplace(hash, run_.points.size());
    run_.points.push_back(std::move(point));
    run_.envelopes.push_back(std::move(*envelope_));
  }

  void take(TableRecord&& table) {
    std::string identity = table.suite + "/" + table.name + ";" + table.key;
    tables_.take(std::move(identity), envelope_->session, {std::move(table), envelope_->session});
  }

  /// The number of processes is no part of the identity: that of b_eff_io is of its best partition, which a
  /// later session may find to be another one.
  void take(SummaryRecord&& summary) {
    std::string identity = summary.suite + "/" + summary.name;
    summaries_.take(std::move(identity), envelope_->session, std::move(summary));
  }

  void take(EventRecord&& event) { run_.events.push_back(std::move(event)); }
  void take(EndRecord&& end) { run_.end = std::move(end); }

  Run run_;
  Envelope* envelope_ = nullptr;  // of the record that is taken
  bool has_head_ = false;
  std::set<int> sessions_;
  std::unordered_multimap<std::size_t, std::size_t>
      places_;  // of points, by the hash of the key that they hold
  Latest<TableOfSession> tables_;
  Latest<SummaryRecord> summaries_;
};

/// Runs of records that are handed over one by one, in order of first appearance.
class Merges {
 public:
  void expect(std::string_view run, std::size_t points) { expected_.emplace(run, points); }
  void take(Record&& record) {
    const auto [found, is_new] = places_.try_emplace(record.envelope.run, merges_.size());
    if (is_new) merges_.emplace_back(expected_[record.envelope.run]);
    merges_[found->second].take(std::move(record));
  }
  [[nodiscard]] std::vector<Run> finish(const std::string& told) && {
    std::vector<Run> list;
    for (Merge& merge : merges_) list.push_back(std::move(merge).finish(told));
    return list;
  }

 private:
  std::vector<Merge> merges_;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::map<std::string, std::size_t, std::less<>> expected_;  // points of a run
};

}  // namespace

std::vector<Run> runs(const FileContent& content) {
  Merges merges;
  for (const Record& record : content.records) merges.take(Record(record));
  return std::move(merges).finish(content.first_damage);
}

std::vector<Run> read_runs(const std::filesystem::path& input, const RunChoice& choice, FileContent* told) {
  Merges merges;
  const auto expect = [&merges](std::string_view run, std::size_t points) { merges.expect(run, points); };
  const auto take = [&merges](Record&& record, auto) { merges.take(std::move(record)); };
  FileContent content = detail::scan_chosen(input, choice, expect, {}, take);
  if (told == nullptr && content.damaged_lines > 0) throw ReadError(content.first_damage);
  auto list = std::move(merges).finish(content.first_damage);
  if (told != nullptr) *told = std::move(content);
  return list;
}

std::optional<Run> read_lone_run(const std::filesystem::path& input, const PointSieve& sieve,
                                 FileContent& told) {
  Merge merge(0);
  const auto take_point = [&](const RunRecord& /*head*/, const Envelope& envelope, const PointRecord& point) {
    if (!sieve(envelope, point)) merge.take({envelope, point});
  };
  auto content = walk_lone_run(input, {.run = [](const Run& /*run*/) {},
                                       .point = take_point,
                                       .rest = [&](Record&& record) { merge.take(std::move(record)); }});
  if (!content) return std::nullopt;
  told = std::move(*content);
  return std::move(merge).finish(told.first_damage);
}

std::vector<Run> last_with_its_launches(std::vector<Run> runs) {
  if (runs.empty()) return runs;
  const std::string series = runs.back().head.series, id = runs.back().id;
  std::erase_if(
      runs, [&](const Run& run) { return run.id != id && (series.empty() || run.head.series != series); });
  return runs;
}

}  // namespace steelyard::record
