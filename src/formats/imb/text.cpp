// SPDX-License-Identifier: Apache-2.0
#include "formats/imb/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "formats/imb/head.hpp"
#include "formats/imb/table.hpp"
#include "record/point_view.hpp"
#include "suites/imb/part_definition.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

bool skipped_for(const record::PointRecord& point, record::ReasonCode code) {
  return point.status == record::Status::skipped && point.reason && point.reason->code == code;
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string out_of_memory(const record::Reason& reason) {
  // The reference rounds up by a thousandth, so that the number it names is enough.
  const auto bytes = static_cast<double>(reason.needed_byte.value_or(0));
  const double gigabytes = bytes / static_cast<double>(gibi.count()) + 0.001;
  return fmt::format(" out-of-mem.; needed X={:>8} GB; use flag \"-mem X\"",
                     units::format_fixed(gigabytes, 3));
}

std::string because(const record::PointRecord& point) {
  if (!point.reason) return "no reason recorded";
  const record::Reason& reason = *point.reason;
  if (!reason.mpi_class) return one_line(reason.text);
  return one_line(*reason.mpi_class + (reason.text.empty() ? "" : ": " + reason.text));
}

// True for a whole benchmark that cannot run with the given processes: no table, one line.
bool lacks_processes(const record::PointRecord& point) {
  return skipped_for(point, record::ReasonCode::processes) && !record::length_of(point.params);
}

std::string lacks_processes_line(const record::PointRecord& point) {
  return fmt::format("\n# !! Benchmark {} invalid for {} processes !! \n\n", point.benchmark,
                     point.processes);
}

// True if the time limit of its table ended the table before this row, which the later releases print once. A
// point that a rule was asked for has a schedule in its record.
bool timed_out(const record::PointRecord& point) {
  return skipped_for(point, record::ReasonCode::time) && point.schedule.has_value();
}

// True if a plan left the row out to fit a budget: nothing was tried.
bool left_out(const record::PointRecord& point) {
  return skipped_for(point, record::ReasonCode::time) && !point.schedule;
}

// Comment about rows of a table that were left out for one reason; `rows` names them.
std::string left_out_line(const std::string& rows, const std::string& reason) {
  return fmt::format("\n# Not measured: {} ({}); a longer --budget of run measures more.\n", rows,
                     one_line(reason));
}

// Comment about rows that were measured for less than their rule asks.
std::string cut_short_line(const std::string& rows, const std::string& reason) {
  return fmt::format("\n# Cut short: {} ({})\n", rows, one_line(reason));
}

// Text behind the size of a row without a result: out-of-mem., time-out., failed; TEXT, skipped; TEXT.
std::string no_result_text(const record::PointRecord& point) {
  if (skipped_for(point, record::ReasonCode::memory)) return out_of_memory(*point.reason);
  if (timed_out(point)) {
    return " time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over; use \"-time X\"";
  }
  const bool failed = point.status == record::Status::failed;
  return fmt::format(" {}; {}", failed ? "failed" : "skipped", because(point));
}

// Line "[ 1.00, 2.00, ... ]" of the twelve quantiles in microseconds; empty if the point has none.
std::string tail_line(const record::PointRecord& point) {
  const auto* seconds = record::list_of(record::find(point.classic, "tail_s"));
  if (seconds == nullptr || seconds->empty()) return "";
  std::string text = "[";
  for (std::size_t i = 0; i < seconds->size(); ++i) {
    text += (i == 0 ? " " : ", ") + units::format_fixed((*seconds)[i] * 1e6, 2);
  }
  return text + " ]\n";
}

// True if the check of the results found errors.
bool unsuccessful(const record::PointRecord& point) {
  if (point.verified == false) return true;
  return record::number_of(record::find(point.classic, "defects")).value_or(0) > 0;
}

// What ended a run in order before all was measured; empty for an error.
std::string_view ended_by(std::string_view cause) {
  if (cause == "budget") return "its budget";
  if (cause == "deadline") return "its deadline";
  if (cause == "signal") return "a signal";
  if (cause == "cpu_limit") return "the limit of processor time";
  return cause == "stop_file" ? "the file STOP" : "";
}

// Last lines: success only if every point was measured without failure and none is left. A stop in order is no
// failure.
std::string imb_end(const record::EndRecord& end) {
  const bool failed = end.points.failed > 0 || end.points.unverified > 0;
  if (!failed && end.status == "complete") return "\n\n# All processes entering MPI_Finalize\n\n";
  const std::string_view by = ended_by(end.cause);
  if (failed || by.empty()) return "\n\n# Ended with failures\n";
  return fmt::format("\n\n# Ended by {} before all was measured\n", by);
}

std::optional<std::int64_t> whole(const record::PointRecord& point, std::string_view name) {
  return record::whole_of(record::find(point.params, name));
}

std::string text_of(const record::PointRecord& point, std::string_view name) {
  return record::word_of(record::find(point.params, name));
}

class ImbText final : public Writer {
 public:
  ImbText(std::ostream& out, const ImbTextOptions& options) : out_(out), options_(options) {}

  void run(const record::RunRecord& run) override {
    run_ = run;
    begin(imb_setup(run_));
  }

  void point(const record::PointRecord& point) override {
    const imb::Part* part = imb::find_part(point.suite);
    if (part == nullptr) return;
    if (part != setup_.part) begin_part(*part);
    if (lacks_processes(point)) {
      close();
      const int rules = setup_.part->rule_width;
      show(rules > 0 ? imb_no_executions(point.benchmark, rules) : lacks_processes_line(point));
      return;
    }
    if (begins_table(point)) open(point);
    count_size(point);
    if (point.status == record::Status::partial) note_cut_short(point);
    if (left_out(point)) return note_left_out(point);
    if (timed_out(point) && std::exchange(open_.timed_out, true)) return;
    show(row_of(point));
  }

  void end(const record::EndRecord& end) override {
    close();
    if (!options_.headless) show(imb_end(end));
  }

 private:
  /// Table that rows go to.
  struct Open {
    std::optional<ImbBanner> banner;
    ImbTable table;
    std::optional<std::int64_t> first_byte, first_parts, last_byte;
    std::int64_t sizes = 0;  // that have come, each as often as it is listed
    bool rows = false, defects = false, timed_out = false;
    std::vector<std::pair<std::string, std::string>> left_out, cut_short;  // reason, sizes
  };

  void show(const std::string& text) { out_ << text << std::flush; }

  void begin(ImbSetup setup) {
    setup_ = std::move(setup);
    if (options_.version && !setup_.part->later_only && *options_.version != setup_.version)
      setup_.measured_by = std::exchange(setup_.version, *options_.version);
    if (options_.names)
      std::erase_if(setup_.benchmarks, [&](const std::string& name) {
        return !options_.names->contains(std::string(setup_.part->name) + '/' + name);
      });
    open_ = Open{};
    if (!options_.headless) show(imb_head(run_, setup_));
  }

  /// Begins a part, which is a program of its own with its own head.
  void begin_part(const imb::Part& part) {
    close();
    show("\n");
    begin(imb_setup(run_, part));
  }

  std::optional<std::int64_t> size_of(const record::PointRecord& point) const {
    return whole(point, setup_.part->size_name);
  }

  ImbBanner banner_of(const record::PointRecord& point) const {
    const auto map = text_of(point, "map");
    const auto takes_part = whole(point, "taking_part");  // a text has only those
    const imb::Definition* definition = imb::find(*setup_.part, point.benchmark);
    const bool of_threads = definition != nullptr && definition->kind == imb::Class::threads;
    return {.benchmark = point.benchmark,
            .processes = takes_part ? static_cast<int>(*takes_part) : point.processes,
            .groups = point.groups,
            .world = setup_.world,
            .map = map.empty() ? setup_.map : parse_map(map),
            .mode = imb::mode_of(point.params),
            .grid = text_of(point, "grid"),
            .threads = of_threads ? std::optional<std::int64_t>(point.threads) : std::nullopt,
            .window = of_threads ? whole(point, "window") : std::nullopt,
            .topology = text_of(point, "topology"),
            .neighbours = whole(point, "neighbours")};
  }

  /// True if the point begins its benchmark's table again. The first size of a table comes again only when
  /// the benchmark does; sizes of the user's own may repeat inside a table, so with these the plan must list
  /// the benchmark twice, and all sizes of the table have come.
  bool starts_again(const record::PointRecord& point) const {
    if (!open_.rows || whole(point, "group").value_or(0) != 0) return false;
    if (size_of(point) != open_.first_byte || whole(point, "partitions") != open_.first_parts) return false;
    if (!setup_.user_sizes) return true;
    return open_.sizes >= setup_.listed_sizes && std::ranges::count(setup_.benchmarks, point.benchmark) > 1;
  }

  void count_size(const record::PointRecord& point) {
    const bool first =
        whole(point, "group").value_or(0) == 0 && whole(point, "partitions") == open_.first_parts;
    if (first) ++open_.sizes;
  }

  bool begins_table(const record::PointRecord& point) const {
    return open_.banner != banner_of(point) || starts_again(point);
  }

  void open(const record::PointRecord& point) {
    close();
    show(computation_lines(point));
    open_.banner = banner_of(point);
    open_.table = imb_table(point.benchmark, setup_, setup_.version);
    open_.first_byte = size_of(point);
    open_.first_parts = whole(point, "partitions");
    const int rules = setup_.part->rule_width > 0 ? setup_.part->rule_width : width(open_.table);
    std::string banner = imb_banner(*open_.banner, rules);
    // Later programs print no blanks at the ends of lines.
    for (auto at = banner.find(" \n"); setup_.part->later_only && at != std::string::npos;
         at = banner.find(" \n"))
      banner.erase(at, 1);
    show(banner + heading(open_.table) + "\n");
  }

  /// Lines about the computation, once, before the first table whose transfers run beside a computation.
  std::string computation_lines(const record::PointRecord& point) {
    const auto rate = record::number_of(record::find(point.classic, "compute_rate_flop_s"));
    if (!rate || computation_told_) return {};
    computation_told_ = true;
    using prefix::mega;
    return fmt::format(
        "\n\n# For nonblocking benchmarks:\n\n# Function CPU_Exploit obtains an undisturbed\n# performance "
        "of {:>7} MFlops\n",
        units::format_fixed(*rate / mega, 2));
  }

  void note_left_out(const record::PointRecord& point) {
    const std::string why = point.reason->text;
    const std::string row = size_text(point);
    open_.rows = true;
    open_.last_byte = size_of(point);
    auto& list = open_.left_out;
    const auto known = std::ranges::find(list, why, &std::pair<std::string, std::string>::first);
    if (known == list.end())
      list.emplace_back(why, row);
    else if (whole(point, "group").value_or(0) == 0)
      known->second += ", " + row;
  }

  /// Size as its row shows it.
  std::string size_text(const record::PointRecord& point) const {
    const auto size = size_of(point);
    return size ? std::to_string(*size * (open_.table.by_thread ? point.threads : 1)) : "no size";
  }

  /// Name of a row in a comment: its size, and what else tells rows of that size apart.
  std::string name_of(const record::PointRecord& point) const {
    const auto parts = whole(point, "partitions"), group = whole(point, "group");
    std::string name = size_text(point);
    if (parts) name += fmt::format(" in {} parts", *parts);
    if (open_.table.group && group) name += fmt::format(" of group {}", *group);
    return name;
  }

  void note_cut_short(const record::PointRecord& point) {
    auto& list = open_.cut_short;
    const std::string why = because(point), row = name_of(point);
    const auto known = std::ranges::find(list, why, &std::pair<std::string, std::string>::first);
    if (known == list.end())
      list.emplace_back(why, row);
    else
      known->second += ", " + row;
  }

  void close() {
    for (const auto& [why, rows] : open_.cut_short) show(cut_short_line(rows, why));
    for (const auto& [why, rows] : open_.left_out) show(left_out_line(rows, why));
    if (open_.defects) show("\n# Benchmark unsuccessful: " + printed_name(*open_.banner) + "\n");
    open_ = Open{};
  }

  /// What no group was measured for is one record of ours, that of the first group: the others have rows, too. A text
  /// that was read has a record for each row.
  std::string rows_without_result(const record::PointRecord& point) const {
    const bool all = open_.table.group && whole(point, "group") == 0 && point.imported.empty();
    std::string text;
    record::PointRecord row = point;
    for (int group = 0; group < (all ? point.groups : 1); ++group) {
      if (all) row.params["group"] = std::int64_t{group};
      text += row_begin(open_.table, row) + no_result_text(row) + "\n";
    }
    return text;
  }

  std::string row_of(const record::PointRecord& point) {
    const bool new_size = whole(point, "group").value_or(0) == 0 || size_of(point) != open_.last_byte;
    std::string text = open_.table.group && new_size ? "\n" : "";
    open_.rows = true;
    open_.last_byte = size_of(point);
    open_.defects = open_.defects || unsuccessful(point);
    if (!measured(point)) return text + rows_without_result(point);
    text += row(open_.table, point) + "\n";
    return options_.show_tail || setup_.show_tail ? text + tail_line(point) : text;
  }

  std::ostream& out_;
  ImbTextOptions options_;
  record::RunRecord run_;
  ImbSetup setup_;
  Open open_;
  bool computation_told_ = false;
};

class ImbDump final : public Writer {
 public:
  explicit ImbDump(std::unique_ptr<std::ostream> out) : out_(std::move(out)) {}

  void run(const record::RunRecord&) override {}
  void end(const record::EndRecord&) override { out_->flush(); }

  void point(const record::PointRecord& point) override {
    const auto* list = record::list_of(record::find(point.classic, "single_times_s"));
    const imb::Part* part = imb::find_part(point.suite);
    if (list == nullptr || part == nullptr) return;
    const auto bytes = whole(point, part->size_name).value_or(0);
    for (const double time : *list) *out_ << bytes << ' ' << units::format_fixed(time * 1e6, 3) << '\n';
  }

 private:
  std::unique_ptr<std::ostream> out_;
};

}  // namespace

std::unique_ptr<Writer> imb_text(std::ostream& out, const ImbTextOptions& options) {
  return std::make_unique<ImbText>(out, options);
}

std::unique_ptr<Writer> imb_dump(std::unique_ptr<std::ostream> out) {
  return std::make_unique<ImbDump>(std::move(out));
}

}  // namespace steelyard::formats
