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
  auto& params = test.params;
  if (const auto api = word_in(options, "api"); !api.empty()) params["api"] = record::valid_utf8(api);
  test.tasks = count_in(options, "tasks");
  test.nodes = count_in(options, "nodes");
  if (const auto access = word_in(options, "access"); !access.empty())
    set_yes(params, "file_per_process", access.starts_with("file-per-process"));
  if (const auto type = word_in(options, "type"); !type.empty())
    set_yes(params, "collective", type.starts_with("collective"));
  if (const auto order = word_in(options, "ordering in a file"); !order.empty())
    set_yes(params, "random", order.starts_with("random"));
  if (const auto order = word_in(options, "ordering inter file"); !order.empty())
    params["reorder"] = order_of_tasks(order);
  if (const auto segments = whole_in(options, "segments")) params["segments"] = *segments;
  for (const auto& [name, param] :
       {std::pair<const char*, const char*>{"xfersize", "transfer_byte"}, {"blocksize", "block_byte"}})
    if (const auto size = ior_size(word_in(options, name))) params[param] = *size;
  if (const auto limit = whole_in(options, "stonewallingTime"); limit.value_or(0) > 0)
    params["stonewall_s"] = *limit;
}

/// Reads the part that has the options once more, by their names in the program: sizes are whole bytes there.
/// It says neither more nor less, but some writers leave the other part out.
void read_parameters(const Json& parameters, IorTest& test) {
  auto& params = test.params;
  if (const auto api = word_in(parameters, "api"); !api.empty())
    params.emplace("api", record::valid_utf8(api));
  if (!test.tasks) test.tasks = count_in(parameters, "numTasks");
  if (!test.nodes) test.nodes = count_in(parameters, "nodes");
  for (const auto& [name, param] : {std::pair<const char*, const char*>{"filePerProc", "file_per_process"},
                                    {"collective", "collective"},
                                    {"randomOffset", "random"}})
    if (const auto flag = whole_in(parameters, name))
      params.emplace(param, std::string(*flag > 0 ? "yes" : "no"));
  const auto constant = whole_in(parameters, "reorderTasks"),
             random = whole_in(parameters, "reorderTasksRandom");
  if (constant && random) params.emplace("reorder", order_of_tasks(*constant > 0, *random > 0));
  if (const auto segments = whole_in(parameters, "segmentCount")) params.emplace("segments", *segments);
  for (const auto& [name, param] :
       {std::pair<const char*, const char*>{"transferSize", "transfer_byte"}, {"blockSize", "block_byte"}})
    if (const auto size = whole_in(parameters, name); size.value_or(0) > 0) params[param] = *size;
  if (const auto limit = whole_in(parameters, "deadlineForStonewall"); limit.value_or(0) > 0)
    params.emplace("stonewall_s", *limit);
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
    if (const auto size = real_in(row, name);
        size && *size > 0 && *size < 9e12 && !test.params.contains(param))
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
  const auto per_node = count_in(row, "tasksPerNode");
  if (!test.nodes && test.tasks && per_node && *test.tasks % *per_node == 0)
    test.nodes = *test.tasks / *per_node;
}

/// True if a row of the summary is about a test; one that does not say so is about the only test.
bool is_about(const Json& row, const IorTest& test, bool only) {
  const auto id = whole_in(row, "TestID");
  return only || (id && id == test.id);
}

}  // namespace

Piece read_ior_document(const Block& block, const Description& told) {
  const Json document = json_of(block);
  Piece piece(block, word_in(document, "Version"));
  piece.started_utc = date(word_in(document, "Began"), told.minutes_before_utc).value_or("");
  const std::string system = word_in(document, "Machine");  // outlives the words that are parts of it
  if (const auto machine = words_of(system); machine.size() > 1)
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
  const Json tests = member_in(document, "tests");
  const Json summaries = member_in(document, "summary");
  for (std::size_t i = 0; tests.is_array() && i < tests.size(); ++i) {
    const Json& one = tests[i];
    if (!one.is_object()) continue;
    IorTest test;
    test.warned = warned;
    const std::string command = word_in(document, "Command line");
    for (const std::string_view word : words_of(command))
      if (word == "-e") set_yes(test.params, "fsync", true);
    test.id = whole_in(one, "TestID");
    if (!test.id) test.id = static_cast<std::int64_t>(i);
    if (one.contains("Options")) read_options(one["Options"], test);
    if (one.contains("Parameters")) read_parameters(one["Parameters"], test);
    if (one.contains("Results") && one["Results"].is_array())
      for (const Json& rows : one["Results"]) {
        if (rows.is_object()) read_result(rows, test, block.first_line());
        if (rows.is_array())
          for (const Json& row : rows) read_result(row, test, block.first_line());
      }
    for (std::size_t k = 0; summaries.is_array() && k < summaries.size(); ++k)
      if (is_about(summaries[k], test, tests.size() == 1)) read_summary(summaries[k], test);
    finish_test(test, piece);
  }
  piece.rows = piece.points.size();
  if (piece.points.empty()) throw Incomplete(block.first_line(), "a document of IOR without results");
  piece.truncated = !block.ended;
  return piece;
}

}  // namespace steelyard::foreign
