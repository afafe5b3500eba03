// SPDX-License-Identifier: Apache-2.0
#include "formats/hpcc/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "formats/beff/print.hpp"
#include "formats/hpcc/sections.hpp"
#include "record/clipped.hpp"
#include "record/json.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/input/file.hpp"
#include "suites/hpcc/summary_keys.hpp"
#include "units/text.hpp"

namespace steelyard::formats::hpcc {
namespace {

using steelyard::hpcc::KeyFormat;

/// Member that is a whole sentence, printed in the section of its test.
constexpr std::string_view advice = "Sy_BLAS_advice";

bool is_far_from_one(double value) {
  return value != 0 && (std::abs(value) >= 1e15 || std::abs(value) < 1e-15);
}

/// Text of a real number. A rate keeps its decimal point if it happens to be whole, for readers that look for one.
std::string real(double value, KeyFormat format) {
  if (format == KeyFormat::scientific) return fmt::format("{:e}", value);
  if (format == KeyFormat::count) return fmt::format("{}", record::clipped<std::int64_t>(value));
  if (format == KeyFormat::real && is_far_from_one(value)) return fmt::format("{:e}", value);
  std::string word = plain_number(value);
  const bool keeps_point = format == KeyFormat::rate && value >= 0;
  if (!keeps_point && word.ends_with(".0")) word.resize(word.size() - 2);
  return word;
}

/// Text without blanks: "OpenBLAS_0.3.21,kernel_Cooperlake". Readers take one word after the equals sign.
std::string one_word(std::string_view text) {
  std::string word;
  for (const char c : beff::plain(text)) {
    if (c != ' ')
      word += c;
    else if (!word.empty() && word.back() != ',' && word.back() != '_')
      word += '_';
  }
  return word.empty() ? "-" : word;
}

std::string joined(const std::vector<double>& list) {
  std::string text;
  for (const double number : list) text += (text.empty() ? "" : ",") + real(number, KeyFormat::real);
  return text;
}

std::string word(const record::Value& value, KeyFormat format) {
  if (const auto* text = std::get_if<std::string>(&value)) return one_word(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    return format == KeyFormat::count || format == KeyFormat::word
               ? std::to_string(*whole)
               : real(static_cast<double>(*whole), format);
  if (const auto* number = std::get_if<double>(&value)) return real(*number, format);
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return joined(*list);
  return "-1";
}

}  // namespace

std::string summary_lines(const record::SummaryRecord& summary) {
  std::string lines;
  for (const auto& [name, value] : summary.classic) {
    if (name == advice) continue;
    const auto* key = steelyard::hpcc::summary_key(name);
    const bool whole = std::holds_alternative<std::int64_t>(value);
    const auto own = whole ? KeyFormat::count : KeyFormat::real;
    lines += fmt::format("{}={}\n", name, word(value, key == nullptr ? own : key->format));
  }
  return lines;
}

}  // namespace steelyard::formats::hpcc

namespace steelyard::formats {
namespace {

using record::PointRecord;

constexpr std::size_t ruler_length = 72;
constexpr std::string_view solver = "HPL";

struct Body {
  std::string_view benchmark;
  std::string (*text)(hpcc::Points);
};
constexpr Body bodies[] = {
    {"MPIRandomAccess", hpcc::distributed_updates},
    {"MPIRandomAccess_LCG", hpcc::distributed_updates},
    {"StarRandomAccess", hpcc::local_updates},
    {"StarRandomAccess_LCG", hpcc::local_updates},
    {"SingleRandomAccess", hpcc::local_updates},
    {"SingleRandomAccess_LCG", hpcc::local_updates},
    {"PTRANS", hpcc::transposition},
    {"StarDGEMM", hpcc::multiplication},
    {"SingleDGEMM", hpcc::multiplication},
    {"MPIFFT", hpcc::distributed_transform},
    {"StarFFT", hpcc::local_transform},
    {"SingleFFT", hpcc::local_transform},
};

record::Json member(const record::Json& json, const char* name) {
  const auto found = json.find(name);
  return found == json.end() ? record::Json() : *found;
}

std::optional<double> tick_s(const record::RunRecord& head) {
  const auto tick = member(member(head.clock.json(), "mpi_wtime"), "tick_s");
  return tick.is_number() ? std::optional(tick.get<double>()) : std::nullopt;
}

std::string version(const record::RunRecord& head) {
  return beff::member(head.program.json(), "version");
}

/// Settings of the run's input; nullopt if it cannot be read.
std::optional<steelyard::hpcc::Settings> settings(const record::RunRecord& head) {
  try {
    return steelyard::hpcc::read_written(hpcc_input(head), "input").settings;
  } catch (const steelyard::hpcc::InputError&) {
    return std::nullopt;
  }
}

std::string parameters(const record::RunRecord& head, HplVersion hpl) {
  const auto told = settings(head);
  return hpl_title(hpl, version(head)) + (told ? hpl_parameters(*told) : "\n");
}

double threshold(const record::RunRecord& head) {
  const auto told = settings(head);
  return told ? told->threshold : steelyard::hpcc::default_threshold;
}

/// Line on a run that ended before everything was measured; empty for others.
std::string not_complete(const record::EndRecord& end) {
  return end.status == "complete" ? "" : fmt::format("Not complete: {}\n", end.cause);
}

class HpccText final : public Writer {
 public:
  HpccText(std::ostream& out, HpccTextOptions options) : out_(out), options_(std::move(options)) {}

  void run(const record::RunRecord& head) override {
    head_ = head;
    out_ << hpcc::ruler('#', ruler_length)
         << fmt::format(
                "This is steelyard {}, compatible with DARPA/DOE HPC Challenge Benchmark version 1.5.0 "
                "October 2012\n",
                version(head))
         << hpcc::current_time(options_.now())
         << fmt::format("Hostname: '{}'\n", beff::uname(head.machine, head.layout).nodename)
         << hpcc::ruler('#', ruler_length) << parameters(head, HplVersion::v20) << std::flush;
  }

  void point(const PointRecord& point) override {
    if (point.suite != steelyard::hpcc::suite_name) return;
    if (point.benchmark != open_) begin(point.benchmark);
    points_.push_back(point);
    if (rows_) out_ << rows_->add(point, options_.now()) << std::flush;
    const auto planned = options_.points.find(open_);
    if (planned != options_.points.end() && points_.size() >= static_cast<std::size_t>(planned->second))
      finish();
  }

  void summary(const record::SummaryRecord& summary) override {
    if (summary.name != steelyard::hpcc::suite_name) return;
    finish();
    out_ << "Begin of Summary section.\n" << hpcc::summary_lines(summary) << "End of Summary section.\n";
  }

  void end(const record::EndRecord& end) override {
    finish();
    out_ << not_complete(end) << hpcc::ruler('#', ruler_length) << "End of HPC Challenge tests.\n"
         << hpcc::current_time(options_.now()) << hpcc::ruler('#', ruler_length) << std::flush;
  }

 private:
  void begin(const std::string& benchmark) {
    finish();
    open_ = benchmark;
    out_ << fmt::format("Begin of {} section.\n", benchmark);
    if (benchmark != solver) return;
    rows_.emplace(HplVersion::v20, threshold(head_));
    out_ << parameters(head_, HplVersion::v20) << std::flush;
  }

  void finish() {
    if (open_.empty()) return;
    out_ << (rows_ ? rows_->tail() : body() + hpcc::not_measured(points_)) << hpcc::remarks(points_)
         << hpcc::current_time(options_.now()) << fmt::format("End of {} section.\n", open_) << std::flush;
    open_.clear();
    points_.clear();
    rows_.reset();
  }

  [[nodiscard]] std::string body() const {
    if (open_ == "LatencyBandwidth") return hpcc::messages(points_, tick_s(head_));
    if (open_.ends_with("STREAM")) return hpcc::streams(points_, tick_s(head_));
    const auto found = std::ranges::find(bodies, open_, &Body::benchmark);
    return found == std::end(bodies) ? std::string{} : found->text(points_);
  }

  std::ostream& out_;
  HpccTextOptions options_;
  record::RunRecord head_;
  std::string open_;  // the benchmark whose section has begun
  std::vector<PointRecord> points_;
  std::optional<HplRows> rows_;  // in the solver's section
};

class HplText final : public Writer {
 public:
  HplText(std::ostream& out, HplVersion version, std::function<std::int64_t()> now)
      : out_(out), version_(version), now_(std::move(now)) {}

  void run(const record::RunRecord& head) override {
    rows_.emplace(version_, threshold(head));
    out_ << parameters(head, version_) << std::flush;
  }
  void point(const PointRecord& point) override {
    if (point.suite == steelyard::hpcc::suite_name && point.benchmark == solver)
      out_ << rows_->add(points_.emplace_back(point), now_()) << std::flush;
  }
  void end(const record::EndRecord& end) override {
    out_ << not_complete(end) << hpcc::remarks(points_) << rows_->tail() << std::flush;
  }

 private:
  std::ostream& out_;
  HplVersion version_;
  std::function<std::int64_t()> now_;
  std::vector<PointRecord> points_;
  std::optional<HplRows> rows_;
};

}  // namespace

std::int64_t unix_seconds(const std::string& utc) {
  if (utc.size() < std::string_view{"2026-11-20T08:36:21"}.size()) return 0;
  const auto moment = units::utc_moment(utc);
  return moment ? moment->time_since_epoch().count() : 0;
}

std::unique_ptr<Writer> hpcc_text(std::ostream& out, HpccTextOptions options) {
  return std::make_unique<HpccText>(out, std::move(options));
}

std::unique_ptr<Writer> hpl_text(std::ostream& out, HplVersion version, std::function<std::int64_t()> now) {
  return std::make_unique<HplText>(out, version, std::move(now));
}

std::string hpcc_input(const record::RunRecord& head) {
  const auto input = member(member(head.config.json(), "hpcc"), "input");
  return input.is_string() ? input.get<std::string>() : std::string{};
}

}  // namespace steelyard::formats
