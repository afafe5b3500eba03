// SPDX-License-Identifier: Apache-2.0
#include "formats/live/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "formats/live/cells.hpp"
#include "formats/live/beff.hpp"
#include "formats/live/beffio.hpp"
#include "formats/live/ftio.hpp"
#include "formats/live/hpcc.hpp"
#include "formats/live/title.hpp"

namespace steelyard::formats {
namespace {

constexpr std::size_t title_width = 111;
constexpr std::size_t verdict_column = 88;

enum class Colour { none, yellow, bold_red };

struct Verdict {
  std::string text;
  Colour colour = Colour::none;
};

std::string paint(const Verdict& verdict) {
  switch (verdict.colour) {
    case Colour::none:
      return verdict.text;
    case Colour::yellow:
      return "\033[33m" + verdict.text + "\033[0m";
    case Colour::bold_red:
      return "\033[1;31m" + verdict.text + "\033[0m";
  }
  return verdict.text;
}

std::string reason(const record::PointRecord& point) {
  if (!point.reason || point.reason->text.empty()) return "";
  std::string text = point.reason->text;
  std::ranges::replace(text, '\n', ' ');
  return fmt::format(" ({})", text);
}

Verdict verdict(const record::PointRecord& point) {
  const bool wrong = point.verified == false;
  const std::string text = wrong ? "UNVERIFIED" : "";
  if (point.status == record::Status::ok) return {text, wrong ? Colour::bold_red : Colour::none};
  const bool bad = wrong || point.status == record::Status::failed;
  return {fmt::format("{}{}{}{}", text, wrong ? ", " : "", record::text(point.status), reason(point)),
          bad ? Colour::bold_red : Colour::yellow};
}

bool measured(const record::PointRecord& point) {
  return point.status == record::Status::ok || point.status == record::Status::partial;
}

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

  void run(const record::RunRecord&) override { subject_.clear(); }

  void point(const record::PointRecord& point) override {
    if (LiveBeff::takes(point)) {
      out_ << experiment_.point(point) << std::flush;
      return;
    }
    if (LiveBeffio::takes(point)) {
      out_ << io_experiment_.point(point) << std::flush;
      return;
    }
    if (LiveFtio::takes(point)) {
      out_ << LiveFtio::point(point) << std::flush;
      return;
    }
    const std::string subject = LiveHpcc::takes(point) ? LiveHpcc::subject(point) : live_subject(point);
    if (subject != subject_) open(point, subject);
    out_ << row(point) << '\n' << std::flush;
  }

  void summary(const record::SummaryRecord& summary) override {
    const std::string text =
        experiment_.summary(summary) + io_experiment_.summary(summary) + LiveFtio::summary(summary);
    out_ << (first_ || text.empty() ? "" : "\n") << text << std::flush;
  }

  void end(const record::EndRecord&) override {}

 private:
  void open(const record::PointRecord& point, const std::string& subject) {
    const bool hpcc = LiveHpcc::takes(point);
    const std::string quantity = hpcc ? "" : live_quantity(point);
    const std::size_t used = columns(subject) + columns(quantity);
    const std::string gap(used + 3 < title_width ? title_width - used : 3, ' ');
    out_ << (first_ ? "" : "\n") << subject << (quantity.empty() ? "" : gap + quantity) << '\n'
         << (hpcc ? LiveHpcc::heading() : live_heading()) << '\n';
    subject_ = subject;
    first_ = false;
  }

  std::string numbers(const record::PointRecord& point) const {
    std::string line = live_numbers(point, style_.utf8);
    if (!measured(point)) line.resize(std::min(line.size(), std::size_t{10}));
    return line;
  }

  std::string row(const record::PointRecord& point) const {
    std::string line = LiveHpcc::takes(point) ? LiveHpcc::row(point) : numbers(point);
    const std::string note = group(point);
    const Verdict end = verdict(point);
    if (note.empty() && end.text.empty()) return line;
    const std::size_t used = columns(line);
    line.append(used + 2 < verdict_column ? verdict_column - used : 2, ' ');
    line += note + (note.empty() || end.text.empty() ? "" : "  ");
    return line + (style_.colour ? paint(end) : end.text);
  }

  std::ostream& out_;
  TableStyle style_;
  LiveBeff experiment_;
  LiveBeffio io_experiment_;
  std::string subject_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Writer> live_table(std::ostream& out, TableStyle style) {
  return std::make_unique<LiveTable>(out, style);
}

}  // namespace steelyard::formats
