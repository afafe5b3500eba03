// SPDX-License-Identifier: Apache-2.0
#include "vectors.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace steelyard::foreign::test {

const std::string imb = R"(#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part
# Date                  : Thu Mar  3 10:15:00 2022
# MPI_Datatype                   :   MPI_BYTE
# Benchmarking PingPong
# #processes = 2
# ( 2 additional processes waiting in MPI_Barrier)
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000         1.21         0.00
      4194304           10       400.00     10485.76

# All processes entering MPI_Finalize
)";

const std::string osu_latency = R"(# OSU MPI Latency Test v5.6.2
# Size          Latency (us)
0                       1.05
8                       1.12
4194304               412.50
)";

const std::string osu_allreduce = R"(# OSU MPI-CUDA Allreduce Latency Test v7.4
# Datatype: MPI_FLOAT.
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
4                       9.00              8.00             10.00        1000
)";

const std::string osu_mbw = R"(# OSU MPI Multiple Bandwidth / Message Rate Test v6.1
# [ pairs: 4 ] [ window size: 64 ]
# Size                  MB/s        Messages/s
8                    4096.00      512000000.00
)";

const std::string hpl = R"(HPLinpack 2.3  --  High-Performance Linpack benchmark  --   December 2, 2018
T/V                N    NB     P     Q               Time                 Gflops
WR11C2R4       20000   192     2     2              50.00             1.0668e+02
||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=   3.96870000e-03 ...... PASSED
Finished      1 tests with the following results:
End of Tests.
)";

const std::string stream = R"(STREAM version $Revision: 5.10 $
Array size = 10000000 (elements), Offset = 0 (elements)
Number of Threads counted = 8
Function    Best Rate MB/s  Avg time     Min time     Max time
Copy:           20000.0     0.008120     0.008000     0.008340
Triad:          19200.0     0.012700     0.012500     0.013100
Solution Validates: avg error less than 1.000000e-13 on all three arrays
)";

const std::string ior = R"(IOR-3.3.0: MPI Coordinated Test of Parallel I/O
Began               : Thu Mar  3 10:15:00 2022
Machine             : Linux n1
api                 : POSIX
access              : file-per-process
type                : independent
segments            : 1
nodes               : 2
tasks               : 8
repetitions         : 2
xfersize            : 1 MiB
blocksize           : 128 MiB
access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
write     2048.00    2100.00    0.003800    131072     1024.00    0.001000   0.487000   0.002000   0.500000   0
write     1024.00    1040.00    0.007600    131072     1024.00    0.001000   0.985000   0.002000   1.00       1
Max Write: 2048.00 MiB/sec (2147.48 MB/sec)
Finished            : Thu Mar  3 10:15:05 2022
)";

const std::string ior_json =
    R"({"Version":"4.0.0","tests":[{"Options":{"api":"POSIX","tasks":8},"Results":[[{"access":"write","bwMiB":2048.0}]]}],"summary":[{"operation":"write","bwMeanMIB":2048.0,"bwMaxMIB":2048.0,"numTasks":8}]}
)";

const std::string fio =
    R"({"fio version":"fio-3.16","jobs":[{"jobname":"a","error":0,"job options":{"rw":"randread","bs":"4k","iodepth":"32"},"read":{"bw":500,"bw_bytes":512000,"iops":125.0,"total_ios":1250,"lat_ns":{"min":1000,"max":9000,"mean":2000.0,"stddev":5.0,"N":1250}},"write":{"total_ios":0}}]}
)";

const std::string mdtest = R"(mdtest-4.0.0 was launched with 8 total task(s) on 2 node(s)
8 tasks, 8000 files/directories
SUMMARY rate: (of 3 iterations)
   Operation                      Max            Min           Mean        Std Dev
   File creation   1200.000   800.000   1000.000   163.299
-- finished at 03/03/2022 10:20:00 --
)";

const std::string babel_csv =
    R"(function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime
Triad,100,33554432,8,805306.368,0.001,0.0012,0.0011
)";

const std::string hpcg = R"(HPCG-Benchmark
version=3.1
Machine Summary=
Machine Summary::Distributed Processes=4
Machine Summary::Threads per processes=2
Local Domain Dimensions::nx=104
Local Domain Dimensions::ny=104
Local Domain Dimensions::nz=104
Final Summary=
Final Summary::HPCG result is VALID with a GFLOP/s rating of=12.5
)";

const std::string graph500 = R"(SCALE:  20
edgefactor:  16
NBFS:  64
num_mpi_processes:  4
bfs  min_TEPS:  1e+08
bfs  max_TEPS:  3e+08
bfs  harmonic_mean_TEPS:     !  2e+08
)";

const std::string nccl =
    R"(# nThread 1 nGpus 1 minBytes 33554432 maxBytes 33554432 step: 2(factor) warmup iters: 5 iters: 20
# Collective test starting: all_reduce_perf
#  Rank  0 Group  0 Pid  100 on n1 device  0 [0x07] X
#  Rank  1 Group  0 Pid  101 on n1 device  1 [0x08] X
#  Rank  2 Group  0 Pid  102 on n2 device  0 [0x07] X
#  Rank  3 Group  0 Pid  103 on n2 device  1 [0x08] X
33554432 8388608 float sum -1 345.2 97.20 170.10 0 350.0 95.87 167.77 0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 168.9
)";

const std::string nccl_json =
    R"({"version":3,"start_time":"2026-03-03 10:15:00","args":["/opt/tests/all_reduce_perf","-J","out.json"],"env":["HOME=/h"],"nccl_version":22703,"config":{"nthreads":1,"ngpus":2,"minimum_bytes":33554432,"validation":1,"devices":[{"rank":0,"group":0,"pid":100,"hostname":"n1","device":0,"device_hex":"0x07","device_info":"X"},{"rank":2,"group":0,"pid":102,"hostname":"n2","device":0,"device_hex":"0x07","device_info":"X"}]},"results":[{"size":33554432,"count":8388608,"type":"float","redop":"sum","root":"    -1","out_of_place":{"time":345.200000,"alg_bw":97.200000,"bus_bw":170.100000,"nwrong":0.000000},"in_place":{"time":350.000000,"alg_bw":95.870000,"bus_bw":167.770000,"nwrong":null},"actual_iterations":20,"experiment_name":"all_reduce_perf"}],"out_of_bounds":{"count":0,"okay":"true"},"average_bus_bandwidth":{"bandwidth":168.935000,"okay":"unchecked"},"end_time":"2026-03-03 10:15:05"}
)";

const std::string b_eff_protocol = R"(SECTION-HEAD-BEGIN
MEMORY_PER_PROCESSOR = 128 MBytes  [1M = 1024*1024]
SECTION-HEAD-END
SECTION-VALUES-BEGIN
          1 mthd0 p00 min=   0.901   0.912   0.911 ->   0.912 (0.010 s)
                      avg=   0.950   0.951   0.949
                      max=   1.001   1.002   1.003
                  p01 min=   0.801   0.812   0.811 ->   0.812 (0.010 s)
                      avg=   0.850   0.851   0.849
                      max=   1.001   1.002   1.003
            mthd1 p00 min=   0.301   0.312   0.311 ->   0.312 (0.010 s)
                      avg=   0.350   0.351   0.349
                      max=   0.401   0.402   0.403
                  p01 min=  ------  ------  ------ ->  ------ (----- s)
                      avg=   ----    ----    ---- 
                      max=    --      --      --  
          2 mthd0 p00 min=   1.801   1.812   1.811 ->   1.812 (0.010 s)
                      avg=   1.950   1.951   1.949
                      max=   2.001   2.002   2.003
SECTION-VALUES-END
b_eff =   9709.549 MB/s =  37.928 *  256 PEs with 128 MB/PE on Linux n1 6.1 x x86_64
)";

const std::string b_eff_io_protocol = R"(b_eff_io.c, Revision 2.1 from 2001-05-01
Date of measurement: Thu Mar  3 10:15:00 2022

write:
 n=8   a=0 type=0 p= 1 Tp= 1.20 l= 1048576 L= 1048576 type0            r=   17 S= 142.606 MB t= 1.19 = 1.100+ 0.050+0.020+0.020 0.060 0.001 bw= 119.837 MB/s
 n=8   a=2 type=0 p= 1 Tp= 1.20 l= 1048576 L= 1048576 type0            r=   34 S= 285.213 MB t= 1.21 = 1.100+ 0.050+0.020+0.020 0.060 0.001 bw= 235.713 MB/s 3 ERRORS
b_eff_io =  321.000 MB/s on   8 processes with  256 MByte/PE, scheduled time= 30.0 Min, on Linux n1 6.1 x x86_64
)";

const std::string b_eff =
    "b_eff =   9709.549 MB/s =  37.928 *  256 PEs with 128 MB/PE on Linux n1 6.1 x x86_64\n";

const std::string b_eff_io =
    "b_eff_io =  321.000 MB/s on  32 processes with  256 MByte/PE, scheduled time= 30.0 Min, on Linux n1 6.1 x x86_64, NOT VALID "
    "(see above)\n";

const std::string hpcc = R"(This is DARPA/DOE HPC Challenge Benchmark version 1.5.0 October 2012
Current time (1646302500) is Thu Mar  3 10:15:00 2022

Hostname: 'n1'
WR11C2R4       20000   192     2     2              50.00             1.0668e+02
||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=   3.96870000e-03 ...... PASSED
Begin of Summary section.
VersionMajor=1
VersionMinor=5
CommWorldProcs=4
STREAM_Threads=1
HPL_Tflops=0.10668
Success=1
End of Summary section.
End of HPC Challenge tests.
)";

namespace {
const auto all = std::to_array<Vector>({{"imb", &imb, true},
                                        {"osu_latency", &osu_latency, false},
                                        {"osu_allreduce", &osu_allreduce, false},
                                        {"osu_mbw", &osu_mbw, false},
                                        {"hpl", &hpl, true},
                                        {"stream", &stream, true},
                                        {"ior", &ior, true},
                                        {"ior_json", &ior_json, true},
                                        {"fio", &fio, true},
                                        {"mdtest", &mdtest, true},
                                        {"babel_csv", &babel_csv, false},
                                        {"hpcg", &hpcg, false},
                                        {"graph500", &graph500, false},
                                        {"nccl", &nccl, true},
                                        {"nccl_json", &nccl_json, false},
                                        {"b_eff", &b_eff, false},
                                        {"b_eff_protocol", &b_eff_protocol, false},
                                        {"b_eff_io_protocol", &b_eff_io_protocol, false},
                                        {"b_eff_io", &b_eff_io, false},
                                        {"hpcc", &hpcc, true}});
}  // namespace

std::span<const Vector> vectors() {
  return all;
}

std::string with(const std::string& text, std::string_view from, std::string_view to) {
  std::string changed = text;
  const auto at = changed.find(from);
  if (at == std::string::npos) throw std::logic_error("nothing to replace: " + std::string(from));
  return changed.replace(at, from.size(), to);
}

Description told_16() {
  Description told;
  told.processes = 16;
  return told;
}

Reading read_text(const std::string& text, const Description& told) {
  return read({"old.txt", text, "2020-01-02T03:04:05Z"}, told);
}

record::Run only_run(const std::string& text, const Description& told) {
  auto reading = read_text(text, told);
  if (reading.runs.size() != 1) throw std::logic_error(std::to_string(reading.runs.size()) + " runs");
  return std::move(reading.runs.front());
}

const record::PointRecord* point_of(const record::Run& run, std::string_view key) {
  const auto found = std::ranges::find(run.points, key, &record::PointRecord::key);
  return found == run.points.end() ? nullptr : &*found;
}

double value(const record::PointRecord* point, std::string_view metric) {
  if (point == nullptr) return -1;
  for (const auto& [name, held] : point->metrics)
    if (name == metric) return record::value_of(held).value_or(-1);
  return -1;
}

double classic(const record::PointRecord* point, std::string_view name) {
  const auto* found = point == nullptr ? nullptr : record::find(point->classic, name);
  return found == nullptr ? -1 : record::number(*found);
}

bool has_flag(const record::PointRecord* point, std::string_view flag) {
  return point != nullptr && std::ranges::find(point->flags, flag) != point->flags.end();
}

bool has_event(const record::Run& run, std::string_view code) {
  return std::ranges::find(run.events, code, &record::EventRecord::code) != run.events.end();
}

std::string all_points(const Reading& reading) {
  std::string text;
  for (const auto& run : reading.runs)
    for (const auto& point : run.points) {
      text += point.key;
      for (const auto& [name, held] : point.metrics)
        text += ' ' + name + ' ' + std::to_string(record::value_of(held).value_or(-1) * 1e9);
      text += '\n';
    }
  return text;
}

}  // namespace steelyard::foreign::test
