// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "beff/job.hpp"
#include "formats/named_files.hpp"
#include "measuring/measuring.hpp"

namespace steelyard::cli {

/// The seed front-end ftio: its report on standard output, figures where they are asked for, records only
/// with --out.
class FtioJob final : public Job {
 public:
  /// Throws Refused where there is no such directory.
  explicit FtioJob(const Invocation& invocation);

  [[nodiscard]] const Invocation& invocation() const override { return invocation_; }
  [[nodiscard]] FileWishes files() const override;
  [[nodiscard]] Prepared prepare(const Place& place) override;
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>& resume,
                                          campaign::RunOptions& options) override;
  /// The figures. Throws record::WriteError.
  void finished(const campaign::RunResult& result, const Destinations& to) override;

 private:
  const Invocation& invocation_;
  std::filesystem::path directory_;
  std::optional<std::filesystem::path> prefix_;  // of figures
  formats::Existing existing_;
  const RunKeeper* kept_ = nullptr;  // one of the destinations' texts
};

}  // namespace steelyard::cli
