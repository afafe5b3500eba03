// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "beff/job.hpp"
#include "formats/named_files.hpp"
#include "measuring/measuring.hpp"

namespace steelyard::cli {

/// The seed front-end b-eff-io: the prescribed experiment, four files at its end, records only with --out.
class BeffioJob final : public Job {
 public:
  /// Throws UsageError for words that name no files, Refused where there is no such directory.
  explicit BeffioJob(const Invocation& invocation);

  [[nodiscard]] const Invocation& invocation() const override { return invocation_; }
  [[nodiscard]] FileWishes files() const override { return {directory_, {}, "-p"}; }
  [[nodiscard]] Prepared prepare(const Place& place) override;
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>& resume,
                                          campaign::RunOptions& options) override;
  /// Last line on standard output, then the files. Throws record::WriteError.
  void finished(const campaign::RunResult& result, const Destinations& to) override;

 private:
  const Invocation& invocation_;
  std::filesystem::path directory_, prefix_;
  formats::Existing existing_;
  const RunKeeper* kept_ = nullptr;  // one of the destinations' texts
};

}  // namespace steelyard::cli
