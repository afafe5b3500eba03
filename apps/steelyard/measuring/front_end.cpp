// SPDX-License-Identifier: Apache-2.0
#include "measuring/front_end.hpp"

#include <iostream>

#include "measuring/terminal.hpp"

namespace steelyard::cli {
campaign::RunOptions FrontEndJob::options(const Prepared& prepared) {
  const Values& values = invocation_.values;
  planned_ = prepared.plan.measurable();
  campaign::RunOptions options;
  options.schedule = campaign::ScheduleKind::suite;
  options.seed = prepared.options.seed;
  options.samples = values.word("out") ? measure::SamplesKept::thin : measure::SamplesKept::none;
  options.classic_only = true;
  options.measure_noise = false;
  options.look_around = false;  // without a result file nobody would read it
  options.deadline_unix_s = deadline_of(values, invocation_.from_parent);
  options.tell_points = values.on("verbose");
  return options;
}

Destinations FrontEndJob::destinations(const std::optional<campaign::ResumeState>&,
                                       campaign::RunOptions& options) {
  refuse_existing_files();
  const Values& values = invocation_.values;
  Destinations to;
  if (const auto out = values.word("out")) {
    to.file =
        std::make_unique<record::Writer>(*out, record::Writer::Mode::create, record::make_run_id(), 1, 0);
    options.stop_file = std::filesystem::path(*out) / "STOP";
  }
  to.progress = make_progress(values, talk(invocation_));
  add_texts(to);
  return to;
}

formats::Existing FrontEndJob::existing() const {
  return invocation_.values.on("overwrite") ? formats::Existing::overwrite : formats::Existing::refuse;
}

void FrontEndJob::tell_stop(const campaign::RunResult& result) const {
  const std::string by = stopped_by(result.stop_cause, invocation_.values.said("deadline"));
  if (by.empty()) return;
  const record::Counts& n = result.counts;
  std::string text =
      "stopped after " + std::to_string(n.ok + n.failed) + " of " + std::to_string(planned_) + " points";
  if (n.partial > 0) text += " and parts of " + std::to_string(n.partial);
  std::cerr << text + by + ".\n" << std::flush;  // in one piece: other processes write there too
}

void RunKeeper::event(const record::EventRecord& event) {
  if (event.code == "oversubscribed") std::cerr << "steelyard: warning: " + event.text + '\n';
}

campaign::RunOptions FilesJob::options(const Prepared& prepared) {
  campaign::RunOptions options = FrontEndJob::options(prepared);
  options.look_around = true;
  return options;
}

void FilesJob::add_texts(Destinations& to) {
  auto keeper = std::make_unique<RunKeeper>();
  kept_ = keeper.get();
  to.texts.push_back(std::move(keeper));
}

}  // namespace steelyard::cli
