// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "record/records.hpp"

/// Patterns of b_eff_io in the order in which its own plots show them. Pure.
namespace steelyard::analysis {

/// A point at its place among the patterns of its type.
struct BeffioChunk {
  const record::PointRecord* point = nullptr;
  std::string type;       // "scatter"
  int position = 0;       // row of the summary table, from 1 on
  double chunk_byte = 0;  // in the file
  std::string name;       // "1 MiB + 8"; of the second pattern with that chunk "1 MiB of 2 MiB": of one call
};

/// Points of b-eff-io that have a place, type by type, by position: patterns that are executed once or fill a
/// segment up have none. Points of other programs have only the number of their pattern, which tells both.
/// Points into `points`.
[[nodiscard]] std::vector<BeffioChunk> beffio_chunks(std::span<const record::PointRecord> points);

}  // namespace steelyard::analysis
