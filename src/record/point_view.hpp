// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/records.hpp"

/// The one way to read values of a record by their names. What is absent, null or of another kind than asked for is
/// nullopt, nullptr or empty; nothing here throws.
namespace steelyard::record {

/// True if the point has figures: it was measured, or measured until it was cut.
[[nodiscard]] bool measured(const PointRecord& point);
[[nodiscard]] bool has_flag(const PointRecord& point, std::string_view flag);

// Of what find() answers.
[[nodiscard]] std::optional<double> number_of(const Value* value);
[[nodiscard]] std::optional<std::int64_t> whole_of(const Value* value);
[[nodiscard]] std::string word_of(const Value* value);
[[nodiscard]] bool is_true(const Value* value);
[[nodiscard]] const std::vector<double>* list_of(const Value* value);

// Of a point: among its classic values, else among its parameters.
[[nodiscard]] const Value* member(const PointRecord& point, std::string_view name);
[[nodiscard]] std::optional<double> number_in(const PointRecord& point, std::string_view name);
[[nodiscard]] std::string word_in(const PointRecord& point, std::string_view name);

/// Parameters, in byte, that the curve of a benchmark runs over: the length of a message, of a chunk in a file, of a
/// transfer to a file. A point has one of them at most.
inline constexpr std::array<std::string_view, 3> length_names = {"message_byte", "chunk_byte",
                                                                 "transfer_byte"};
[[nodiscard]] std::optional<std::int64_t> length_of(const Params& params);
/// True for a parameter that need not be told beside the others: a length, or one that follows from others or is told in
/// words of its own.
[[nodiscard]] bool is_told_elsewhere(std::string_view name);

/// Whether a point is of a part of IMB, or of our own one that is made like these.
[[nodiscard]] bool is_of_imb(const PointRecord& point);

/// Key of a point by its parameters. Those of IMB that follow from others stand in no key; other suites have parameters
/// of these names that do.
[[nodiscard]] std::string key_of(const PointRecord& point);

// Metrics of a point.
[[nodiscard]] const Metric* metric(const PointRecord& point, std::string_view name);
/// Statistics of a metric; nullptr if it is a plain number.
[[nodiscard]] const Statistics* statistics(const PointRecord& point, std::string_view name);
/// The number that stands for a metric.
[[nodiscard]] std::optional<double> figure(const PointRecord& point, std::string_view name);

/// How a statistic was made of those of the ranks, "max over ranks"; empty for derived quantities.
[[nodiscard]] std::string words_over_ranks(std::string_view ranks);
/// How the time of an operation came about (docs/methodology.md, "Timing modes and synchronisation"): "max over ranks, each
/// after a barrier". Empty for points of other metrics, and as far as it is not told.
[[nodiscard]] std::string timing_words(const PointRecord& point);

}  // namespace steelyard::record
