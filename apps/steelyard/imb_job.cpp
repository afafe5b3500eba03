// SPDX-License-Identifier: Apache-2.0
#include "imb_job.hpp"

#include <iostream>

#include "errors.hpp"
#include "formats/imb_text.hpp"
#include "imb_dump.hpp"
#include "talk.hpp"

namespace steelyard::cli {

mpi::ThreadLevel ImbJob::threads() const {
  const std::string word = invocation_.values.need("thread_level");
  if (word == "funneled") return mpi::ThreadLevel::funneled;
  if (word == "serialized") return mpi::ThreadLevel::serialized;
  return word == "multiple" ? mpi::ThreadLevel::multiple : mpi::ThreadLevel::single;
}

Prepared ImbJob::prepare(const Place& place) {
  Prepared prepared = prepare_imb_mpi1(invocation_, place);
  show_tail_ = prepared.suites.imb.show_tail;
  check_ = prepared.suites.imb.check;
  return prepared;
}

campaign::RunOptions ImbJob::options(const Prepared&) {
  const bool records = invocation_.values.word("out").has_value();
  campaign::RunOptions options;
  options.schedule = campaign::ScheduleKind::suite;
  options.samples = records ? measure::SamplesKept::thin : measure::SamplesKept::none;
  options.verify = check_;
  options.classic_only = true;
  options.measure_noise = false;
  options.deadline_unix_s = deadline_of(invocation_.values);
  return options;
}

Destinations ImbJob::destinations(const std::optional<campaign::ResumeState>&,
                                  campaign::RunOptions& options) {
  using Mode = record::Writer::Mode;
  const Values& values = invocation_.values;
  Destinations to;
  if (const auto out = values.word("out")) {
    to.file = std::make_unique<record::Writer>(*out, Mode::create, record::make_run_id(), 1, 0);
    options.stop_file = std::filesystem::path(*out) / "STOP";
  }
  formats::ImbTextOptions text;
  text.show_tail = show_tail_;
  to.texts.push_back(formats::imb_text(std::cout, text));
  if (const auto file = values.word("dumpfile")) to.texts.push_back(imb_dump(*file));
  to.progress = make_progress(values, under_launcher());
  return to;
}

}  // namespace steelyard::cli
