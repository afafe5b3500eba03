// SPDX-License-Identifier: Apache-2.0
#include "record/file.hpp"
#include "record/members.hpp"
#include "targets.hpp"

namespace steelyard::fuzz {
namespace {

/// Members of members, where they stand in the text.
void walk(const record::ScannedLine& line, const record::ScannedLine::Value& object, int depth) {
  line.each_member(object, [&](std::string_view name, const record::ScannedLine::Value& value) {
    const char *begin = line.whole().text.data(), *end = begin + line.whole().text.size();
    require(name.data() > begin && name.data() + name.size() < end, "a name outside of its line");
    require(value.text.data() > name.data() && value.text.data() + value.text.size() <= end,
            "a value outside of its line");
    if (depth < 8) walk(line, value, depth + 1);
    static_cast<void>(record::plain_text(value.text));
    static_cast<void>(record::plain_number(value.text));
    return true;
  });
}

/// What is a record has its run where a reader of very many lines looks for it. Escapes and a byte order mark are left to
/// those who read a line whole.
void scanned_alike(std::string_view input, const record::Record& record) {
  if (input.find('\\') != std::string_view::npos || input.starts_with('\xef')) return;
  record::ScannedLine line;
  std::string run;
  require(line.scan(input), "a record is no whole line");
  const bool whole = line.each_member(line.whole(), [&](std::string_view name, const auto& value) {
    if (const auto text = name == "run" ? record::plain_text(value.text) : std::nullopt) run = *text;
    return true;
  });
  require(whole, "a record is no object");
  require(run.empty() || run == record.envelope.run, "a record of another run");
}

/// What this program writes of a line that it has read is what it writes of its own line.
void same_again(const record::Record& record) {
  const std::string once = record::to_line(record);
  const auto again = record::from_line(once);
  require(again.has_value(), "a record is printed as one of unknown type");
  require(record::to_line(*again) == once, "a record is printed as another");
}

}  // namespace

void read_result_line(std::string_view input) {
  record::ScannedLine line;
  if (line.scan(input)) walk(line, line.whole(), 0);
  accepts<record::ReadError>([&] {
    const auto record = record::from_line(input);
    if (!record) return;
    same_again(*record);
    scanned_alike(input, *record);
  });
}

void read_result_file(std::string_view input) {
  const TextFile file(input);
  const auto all = record::parse_run_choice("all");
  accepts<record::ReadError>(
      [&] {
        const auto content = record::read(file.path(), all);
        accepts<record::ReadError>([&] {
          for (const auto& run : record::runs(content))
            require(run.points.size() == run.envelopes.size(), "points without envelopes");
        });
      },
      [&](const std::string& what) { require(what.starts_with(file.path()), "an error without its file"); });
  accepts<record::ReadError>([&] { static_cast<void>(record::read(file.path())); });
}

}  // namespace steelyard::fuzz
