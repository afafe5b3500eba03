// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measuring/measured_suite.hpp"
#include "options/option_table.hpp"
#include "options/values.hpp"
#include "record/point_view.hpp"
#include "suites/hpcc/hpl/model.hpp"
#include "suites/hpcc/input/file.hpp"
#include "suites/hpcc/settings.hpp"

/// The command line of the front-end hpcc. Source: docs/suites/hpcc.md, "Command line".
namespace steelyard::cli {

[[nodiscard]] std::span<const Group> hpcc_front_options();

/// Benchmarks that a list names: their own names, or HPL DGEMM PTRANS STREAM RandomAccess FFT LatBw, in any
/// case. Throws units::ParseError.
[[nodiscard]] std::vector<std::string> parse_hpcc_tests(std::string_view word);

/// Benchmarks of the suite that --only, --skip and --random-generator leave, in the suite's order. Throws
/// UsageError if nothing is left.
[[nodiscard]] std::vector<std::string> hpcc_chosen(const Values& values);

/// Part of the usable memory, or memory per process.
struct HpccMemory {
  std::optional<double> share;
  std::optional<Bytes> of_process;
};
/// "80%", "0.5" or "2GiB". Throws units::ParseError.
[[nodiscard]] HpccMemory parse_hpcc_memory(std::string_view word);
void check_hpcc_memory(std::string_view word);

/// Source of the problem: an input file, the memory, the built-in defaults, or options alone.
class HpccInput {
 public:
  /// Reads the input file, or with --defaults the memory file; `file`: name of the input file if none is said. Throws
  /// UsageError for files that are missing or wrong and for options that exclude each other.
  explicit HpccInput(const Values& values, std::string_view file = "hpccinf.txt");

  /// Settings with the problem at this place; --auto chooses NB by `rates` if no option says it. Throws UsageError.
  [[nodiscard]] hpcc::Settings settings(const Place& place, std::span<const suites::PanelRate> rates) const;
  /// Device of lines 3 and 4 of the file, on which the linear solver alone writes.
  struct Device {
    std::int64_t number = hpcc::InputFile::standard_output;
    std::string file;
    [[nodiscard]] bool is_file() const {
      return number != hpcc::InputFile::standard_output && number != hpcc::InputFile::standard_error;
    }
  };
  /// Throws UsageError for a file without a name.
  [[nodiscard]] Device device() const;
  /// Sentences on values of the file that are not used and no option stands above.
  [[nodiscard]] std::vector<std::string> notes() const;
  /// What a value comes from, in words: the option if it was said, else this line of the file.
  [[nodiscard]] std::string name_of(std::string_view option, int line) const;
  [[nodiscard]] bool is_derived() const { return kind_ == Kind::automatic; }

 private:
  enum class Kind { file, automatic, defaults, options };
  void read_file();
  void read_memory_file();
  /// The file; with `processes` its grids must not need more. Throws UsageError.
  [[nodiscard]] hpcc::InputFile parsed(std::optional<int> processes = std::nullopt) const;
  void derive(const Place& place, std::span<const suites::PanelRate> rates, hpcc::Settings& settings) const;
  struct MemoryFile {
    int code = 0;
    double mebibyte = 0;
  };
  [[nodiscard]] double of_process(const MemoryFile& file, int processes) const;
  void take_defaults(const Place& place, hpcc::Settings& settings) const;

  const Values& values_;
  Kind kind_ = Kind::file;
  std::string name_, text_;  // of the file
  std::optional<MemoryFile> memory_file_;
};

/// Plan of the chosen benchmarks, with the settings that the words make at this place. Throws UsageError.
[[nodiscard]] Prepared prepare_hpcc(const Values& values, const HpccInput& input,
                                    const std::vector<std::string>& chosen,
                                    std::span<const suites::PanelRate> rates, const Place& place);

[[nodiscard]] std::span<const Group> hpl_front_options();

}  // namespace steelyard::cli
