// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "record/json.hpp"

namespace steelyard::record::samples {
namespace {

/// Emptied once in each run of the program, then only appended to, a whole line at a time: a second run at
/// the same time leaves its lines beside ours and no piece of one.
std::ofstream emptied(const char* file) {
  std::ofstream{file};
  std::ofstream lines;
  lines.rdbuf()->pubsetbuf(nullptr, 0);
  lines.open(file, std::ios::app);
  return lines;
}

void note(const std::string& line) {
  const char* const file = std::getenv("STEELYARD_TEST_LINES");
  if (file == nullptr) return;
  static std::ofstream lines = emptied(file);
  lines << line + '\n';
}

}  // namespace

RunRecord bare_run() {
  RunRecord run;
  run.command = {"steelyard", "run"};
  run.program = Json{{"name", "steelyard"},
                     {"version", "0.1.0"},
                     {"build", {{"type", "Release"}, {"compiler", "GNU 12.2.0"}}}};
  run.config = Json{{"preset", "quick"}};
  run.started_utc = "2026-11-20T08:30:00Z";
  run.layout = Json{{"hosts", {"node0"}}, {"ranks", Json::array({Json::array({0, 1})})}};
  run.mpi = Json{{"library", "Open MPI v4.1.4"}, {"standard", "3.1"}};
  run.plan_hash = sha256("");
  return run;
}

RunRecord full_run() {
  RunRecord run = bare_run();
  run.front_end = "imb-mpi1";
  run.config_sources = Json{{"preset", "command line"}};
  run.name = "bench-vm";
  run.labels = {{"firmware", "3.1"}, {"rack", "7"}};
  run.series = "20261120T082900Z-00000001";
  run.launch = 2;
  run.launches = 5;
  run.resumes =
      Json{{"session", 1}, {"points_kept", 12}, {"dropped_byte", 7}, {"differences", {"another kernel"}}};
  run.processes = 4;
  run.threads_per_process = 2;
  run.nodes = 2;
  const std::string digest = "sha256:" + std::string(64, '0');
  run.imported = Json{{"program", "IMB"}, {"format", "imb"}, {"started_from", "text"}};
  Json file{{"name", "old.txt"}, {"sha256", digest}, {"bytes", 1}};
  run.imported.json()["files"] = Json::array();
  run.imported.json()["files"].push_back(std::move(file));
  run.machine = Json{{"processor", "AMD EPYC 9654"}, {"memory_byte", 25769803776}, {"governor", nullptr}};
  run.libraries = Json{{"blas", {{"name", "OpenBLAS"}}}};
  const Json kernel{
      {"library", "OpenBLAS"}, {"version", "0.3.21"},  {"kernel", "SkylakeX"},
      {"linked", true},        {"choice", "told"},     {"variable", "OPENBLAS_CORETYPE=SkylakeX"},
      {"flop_s", 5.7e10},      {"least_flop_s", 5e10}, {"order", 384}};
  const Json crashed{{"library", "libfoo.so"},  {"version", nullptr}, {"kernel", nullptr},
                     {"linked", false},         {"choice", "own"},    {"file", "libfoo.so"},
                     {"why", "ended by SIGILL"}};
  run.blas = Json{{"wish", "fastest"},    {"used", kernel},
                  {"as_linked", nullptr}, {"fastest", kernel},
                  {"factor", nullptr},    {"tried", {kernel}},
                  {"refused", {crashed}}, {"not_tried", Json::array()},
                  {"nodes", 2},           {"threads", 1},
                  {"trial_s", 0.31},      {"load_s", 0.02},
                  {"resumed", false},     {"narrower_kernels", {"Prescott"}}};
  run.io = Json{{"type", "ext4"}, {"free_byte", 84825604096}};
  run.job = Json{{"scheduler", "slurm"}};
  run.environment = Json{{"OMP_NUM_THREADS", "1"}};
  run.clock = Json{{"source", "raw"}, {"cost_s", 1.93e-8}, {"resolution_s", 1e-8}};
  run.noise = Json{{"work_s", 1e-4}, {"noise", 0.028}, {"worst_host", nullptr}};
  run.survey =
      Json{{"origin", "measured"},
           {"seconds", 0.75},
           {"memory_byte", 1 << 30},
           {"rates", {{"triad_byte_s", 1.25e10}}},
           {"panels",
            Json::array(
                {{{"block", 128}, {"update_flop_s", 5e10}, {"panel_flop_s", 1e10}, {"solve_flop_s", 3e10}}})},
           {"spread", {{"triad_byte_s", 0.03}}},
           {"assumed", Json::array({"file_open_s"})}};
  run.plan_points = 412;
  run.plan_suites = {{"imb-mpi1", 400}, {"hpcc", 12}};
  run.plan_estimate_s = 58.2;
  run.plan_seed = 7;
  run.plan_sequence = {"imb-mpi1/PingPong", "hpcc/HPL"};
  return run;
}

Statistics full_statistics() {
  Statistics s;
  s.over_ranks = "max";
  s.n = 4;
  s.median = 0.1 + 0.2;  // needs all 17 digits
  s.ci = {0.25, 0.5};
  s.ci_level = 0.95;
  s.ci_batches = {0.26, 0.4};
  s.ci_visits = {0.25, 0.5};
  s.min = 0.2, s.p05 = 0.21, s.p25 = 0.25, s.p75 = 0.5, s.p95 = 0.6, s.p99 = 0.7, s.max = 5e-324;
  s.mean = 1.7976931348623157e308, s.sd = 1e-300, s.rho = -0.125;
  s.visit_medians = {0.25, 0.5};
  s.headline = "median";
  s.batches = {0.25, 0.5, 1.0 / 3, 0.2};
  return s;
}

PointRecord bare_point() {
  PointRecord point;
  point.suite = "imb-mpi1";
  point.benchmark = "Barrier";
  point.key = make_key(point.suite, point.benchmark, 1, 1, 1, {});
  point.schedule = Schedule{};
  point.schedule->rule = "imb";
  point.metrics = {{"time_s", nullptr}};
  point.primary = "time_s";
  return point;
}

PointRecord point(std::int64_t message_byte, double median) {
  PointRecord point = bare_point();
  point.benchmark = "PingPong";
  point.processes = 2;
  point.params = {{"message_byte", message_byte}};
  point.key = make_key(point.suite, point.benchmark, 2, 1, 1, point.params);
  Statistics time;
  time.median = median;
  point.metrics = {{"time_s", time}};
  return point;
}

PointRecord failed_point() {
  PointRecord point = bare_point();
  point.status = Status::failed;
  point.schedule.reset();
  point.metrics.clear();
  point.primary.clear();
  point.reason = Reason{};
  point.reason->code = ReasonCode::space;
  point.reason->text = "No space left on device";
  return point;
}

PointRecord full_point() {
  PointRecord point = bare_point();
  point.status = Status::partial;
  point.verified = false;
  point.reason = Reason{ReasonCode::mpi_error, "text", 3, "node1", "MPI_Send", "MPI_ERR_OTHER", 5, 4};
  point.processes = 2, point.threads = 3, point.groups = 2;
  point.group_ranks = {{0, 1}, {2, 3}};
  point.params = {{"message_byte", std::int64_t{4096}},
                  {"ratio", 0.5},
                  {"op", "MPI_SUM"},
                  {"cold", true},
                  {"map", nullptr},
                  {"list", std::vector<double>{1, 2.5}}};
  point.key = make_key(point.suite, point.benchmark, 2, 3, 2, point.params);
  point.schedule = Schedule{"adaptive", 16, 5248, 41, 128,       "ci",   0.0331, 0.0009, 0.001, 0.01,
                            1,          6,  6,    4,  "barrier", "each", 3e-9,   2e-9,   0.3};
  point.metrics = {{"time_s", full_statistics()}, {"bandwidth_byte_s", 6.5e8}, {"overlap_percent", nullptr}};
  point.lower_is_better = false;
  point.slowest_rank = 1;
  point.slowest_host = "node1";
  point.classic = {
      {"t_min_s", 6e-6}, {"repetitions", std::int64_t{1000}}, {"repeats_s", std::vector<double>{1, 2, 3}}};
  point.check =
      Check{2, 1e-9, 1e-12, Document(Json{{"rank", 1}, {"offset", 77}, {"found", 3}, {"expected", 4}})};
  point.states = {State{4.3e-8, 5e-6, 1e-6, 5, 0.75, 6e-6, std::pair{5e-6, 7e-6}},
                  State{{}, {}, {}, 1, 0.25, 9e-6, {}}};
  point.disturbed_share = 0.03;
  point.preempted_s = 0.002;
  point.late_share = 0.01;
  point.flags = {"noisy", "mixed_states"};
  point.memory_kind = "device";
  point.imported = Json{{"line", 9}};
  return point;
}

TableRecord table(std::size_t rows) {
  Json from = Json::array(), latency = Json::array();
  for (std::size_t row = 0; row < rows; ++row) {
    from.push_back(row);
    latency.push_back(1.0 / static_cast<double>(row + 3));
  }
  TableRecord table;
  table.name = "pingpong_pairs";
  table.suite = "hpcc";
  table.key = make_key("hpcc", "LatencyBandwidth", 4, 1, 1, {});
  table.columns = Json{{"from_rank", from}, {"latency_s", latency}};
  return table;
}

SummaryRecord full_summary() {
  SummaryRecord summary;
  summary.name = "b_eff";
  summary.suite = "b-eff";
  summary.processes = 2;
  summary.params = {{"lmax_byte", std::int64_t{1} << 27}};
  summary.values = {{"b_eff_byte_s", 5812345678.9}, {"pingpong_latency_s", full_statistics()}};
  summary.classic = {{"uname", "Linux node0"}, {"HPL_Tflops", 0.01}};
  summary.verified = true;
  summary.official = false;
  summary.not_official_because = {"2 of 3 repetitions"};
  summary.flags = {"noisy"};
  summary.inputs_select = "b-eff/*";
  summary.inputs_used = 2961;
  summary.inputs_missing = 1;
  return summary;
}

EventRecord full_event() {
  return {Severity::warning, "unpinned", "rank 3 may move", Document(Json{{"rank", 3}}),
          make_key("hpcc", "HPL", 4, 1, 1, {})};
}

EndRecord full_end() {
  return {"interrupted",
          "signal",
          5,
          {1, 2, 3, 4, 5, 6},
          12.5,
          0.03,
          {{"hpcc", 10.5, 11.25}, {"imb-mpi1", 2, 1.5}},
          "2026-11-20T08:31:00Z",
          {"steelyard", "run", "--resume", "d"}};
}

std::vector<Body> full_bodies() {
  return {full_run(), full_point(), table(3), full_summary(), full_event(), full_end()};
}

std::vector<Body> bare_bodies() {
  TableRecord bare_table = table(0);
  bare_table.suite.clear();
  bare_table.key.clear();
  SummaryRecord summary;
  summary.name = "stream";
  summary.suite = "hpcc";
  EventRecord event;
  event.code = "noisy";
  event.text = "text";
  EndRecord end;
  end.status = "complete";
  end.finished_utc = "2026-11-20T08:31:00Z";
  return {bare_run(), bare_point(), failed_point(), bare_table, summary, event, end};
}

Record enveloped(const Body& body, std::int64_t seq, int session) {
  return {{run_id, session, seq, 0.125 * static_cast<double>(seq)}, body};
}

std::string line_of(const Record& record) {
  std::string line = to_line(record);
  note(line);
  return line;
}

void note_lines(const std::filesystem::path& file) {
  std::istringstream lines(content(file));
  for (std::string line; std::getline(lines, line);) note(line);
}

Scratch::Scratch()
    : path_(std::filesystem::temp_directory_path() /
            ("steelyard-record-" + std::to_string(std::random_device{}()))) {
  std::filesystem::create_directory(path_);
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void put(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace steelyard::record::samples
