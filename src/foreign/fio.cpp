// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "foreign/readers.hpp"

namespace steelyard::foreign {
namespace {

using record::Json;

const Json& member(const Json& object, std::string_view name) {
  static const Json none;
  return object.is_object() && object.contains(name) ? object[name] : none;
}

/// Bytes of "4k", "1M", "4096" in the job file: multiples of 1024 as fio counts by default.
std::optional<std::int64_t> bytes(std::string_view text) {
  const std::string small = lower(text.substr(0, text.find(',')));
  std::size_t digits = 0;
  while (digits < small.size() && small[digits] >= '0' && small[digits] <= '9') ++digits;
  const auto value = whole(std::string_view(small).substr(0, digits));
  if (!value) return std::nullopt;
  const std::string unit = small.substr(digits);
  std::int64_t factor = 0;
  for (const auto& [name, size] : {std::pair<std::string_view, std::int64_t>{"", 1},
                                   {"b", 1},
                                   {"k", 1024},
                                   {"kb", 1024},
                                   {"kib", 1024},
                                   {"m", 1 << 20},
                                   {"mb", 1 << 20},
                                   {"mib", 1 << 20},
                                   {"g", 1 << 30},
                                   {"gb", 1 << 30},
                                   {"gib", 1 << 30}})
    if (unit == name) factor = size;
  return factor > 0 && *value < (std::int64_t{1} << 53) / factor ? std::optional(*value * factor)
                                                                 : std::nullopt;
}

/// Option of the job, else of all jobs.
std::string option(const Json& job, const Json& all, std::string_view name) {
  const auto own = word_in(member(job, "job options"), name);
  return own.empty() ? word_in(member(all, "global options"), name) : own;
}

void put_params(const Json& job, const Json& all, Point& point) {
  const auto put_size = [&](std::string_view from, const char* to) {
    if (const auto size = bytes(option(job, all, from)))
      point.set(to, *size);
    else if (std::string_view(to) == "block_byte")
      point.unknown.emplace_back(to);
  };
  put_size("bs", "block_byte");
  put_size("size", "file_byte");
  for (const auto& [from, to] :
       {std::pair<const char*, const char*>{"iodepth", "depth"}, {"numjobs", "jobs"}})
    if (const auto value = whole(option(job, all, from))) point.set(to, *value);
  if (const auto engine = option(job, all, "ioengine"); !engine.empty()) point.set("engine", engine);
  if (const auto direct = option(job, all, "direct"); !direct.empty())
    point.set("direct", direct == "1" ? "yes" : "no");
}

/// Puts the latency of whole operations into a point, else that of their completion.
void put_latency(const Json& side, Point& point) {
  for (const char* name : {"lat_ns", "clat_ns", "lat", "clat"}) {
    const Json& found = member(side, name);
    const bool nanoseconds = std::string_view(name).ends_with("_ns");
    const double unit = nanoseconds ? 1e-9 : 1e-6;
    const auto mean = real_in(found, "mean");
    if (!mean || !(*mean > 0) || *mean > 1e300) continue;
    record::Statistics held;
    const auto take = [&](const char* from) {
      const auto value = real_in(found, from);
      return value ? std::optional(*value * unit) : std::nullopt;
    };
    held.mean = nanoseconds ? *mean / 1e9 : *mean / 1e6;
    held.min = take("min"), held.max = take("max"), held.sd = take("stddev");
    if (const auto n = real_in(found, "N"); n && *n < 9e15) held.n = static_cast<std::int64_t>(*n);
    const Json& percentiles = member(found, "percentile");
    const Json& completions = member(member(side, nanoseconds ? "clat_ns" : "clat"), "percentile");
    const Json& from = percentiles.is_object() ? percentiles : Json();
    const auto percentile = [&](const char* key) {
      const auto value = real_in(from, key);
      return value ? std::optional(*value * unit) : std::nullopt;
    };
    held.median = percentile("50.000000"), held.p95 = percentile("95.000000"),
    held.p99 = percentile("99.000000");
    for (const char* key : {"50.000000", "95.000000", "99.000000"})
      if (const auto value = real_in(completions, key))
        point.note(("clat_p" + std::string(key).substr(0, 2) + "_s").c_str(), *value * unit);
    held.headline = "mean";
    point.record.metrics.emplace_back("latency_s", held);
    point.record.classic.emplace_back("latency_kind", std::string(name));
    return;
  }
}

/// True if a side moved data; releases before 2.2 do not count operations.
bool moved_data(const Json& side) {
  return real_in(side, "total_ios").value_or(0) > 0 ||
         (!member(side, "total_ios").is_number() && real_in(side, "io_bytes").value_or(0) > 0);
}

class FioReader {
 public:
  FioReader(const Block& block) : block_(block), piece_(block) {}

  Piece read() {
    const Json document = json_of(block_);
    piece_.release = word_in(document, "fio version");
    if (const auto time = real_in(document, "timestamp"); time && *time < 4e9)
      piece_.started_utc = utc_of(static_cast<std::int64_t>(*time));
    const bool clients = member(document, "client_stats").is_array();
    const Json& jobs = member(document, clients ? "client_stats" : "jobs");
    for (std::size_t i = 0; jobs.is_array() && i < jobs.size(); ++i)
      if (!clients || word_in(jobs[i], "jobname") == "All clients") job(jobs[i], document, clients);
    piece_.rows = piece_.points.size();
    if (piece_.points.empty())
      throw Incomplete(block_.first_line(), "a document of fio without a job that moved data");
    piece_.truncated = !block_.ended;
    if (block_.before > 0)
      piece_.remark("import_row", block_.first_line(),
                    std::to_string(block_.before) + " documents before it tell of earlier: left out");
    return std::move(piece_);
  }

 private:
  void job(const Json& one, const Json& all, bool clients) {
    int directions = 0;
    for (const char* name : {"read", "write", "trim", "mixed"})
      if (moved_data(member(one, name))) ++directions;
    for (const char* name : {"read", "write", "trim", "mixed"})
      if (const Json& side = member(one, name); moved_data(side))
        direction(one, all, side, name, directions, clients);
  }

  void direction(const Json& one, const Json& all, const Json& side, const char* name, int directions,
                 bool clients) {
    std::string kind = option(one, all, "rw");
    if (kind.empty()) kind = option(one, all, "readwrite");
    Point point("fio", kind.empty() ? name : kind, block_.first_line());
    put_params(one, all, point);
    if (directions > 1 || holds(kind, "rw") || std::string_view(name) == "mixed")
      point.set("direction", name);
    const bool grouped = member(all, "global options").is_object() &&
                         member(member(all, "global options"), "group_reporting").is_string();
    const auto jobs = count(option(one, all, "numjobs"));
    const bool of_group = grouped || member(member(one, "job options"), "group_reporting").is_string();
    if (!clients) point.record.processes = of_group && jobs ? *jobs : 1;
    piece_.processes = std::max(piece_.processes.value_or(0), point.record.processes);
    point.over_time = "mean", point.over_ranks = of_group ? "sum" : "one";
    point.record.primary = "bandwidth_byte_s";
    point.record.lower_is_better = false;
    value(side, point);
    if (const auto rate = real_in(side, "iops"); rate && *rate > 0)
      point.record.metrics.emplace_back("operation_rate_op_s", *rate);
    put_latency(side, point);
    const auto error = real_in(one, "error").value_or(0);
    if (error != 0) {
      point.record.status = record::Status::failed;
      point.record.metrics.clear();
      point.record.reason =
          because(record::ReasonCode::file_system,
                  "fio ended with error " + std::to_string(static_cast<long long>(std::min(error, 1e9))));
    } else if (!option(one, all, "verify").empty()) {
      point.record.verified = true;
    }
    if (find_point(piece_, point) != nullptr) point.set("job", word_in(one, "jobname"));
    if (find_point(piece_, point) != nullptr)
      point.set("clone", static_cast<std::int64_t>(piece_.points.size()));
    piece_.points.push_back(std::move(point));
  }

  /// Puts the bandwidth into a point; releases before 3.2 tell only whole KiB/s.
  static void value(const Json& side, Point& point) {
    const auto exact = real_in(side, "bw_bytes"), coarse = real_in(side, "bw");
    if (!exact && !coarse) return point.fail("bw");
    const double rate = exact ? *exact : *coarse * 1024;
    if (rate < 0 || rate > 1e300) return point.fail(std::to_string(rate));
    point.step = exact ? 1 : 1024;
    point.printed = exact ? "byte/s" : "KiB/s";
    if (rate > 0) {
      point.record.metrics.emplace_back("bandwidth_byte_s", rate);
    } else {
      point.record.metrics.emplace_back("bandwidth_byte_s", nullptr);
      point.flag("below_resolution");
    }
  }

  const Block& block_;
  Piece piece_;
};

}  // namespace

void read_fio(const Block& block, const Description& /*told*/, Pieces& pieces) {
  pieces.push_back(FioReader(block).read());
}

}  // namespace steelyard::foreign
