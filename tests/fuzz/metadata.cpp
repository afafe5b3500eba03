// SPDX-License-Identifier: Apache-2.0
#include "input/metadata.hpp"

#include <cmath>

#include "process/errors.hpp"
#include "targets.hpp"

namespace steelyard::fuzz {
namespace {

using cli::UsageError;

void require_file(const std::string& what, const TextFile& file) {
  require(what.find(file.path()) != std::string::npos, "an error without its file: " + what);
}

}  // namespace

void read_metadata(std::string_view input) {
  const TextFile file(input);
  const auto named = [&](const std::string& what) { require_file(what, file); };
  accepts<UsageError>(
      [&] {
        const auto data = cli::read_metadata(file.path());
        for (const auto& value : {data.clock_ghz, data.adapters_per_node, data.year, data.hpcg_flop_s})
          require(!value || std::isfinite(*value), "a value that is no number");
      },
      named);
  accepts<UsageError>(
      [&] { require(!cli::read_profile(file.path()).name.empty(), "a profile without a name"); }, named);
}

void read_power(std::string_view input) {
  const TextFile file(input);
  accepts<UsageError>([&] { require(std::isfinite(cli::read_power(file.path())), "no power"); },
                      [&](const std::string& what) { require_file(what, file); });
}

}  // namespace steelyard::fuzz
