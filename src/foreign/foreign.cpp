// SPDX-License-Identifier: Apache-2.0
#include "foreign/foreign.hpp"

#include <algorithm>
#include <utility>

#include "foreign/readers.hpp"

namespace steelyard::foreign {
namespace {

constexpr std::size_t most_rows = 1'000'000;

Reader reader_of(Format format) {
  constexpr Reader readers[] = {read_imb,         read_osu,  read_hpl,      read_hpcc, read_stream,
                                read_babelstream, read_ior,  read_mdtest,   read_fio,  read_beff,
                                read_beffio,      read_hpcg, read_graph500, read_nccl};
  return readers[static_cast<std::size_t>(format)];
}

std::string at_line(std::size_t line, const std::string& what) {
  return "line " + std::to_string(line) + ": " + what;
}

/// A heading of one of the programs whose title is missing.
std::string nearest_format(std::span<const Line> lines) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {{"#repetitions", "imb"},
                                                                     {"# Size", "osu"},
                                                                     {"Best Rate MB/s", "stream"},
                                                                     {"bw(MiB/s)", "ior"},
                                                                     {"SUMMARY rate", "mdtest"},
                                                                     {"algbw", "nccl"},
                                                                     {"harmonic_mean_TEPS", "graph500"},
                                                                     {"Final Summary", "hpcg"}};
  for (const Line& line : lines)
    for (const auto& [sign, word] : signs)
      if (holds(line.text, sign)) return std::string(word);
  return {};
}

[[noreturn]] void refuse_unknown(std::span<const Line> lines) {
  for (const Line& line : lines)
    if (const auto instead = refused_form(line.text); !instead.empty())
      throw Unreadable(at_line(line.number, std::string(instead)));
  const std::string near = nearest_format(lines);
  throw Unreadable("not recognised; known: " + known_formats() +
                   (near.empty() ? "" : ". It has a heading of " + near + " without its title"));
}

/// Reader of block after block, which also finds out where two programs wrote at the same time.
class BlockReader {
 public:
  BlockReader(const Description& told, Reading& reading) : told_(told), reading_(reading) {}

  void take(const Block& block) {
    const std::size_t before = pieces_.size();
    const Block* cut_off = std::exchange(cut_off_, block.ended ? nullptr : &block);
    try {
      reader_of(block.format)(block, told_, pieces_);
    } catch (const Incomplete& refusal) {
      empty_ = &block;
      return refuse(block, refusal, before);
    } catch (const Refusal& refusal) {
      return refuse(block, refusal, before);
    }
    std::size_t odd = 0;
    bool of_two_tables = false;
    for (std::size_t i = before; i < pieces_.size(); ++i) {
      odd += pieces_[i].odd_rows;
      of_two_tables = of_two_tables || pieces_[i].of_two_tables;
      rows_ += pieces_[i].rows;
    }
    if (rows_ > most_rows) throw Unreadable(at_line(block.first_line(), "more than a million rows"));
    if (odd > 0 && empty_ != nullptr && empty_->format != block.format)
      throw Unreadable(at_line(block.first_line(),
                               "lines of " + std::string(name_of(empty_->format).program) + " and " +
                                   std::string(name_of(block.format).program) + " are mixed: import_mixed"));
    // Copies of one program, each of which has only a part of the machine: a launcher started it once a process.
    if ((of_two_tables || block.ended_again) && cut_off != nullptr && cut_off->format == block.format)
      throw Unreadable(at_line(block.first_line(),
                               "lines of several copies of " + std::string(name_of(block.format).program) +
                                   ", which ran at the same time, are mixed: import_mixed"));
    empty_ = nullptr;
    if (std::ranges::find(reading_.formats, block.format) == reading_.formats.end())
      reading_.formats.push_back(block.format);
  }

  [[nodiscard]] Pieces take_pieces() { return std::move(pieces_); }

 private:
  /// Drops the pieces that the block has made so far, behind the first `kept`.
  void refuse(const Block& block, const Refusal& refusal, std::size_t kept) {
    pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(kept), pieces_.end());
    reading_.refused.push_back({block.format, refusal.line(), refusal.what()});
  }

  const Description& told_;
  Reading& reading_;
  Pieces pieces_;
  const Block *empty_ = nullptr, *cut_off_ = nullptr;  // the one before, if it has no row or no end
  std::size_t rows_ = 0;
};

Pieces pieces_of(std::string_view bytes, const Description& told, Reading& reading) {
  Text text(bytes);
  auto blocks = blocks_of(text.lines());
  if (told.format) {
    std::erase_if(blocks, [&](const Block& block) { return block.format != *told.format; });
    if (blocks.empty())
      throw Unreadable("nothing of " + std::string(name_of(*told.format).program) + " is in it");
  }
  if (blocks.empty()) refuse_unknown(text.lines());
  BlockReader reader(told, reading);
  for (const Block& block : blocks) reader.take(block);
  return reader.take_pieces();
}

}  // namespace

bool is_foreign(std::string_view text) {
  return has_mark(text);
}

bool is_suite(std::string_view name) {
  constexpr std::string_view suites[] = {"osu", "stream", "babelstream", "ior", "mdtest",
                                         "fio", "hpcg",   "graph500",    "nccl"};
  return std::ranges::find(suites, name) != std::end(suites);
}

std::string text(const RefusedBlock& refused) {
  return at_line(refused.line, refused.what + " (" + std::string(name_of(refused.format).word) + ')');
}

Reading read(const Source& source, const Description& told) {
  Reading reading;
  Pieces pieces = pieces_of(source.text, told, reading);  // the lines are freed before the records are made
  add_runs(std::move(pieces), source, told, reading);
  std::ranges::stable_sort(reading.refused, {}, &RefusedBlock::line);
  return reading;
}

}  // namespace steelyard::foreign
