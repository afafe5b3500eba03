// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "foreign/ior.hpp"

namespace steelyard::foreign {
namespace {

using record::Json;

std::optional<std::int64_t> whole_in(const Json& object, std::string_view name) {
  const auto value = real_in(object, name);
  return value && *value >= 0 && *value < 9e15 && *value == std::floor(*value)
             ? std::optional(static_cast<std::int64_t>(*value))
             : std::nullopt;
}

std::optional<int> count_in(const Json& object, std::string_view name) {
  const auto value = whole_in(object, name);
  return value && *value >= 1 && *value <= 1'000'000'000 ? std::optional(static_cast<int>(*value))
                                                         : std::nullopt;
}

void read_options(const Json& options, IorTest& test) {
  if (const auto api = word_in(options, "api"); !api.empty()) test.params["api"] = record::valid_utf8(api);
  test.tasks = count_in(options, "tasks");
  if (!test.tasks) test.tasks = count_in(options, "numTasks");
  test.nodes = count_in(options, "nodes");
  if (const auto access = word_in(options, "access"); !access.empty())
    set_yes(test.params, "file_per_process", access.starts_with("file-per-process"));
  if (const auto type = word_in(options, "type"); !type.empty())
    set_yes(test.params, "collective", type.starts_with("collective"));
  if (const auto order = word_in(options, "ordering in a file"); !order.empty())
    set_yes(test.params, "random", order.starts_with("random"));
  if (const auto order = word_in(options, "ordering inter file"); !order.empty())
    set_yes(test.params, "reorder", !order.starts_with("no"));
  if (const auto segments = whole_in(options, "segments")) test.params["segments"] = *segments;
  for (const auto& [name, param] :
       {std::pair<const char*, const char*>{"xfersize", "transfer_byte"}, {"blocksize", "block_byte"}})
    if (const auto size = ior_size(word_in(options, name))) test.params[param] = *size;
}

void read_result(const Json& row, IorTest& test, std::size_t line) {
  const std::string access = word_in(row, "access");
  if (access != "write" && access != "read") return;
  Repetitions& all = test.operations[access];
  all.line = line;
  const auto rate = real_in(row, "bwMiB");
  if (rate && *rate > 0 && all.byte_s.size() < 100000) all.byte_s.push_back(*rate * mebi.factor);
  for (const auto& [name, param] :
       {std::pair<const char*, const char*>{"blockKiB", "block_byte"}, {"xferKiB", "transfer_byte"}})
    if (const auto size = real_in(row, name); size && *size > 0 && *size < 9e12)
      test.params[param] = static_cast<std::int64_t>(std::llround(*size * kibi.factor));
}

void read_summary(const Json& row, IorTest& test) {
  const std::string operation = word_in(row, "operation");
  if (operation != "write" && operation != "read") return;
  const auto found = test.operations.find(operation);
  if (found == test.operations.end()) return;
  Repetitions& all = found->second;
  const auto printed = [&](const char* name) {
    const auto value = real_in(row, name);
    return value && *value > 0 ? std::optional(Number{*value * mebi.factor, 0}) : std::nullopt;
  };
  all.mean = printed("bwMeanMIB"), all.max = printed("bwMaxMIB"), all.min = printed("bwMinMIB"),
  all.sd = printed("bwStdMIB");
  if (const auto operations = real_in(row, "OPsMean")) all.operations_mean = Number{*operations, 0};
  if (!test.tasks) test.tasks = count_in(row, "numTasks");
}

}  // namespace

Piece read_ior_document(const Block& block, const Description& told) {
  const Json document = json_of(block);
  Piece piece(block, word_in(document, "Version"));
  piece.started_utc = date(word_in(document, "Began"), told.minutes_before_utc).value_or("");
  if (const auto machine = words_of(word_in(document, "Machine")); machine.size() > 1)
    piece.machine["hostname"] = record::valid_utf8(machine[1]);
  bool warned = false;
  for (const Line& line : block.lines)
    if (is_warning(line.text)) {
      warned = true;
      piece.remark("import_warning", line.number, record::valid_utf8(trimmed(line.text).substr(0, 200)));
    }
  if (block.warned) {
    warned = true;
    piece.remark("import_warning", block.warned->number,
                 record::valid_utf8(trimmed(block.warned->text).substr(0, 200)));
  }
  const Json tests = document.is_object() && document.contains("tests") ? document["tests"] : Json();
  const Json summaries = document.is_object() && document.contains("summary") ? document["summary"] : Json();
  for (std::size_t i = 0; tests.is_array() && i < tests.size(); ++i) {
    const Json& one = tests[i];
    if (!one.is_object()) continue;
    IorTest test;
    test.warned = warned;
    const std::string command = word_in(document, "Command line");
    for (const std::string_view word : words_of(command))
      if (word == "-e") set_yes(test.params, "fsync", true);
    for (const char* name : {"Options", "Parameters"})
      if (one.contains(name)) read_options(one[name], test);
    if (one.contains("Results") && one["Results"].is_array())
      for (const Json& rows : one["Results"]) {
        if (rows.is_object()) read_result(rows, test, block.first_line());
        if (rows.is_array())
          for (const Json& row : rows) read_result(row, test, block.first_line());
      }
    if (tests.size() == 1 && summaries.is_array())
      for (const Json& row : summaries) read_summary(row, test);
    finish_test(test, piece);
  }
  piece.rows = piece.points.size();
  if (piece.points.empty()) throw Incomplete(block.first_line(), "a document of IOR without results");
  piece.truncated = !block.ended;
  return piece;
}

}  // namespace steelyard::foreign
