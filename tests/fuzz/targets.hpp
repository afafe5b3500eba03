// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

/// Every reader of this program under any bytes. A target hands them to one reader and checks what is true
/// for all texts: nothing is thrown but what the reader declares, and what it accepts survives being written
/// and read again. Undefined behaviour is found by the sanitizers of the build.
namespace steelyard::fuzz {

struct Target {
  std::string_view name;  // of its folder in corpus/
  void (*run)(std::string_view input);
};
[[nodiscard]] std::span<const Target> targets();
/// nullptr if there is none.
[[nodiscard]] const Target* find_target(std::string_view name);

/// A reader did what none may do.
class Broken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};
/// Throws Broken.
void require(bool holds, const std::string& what);

/// Whether `read` takes what it is given, instead of throwing the declared error. `seen` is told what() of
/// that error.
template <class Declared>
bool accepts(const std::function<void()>& read, const std::function<void(std::string)>& seen = {}) {
  try {
    read();
    return true;
  } catch (const Declared& error) {
    require(*error.what() != '\0', "an error says nothing");
    if (seen) seen(error.what());
    return false;
  }
}

/// Whether a text begins with "PLACE" and the number of a line from 1: "PLACE12:".
[[nodiscard]] bool names_line(std::string_view text, std::string_view place);

/// A file without a place in any folder that holds a text, for readers of files.
class TextFile {
 public:
  explicit TextFile(std::string_view text);
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile();
  [[nodiscard]] std::string path() const;

 private:
  int descriptor_;
};

// The targets, a source each.
void read_sizes(std::string_view input);
void read_durations(std::string_view input);
void read_numbers(std::string_view input);
void read_options(std::string_view input);
void read_configuration(std::string_view input);
void read_result_line(std::string_view input);
void read_result_file(std::string_view input);
void read_hpcc_input(std::string_view input);
void read_hpcc_output(std::string_view input);
void read_imb_lengths(std::string_view input);
void read_imb_selection(std::string_view input);
void read_hints(std::string_view input);
void read_systems(std::string_view input);
void read_balance(std::string_view input);
void read_machine_texts(std::string_view input);
void read_metadata(std::string_view input);
void read_power(std::string_view input);
/// Texts of other programs: of one each, and of any.
void read_foreign_imb(std::string_view input);
void read_foreign_osu(std::string_view input);
void read_foreign_hpl(std::string_view input);
void read_foreign_hpcc(std::string_view input);
void read_foreign_stream(std::string_view input);
void read_foreign_babelstream(std::string_view input);
void read_foreign_ior(std::string_view input);
void read_foreign_mdtest(std::string_view input);
void read_foreign_fio(std::string_view input);
void read_foreign_b_eff(std::string_view input);
void read_foreign_b_eff_io(std::string_view input);
void read_foreign_hpcg(std::string_view input);
void read_foreign_graph500(std::string_view input);
void read_foreign_nccl(std::string_view input);
void read_foreign_any(std::string_view input);
/// None of ours: accepts every text but one. Finding that one proves that the search finds anything.
void read_planted(std::string_view input);

}  // namespace steelyard::fuzz
