// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "campaign/resume.hpp"
#include "campaign/runner.hpp"
#include "record/file.hpp"
#include "record/json.hpp"
#include "suites/suite.hpp"

/// Campaigns of one experiment, one after the other into the same text.
namespace steelyard::campaign::test {

/// What a result text holds.
struct Told {
  record::RunRecord head;
  std::vector<record::PointRecord> points;  // the last of each key
  std::vector<record::SummaryRecord> summaries;
  std::vector<record::EventRecord> events;
  record::EndRecord end;
  std::vector<std::string> types_at_the_end;  // of the last two records
};

class Reading {
 public:
  explicit Reading(Told& told) : told_(told) {}
  void operator()(const record::RunRecord& run) { told_.head = run; }
  void operator()(const record::PointRecord& point) {
    const auto [place, is_new] = position_.try_emplace(point.key, told_.points.size());
    if (is_new)
      told_.points.push_back(point);
    else
      told_.points[place->second] = point;
  }
  void operator()(const record::TableRecord&) {}
  void operator()(const record::SummaryRecord& summary) { told_.summaries.push_back(summary); }
  void operator()(const record::EventRecord& event) { told_.events.push_back(event); }
  void operator()(const record::EndRecord& end) { told_.end = end; }

 private:
  Told& told_;
  std::map<std::string, std::size_t> position_;
};

inline Told told_by(const std::string& text) {
  constexpr const char* names[] = {"run", "point", "table", "summary", "event", "end"};
  Told told;
  Reading reading(told);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto record = record::from_line(line);
    if (!record) continue;
    std::visit(reading, record->body);
    told.types_at_the_end.emplace_back(names[record->body.index()]);
    if (told.types_at_the_end.size() > 2) told.types_at_the_end.erase(told.types_at_the_end.begin());
  }
  return told;
}

/// State of a run that has told this of the plan.
inline ResumeState state_to_resume(const Told& told, const Plan& plan) {
  record::Run run;
  run.points = told.points;
  const auto whole = experiments(plan);
  ResumeState state;
  state.run = "resumed";
  state.session = 2;
  state.keep = kept_keys(run, {}, whole);
  state.kept = kept_counts(run, {}, whole);
  state.points = run.points;
  return state;
}

/// Configuration in the head of a run of this suite alone.
inline record::Document config_of(const suites::Suite& suite) {
  record::Json members = record::Json::object();
  for (const auto& [name, value] : suite.configuration())
    std::visit([&, name = name](const auto& held) { members[name] = held; }, value);
  return record::Json{{std::string(suite.name()), members}};
}

inline record::Writer writer_to(std::ostream& text, const std::optional<ResumeState>& resume) {
  return {text, resume ? resume->run : record::make_run_id(), resume ? resume->session : 1,
          resume ? resume->next_seq : 0};
}

}  // namespace steelyard::campaign::test
