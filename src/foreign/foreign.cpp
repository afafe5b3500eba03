// SPDX-License-Identifier: Apache-2.0
#include "foreign/foreign.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "foreign/readers.hpp"
#include "record/point_view.hpp"

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

/// Name as it stands in paths: "OSU-allreduce" as "osu_allreduce".
std::string plain_name(std::string_view name) {
  std::string plain(name);
  std::ranges::transform(plain, plain.begin(), [](char c) {
    return c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return plain;
}

/// True if a user who gives this name to a text means the point: by its benchmark, its suite, both, or its program.
bool is_named(const Point& point, Format format, std::string_view word) {
  const auto& [suite, benchmark] = std::pair(point.record.suite, point.record.benchmark);
  const std::string said = plain_name(word);
  const std::string names[] = {benchmark, suite, suite + '_' + benchmark, std::string(name_of(format).word),
                               std::string(name_of(format).word) + '_' + benchmark};
  return std::ranges::any_of(names, [&](const std::string& one) { return plain_name(one) == said; });
}

/// Adds the user's parameters of points that the text does not tell. `used`: names that a point needed.
void add_told(Point& point, Piece& piece, const Description& told, std::set<std::string>& used) {
  auto& params = point.record.params;
  for (const auto& [name, value] : told.params) {
    if (name == "benchmark") {
      if (is_named(point, piece.format, shown(value))) used.insert(name);
      continue;
    }
    const auto unknown = std::ranges::find(point.unknown, name);
    const auto* said = record::find(params, name);
    if (unknown == point.unknown.end() && said == nullptr) continue;
    used.insert(name);
    if (unknown != point.unknown.end()) {
      point.unknown.erase(unknown);
    } else if (*said != value && !piece.assumed.contains(name)) {  // the user overrides assumptions
      contradict(name + ' ' + shown(*said), point.line, shown(value));
    }
    params[name] = value;
  }
}

void add_parameters(const Point& point, std::set<std::string>& names) {
  for (const auto& [name, value] : point.record.params) names.insert(name);
  names.insert(point.unknown.begin(), point.unknown.end());
}

Json import_of(const Point& point) {
  Json json{{"line", static_cast<std::int64_t>(point.line)}};
  if (point.step) json["step"] = *point.step;
  json["over_time"] = point.over_time;
  json["over_ranks"] = point.over_ranks;
  if (!point.unknown.empty()) json["unknown_params"] = point.unknown;
  json["printed"] = point.printed;
  return Json(std::as_const(json));  // a copy takes no more room than its members need
}

void complete(Point& point, const Piece& piece) {
  auto& record = point.record;
  record.imported = import_of(point);
  if (record.status == record::Status::failed || record.status == record::Status::skipped) {
    record.metrics.clear();
    if (record.status == record::Status::skipped) record.schedule.reset();
    if (record.status == record::Status::skipped) record.primary.clear();
  }
  const bool warned = std::ranges::any_of(
      piece.remarks, [](const Remark& one) { return one.code == "import_warning" && one.of_all; });
  if (warned) point.flag("warned_by_program");
  record.key = record::key_of(record);
}

/// Date in a file name: "HPCG-Benchmark_3.1_2021-05-04_10-15-00.txt", "HPCG-Benchmark-3.0_2015.07.31.13.29.52.yaml".
std::optional<std::string> date_in_name(std::string_view name, int minutes_before_utc) {
  constexpr std::string_view form = "dddd.dd.dd.dd.dd.dd";
  const auto fits = [&](std::string_view part) {
    for (std::size_t i = 0; i < form.size(); ++i) {
      const bool digit = part[i] >= '0' && part[i] <= '9';
      const bool sign = std::string_view("-._").find(part[i]) != std::string_view::npos;
      if (form[i] == 'd' ? !digit : !sign) return false;
    }
    return true;
  };
  for (std::size_t at = 0; at + form.size() <= name.size(); ++at) {
    const auto part = name.substr(at, form.size());
    if (!fits(part)) continue;
    std::string text(part);
    text[4] = text[7] = '-', text[10] = 'T', text[13] = text[16] = ':';
    return date(text, minutes_before_utc);
  }
  return std::nullopt;
}

/// True if the text tells the number of processes; programs that run as one process do not.
bool says_processes(Format format) {
  return format != Format::stream && format != Format::babelstream && format != Format::fio;
}

class RunMaker {
 public:
  RunMaker(const Source& source, const Description& told)
      : source_(source), told_(told), digest_(record::sha256(source.text)) {}

  void take(Piece piece) {
    if (told_.processes && piece.processes && piece.assumed.contains("processes") &&
        *told_.processes > *piece.processes) {  // of a grid in a larger world
      piece.processes = told_.processes;
      piece.assumed.erase("processes");
    }
    if (told_.processes && piece.processes && says_processes(piece.format) &&
        *told_.processes != *piece.processes)
      contradict(std::to_string(*piece.processes) + " processes", piece.first_line,
                 std::to_string(*told_.processes));
    if (told_.nodes && piece.nodes && piece.format != Format::stream && *told_.nodes != *piece.nodes)
      contradict(std::to_string(*piece.nodes) + " nodes", piece.first_line, std::to_string(*told_.nodes));
    if (runs_.empty() || !belongs(piece)) begin(piece);
    make_room(piece.points.size());
    for (; !piece.points.empty(); piece.points.pop_front()) {  // one by one: a long table is not held twice
      Point& point = piece.points.front();
      complete(point, piece);
      if (has_key(point.record.key)) begin(piece);
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

  /// True if the piece continues the run of the one before it.
  [[nodiscard]] bool belongs(const Piece& piece) const {
    if (piece.format != format_ || piece.release != release_ || piece.variant != variant_) return false;
    if (piece.processes && processes_ && *piece.processes != *processes_) return false;
    return std::ranges::none_of(piece.points,
                                [&](const Point& point) { return has_key(record::key_of(point.record)); });
  }

  [[nodiscard]] bool has_key(const std::string& key) const {
    const auto [first, last] = places_.equal_range(std::hash<std::string>()(key));
    return std::any_of(first, last,
                       [&](const auto& place) { return runs_.back().points[place.second].key == key; });
  }

  /// Reserves room for so many more points, without the excess that vectors take for a few long pieces.
  void make_room(std::size_t more) {
    auto& points = runs_.back().points;
    const std::size_t needed = points.size() + more;
    if (needed > points.capacity()) points.reserve(std::max(needed, points.size() + points.size() / 2));
  }

  void begin(const Piece& piece) {
    end();
    places_.clear();
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
    } else if (const auto named = named_date(piece)) {
      utc = *named, started_from_ = "path";
    } else if (!source_.file_utc.empty()) {
      utc = source_.file_utc, started_from_ = "file_time";
    } else {
      utc = "1970-01-01T00:00:00Z", started_from_ = "unknown";
    }
  }

  /// Date in the file name: HPCG names its files by the time of the run, and tells it nowhere else.
  [[nodiscard]] std::optional<std::string> named_date(const Piece& piece) const {
    if (piece.format != Format::hpcg) return std::nullopt;
    const std::string_view name = std::string_view(source_.name).substr(source_.name.rfind('/') + 1);
    return date_in_name(name, told_.minutes_before_utc);
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
    places_.emplace(std::hash<std::string>()(point.key), run.points.size());
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

  /// Completes a run by the members that follow from its points.
  void end() {
    if (runs_.empty()) return;
    record::Run& run = runs_.back();
    std::string keys;
    std::size_t length = 0;
    for (const auto& point : run.points) length += point.key.size() + 1;
    keys.reserve(length);
    run.envelopes.reserve(run.points.size());
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
    if (point.status == record::Status::partial) ++counts.partial;
    if (point.status == record::Status::skipped) ++counts.skipped;
    if (point.status == record::Status::failed) ++counts.failed;
    if (point.verified == false) ++counts.unverified;
  }

  const Source& source_;
  const Description& told_;
  std::string digest_;
  std::vector<record::Run> runs_;
  std::unordered_multimap<std::size_t, std::size_t>
      places_;  // by the hash of a key; of points of the last run
  Format format_ = Format::imb;
  std::string release_, variant_, started_from_;
  std::optional<int> processes_;
  bool truncated_ = false;
};

/// The user's description, and its use so far.
struct DescriptionUse {
  const Description& words;
  std::set<std::string> used = {};        // names that a point needed
  std::set<std::string> parameters = {};  // names that points have or lack
};

/// Settles the parameters of a piece's points before they have keys. Returns false if the number of processes
/// is unknown or if there is nothing in the piece.
bool settle(Piece& piece, DescriptionUse& told) {
  for (Point& point : piece.points) {
    add_parameters(point, told.parameters);
    add_told(point, piece, told.words, told.used);
    auto& record = point.record;
    if (record.processes < 1) record.processes = told.words.processes.value_or(0);
    if (record.processes < 1) return false;
    if (record.threads == 1 && !piece.threads && told.words.threads) record.threads = *told.words.threads;
  }
  for (const std::string& name : told.used) piece.assumed.erase(name);
  return !piece.points.empty() || !piece.summaries.empty();
}

/// Tells the names that no point of the text needed; throws Contradiction for the name of another benchmark.
void tell_unused(const DescriptionUse& told, const std::vector<record::Run>& runs, Reading& reading) {
  for (const auto& [name, value] : told.words.params) {
    if (told.used.contains(name)) continue;
    if (name != "benchmark") {
      reading.unused.push_back(name);
      continue;
    }
    for (const record::Run& run : runs)
      if (!run.points.empty())
        throw Contradiction("says benchmark " + run.points.front().benchmark + ", --path or --set says " +
                            shown(value));
  }
  reading.parameters.assign(told.parameters.begin(), told.parameters.end());
}

std::string who_tells(const Piece& piece) {
  std::string text = "its number of processes is not in the text: say --set processes=N";
  if (piece.launcher.empty()) return text;
  return text + " (a line before it: '" + record::valid_utf8(piece.launcher) + "')";
}

/// Refusal of a piece: it has no row, or its number of processes is unknown.
RefusedBlock unsettled(const Piece& piece) {
  if (!piece.points.empty()) return {piece.format, piece.first_line, who_tells(piece)};
  if (!piece.refused.empty()) return {piece.format, piece.refused.front().line, piece.refused.front().text};
  if (piece.remarks.empty()) return {piece.format, piece.first_line, "no row of it can be read"};
  return {piece.format, piece.remarks.front().line, piece.remarks.front().text};
}

constexpr std::size_t most_rows = 1'000'000;

Reader reader_of(Format format) {
  constexpr Reader readers[] = {read_imb,         read_osu,  read_hpl,      read_hpcc, read_stream,
                                read_babelstream, read_ior,  read_mdtest,   read_fio,  read_beff,
                                read_beffio,      read_hpcg, read_graph500, read_nccl};
  return readers[static_cast<std::size_t>(format)];
}

std::string at_line(std::size_t line, const std::string& what) {
  return "line " + std::to_string(line) + ": " + what;
}

/// A heading of one of the programs whose title is missing.
std::string nearest_format(std::span<const Line> lines) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {{"#repetitions", "imb"},
                                                                     {"# Size", "osu"},
                                                                     {"Best Rate MB/s", "stream"},
                                                                     {"bw(MiB/s)", "ior"},
                                                                     {"SUMMARY rate", "mdtest"},
                                                                     {"algbw", "nccl"},
                                                                     {"harmonic_mean_TEPS", "graph500"},
                                                                     {"Final Summary", "hpcg"}};
  for (const Line& line : lines)
    for (const auto& [sign, word] : signs)
      if (holds(line.text, sign)) return std::string(word);
  return {};
}

[[noreturn]] void refuse_unknown(std::span<const Line> lines) {
  for (const Line& line : lines)
    if (const auto instead = refused_form(line.text); !instead.empty())
      throw Unreadable(at_line(line.number, std::string(instead)));
  const std::string near = nearest_format(lines);
  throw Unreadable("not recognised; known: " + known_formats() +
                   (near.empty() ? "" : ". It has a heading of " + near + " without its title"));
}

/// Reader of block after block, which also finds out where two programs wrote at the same time.
class BlockReader {
 public:
  BlockReader(const Description& told, Reading& reading) : told_(told), reading_(reading) {}

  void take(const Block& block) {
    const std::size_t before = pieces_.size();
    const Block* cut_off = std::exchange(cut_off_, block.ended ? nullptr : &block);
    try {
      reader_of(block.format)(block, told_, pieces_);
    } catch (const Incomplete& refusal) {
      empty_ = &block;
      return refuse(block, refusal, before);
    } catch (const Refusal& refusal) {
      return refuse(block, refusal, before);
    }
    std::size_t odd = 0;
    bool of_two_tables = false;
    for (std::size_t i = before; i < pieces_.size(); ++i) {
      odd += pieces_[i].odd_rows;
      of_two_tables = of_two_tables || pieces_[i].of_two_tables;
      rows_ += pieces_[i].rows;
    }
    if (rows_ > most_rows) throw Unreadable(at_line(block.first_line(), "more than a million rows"));
    if (odd > 0 && empty_ != nullptr && empty_->format != block.format)
      throw Unreadable(at_line(block.first_line(),
                               "lines of " + std::string(name_of(empty_->format).program) + " and " +
                                   std::string(name_of(block.format).program) + " are mixed: import_mixed"));
    // Copies of one program, each of which has only a part of the machine: a launcher started it once a process.
    if ((of_two_tables || block.ended_again) && cut_off != nullptr && cut_off->format == block.format)
      throw Unreadable(at_line(block.first_line(),
                               "lines of several copies of " + std::string(name_of(block.format).program) +
                                   ", which ran at the same time, are mixed: import_mixed"));
    empty_ = nullptr;
    if (std::ranges::find(reading_.formats, block.format) == reading_.formats.end())
      reading_.formats.push_back(block.format);
  }

  [[nodiscard]] Pieces take_pieces() { return std::move(pieces_); }

 private:
  /// Drops the pieces that the block has made so far, behind the first `kept`.
  void refuse(const Block& block, const Refusal& refusal, std::size_t kept) {
    pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(kept), pieces_.end());
    reading_.refused.push_back({block.format, refusal.line(), refusal.what()});
  }

  const Description& told_;
  Reading& reading_;
  Pieces pieces_;
  const Block *empty_ = nullptr, *cut_off_ = nullptr;  // the one before, if it has no row or no end
  std::size_t rows_ = 0;
};

Pieces pieces_of(std::string_view bytes, const Description& told, Reading& reading) {
  Text text(bytes);
  auto blocks = blocks_of(text.lines());
  if (told.format) {
    std::erase_if(blocks, [&](const Block& block) { return block.format != *told.format; });
    if (blocks.empty())
      throw Unreadable("nothing of " + std::string(name_of(*told.format).program) + " is in it");
  }
  if (blocks.empty()) refuse_unknown(text.lines());
  BlockReader reader(told, reading);
  for (const Block& block : blocks) reader.take(block);
  return reader.take_pieces();
}

}  // namespace

void add_runs(Pieces pieces, const Source& source, const Description& words, Reading& reading) {
  RunMaker maker(source, words);
  DescriptionUse told{words};
  bool any = false;
  for (Piece& piece : pieces) {
    if (!settle(piece, told)) {
      reading.refused.push_back(unsettled(piece));
      continue;
    }
    any = true;
    if (piece.points.empty() && piece.rows > 0 && piece.refused.empty())
      reading.refused.push_back(unsettled(piece));
    for (const Remark& table : piece.refused)
      reading.refused.push_back({piece.format, table.line, table.text});
    maker.take(std::move(piece));
  }
  if (any) reading.runs = maker.finish();
  tell_unused(told, reading.runs, reading);
}

bool is_foreign(std::string_view text) {
  return has_mark(text);
}

bool is_suite(std::string_view name) {
  constexpr std::string_view suites[] = {"osu", "stream", "babelstream", "ior", "mdtest",
                                         "fio", "hpcg",   "graph500",    "nccl"};
  return std::ranges::find(suites, name) != std::end(suites);
}

std::string text(const RefusedBlock& refused) {
  return at_line(refused.line, refused.what + " (" + std::string(name_of(refused.format).word) + ')');
}

Reading read(const Source& source, const Description& told) {
  Reading reading;
  Pieces pieces = pieces_of(source.text, told, reading);  // the lines are freed before the records are made
  add_runs(std::move(pieces), source, told, reading);
  std::ranges::stable_sort(reading.refused, {}, &RefusedBlock::line);
  return reading;
}

}  // namespace steelyard::foreign
