// SPDX-License-Identifier: Apache-2.0
#include "formats/imb/head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "record/json.hpp"
#include "units/text.hpp"
#include "units/utc.hpp"

namespace steelyard::formats {
namespace {

using record::Json;

// Not std::toupper: a Turkish locale has another capital i.
char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string thread_level(const Json& mpi) {
  std::string level = record::text_in(mpi, "thread_level");
  std::ranges::transform(level, level.begin(), upper);
  return level.empty() || level.starts_with("MPI_") ? level : "MPI_THREAD_" + level;
}

std::string title(const record::RunRecord& run, const ImbSetup& setup) {
  const std::string rule = fmt::format("#{:->64}\n", "");
  return fmt::format("{}#    steelyard {}, {} (IMB {} rules)\n{}", rule,
                     record::text_in(run.program.json(), "version"), setup.part->title,
                     imb::text(setup.version), rule);
}

std::string machine(const record::RunRecord& run) {
  const Json& all = run.machine.json();
  const auto found = all.find("uname");
  const Json uname = found == all.end() ? Json{} : *found;
  return fmt::format(
      "# Date                  : {}\n"
      "# Machine               : {}\n"
      "# System                : {}\n"
      "# Release               : {}\n"
      "# Version               : {}\n"
      "# MPI Version           : {}\n"
      "# MPI Thread Environment: {}\n\n\n",
      asctime_form(run.started_utc), record::text_in(uname, "machine"), record::text_in(uname, "sysname"),
      record::text_in(uname, "release"), record::text_in(uname, "version"),
      record::text_in(run.mpi.json(), "standard"), thread_level(run.mpi.json()));
}

std::string blank(const ImbSetup& setup) {
  return setup.part->blanks_in_head ? " " : "";
}

std::string command(const record::RunRecord& run, const ImbSetup& setup) {
  std::string line = fmt::format("{}", fmt::join(run.command, " "));
  std::ranges::replace(line, '\n', ' ');
  return fmt::format("# Calling sequence was: \n\n# {}{}\n\n", line, blank(setup));
}

std::string lengths(const ImbSetup& setup) {
  const std::string_view words = setup.part->size_words;
  if (setup.user_sizes)
    return setup.part->files ? "# IO lengths were user defined\n#\n"
                             : "# Message lengths were user defined\n#\n";
  return fmt::format("# Minimum {0} in bytes:   {1}\n# Maximum {0} in bytes:   {2}\n#\n", words,
                     setup.min_byte, setup.max_byte);
}

std::string types(const ImbSetup& setup) {
  return fmt::format(
      "# MPI_Datatype                   :   {0} \n"
      "# MPI_Datatype for reductions    :   {1}{4}\n"
      "# MPI_Op                         :   {2}  \n"
      "#{3}\n#{3}\n",
      setup.data_type, setup.reduction_type, setup.op, blank(setup),
      setup.part->blank_after_type ? blank(setup) : "");
}

/// Where IMB-IO prints its hints instead of types.
std::string file_hints(const ImbSetup& setup) {
  if (setup.hints.empty()) return "#\n#\n";
  std::string text = fmt::format("# Got {} Info-keys:\n\n", setup.hints.size());
  for (const auto& [key, value] : setup.hints) text += fmt::format("# {} = \"{}\"\n", key, value);
  return text + "#\n#\n";
}

std::string own_lines(const ImbSetup& setup) {
  std::string text = fmt::format("# Throughput in Mbytes/sec: 1 Mbyte = {} bytes\n",
                                 units::format_fixed(imb::mbyte(setup.version), 0));
  if (setup.off_cache_byte > 0) {
    const double megabytes = static_cast<double>(setup.off_cache_byte) / static_cast<double>(mebi.count());
    text += fmt::format("# Cache avoided: {} MB, {} byte a line\n", units::format_fixed(megabytes, 6),
                        setup.off_cache_line_byte);
  }
  for (const std::string& remark : setup.remarks) text += fmt::format("# {}\n", remark);
  if (setup.check) text += "# Results checking is on: times are not valid\n";
  return text + "\n";
}

std::string list(const ImbSetup& setup) {
  const bool multi = setup.multi && setup.version == imb::Version::v31;
  std::string text = "# List of Benchmarks to run:\n\n";
  for (const std::string& name : setup.benchmarks)
    text += fmt::format("# {}{}\n", multi ? "(Multi-)" : "", name);
  return text;
}

}  // namespace

std::string asctime_form(const std::string& utc) {
  constexpr std::array days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto moment = units::utc_moment(utc);
  if (!moment || utc.size() < std::string_view{"2026-11-20T08:36:21"}.size()) return utc;
  const auto midnight = std::chrono::floor<std::chrono::days>(*moment);
  const std::chrono::year_month_day date{midnight};
  return fmt::format("{} {} {:2} {} {}", days[std::chrono::weekday{midnight}.c_encoding()],
                     months[static_cast<unsigned>(date.month()) - 1], static_cast<unsigned>(date.day()),
                     utc.substr(11, 8), utc.substr(0, 4));
}

std::string imb_head(const record::RunRecord& run, const ImbSetup& setup) {
  return title(run, setup) + machine(run) + command(run, setup) + lengths(setup) +
         (setup.part->types_shown ? types(setup) : file_hints(setup)) + own_lines(setup) + list(setup);
}

}  // namespace steelyard::formats
