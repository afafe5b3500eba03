// SPDX-License-Identifier: Apache-2.0
#include "foreign/piece.hpp"

#include <algorithm>
#include <cmath>

#include "record/point_view.hpp"

namespace steelyard::foreign {
namespace {

constexpr std::size_t longest_shown = 60;

/// End of the last whole member or element, and the brackets that are open there.
struct Whole {
  std::size_t end = 0;
  std::string closing;
};

Whole last_whole(std::string_view text) {
  Whole found;
  std::string open;
  bool inside = false, escaped = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside) {
      inside = escaped || c != '"';
      escaped = !escaped && c == '\\';
      continue;
    }
    if (c == '"') inside = true;
    if (c == '{' || c == '[') open += c == '{' ? '}' : ']';
    if ((c == '}' || c == ']') && !open.empty()) {
      open.pop_back();
      found = {i + 1, {open.rbegin(), open.rend()}};
    }
  }
  return found;
}

/// JSON text with nan, inf and Infinity as null.
std::string without_bare_words(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool inside = false, escaped = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside) {
      inside = escaped || c != '"';
      escaped = !escaped && c == '\\';
    } else {
      inside = c == '"';
      const std::string_view rest = text.substr(i);
      std::size_t skip = 0;
      for (const std::string_view word : {"-nan", "nan", "NaN", "-inf", "inf", "-Infinity", "Infinity"})
        if (rest.starts_with(word)) skip = std::max(skip, word.size());
      const bool value =
          i > 0 && (text[i - 1] == ':' || text[i - 1] == ' ' || text[i - 1] == ',' || text[i - 1] == '[');
      if (skip > 0 && value) {
        out += "null";
        i += skip - 1;
        continue;
      }
    }
    out += c;
  }
  return out;
}

bool is_like(const record::PointRecord& one, const record::PointRecord& like) {
  return one.suite == like.suite && one.benchmark == like.benchmark && one.params == like.params &&
         one.processes == like.processes;
}

void mix(std::size_t& hash, std::size_t more) {
  hash ^= more + static_cast<std::size_t>(0x9e3779b97f4a7c15ULL) + (hash << 6U) + (hash >> 2U);
}

/// Hash that is equal for points that are alike; of the values those types count that tables have.
std::size_t hash_of(const record::PointRecord& point) {
  const std::hash<std::string_view> of_text;
  std::size_t hash = of_text(point.suite);
  mix(hash, of_text(point.benchmark));
  mix(hash, static_cast<std::size_t>(point.processes));
  for (const auto& [name, value] : point.params) {
    mix(hash, of_text(name));
    if (const auto* text = std::get_if<std::string>(&value)) mix(hash, of_text(*text));
    if (const auto* number = std::get_if<std::int64_t>(&value)) mix(hash, static_cast<std::size_t>(*number));
  }
  return hash;
}

}  // namespace

record::Reason because(record::ReasonCode code, std::string text) {
  record::Reason reason;
  reason.code = code;
  reason.text = std::move(text);
  return reason;
}

Point::Point(std::string_view suite, std::string_view benchmark, std::size_t at) : line(at) {
  record.suite = suite;
  record.benchmark = record::valid_utf8(benchmark);
  record.processes = 0;
  record.schedule.emplace().rule = "imported";
  record.flags = {"imported"};
}

bool Point::take(const char* metric, std::string_view word, Scale scale) {
  if (record.primary.empty()) {
    record.primary = metric;
    const auto* known = record::metric_name(metric);
    record.lower_is_better = known == nullptr || known->lower_is_better;
  }
  const auto read = number(word, scale);
  if (!read || read->value < 0) {
    fail(word);
    return false;
  }
  if (metric == record.primary) step = read->step;
  if (read->value > 0) {
    record.metrics.emplace_back(metric, read->value);
  } else {
    record.metrics.emplace_back(metric, nullptr);
    flag("below_resolution");
  }
  return true;
}

void Point::note(const char* name, std::string_view word, Scale scale) {
  if (const auto read = number(word, scale)) note(name, read->value);
}

void Point::note(const char* name, double value) {
  if (std::isfinite(value)) record.classic.emplace_back(name, value);
}

void Point::fail(std::string_view word) {
  if (record.status == record::Status::failed) return;
  record.status = record::Status::failed;
  record.reason = because(record::ReasonCode::unreadable,
                          "line " + std::to_string(line) + ": '" +
                              record::valid_utf8(word.substr(0, longest_shown)) + "' is no number");
}

void Point::flag(const char* name) {
  if (!has_flag(record, name)) record.flags.emplace_back(name);
}

Piece::Piece(const Block& block, std::string its_release)
    : format(block.format),
      release(record::valid_utf8(its_release)),
      first_line(block.first_line()),
      last_line(block.last_line()),
      strange(block.strange),
      launcher(block.launcher) {}

std::optional<std::size_t> PointIndex::find(const record::PointRecord& like, std::size_t size,
                                            const void* list, PointAt at) {
  for (; size_ < size; ++size_) places_.emplace(hash_of(at(list, size_)), size_);
  std::optional<std::size_t> first;
  const auto [begin, end] = places_.equal_range(hash_of(like));
  for (auto it = begin; it != end; ++it) {
    ++comparisons_;
    if (is_like(at(list, it->second), like)) first = std::min(first.value_or(it->second), it->second);
  }
  return first;
}

Point* find_point(Piece& piece, const Point& like) {
  const auto at = [](const void* list, std::size_t i) -> const record::PointRecord& {
    return (*static_cast<const std::deque<Point>*>(list))[i].record;
  };
  const auto found = piece.index.find(like.record, piece.points.size(), &piece.points, at);
  return found ? &piece.points[*found] : nullptr;
}

int decimals(std::string_view word) {
  const std::size_t point = word.find('.');
  const std::size_t end = std::min(word.find_first_of("eE"), word.size());
  return point == std::string_view::npos || point > end ? 0 : static_cast<int>(end - point - 1);
}

bool may_be_cut(const Line& line, std::string_view last_word, int decimals_above) {
  return !line.ended && (decimals(last_word) == 0 || decimals(last_word) != decimals_above);
}

bool is_warning(std::string_view text) {
  return holds(text, "WARNING") || holds(text, "CAUTION") || holds(text, "NOT VALID") ||
         holds(text, "INVALID");
}

record::Json json_of(const Block& block) {
  std::string text;
  for (const Line& line : block.lines) {
    // Warnings that the program wrote into its own document.
    if (!is_warning(line.text) || line.text.find('"') != std::string_view::npos) text += line.text;
    text += '\n';
  }
  const std::size_t begin = text.find('{');
  text = without_bare_words(std::string_view(text).substr(std::min(begin, text.size())));
  if (!block.ended) {
    const Whole whole = last_whole(text);
    text = text.substr(0, whole.end) + whole.closing;
  } else if (const Whole whole = last_whole(text); whole.closing.empty()) {
    text.resize(whole.end);
  }
  try {
    return record::Json::parse(text);
  } catch (const record::JsonError& error) {
    throw Refusal(block.first_line(), std::string("not JSON: ") + error.what());
  }
}

const record::Json& member_in(const record::Json& object, std::string_view name) {
  static const record::Json none;
  return object.is_object() && object.contains(name) ? object[name] : none;
}

std::optional<double> real_in(const record::Json& object, std::string_view name) {
  const record::Json& member = member_in(object, name);
  if (!member.is_number()) return std::nullopt;
  const double read = member.get<double>();
  return std::isfinite(read) ? std::optional(read) : std::nullopt;
}

std::string word_in(const record::Json& object, std::string_view name) {
  const record::Json& member = member_in(object, name);
  return member.is_string() ? record::valid_utf8(member.get<std::string>()) : std::string();
}

}  // namespace steelyard::foreign
