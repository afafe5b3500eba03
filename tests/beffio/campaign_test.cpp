// SPDX-License-Identifier: Apache-2.0
// Whole runs: every access method and pattern, two partitions, kept files, a stop and its resume.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <set>

#include "beffio_campaign.hpp"
#include "suites/beffio/content.hpp"
#include "suites/beffio/course.hpp"
#include "suites/beffio/layout.hpp"

namespace steelyard::beffio {
namespace {

const mpi::Communicator& world() {
  static const auto all = mpi::Communicator::world();
  return all;
}

std::vector<std::uint64_t> words_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint64_t));
  return words;
}

/// Compares every chunk of a file with what had to be written there; the words that no chunk claims.
class FileCheck {
 public:
  FileCheck(const test::Told& told, const PatternTable& table, PatternType type)
      : table_(table), type_(type), told_(told) {
    const Span span = patterns_of(type);
    for (std::size_t p = span.first; p <= span.last(); ++p) {
      const auto& point = test::find(told, "write", static_cast<int>(p), world().size());
      calls_[p] = static_cast<std::uint64_t>(test::number(point, "calls"));
      if (size_driven(type)) segment_ = Bytes{static_cast<std::int64_t>(test::number(point, "segment_byte"))};
      table_[p].disk = Bytes{static_cast<std::int64_t>(test::number(point, "chunk_byte"))};
      table_[p].memory = Bytes{static_cast<std::int64_t>(test::number(point, "memory_byte"))};
    }
  }

  std::size_t unclaimed(const std::vector<std::uint64_t>& words, const std::set<int>& ranks,
                        Mismatches& wrong) {
    const Layout layout(table_, type_, calls_, world().size(), segment_);
    std::size_t claimed = 0;
    const Span span = patterns_of(type_);
    for (std::size_t p = span.first; p <= span.last(); ++p)
      for (const int rank : ranks)
        for (std::uint64_t call = 0; call < calls_[p]; ++call)
          for (std::int64_t k = 0; k < table_[p].chunks(); ++k)
            claimed += compare_chunk(words, layout, static_cast<int>(p), {rank, call, k}, wrong);
    return words.size() - claimed;
  }

 private:
  std::size_t compare_chunk(const std::vector<std::uint64_t>& words, const Layout& layout, int p,
                            const ChunkPlace& place, Mismatches& wrong) {
    const auto length =
        static_cast<std::size_t>(table_[static_cast<std::size_t>(p)].disk.count() / element_byte);
    const auto at = static_cast<std::size_t>(layout.offset(p, place) / element_byte);
    if (at + length > words.size()) throw std::out_of_range("the file is too short");
    const auto chunk = std::span(words).subspan(at, length);
    compare({place.call, place.chunk, static_cast<std::int64_t>(length), 0, chunk}, {place.rank, p, 1},
            wrong);
    return length;
  }

  PatternTable table_;
  PatternType type_;
  const test::Told& told_;
  Repetitions calls_{};
  Bytes segment_;
};

}  // namespace

TEST(campaign, measures_every_pattern_of_every_access_method_and_leaves_nothing) {
  const test::Directory directory(world());
  test::Campaign campaign(test::tiny(world()), world(), directory);
  EXPECT_EQ(campaign.run().exit_code, 0);
  if (!world().is_root()) return;
  const auto told = campaign.told();
  EXPECT_EQ(told.points.size(), 3 * pattern_count);
  for (const auto& point : told.points) {
    EXPECT_EQ(point.status, record::Status::ok) << point.key << (point.reason ? point.reason->text : "");
    EXPECT_EQ(point.verified, true) << point.key;
  }
  EXPECT_THAT(directory.files(), testing::IsEmpty());
  ASSERT_EQ(told.summaries.size(), 1u);
  EXPECT_EQ(told.summaries[0].name, "b_eff_io");
  EXPECT_EQ(told.summaries[0].verified, true);
  EXPECT_EQ(told.summaries[0].official, false);  // by its time alone
  EXPECT_GT(std::get<double>(told.summaries[0].values.front().second), 0);
}

TEST(campaign, rewrite_and_read_repeat_what_was_written) {
  const test::Directory directory(world());
  auto settings = test::tiny(world());
  settings.total_s = 0.2;
  settings.most_byte = 256 << 20;
  test::Campaign campaign(settings, world(), directory);
  EXPECT_EQ(campaign.run().exit_code, 0);
  if (!world().is_root()) return;
  const auto told = campaign.told();
  double calls = 0;
  for (int p = 0; p < static_cast<int>(pattern_count); ++p) {
    const double written = test::number(test::find(told, "write", p, world().size()), "calls");
    EXPECT_EQ(test::number(test::find(told, "rewrite", p, world().size()), "calls"), written) << p;
    EXPECT_EQ(test::number(test::find(told, "read", p, world().size()), "calls"), written) << p;
    calls += written;
  }
  EXPECT_GT(calls, 60);  // short patterns are repeated
  EXPECT_GT(test::number(test::find(told, "write", 13, world().size()), "control_rounds"), 0);
}

TEST(campaign, kept_files_hold_the_rewritten_data_at_the_places_of_the_layout) {
  const test::Directory directory(world());
  auto settings = test::tiny(world());
  settings.keep = true;
  test::Campaign campaign(settings, world(), directory);
  EXPECT_EQ(campaign.run().exit_code, 0);
  world().barrier();
  if (!world().is_root()) return;
  const auto told = campaign.told();
  const auto table = pattern_table(2 * mebi);
  const int n = world().size();
  for (const auto type : pattern_types) {
    FileCheck check(told, table, type);
    for (int file = 0; file < (type == PatternType::separated ? n : 1); ++file) {
      const auto own = type == PatternType::separated ? std::optional(file) : std::nullopt;
      const auto words = words_of(directory.path() / ("b_eff_io_data_" + file_label(0, n, type, own)));
      std::set<int> ranks;
      for (int r = 0; r < n; ++r)
        if (!own || r == file) ranks.insert(r);
      Mismatches wrong;
      EXPECT_EQ(check.unclaimed(words, ranks, wrong), 0u) << text(type);
      EXPECT_EQ(wrong.result().errors, 0) << text(type) << ": " << wrong.result().first;
    }
  }
}

TEST(campaign, two_partitions_are_written_then_rewritten_then_read) {
  if (world().size() < 2) GTEST_SKIP() << "one process makes one partition";
  const test::Directory directory(world());
  auto settings = test::tiny(world());
  settings.partitions = {1, world().size()};
  settings.rewriting = Rewriting::scatter_only;
  test::Campaign campaign(settings, world(), directory);
  EXPECT_EQ(campaign.run().exit_code, 0);
  if (!world().is_root()) return;
  const auto told = campaign.told();
  EXPECT_EQ(told.points.size(), 2 * (2 * pattern_count + 9));
  EXPECT_EQ(test::find(told, "read", 42, 1).verified, true);
  EXPECT_EQ(test::find(told, "read", 42, world().size()).verified, true);
  EXPECT_THAT(std::get<std::vector<double>>(*record::find(told.summaries.at(0).classic, "partitions")),
              testing::ElementsAre(1, world().size()));
}

TEST(campaign, without_shared_pointers_type_1_is_scattered) {
  const test::Directory directory(world());
  auto settings = test::tiny(world());
  settings.pointer = Pointer::individual;
  test::Campaign campaign(settings, world(), directory);
  EXPECT_EQ(campaign.run().exit_code, 0);
  if (!world().is_root()) return;
  const auto told = campaign.told();
  const auto& point = test::find(told, "read", 14, world().size());
  EXPECT_EQ(*record::find(point.classic, "pointer"), record::Value(std::string("individual")));
  EXPECT_EQ(point.verified, true);
}

TEST(campaign, a_stopped_run_goes_on_with_the_access_method_that_was_stopped) {
  const test::Directory directory(world());
  test::Campaign campaign(test::tiny(world()), world(), directory);
  campaign.stop_in("read", directory.path() / "STOP");
  EXPECT_EQ(campaign.run().exit_code, 5);
  std::optional<campaign::ResumeState> state;
  if (world().is_root()) state = campaign.state_to_resume(campaign.told());
  campaign.stop_in("", "");
  if (world().is_root()) {
    EXPECT_EQ(state->keep.size(), 2 * pattern_count);
    EXPECT_THAT(directory.files(), testing::IsEmpty());
  }
  if (!state) state.emplace();
  EXPECT_EQ(campaign.run(state).exit_code, 0);
  if (!world().is_root()) return;
  const auto told = campaign.told();
  EXPECT_EQ(told.points.size(), 3 * pattern_count);
  for (const auto& point : told.points) EXPECT_EQ(point.verified, true) << point.key;
  EXPECT_EQ(told.end.status, "complete");
}

TEST(campaign, a_volume_that_is_too_small_cuts_patterns_and_says_so) {
  const test::Directory directory(world());
  auto settings = test::tiny(world());
  settings.total_s = 2;
  settings.most_byte = std::int64_t{48} * world().size() << 20;
  test::Campaign campaign(settings, world(), directory);
  EXPECT_EQ(campaign.run().exit_code, 0);
  if (!world().is_root()) return;
  const auto told = campaign.told();
  double written = 0;
  bool cut = false;
  for (const auto& point : told.points) {
    cut = cut || record::find(point.classic, "cut") != nullptr;
    if (*record::find(point.params, "access") == record::Value(std::string("write")))
      written += test::number(point, "bytes_moved_byte");
  }
  EXPECT_TRUE(cut);
  EXPECT_LE(written, 1.5 * static_cast<double>(*settings.most_byte));
  EXPECT_THAT(told.summaries.at(0).not_official_because,
              testing::Contains(testing::HasSubstr("limit of the volume")));
}

}  // namespace steelyard::beffio
