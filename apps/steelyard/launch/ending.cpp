// SPDX-License-Identifier: Apache-2.0
#include "launch/ending.hpp"

#include <algorithm>
#include <array>
#include <csignal>
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

// Quotes within a text are escaped: this can only be a member of a record.
constexpr std::string_view gave_up = R"("code":"gave_up")";

// Line of the files that a run has left, which it lists as long as they are there; empty if there is no list.
std::string files_stay(const std::filesystem::path& results) {
  std::error_code error;
  if (results.empty() || !std::filesystem::exists(results / machine::scratch_manifest_name, error)) return {};
  return "files of the run stay; they are removed by:  steelyard doctor --clean " +
         units::in_shell(results.string()) + '\n';
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

int nothing_begun(int code) {
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

int lost_run(const Ending& ending) {
  const std::string launcher = "(the launcher's code is " + std::to_string(ending.code) + ")";
  if (!ending.results.empty() && !has_records(ending.results)) {
    const int code = nothing_begun(ending.code);
    std::cerr << files_stay(ending.results);
    return code;
  }
  print_error_here("the processes ended before the run did: one was killed or a host was lost " + launcher);
  std::string text;
  if (!ending.results.empty())
    text += "Everything measured is in " + (ending.results / "result.jsonl").string() + '\n';
  if (!ending.resume.empty()) text += continue_with(ending.resume);
  std::cerr << text + files_stay(ending.results);
  return exit_code::point_failed;
}

}  // namespace steelyard::cli
