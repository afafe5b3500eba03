// SPDX-License-Identifier: Apache-2.0
#include "formats/imb/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "units/text.hpp"

namespace steelyard::formats {
namespace {

bool skipped_for(const record::PointRecord& point, record::ReasonCode code) {
  return point.status == record::Status::skipped && point.reason && point.reason->code == code;
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string out_of_memory(const record::Reason& reason) {
  // The reference rounds up by a thousandth, so that the number it names is enough.
  const auto bytes = static_cast<double>(reason.needed_byte.value_or(0));
  const double gigabytes = bytes / static_cast<double>(gibi.count()) + 0.001;
  return fmt::format(" out-of-mem.; needed X={:>8} GB; use flag \"-mem X\"",
                     units::format_fixed(gigabytes, 3));
}

std::string because(const record::PointRecord& point) {
  if (!point.reason) return "no reason recorded";
  const record::Reason& reason = *point.reason;
  if (!reason.mpi_class) return one_line(reason.text);
  return one_line(*reason.mpi_class + (reason.text.empty() ? "" : ": " + reason.text));
}

}  // namespace

bool lacks_processes(const record::PointRecord& point) {
  return skipped_for(point, record::ReasonCode::processes) &&
         record::find(point.params, "message_byte") == nullptr &&
         record::find(point.params, "chunk_byte") == nullptr;
}

std::string lacks_processes_line(const record::PointRecord& point) {
  return fmt::format("\n# !! Benchmark {} invalid for {} processes !! \n\n", point.benchmark,
                     point.processes);
}

// Of a point that a rule was asked for, the schedule is told.
bool timed_out(const record::PointRecord& point) {
  return skipped_for(point, record::ReasonCode::time) && point.schedule.has_value();
}

bool left_out(const record::PointRecord& point) {
  return skipped_for(point, record::ReasonCode::time) && !point.schedule;
}

std::string left_out_line(const std::string& rows, const std::string& reason) {
  return fmt::format("\n# Not measured: {} ({}); a longer --budget of run measures more.\n", rows,
                     one_line(reason));
}

std::string no_result_text(const record::PointRecord& point) {
  if (skipped_for(point, record::ReasonCode::memory)) return out_of_memory(*point.reason);
  if (timed_out(point)) {
    return " time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over; use \"-time X\"";
  }
  const bool failed = point.status == record::Status::failed;
  return fmt::format(" {}; {}", failed ? "failed" : "skipped", because(point));
}

std::string tail_line(const record::PointRecord& point) {
  const record::Value* value = record::find(point.classic, "tail_s");
  const auto* seconds = value == nullptr ? nullptr : std::get_if<std::vector<double>>(value);
  if (seconds == nullptr || seconds->empty()) return "";
  std::string text = "[";
  for (std::size_t i = 0; i < seconds->size(); ++i) {
    text += (i == 0 ? " " : ", ") + units::format_fixed((*seconds)[i] * 1e6, 2);
  }
  return text + " ]\n";
}

bool unsuccessful(const record::PointRecord& point) {
  if (point.verified == false) return true;
  const record::Value* defects = record::find(point.classic, "defects");
  return defects != nullptr && !std::holds_alternative<std::nullptr_t>(*defects) &&
         record::number(*defects) > 0;
}

std::string imb_end(const record::EndRecord& end) {
  const bool good = end.status == "complete" && end.points.failed == 0 && end.points.unverified == 0;
  return good ? "\n\n# All processes entering MPI_Finalize\n\n" : "\n\n# Ended with failures\n";
}

}  // namespace steelyard::formats
