// SPDX-License-Identifier: Apache-2.0
#include "foreign/imb.hpp"

#include <algorithm>
#include <set>

#include "foreign/readers.hpp"
#include "record/point_view.hpp"
#include "suites/imb/part_definition.hpp"

namespace steelyard::foreign {
namespace {

struct PartWord {
  std::string_view word, suite;
};
constexpr PartWord part_words[] = {
    {"MPI-1 part", "imb-mpi1"},  {"MPI-2 part", "imb-ext"},   {"MPI-IO part", "imb-io"},
    {"MPI-NBC part", "imb-nbc"}, {"MPI-RMA part", "imb-rma"}, {"MPI-4 part", "imb-mpi4"},
    {"MT part", "imb-mt"},       {"P2P part", "imb-p2p"},     {"MPI-4 part, steelyard's own", "mpi4"}};

/// Release in a title of any release: "2021.3".
std::string release_of(std::string_view title) {
  if (const auto rules = between(title, "(IMB ", " rules)")) return std::string(*rules);
  std::string_view rest = title.substr(0, std::min(title.find(','), title.size()));
  for (const std::string_view before : {"Suite V", "Benchmarks ", "Benchmark "})
    if (const auto found = behind(rest, before)) return std::string(*found);
  return {};
}

/// Year of a release from 2017 on, or 2, 3 and 4.
int generation(std::string_view release) {
  return static_cast<int>(std::min<std::int64_t>(first_whole(release).value_or(0), 9999));
}

Mbyte mbyte_of(std::string_view release) {
  const int number = generation(release);
  if (number >= 2018) return Mbyte::decimal;
  return number >= 2 && number <= 4 ? Mbyte::binary : Mbyte::unknown;
}

const imb::Part* part_with(std::string_view benchmark) {
  for (const imb::Part* part : imb::parts())
    if (imb::find(*part, benchmark) != nullptr) return part;
  return nullptr;
}

class ImbReader {
 public:
  ImbReader(const Block& block, const Description& told) : block_(block), told_(told), piece_(block) {}

  Piece read() {
    const auto title = trimmed(block_.lines.front().text);
    if (holds(title, "PALLAS"))
      throw Refusal(block_.first_line(), "'" + record::valid_utf8(title) + "': too old to be read");
    headed_ = !begins(title, "# Benchmarking ");
    if (headed_) read_title(title);
    version_ = generation(piece_.release) >= 2017 ? imb::Version::v2021 : imb::Version::v31;
    for (std::size_t i = headed_ ? 1 : 0; i < block_.lines.size(); ++i) line(i);
    close();
    finish();
    return std::move(piece_);
  }

 private:
  enum class At { head, sequence, banner, rows, between };

  void read_title(std::string_view title) {
    piece_.release = record::valid_utf8(release_of(title));
    if (holds(title, "(GPU)") || holds(title, "GPU")) piece_.variant = "GPU";
    own_ = begins(title, "# steelyard ");
    if (holds(title, "Technical preview")) piece_.variant = "Technical preview";
    // The last one that holds counts: the title of our own part has IMB's word in it.
    for (const auto& [word, suite] : part_words)
      if (holds(title, word)) suite_ = suite;
    if (suite_.empty())
      throw Refusal(block_.first_line(), "'" + record::valid_utf8(title) + "': none of the parts of IMB");
  }

  void line(std::size_t i) {
    const Line& one = block_.lines[i];
    const auto text = trimmed(one.text);
    if (is_warning(text) && !text.starts_with("#"))
      piece_.remark("import_warning", one.number, record::valid_utf8(text.substr(0, 200)));
    if (text.starts_with("# Benchmarking ")) return banner(text, one.number);
    if (text.starts_with("# !! Benchmark ")) return invalid(text, one.number);
    if (holds(text, "#repetitions")) return heading(text, one);
    if (rows_ && !text.starts_with("#")) {
      const bool last = !block_.ended && i + 1 == block_.lines.size();
      if (!rows_->take(one, last, piece_)) ++piece_.strange;
      return;
    }
    if (at_ == At::banner) return banner_line(text, one.number);
    if (text.starts_with("#")) {
      if (rows_ && !text.starts_with("# [")) close();
      head_line(text, block_.lines, i);
    } else if (!rows_ && at_ == At::between && whole(words_of(text).empty() ? text : words_of(text)[0])) {
      ++piece_.odd_rows;
      ++piece_.strange;
    } else if (!begins(text, "All processes")) {
      ++piece_.strange;
    }
  }

  void head_line(std::string_view text, std::span<const Line> lines, std::size_t i) {
    if (holds(text, "Calling sequence was")) return sequence(lines, i);
    const auto pair = pair_at(text.substr(1), ':');
    if (!pair) return;
    const auto& [name, value] = *pair;
    if (const auto rules = behind(name, "Measured by the rules of")) return measured_by(*rules);
    if (name == "Cut short") return cut_short(value);
    if (name == "Date") piece_.started_utc = date(value, told_.minutes_before_utc).value_or("");
    if (name == "Machine") uname("machine", words_of(value).empty() ? value : words_of(value)[0]);
    if (name == "System") uname("sysname", value);
    if (name == "Release") uname("release", value);
    if (name == "Version") uname("version", value);
    if (name == "MPI Version") standard_ = value;
    if (name == "MPI_Datatype") type_ = value;
    if (name == "MPI_Datatype for reductions") reduction_ = value;
    if (name == "MPI_Op") op_ = value;
    if (name == "Minimum message length in bytes" || name == "Minimum io portion in bytes")
      least_ = whole(value);
    if (name == "Maximum message length in bytes" || name == "Maximum io portion in bytes")
      most_ = whole(value);
  }

  /// Takes the rules by which a text of ours was measured, where its head is that of another version.
  void measured_by(std::string_view rules) {
    version_ = generation(rules) >= 2017 ? imb::Version::v2021 : imb::Version::v31;
    if (called_.seen) call();
  }

  void call() {
    const imb::Part* part = imb::find_part(suite_);
    called_ = imb_call(words_of(call_), imb::defaults(part != nullptr ? *part : imb::mpi1(), version_));
  }

  /// Reads the rows of the table above that steelyard measured for less than their rule asks: "0, 1 (reason)".
  void cut_short(std::string_view value) {
    if (++cut_short_lines_ > most_cut_short_lines) return;
    const std::size_t bracket = std::min(value.find('('), value.size());
    auto reason = trimmed(value.substr(std::min(bracket + 1, value.size())));
    if (reason.ends_with(')')) reason.remove_suffix(1);
    std::set<std::string_view> names;
    for (std::string_view rows = value.substr(0, bracket); !rows.empty();) {
      const std::size_t end = std::min(rows.find(','), rows.size());
      names.insert(trimmed(rows.substr(0, end)));
      rows.remove_prefix(std::min(end + 1, rows.size()));
    }
    for (std::size_t i = table_begin_; i < piece_.points.size(); ++i) {
      auto& record = piece_.points[i].record;
      if (record.status != record::Status::ok || !names.contains(row_name(record))) continue;
      record.status = record::Status::partial;
      record.reason = because(record::ReasonCode::time, record::valid_utf8(reason));
    }
  }

  /// Name of a row in a comment below its table: "1024", "no size", "1024 in 4 parts", "1024 of group 1".
  static std::string row_name(const record::PointRecord& record) {
    const auto told = [&](std::string_view parameter) {
      return record::whole_of(record::find(record.params, parameter));
    };
    const auto size = record::length_of(record.params);
    const bool of_threads = record.suite == "imb-mt";  // whose #bytes are those of all threads
    std::string name = size ? std::to_string(of_threads ? *size * record.threads : *size) : "no size";
    if (const auto parts = told("partitions")) name += " in " + std::to_string(*parts) + " parts";
    if (const auto group = told("group")) name += " of group " + std::to_string(*group);
    return name;
  }

  void uname(const char* name, std::string_view value) {
    piece_.machine["uname"][name] = record::valid_utf8(value);
  }

  /// Reads the calling sequence. Releases up to 4 break it after six words: lines of # and blanks continue it.
  void sequence(std::span<const Line> lines, std::size_t i) {
    std::string all;
    std::uint32_t last = 0;
    for (std::size_t k = i + 1; k < lines.size() && k < i + 40; ++k) {
      const auto text = trimmed(lines[k].text);
      const bool follows = last == 0 || lines[k].number == last + 1;
      if (!text.starts_with("#") || trimmed(text.substr(1)).empty() || !follows) break;
      if (last != 0 && !text.substr(1).starts_with("  ")) break;
      all += ' ' + std::string(trimmed(text.substr(1)));
      last = lines[k].number;
    }
    call_ = std::move(all);
    call();
    piece_.config["called"] = record::valid_utf8(trimmed(call_));
  }

  void banner(std::string_view text, std::size_t number) {
    close();
    at_ = At::banner;
    next_ = ImbTable{};
    next_.line = number;
    auto name = trimmed(text.substr(std::string_view("# Benchmarking ").size()));
    next_.params["grid"] = sides_in(between(name, "(", ")").value_or(""));
    if (const auto words = words_of(name); words.size() > 1) name = words[0];
    if (name.starts_with("Multi-")) name.remove_prefix(6);
    next_.benchmark = record::valid_utf8(name);
  }

  /// "3x2" of "3 x 2"; empty for what are no sides of a grid.
  static std::string sides_in(std::string_view text) {
    std::string sides;
    for (const char c : text)
      if (c != ' ') sides += c;
    return sides.find_first_not_of("0123456789x") == std::string::npos ? sides : std::string();
  }

  void banner_line(std::string_view text, std::size_t) {
    if (const auto processes = behind(text, "#processes = ")) {
      next_.processes =
          static_cast<int>(std::min<std::int64_t>(first_whole(*processes).value_or(0), 1'000'000'000));
      if (const auto threads = behind(text, "(threads:")) {
        next_.threads =
            static_cast<int>(std::clamp<std::int64_t>(first_whole(*threads).value_or(1), 1, 1'000'000));
        piece_.threads = std::max(piece_.threads.value_or(1), next_.threads);
      }
    } else if (holds(text, " groups of ")) {
      next_.groups = static_cast<int>(std::clamp<std::int64_t>(first_whole(text).value_or(1), 1, 1'000'000));
      next_.processes = static_cast<int>(
          std::min<std::int64_t>(first_whole(*behind(text, " groups of ")).value_or(0), 1'000'000'000));
    } else if (holds(text, " additional process")) {
      next_.idle = static_cast<int>(std::min<std::int64_t>(first_whole(text).value_or(0), 1'000'000'000));
    } else if (const auto topology = behind(text, "topology =")) {
      next_.params["topology"] = sides_in(topology->substr(0, topology->find(',')));
      if (const auto count = first_whole(behind(text, "neighbours =").value_or("")))
        next_.params["neighbours"] = *count;
    } else if (const auto mode = behind(text, "MODE:")) {
      next_.params["mode"] = std::string(mode->starts_with("NON") ? "non_aggregate" : "aggregate");
    } else if (const auto window = behind(text, "window_size =")) {
      next_.window =
          static_cast<int>(std::clamp<std::int64_t>(first_whole(*window).value_or(0), 0, 1'000'000));
    } else if (!text.starts_with("#")) {
      ++piece_.strange;
    }
  }

  void invalid(std::string_view text, std::size_t number) {
    close();
    const auto name = between(text, "# !! Benchmark ", " invalid for");
    const auto processes = between(text, " invalid for ", " process");
    const imb::Part* part = name ? part_with(*name) : nullptr;
    if (!name || !processes || !count(*processes)) return;
    Point point(suite_.empty() && part != nullptr ? part->name : std::string_view(suite_), *name, number);
    if (point.record.suite.empty()) return;
    point.record.processes = *count(*processes);
    point.record.status = record::Status::skipped;
    point.record.reason =
        because(record::ReasonCode::processes,
                record::valid_utf8(*name) + " cannot run with " + std::string(*processes) + " processes");
    piece_.points.push_back(std::move(point));
  }

  void heading(std::string_view text, const Line& line) {
    if (at_ != At::banner || next_.benchmark.empty()) {
      ++piece_.strange;
      return;
    }
    if (next_.processes < 1)
      throw Incomplete(line.number, "table of " + next_.benchmark + " without a line '# #processes = N'");
    for (const std::string_view word : words_of(text)) next_.heading.emplace_back(word);
    const auto has = [&](const char* column) {
      return std::ranges::find(next_.heading, column) != next_.heading.end();
    };
    next_.sized = has("#bytes");
    checked_ = checked_ || has("defects");
    identify(line);
    piece_.processes =
        std::max(piece_.processes.value_or(0),
                 static_cast<int>(std::min<std::int64_t>(
                     std::int64_t{next_.processes} * next_.groups + next_.idle, 1'000'000'000)));
    table_begin_ = piece_.points.size();
    cut_short_lines_ = 0;
    rows_.emplace(std::move(next_), later_only_ ? Mbyte::decimal : mbyte_of(piece_.release));
    at_ = At::rows;
  }

  void identify(const Line& line) {
    const imb::Part* part = suite_.empty() ? part_with(next_.benchmark) : imb::find_part(suite_);
    if (part == nullptr && suite_.empty())
      throw Incomplete(line.number, "table of '" + next_.benchmark +
                                        "' without the head of IMB: not one of its benchmarks");
    next_.suite = part != nullptr ? std::string(part->name) : suite_;
    next_.definition = part == nullptr ? nullptr : imb::find(*part, next_.benchmark);
    if (next_.definition != nullptr) next_.benchmark = next_.definition->name;
    if (part != nullptr) next_.size_name = part->size_name;
    later_only_ = part != nullptr && part->later_only;
    next_.of_threads = next_.definition != nullptr && next_.definition->kind == imb::Class::threads;
    record::Params params = next_.definition == nullptr ? general(next_) : of_definition(*part);
    const bool no_modes = next_.definition != nullptr && next_.definition->modes == imb::Modes::none;
    for (const auto& [name, value] : next_.params)
      if (name == "mode" ? !no_modes : value != record::Value("")) params[name] = value;
    params.erase(next_.size_name);
    params.erase("group");
    next_.params = std::move(params);
    next_.unknown = unknown();
    for (const std::string& name : next_.unknown) next_.params.erase(name);
  }

  /// Parameters that the text cannot tell.
  std::vector<std::string> unknown() const {
    std::vector<std::string> names = called_.unknown;
    const auto add = [&](const std::string& name) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    const bool untold = !called_.seen || generation(piece_.release) == 2017 || piece_.release.empty();
    if (untold && !next_.of_threads)
      for (const char* name : {"sync", "root", "off_cache_byte", "off_cache_line_byte", "map"}) add(name);
    if (untold && next_.of_threads)
      for (const char* name : {"stride", "barrier"}) add(name);
    // Who takes the buffers is another default in the published program than here.
    if (next_.of_threads && next_.threads > 1 && (untold || !(own_ || called_.allocation_said)))
      add("malloc_algo");
    return names;
  }

  record::Params of_definition(const imb::Part& part) {
    imb::Settings settings = called_.seen ? called_.settings : imb::defaults(part, version_);
    settings.multi.reset();
    if (next_.window > 0) settings.window = next_.window;
    next_.window = settings.window;
    settings.threads = next_.threads;
    if (next_.of_threads) settings.map.reset();  // has no effect there
    const bool has_modes = next_.definition->modes != imb::Modes::none;
    const imb::PointSpec what{.mode = has_modes ? imb::mode_of(next_.params) : imb::Mode::none};
    auto params = imb::identity(part, settings, *next_.definition, what);
    if (params.contains("type")) name_type(params);
    if (params.contains("op")) params["op"] = record::valid_utf8(op_.empty() ? "MPI_SUM" : op_);
    return params;
  }

  /// Takes the type that the text says, unless the benchmark has an element of its own. IMB-MT says it in its
  /// words alone.
  void name_type(record::Params& params) {
    const bool reduction = next_.definition->reduction;
    if (next_.definition->integers) return;
    if (!next_.of_threads) {
      params["type"] = type_name(reduction);
    } else if (const std::string& said = reduction ? reduction_ : type_; !said.empty()) {
      params["type"] = record::valid_utf8(said);
    } else if (!called_.seen) {
      piece_.assumed["type"] = record::word_of(record::find(params, "type")) + ": its text does not say it";
    }
  }

  record::Params general(const ImbTable& table) {
    record::Params params;
    if (table.sized) params["type"] = type_name(false);
    return params;
  }

  std::string type_name(bool reduction) {
    const std::string& said = reduction ? reduction_ : type_;
    if (!said.empty()) return record::valid_utf8(said);
    const char* usual = reduction ? "MPI_FLOAT" : "MPI_BYTE";
    piece_.assumed[reduction ? "type of reductions" : "type"] =
        std::string(usual) + ": its text does not say it";
    return usual;
  }

  void close() {
    if (rows_) rows_->finish(piece_);
    rows_.reset();
    at_ = At::between;
  }

  void finish() {
    piece_.truncated = !block_.ended && headed_;
    if (piece_.points.empty() && piece_.rows == 0)
      throw Incomplete(block_.first_line(), "a head of IMB without a table");
    if (suite_.empty() && !piece_.points.empty()) suite_ = piece_.points.front().record.suite;
    auto& own = piece_.config[suite_];
    own["version"] = std::string(imb::text(later_only_ ? imb::Version::v2021 : version_));
    if (!type_.empty()) own["data_type"] = record::valid_utf8(type_);
    if (!reduction_.empty()) own["reduction_type"] = record::valid_utf8(reduction_);
    if (least_) own["min_byte"] = *least_;
    if (most_) own["max_byte"] = *most_;
    if (called_.settings.multi) own["multi"] = *called_.settings.multi;
    if (checked_) own["check"] = true;
    if (!standard_.empty()) piece_.config["mpi_standard"] = record::valid_utf8(standard_);
  }

  const Block& block_;
  const Description& told_;
  Piece piece_;
  std::string suite_, type_, reduction_, op_, standard_;
  std::optional<std::int64_t> least_, most_;
  imb::Version version_ = imb::Version::v31;
  ImbCall called_;
  std::string call_;  // the calling sequence as it was read
  bool headed_ = true;
  bool own_ = false;         // a text of ours
  bool checked_ = false;     // a table has the column of results checking
  bool later_only_ = false;  // of a part that never existed under the rules of 3.1
  At at_ = At::head;
  ImbTable next_;
  std::optional<ImbRows> rows_;
  static constexpr int most_cut_short_lines = 8;  // of a table; a line stands for a reason
  int cut_short_lines_ = 0;
  std::size_t table_begin_ = 0;  // points of the last table, in those of the piece
};

}  // namespace

void read_imb(const Block& block, const Description& told, Pieces& pieces) {
  pieces.push_back(ImbReader(block, told).read());
}

}  // namespace steelyard::foreign
