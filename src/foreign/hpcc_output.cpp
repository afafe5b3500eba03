// SPDX-License-Identifier: Apache-2.0
#include "foreign/hpcc_output.hpp"

#include <charconv>
#include <cmath>
#include <optional>

#include "foreign/text.hpp"

namespace steelyard::foreign {
namespace {

constexpr std::string_view reader_heading = "HPC Challenge Benchmark",
                           begin_mark = "Begin of Summary section.", end_mark = "End of Summary section.",
                           host_mark = "Hostname: '", time_mark = "Current time (";

template <class T>
std::optional<T> whole_word(std::string_view word) {
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = error == std::errc{} && end == word.data() + word.size();
  return whole ? std::optional(value) : std::nullopt;
}

record::Value summary_value(std::string_view word) {
  if (const auto count = whole_word<std::int64_t>(word)) return *count;
  if (const auto real = whole_word<double>(word); real && std::isfinite(*real)) return *real;
  return record::valid_utf8(word);
}

class SummaryReader {
 public:
  void line(std::string_view text) {
    ++number_;
    if (text == begin_mark) {
      inside_ = true;
      found_.clear();
      fault_.clear();
    } else if (text == end_mark) {
      finish();
    } else if (inside_ && !text.empty()) {
      pair(text);
    } else if (text.starts_with(host_mark)) {
      output_.host = record::valid_utf8(text.substr(host_mark.size(), text.rfind('\'') - host_mark.size()));
    } else if (text.starts_with(time_mark) && output_.date.empty()) {
      output_.date = record::valid_utf8(text.substr(std::min(text.find(" is ") + 4, text.size())));
    }
  }

  HpccOutput take() {
    if (!complete_)
      throw TextError(inside_ ? "line " + std::to_string(number_) +
                                    ": the Summary section is cut off before '" + std::string(end_mark) + "'"
                              : "no Summary section: expected a line '" + std::string(begin_mark) + "'");
    return std::move(output_);
  }

 private:
  void finish() {
    if (inside_ && !fault_.empty()) throw TextError(fault_);
    if (inside_) output_.summary = std::move(found_);
    complete_ = complete_ || inside_;
    inside_ = false;
  }

  void pair(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      if (fault_.empty())
        fault_ = "line " + std::to_string(number_) + ": expected key=value in the Summary, got '" +
                 record::valid_utf8(text.substr(0, 60)) + "'";
      return;
    }
    found_.emplace_back(record::valid_utf8(trimmed(text.substr(0, equals))),
                        summary_value(trimmed(text.substr(equals + 1))));
  }

  HpccOutput output_;
  record::Members found_;
  bool inside_ = false, complete_ = false;
  std::size_t number_ = 0;
  std::string fault_;  // of a section that may turn out to be cut off, which is no fault of its lines
};

}  // namespace

bool is_hpcc_output(std::string_view text) {
  return text.find(reader_heading) != std::string_view::npos ||
         text.find(begin_mark) != std::string_view::npos;
}

HpccOutput read_hpcc_output(std::string_view text) {
  SummaryReader reader;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.line(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.take();
}

}  // namespace steelyard::foreign
