// SPDX-License-Identifier: Apache-2.0
#include "beffio/job.hpp"

#include <algorithm>
#include <iostream>

#include "beff/words.hpp"
#include "beffio/report.hpp"
#include "beffio/words.hpp"
#include "errors.hpp"
#include "measuring/front_end.hpp"
#include "suites/beffio/definition.hpp"
#include "words/io_options.hpp"

namespace steelyard::cli {
namespace {

namespace fs = std::filesystem;

/// Kept files have the names of the published release; those of an earlier run stay.
void refuse_kept_files(const fs::path& directory) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored))
    if (entry.path().filename().string().starts_with("b_eff_io_data_"))
      throw Refused("-keep: '" + entry.path().string() + "' exists already");
}

/// Why the exit code is 1: how many patterns have no value, and what the first of them met.
void tell_failures(std::span<const record::PointRecord> points) {
  const auto failed = [](const record::PointRecord& point) {
    return point.status == record::Status::failed || point.verified == false;
  };
  const auto first = std::ranges::find_if(points, failed);
  if (first == points.end()) return;
  const auto [access, pattern] = beffio::recorded_spec(first->params);
  std::cerr << "steelyard: " << std::ranges::count_if(points, failed) << " of " << points.size()
            << " patterns failed, first pattern " << pattern << ", " << text(access) << " on "
            << first->processes << " processes: "
            << (first->verified == false ? "wrong data"
                : first->reason          ? first->reason->text
                                         : "no reason is known")
            << std::endl;
}

}  // namespace

BeffioJob::BeffioJob(const Invocation& invocation)
    : invocation_(invocation),
      directory_(existing_directory("-p", invocation.values.need("directory"))),
      prefix_(parse_prefix(invocation.values.need("prefix"))),
      existing_(invocation.values.on("overwrite") ? formats::Existing::overwrite
                                                  : formats::Existing::refuse) {}

Prepared BeffioJob::prepare(const Place& place) {
  return prepare_beffio(invocation_, place);
}

campaign::RunOptions BeffioJob::options(const Prepared&) {
  campaign::RunOptions options = front_end_run(invocation_.values);
  options.look_around = true;
  return options;
}

Destinations BeffioJob::destinations(const std::optional<campaign::ResumeState>&,
                                     campaign::RunOptions& options) {
  formats::check_beffio_files(prefix_, existing_);
  if (invocation_.values.on("keep")) refuse_kept_files(directory_);
  Destinations to = front_end_destinations(invocation_.values, options);
  auto keeper = std::make_unique<RunKeeper>();
  kept_ = keeper.get();
  to.texts.push_back(std::move(keeper));
  return to;
}

void BeffioJob::finished(const campaign::RunResult&, const Destinations&) {
  if (kept_->points().empty()) {
    std::cerr << "steelyard: nothing was measured, no files are written" << std::endl;
    return;
  }
  const auto files = beffio_report(kept_->head(), kept_->points(), kept_->end(), prefix_);
  std::cout << files.last_line << std::endl;
  formats::write_beffio_files(prefix_, files, existing_);
  tell_failures(kept_->points());
}

}  // namespace steelyard::cli
