// SPDX-License-Identifier: Apache-2.0
#include "beff_job.hpp"

#include <iostream>

#include "beff_report.hpp"
#include "beff_words.hpp"
#include "talk.hpp"

namespace steelyard::cli {

BeffJob::BeffJob(const Invocation& invocation)
    : invocation_(invocation),
      prefix_(beff_prefix(invocation.values)),
      existing_(invocation.values.on("overwrite") ? formats::Existing::overwrite
                                                  : formats::Existing::refuse) {}

Prepared BeffJob::prepare(const Place& place) {
  return prepare_beff(invocation_, place);
}

campaign::RunOptions BeffJob::options(const Prepared& prepared) {
  campaign::RunOptions options;
  options.schedule = campaign::ScheduleKind::suite;
  options.samples = invocation_.values.word("out") ? measure::SamplesKept::thin : measure::SamplesKept::none;
  options.classic_only = true;
  options.measure_noise = false;
  options.seed = prepared.options.seed;
  options.deadline_unix_s = deadline_of(invocation_.values);
  return options;
}

Destinations BeffJob::destinations(const std::optional<campaign::ResumeState>&,
                                   campaign::RunOptions& options) {
  using Mode = record::Writer::Mode;
  const Values& values = invocation_.values;
  formats::check_beff_files(prefix_, existing_);
  Destinations to;
  if (const auto out = values.word("out")) {
    to.file = std::make_unique<record::Writer>(*out, Mode::create, record::make_run_id(), 1, 0);
    options.stop_file = std::filesystem::path(*out) / "STOP";
  }
  auto keeper = std::make_unique<RunKeeper>();
  kept_ = keeper.get();
  to.texts.push_back(std::move(keeper));
  to.progress = make_progress(values, under_launcher());
  return to;
}

void BeffJob::finished(const campaign::RunResult&, const Destinations&) {
  if (kept_->points().empty()) {
    std::cerr << "steelyard: nothing was measured, no files are written" << std::endl;
    return;
  }
  const auto files = beff_report(kept_->head(), kept_->points(), kept_->end(), prefix_);
  std::cerr << files.last_line << std::endl;
  formats::write_beff_files(prefix_, files, existing_);
}

}  // namespace steelyard::cli
