// SPDX-License-Identifier: Apache-2.0
#include "ftio/job.hpp"

#include <algorithm>
#include <iostream>

#include "beff/words.hpp"
#include "errors.hpp"
#include "formats/ftio/figures.hpp"
#include "formats/ftio/text.hpp"
#include "ftio/words.hpp"
#include "measuring/front_end.hpp"
#include "words/checks.hpp"
#include "words/io_options.hpp"

namespace steelyard::cli {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> figure_prefix(const Values& values) {
  if (const auto word = values.word("prefix")) return parse_prefix(*word);
  if (values.word("sweep")) return fs::path("ftio");
  return std::nullopt;
}

/// Files of an earlier run that were kept stay.
void refuse_kept_ftio_files(const fs::path& directory) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored))
    if (entry.path().filename().string().starts_with("ftio.") && entry.is_regular_file(ignored))
      throw Refused("-keep: '" + entry.path().string() + "' exists already");
}

/// Tells at once what makes the result that of something else than a disk.
class Warnings final : public formats::Writer {
 public:
  void run(const record::RunRecord&) override {}
  void point(const record::PointRecord&) override {}
  void event(const record::EventRecord& event) override {
    if (event.code == "cached_read") std::cerr << "steelyard: warning: " << event.text << std::endl;
  }
  void end(const record::EndRecord&) override {}
};

}  // namespace

FtioJob::FtioJob(const Invocation& invocation)
    : invocation_(invocation),
      directory_(existing_directory("-dir", invocation.values.need("dir"))),
      prefix_(figure_prefix(invocation.values)),
      existing_(invocation.values.on("overwrite") ? formats::Existing::overwrite
                                                  : formats::Existing::refuse) {}

FileWishes FtioJob::files() const {
  FileWishes wishes{directory_, {}, "-dir"};
  for (const auto& word : invocation_.values.list("io-hint")) wishes.hints.push_back(parse_label(word));
  return wishes;
}

Prepared FtioJob::prepare(const Place& place) {
  return prepare_ftio(invocation_, place);
}

campaign::RunOptions FtioJob::options(const Prepared&) {
  campaign::RunOptions options = front_end_run(invocation_.values);
  options.look_around = true;  // the environment accompanies every result
  return options;
}

Destinations FtioJob::destinations(const std::optional<campaign::ResumeState>&,
                                   campaign::RunOptions& options) {
  if (prefix_) formats::check_ftio_figures(*prefix_, existing_);
  if (invocation_.values.on("keep")) refuse_kept_ftio_files(directory_);
  Destinations to = front_end_destinations(invocation_.values, options);
  to.texts.push_back(formats::ftio_text(std::cout));
  if (!invocation_.values.on("quiet")) to.texts.push_back(std::make_unique<Warnings>());
  auto keeper = std::make_unique<RunKeeper>();
  kept_ = keeper.get();
  to.texts.push_back(std::move(keeper));
  return to;
}

void FtioJob::finished(const campaign::RunResult&, const Destinations&) {
  if (!prefix_) return;
  const bool any = std::ranges::any_of(kept_->points(), analysis::ftio_has_result);
  if (!any) {
    std::cerr << "steelyard: nothing was measured, no figures are written" << std::endl;
    return;
  }
  const analysis::FtioRuns runs(kept_->points());
  formats::write_ftio_figures(*prefix_, formats::ftio_figures(runs, prefix_->filename().string()), existing_);
}

}  // namespace steelyard::cli
