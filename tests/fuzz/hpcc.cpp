// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/measured.hpp"
#include "foreign/foreign.hpp"
#include "suites/hpcc/input/file.hpp"
#include "targets.hpp"

namespace steelyard::fuzz {
namespace {

constexpr int some_processes = 6;

std::string written(const hpcc::InputFile& file) {
  return hpcc::write_input(file.settings);
}

void read_and_write(std::string_view input) {
  const std::string text = written(hpcc::read_input(input, "in"));
  const std::string again = written(hpcc::read_input(text, "written"));
  require(again == text, "an input file is printed as another");
  require(written(hpcc::read_written(text, "written")) == text, "the text of a record is read as another");
}

void require_places(const hpcc::InputError& error) {
  require(!error.faults().empty(), "an error without a fault");
  for (const auto& fault : error.faults())
    require(fault.line >= 1 && fault.line <= 36 && !fault.what.empty(), "a fault without a line");
  require(names_line(error.what(), "in:"), "an error without its line");
}

}  // namespace

void read_hpcc_input(std::string_view input) {
  try {
    read_and_write(input);
  } catch (const hpcc::InputError& error) {
    require_places(error);
  }
  accepts<hpcc::InputError>([&] { static_cast<void>(hpcc::read_input(input, "in", {}, some_processes)); });
}

void read_hpcc_output(std::string_view input) {
  foreign::Description told;
  told.format = foreign::Format::hpcc;
  accepts<foreign::Unreadable>([&] {
    for (const auto& run : foreign::read({"hpccoutf.txt", input, {}}, told).runs)
      for (const auto& summary : run.summaries) {
        balance::System system;
        balance::take_hpcc_summary(system, summary.classic);
        balance::take_hpcc_success(system, summary.classic);
      }
  });
}

}  // namespace steelyard::fuzz
