// SPDX-License-Identifier: Apache-2.0
// Whole runs: every access method and pattern, kept files, two partitions, limits, a stop and its resume.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "beffio_campaign.hpp"
#include "fault_layer.hpp"
#include "suites/beffio/pattern_run.hpp"
#include "suites/beffio/patterns.hpp"

namespace steelyard::beffio {
namespace {

using test::world;

std::vector<std::uint64_t> words_of(const std::filesystem::path& file) {
  std::vector<std::uint64_t> words(std::filesystem::file_size(file) / sizeof(std::uint64_t));
  std::ifstream(file, std::ios::binary)
      .read(reinterpret_cast<char*>(words.data()),
            static_cast<std::streamsize>(words.size() * sizeof(std::uint64_t)));
  return words;
}

/// Compares every chunk of a file with what had to be written there; the words that no chunk claims.
class FileCheck {
 public:
  FileCheck(const test::Told& told, const PatternTable& table, PatternType type)
      : table_(table), type_(type) {
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
  Repetitions calls_{};
  Bytes segment_;
};

/// Whole runs of their own are left to two processes: more than there are processors take long to meet.
class campaign_of_few : public testing::Test {
 protected:
  void SetUp() override {
    if (world().size() > 2) GTEST_SKIP() << "two processes tell as much";
  }
};

/// One run whose files are kept; several tests look at it.
class kept : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    directory_ = std::make_unique<test::Directory>(world());
    auto settings = test::tiny(world());
    settings.keep = true;
    settings.random = true;
    settings.total_s = 0.05;
    settings.most_byte = std::int64_t{64} * world().size() << 20;
    test::Campaign campaign(settings, world(), *directory_);
    exit_code_ = campaign.run().exit_code;
    if (world().is_root()) told_ = campaign.told();
    world().barrier();
  }
  static void TearDownTestSuite() {
    told_ = {};
    directory_.reset();
  }
  void SetUp() override {
    EXPECT_EQ(exit_code_, 0);
    if (!world().is_root()) GTEST_SKIP() << "records are on rank 0";
  }

  static std::unique_ptr<test::Directory> directory_;
  static test::Told told_;
  static int exit_code_;
};

std::unique_ptr<test::Directory> kept::directory_;
test::Told kept::told_;
int kept::exit_code_ = 0;

}  // namespace

TEST_F(kept, every_pattern_of_every_access_method_is_measured_and_verified) {
  EXPECT_EQ(told_.points.size(), 3 * pattern_count);
  for (const auto& point : told_.points) {
    EXPECT_EQ(point.status, record::Status::ok) << point.key << (point.reason ? point.reason->text : "");
    EXPECT_EQ(point.verified, true) << point.key;
  }
  ASSERT_EQ(told_.summaries.size(), 1u);
  EXPECT_EQ(told_.summaries[0].name, "b_eff_io");
  EXPECT_EQ(told_.summaries[0].verified, true);
  EXPECT_EQ(told_.summaries[0].official, false);  // its time is too short
  EXPECT_GT(std::get<double>(told_.summaries[0].values.front().second), 0);
}

TEST_F(kept, rewrite_and_read_repeat_what_was_written) {
  double calls = 0;
  for (int p = 0; p < static_cast<int>(pattern_count); ++p) {
    const double written = test::number(test::find(told_, "write", p, world().size()), "calls");
    EXPECT_EQ(test::number(test::find(told_, "rewrite", p, world().size()), "calls"), written) << p;
    EXPECT_EQ(test::number(test::find(told_, "read", p, world().size()), "calls"), written) << p;
    calls += written;
  }
  EXPECT_GE(calls, 43);
  EXPECT_GT(test::number(test::find(told_, "write", 13, world().size()), "control_rounds"), 0);
}

TEST_F(kept, files_hold_the_rewritten_data_at_the_places_of_the_layout) {
  const auto table = pattern_table(2 * mebi);
  const int n = world().size();
  for (const auto type : pattern_types) {
    FileCheck check(told_, table, type);
    for (int file = 0; file < (type == PatternType::separated ? n : 1); ++file) {
      const auto own = type == PatternType::separated ? std::optional(file) : std::nullopt;
      const auto words = words_of(directory_->path() / ("b_eff_io_data_" + file_label(0, n, type, own)));
      std::set<int> ranks;
      for (int r = 0; r < n; ++r)
        if (!own || r == file) ranks.insert(r);
      Mismatches wrong;
      // At random nothing fills the segments up.
      const auto fill_up = test::number(test::find(told_, "write", 33, n), "chunk_byte");
      const auto holes = type == PatternType::random ? (n - 1) * fill_up / element_byte : 0;
      EXPECT_EQ(static_cast<double>(check.unclaimed(words, ranks, wrong)), holes) << text(type);
      EXPECT_EQ(wrong.result().errors, 0) << text(type) << ": " << wrong.result().first;
    }
  }
}

TEST_F(campaign_of_few, keeps_to_a_volume_and_does_without_shared_pointers) {
  const test::Directory directory(world());
  auto settings = test::tiny(world());
  if (world().size() > 1) settings.partitions = {1, world().size()};
  settings.rewriting = Rewriting::scatter_only;
  settings.total_s = 4;  // the volume ends it long before
  settings.most_byte = least_volume(settings, world().size()).count();
  test::Campaign campaign(settings, world(), directory);
  test::planned_faults() = {{test::Fault::no_shared_pointer, ""}};
  EXPECT_EQ(campaign.run().exit_code, 0);
  test::planned_faults().clear();
  if (!world().is_root()) return;
  EXPECT_THAT(directory.files(), testing::IsEmpty());
  const auto told = campaign.told();
  EXPECT_EQ(told.points.size(), settings.partitions.size() * (2 * defined_patterns + 9));
  double written = 0;
  std::size_t cut = 0;
  for (const auto& point : told.points) {
    EXPECT_EQ(point.verified, true) << point.key;
    cut += record::find(point.classic, "cut") != nullptr ? 1u : 0u;
    if (*record::find(point.params, "access") == record::Value(std::string("write")))
      written += test::number(point, "bytes_moved_byte");
  }
  EXPECT_GT(cut, 0u);
  EXPECT_LE(written, 1.5 * static_cast<double>(*settings.most_byte));
  EXPECT_EQ(*record::find(test::find(told, "read", 14, world().size()).classic, "pointer"),
            record::Value(std::string("individual")));
  const auto& summary = told.summaries.at(0);
  EXPECT_EQ(std::get<std::vector<double>>(*record::find(summary.classic, "partitions")),
            std::vector<double>(settings.partitions.begin(), settings.partitions.end()));
  EXPECT_THAT(summary.not_official_because,
              testing::IsSupersetOf({testing::HasSubstr("limit of the volume"),
                                     testing::HasSubstr("without shared file pointers"),
                                     testing::HasSubstr("only type 0 rewritten")}));
}

// What differs from the rule in one run: unique mode, whose files are only read by the read itself, one
// partition after the other, a decision after each iteration, pages that are dropped, long segments.
TEST_F(campaign_of_few, departures_from_the_rule_measure_the_same_patterns) {
  const test::Directory directory(world());
  auto settings = test::tiny(world());
  settings.partitions = {world().size(), 1};
  if (world().size() == 1) settings.partitions.pop_back();
  settings.unique = true;
  settings.order = Order::by_partition;
  settings.control = Control::each;
  settings.drop_cache = true;
  settings.align = 8 * mebi;
  settings.largest_together = world().size() * (mebi + Bytes{512});
  test::Campaign campaign(settings, world(), directory);
  EXPECT_EQ(campaign.run().exit_code, 0);
  if (!world().is_root()) return;
  const auto told = campaign.told();
  ASSERT_EQ(told.points.size(), settings.partitions.size() * 3 * defined_patterns);
  for (std::size_t i = 0; i < told.points.size(); ++i) {
    const auto& point = told.points[i];
    const bool reads = *record::find(point.params, "access") == record::Value(std::string("read"));
    EXPECT_EQ(point.status, record::Status::ok) << point.key;
    EXPECT_EQ(point.verified, reads ? std::optional(true) : std::nullopt) << point.key;
    EXPECT_EQ(point.processes, settings.partitions[i / (3 * defined_patterns)]) << point.key;
  }
  EXPECT_EQ(test::number(test::find(told, "write", 30, world().size()), "segment_byte"), 8 << 20);
  EXPECT_EQ(test::number(test::find(told, "write", 1, world().size()), "chunk_byte"), (1 << 20) + 512);
  EXPECT_EQ(test::number(test::find(told, "write", 18, world().size()), "chunk_byte"), 2 << 20);
  const auto& timed = test::find(told, "write", 13, world().size());
  EXPECT_EQ(test::number(timed, "control_rounds"), test::number(timed, "calls"));
  EXPECT_THAT(directory.files(), testing::IsEmpty());
}

std::string hints_in_effect(const test::Told& told, int pattern) {
  const auto* words =
      record::find(test::find(told, "write", pattern, world().size()).classic, "hints_in_effect");
  return words == nullptr ? "none" : std::get<std::string>(*words);
}

// A file of hints without a rule asks for the defaults. Types 0 have a view for each pattern, type 2 has one.
TEST_F(campaign_of_few, tells_the_hints_that_hold_while_a_pattern_runs) {
  const test::Directory directory(world());
  auto settings = test::tiny(world());
  settings.hints = Hints::parse("", settings.partitions);
  test::Campaign campaign(settings, world(), directory);
  test::planned_faults() = {{test::Fault::counted_views, ""}};
  EXPECT_EQ(campaign.run().exit_code, 0);
  test::planned_faults().clear();
  if (!world().is_root()) return;
  const auto told = campaign.told();
  for (const auto& [pattern, views] :
       {std::pair{0, "views 1"}, {1, "views 2"}, {8, "views 9"}, {17, "views 1"}, {24, "views 1"}})
    EXPECT_THAT(hints_in_effect(told, pattern), testing::HasSubstr(views)) << pattern;
}

TEST_F(campaign_of_few, a_stopped_run_goes_on_with_the_access_method_that_was_stopped) {
  const test::Directory directory(world());
  test::Campaign campaign(test::tiny(world()), world(), directory);
  campaign.stop_in("read", directory.path() / "STOP");
  EXPECT_EQ(campaign.run().exit_code, 5);
  std::optional<campaign::ResumeState> state;
  if (world().is_root()) state = campaign.state_to_resume(campaign.told());
  campaign.stop_in("", "");
  if (world().is_root()) {
    EXPECT_EQ(state->keep.size(), 2 * defined_patterns);
    EXPECT_THAT(directory.files(), testing::IsEmpty());
  }
  if (!state) state.emplace();
  EXPECT_EQ(campaign.run(state).exit_code, 0);
  if (!world().is_root()) return;
  const auto told = campaign.told();
  EXPECT_EQ(told.points.size(), 3 * defined_patterns);
  for (const auto& point : told.points) EXPECT_EQ(point.verified, true) << point.key;
  EXPECT_EQ(told.end.status, "complete");
}

}  // namespace steelyard::beffio
