// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "foreign/foreign.hpp"

/// Texts in the shapes of other programs, written for these tests.
namespace steelyard::foreign::test {

extern const std::string imb, osu_latency, osu_allreduce, osu_mbw, hpl, stream, ior, ior_json, fio, mdtest,
    babel_csv, hpcg, graph500, nccl, nccl_json, b_eff, b_eff_protocol, b_eff_io, b_eff_io_protocol, hpcc;

struct Vector {
  std::string_view name;
  const std::string* text;
  bool has_end_mark;
};
/// All of them.
[[nodiscard]] std::span<const Vector> vectors();

/// The text with the first `from` replaced. Throws std::logic_error where there is none.
[[nodiscard]] std::string with(const std::string& text, std::string_view from, std::string_view to);

/// 16 processes, for texts that do not say how many.
[[nodiscard]] Description told_16();
[[nodiscard]] Reading read_text(const std::string& text, const Description& told = {});
/// The only run. Throws std::logic_error where there are others.
[[nodiscard]] record::Run only_run(const std::string& text, const Description& told = {});
/// The point of that key, or nullptr.
[[nodiscard]] const record::PointRecord* point_of(const record::Run& run, std::string_view key);
/// Value of a metric; -1 where there is none.
[[nodiscard]] double value(const record::PointRecord* point, std::string_view metric);
[[nodiscard]] double classic(const record::PointRecord* point, std::string_view name);
[[nodiscard]] bool has_flag(const record::PointRecord* point, std::string_view flag);
[[nodiscard]] bool has_event(const record::Run& run, std::string_view code);
/// The keys of all points of all runs, and what they hold, as one text.
[[nodiscard]] std::string all_points(const Reading& reading);

}  // namespace steelyard::foreign::test
