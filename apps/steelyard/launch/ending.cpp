// SPDX-License-Identifier: Apache-2.0
#include "launch/ending.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>

#include "machine/scratch.hpp"
#include "process/errors.hpp"
#include "record/file.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

constexpr std::array own_codes{exit_code::done,      exit_code::point_failed, exit_code::usage,
                               exit_code::judgement, exit_code::refused,      exit_code::stopped,
                               exit_code::internal};

constexpr std::array crashes{SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};

// Quotes within a text are escaped: this can only be a member of a record.
constexpr std::string_view gave_up = R"("code":"gave_up")";

// Line of the files that a run has left, which it lists as long as they are there; empty if there is no list.
std::string files_stay(const std::filesystem::path& results) {
  std::error_code error;
  if (results.empty() || !std::filesystem::exists(results / machine::scratch_manifest_name, error)) return {};
  return "files of the run stay; they are removed by:  steelyard doctor --clean " +
         units::in_shell(results.string()) + '\n';
}

// Last line of a result file without its end; empty if that is missing.
std::string last_line(const std::filesystem::path& results) {
  const auto bytes = bytes_of_records(results);
  std::ifstream file(results / "result.jsonl", std::ios::binary);
  file.seekg(static_cast<std::streamoff>(bytes - std::min<std::uintmax_t>(bytes, record::max_line_byte + 1)));
  std::string line{std::istreambuf_iterator<char>(file), {}};
  if (line.empty() || line.back() != '\n') return {};
  line.pop_back();
  return line.substr(line.rfind('\n') + 1);
}

std::string code_of_launcher(const Ending& ending) {
  return "(the launcher's code is " + std::to_string(ending.code) + ")";
}

std::string continue_with(const std::string& words) {
  return "continue with:  " + words + '\n';
}

}  // namespace

std::uintmax_t bytes_of_records(const std::filesystem::path& results) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(results / "result.jsonl", error);
  return error ? 0 : bytes;
}

bool has_records(const std::filesystem::path& results) {
  return bytes_of_records(results) > 0;
}

std::optional<record::EndRecord> recorded_end(const std::filesystem::path& results) {
  if (results.empty()) return std::nullopt;
  try {
    const auto last = record::from_line(last_line(results));
    const auto* end = last ? std::get_if<record::EndRecord>(&last->body) : nullptr;
    return end != nullptr ? std::optional(*end) : std::nullopt;
  } catch (const record::ReadError&) {
    return std::nullopt;
  }
}

bool file_is_gone(const std::filesystem::path& results) {
  std::error_code error;
  return !results.empty() && !std::filesystem::exists(results / "result.jsonl", error) && !error;
}

bool own_exit_code(int code) {
  return std::ranges::find(own_codes, code) != own_codes.end();
}

GivenUp::GivenUp(const std::filesystem::path& results) : file_(results / "result.jsonl") {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file_, error);
  if (!error) read_byte_ = bytes;
}

bool GivenUp::operator()() {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file_, error);
  if (seen_ || error || bytes <= read_byte_) return seen_;
  std::ifstream file(file_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(read_byte_));
  const std::string added{std::istreambuf_iterator<char>(file), {}};
  read_byte_ += added.size();
  end_ += added;
  seen_ = end_.find(gave_up) != std::string::npos;
  end_.erase(0, end_.size() - std::min(end_.size(), gave_up.size()));
  return seen_;
}

bool was_cut_short(const std::filesystem::path& results) {
  if (results.empty() || !has_records(results)) return false;
  bool cut_short = false, left = false;
  const auto look = [&](const record::Record& record) {
    if (std::holds_alternative<record::RunRecord>(record.body)) cut_short = left = false;
    if (const auto* event = std::get_if<record::EventRecord>(&record.body))
      cut_short = cut_short || event->code == "cut_short";
    if (const auto* end = std::get_if<record::EndRecord>(&record.body)) left = end->points.left > 0;
  };
  try {
    record::scan(results, look);
  } catch (const record::ReadError&) {
    return false;
  }
  return cut_short && left;
}

int nothing_begun(int code, int signal) {
  if (std::ranges::find(crashes, signal) != crashes.end()) {
    print_error_here("the launcher itself crashed before anything was measured (signal " +
                     std::to_string(signal) + ", " + strsignal(signal) +
                     "); 'steelyard doctor' tells what it is known to stumble over");
    return exit_code::refused;
  }
  print_error_here("the processes ended before anything was measured (the launcher's code is " +
                   std::to_string(code) + ")");
  return exit_code::refused;
}

bool died_of_the_wish(int code) {
  return code == exit_code::done || code == SIGUSR1 || code == 128 + SIGUSR1;
}

int stopped_early(const Ending& ending, bool goes_on) {
  std::string text =
      "steelyard: stopped before anything " + std::string(goes_on ? "more " : "") + "was measured\n";
  if (goes_on && has_records(ending.results) && !ending.resume.empty()) text += continue_with(ending.resume);
  std::cerr << text + files_stay(ending.results);
  return exit_code::stopped;
}

int records_gone(const Ending& ending) {
  const bool told = ending.code == exit_code::point_failed || ending.code == exit_code::refused;
  if (told && !ending.insisted) return ending.code;
  print_error_here((ending.results / "result.jsonl").string() +
                   " is not there any more: it was removed or moved while the run wrote it");
  return exit_code::point_failed;
}

int late_loss(const Ending& ending, const record::EndRecord& end) {
  if (end.exit_code == ending.code) return end.exit_code;
  const std::string what =
      ending.insisted ? "the processes were ended by a second signal" : "a process was lost";
  std::string text =
      "steelyard: note: " + what + " when the end of the run was recorded " + code_of_launcher(ending) + '\n';
  if (end.points.left > 0 && !ending.resume.empty()) text += continue_with(ending.resume);
  std::cerr << text;
  return end.exit_code;
}

int lost_run(const Ending& ending) {
  if (!ending.results.empty() && !has_records(ending.results)) {
    const int code = nothing_begun(ending.code, ending.insisted ? 0 : ending.signal);
    std::cerr << files_stay(ending.results);
    return code;
  }
  const std::string why =
      ending.insisted ? "a second signal ended them" : "one was killed or a host was lost";
  print_error_here("the processes ended before the run did: " + why + ' ' + code_of_launcher(ending));
  std::string text;
  if (!ending.results.empty())
    text += "Everything measured is in " + (ending.results / "result.jsonl").string() + '\n';
  if (!ending.resume.empty()) text += continue_with(ending.resume);
  std::cerr << text + files_stay(ending.results);
  return exit_code::point_failed;
}

}  // namespace steelyard::cli
