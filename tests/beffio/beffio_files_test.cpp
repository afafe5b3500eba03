// SPDX-License-Identifier: Apache-2.0
// What tools look for in the files of b_eff_io, and what readers of a run must be told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "beffio_points.hpp"
#include "formats/beffio/files.hpp"
#include "formats/live/experiment.hpp"
#include "record/json.hpp"

namespace steelyard::formats {
namespace {

using beffio_points::published;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Points = std::vector<record::PointRecord>;

BeffioFiles files_of(const Points& points, const record::Members& more = {},
                     const BeffioFilesOptions& options = {}) {
  const auto head = beffio_points::head(more);
  return beffio_files(head, analysis::BeffioRun(points), analysis::beffio_frame(head), 1812.5, options);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::size_t place_of(const std::vector<std::string>& lines, std::string_view part, std::size_t from = 0) {
  for (std::size_t i = from; i < lines.size(); ++i)
    if (lines[i].find(part) != std::string::npos) return i;
  throw std::out_of_range(std::string(part));
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

Points two_partitions() {
  auto points = beffio_points::published_run();
  const auto more = beffio_points::partition(
      2, [](std::size_t a, std::size_t t) { return 1e7 * static_cast<double>(a + t + 1); });
  points.insert(points.end(), more.begin(), more.end());
  return points;
}

}  // namespace

TEST(beffio_sum, tables_stand_where_importers_look_for_them) {
  const auto lines = lines_of(files_of(beffio_points::published_run()).sum);
  const auto heading = place_of(lines, " of PEs     size (l) methode");
  EXPECT_THAT(lines[heading], StartsWith(" of PEs     size (l) methode"));
  constexpr std::int64_t chunks[] = {1024, 1032, 32768, 32776, 1048576, 1048584, 4194304};
  std::size_t row = heading + 4;
  for (const char* access : {"write", "rewrite", "read"}) {
    for (int position = 1; position <= 7; ++position, ++row) {
      const auto words = words_of(lines[row]);
      ASSERT_EQ(words.size(), 10u) << lines[row];
      EXPECT_EQ(words[0] + " " + words[1], "4 PEs");
      EXPECT_EQ(words[2], std::to_string(position));
      EXPECT_EQ(words[3], std::to_string(chunks[position - 1]));
      EXPECT_EQ(words[4], access);
    }
    EXPECT_THAT(lines[row], HasSubstr(std::string("PEs      total-") + access));
    row += 2;
  }
}

TEST(beffio_sum, rows_have_the_blanks_that_scripts_select_by) {
  const auto sum = files_of(beffio_points::published_run()).sum;
  for (const char* row : {" write  ", " rewrite", " read   "}) {
    std::size_t rows = 0;
    for (const auto& line : lines_of(sum))
      rows += line.find(row) != std::string::npos && line.find(" PEs ") != std::string::npos ? 1u : 0u;
    EXPECT_EQ(rows, 7u) << row;
  }
  EXPECT_THAT(sum, HasSubstr("   4 PEs 1     1024 write  "));
  EXPECT_THAT(sum, HasSubstr("   4 PEs      total-write     58.579   48.697   77.944   77.036   73.113\n"));
  EXPECT_THAT(sum, HasSubstr("   4 PEs      total-read     300.390  811.358 1073.572 1088.574  575.428\n"));
}

TEST(beffio_sum, has_the_lines_of_every_importer) {
  const auto sum = files_of(beffio_points::published_run(), {}, {.directory = "/scratch"}).sum;
  EXPECT_THAT(sum, StartsWith("b_eff_io"));
  EXPECT_THAT(sum, HasSubstr("MEMORY_PER_PROCESSOR =  512 MBytes"));
  EXPECT_THAT(sum, HasSubstr("-N  4 T=1800, MT=2048 MBytes"));
  EXPECT_THAT(sum, HasSubstr("PATH=/scratch, PREFIX=b_eff_io"));
  EXPECT_THAT(sum, HasSubstr("hostname    : node07"));
  EXPECT_THAT(sum, HasSubstr("OS release  : 6.1.0"));
  EXPECT_THAT(sum, HasSubstr("Date of measurement: "));
  EXPECT_TRUE(std::regex_search(
      sum, std::regex("Summary of file I/O bandwidth accumulated on +4 processes with +512 MByte/PE")));
  EXPECT_THAT(sum,
              HasSubstr("b_eff_io of these measurements =  380.955 MB/s on 4 processes with 512 MByte/PE and "
                        "scheduled time=30.0 min\n"));
  EXPECT_THAT(sum, HasSubstr("weighted average bandwidth for write   :   65.658 MB/s on 4 processes"));
  EXPECT_THAT(sum, HasSubstr("percent of the total memory (2048 MBytes)"));
}

TEST(beffio_sum, a_range_of_lines_is_cut_out_by_its_ends) {
  const auto lines = lines_of(files_of(two_partitions()).sum);
  for (const char* processes : {" 4 proc", " 2 proc"}) {
    std::size_t begins = 0, ends = 0;
    for (const auto& line : lines) {
      begins += line.find("Sum") != std::string::npos && line.find(processes) != std::string::npos ? 1u : 0u;
      ends += line.find("these") != std::string::npos && line.find(processes) != std::string::npos ? 1u : 0u;
    }
    EXPECT_EQ(begins, 1u);
    EXPECT_EQ(ends, 1u);
  }
}

TEST(beffio_sum, one_line_only_has_the_result_of_the_run) {
  const auto files = files_of(two_partitions());
  std::size_t found = 0;
  for (const auto& line : lines_of(files.sum)) {
    if (line.find("b_eff_io =") == std::string::npos) continue;
    ++found;
    EXPECT_EQ(words_of(line)[2], "380.955");
  }
  EXPECT_EQ(found, 1u);
  EXPECT_EQ(lines_of(files.sum).back(), files.last_line);
  EXPECT_EQ(lines_of(files.prot).back(), files.last_line);
  EXPECT_THAT(files.last_line,
              HasSubstr(" MB/s on 4 processes with 512 MByte/PE, scheduled time=30.0 Min, on Linux "
                        "node07 6.1.0 #1 SMP x86_64"));
}

TEST(beffio_sum, shows_the_value_of_the_other_formula_beside) {
  EXPECT_THAT(files_of(beffio_points::published_run()).sum,
              HasSubstr("by the formula of release 2.x it is  214.51"));
  auto points = beffio_points::published_run();
  auto head = beffio_points::head();
  head.config.json()["b-eff-io"]["formula"] = "seed";  // of older records
  EXPECT_EQ(analysis::beffio_frame(head).formula, "published");
  head.config.json()["b-eff-io"]["formula"] = "2.x";
  const auto files = beffio_files(head, analysis::BeffioRun(points), analysis::beffio_frame(head), {}, {});
  EXPECT_THAT(files.last_line, HasSubstr("b_eff_io =  214.51"));
  EXPECT_THAT(files.sum, HasSubstr("25%, 25%, 50% of the definition it is  380.955"));
}

TEST(beffio_sum, tells_whether_systems_may_be_compared) {
  const auto good = files_of(beffio_points::published_run());
  EXPECT_THAT(good.sum, HasSubstr("\n VALID for comparison of different systems\n"));
  EXPECT_THAT(good.last_line, Not(HasSubstr("NOT VALID")));
  const auto bad =
      files_of(two_partitions());  // one of the two has less than the configuration says, the time not
  EXPECT_EQ(count(bad.sum, "\n VALID for comparison"), 2u);
  auto head = beffio_points::head();
  head.config.json()["b-eff-io"]["scheduled_s"] = 60.0;
  const auto points = beffio_points::published_run();
  const auto hurried = beffio_files(head, analysis::BeffioRun(points), analysis::beffio_frame(head), {}, {});
  EXPECT_THAT(hurried.sum,
              HasSubstr("\n NOT VALID for comparison of different systems\n   scheduled time 1.0 min, at "
                        "least 15.0 min: NOT reached\n"));
  EXPECT_THAT(hurried.sum, HasSubstr("no errors in the data, found 0: reached"));
  EXPECT_THAT(hurried.last_line, HasSubstr(", NOT VALID (see above)"));
}

TEST(beffio_sum, more_processes_than_processors_are_told_as_in_the_summary) {
  auto points = beffio_points::published_run();
  points.front().flags.emplace_back("oversubscribed");
  const auto crowded = files_of(points);
  EXPECT_THAT(crowded.sum, HasSubstr("\n   more processes than cores: departs from the rule\n"));
  EXPECT_THAT(crowded.last_line, HasSubstr(", NOT VALID (see above)"));
}

TEST(beffio_sum, says_nothing_of_volumes_that_are_unknown) {
  auto points = beffio_points::published_run();
  points.resize(1);
  EXPECT_THAT(files_of(points).sum, HasSubstr("at least 300 s of writing (one is unknown): NOT reached"));
}

TEST(beffio_sum, a_pattern_with_wrong_data_shows_no_bandwidth) {
  auto points = beffio_points::published_run();
  for (auto& point : points)
    if (*record::find(point.params, "pattern") == record::Value(std::int64_t{3}) &&
        *record::find(point.params, "access") == record::Value(std::string("read"))) {
      point.verified = false;
      point.check->errors = 7;
      point.check->first =
          record::Document(record::Json{{"rank", 1}, {"text", "word 5: found 0x1, expected 0x2"}});
    }
  const auto files = files_of(points);
  EXPECT_EQ(count(files.sum, "-999.999"), 1u);
  EXPECT_THAT(files.sum, HasSubstr(", with 7 ERRORS --!--!--!--"));
  EXPECT_THAT(files.last_line, HasSubstr("NOT VALID (see above), with 7 ERRORS --!--!--!--"));
  EXPECT_TRUE(std::regex_search(files.prot, std::regex("a=2 type=0 p= 3 .* 7 ERRORS\n")));
  EXPECT_THAT(files.prot, HasSubstr("p03 word 5: found 0x1, expected 0x2"));
}

TEST(beffio_sum, what_was_not_rewritten_is_a_dash) {
  auto points = beffio_points::published_run();
  std::erase_if(points, [](const auto& point) {
    return *record::find(point.params, "access") == record::Value(std::string("rewrite")) &&
           std::get<std::int64_t>(*record::find(point.params, "pattern")) > 8;
  });
  const auto sum = files_of(points).sum;
  EXPECT_THAT(sum, HasSubstr("PEs      total-rewrite   63.841        -        -        -        -\n"));
  EXPECT_THAT(sum, HasSubstr("only type 0 was rewritten"));
}

TEST(beffio_files, heads_tell_nodes_processes_threads_and_the_library) {
  const auto files = files_of(beffio_points::published_run());
  for (const auto& text : {files.prot, files.sum})
    EXPECT_THAT(text, HasSubstr("       nodes       : 2\n       per node    : 2 processes\n"
                                "       threads     : 3 per process\n       MPI library : An MPI 1.2\n"));
}

TEST(beffio_files, random_access_stands_behind_what_the_definition_has_and_changes_no_value) {
  auto points = beffio_points::published_run();
  const auto plain = files_of(points);
  const auto more = beffio_points::random_access(
      4, [](std::size_t access, std::size_t) { return 1e7 * static_cast<double>(access + 1); });
  points.insert(points.end(), more.begin(), more.end());
  const auto both = files_of(points);
  EXPECT_EQ(both.last_line, plain.last_line);
  EXPECT_EQ(both.plot, plain.plot);
  EXPECT_THAT(both.sum, HasSubstr("random access on 4 processes, no part of b_eff_io"));
  EXPECT_THAT(both.sum, HasSubstr("       all chunks   10.000   20.000   30.000\n"));
  EXPECT_THAT(both.sum, StartsWith(plain.sum.substr(0, plain.sum.rfind("\n\n" + plain.last_line) + 1)));
  EXPECT_EQ(count(both.prot, " type=5 "), 24u);
  EXPECT_THAT(both.prot, HasSubstr(" wbw= ------- MB/s b_eff_io_read_5=  30.000 MB/s"));
  const auto summary =
      analysis::beffio_summary(analysis::BeffioRun(points), analysis::beffio_frame(beffio_points::head()));
  EXPECT_THAT(std::get<std::vector<double>>(*record::find(summary.classic, "random_read_byte_s")),
              testing::ElementsAre(testing::DoubleNear(3e7, 1)));
}

TEST(beffio_files, limited_chunks_are_shown_as_they_were) {
  auto points = beffio_points::published_run();
  for (auto& point : points)
    if (const auto* position = record::find(point.classic, "position");
        *position == record::Value(std::int64_t{7}) &&
        *record::find(point.classic, "type") != record::Value(std::string("separated")))
      beffio_points::set(point, "chunk_byte", std::int64_t{1} << 21);
  const auto files = files_of(points, {{"largest_chunks_together_byte", std::int64_t{1} << 31}});
  EXPECT_THAT(files.sum, HasSubstr("   4 PEs 7  2097152 write  "));
  EXPECT_THAT(files.sum, HasSubstr(", -mpart 2/n GB"));
}

TEST(beffio_prot, has_a_row_per_pattern_and_totals) {
  const auto prot = files_of(beffio_points::published_run()).prot;
  const std::regex row(
      "^ n=4   a=[012] type=[0-4] p=[ 0-9]{2} Tp=[ 0-9.]{5} l=[ 0-9]{8} L=[ 0-9]{8} i00_004_[0-4] +r=[ "
      "0-9]{5} "
      "S=[ 0-9.]{8,} MB t=[ 0-9.]{5,} =[ 0-9.]{6,}\\+[ 0-9.]{6,}\\+[ 0-9.]{5,}\\+[ 0-9.]{5,} [ 0-9.]{5,} [ "
      "0-9.]{5,} "
      "bw=[ 0-9.]{8,} MB/s$");
  std::size_t rows = 0;
  for (const auto& line : lines_of(prot)) rows += std::regex_match(line, row) ? 1u : 0u;
  EXPECT_EQ(rows, 129u);
  EXPECT_EQ(count(prot, " total pattern type:  S="), 15u);
  EXPECT_EQ(count(prot, " total access method: S="), 3u);
  EXPECT_EQ(count(prot, " total partition: n=4 "), 1u);
  EXPECT_THAT(prot, HasSubstr("b_eff_io_write_0=  58.579 MB/s\n"));
  EXPECT_THAT(prot, HasSubstr("b_eff_io_read_3=1088.574 MB/s Lseg=64 MBytes\n"));
  EXPECT_THAT(prot, HasSubstr(" total execution time is 1812.50 sec\n"));
}

void add_hints(record::PointRecord& point) {
  point.classic.emplace_back("hints", std::string("given 1"));
  point.classic.emplace_back("hints_in_effect", std::string("used 1"));
}

TEST(beffio_prot, the_time_of_a_row_is_that_of_its_bandwidth) {
  auto points = beffio_points::published_run();
  beffio_points::set(points[1], "bytes_moved_byte", std::int64_t{2'000'000'000});
  beffio_points::set(points[1], "time_s", 4.0);
  beffio_points::set(points[1], "io_s", 1.0);
  const auto prot = files_of(points).prot;
  const auto row = prot.substr(prot.find(" p= 1 "), prot.find(" p= 2 ") - prot.find(" p= 1 "));
  EXPECT_THAT(row, HasSubstr(" t= 4.00 = 1.000+"));
  EXPECT_THAT(row, HasSubstr(" bw= 500.000 MB/s"));
}

TEST(beffio_prot, hints_are_told_with_the_call_that_brought_them) {
  auto points = beffio_points::published_run();
  points[0].classic.emplace_back("hints_on_open", std::string("opened 1"));
  for (const std::size_t pattern : {1u, 9u, 10u, 18u, 25u}) add_hints(points[pattern]);
  const auto prot = files_of(points).prot;
  EXPECT_THAT(prot, HasSubstr("file_info on File_open: 4 write scatter on_open :: opened 1\n"));
  EXPECT_THAT(prot, HasSubstr("file_info File_view p01: 4 write scatter Lmax :: given 1\n"));
  EXPECT_THAT(prot, HasSubstr("file_info USED ON   p01: 4 write scatter Lmax :: used 1\n"));
  EXPECT_THAT(prot, HasSubstr("file_info File_view p09: 4 write shared 1048576 :: given 1\n"));
  EXPECT_THAT(prot, HasSubstr(" File_info p10: 4 write shared Lmax :: given 1\n"));
  EXPECT_THAT(prot, HasSubstr(" File_info p18: 4 write separated Lmax :: given 1\n"));
  EXPECT_THAT(prot, HasSubstr("file_info File_view p25: 4 write segmented 1048576 :: given 1\n"));
  beffio_points::set(points[10], "pointer", std::string("individual"));
  EXPECT_THAT(files_of(points).prot, HasSubstr("file_info File_view p10: 4 write shared Lmax :: given 1\n"));
}

TEST(beffio_prot, partitions_stand_in_the_order_of_the_measurement) {
  const auto prot = files_of(two_partitions()).prot;
  const auto at = [&](const char* part) { return prot.find(part); };
  EXPECT_LT(at("n=2   a=0"), at("n=4   a=1"));
  EXPECT_LT(at("n=2   a=1"), at("n=4   a=2"));
  EXPECT_LT(at("n=4   a=2"), at("n=2   a=2"));
}

TEST(beffio_files, text_is_ascii_whatever_the_system_says) {
  auto head = beffio_points::head();
  head.machine.json()["uname"]["nodename"] = "h\xc3\xb6rst\n x";
  const auto points = beffio_points::published_run();
  const auto files = beffio_files(head, analysis::BeffioRun(points), analysis::beffio_frame(head), {}, {});
  for (const auto* text : {&files.prot, &files.sum, &files.plot, &files.gps})
    EXPECT_TRUE(std::ranges::all_of(*text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
}

TEST(beffio_plot, data_sets_hold_what_the_tables_say) {
  const auto lines = lines_of(files_of(two_partitions()).plot);
  std::size_t comments = 0;
  for (const auto& line : lines) comments += line.starts_with("#") ? 1u : 0u;
  EXPECT_EQ(comments, 2u * 3 + 1);
  const auto last = words_of(lines[place_of(lines, "# processes") + 1]);
  ASSERT_EQ(last.size(), 5u);
  EXPECT_EQ(last[0], "4");
  EXPECT_EQ(last[1], "380.955");
  EXPECT_EQ(last[2], "65.658");
}

TEST(beffio_plot, gnuplot_draws_all_figures_in_silence) {
  if (std::system("command -v gnuplot > /dev/null") != 0) GTEST_SKIP() << "gnuplot is not installed";
  namespace fs = std::filesystem;
  const auto directory = fs::path(testing::TempDir()) / "beffio_figures";
  fs::remove_all(directory);
  fs::create_directories(directory);
  const auto prefix = directory / "it's#a";
  write_files(prefix, files_of(two_partitions(), {}, {.prefix = "it's#a", .colour = true}).named(),
              Existing::refuse);
  const auto run = "cd '" + directory.string() + "' && gnuplot \"it's#a.gps\" > told 2>&1";
  EXPECT_EQ(std::system(run.c_str()), 0);
  EXPECT_EQ(fs::file_size(directory / "told"), 0u);
  std::size_t figures = 0;
  for (const auto& entry : fs::directory_iterator(directory))
    if (entry.path().extension() == ".eps") {
      ++figures;
      EXPECT_GT(entry.file_size(), 2000u);
    }
  EXPECT_EQ(figures, 2u * 8 + 1);
  // The block in the summary is loaded by scripts.
  std::ofstream block(directory / "block.gp");
  for (const auto& line : lines_of(files_of(two_partitions()).sum))
    if (line.find("  set ") != std::string::npos) block << line << '\n';
  block.close();
  EXPECT_EQ(std::system(("cd '" + directory.string() + "' && gnuplot block.gp > told 2>&1").c_str()), 0);
  EXPECT_EQ(fs::file_size(directory / "told"), 0u);
  EXPECT_THROW(write_files(prefix, files_of(two_partitions()).named(), Existing::refuse), std::exception);
  fs::remove_all(directory);
}

TEST(live_beffio, shows_a_line_per_type_and_what_went_wrong) {
  const auto live = live_beffio();
  std::string text;
  auto points = beffio_points::published_run();
  points[60].verified = false;
  points[60].check->errors = 1;
  for (const auto& point : points) text += live->point(point, false);
  EXPECT_EQ(lines_of(text).size(), 15u + 1);
  EXPECT_THAT(text, HasSubstr("write   scatter"));
  EXPECT_THAT(text, HasSubstr("58.579 MB/s"));
  EXPECT_THAT(text, HasSubstr("rewrite pattern 17: UNVERIFIED"));
  const auto other = live_beffio();
  std::string alone;
  for (auto point : points) {
    point.processes = 1;
    alone += other->point(point, false);
  }
  EXPECT_THAT(alone, HasSubstr("b-eff-io/b_eff_io     1 process    write   scatter"));
  EXPECT_EQ(alone.find('\n'), text.find('\n')) << "columns stay where they are";
  const auto head = beffio_points::head();
  const auto summary = live->summary(
      analysis::beffio_summary(analysis::BeffioRun(points), analysis::beffio_frame(head)), false);
  EXPECT_THAT(summary, HasSubstr("380.955 MB/s"));
  EXPECT_THAT(summary, HasSubstr("WRONG DATA"));
  EXPECT_THAT(summary, HasSubstr("no: data were wrong"));
}

}  // namespace steelyard::formats
