// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "formats/writer.hpp"
#include "record/records.hpp"

namespace steelyard::cli {

/// Keeps what the Summary of HPC Challenge says of success.
class Verdict final : public formats::Writer {
 public:
  void run(const record::RunRecord&) override {}
  void point(const record::PointRecord&) override {}
  void summary(const record::SummaryRecord& summary) override {
    const auto* success = record::find(summary.classic, "Success");
    if (success != nullptr) success_ = *success == record::Value(std::int64_t{1});
  }
  void end(const record::EndRecord&) override {}
  [[nodiscard]] const std::optional<bool>& success() const { return success_; }

 private:
  std::optional<bool> success_;
};

}  // namespace steelyard::cli
