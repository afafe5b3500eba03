// SPDX-License-Identifier: Apache-2.0
#include "measuring/front_end.hpp"

#include "measuring/talk.hpp"

namespace steelyard::cli {

campaign::RunOptions front_end_run(const Values& values) {
  campaign::RunOptions options;
  options.schedule = campaign::ScheduleKind::suite;
  options.samples = values.word("out") ? measure::SamplesKept::thin : measure::SamplesKept::none;
  options.classic_only = true;
  options.measure_noise = false;
  options.look_around = false;  // without a result file nobody would read it
  options.deadline_unix_s = deadline_of(values);
  return options;
}

Destinations front_end_destinations(const Values& values, campaign::RunOptions& options) {
  Destinations to;
  if (const auto out = values.word("out")) {
    to.file =
        std::make_unique<record::Writer>(*out, record::Writer::Mode::create, record::make_run_id(), 1, 0);
    options.stop_file = std::filesystem::path(*out) / "STOP";
  }
  to.progress = make_progress(values, under_launcher());
  return to;
}

}  // namespace steelyard::cli
