// SPDX-License-Identifier: Apache-2.0
#include "launch/ending.hpp"

#include <algorithm>
#include <array>
#include <iostream>

#include "errors.hpp"
#include "record/file.hpp"

namespace steelyard::cli {
namespace {

constexpr std::array own_codes{exit_code::done,      exit_code::point_failed, exit_code::usage,
                               exit_code::judgement, exit_code::refused,      exit_code::stopped,
                               exit_code::internal};

bool has_records(const std::filesystem::path& results) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(results / "result.jsonl", error);
  return !error && bytes > 0;
}

}  // namespace

bool own_exit_code(int code) {
  return std::ranges::find(own_codes, code) != own_codes.end();
}

int lost_run(const Ending& ending) {
  const std::string launcher = "(the launcher's code is " + std::to_string(ending.code) + ")";
  if (!ending.results.empty() && !has_records(ending.results)) {
    print_error_here("the processes ended before anything was measured " + launcher);
    return exit_code::refused;
  }
  print_error_here("the processes ended before the run did: one was killed or a host was lost " + launcher);
  if (!ending.results.empty())
    std::cerr << "Everything measured is in " << (ending.results / "result.jsonl").string() << '\n';
  if (!ending.resume.empty()) std::cerr << "continue with:  " << ending.resume << '\n';
  std::cerr << std::flush;
  return exit_code::point_failed;
}

}  // namespace steelyard::cli
