// SPDX-License-Identifier: Apache-2.0
#include "formats/live/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "formats/live/cells.hpp"
#include "formats/live/experiment.hpp"
#include "formats/live/hpcc.hpp"
#include "formats/live/short_imb.hpp"
#include "formats/live/verdict.hpp"

namespace steelyard::formats {
namespace {

constexpr std::size_t title_width = 111;
constexpr std::size_t verdict_column = 88;

/// Columns that the terminal shows: bytes that do not continue a UTF-8 character.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

std::string group(const record::PointRecord& point) {
  const record::Value* value = record::find(point.params, "group");
  const auto* number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
  return number == nullptr ? "" : fmt::format("group {}", *number);
}

class LiveTable final : public Writer {
 public:
  LiveTable(std::ostream& out, TableStyle style) : out_(out), style_(style) {}

  void run(const record::RunRecord&) override {
    subject_.clear();
    opened_ = false;
  }

  void point(const record::PointRecord& point) override {
    if (const std::string subject = subject_of(point); subject != subject_) {
      close();
      subject_ = subject;
      suite_ = point.suite;
      opened_ = false;
    }
    LiveExperiment* const experiment = experiment_of(point);
    const bool gathered = style_.brief && experiment == nullptr && !LiveHpcc::takes(point);
    if (gathered) {
      short_.add(point);
    } else if (point.status == record::Status::skipped) {
      skip(point);
    } else if (experiment != nullptr) {
      out_ << opening(experiment->point(point, style_.brief)) << std::flush;
    } else if (!style_.brief || !LiveHpcc::takes(point) || LiveHpcc::stands_for_its_test(point)) {
      open(point);
      out_ << row(point) << '\n' << std::flush;
    }
  }

  void summary(const record::SummaryRecord& summary) override {
    close();
    std::string text;
    for (const auto& experiment : experiments_) text += experiment->summary(summary, style_.brief);
    out_ << (first_ || text.empty() ? "" : "\n") << text << std::flush;
    first_ = first_ && text.empty();
  }

  void end(const record::EndRecord&) override {
    close();
    out_ << std::flush;
  }

 private:
  /// That of the point; nullptr for a point that has a row.
  LiveExperiment* experiment_of(const record::PointRecord& point) const {
    const auto found = std::ranges::find_if(experiments_, [&](const auto& one) { return one->takes(point); });
    return found == experiments_.end() ? nullptr : found->get();
  }

  std::string subject_of(const record::PointRecord& point) const {
    if (experiment_of(point) != nullptr) return point.suite;
    if (LiveHpcc::takes(point)) return LiveHpcc::subject(point);
    return style_.brief ? point.suite : live_subject(point);
  }

  /// The first line of an experiment stands apart from what is above it.
  std::string opening(const std::string& line) {
    if (line.empty() || opened_) return line;
    opened_ = true;
    return (std::exchange(first_, false) ? "" : "\n") + line;
  }

  void skip(const record::PointRecord& point) {
    left_out_.add(point, LiveHpcc::takes(point) ? LiveHpcc::name(point) : "");
  }

  /// A table whose sizes were all left out has a title and no heading.
  void close() {
    if (const std::string text = short_.take(style_.colour, style_.utf8); !text.empty())
      out_ << (std::exchange(first_, false) ? "" : "\n") << text << std::flush;
    if (!left_out_.any()) return;
    if (!opened_) out_ << (first_ ? "" : "\n") << subject_ << '\n';
    out_ << left_out_.take(suite_);
    opened_ = true;
    first_ = false;
  }

  void open(const record::PointRecord& point) {
    if (opened_) return;
    const bool hpcc = LiveHpcc::takes(point);
    const std::string quantity = hpcc ? "" : live_quantity(point);
    const std::size_t used = columns(subject_) + columns(quantity);
    const std::string gap(used + 3 < title_width ? title_width - used : 3, ' ');
    out_ << (first_ ? "" : "\n") << subject_ << (quantity.empty() ? "" : gap + quantity) << '\n'
         << (hpcc ? LiveHpcc::heading() : live_heading()) << '\n';
    opened_ = true;
    first_ = false;
  }

  std::string numbers(const record::PointRecord& point) const {
    std::string line = live_numbers(point, style_.utf8);
    if (!has_values(point)) line.resize(std::min(line.size(), std::size_t{10}));
    return line;
  }

  std::string row(const record::PointRecord& point) const {
    std::string line = LiveHpcc::takes(point) ? LiveHpcc::row(point) : numbers(point);
    const std::string note = group(point);
    const Verdict end = live_verdict(point);
    if (note.empty() && end.text.empty()) return line;
    const std::size_t used = columns(line);
    line.append(used + 2 < verdict_column ? verdict_column - used : 2, ' ');
    line += note + (note.empty() || end.text.empty() ? "" : "  ");
    return line + painted(end, style_.colour);
  }

  std::ostream& out_;
  TableStyle style_;
  std::vector<std::unique_ptr<LiveExperiment>> experiments_ = live_experiments();
  ShortImb short_;
  LeftOut left_out_;  // of the table that is being written
  std::string subject_, suite_;
  bool opened_ = false;  // its title is written
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Writer> live_table(std::ostream& out, TableStyle style) {
  return std::make_unique<LiveTable>(out, style);
}

}  // namespace steelyard::formats
