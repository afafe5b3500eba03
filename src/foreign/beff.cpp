// SPDX-License-Identifier: Apache-2.0
#include "foreign/readers.hpp"

namespace steelyard::foreign {
namespace {

/// "9709.549SHORT" as the number and the word that is glued to it.
std::pair<std::string_view, std::string_view> cut_word(std::string_view word) {
  const std::size_t end = std::min(word.find_first_not_of("+-0123456789.eE"), word.size());
  return {word.substr(0, end), word.substr(end)};
}

void put_machine(std::string_view text, Piece& piece) {
  const auto words = words_of(text.substr(0, std::min(text.find(','), text.size())));
  const char* names[] = {"sysname", "nodename", "release"};
  for (std::size_t i = 0; i < words.size() && i < std::size(names); ++i)
    piece.machine["uname"][names[i]] = record::valid_utf8(words[i]);
  if (words.size() > 1) piece.machine["hostname"] = record::valid_utf8(words[1]);
}

/// The last line that begins with a word and is whole; nullptr: there is none.
const Line* last_line(const Block& block, std::string_view word, std::string_view later = {}) {
  const Line* found = nullptr;
  for (const Line& line : block.lines)
    if (begins(line.text, word) && holds(line.text, later)) found = &line;
  return found;
}

void find_date(const Block& block, const Told& told, Piece& piece) {
  for (const Line& line : block.lines)
    for (const std::string_view word : {"Date of measurement:", "Date:", "Date of this measurement:"})
      if (const auto text = behind(line.text, word))
        if (const auto found = date(*text, told.minutes_before_utc)) {
          piece.started_utc = *found;
          return;
        }
}

}  // namespace

void read_beff(const Block& block, const Told& told, Pieces& pieces) {
  Piece piece(block);
  find_date(block, told, piece);
  const Line* line = last_line(block, "b_eff", "PEs with");
  const auto processes = line == nullptr ? std::nullopt : between(line->text, "*", "PEs with");
  const auto rate = line == nullptr ? std::nullopt : behind(line->text, "=");
  const auto words = rate ? words_of(*rate) : std::vector<std::string_view>();
  if (!processes || !count(*processes) || words.empty() || !holds(line->text, "/PE on "))
    throw Refusal(block.last_line(), "the last line 'b_eff = ... PEs with ...' is missing or cut off");
  const auto [figure, mark] = cut_word(words[0]);
  const auto value = number(figure, mega);
  if (!value || !(value->value > 0))
    throw Refusal(line->number, "'" + record::valid_utf8(words[0]) + "' is no rate");
  piece.processes = *count(*processes);
  record::SummaryRecord summary;
  summary.name = "b_eff", summary.suite = "b-eff";
  summary.processes = *piece.processes;
  summary.values = {{"b_eff_byte_s", value->value},
                    {"b_eff_per_process_byte_s", value->value / *piece.processes}};
  if (const auto memory = between(line->text, "PEs with", "MB/PE"))
    if (const auto size = number(*memory, mebi); size && size->value < 9e15 && size->value >= 0)
      summary.classic.emplace_back("memory_per_process_byte", static_cast<std::int64_t>(size->value));
  // SHORT or TEST stands behind the name or the number.
  const auto name = trimmed(line->text.substr(0, line->text.find('=')));
  const auto kind = mark.empty() ? name.substr(std::string_view("b_eff").size()) : mark;
  if (!kind.empty()) {
    summary.official = false;
    summary.not_official_because = {record::valid_utf8(kind)};
  }
  if (const auto machine = behind(line->text, "/PE on ")) put_machine(*machine, piece);
  piece.summaries.push_back(std::move(summary));
  piece.truncated = !line->ended && block.lines.size() > 1;
  pieces.push_back(std::move(piece));
}

void read_beffio(const Block& block, const Told& told, Pieces& pieces) {
  Piece piece(block);
  find_date(block, told, piece);
  const auto first = block.lines.front().text;
  if (const auto release = behind(first, "b_eff_io.c, Revision")) {
    const auto words = words_of(*release);
    if (!words.empty()) piece.release = record::valid_utf8(words[0]);
  }
  const Line* line = last_line(block, "b_eff_io =");
  const auto processes = line == nullptr ? std::nullopt : between(line->text, " on ", "processes");
  const auto words =
      line == nullptr ? std::vector<std::string_view>() : words_of(*behind(line->text, "b_eff_io ="));
  if (!processes || !count(*processes) || words.empty() || !holds(line->text, "MByte/PE"))
    throw Refusal(block.last_line(),
                  "the last line 'b_eff_io = ... processes with ...' is missing or cut off");
  piece.processes = *count(*processes);
  record::SummaryRecord summary;
  summary.name = "b_eff_io", summary.suite = "b-eff-io";
  summary.processes = *piece.processes;
  const auto value = number(cut_word(words[0]).first, mega);
  if (value && value->value > 0) {
    summary.values = {{"b_eff_io_byte_s", value->value}};
  } else {  // -999.999 where its own check failed
    summary.verified = false;
    piece.remark("import_warning", line->number,
                 "'" + record::valid_utf8(words[0]) + "': its program found errors");
  }
  if (const auto memory = between(line->text, "processes with", "MByte/PE"))
    if (const auto size = number(*memory, mebi); size && size->value < 9e15 && size->value >= 0)
      summary.classic.emplace_back("memory_per_process_byte", static_cast<std::int64_t>(size->value));
  if (const auto minutes = between(line->text, "scheduled time=", "Min"))
    if (const auto time = number(*minutes, {0, 60.0}))
      summary.classic.emplace_back("scheduled_s", time->value);
  if (const auto reason = behind(line->text, "NOT VALID")) {
    summary.official = false;
    summary.not_official_because = {"NOT VALID" +
                                    (reason->empty() ? std::string() : " " + record::valid_utf8(*reason))};
  }
  for (const Line& one : block.lines)
    if (holds(one.text, "ERRORS") && !holds(one.text, "no ERRORS")) summary.verified = false;
  if (const auto machine = between(line->text, "Min,", ","))
    put_machine(machine->starts_with("on ") ? machine->substr(3) : *machine, piece);
  piece.summaries.push_back(std::move(summary));
  piece.truncated = !block.ended;
  pieces.push_back(std::move(piece));
}

}  // namespace steelyard::foreign
