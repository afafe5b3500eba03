// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "record/file.hpp"

/// Records for tests.
namespace steelyard::record::samples {

inline const std::string run_id = "20261120T083000Z-7f3a91c2";

[[nodiscard]] RunRecord full_run();
[[nodiscard]] RunRecord bare_run();
[[nodiscard]] Statistics full_statistics();
[[nodiscard]] PointRecord full_point();
[[nodiscard]] PointRecord bare_point();
/// A point of PingPong with that message size and median.
[[nodiscard]] PointRecord point(std::int64_t message_byte, double median = 1e-6);
[[nodiscard]] PointRecord failed_point();
[[nodiscard]] TableRecord table(std::size_t rows);
[[nodiscard]] SummaryRecord full_summary();
[[nodiscard]] EventRecord full_event();
[[nodiscard]] EndRecord full_end();

/// Every type with all members set, and with none that may be absent.
[[nodiscard]] std::vector<Body> full_bodies();
[[nodiscard]] std::vector<Body> bare_bodies();

[[nodiscard]] Record enveloped(const Body& body, std::int64_t seq = 0, int session = 1);

/// to_line, and a copy of the line for the check against the schema where the test program was told a file
/// for it.
[[nodiscard]] std::string line_of(const Record& record);

/// Copies every line of a result file to the check against the schema.
void note_lines(const std::filesystem::path& file);

/// A directory of its own that goes away with the object.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path result() const { return path_ / "result.jsonl"; }

 private:
  std::filesystem::path path_;
};

[[nodiscard]] std::string content(const std::filesystem::path& file);
void put(const std::filesystem::path& file, const std::string& text);

}  // namespace steelyard::record::samples
