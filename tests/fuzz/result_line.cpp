// SPDX-License-Identifier: Apache-2.0
#include "record/file.hpp"
#include "targets.hpp"

namespace steelyard::fuzz {
namespace {

/// What this program writes of a line that it has read is what it writes of its own line.
void same_again(const record::Record& record) {
  const std::string once = record::to_line(record);
  const auto again = record::from_line(once);
  require(again.has_value(), "a record is printed as one of unknown type");
  require(record::to_line(*again) == once, "a record is printed as another");
}

}  // namespace

void read_result_line(std::string_view input) {
  accepts<record::ReadError>([&] {
    if (const auto record = record::from_line(input)) same_again(*record);
  });
}

void read_result_file(std::string_view input) {
  const TextFile file(input);
  const auto all = record::parse_run_choice("all");
  accepts<record::ReadError>(
      [&] {
        const auto content = record::read(file.path(), all);
        accepts<record::ReadError>([&] {
          for (const auto& run : record::runs(content))
            require(run.points.size() == run.envelopes.size(), "points without envelopes");
        });
      },
      [&](const std::string& what) { require(what.starts_with(file.path()), "an error without its file"); });
  accepts<record::ReadError>([&] { static_cast<void>(record::read(file.path())); });
}

}  // namespace steelyard::fuzz
