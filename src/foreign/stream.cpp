// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "foreign/readers.hpp"

namespace steelyard::foreign {
namespace {

constexpr std::string_view kernels[] = {"Copy", "Scale", "Add", "Triad"};

int arrays_of(std::string_view kernel) {
  return kernel == "Copy" || kernel == "Scale" ? 2 : 3;
}

/// Reader of the table and the lines above it, whose order releases and ports change.
class StreamReader {
 public:
  explicit StreamReader(const Block& block) : block_(block), piece_(block) {}

  Piece read() {
    piece_.release = record::valid_utf8(between(block_.lines.front().text, "$Revision:", "$").value_or(""));
    for (const Line& line : block_.lines) take(line);
    if (piece_.points.empty() && piece_.rows == 0)
      throw Incomplete(block_.first_line(), "a head of STREAM without a row");
    for (std::size_t i = 0; i < piece_.points.size(); ++i) complete(piece_.points[i], i);
    piece_.processes = 1;
    piece_.nodes = 1;
    if (counted_ || requested_) piece_.threads = threads();
    piece_.truncated = !block_.ended;
    return std::move(piece_);
  }

 private:
  void take(const Line& line) {
    const auto text = trimmed(line.text);
    // Its rates are of all processes, whose nodes it does not tell: they are none of one process.
    if (const auto ranks = between(text, "distributed across", "MPI ranks");
        ranks && first_whole(*ranks) != 1)
      throw Refusal(line.number, "STREAM over several MPI processes is not read");
    if (holds(text, "Array size =")) {
      elements_ = first_whole(*behind(text, "Array size ="));
      if (const auto offset = behind(text, "Offset =")) offset_ = first_whole(*offset);
    } else if (text.starts_with("Offset ") && holds(text, "=")) {
      offset_ = first_whole(text);
    } else if (holds(text, "Number of Threads counted") || text.starts_with("Number of Threads =")) {
      counted_ = first_whole(text);
    } else if (holds(text, "Number of Threads requested")) {
      requested_ = first_whole(text);
    } else if (const auto bytes = between(text, "This system uses ", " bytes per")) {
      element_byte_ = first_whole(*bytes).value_or(8);
    } else if (const auto times = between(text, "executed ", " times")) {
      times_ = first_whole(*times);
    } else if (holds(text, "Solution Validates")) {
      verified_ = true;
    } else if (holds(text, "Failed Validation")) {
      verified_ = false;
      piece_.remark("import_warning", line.number, record::valid_utf8(text.substr(0, 200)));
    } else {
      row(line, text);
    }
  }

  /// Reads a row; a wrapper may have put the name of the host before the label.
  void row(const Line& line, std::string_view text) {
    const auto colon = pair_at(text, ':');
    if (!colon) return;
    const auto label = words_of(colon->first);
    if (label.empty() || label.size() > 2) return;
    bool known = false;
    for (const std::string_view kernel : kernels) known = known || kernel == label.back();
    if (!known) return;
    const auto words = words_of(colon->second);
    ++piece_.rows;
    if (words.size() != 4) {
      ++piece_.odd_rows;
      return piece_.remark("import_row", line.number, "not the four numbers of a row: left out");
    }
    if (!line.ended && may_be_cut(line, words.back(), decimals_)) return;
    decimals_ = decimals(words.back());
    Point point("stream", lower(label.back()), line.number);
    point.over_time = "best", point.over_ranks = "one", point.printed = "MB/s";
    point.take("bandwidth_byte_s", words[0], mega);
    point.note("avg_time_s", words[1]);
    point.note("min_time_s", words[2]);
    point.note("max_time_s", words[3]);
    if (label.size() == 2) piece_.machine["hostname"] = record::valid_utf8(label[0]);
    if (find_point(piece_, point) != nullptr) {
      piece_.of_two_tables = true;
      return piece_.remark("import_row", line.number, "a kernel that stands in its table already: left out");
    }
    rates_.push_back(number(words[0], mega).value_or(Number{}));
    times_min_.push_back(number(words[2]).value_or(Number{}));
    piece_.points.push_back(std::move(point));
  }

  [[nodiscard]] int threads() const {
    return static_cast<int>(std::min<std::int64_t>(
        std::max<std::int64_t>(counted_.value_or(requested_.value_or(1)), 1), 1'000'000));
  }

  void complete(Point& point, std::size_t row) {
    if (elements_)
      point.set("elements", *elements_);
    else
      point.unknown.emplace_back("elements");
    if (offset_.value_or(0) != 0) point.set("offset", *offset_);
    if (element_byte_ != 8) point.set("element_byte", element_byte_);
    point.record.processes = 1;
    point.record.threads = threads();
    point.record.verified = verified_;
    if (times_ && *times_ > 1) point.record.schedule->ops = *times_ - 1;
    check(point, row);
  }

  /// Checks that the bytes that a rate and the least time make are those of the arrays.
  void check(Point& point, std::size_t row) {
    const Number rate = rates_[row], time = times_min_[row];
    if (!elements_ || !(rate.value > 0) || !(time.value > 0)) return;
    const std::string kernel(1, static_cast<char>(point.record.benchmark[0] - 'a' + 'A'));
    const double bytes = arrays_of(kernel + point.record.benchmark.substr(1)) *
                         static_cast<double>(element_byte_) * static_cast<double>(*elements_);
    const double slack = 0.01 + rate.step / rate.value + time.step / time.value;
    if (std::abs(rate.value * time.value / bytes - 1) <= slack) return;
    point.flag("rate_and_time_disagree");
    piece_.remark("import_row", point.line, "the rate is not the bytes of the arrays over the least time");
  }

  const Block& block_;
  Piece piece_;
  std::optional<std::int64_t> elements_, offset_, counted_, requested_, times_;
  std::int64_t element_byte_ = 8;
  std::optional<bool> verified_;
  int decimals_ = -1;
  std::vector<Number> rates_, times_min_;
};

struct RateUnit {
  std::string_view word;
  Scale scale;
};
constexpr RateUnit rate_units[] = {
    {"mbytes/sec", mega},  {"mbytes", mega},     {"mb/s", mega},  {"mb", mega},   {"mibytes", mebi},
    {"mibytes/sec", mebi}, {"mib/s", mebi},      {"mib", mebi},   {"gb/s", giga}, {"gb", giga},
    {"gbytes", giga},      {"gbytes/sec", giga}, {"gib/s", gibi}, {"gib", gibi},  {"gibytes", gibi}};

Scale unit_of_rate(std::string_view word, std::size_t line) {
  for (const RateUnit& unit : rate_units)
    if (lower(word) == unit.word) return unit.scale;
  throw Refusal(line, "unit '" + record::valid_utf8(word) + "' of the rates is not known");
}

class BabelReader {
 public:
  explicit BabelReader(const Block& block) : block_(block), piece_(block) {}

  Piece read() {
    for (const Line& line : block_.lines) take(line);
    if (piece_.points.empty() && piece_.rows == 0)
      throw Incomplete(block_.first_line(), "a head of BabelStream without a row");
    for (Point& point : piece_.points) complete(point);
    piece_.processes = 1;
    piece_.assumed["threads"] = "1: its text does not say how many";
    return std::move(piece_);
  }

 private:
  void take(const Line& line) {
    const auto text = trimmed(line.text);
    if (text.starts_with("function,num_times")) return csv_heading(text, line);
    if (csv_.size() > 0 && holds(text, ",")) return csv_row(text, line);
    if (const auto value = behind(text, "Version:"); value && text.starts_with("Version:"))
      piece_.release = record::valid_utf8(*value);
    if (text.starts_with("Implementation:")) model_ = record::valid_utf8(*behind(text, "Implementation:"));
    if (const auto times = between(text, "Running ", " times")) times_ = first_whole(*times);
    if (text.starts_with("Number of elements:")) elements_ = first_whole(text);
    if (text.starts_with("Precision:")) element_byte_ = holds(text, "float") ? 4 : 8;
    if (text.starts_with("Array size:")) array_size(text);
    if (text.starts_with("Using ") && holds(text, "device")) device(*behind(text, "device"));
    if (holds(text, "failed validation") || holds(text, "FAILED validation") ||
        holds(text, "Validation failed")) {
      verified_ = false;
      piece_.remark("import_warning", line.number, record::valid_utf8(text.substr(0, 200)));
    }
    if (text.starts_with("Function")) return heading(text, line);
    if (headed_) row(text, line);
  }

  void device(std::string_view name) {
    piece_.machine["accelerator"] = record::valid_utf8(name);
    device_ = true;
  }

  /// Reads "268.4 MB (=0.3 GB)", only if the elements are a whole number within its digits.
  void array_size(std::string_view text) {
    const auto words = words_of(text.substr(std::string_view("Array size:").size()));
    if (words.size() < 2 || elements_) return;
    const auto scale = words[1] == "MB"   ? mega
                       : words[1] == "KB" ? Scale{3}
                       : words[1] == "GB" ? giga
                                          : Scale{0, 0.0};
    const auto size = scale.factor > 0 ? number(words[0], scale) : std::nullopt;
    if (size && size->value > 0 && size->step < static_cast<double>(element_byte_) && size->value < 1e15)
      elements_ = static_cast<std::int64_t>(std::llround(size->value / static_cast<double>(element_byte_)));
  }

  void heading(std::string_view text, const Line& line) {
    const auto words = words_of(text);
    if (words.size() < 2) return;
    scale_ = unit_of_rate(words[1], line.number);
    unit_ = record::valid_utf8(words[1]);
    headed_ = true;
  }

  void row(std::string_view text, const Line& line) {
    const auto words = words_of(text);
    if (words.empty() || !known(words[0])) return;
    ++piece_.rows;
    if (words.size() != 5)
      return piece_.remark("import_row", line.number, "not the five columns of a row: left out");
    if (may_be_cut(line, words.back(), decimals_)) return cut(line);
    decimals_ = decimals(words.back());
    add(words[0], words[1], {words[2], words[3], words[4]}, line);
  }

  void cut(const Line& line) {
    piece_.truncated = true;
    piece_.remark("import_truncated", line.number, "the last row has no end: left out");
  }

  static bool known(std::string_view function) {
    for (const std::string_view name : {"copy", "mul", "add", "triad", "dot", "nstream"})
      if (lower(function) == name) return true;
    return false;
  }

  void csv_heading(std::string_view text, const Line& line) {
    csv_.clear();
    for (const std::string_view cell : cells_of(text)) csv_.emplace_back(cell);
    for (const std::string& name : csv_)
      if (const auto unit = between(name, "max_", "_per_sec")) {
        scale_ = unit_of_rate(*unit, line.number);
        unit_ = record::valid_utf8(*unit);
        return;
      }
    throw Incomplete(line.number, "a heading without a rate");
  }

  void csv_row(std::string_view text, const Line& line) {
    const auto list = cells_of(text);
    ++piece_.rows;
    if (list.size() != csv_.size())
      return piece_.remark("import_row", line.number, "other columns than the heading: left out");
    if (may_be_cut(line, list.back(), -1)) return cut(line);
    const auto cell = [&](std::string_view name) -> std::string_view {
      for (std::size_t i = 0; i < csv_.size(); ++i)
        if (csv_[i] == name || (name == "rate" && holds(csv_[i], "_per_sec"))) return list[i];
      return {};
    };
    times_ = whole(cell("num_times"));
    elements_ = whole(cell("n_elements"));
    element_byte_ = whole(cell("sizeof")).value_or(8);
    if (!known(cell("function")))
      return piece_.remark("import_row", line.number, "a function that is not known: left out");
    add(cell("function"), cell("rate"), {cell("min_runtime"), cell("max_runtime"), cell("avg_runtime")},
        line);
  }

  struct Times {
    std::string_view min, max, mean;
  };
  void add(std::string_view function, std::string_view rate, Times times, const Line& line) {
    Point point("babelstream", lower(function), line.number);
    point.over_time = "best", point.over_ranks = "one", point.printed = unit_;
    point.take("bandwidth_byte_s", rate, scale_);
    point.note("min_time_s", times.min);
    point.note("max_time_s", times.max);
    point.note("avg_time_s", times.mean);
    if (elements_) point.set("elements", *elements_);
    point.set("element_byte", element_byte_);
    if (find_point(piece_, point) != nullptr)
      return piece_.remark("import_row", line.number,
                           "a function that stands in its table already: left out");
    piece_.points.push_back(std::move(point));
  }

  void complete(Point& point) {
    if (!point.record.params.contains("elements")) point.unknown.emplace_back("elements");
    if (model_.empty())
      point.unknown.emplace_back("model");
    else
      point.set("model", model_);
    if (times_ && *times_ > 1) point.record.schedule->ops = *times_ - 1;
    point.record.processes = 1;
    point.record.verified = verified_;
    if (!device_) return;
    point.record.memory_kind = "device";
    point.flag("buffers_device");
  }

  const Block& block_;
  Piece piece_;
  std::string model_, unit_;
  std::vector<std::string> csv_;
  std::optional<std::int64_t> times_, elements_;
  std::int64_t element_byte_ = 8;
  Scale scale_;
  std::optional<bool> verified_;
  bool headed_ = false, device_ = false;
  int decimals_ = -1;
};

}  // namespace

void read_stream(const Block& block, const Description& /*told*/, Pieces& pieces) {
  pieces.push_back(StreamReader(block).read());
}

void read_babelstream(const Block& block, const Description& /*told*/, Pieces& pieces) {
  pieces.push_back(BabelReader(block).read());
}

}  // namespace steelyard::foreign
