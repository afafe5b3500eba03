// SPDX-License-Identifier: Apache-2.0
#include "targets.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace steelyard::fuzz {
namespace {

constexpr auto all = std::to_array<Target>({{"sizes", read_sizes},
                                            {"durations", read_durations},
                                            {"numbers", read_numbers},
                                            {"options", read_options},
                                            {"configuration", read_configuration},
                                            {"result_line", read_result_line},
                                            {"result_file", read_result_file},
                                            {"hpcc_input", read_hpcc_input},
                                            {"hpcc_output", read_hpcc_output},
                                            {"imb_lengths", read_imb_lengths},
                                            {"imb_selection", read_imb_selection},
                                            {"hints", read_hints},
                                            {"systems", read_systems},
                                            {"balance", read_balance},
                                            {"machine_texts", read_machine_texts},
                                            {"metadata", read_metadata},
                                            {"power", read_power},
                                            {"foreign_imb", read_foreign_imb},
                                            {"foreign_osu", read_foreign_osu},
                                            {"foreign_hpl", read_foreign_hpl},
                                            {"foreign_hpcc", read_foreign_hpcc},
                                            {"foreign_stream", read_foreign_stream},
                                            {"foreign_babelstream", read_foreign_babelstream},
                                            {"foreign_ior", read_foreign_ior},
                                            {"foreign_mdtest", read_foreign_mdtest},
                                            {"foreign_fio", read_foreign_fio},
                                            {"foreign_b_eff", read_foreign_b_eff},
                                            {"foreign_b_eff_io", read_foreign_b_eff_io},
                                            {"foreign_hpcg", read_foreign_hpcg},
                                            {"foreign_graph500", read_foreign_graph500},
                                            {"foreign_nccl", read_foreign_nccl},
                                            {"foreign_any", read_foreign_any},
                                            {"planted", read_planted}});

[[noreturn]] void fail(const char* call) {
  throw std::system_error(errno, std::generic_category(), call);
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written < 0) fail("write");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::span<const Target> targets() {
  return all;
}

const Target* find_target(std::string_view name) {
  const auto found = std::ranges::find(all, name, &Target::name);
  return found == all.end() ? nullptr : &*found;
}

void require(bool holds, const std::string& what) {
  if (!holds) throw Broken(what);
}

bool names_line(std::string_view text, std::string_view place) {
  if (!text.starts_with(place)) return false;
  text.remove_prefix(place.size());
  const auto digits = text.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && text[digits] == ':' && text.front() != '0';
}

TextFile::TextFile(std::string_view text) : descriptor_(::memfd_create("text", MFD_CLOEXEC)) {
  if (descriptor_ < 0) fail("memfd_create");
  write_all(descriptor_, text);
}

TextFile::~TextFile() {
  ::close(descriptor_);
}

std::string TextFile::path() const {
  return "/proc/self/fd/" + std::to_string(descriptor_);
}

void read_planted(std::string_view input) {
  constexpr std::string_view secret = "kg!";
  require(input.substr(0, secret.size()) != secret, "the planted error");
}

}  // namespace steelyard::fuzz
