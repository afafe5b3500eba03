// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "suites/imb/settings.hpp"
#include "suites/suite.hpp"

namespace steelyard::imb {

/// Process numbers of one benchmark: those asked for, else the series of npmin. Empty if P is too small.
[[nodiscard]] std::vector<int> process_numbers(const Settings& settings, const Definition& definition,
                                               int world);

/// Sizes of one benchmark; one size 0 for those without a message.
[[nodiscard]] std::vector<Bytes> sizes(const Settings& settings, const Definition& definition);

/// Whether a benchmark has messages.
[[nodiscard]] bool has_sizes(const Definition& definition);

/// Modes that a benchmark is measured in, in order.
[[nodiscard]] std::vector<Mode> modes(const Settings& settings, const Definition& definition);

/// Whether all repetitions of a sample are complete together: other schedules than IMB's time them as one
/// operation.
[[nodiscard]] bool complete_together(const Definition& definition, Mode mode);

/// Least number of bytes in a part of a message.
inline constexpr std::int64_t smallest_partition = 64;
/// Numbers of parts that messages of this size are cut into; 1 if the benchmark does not cut.
[[nodiscard]] std::vector<int> partitions(const Settings& settings, const Definition& definition, Bytes size);

/// Specification of a point. The points of a block have one mode.
struct PointSpec {
  Bytes size{0};
  Mode mode = Mode::none;
  int partitions = 1;
};

/// Parameters of a point that make it a different experiment, without the bytes counted.
[[nodiscard]] record::Params identity(const Part& part, const Settings& settings,
                                      const Definition& definition, const PointSpec& what);
/// Mode that the parameters of a record name.
[[nodiscard]] Mode mode_of(const record::Params& params);

/// Mode of a planned block; Mode::none for one without points.
[[nodiscard]] Mode mode_of(const suites::BlockPlan& block);

/// Part of IMB before anything is measured.
class PartDefinition : public suites::Suite {
 public:
  PartDefinition(const Part& part, Settings settings);
  [[nodiscard]] std::string_view name() const override { return part_->name; }
  [[nodiscard]] std::span<const suites::BenchmarkInfo> catalogue() const override { return catalogue_; }
  [[nodiscard]] std::vector<suites::BlockPlan> plan(std::span<const std::string> benchmarks,
                                                    const suites::World& place) const override;
  [[nodiscard]] std::vector<suites::RateGroup> rate_groups() const override;
  [[nodiscard]] record::Members configuration() const override;
  [[nodiscard]] const Settings& settings() const { return settings_; }

 private:
  const Part* part_;
  Settings settings_;
  std::vector<suites::BenchmarkInfo> catalogue_;
};

/// Suite of a part with these settings: catalogue and plan. Pure.
[[nodiscard]] std::unique_ptr<suites::Suite> definition(const Part& part, const Settings& settings);

/// The same suite, measurable (only in builds with MPI; library steelyard_imb).
[[nodiscard]] std::unique_ptr<suites::Suite> measurable(const Part& part, const Settings& settings);

}  // namespace steelyard::imb
