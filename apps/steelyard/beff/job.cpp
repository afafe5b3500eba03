// SPDX-License-Identifier: Apache-2.0
#include "beff/job.hpp"

#include <iostream>

#include "beff/report.hpp"
#include "beff/words.hpp"
#include "measuring/front_end.hpp"

namespace steelyard::cli {

void RunKeeper::event(const record::EventRecord& event) {
  if (event.code == "oversubscribed") std::cerr << "steelyard: warning: " << event.text << std::endl;
}

BeffJob::BeffJob(const Invocation& invocation)
    : invocation_(invocation),
      prefix_(beff_prefix(invocation.values)),
      existing_(invocation.values.on("overwrite") ? formats::Existing::overwrite
                                                  : formats::Existing::refuse) {}

Prepared BeffJob::prepare(const Place& place) {
  return prepare_beff(invocation_, place);
}

campaign::RunOptions BeffJob::options(const Prepared& prepared) {
  campaign::RunOptions options = front_end_run(invocation_.values);
  options.seed = prepared.options.seed;
  options.look_around = true;
  return options;
}

Destinations BeffJob::destinations(const std::optional<campaign::ResumeState>&,
                                   campaign::RunOptions& options) {
  formats::check_beff_files(prefix_, existing_);
  Destinations to = front_end_destinations(invocation_.values, options);
  auto keeper = std::make_unique<RunKeeper>();
  kept_ = keeper.get();
  to.texts.push_back(std::move(keeper));
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
