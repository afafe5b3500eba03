// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "foreign/readers.hpp"
#include "record/clipped.hpp"

namespace steelyard::foreign {
namespace {

using record::Json;

/// Option of the job, else of all jobs.
std::string option(const Json& job, const Json& all, std::string_view name) {
  const auto own = word_in(member_in(job, "job options"), name);
  return own.empty() ? word_in(member_in(all, "global options"), name) : own;
}

/// True if an option is on: "" and "1" are, "0" is not. That of the job counts before that of all jobs.
bool is_on(const Json& job, const Json& all, std::string_view name) {
  const Json& own = member_in(member_in(job, "job options"), name);
  const Json& said = own.is_string() ? own : member_in(member_in(all, "global options"), name);
  return said.is_string() && said.get<std::string>() != "0";
}

/// Bytes of "4k", "1M", "4096" in the job file. fio counts "k" and "kb" by kb_base, which is 1024 unless it is
/// set to 1000, and "kib" by the other of the two.
std::optional<std::int64_t> bytes(std::string_view text, std::int64_t kb_base) {
  constexpr std::string_view letters = "kmgtp";
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto value = whole(text.substr(0, digits));
  std::string unit = lower(text.substr(digits));
  if (!value) return std::nullopt;
  if (unit.empty() || unit == "b") return value;
  const std::size_t power = letters.find(unit[0]);
  unit.erase(0, 1);
  if (power == letters.npos || (!unit.empty() && unit != "b" && unit != "ib")) return std::nullopt;
  const std::int64_t other_base = kb_base == 1024 ? 1000 : 1024;
  const std::int64_t base = unit == "ib" ? other_base : kb_base;
  std::int64_t size = *value;
  for (std::size_t i = 0; i <= power; ++i) {
    if (size > (std::int64_t{1} << 53) / base) return std::nullopt;
    size *= base;
  }
  return size;
}

/// Part of bs=4k,64k,8k for a direction: of reads, writes and trims; the last one holds for those behind it, unless
/// a comma ends it. Empty: the default.
std::string_view part_of_sizes(std::string_view sizes, std::string_view direction) {
  const std::size_t wanted = direction == "write" ? 1 : direction == "trim" ? 2 : 0;
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t comma = sizes.find(',');
    if (comma == std::string_view::npos) break;
    sizes.remove_prefix(comma + 1);
  }
  return sizes.substr(0, sizes.find(','));
}

/// Block size of a direction; nullopt if it has several, or if only fio's default says it.
std::optional<std::int64_t> block_size(const Json& job, const Json& all, std::string_view direction,
                                       std::int64_t kb_base) {
  if (!option(job, all, "bsrange").empty() || !option(job, all, "bssplit").empty()) return std::nullopt;
  const std::string sizes = option(job, all, "bs");
  const auto size = bytes(part_of_sizes(sizes, direction), kb_base);
  if (direction != "mixed") return size;
  const bool one_size = bytes(part_of_sizes(sizes, "write"), kb_base) == size &&
                        bytes(part_of_sizes(sizes, "trim"), kb_base) == size;
  return one_size ? size : std::nullopt;
}

void put_params(const Json& job, const Json& all, std::string_view direction, Point& point) {
  const std::int64_t kb_base = option(job, all, "kb_base") == "1000" ? 1000 : 1024;
  if (const auto block = block_size(job, all, direction, kb_base))
    point.set("block_byte", *block);
  else
    point.unknown.emplace_back("block_byte");
  if (const auto size = bytes(option(job, all, "size"), kb_base)) point.set("file_byte", *size);
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
    const Json& found = member_in(side, name);
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
    if (const auto n = real_in(found, "N"); n && *n < 9e15) held.n = record::clipped<std::int64_t>(*n);
    const Json& percentiles = member_in(found, "percentile");
    const Json& completions = member_in(member_in(side, nanoseconds ? "clat_ns" : "clat"), "percentile");
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
         (!member_in(side, "total_ios").is_number() && real_in(side, "io_bytes").value_or(0) > 0);
}

class FioReader {
 public:
  FioReader(const Block& block) : block_(block), piece_(block) {}

  Piece read() {
    const Json document = json_of(block_);
    piece_.release = word_in(document, "fio version");
    if (const auto time = real_in(document, "timestamp"); time && *time < 4e9)
      piece_.started_utc = utc_of(record::clipped<std::int64_t>(*time));
    const bool clients = member_in(document, "client_stats").is_array();
    const Json& jobs = member_in(document, clients ? "client_stats" : "jobs");
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
      if (moved_data(member_in(one, name))) ++directions;
    for (const char* name : {"read", "write", "trim", "mixed"})
      if (const Json& side = member_in(one, name); moved_data(side))
        direction(one, all, side, name, directions, clients);
  }

  void direction(const Json& one, const Json& all, const Json& side, const char* name, int directions,
                 bool clients) {
    std::string kind = option(one, all, "rw");
    if (kind.empty()) kind = option(one, all, "readwrite");
    if (!member_in(one, "job options").is_object() && !member_in(all, "global options").is_object())
      piece_.assumed["rw"] =
          "read, write: this release does not print whether a job went in order or at random";
    Point point("fio", kind.empty() ? name : kind, block_.first_line());
    put_params(one, all, name, point);
    if (directions > 1 || holds(kind, "rw") || std::string_view(name) == "mixed")
      point.set("direction", name);
    const auto jobs = count(option(one, all, "numjobs"));
    const bool of_group = is_on(one, all, "group_reporting");
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
      point.record.reason = because(record::ReasonCode::file_system,
                                    "fio ended with error " + std::to_string(record::clipped<int>(error)));
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
