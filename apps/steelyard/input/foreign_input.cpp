// SPDX-License-Identifier: Apache-2.0
#include "input/foreign_input.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "analysis/comparison/run_filter.hpp"
#include "analysis/hpcc_summary.hpp"
#include "foreign/text.hpp"
#include "input/text_file.hpp"
#include "machine/build_info.hpp"
#include "machine/compression.hpp"
#include "options/checks.hpp"
#include "options/toml.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "suites/hpcc/summary_keys.hpp"
#include "suites/suite_list.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

// Description of one text by a file of --describe; words are as on the command line and not checked yet.
struct Described {
  struct Word {
    std::string origin, text;  // "old.toml:3:1: date"
  };
  std::optional<Word> as, date, timezone, name;
  std::vector<Word> set;  // NAME=VALUE
  std::vector<std::pair<std::string, std::string>> labels;
};

const std::vector<std::string> words_of_tables = {"match", "as", "set", "date", "timezone", "name", "label"};

/// A text, a number or a date of TOML as it would be written on the command line; nullopt for another type.
std::optional<std::string> plain_word(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  std::ostringstream out;
  if (const auto* number = node.as_integer())
    out << number->get();
  else if (const auto* day = node.as_date())
    out << day->get();
  else if (const auto* moment = node.as_date_time())
    out << moment->get();
  return out.str().empty() ? std::nullopt : std::optional(out.str());
}

/// Reads one table [[file]].
class TableReader {
 public:
  TableReader(const toml::table& table, const std::string& name) : table_(table), name_(name) {}

  [[nodiscard]] bool fits(const std::string& path) const {
    const auto pattern = table_["match"].value<std::string>();
    if (!pattern || pattern->empty())
      throw UsageError(place(table_) + ": needs match = \"PATTERN\", the files that it is about");
    const bool whole = pattern->find('/') != std::string::npos;
    const std::size_t slash = path.rfind('/');
    return comparison::matches(*pattern, whole || slash == std::string::npos ? path : path.substr(slash + 1));
  }

  void check_words() const { allow_words(table_, words_of_tables, name_); }

  void read(Described& to) const {
    for (const auto& [key, one] : {std::pair{"as", &Described::as},
                                   {"date", &Described::date},
                                   {"timezone", &Described::timezone},
                                   {"name", &Described::name}})
      if (const auto* node = table_.get(key)) to.*one = word(key, *node);
    each_pair("set", [&](const toml::node& at, const std::string& of, const std::string& value) {
      to.set.push_back({place(at) + ": set", of + '=' + value});
    });
    each_pair("label", [&](const toml::node&, const std::string& of, const std::string& value) {
      to.labels.emplace_back(of, value);
    });
  }

 private:
  [[nodiscard]] std::string place(const toml::node& node) const { return place_in(name_, node.source()); }

  [[nodiscard]] Described::Word word(const std::string& key, const toml::node& node) const {
    const auto text = plain_word(node);
    if (!text || text->empty()) throw UsageError(place(node) + ": " + key + ": must be a text in quotes");
    return {place(node) + ": " + key, *text};
  }

  /// Passes each pair of { NAME = VALUE, ... } to `take`.
  template <class Take>
  void each_pair(const char* key, const Take& take) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return;
    if (!node->is_table())
      throw UsageError(place(*node) + ": " + key + ": must be of the form { NAME = VALUE, ... }");
    for (const auto& [name, value] : *node->as_table())
      take(value, std::string(name.str()), word(key, value).text);
  }

  const toml::table& table_;
  const std::string& name_;
};

/// Passes each table [[file]] of a file of --describe to `take`.
template <class Take>
void each_table(std::string_view text, const std::string& name, const Take& take) {
  const toml::table root = parse_toml(text, name);
  for (const auto& [key, node] : root) {
    const toml::array* tables = node.as_array();
    if (key.str() != "file" || tables == nullptr)
      throw UsageError(place_in(name, key.source()) + ": [[file]] is expected");
    for (const toml::node& one : *tables) {
      if (!one.is_table()) throw UsageError(place_in(name, one.source()) + ": [[file]] is expected");
      const TableReader reader(*one.as_table(), name);
      reader.check_words();
      take(reader);
    }
  }
}

// Words of all tables [[file]] whose `match` fits the path (its last part, if `match` has no '/'), `*` and `?` as
// wildcards; later tables win. Throws UsageError with line, column and nearest word.
Described described(std::string_view text, const std::string& name, const std::string& path) {
  Described found;
  each_table(text, name, [&](const TableReader& reader) {
    if (reader.fits(path)) reader.read(found);
  });
  return found;
}

using foreign::Description;

struct Fact {
  std::string_view name;
  std::optional<int> Description::*count = nullptr;
  std::string Description::*word = nullptr;
};
constexpr std::array facts = {
    Fact{"processes", &Description::processes}, Fact{"threads", &Description::threads},
    Fact{"nodes", &Description::nodes},         Fact{"processes_per_node", &Description::processes_per_node},
    Fact{"mpi", nullptr, &Description::mpi},    Fact{"machine", nullptr, &Description::machine},
    Fact{"host", nullptr, &Description::host}};

void set_fact(const std::string& option, std::string_view name, std::string_view value, Description& told) {
  if (value.empty()) throw UsageError(option + ": '" + std::string(name) + "=' has no value");
  for (const Fact& fact : facts) {
    if (fact.name != name) continue;
    if (fact.word != nullptr) {
      told.*fact.word = value;
    } else {
      const auto number = foreign::count(value);
      if (!number)
        throw UsageError(option + ": '" + std::string(value) + "' is no number of " + std::string(name));
      told.*fact.count = *number;
    }
    return;
  }
  const bool is_name = std::ranges::all_of(
      name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || (c >= '0' && c <= '9'); });
  if (!is_name || name.empty())
    throw UsageError(option + ": '" + std::string(name) + "' is no name of a fact or a parameter");
  if (const auto number = foreign::whole(value))
    told.params[std::string(name)] = *number;
  else
    told.params[std::string(name)] = std::string(value);
}

/// Adds NAME=VALUE of an option or of a file to `told`.
void set_word(const std::string& option, std::string_view word, Description& told) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos)
    throw UsageError(option + ": '" + std::string(word) + "' is not of the form NAME=VALUE");
  set_fact(option, word.substr(0, equals), word.substr(equals + 1), told);
}

/// Passes each word of a list of --set to `take`, with the side that it is for.
template <class Take>
void each_of_set(std::string_view list, const Take& take) {
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string_view word = list.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    ComparedSide of = ComparedSide::both;
    if (word.starts_with("base:")) of = ComparedSide::base, word.remove_prefix(5);
    if (word.starts_with("new:")) of = ComparedSide::now, word.remove_prefix(4);
    take(word, of);
  }
}

void read_set(const Values& values, ComparedSide side, Description& told) {
  for (const std::string& list : values.list("set"))
    each_of_set(list, [&](std::string_view word, ComparedSide of) {
      if (of != ComparedSide::both && side == ComparedSide::both)
        throw UsageError("--set: sides belong to compare, which has two");
      if (of == ComparedSide::both || of == side) set_word("--set", word, told);
    });
}

/// "+02:00" as minutes before UTC.
int zone_minutes(const std::string& option, const std::string& word) {
  if (word == "UTC" || word == "Z") return 0;
  const bool fits = word.size() == 6 && (word[0] == '+' || word[0] == '-') && word[3] == ':';
  const auto hours = fits ? foreign::whole(word.substr(1, 2)) : std::nullopt;
  const auto minutes = fits ? foreign::whole(word.substr(4, 2)) : std::nullopt;
  if (!hours || !minutes || *hours > 14 || *minutes > 59)
    throw UsageError(option + ": '" + word + "' is not UTC, or of the form +02:00");
  const int all = static_cast<int>(60 * *hours + *minutes);
  return word[0] == '-' ? -all : all;
}

using Taken = std::map<std::string, std::string>;

/// Matches a template against a path; a word in braces takes as little as makes the rest fit, and never a '/'.
bool fits(std::string_view pattern, std::string_view path, Taken& found, int depth = 0) {
  if (pattern.empty()) return path.empty();
  if (depth > 64) return false;
  if (pattern[0] != '{')
    return !path.empty() && pattern[0] == path[0] && fits(pattern.substr(1), path.substr(1), found, depth);
  const std::size_t end = pattern.find('}');
  if (end == std::string_view::npos) throw UsageError("--path: a '{' without its '}'");
  const std::string name(pattern.substr(1, end - 1));
  for (std::size_t length = 1; length <= path.size(); ++length) {
    if (path[length - 1] == '/') return false;
    Taken kept = found;
    if (fits(pattern.substr(end + 1), path.substr(length), kept, depth + 1)) {
      kept[name] = path.substr(0, length);
      found = std::move(kept);
      return true;
    }
  }
  return false;
}

/// Throws UsageError unless a date has such a part.
void check_date_part(char part) {
  if (std::string_view("YmdHMS").find(part) == std::string_view::npos)
    throw UsageError(std::string("--path: '%") + part + "' is not one of %Y %m %d %H %M %S");
}

/// Date in a text by a format of %Y %m %d %H %M %S, each with all its digits; empty if it does not fit.
std::string date_by(const std::string& format, std::string_view text) {
  std::map<char, std::string> parts = {{'H', "00"}, {'M', "00"}, {'S', "00"}, {'m', "01"}, {'d', "01"}};
  std::size_t at = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      if (at == text.size() || text[at++] != format[i]) return {};
      continue;
    }
    const char part = format[++i];
    const std::size_t digits = part == 'Y' ? 4 : 2;
    check_date_part(part);
    if (at + digits > text.size()) return {};
    parts[part] = text.substr(at, digits);
    at += digits;
  }
  if (at != text.size() || !parts.contains('Y')) return {};
  return parts['Y'] + '-' + parts['m'] + '-' + parts['d'] + 'T' + parts['H'] + ':' + parts['M'] + ':' +
         parts['S'];
}

void read_path(const Values& values, const std::string& file, DescribedFile& to) {
  const auto pattern = values.word("path");
  if (!pattern) return;
  std::string path = file;
  const auto slashes = std::ranges::count(*pattern, '/');
  for (std::size_t i = path.size(); i > 0; --i)  // keeps as many folders as the template has
    if (path[i - 1] == '/' &&
        std::count(path.begin() + static_cast<std::ptrdiff_t>(i), path.end(), '/') == slashes) {
      path.erase(0, i);
      break;
    }
  Taken found;
  if (!fits(*pattern, path, found))
    throw PathMisfit("--path: '" + file + "' does not fit '" + *pattern + "'");
  for (const auto& [name, value] : found) {
    if (name == "*") continue;
    if (name.starts_with("date:")) {
      to.told.started_utc =
          foreign::date(date_by(name.substr(5), value), to.told.minutes_before_utc).value_or("");
      if (to.told.started_utc.empty())
        throw UsageError("--path: '" + value + "' is no date of the form " + name.substr(5));
      to.told.started_from = "path";
    } else if (name.starts_with("label.")) {
      to.labels.emplace_back(name.substr(6), value);
    } else {
      set_fact("--path", name, value, to.told);
    }
  }
}

/// "2023-05-04T10:00:00Z" of a date as a user writes it. Throws UsageError that begins with the option.
std::string date_word(const std::string& option, const std::string& word, int minutes_before_utc) {
  const auto found = foreign::date(word, minutes_before_utc);
  if (!found || word.size() < 10 || word[4] != '-')
    throw UsageError(option + ": '" + word +
                     "' is no date of the form 2023-05-04, 2023-05-04T10:00:00 or 2023-05-04T10:00+02:00");
  return *found;
}

/// Words about a file by --describe and by the command line, which is stronger.
Described described_in_words(const Values& values, const std::string& file) {
  const auto said = values.word("describe");
  Described found = said ? described(text_of_file(*said), *said, file) : Described{};
  for (const auto& [option, word] :
       {std::pair{"timezone", &Described::timezone}, {"date", &Described::date}, {"as", &Described::as}})
    if (values.said(option)) found.*word = {"--" + std::string(option), *values.word(option)};
  return found;
}

foreign::Format format_of(const Described::Word& word) {
  const auto format = foreign::format_named(word.text);
  if (!format) throw UsageError(word.origin + ": '" + word.text + "' is none of " + foreign::known_formats());
  return *format;
}

/// The metric of a figure of the Summary, by its base unit.
constexpr auto metrics = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"flop/s", "flop_rate_flop_s"},
    {"update/s", "update_rate_update_s"},
    {"byte/s", "bandwidth_byte_s"},
    {"s", "time_s"},
});

int whole(const record::Members& summary, std::string_view key, int otherwise) {
  const auto number = record::whole_of(record::find(summary, key));
  return number && *number > 0 ? static_cast<int>(*number) : otherwise;
}

/// Unit of a figure: times of checks and norms, in plain units, are none, and keys of our own, Sy_..., neither.
std::optional<hpcc::KeyUnit> unit_of_figure(std::string_view key) {
  if (is_outside_summary(key)) return hpcc::unit_by_ending(key);
  const auto unit = hpcc::summary_key(key) == nullptr ? std::nullopt : hpcc::key_unit(key);
  return unit && unit->size != 1 ? unit : std::nullopt;
}

/// A point for each rate and latency.
std::vector<record::PointRecord> points_of(const record::Members& summary) {
  std::vector<record::PointRecord> points;
  for (const auto& [key, value] : summary) {
    const auto unit = unit_of_figure(key);
    if (!unit) continue;
    const auto* metric = std::ranges::find(metrics, unit->base, [](const auto& one) { return one.first; });
    const auto number = record::number_of(&value);
    const bool is_measured = number && *number > 0;  // -1 stands for what was not run
    if (metric == metrics.end() || !is_measured) continue;
    record::PointRecord point;
    point.suite = "hpcc";
    point.benchmark = key;
    point.processes = whole(summary, "CommWorldProcs", 1);
    point.threads = whole(summary, "STREAM_Threads", 1);
    point.key = record::make_key(point.suite, key, point.processes, point.threads, 1, {});
    point.metrics.emplace_back(metric->second, *number * unit->size);
    point.primary = metric->second;
    point.lower_is_better = metric->second == "time_s";
    points.push_back(std::move(point));
  }
  return points;
}

/// Time at which a file was changed last; empty for standard input, and for what has no name, as what was held.
std::string time_of_file(const std::string& file) {
  struct stat status {};
  if (file == "-" || ::stat(file.c_str(), &status) != 0 || status.st_nlink == 0) return {};
  return foreign::utc_of(static_cast<std::int64_t>(status.st_mtime));
}

bool is_record(std::string_view text) {
  return text.find("\"steelyard.") != std::string_view::npos;
}

/// Member `program` of the records, which this program writes, whatever wrote the text.
record::Json program() {
  const auto& info = machine::build_info();
  record::Json build{{"type", info.type}, {"compiler", info.compiler}};
  return {{"name", "steelyard"}, {"version", info.version}, {"build", std::move(build)}};
}

}  // namespace

void check_set(std::string_view list) {
  Description told;
  each_of_set(list, [&](std::string_view word, ComparedSide) { set_word("--set", word, told); });
}

void check_date_word(std::string_view word) {
  static_cast<void>(date_word("--date", std::string(word), 0));
}

void check_timezone(std::string_view word) {
  static_cast<void>(zone_minutes("--timezone", std::string(word)));
}

void check_path(std::string_view pattern) {
  if (pattern.find('{') == std::string_view::npos)
    throw UsageError("--path: '" + std::string(pattern) + "' has no word in braces, as {processes}");
  Description told;
  for (auto open = pattern.find('{'); open != std::string_view::npos; open = pattern.find('{', open + 1)) {
    const auto close = pattern.find('}', open);
    if (close == std::string_view::npos) throw UsageError("--path: a '{' without its '}'");
    const std::string_view name = pattern.substr(open + 1, close - open - 1);
    const bool is_date = name.starts_with("date:");
    for (std::size_t at = 0; is_date && at + 1 < name.size(); ++at)
      if (name[at] == '%') check_date_part(name[++at]);
    if (!is_date && name != "*" && !name.starts_with("label.")) set_fact("--path", name, "1", told);
  }
}

void check_described(std::string_view file) {
  const std::string name(file);
  if (name == "-") return;  // can be read but once
  each_table(text_of_file(name), name, [](const TableReader& reader) {
    static_cast<void>(reader.fits(""));
    Described words;
    reader.read(words);
  });
}

DescribedFile description_of(const Values& values, const std::string& file, ComparedSide side) {
  const Described words = described_in_words(values, file);
  DescribedFile to;
  if (words.timezone) to.told.minutes_before_utc = zone_minutes(words.timezone->origin, words.timezone->text);
  to.told.zone_told = words.timezone.has_value();
  if (words.date)
    to.told.started_utc = date_word(words.date->origin, words.date->text, to.told.minutes_before_utc);
  read_path(values, file, to);
  for (const auto& one : words.set) set_word(one.origin, one.text, to.told);
  read_set(values, side, to.told);
  if (words.as) to.told.format = format_of(*words.as);
  if (words.name) to.name = words.name->text;
  to.labels.insert(to.labels.end(), words.labels.begin(), words.labels.end());
  return to;
}

std::string plain_text_of(const std::string& file) {
  std::string text = text_of_file(file);
  if (!text.starts_with("\x1f\x8b")) return text;
  auto plain = machine::unpacked(text);
  if (!plain) throw record::ReadError(file + ": is compressed, and cannot be unpacked");
  return std::move(*plain);
}

bool is_foreign_file(const std::string& file) {
  if (!can_be_read_again(file) || file.ends_with(".jsonl") || file.ends_with(".jsonl.gz") ||
      begins_with(file, begin_of_records))
    return false;
  return is_foreign_text(plain_text_of(file));
}

bool is_foreign_text(std::string_view text) {
  return !is_record(text) && foreign::is_foreign(text);
}

foreign::Reading read_foreign(const std::string& file, const std::string& text, const DescribedFile& told) {
  try {
    auto reading = foreign::read({file, text, time_of_file(file)}, told.told);
    if (reading.runs.empty() && !reading.refused.empty())
      throw record::ReadError(file + ": " + foreign::text(reading.refused.front()));
    for (const auto& refused : reading.refused)
      std::cerr << "steelyard: warning: " << file << ": " << foreign::text(refused) << ": left out\n";
    for (record::Run& run : reading.runs) {
      run.head.program = program();
      run.head.labels = told.labels;
      if (!told.name.empty()) run.head.name = told.name;
    }
    return reading;
  } catch (const foreign::Contradiction& error) {
    throw UsageError(file + ": " + error.what());
  } catch (const foreign::Unreadable& error) {
    throw record::ReadError(file + ": " + error.what());
  }
}

void refuse_unused(const std::string& where, std::span<const foreign::Reading* const> readings) {
  std::map<std::string, std::size_t> unused;
  std::vector<std::string> known = {"processes", "threads", "nodes", "processes_per_node",
                                    "mpi",       "machine", "host"};
  for (const foreign::Reading* reading : readings) {
    for (const std::string& name : reading->unused) ++unused[name];
    known.insert(known.end(), reading->parameters.begin(), reading->parameters.end());
  }
  for (const auto& [name, count] : unused) {
    if (count < readings.size()) continue;
    throw UsageError("--set " + name + "=: no point of " + where + " has or lacks a parameter of that name" +
                     units::did_you_mean(name, known));
  }
}

std::vector<record::Run> foreign_runs(const std::string& file, const DescribedFile& told) {
  return foreign_runs(file, plain_text_of(file), told);
}

std::vector<record::Run> foreign_runs(const std::string& file, const std::string& text,
                                      const DescribedFile& told) {
  foreign::Reading reading = read_foreign(file, text, told);
  const foreign::Reading* const only[] = {&reading};
  refuse_unused("'" + file + "'", only);
  return std::move(reading.runs);
}

record::FileContent content_of(const std::vector<record::Run>& runs) {
  record::FileContent content;
  for (const record::Run& run : runs) {
    std::int64_t seq = 0;
    const auto add = [&](record::Body body) {
      content.records.push_back({{run.id, 1, seq++, 0}, std::move(body)});
    };
    add(run.head);
    for (const auto& point : run.points) add(point);
    for (const auto& summary : run.summaries) add(summary);
    for (const auto& event : run.events) add(event);
    if (run.end) add(*run.end);
  }
  return content;
}

void add_foreign_name(const record::PointRecord& point, std::set<std::string>& names) {
  if (record::is_imported(point)) names.insert(point.suite + '/' + point.benchmark);
}

std::set<std::string> selected_names(const std::vector<std::string>& patterns,
                                     const std::set<std::string>& foreign) {
  std::set<std::string> names;
  std::vector<std::string> ours;
  for (const std::string& pattern : patterns) {
    const std::string whole = pattern.find('/') == std::string::npos ? pattern + "/*" : pattern;
    bool meant = false;
    for (const std::string& name : foreign)
      if (comparison::matches(whole, name)) names.insert(name), meant = true;
    if (!meant || !foreign::is_suite(whole.substr(0, whole.find('/')))) ours.push_back(pattern);
  }
  const auto all = suites::definitions();
  if (!ours.empty())
    for (const auto& one : campaign::select(ours, {}, suites::pointers(all)))
      names.insert(std::string(one.suite->name()) + '/' + one.benchmark);
  return names;
}

bool has_figures_alone(const record::Run& run) {
  return record::text_in(run.head.imported.json(), "format") == "hpcc";
}

bool is_outside_summary(std::string_view key) {
  return hpcc::summary_key(key) == nullptr && !key.starts_with("Sy_");
}

std::vector<std::string> numbers_without_unit(const record::Run& run) {
  std::vector<std::string> keys;
  for (const record::SummaryRecord& summary : run.summaries)
    for (const auto& [key, value] : summary.classic)
      if (summary.name == "hpcc" && is_outside_summary(key) && record::number_of(&value) &&
          !hpcc::unit_by_ending(key))
        keys.push_back(key);
  return keys;
}

record::Run figures_of(record::Run run) {
  const auto made = std::ranges::find(run.summaries, "hpcc", &record::SummaryRecord::name);
  const auto summary = made != run.summaries.end()
                           ? std::optional(*made)
                           : analysis::hpcc_summary(run.points, analysis::hpcc_frame(run.head));
  run.points = summary ? points_of(summary->classic) : std::vector<record::PointRecord>();
  run.envelopes.assign(run.points.size(), {});
  return run;
}

}  // namespace steelyard::cli
