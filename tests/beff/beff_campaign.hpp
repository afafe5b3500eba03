// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "campaign/runner.hpp"
#include "record/file.hpp"
#include "suites/beff/settings.hpp"
#include "tests/campaign/one_text.hpp"

/// Runs of b_eff with tiny lengths, as the tests look at them.
namespace steelyard::beff::test {

/// Rings, one polygon and the ping-pong, two repetitions, lengths up to 16 KiB, shortest loops.
[[nodiscard]] Settings tiny();

using campaign::test::Told;

/// The record as it stands in a file, without its place there.
[[nodiscard]] std::string line_of(const record::SummaryRecord& summary);

/// One campaign after the other into the same text. Collective over the world.
class Campaign {
 public:
  Campaign(const Settings& settings, const mpi::Communicator& world, std::int64_t memory_byte = 0);

  [[nodiscard]] campaign::RunResult run(const std::optional<campaign::ResumeState>& resume = std::nullopt);
  [[nodiscard]] Settings& settings() { return settings_; }
  [[nodiscard]] campaign::RunOptions& options() { return options_; }
  /// A stop file of this name appears in a later repetition; empty: no more.
  void stop_after_first_repetition(const std::filesystem::path& stop_file);
  void stop_after_s(std::optional<double> seconds) { stop_after_s_ = seconds; }

  /// On rank 0.
  [[nodiscard]] Told told() const { return campaign::test::told_by(text_.str()); }
  [[nodiscard]] campaign::ResumeState state_to_resume(const Told& told) const;

 private:
  [[nodiscard]] campaign::Plan plan(const suites::Suite& suite) const;

  Settings settings_;
  const mpi::Communicator& world_;
  std::int64_t memory_byte_;
  campaign::RunOptions options_;
  std::optional<double> stop_after_s_;
  std::unique_ptr<campaign::Progress> progress_;
  std::stringstream text_;
  std::ostringstream errors_;
};

}  // namespace steelyard::beff::test
