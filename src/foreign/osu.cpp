// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "foreign/readers.hpp"
#include "units/text.hpp"

namespace steelyard::foreign {
namespace {

enum class Processes { two, pairs, told };

/// Content of a title.
struct OsuTitle {
  std::string benchmark, variant, memory_kind;
  Processes processes = Processes::told;
  bool reduction = false, sized = true;
};

struct Name {
  std::string_view title, name;
};
constexpr auto point_to_point = std::to_array<Name>({{"latency", "latency"},
                                                     {"bandwidth", "bw"},
                                                     {"bi-directional bandwidth", "bibw"},
                                                     {"bidirectional bandwidth", "bibw"},
                                                     {"multi-threaded latency", "latency_mt"},
                                                     {"multi-process latency", "latency_mp"},
                                                     {"partitioned latency", "partitioned_latency"}});
constexpr auto one_sided = std::to_array<Name>({{"put", "put"},
                                                {"get", "get"},
                                                {"accumulate", "acc"},
                                                {"get_accumulate", "get_acc"},
                                                {"fetch_and_op", "fop"},
                                                {"compare_and_swap", "cas"}});
constexpr auto collectives = std::to_array<Name>({{"all-to-all personalized exchange", "alltoall"},
                                                  {"all-to-allv personalized exchange", "alltoallv"},
                                                  {"all-to-allw personalized exchange", "alltoallw"},
                                                  {"all-to-all", "alltoall"},
                                                  {"all-to-allv", "alltoallv"},
                                                  {"all-to-allw", "alltoallw"},
                                                  {"alltoall", "alltoall"},
                                                  {"alltoallv", "alltoallv"},
                                                  {"alltoallw", "alltoallw"},
                                                  {"broadcast", "bcast"},
                                                  {"bcast", "bcast"},
                                                  {"allreduce", "allreduce"},
                                                  {"allgather", "allgather"},
                                                  {"allgatherv", "allgatherv"},
                                                  {"gather", "gather"},
                                                  {"gatherv", "gatherv"},
                                                  {"scatter", "scatter"},
                                                  {"scatterv", "scatterv"},
                                                  {"reduce", "reduce"},
                                                  {"reduce_scatter", "reduce_scatter"},
                                                  {"reduce_scatter_block", "reduce_scatter_block"},
                                                  {"barrier", "barrier"}});

template <std::size_t n>
std::string_view name_in(const std::array<Name, n>& table, std::string_view title) {
  const auto found = std::ranges::find(table, title, &Name::title);
  return found == table.end() ? std::string_view{} : found->name;
}

/// Takes a word or words out of a title. Returns true if they were in it.
bool take_out(std::string& title, std::string_view words) {
  const std::size_t at = title.find(words);
  if (at == std::string::npos) return false;
  title.erase(at, words.size());
  title = units::joined(words_of(title), " ");
  return true;
}

void take_device(std::string_view word, OsuTitle& title) {
  const std::string name = lower(word);
  if (name == "managed") title.memory_kind = "managed";
  if (name == "cuda" || name == "rocm" || name == "openacc" || name == "cxl")
    title.variant = std::string(word);
}

std::string collective(std::string title, OsuTitle& to) {
  if (title.ends_with(" latency")) title.resize(title.size() - std::string_view(" latency").size());
  const bool persistent = take_out(title, "persistent");
  const bool nonblocking = take_out(title, "non-blocking") || take_out(title, "nonblocking");
  const bool neighborhood = take_out(title, "neighborhood");
  const std::string name(name_in(collectives, title));
  if (name.empty()) return {};
  to.reduction = name.find("reduce") != std::string::npos;
  to.sized = name != "barrier";
  return std::string(nonblocking ? "i" : "") + (neighborhood ? "neighbor_" : "") + name +
         (persistent ? "_persistent" : "");
}

/// Name "put_latency" of MPI_Put and "Latency".
std::string one_sided_name(std::string_view operation, const std::string& title) {
  const std::string_view name = name_in(one_sided, lower(operation));
  const std::string_view what = name_in(point_to_point, title);
  if (name.empty() || (what != "latency" && what != "bw" && what != "bibw")) return {};
  return std::string(name) + '_' + std::string(what);
}

/// Reads the part of a title between "# OSU " and " Test v": "OSU MPI-CUDA Allreduce Latency".
OsuTitle title_of(std::string_view text, std::size_t line) {
  OsuTitle title;
  const auto words = words_of(text);
  const auto refuse = [&]() -> Refusal {
    return {line, "'OSU " + record::valid_utf8(text) + "': a benchmark that is not known"};
  };
  if (words.empty()) throw refuse();
  std::string_view family = words[0];
  std::string_view device;
  if (const auto parts = pair_at(family, '-')) family = parts->first, device = parts->second;
  take_device(device, title);
  std::size_t at = 1;
  if (at < words.size() && lower(words[at]) == "managed") take_device(words[at++], title);
  std::string rest;
  for (; at < words.size(); ++at) rest += (rest.empty() ? "" : " ") + lower(words[at]);
  const bool xccl = family == "NCCL" || family == "RCCL";
  if (xccl) title.variant = family;
  if (family.starts_with("MPI_")) {
    title.benchmark = one_sided_name(family.substr(4), rest);
    title.processes = Processes::two;
  } else if (family == "MPI" || xccl) {
    std::string plain = rest;
    const bool persistent = take_out(plain, "persistent");
    if (const auto name = name_in(point_to_point, plain); !name.empty()) {
      title.benchmark = std::string(name) + (persistent ? "_persistent" : "");
      title.processes = Processes::two;
    } else if (plain == "multiple bandwidth / message rate") {
      title.benchmark = "mbw_mr";
      title.processes = Processes::pairs;
    } else if (plain == "multi latency") {
      title.benchmark = "multi_lat";
    } else if (plain == "init") {
      title.benchmark = "init";
      title.sized = false;
    } else if (rest.starts_with("mpi_")) {
      const auto inner = words_of(rest);
      std::string what;
      for (std::size_t i = 1; i < inner.size(); ++i)
        what += (what.empty() ? "" : " ") + std::string(inner[i]);
      title.benchmark = one_sided_name(inner[0].substr(4), what);
      title.processes = Processes::two;
    } else {
      title.benchmark = collective(rest, title);
    }
    if (xccl && !title.benchmark.empty()) title.benchmark = "xccl_" + title.benchmark;
  }
  if (title.benchmark.empty()) throw refuse();
  return title;
}

enum class To { size, transmit, value, classic, iterations, overlap, validation, tail, tail_bandwidth };

/// Column; `name` is that of a metric or of a classic value.
struct OsuColumn {
  std::string_view heading;  // without blanks
  To to;
  const char* name = "";
  Scale scale = one;
};
constexpr auto osu_columns = std::to_array<OsuColumn>({
    {"Size", To::size},
    {"TransmitSize", To::transmit},
    {"AvgLatency(us)", To::value, "time_s", micro},
    {"AvgLat(us)", To::value, "time_s", micro},
    {"Latency(us)", To::value, "time_s", micro},
    {"Bandwidth(MB/s)", To::value, "bandwidth_byte_s", mega},
    {"MB/s", To::value, "bandwidth_byte_s", mega},
    {"Messages/s", To::value, "message_rate_op_s", one},
    {"MinLatency(us)", To::classic, "min_latency_s", micro},
    {"MaxLatency(us)", To::classic, "max_latency_s", micro},
    {"MinLat(us)", To::classic, "min_latency_s", micro},
    {"MaxLat(us)", To::classic, "max_latency_s", micro},
    {"Iterations", To::iterations},
    {"Overall(us)", To::value, "time_s", micro},
    {"Compute(us)", To::classic, "compute_s", micro},
    {"Coll.Init(us)", To::classic, "coll_init_s", micro},
    {"MPI_Test(us)", To::classic, "mpi_test_s", micro},
    {"MPI_Wait(us)", To::classic, "mpi_wait_s", micro},
    {"PureComm.(us)", To::classic, "pure_comm_s", micro},
    {"MinComm.(us)", To::classic, "min_comm_s", micro},
    {"MaxComm.(us)", To::classic, "max_comm_s", micro},
    {"Overlap(%)", To::overlap, "overlap"},
    {"Validation", To::validation},
});

struct Column {
  OsuColumn what;
  int percentile = 0;
};

/// Column of "P50TailLat(us)": percentile 50, and the length of the heading.
std::optional<Column> tail_column(std::string_view text, std::size_t& length) {
  if (!text.starts_with('P')) return std::nullopt;
  std::size_t digits = 1;
  while (digits < text.size() && digits < 4 && text[digits] >= '0' && text[digits] <= '9') ++digits;
  const auto percentile = whole(text.substr(1, digits - 1));
  const auto rest = text.substr(digits);
  for (const auto& [word, to] :
       {std::pair<std::string_view, To>{"TailLat(us)", To::tail}, {"TailBW(MB/s)", To::tail_bandwidth}})
    if (percentile && rest.starts_with(word)) {
      length = digits + word.size();
      return Column{{"", to, "", to == To::tail ? micro : mega}, static_cast<int>(*percentile)};
    }
  return std::nullopt;
}

/// Columns of a heading, whatever its blanks; `left`: the part that is not understood.
std::vector<Column> columns_of(std::string_view heading, std::string& left) {
  std::string text;
  for (const char c : heading)
    if (c != ' ' && c != '\t' && c != '#') text += c;
  std::vector<Column> columns;
  for (std::string_view rest = text; !rest.empty();) {
    std::size_t length = 0;
    auto column = tail_column(rest, length);
    if (!column)
      for (const OsuColumn& known : osu_columns)
        if (known.heading.size() > length && rest.starts_with(known.heading)) {
          length = known.heading.size();
          column = Column{known, 0};
        }
    if (!column) {
      left = record::valid_utf8(rest);
      return columns;
    }
    columns.push_back(*column);
    rest.remove_prefix(length);
  }
  return columns;
}

class OsuReader {
 public:
  explicit OsuReader(const Block& block) : block_(block), piece_(block) {}

  Piece read() {
    const auto first = trimmed(block_.lines.front().text);
    const auto inside = between(first, "# OSU ", " Test v");
    title_ = title_of(inside.value_or(first), block_.first_line());
    piece_.release = record::valid_utf8(behind(first, " Test v").value_or(""));
    piece_.variant = title_.variant;
    for (std::size_t i = 1; i < block_.lines.size(); ++i) line(block_.lines[i], i + 1 == block_.lines.size());
    if (piece_.points.empty() && piece_.rows == 0)
      throw Incomplete(block_.first_line(), "'" + record::valid_utf8(first) + "' without a row");
    return std::move(piece_);
  }

 private:
  void line(const Line& line, bool last) {
    const auto text = trimmed(line.text);
    if (begins(text, "nprocs:")) return init(text, line);
    std::string left;
    const bool heads = text.starts_with("# Size") || text.starts_with("# Avg Latency") ||
                       (text.starts_with("# Overall") && !holds(text, "=")) ||
                       text.starts_with("Overall(us)") || text.starts_with("Size ") ||
                       begins(text, "# Avg Lat(us)") || text.starts_with("# Transmit Size");
    if (heads) {
      columns_ = columns_of(text, left);
      decimals_ = -1;
      if (!left.empty()) throw Refusal(line.number, "column '" + left + "' is not known");
      return;
    }
    if (is_warning(text))
      piece_.remark("import_warning", line.number, record::valid_utf8(text.substr(0, 200)));
    if (text.starts_with("#")) return comment(text, line);
    row(line, last);
  }

  void comment(std::string_view text, const Line& line) {
    if (const auto type = between(text, "# Datatype:", ".")) type_ = record::valid_utf8(*type);
    if (const auto window = behind(text, "# Window creation:")) win_ = lower(*window);
    if (const auto sync = behind(text, "# Synchronization:")) sync_ = lower(*sync);
    if (holds(text, "window size: varied"))
      throw Refusal(line.number, "a matrix of window sizes is not read");
    for (const std::string_view word : {"pairs:", "Pairs:"})
      if (const auto pairs = behind(text, word)) pairs_ = first_whole(*pairs);
    if (const auto window = behind(text, "window size:")) window_ = first_whole(*window);
    if (const auto threads = behind(text, "Sender threads:")) senders_ = first_whole(*threads);
    if (const auto threads = behind(text, "Receiver threads:")) receivers_ = first_whole(*threads);
    for (const std::string_view word : {"Memory on ", "Buffer on "})
      if (holds(text, word)) buffers(text, word);
  }

  /// Reads "# Rank 0 Memory on DEVICE (D) and Rank 1 Memory on HOST (H)", in tests between two processes
  /// "# Send Buffer on DEVICE (D) and Receive Buffer on HOST (H)".
  void buffers(std::string_view text, std::string_view word) {
    std::string kinds;
    for (std::string_view rest = text; const auto at = behind(rest, word);) {
      const std::string kind = at->starts_with("HOST") ? "H" : at->starts_with("MANAGED") ? "M" : "D";
      kinds += (kinds.empty() ? "" : "-") + kind;
      rest = *at;
    }
    buffers_ = kinds == "H-H" || kinds == "H" ? "" : kinds;
    told_buffers_ = true;
  }

  void init(std::string_view text, const Line& line) {
    Point point("osu", title_.benchmark, line.number);
    const auto processes = between(text, "nprocs:", ",");
    if (!processes || !count(*processes))
      return piece_.remark("import_row", line.number, "no number of processes: left out");
    point.record.processes = *count(*processes);
    const auto milliseconds = [&](std::string_view name, const char* classic) {
      if (const auto word = between(text, name, "ms")) point.note(classic, *word, milli);
    };
    milliseconds("min:", "min_s");
    milliseconds("max:", "max_s");
    ++piece_.rows;
    point.over_time = "once", point.over_ranks = "mean", point.printed = "ms";
    if (!between(text, "avg:", "ms"))
      return piece_.remark("import_truncated", line.number, "the row is cut off");
    point.take("time_s", *between(text, "avg:", "ms"), milli);
    piece_.points.push_back(std::move(point));
  }

  void row(const Line& line, bool last) {
    const auto words = words_of(line.text);
    const bool looks =
        !words.empty() &&
        (whole(words[0]) || (!columns_.empty() && columns_.front().what.to != To::size && number(words[0])));
    if (!looks || columns_.empty()) {
      if (looks) ++piece_.odd_rows;
      ++piece_.strange;
      return;
    }
    ++piece_.rows;
    if (last && may_be_cut(line, words.back(), decimals_)) {
      piece_.truncated = true;
      return piece_.remark("import_truncated", line.number, "the last row has no end: left out");
    }
    if (words.size() != columns_.size()) {
      ++piece_.odd_rows;
      return piece_.remark("import_row", line.number,
                           std::to_string(words.size()) + " columns under a heading of " +
                               std::to_string(columns_.size()) + ": left out");
    }
    decimals_ = decimals(words.back());
    add(line, words);
  }

  void add(const Line& line, const std::vector<std::string_view>& words) {
    Point point("osu", title_.benchmark, line.number);
    set_params(point);
    point.over_time = "mean";
    point.over_ranks = title_.processes == Processes::two     ? "one"
                       : title_.processes == Processes::pairs ? "sum"
                                                              : "mean";
    record::Statistics tail;
    for (std::size_t i = 0; i < words.size(); ++i) put(columns_[i], words[i], point, tail);
    join_tail(point, tail);
    if (find_point(piece_, point) != nullptr)
      return piece_.remark("import_row", line.number, "a size that stands in its table already: left out");
    piece_.points.push_back(std::move(point));
  }

  void set_params(Point& point) {
    auto& record = point.record;
    if (title_.processes == Processes::two) record.processes = 2;
    if (pairs_ && *pairs_ > 0 && *pairs_ < 100'000'000) {
      record.processes = static_cast<int>(2 * *pairs_);
      point.set("pairs", *pairs_);
    }
    if (title_.sized) point.set("type", type());
    if (window_) point.set("window", *window_);
    const bool windowed = title_.benchmark == "bw" || title_.benchmark == "bibw" ||
                          title_.benchmark.ends_with("_bw") || title_.benchmark.ends_with("_bibw") ||
                          title_.benchmark.ends_with("bw_persistent");
    if (windowed && !window_) point.unknown.emplace_back("window");
    if (!win_.empty()) point.set("win", win_);
    if (!sync_.empty()) point.set("sync", sync_);
    if (!buffers_.empty()) point.set("buffers", buffers_);
    if (senders_) point.set("threads_send", *senders_);
    if (receivers_) point.set("threads_receive", *receivers_);
    record.memory_kind = memory_kind();
    if (!record.memory_kind.empty()) point.flag("buffers_device");
  }

  /// Memory of the buffers: by the line about them, without one by the title alone; empty: that of the host.
  [[nodiscard]] std::string memory_kind() const {
    const bool managed = told_buffers_ ? holds(buffers_, "M") : !title_.memory_kind.empty();
    const bool device = told_buffers_ ? holds(buffers_, "D") : !title_.variant.empty();
    return managed ? "managed" : device ? "device" : "";
  }

  std::string type() {
    if (!type_.empty()) return type_;
    const char* usual = title_.reduction ? "MPI_FLOAT" : "MPI_CHAR";
    piece_.assumed["type"] = std::string(usual) + ": this release does not print it";
    return usual;
  }

  void put(const Column& column, std::string_view word, Point& point, record::Statistics& tail) {
    const OsuColumn& what = column.what;
    switch (what.to) {
      case To::size:
      case To::transmit:
        if (const auto bytes = whole(word))
          point.set(what.to == To::size ? "message_byte" : "transmit_byte", *bytes);
        else
          point.fail(word);
        break;
      case To::value:
        if (point.take(what.name, word, what.scale) && point.record.metrics.size() == 1)
          point.printed = what.scale.ten == -6 ? "us" : what.scale.ten == 6 ? "MB/s" : "";
        break;
      case To::classic: point.note(what.name, word, what.scale); break;
      case To::iterations: point.record.schedule->ops = whole(word); break;
      case To::overlap:
        if (const auto share = number(word)) point.note("overlap", share->value / 100);
        break;
      case To::validation:
        point.record.verified = word == "Pass"   ? std::optional(true)
                                : word == "Fail" ? std::optional(false)
                                                 : std::nullopt;
        break;
      case To::tail:
        if (const auto value = number(word, micro)) put_tail(column.percentile, value->value, point, tail);
        break;
      case To::tail_bandwidth:
        point.note(("p" + std::to_string(column.percentile) + "_bandwidth_byte_s").c_str(), word, mega);
        break;
    }
  }

  static void put_tail(int percentile, double value, Point& point, record::Statistics& tail) {
    const std::pair<int, std::optional<double>&> members[] = {
        {5, tail.p05}, {25, tail.p25}, {50, tail.median}, {75, tail.p75}, {95, tail.p95}, {99, tail.p99}};
    for (const auto& [percent, member] : members)
      if (percent == percentile) {
        member = value;
        tail.headline = "mean";
        return;
      }
    point.note(("p" + std::to_string(percentile) + "_latency_s").c_str(), value);
  }

  static void join_tail(Point& point, record::Statistics& tail) {
    if (tail.headline.empty() || point.record.primary != "time_s" || point.record.metrics.empty()) return;
    auto& metric = point.record.metrics.front().second;
    const auto* mean = std::get_if<double>(&metric);
    if (mean == nullptr) return;
    tail.mean = *mean;
    metric = tail;
  }

  const Block& block_;
  Piece piece_;
  OsuTitle title_;
  std::vector<Column> columns_;
  int decimals_ = -1;
  std::string type_, win_, sync_, buffers_;
  bool told_buffers_ = false;
  std::optional<std::int64_t> pairs_, window_, senders_, receivers_;
};

}  // namespace

void read_osu(const Block& block, const Description& /*told*/, Pieces& pieces) {
  pieces.push_back(OsuReader(block).read());
}

}  // namespace steelyard::foreign
