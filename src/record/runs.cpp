// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "record/file.hpp"

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
    run_.tables = std::move(tables_).records();
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
