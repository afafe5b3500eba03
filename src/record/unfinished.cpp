// SPDX-License-Identifier: Apache-2.0
#include "record/unfinished.hpp"

#include <fcntl.h>

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

#include "record/file.hpp"

namespace steelyard::record {
namespace detail {
namespace {

std::vector<Record> read_points(const std::filesystem::path& file) {
  std::vector<Record> points;
  std::ifstream in(file, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    try {
      if (auto record = from_line(line); record && std::holds_alternative<PointRecord>(record->body))
        points.push_back(std::move(*record));
    } catch (const ReadError&) {
      return {};  // after the loss of a disk: a file that is not whole is not used
    }
  }
  return points;
}

}  // namespace

std::filesystem::path unfinished_file(const std::filesystem::path& directory) {
  return directory / "unfinished.jsonl";
}

bool has_unfinished(const std::filesystem::path& directory) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(unfinished_file(directory), ignored);
}

void replace_unfinished(const std::filesystem::path& directory, const std::vector<Record>& points) {
  const auto file = unfinished_file(directory);
  std::error_code ignored;
  if (points.empty()) {
    std::filesystem::remove(file, ignored);
    return;
  }
  auto fresh = file;
  fresh += ".new";
  std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
  for (const Record& point : points) out << to_line(point) << '\n';
  out.close();
  if (out) std::filesystem::rename(fresh, file, ignored);
  if (!out || ignored) std::filesystem::remove(fresh, ignored);
}

UnfinishedPoints::UnfinishedPoints(const std::filesystem::path& directory)
    : points_(read_points(unfinished_file(directory))) {}

void UnfinishedPoints::saw(const Record& record) {
  if (points_.empty()) return;
  auto& next = next_seq_[record.envelope.run];
  next = std::max(next, record.envelope.seq + 1);
  if (std::holds_alternative<RunRecord>(record.body)) {
    run_ = record.envelope.run;
    session_ = record.envelope.session;
    recorded_.clear();
  }
  if (const auto* point = std::get_if<PointRecord>(&record.body)) recorded_.insert(point->key);
}

std::vector<Record> UnfinishedPoints::take() && {
  std::erase_if(points_, [this](const Record& record) {
    return record.envelope.run != run_ || record.envelope.session != session_ ||
           recorded_.contains(std::get<PointRecord>(record.body).key);
  });
  for (Record& point : points_) point.envelope.seq = next_seq_[run_]++;
  return std::move(points_);
}

void take_in_unfinished(const std::filesystem::path& directory, Appender& into) {
  if (!has_unfinished(directory)) return;
  UnfinishedPoints unfinished(directory);
  scan(into.file(), [&](Record&& record) { unfinished.saw(record); });
  std::string lines;
  for (const Record& point : std::move(unfinished).take()) lines += to_line(point) + '\n';
  if (!lines.empty()) into.append(lines);
  std::error_code ignored;
  std::filesystem::remove(unfinished_file(directory), ignored);
}

}  // namespace detail

void take_in_unfinished(const std::filesystem::path& directory) {
  detail::Appender file(directory / "result.jsonl", O_RDWR);
  detail::take_in_unfinished(directory, file);
}

}  // namespace steelyard::record
