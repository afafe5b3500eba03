// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>
#include <thread>

#include "campaign/block_runner.hpp"
#include "campaign/budget.hpp"
#include "campaign/instruments.hpp"
#include "campaign/resume.hpp"
#include "campaign/runner.hpp"
#include "campaign/stop.hpp"
#include "campaign/survey.hpp"
#include "fake_measurable.hpp"
#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

using record::Status;
using testing::Behaviour;
using ::testing::ElementsAre;
using testing::FakeMeasurable;
using ::testing::HasSubstr;
using ::testing::SizeIs;
namespace fs = std::filesystem;
using units::unix_now_s;

class campaign_run : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = fs::current_path() /
                 ("campaign-" + std::string(test->name()) + "-np" + std::to_string(world_.size()));
    if (world_.is_root()) fs::remove_all(directory_);
    if (world_.is_root()) fs::create_directories(directory_);
    options_.schedule = ScheduleKind::fixed;
    options_.fixed_operations = 4;
    options_.measure_noise = false;
    options_.head.name = "test";
    options_.head.command = {"steelyard", "run"};
    options_.resume_command = {"steelyard", "run", "--resume"};
    world_.barrier();
  }
  void TearDown() override {
    world_.barrier();
    if (world_.is_root()) fs::remove_all(directory_);
  }

  Plan plan(const std::vector<std::string>& benchmarks) {
    std::vector<Selected> selected;
    for (const std::string& name : benchmarks) selected.push_back({&suite_, name});
    plan_options_.processes = world_.size();
    return make_plan(selected, plan_options_, "fixed:4");
  }

  /// Runs with a result file in the directory; a resumed run appends.
  RunResult measure(const Plan& plan, const std::optional<ResumeState>& resume = std::nullopt) {
    std::optional<record::Writer> file;
    if (world_.is_root()) {
      const auto mode = resume ? record::Writer::Mode::append : record::Writer::Mode::create;
      file.emplace(directory_, mode, resume ? resume->run : record::make_run_id(),
                   resume ? resume->session : 1, resume ? resume->next_seq : 0);
    }
    return measure(plan, file ? &*file : nullptr, resume);
  }
  RunResult measure(const Plan& plan, record::Writer* file, const std::optional<ResumeState>& resume) {
    Outputs outputs;
    outputs.file = file;
    outputs.errors = &errors_;
    outputs.progress = &progress_;
    const RunResult result = run(world_, plan, options_, outputs, resume);
    EXPECT_EQ(world_.max(std::int64_t{result.exit_code}), world_.min(std::int64_t{result.exit_code}));
    EXPECT_EQ(world_.max(result.counts.left), world_.min(result.counts.left));
    return result;
  }

  /// How long a run of three points takes on this machine as busy as it is now. Collective.
  double short_run_s() {
    const double start = unix_now_s();
    std::ostringstream nowhere;
    record::Writer file(nowhere, record::make_run_id(), 1, 0);
    static_cast<void>(measure(plan({"all"}), world_.is_root() ? &file : nullptr, std::nullopt));
    return world_.max(unix_now_s() - start);
  }

  // on rank 0
  std::vector<record::Record> records() const { return record::read(directory_).records; }
  std::vector<record::PointRecord> points() const {
    std::vector<record::PointRecord> points;
    for (const record::Record& record : records())
      if (const auto* point = std::get_if<record::PointRecord>(&record.body)) points.push_back(*point);
    return points;
  }
  record::EndRecord end() const { return std::get<record::EndRecord>(records().back().body); }
  std::vector<std::string> event_codes() const {
    std::vector<std::string> codes;
    for (const record::Record& record : records())
      if (const auto* event = std::get_if<record::EventRecord>(&record.body)) codes.push_back(event->code);
    return codes;
  }

  mpi::Communicator world_ = mpi::Communicator::world();
  FakeMeasurable suite_;
  PlanOptions plan_options_;
  RunOptions options_;
  fs::path directory_;
  std::ostringstream errors_;

  /// Keeps what is under way, each benchmark once in a row.
  struct Shown final : Progress {
    void show(const ProgressState& state) override {
      if (benchmarks.empty() || benchmarks.back() != state.benchmark) benchmarks.push_back(state.benchmark);
    }
    void clear() override {}
    std::vector<std::string> benchmarks;
  } progress_;
};

TEST_F(campaign_run, records_are_complete_and_in_the_order_of_the_plan) {
  Plan plan = this->plan({"all", "one", "all again"});
  plan.blocks[0].points[1].skip = record::ReasonCode::memory;
  plan.blocks[0].points[1].skip_text = "too large";
  plan.blocks[0].points[1].needed_byte = 10;
  const RunResult result = measure(plan);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.stop_cause, "");
  EXPECT_EQ(result.counts.ok, 8);
  EXPECT_EQ(result.counts.skipped, 1);
  EXPECT_EQ(result.counts.left, 0);
  if (!world_.is_root()) return;

  const auto all = records();
  const auto& head = std::get<record::RunRecord>(all.front().body);
  EXPECT_EQ(head.processes, world_.size());
  EXPECT_EQ(head.nodes, 1);
  EXPECT_EQ(head.plan_points, 9);
  EXPECT_EQ(head.plan_hash, plan.hash);
  EXPECT_EQ(head.layout.json().at("ranks").dump(), "[[0," + std::to_string(world_.size()) + "]]");
  EXPECT_TRUE(head.mpi.json().contains("thread_level"));
  EXPECT_GT(head.clock.json().at("resolution_s").get<double>(), 0);

  std::vector<std::string> planned;
  for (const auto& block : plan.blocks)
    for (const auto& point : block.points) planned.push_back(point.key);
  std::vector<std::string> written;
  for (const auto& point : points()) written.push_back(point.key);
  EXPECT_EQ(written, planned);
  const auto second = points()[1];
  EXPECT_EQ(second.status, Status::skipped);
  EXPECT_EQ(second.reason->code, record::ReasonCode::memory);
  EXPECT_EQ(second.reason->needed_byte, 10);
  const auto first = points()[0];
  EXPECT_EQ(first.schedule->rule, "fixed");
  EXPECT_EQ(first.schedule->ops, 4);
  EXPECT_EQ(first.verified, true);
  EXPECT_EQ(first.group_ranks.front().size(), static_cast<std::size_t>(world_.size()));
  EXPECT_EQ(end().status, "complete");
  EXPECT_EQ(end().points.ok, 8);
  EXPECT_LT(*end().engine_ratio, 1);
  EXPECT_TRUE(end().resume.empty());
}

TEST_F(campaign_run, memory_missing_on_one_rank_fails_the_block_on_all_and_the_rest_goes_on) {
  suite_.script.on_open = [this](const suites::BlockPlan& block, const auto&) {
    if (block.benchmark == "all bad" && world_.rank() == world_.size() - 1) throw std::bad_alloc();
  };
  const RunResult result = measure(plan({"all bad", "all good"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.counts.failed, 3);
  EXPECT_EQ(result.counts.ok, 3);
  if (!world_.is_root()) return;
  const auto first = points().front();
  EXPECT_EQ(first.status, Status::failed);
  EXPECT_EQ(first.reason->code, record::ReasonCode::memory);
  EXPECT_EQ(first.reason->rank, world_.size() - 1);
  EXPECT_THAT(event_codes(), ::testing::Contains("point_failed"));
}

TEST_F(campaign_run, wrong_data_are_kept_and_change_the_exit_code) {
  suite_.script.behaviour = [this](const auto&, const suites::PointPlan& point) {
    return Behaviour{0, point.bytes == 2 && world_.rank() == 0 ? 1 : 0};
  };
  const RunResult result = measure(plan({"all"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.counts.unverified, 1);
  if (!world_.is_root()) return;
  EXPECT_EQ(points()[1].verified, false);
  EXPECT_EQ(points()[1].status, Status::ok);
  EXPECT_EQ(points()[2].verified, true);
  EXPECT_THAT(event_codes(), ::testing::Contains("verification_failed"));
}

TEST_F(campaign_run, what_is_skipped_is_not_shown_as_under_way) {
  Plan plan = this->plan({"one", "all"});
  for (auto& point : plan.blocks[0].points) point.skip = record::ReasonCode::time;
  measure(plan);
  if (!world_.is_root()) return;
  EXPECT_THAT(progress_.benchmarks, ElementsAre("fake/all"));
}

TEST_F(campaign_run, everything_skipped_is_exit_code_4) {
  Plan plan = this->plan({"all"});
  for (auto& point : plan.blocks[0].points) point.skip = record::ReasonCode::processes;
  const RunResult result = measure(plan);
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.counts.skipped, 3);
}

TEST_F(campaign_run, error_while_a_record_is_made_fails_that_point_only) {
  suite_.script.on_record = [](const record::PointRecord& record) {
    if (record.key.find("message_byte=2;") != std::string::npos) throw std::domain_error("no such rate");
  };
  const RunResult result = measure(plan({"all"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.counts.ok, 2);
  if (!world_.is_root()) return;
  EXPECT_EQ(points()[1].status, Status::failed);
  EXPECT_EQ(points()[1].reason->code, record::ReasonCode::internal);
  EXPECT_EQ(points()[1].reason->text, "no such rate");
}

/// Takes some lines and then has no space.
class SmallDisk final : public std::streambuf {
 public:
  explicit SmallDisk(int lines) : left_(lines) {}

 protected:
  int overflow(int c) override { return put(c) ? c : traits_type::eof(); }
  std::streamsize xsputn(const char* text, std::streamsize n) override {
    for (std::streamsize i = 0; i < n; ++i)
      if (!put(text[i])) return i;
    return n;
  }

 private:
  bool put(int c) {
    if (left_ <= 0) return false;
    if (c == '\n') --left_;
    return true;
  }
  int left_;
};

TEST_F(campaign_run, full_disk_ends_the_run_on_all_ranks_with_one_message) {
  suite_.points = 20;
  int events = 0;
  {  // how many records come before the first point
    std::ostringstream all;
    record::Writer file(all, record::make_run_id(), 1, 0);
    static_cast<void>(measure(plan({"all"}), world_.is_root() ? &file : nullptr, std::nullopt));
    std::istringstream lines(all.str());
    for (std::string line; std::getline(lines, line) && line.find(R"("type":"point")") == std::string::npos;)
      ++events;
  }
  SmallDisk disk(events + 6);  // what is told of the machine may change by a line or two between the runs
  std::ostream stream(&disk);
  record::Writer file(stream, record::make_run_id(), 1, 0);
  const RunResult result =
      measure(plan({"all", "all again"}), world_.is_root() ? &file : nullptr, std::nullopt);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.stop_cause, "error");
  EXPECT_GT(result.counts.ok, 0);
  EXPECT_LT(result.counts.ok, 20);
  EXPECT_EQ(result.counts.ok + result.counts.left, 40);
  if (!world_.is_root()) return;
  EXPECT_THAT(errors_.str(), HasSubstr("steelyard: error: "));
  EXPECT_EQ(errors_.str().find("steelyard: error: ", 1), std::string::npos);
}

TEST_F(campaign_run, disk_that_is_full_at_once_is_exit_code_4) {
  SmallDisk disk(0);
  std::ostream stream(&disk);
  record::Writer file(stream, record::make_run_id(), 1, 0);
  const RunResult result = measure(plan({"all"}), world_.is_root() ? &file : nullptr, std::nullopt);
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.counts.left, 3);
}

TEST_F(campaign_run, deadline_that_has_passed_measures_nothing) {
  options_.deadline_unix_s = unix_now_s() - 1;
  const RunResult result = measure(plan({"all"}));
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(result.stop_cause, "deadline");
  EXPECT_EQ(result.counts.left, 3);
  if (!world_.is_root()) return;
  EXPECT_EQ(end().status, "interrupted");
  EXPECT_EQ(end().cause, "deadline");
  EXPECT_THAT(end().resume, ElementsAre("steelyard", "run", "--resume"));
}

TEST_F(campaign_run, budget_that_runs_out_ends_the_run_in_order) {
  suite_.points = 64;
  suite_.script.behaviour = [](const auto&, const auto&) { return Behaviour{0.01, 0}; };
  options_.budget = Seconds{0.001};
  const RunResult result = measure(plan({"all", "all again"}));
  EXPECT_EQ(result.exit_code, 4);  // nothing was measured
  EXPECT_EQ(result.stop_cause, "budget");
  EXPECT_EQ(result.counts.left, 128);
}

TEST_F(campaign_run, elapsed_time_of_the_record_has_what_came_before_the_campaign) {
  constexpr double before_s = 1000, longest_s = 60;
  options_.before = Seconds{before_s};
  static_cast<void>(measure(plan({"all"})));
  if (!world_.is_root()) return;
  EXPECT_GT(end().elapsed_s, before_s);
  EXPECT_LT(end().elapsed_s, before_s + longest_s);
}

TEST_F(campaign_run, budget_that_is_spent_after_some_points_is_no_failure) {
  suite_.points = 10;
  suite_.script.behaviour = [](const auto&, const auto&) { return Behaviour{0.02, 0}; };
  options_.budget = Seconds{short_run_s() + 0.3};
  const RunResult result = measure(plan({"all", "all again", "all the same"}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.stop_cause, "budget");
  EXPECT_GT(result.counts.left, 0);
  if (!world_.is_root()) return;
  EXPECT_EQ(end().status, "interrupted");
  EXPECT_THAT(end().resume, ElementsAre("steelyard", "run", "--resume"));
}

TEST_F(campaign_run, mpi_error_of_a_point_leaves_the_others_to_new_communicators) {
  suite_.points = 6;
  std::vector<MPI_Comm> communicators;
  suite_.script.on_open = [&](const auto&, const suites::SessionContext& context) {
    communicators.push_back(context.team->group.get());
  };
  suite_.script.behaviour = [this](const auto&, const suites::PointPlan& point) {
    return Behaviour{0, 0,
                     point.bytes == 3 && world_.rank() == world_.size() - 1 ? MPI_ERR_OTHER : MPI_SUCCESS};
  };
  plan_options_.point_budget = Seconds{0.05};
  for (const auto schedule : {ScheduleKind::fixed, ScheduleKind::adaptive}) {
    options_.schedule = schedule;
    communicators.clear();
    if (world_.is_root()) fs::remove_all(directory_);
    const RunResult result = measure(plan({"all"}));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.counts.failed, 1);
    EXPECT_EQ(result.counts.left, 0);
    EXPECT_EQ(result.counts.ok + result.counts.partial, 5);
    ASSERT_THAT(communicators, SizeIs(2));
    EXPECT_NE(communicators[0], communicators[1]);
  }
}

TEST_F(campaign_run, message_that_an_error_left_in_a_communicator_of_a_session_meets_no_later_one) {
  if (world_.size() == 1) GTEST_SKIP() << "a process alone may wait for itself for ever";
  suite_.points = 2;
  std::vector<mpi::Communicator> made;  // of the session that is open
  std::vector<int> found;
  suite_.script.on_open = [&](const auto&, const suites::SessionContext& context) {
    made.clear();
    for (int i = 0; i < 4; ++i) {
      made.push_back(context.team->group.duplicate());
      const mpi::Communicator& comm = made.back();
      comm.barrier();
      found.push_back(0);
      mpi::check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm.get(), &found.back(), MPI_STATUS_IGNORE),
                 "MPI_Iprobe");
      comm.barrier();
      if (comm.rank() == comm.size() - 1) mpi::check(MPI_Send(&i, 1, MPI_INT, 0, 7, comm.get()), "MPI_Send");
    }
  };
  suite_.script.behaviour = [this](const auto& block, const suites::PointPlan& point) {
    const bool fails = block.benchmark == "all" && point.bytes == 1 && world_.is_root();
    return Behaviour{0, 0, fails ? MPI_ERR_OTHER : MPI_SUCCESS};
  };
  const RunResult result = measure(plan({"all"}));
  EXPECT_EQ(result.counts.failed, 1);
  EXPECT_THAT(found, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0)) << "two sessions of the same processes";
}

TEST_F(campaign_run, deadline_cuts_the_block_that_runs_and_a_resume_measures_the_rest) {
  const double enough_s = 0.5 + 2 * short_run_s();
  suite_.points = 30;
  suite_.script.behaviour = [](const auto&, const auto&) { return Behaviour{0.01, 0}; };
  Plan plan = this->plan({"all", "one"});
  plan.blocks[1].points[0].skip = record::ReasonCode::memory;
  options_.deadline_unix_s = world_.broadcast(unix_now_s()) + enough_s;
  suite_.script.on_record = [this](const record::PointRecord& record) {
    if (record.key.find("message_byte=3;") != std::string::npos)
      while (unix_now_s() < *options_.deadline_unix_s) {
      }
  };
  const RunResult first = measure(plan);
  EXPECT_EQ(first.exit_code, 5);
  EXPECT_EQ(first.counts.ok, 3);
  EXPECT_EQ(first.counts.left, 57);

  std::optional<ResumeState> resume;
  if (world_.is_root()) {
    std::ofstream(directory_ / "result.jsonl", std::ios::app) << R"({"format":"steelyard.res)";
    const Interrupted found = open_interrupted(directory_).value();
    resume.emplace();
    resume->run = found.run.id;
    resume->session = found.run.sessions + 1;
    resume->next_seq = found.run.next_seq;
    resume->keep = kept_keys(found.run, {});
    resume->kept = kept_counts(found.run, {});
    resume->points = found.run.points;
    resume->dropped_byte = found.dropped_byte;
    EXPECT_GT(found.dropped_byte, 0);
  }
  options_.deadline_unix_s.reset();
  suite_.script = {};
  const RunResult second = measure(plan, resume);
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_EQ(second.counts.ok, 59);
  EXPECT_EQ(second.counts.skipped, 1);
  EXPECT_EQ(second.counts.left, 0);
  if (!world_.is_root()) return;
  const auto merged = record::runs(record::read(directory_));
  ASSERT_THAT(merged, SizeIs(1));
  EXPECT_EQ(merged[0].sessions, 2);
  EXPECT_THAT(merged[0].points, SizeIs(60));
  EXPECT_THAT(points(), SizeIs(60)) << "kept points are not written again";
  EXPECT_EQ(merged[0].head.resumes.json().at("points_kept"), 3);
  EXPECT_EQ(merged[0].head.resumes.json().at("session"), 1);
  EXPECT_GT(merged[0].head.resumes.json().at("dropped_byte").get<int>(), 0);
}

TEST_F(campaign_run, stop_file_of_an_earlier_run_is_removed_by_who_starts_one) {
  if (world_.size() > 1) return;  // one process starts runs, and what it waits for is no other one
  forget_stop_file(directory_);
  std::ofstream{directory_ / "STOP"};
  EXPECT_TRUE(stop_file_is_there(directory_));
  {
    const record::Writer other(directory_, record::Writer::Mode::create, record::make_run_id(), 1, 0);
    forget_stop_file(directory_);
    EXPECT_TRUE(stop_file_is_there(directory_)) << "it is meant for the one that writes";
  }
  forget_stop_file(directory_);
  EXPECT_FALSE(stop_file_is_there(directory_));
}

TEST_F(campaign_run, stop_file_that_is_there_before_anything_is_measured_stops) {
  suite_.points = 4;
  options_.stop_file = directory_ / "STOP";
  if (world_.is_root()) std::ofstream{options_.stop_file};
  world_.barrier();
  const RunResult result = measure(plan({"all"}));
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(result.stop_cause, "stop_file");
  EXPECT_EQ(result.counts.ok, 0);
}

TEST_F(campaign_run, stop_file_stops) {
  suite_.points = 64;
  suite_.script.behaviour = [](const auto&, const auto&) { return Behaviour{0.01, 0}; };
  options_.stop_file = directory_ / "STOP";
  suite_.script.on_record = [&](const record::PointRecord& record) {
    if (record.key.find("message_byte=1;") == std::string::npos) return;
    std::ofstream{options_.stop_file};
  };
  const RunResult result = measure(plan({"all", "all again"}));
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(result.stop_cause, "stop_file");
  EXPECT_GT(result.counts.ok, 0);
  EXPECT_GT(result.counts.left, 0);
}

TEST_F(campaign_run, outlier_is_measured_again_and_counted_once) {
  suite_.points = 5;
  suite_.script.behaviour = [](const auto&, const suites::PointPlan& point) {
    return Behaviour{point.bytes == 3 ? 0.3 : 0.005, 0};
  };
  options_.fixed_operations = 1;
  options_.confirm = 1;
  const RunResult result = measure(plan({"one"}));
  EXPECT_EQ(result.counts.ok, 5);
  EXPECT_EQ(result.exit_code, 0);
  if (!world_.is_root()) return;
  std::vector<int> tries_of_the_outlier;
  for (const auto& point : points())
    if (point.key.find("message_byte=3;") != std::string::npos)
      tries_of_the_outlier.push_back(*point.schedule->tries);
  EXPECT_THAT(tries_of_the_outlier, ElementsAre(1, 2));
  EXPECT_THAT(event_codes(), ::testing::Contains("outlier_confirmed"));
}

TEST_F(campaign_run, repetition_that_is_cut_short_leaves_the_record_of_the_first_try) {
  plan_options_.half_width = options_.half_width = 1e-6;
  plan_options_.point_budget = Seconds{0.05};
  options_.schedule = ScheduleKind::adaptive;
  options_.min_batches = 1;
  options_.confirm = 1;
  options_.stop_file = directory_ / "STOP";
  suite_.script.behaviour = [](const auto&, const suites::PointPlan& point) {
    return Behaviour{point.bytes == 2 ? 4e-3 : 2e-4, 0};
  };
  suite_.script.on_record = [&](const record::PointRecord& record) {
    if (record.key.find("message_byte=3;") != std::string::npos) std::ofstream{options_.stop_file};
  };
  Plan plan = this->plan({"one"});
  plan.blocks[0].points[1].minimum_s = 1.6;  // the file is looked for once a second
  const RunResult result = measure(plan);
  EXPECT_EQ(result.counts.ok + result.counts.partial, 3);
  EXPECT_EQ(result.counts.left, 0);
  EXPECT_EQ(result.exit_code, 0);
  if (!world_.is_root()) return;
  for (const auto& point : points())
    EXPECT_FALSE(point.reason && point.reason->code == record::ReasonCode::interrupted) << point.key;
}

TEST_F(campaign_run, rank_of_the_first_error_is_that_in_the_world) {
  const int wrong = std::min(1, world_.size() - 1);  // the last of the block, whose first is rank 0
  suite_.rank_order = {0};
  for (int rank = world_.size(); --rank > 0;) suite_.rank_order.push_back(rank);
  suite_.script.behaviour = [&](const auto&, const auto&) {
    return Behaviour{0, world_.rank() == wrong ? 1 : 0};
  };
  const RunResult result = measure(plan({"all"}));
  EXPECT_EQ(result.counts.unverified, 3);
  if (!world_.is_root()) return;
  for (const auto& point : points()) EXPECT_EQ(point.check->first.json().at("rank").get<int>(), wrong);
}

TEST(measuring_rule, of_a_timed_schedule_knows_that_points_take_their_time) {
  RunOptions options;
  options.schedule = ScheduleKind::timed;
  options.timed_for = Seconds{30};
  Plan plan;
  plan.point_limit = options.timed_for;
  suites::PointPlan point;
  point.cost = {.latency_s = 1e-6};
  const MeasuringRule rule = measuring_rule(options, plan);
  EXPECT_DOUBLE_EQ(least_demand(point, rule).seconds, 30);
  point.minimum_s = 30;
  EXPECT_DOUBLE_EQ(expected_s(point, Allowance(std::nullopt, {}, rule.point_limit_s), rule), 30);
}

TEST(recorder, knows_a_point_by_the_records_of_its_groups) {
  const Outputs outputs;
  Recorder recorder(outputs, false);
  record::PointRecord point;
  point.key = "a;group=0;x=1";
  EXPECT_TRUE(recorder.point(point));
  EXPECT_TRUE(recorder.has("a;x=1"));
  EXPECT_TRUE(recorder.has("a;group=0;x=1"));  // as IMB's plan with -multi 1 has it
  EXPECT_FALSE(recorder.has("a;x=2"));
}

TEST(recorder, counts_doubts_and_warnings_of_earlier_sessions_too) {
  const auto noisy = [](const std::string& key) {
    record::PointRecord point;
    point.key = key;
    point.flags = {"noisy"};
    return point;
  };
  const std::vector earlier{noisy("a"), noisy("b")};
  const std::vector<record::EventRecord> told{{record::Severity::warning, "steal", "stolen"}};
  const Outputs outputs;
  Recorder recorder(outputs, false, earlier, told);
  EXPECT_EQ(recorder.warnings().points_in_doubt(), std::pair(std::int64_t{2}, std::int64_t{2}));
  EXPECT_EQ(recorder.warnings().count(), 2) << "noisy points, and what was stolen";
  record::PointRecord again;
  again.key = "b";
  EXPECT_TRUE(recorder.point(again));
  EXPECT_EQ(recorder.warnings().points_in_doubt(), std::pair(std::int64_t{1}, std::int64_t{2}));
}

TEST(recorder, counts_points_of_earlier_sessions_until_they_are_replaced) {
  const auto of = [](const std::string& key, Status status) {
    record::PointRecord point;
    point.key = key;
    point.status = status;
    return point;
  };
  std::vector earlier{of("a", Status::ok), of("b", Status::partial), of("c", Status::failed)};
  earlier[2].verified = false;
  const auto counts = [](const Recorder& recorder) {
    const record::Counts& n = recorder.counts();
    return std::vector{n.ok, n.partial, n.skipped, n.failed, n.unverified};
  };
  const Outputs outputs;
  Recorder recorder(outputs, false, earlier);
  EXPECT_THAT(counts(recorder), ElementsAre(1, 1, 0, 1, 1));
  recorder.begin_block();
  EXPECT_TRUE(recorder.point(of("b", Status::ok)));
  EXPECT_THAT(counts(recorder), ElementsAre(2, 0, 0, 1, 1));
  EXPECT_TRUE(recorder.point(of("b", Status::partial))) << "repeated";
  EXPECT_THAT(counts(recorder), ElementsAre(1, 1, 0, 1, 1));
  recorder.begin_block();
  EXPECT_TRUE(recorder.point(of("c", Status::ok)));
  EXPECT_TRUE(recorder.point(of("d", Status::skipped)));
  EXPECT_THAT(counts(recorder), ElementsAre(2, 1, 1, 0, 0));
}

TEST(with_repetitions_s, of_points_that_stand_out_is_waited_for_and_experiments_have_none) {
  suites::BlockPlan block;
  EXPECT_DOUBLE_EQ(with_repetitions_s(block, 10, 0), 10);
  EXPECT_DOUBLE_EQ(with_repetitions_s(block, 10, 2), 30);
  block.indivisible = true;
  EXPECT_DOUBLE_EQ(with_repetitions_s(block, 10, 2), 10);
}

TEST_F(campaign_run, adaptive_points_share_the_budget) {
  plan_options_.half_width = 0.05;
  plan_options_.budget = Seconds{2};
  plan_options_.point_budget = Seconds{0.05};
  options_.schedule = ScheduleKind::adaptive;
  options_.half_width = 0.05;
  options_.budget = Seconds{20};
  const RunResult result = measure(plan({"all", "one"}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.counts.ok + result.counts.partial, 6);
  if (!world_.is_root()) return;
  for (const auto& point : points()) EXPECT_EQ(point.schedule->rule, "adaptive");
}

TEST_F(campaign_run, time_of_a_check_is_not_measured_for) {
  plan_options_.half_width = options_.half_width = 1e-9;
  plan_options_.point_budget = Seconds{0.05};
  options_.schedule = ScheduleKind::adaptive;
  suite_.script.behaviour = [](const auto&, const auto&) { return Behaviour{1e-3, 0}; };
  Plan plan = this->plan({"all"});
  for (suites::PointPlan& point : plan.blocks[0].points) {
    point.cost.check_s += 4;
    point.minimum_s += 4;
  }
  EXPECT_EQ(measure(plan).exit_code, 0);
  if (!world_.is_root()) return;
  for (const auto& point : points()) EXPECT_LT(point.schedule->elapsed_s, 2);
}

TEST_F(campaign_run, anonymous_run_names_neither_host_nor_directory) {
  options_.anonymous = true;
  options_.resume_command = {"steelyard", "run", "-o", directory_.string()};
  std::ostringstream text;
  for (const bool too_late : {false, true}) {  // points in the first, words of a resume in the second
    if (too_late) options_.deadline_unix_s = unix_now_s() - 1;
    record::Writer file(text, record::make_run_id(), 1, 0);
    static_cast<void>(measure(plan({"all"}), world_.is_root() ? &file : nullptr, std::nullopt));
  }
  if (!world_.is_root()) return;
  EXPECT_THAT(text.str(), HasSubstr(R"("slowest_host":"node0")"));
  EXPECT_THAT(text.str(), HasSubstr(R"("resume":["steelyard","run","-o","<path>"])"));
  EXPECT_EQ(text.str().find('"' + mpi::processor_name() + '"'), std::string::npos);
  EXPECT_EQ(text.str().find(directory_.string()), std::string::npos);
}

TEST(team, groups_follow_the_renumbering_and_idle_ranks_take_no_part) {
  const auto world = mpi::Communicator::world();
  const int half = world.size() / 2;
  if (half == 0) GTEST_SKIP() << "needs two processes";
  suites::BlockPlan block;
  block.processes = half;
  block.groups = 2;
  for (int i = 0; i < world.size(); ++i) block.rank_order.push_back(i == 0 ? 0 : world.size() - i);
  const measure::Team team = make_team(world, block);
  int place = 0;
  while (block.rank_order[static_cast<std::size_t>(place)] != world.rank()) ++place;
  ASSERT_EQ(team.takes_part(), place < 2 * half);
  if (!team.takes_part()) return;
  EXPECT_EQ(team.active.size(), 2 * half);
  EXPECT_EQ(team.active.rank(), place);
  EXPECT_EQ(team.group.size(), half);
  EXPECT_EQ(team.index, place / half);
  EXPECT_EQ(world_rank(block, place), world.rank());
}

TEST(survey, tells_the_layout_and_the_library) {
  const auto world = mpi::Communicator::world();
  const Surroundings found = survey(world, {}, false, Depth::names_only);
  EXPECT_GT(found.memory_byte, 0);
  if (!world.is_root()) return;
  EXPECT_EQ(found.layout.nodes(), 1);
  EXPECT_EQ(found.layout.host_of(world.size() - 1), mpi::processor_name());
  EXPECT_THAT(found.head.mpi.json().at("library").get<std::string>(), HasSubstr("MPI"));
  EXPECT_FALSE(found.head.mpi.json().at("settings").empty());
  EXPECT_EQ(found.head.processes, world.size());
}

/// The system's clock, which may be set back, and may stand on the way from one reading to the next.
struct SteppingClock {
  std::shared_ptr<measure::Ticks> back = std::make_shared<measure::Ticks>(0);
  measure::Ticks each = 0;  // by which a reading sets it back
  [[nodiscard]] measure::Ticks now() const noexcept {
    *back += each;
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1) - *back;
  }
  [[nodiscard]] double seconds(measure::Ticks ticks) const noexcept {
    return 1e-9 * static_cast<double>(ticks);
  }
};

TEST(clock_of_a_session, that_is_set_back_during_it_is_told_at_its_end) {
  const auto world = mpi::Communicator::world();
  const auto with = [](const SteppingClock& clock) {
    Instruments instruments;
    instruments.quality.source = "a clock";
    instruments.timer = std::make_unique<measure::TimerOf<SteppingClock>>(clock);
    instruments.start = {instruments.timer->now(), std::chrono::steady_clock::now()};
    return instruments;
  };
  const SteppingClock good, set_back, restless{.each = 1'000'000};
  EXPECT_FALSE(judge_steps(world, Instruments{}));
  EXPECT_FALSE(judge_steps(world, with(good)));
  const auto instruments = with(set_back);
  if (world.rank() == world.size() - 1) *set_back.back = 1'500'000'000;
  const auto event = judge_steps(world, instruments);
  ASSERT_EQ(event.has_value(), world.is_root());
  EXPECT_EQ(judge_steps(world, with(restless)).has_value(), world.is_root());
  if (!event) return;
  EXPECT_EQ(event->severity, record::Severity::warning);
  EXPECT_EQ(event->code, "clock_backwards");
  EXPECT_THAT(event->text, HasSubstr("a clock ran backwards during the session, by 1.5 s in all"));
  EXPECT_NEAR(event->data.json().at("behind_s").get<double>(), 1.5, 0.1);
}

TEST(counter_of_the_processor, rate_that_is_not_that_of_the_calibration_is_told_at_the_end) {
  if (measure::counter_name().empty()) GTEST_SKIP() << "this processor has no counter";
  const auto world = mpi::Communicator::world();
  Instruments instruments;
  EXPECT_FALSE(judge_counter(world, instruments));  // another clock
  instruments.quality.counter_hz = 1;
  instruments.counter_at_start = measure::read_pair();
  instruments.counter_at_start->raw_ns += 1'000'000'000;
  EXPECT_FALSE(judge_counter(world, instruments));  // too short a time
  instruments.counter_at_start = measure::read_pair();
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
  const std::array pairs{*instruments.counter_at_start, measure::read_pair()};
  instruments.quality.counter_hz = 1.1 * measure::counter_frequency(pairs);
  const auto event = judge_counter(world, instruments);
  ASSERT_EQ(event.has_value(), world.is_root());
  if (!event) return;
  EXPECT_EQ(event->severity, record::Severity::warning);
  EXPECT_EQ(event->code, "clock_drift");
  EXPECT_GT(event->data.json().at("largest_drift").get<double>(), 0.01);
}

}  // namespace
}  // namespace steelyard::campaign
