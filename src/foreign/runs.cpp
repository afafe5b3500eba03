// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "foreign/readers.hpp"

namespace steelyard::foreign {
namespace {

using record::Json;

constexpr std::size_t most_events = 200;  // of one run: the rest is counted

std::string shown(const record::Value& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  if (const auto* whole_value = std::get_if<std::int64_t>(&value)) return std::to_string(*whole_value);
  return "another value";
}

[[noreturn]] void contradict(const std::string& text_says, std::size_t line, const std::string& told_says) {
  throw Contradiction("says " + text_says + " (line " + std::to_string(line) + "), --set says " + told_says);
}

/// What the user said of the points that the text does not tell.
void add_told(Point& point, const Description& told) {
  auto& params = point.record.params;
  for (const auto& [name, value] : told.params) {
    if (name == "benchmark") continue;
    const auto unknown = std::ranges::find(point.unknown, name);
    if (unknown != point.unknown.end()) {
      params[name] = value;
      point.unknown.erase(unknown);
    } else if (const auto* said = record::find(params, name); said != nullptr && *said != value) {
      contradict(name + ' ' + shown(*said), point.line, shown(value));
    }
  }
}

Json import_of(const Point& point) {
  Json json{{"line", static_cast<std::int64_t>(point.line)}};
  if (point.step) json["step"] = *point.step;
  json["over_time"] = point.over_time;
  json["over_ranks"] = point.over_ranks;
  if (!point.unknown.empty()) json["unknown_params"] = point.unknown;
  json["printed"] = point.printed;
  return json;
}

void complete(Point& point, const Piece& piece) {
  auto& record = point.record;
  record.imported = import_of(point);
  if (record.status == record::Status::failed || record.status == record::Status::skipped) {
    record.metrics.clear();
    if (record.status == record::Status::skipped) record.schedule.reset();
    if (record.status == record::Status::skipped) record.primary.clear();
  }
  const bool warned =
      std::ranges::any_of(piece.remarks, [](const Remark& one) { return one.code == "import_warning"; });
  if (warned) point.flag("warned_by_program");
  record.key = record::make_key(record.suite, record.benchmark, record.processes, record.threads,
                                record.groups, record.params);
}

/// Whether the number of processes is printed, and not that of a program that has one alone.
bool says_processes(Format format) {
  return format != Format::stream && format != Format::babelstream && format != Format::fio;
}

class RunMaker {
 public:
  RunMaker(const Source& source, const Description& told)
      : source_(source), told_(told), digest_(record::sha256(source.text)) {}

  void take(Piece piece) {
    if (told_.processes && piece.processes && says_processes(piece.format) &&
        *told_.processes != *piece.processes)
      contradict(std::to_string(*piece.processes) + " processes", piece.first_line,
                 std::to_string(*told_.processes));
    if (told_.nodes && piece.nodes && piece.format != Format::stream && *told_.nodes != *piece.nodes)
      contradict(std::to_string(*piece.nodes) + " nodes", piece.first_line, std::to_string(*told_.nodes));
    if (runs_.empty() || !belongs(piece)) begin(piece);
    for (Point& point : piece.points) {
      complete(point, piece);
      if (keys_.contains(point.record.key)) begin(piece);
      add(std::move(point.record));
    }
    for (auto& summary : piece.summaries) {
      const auto same = [&](const record::SummaryRecord& one) {
        return one.name == summary.name && one.processes == summary.processes;
      };
      if (std::ranges::any_of(runs_.back().summaries, same)) begin(piece);
      runs_.back().summaries.push_back(std::move(summary));
    }
    add_events(piece);
    if (!piece.truncated) return;
    truncated_ = true;
    const bool told =
        std::ranges::any_of(piece.remarks, [](const Remark& one) { return one.code == "import_truncated"; });
    if (told) return;
    const std::string_view mark = name_of(piece.format).end_mark;
    event("import_truncated", piece.last_line, "the text ends without '" + std::string(mark) + "'");
  }

  std::vector<record::Run> finish() {
    end();
    const std::string series = digest_.substr(7, 16);
    const auto launches =
        std::ranges::count_if(runs_, [this](const record::Run& run) { return near_first(run); });
    int launch = 0;
    for (record::Run& run : runs_) {
      if (launches < 2 || !near_first(run)) continue;
      run.head.series = series;
      run.head.launch = ++launch;
      run.head.launches = static_cast<int>(launches);
    }
    return std::move(runs_);
  }

 private:
  [[nodiscard]] bool near_first(const record::Run& run) const {
    constexpr std::int64_t day_s = 86400;
    const auto first = seconds_of(runs_.front().head.started_utc), own = seconds_of(run.head.started_utc);
    return !first || !own || std::abs(*own - *first) <= day_s;
  }

  /// Whether the piece goes on with the run of the one before it.
  [[nodiscard]] bool belongs(const Piece& piece) const {
    if (piece.format != format_ || piece.release != release_ || piece.variant != variant_) return false;
    if (piece.processes && processes_ && *piece.processes != *processes_) return false;
    return std::ranges::none_of(piece.points, [&](const Point& point) {
      const auto& r = point.record;
      return keys_.contains(
          record::make_key(r.suite, r.benchmark, r.processes, r.threads, r.groups, r.params));
    });
  }

  void begin(const Piece& piece) {
    end();
    keys_.clear();
    truncated_ = false;
    format_ = piece.format, release_ = piece.release, variant_ = piece.variant, processes_ = piece.processes;
    record::Run& run = runs_.emplace_back();
    put_start(piece, run);
    put_place(piece, run);
    auto& head = run.head;
    head.name = std::string(name_of(piece.format).program) +
                (piece.release.empty() ? "" : ' ' + piece.release) +
                (piece.variant.empty() ? "" : ' ' + piece.variant);
    head.config = piece.config.is_null() ? Json::object() : piece.config;
    head.imported = import(piece, run);
    const std::string number = digest_ + ' ' + std::to_string(runs_.size());
    run.id = id_time(head.started_utc) + '-' + record::sha256(number).substr(7, 8);
  }

  void put_start(const Piece& piece, record::Run& run) {
    auto& utc = run.head.started_utc;
    if (!piece.started_utc.empty()) {
      utc = piece.started_utc, started_from_ = "text";
    } else if (!told_.started_utc.empty()) {
      utc = told_.started_utc, started_from_ = told_.started_from;
    } else if (!source_.file_utc.empty()) {
      utc = source_.file_utc, started_from_ = "file_time";
    } else {
      utc = "1970-01-01T00:00:00Z", started_from_ = "unknown";
    }
  }

  void put_place(const Piece& piece, record::Run& run) {
    auto& head = run.head;
    head.processes = piece.processes.value_or(told_.processes.value_or(1));
    head.threads_per_process = piece.threads.value_or(told_.threads.value_or(1));
    head.nodes = piece.nodes.value_or(told_.nodes.value_or(0));
    if (head.nodes == 0 && told_.processes_per_node && head.processes % *told_.processes_per_node == 0)
      head.nodes = head.processes / *told_.processes_per_node;
    Json machine = piece.machine.is_null() ? Json::object() : piece.machine;
    if (!told_.host.empty()) machine["hostname"] = told_.host;
    if (!told_.machine.empty()) machine["name"] = told_.machine;
    head.machine = std::move(machine);
    if (!piece.layout.is_null()) head.layout = piece.layout;
    const bool standard = piece.config.is_object() && piece.config.contains("mpi_standard");
    if (!told_.mpi.empty() || standard) {
      Json mpi{{"library", told_.mpi},
               {"standard", standard ? piece.config["mpi_standard"].get<std::string>() : std::string("0.0")}};
      if (standard && mpi["standard"].get<std::string>().find('.') == std::string::npos)
        mpi["standard"] = "0.0";
      head.mpi = std::move(mpi);
    }
  }

  [[nodiscard]] Json import(const Piece& piece, const record::Run& run) const {
    const FormatName& name = name_of(piece.format);
    Json json{{"program", name.program}, {"release", piece.release}};
    if (!piece.variant.empty()) json["variant"] = piece.variant;
    json["format"] = name.word;
    Json file{{"name", record::valid_utf8(source_.name)},
              {"sha256", digest_},
              {"bytes", static_cast<std::int64_t>(source_.text.size())}};
    json["files"] = Json::array();
    json["files"].push_back(std::move(file));
    json["block"] = Json::array();
    json["block"].push_back(static_cast<std::int64_t>(piece.first_line));
    json["block"].push_back(static_cast<std::int64_t>(piece.last_line));
    json["started_from"] = started_from_;
    if (Json said = told(); !said.empty()) json["told"] = std::move(said);
    Json assumed = Json::object();
    for (const auto& [what, why] : piece.assumed) assumed[what] = why;
    if (started_from_ == "text" && !told_.zone_told) assumed["zone"] = "UTC: its date may have none";
    if (!piece.threads && !told_.threads && !assumed.contains("threads"))
      assumed["threads"] = "1: its text does not say how many";
    static_cast<void>(run);
    if (!assumed.empty()) json["assumed"] = std::move(assumed);
    json["strange_lines"] = static_cast<std::int64_t>(piece.strange);
    return json;
  }

  [[nodiscard]] Json told() const {
    Json json = Json::object();
    for (const auto& [name, value] :
         {std::pair<const char*, std::optional<int>>{"processes", told_.processes},
          {"threads", told_.threads},
          {"nodes", told_.nodes},
          {"processes_per_node", told_.processes_per_node}})
      if (value) json[name] = *value;
    for (const auto& [name, value] : {std::pair<const char*, std::string>{"mpi", told_.mpi},
                                      {"machine", told_.machine},
                                      {"host", told_.host}})
      if (!value.empty()) json[name] = value;
    for (const auto& [name, value] : told_.params) json[name] = shown(value);
    return json;
  }

  /// "20220303T101500Z".
  static std::string id_time(std::string utc) {
    std::erase_if(utc, [](char c) { return c == '-' || c == ':'; });
    const std::size_t fraction = utc.find('.');
    if (fraction != std::string::npos) utc = utc.substr(0, fraction) + 'Z';
    return utc;
  }

  void add(record::PointRecord point) {
    record::Run& run = runs_.back();
    keys_.insert(point.key);
    run.head.processes = std::max(run.head.processes, point.processes);
    const std::string name = point.suite + '/' + point.benchmark;
    auto& sequence = run.head.plan_sequence;
    if (std::ranges::find(sequence, name) == sequence.end()) sequence.push_back(name);
    auto& suites = run.head.plan_suites;
    const auto suite = std::ranges::find(suites, point.suite, &std::pair<std::string, std::int64_t>::first);
    if (suite == suites.end())
      suites.emplace_back(point.suite, 1);
    else
      ++suite->second;
    run.points.push_back(std::move(point));
  }

  void event(const std::string& code, std::size_t line, const std::string& text) {
    record::Run& run = runs_.back();
    if (run.events.size() > most_events) return;
    record::EventRecord one;
    one.severity = record::Severity::warning;
    one.code = code;
    one.text = record::valid_utf8(source_.name) + ": line " + std::to_string(line) + ": " + text;
    one.data = Json{{"line", static_cast<std::int64_t>(line)}};
    run.events.push_back(std::move(one));
  }

  void add_events(const Piece& piece) {
    for (const Remark& remark : piece.remarks) event(remark.code, remark.line, remark.text);
    if (piece.strange > piece.rows && piece.rows > 0)
      event("import_row", piece.first_line,
            std::to_string(piece.strange) + " lines among " + std::to_string(piece.rows) +
                " rows are of something else");
    if (started_from_ == "file_time" || started_from_ == "unknown")
      event("import_date", piece.first_line,
            started_from_ == "unknown"
                ? "no date is known: say --date"
                : "no date in the text: that of the file is taken; --date says another");
  }

  /// What follows from the points of the run.
  void end() {
    if (runs_.empty()) return;
    record::Run& run = runs_.back();
    std::string keys;
    record::EndRecord end;
    for (std::size_t i = 0; i < run.points.size(); ++i) {
      keys += run.points[i].key + '\n';
      run.envelopes.push_back({run.id, 1, static_cast<std::int64_t>(i) + 1, 0});
      count_point(run.points[i], end.points);
    }
    run.head.plan_points = static_cast<std::int64_t>(run.points.size());
    run.head.plan_hash = record::sha256(keys);
    run.next_seq =
        static_cast<std::int64_t>(run.points.size() + run.summaries.size() + run.events.size()) + 2;
    if (truncated_) return;
    end.status = "complete";
    end.exit_code = end.points.failed > 0 || end.points.unverified > 0 ? 1 : 0;
    end.finished_utc = run.head.started_utc;
    run.end = std::move(end);
  }

  static void count_point(const record::PointRecord& point, record::Counts& counts) {
    if (point.status == record::Status::ok) ++counts.ok;
    if (point.status == record::Status::skipped) ++counts.skipped;
    if (point.status == record::Status::failed) ++counts.failed;
    if (point.verified == false) ++counts.unverified;
  }

  const Source& source_;
  const Description& told_;
  std::string digest_;
  std::vector<record::Run> runs_;
  std::set<std::string, std::less<>> keys_;
  Format format_ = Format::imb;
  std::string release_, variant_, started_from_;
  std::optional<int> processes_;
  bool truncated_ = false;
};

/// Everything that a piece needs to know of its points before they have keys; false: nobody tells how many processes.
bool settle(Piece& piece, const Description& told) {
  for (Point& point : piece.points) {
    add_told(point, told);
    auto& record = point.record;
    if (record.processes < 1) record.processes = told.processes.value_or(0);
    if (record.processes < 1) return false;
    if (record.threads == 1 && !piece.threads && told.threads) record.threads = *told.threads;
  }
  return !piece.points.empty() || !piece.summaries.empty();
}

std::string who_tells(const Piece& piece) {
  std::string text = "its number of processes is not in the text: say --set processes=N";
  if (piece.launcher.empty()) return text;
  return text + " (a line before it: '" + record::valid_utf8(piece.launcher) + "')";
}

}  // namespace

std::vector<record::Run> runs_of(Pieces pieces, const Source& source, const Description& told,
                                 std::vector<RefusedBlock>& refused) {
  RunMaker maker(source, told);
  bool any = false;
  for (Piece& piece : pieces) {
    if (!settle(piece, told)) {
      if (piece.points.empty()) {
        const std::string first =
            piece.remarks.empty() ? "no row of it can be read" : piece.remarks.front().text;
        refused.push_back(
            {piece.format, piece.remarks.empty() ? piece.first_line : piece.remarks.front().line, first});
      } else {
        refused.push_back({piece.format, piece.first_line, who_tells(piece)});
      }
      continue;
    }
    any = true;
    maker.take(std::move(piece));
  }
  return any ? maker.finish() : std::vector<record::Run>();
}

}  // namespace steelyard::foreign
