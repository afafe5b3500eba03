// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/summary_keys.hpp"

#include <algorithm>
#include <array>

namespace steelyard::hpcc {
namespace {

using enum SummaryFormat;

constexpr auto keys = std::to_array<SummaryKey>({
    {"DGEMM_N", "", count, -1, "DGEMM"},
    {"StarDGEMM_Gflops", "Gflop/s", rate, -1, "StarDGEMM"},
    {"SingleDGEMM_Gflops", "Gflop/s", rate, -1, "SingleDGEMM"},
    {"PTRANS_GBs", "GB/s", rate, -1, "PTRANS"},
    {"PTRANS_time", "s", real, -1, "PTRANS"},
    {"PTRANS_residual", "", real, -1, "PTRANS"},
    {"PTRANS_n", "", count, -1, "PTRANS"},
    {"PTRANS_nb", "", count, -1, "PTRANS"},
    {"PTRANS_nprow", "", count, -1, "PTRANS"},
    {"PTRANS_npcol", "", count, -1, "PTRANS"},
    {"MPIRandomAccess_LCG_N", "words", count, -1, "MPIRandomAccess_LCG"},
    {"MPIRandomAccess_LCG_time", "s", real, -1, "MPIRandomAccess_LCG"},
    {"MPIRandomAccess_LCG_CheckTime", "s", real, -1, "MPIRandomAccess_LCG"},
    {"MPIRandomAccess_LCG_Errors", "", count, -1, "MPIRandomAccess_LCG"},
    {"MPIRandomAccess_LCG_ErrorsFraction", "", real, -1, "MPIRandomAccess_LCG"},
    {"MPIRandomAccess_LCG_ExeUpdates", "", count, -1, "MPIRandomAccess_LCG"},
    {"MPIRandomAccess_LCG_GUPs", "GUP/s", rate, -1, "MPIRandomAccess_LCG"},
    {"MPIRandomAccess_LCG_TimeBound", "s", real, -1, "MPIRandomAccess_LCG"},
    {"MPIRandomAccess_LCG_Algorithm", "", count, -1, "MPIRandomAccess_LCG"},
    {"MPIRandomAccess_N", "words", count, -1, "MPIRandomAccess"},
    {"MPIRandomAccess_time", "s", real, -1, "MPIRandomAccess"},
    {"MPIRandomAccess_CheckTime", "s", real, -1, "MPIRandomAccess"},
    {"MPIRandomAccess_Errors", "", count, -1, "MPIRandomAccess"},
    {"MPIRandomAccess_ErrorsFraction", "", real, -1, "MPIRandomAccess"},
    {"MPIRandomAccess_ExeUpdates", "", count, -1, "MPIRandomAccess"},
    {"MPIRandomAccess_GUPs", "GUP/s", rate, -1, "MPIRandomAccess"},
    {"MPIRandomAccess_TimeBound", "s", real, -1, "MPIRandomAccess"},
    {"MPIRandomAccess_Algorithm", "", count, -1, "MPIRandomAccess"},
    {"RandomAccess_LCG_N", "words", count, -1, "RandomAccess_LCG"},
    {"StarRandomAccess_LCG_GUPs", "GUP/s", rate, -1, "StarRandomAccess_LCG"},
    {"SingleRandomAccess_LCG_GUPs", "GUP/s", rate, -1, "SingleRandomAccess_LCG"},
    {"RandomAccess_N", "words", count, -1, "RandomAccess"},
    {"StarRandomAccess_GUPs", "GUP/s", rate, -1, "StarRandomAccess"},
    {"SingleRandomAccess_GUPs", "GUP/s", rate, -1, "SingleRandomAccess"},
    {"STREAM_VectorSize", "elements", count, -1, "STREAM"},
    {"STREAM_Threads", "", count, 1, "STREAM"},
    {"StarSTREAM_Copy", "GB/s", rate, -1, "StarSTREAM"},
    {"StarSTREAM_Scale", "GB/s", rate, -1, "StarSTREAM"},
    {"StarSTREAM_Add", "GB/s", rate, -1, "StarSTREAM"},
    {"StarSTREAM_Triad", "GB/s", rate, -1, "StarSTREAM"},
    {"SingleSTREAM_Copy", "GB/s", rate, -1, "SingleSTREAM"},
    {"SingleSTREAM_Scale", "GB/s", rate, -1, "SingleSTREAM"},
    {"SingleSTREAM_Add", "GB/s", rate, -1, "SingleSTREAM"},
    {"SingleSTREAM_Triad", "GB/s", rate, -1, "SingleSTREAM"},
    {"FFT_N", "elements", count, -1, "FFT"},
    {"StarFFT_Gflops", "Gflop/s", rate, -1, "StarFFT"},
    {"SingleFFT_Gflops", "Gflop/s", rate, -1, "SingleFFT"},
    {"MPIFFT_N", "elements", count, -1, "MPIFFT"},
    {"MPIFFT_Gflops", "Gflop/s", rate, -1, "MPIFFT"},
    {"MPIFFT_maxErr", "", real, -1, "MPIFFT"},
    {"MPIFFT_Procs", "", count, -1, "MPIFFT"},
    {"MaxPingPongLatency_usec", "us", rate, -1, "LatencyBandwidth"},
    {"RandomlyOrderedRingLatency_usec", "us", rate, -1, "LatencyBandwidth"},
    {"MinPingPongBandwidth_GBytes", "GB/s", rate, -1, "LatencyBandwidth"},
    {"NaturallyOrderedRingBandwidth_GBytes", "GB/s", rate, -1, "LatencyBandwidth"},
    {"RandomlyOrderedRingBandwidth_GBytes", "GB/s", rate, -1, "LatencyBandwidth"},
    {"MinPingPongLatency_usec", "us", real, -1, "LatencyBandwidth"},
    {"AvgPingPongLatency_usec", "us", real, -1, "LatencyBandwidth"},
    {"MaxPingPongBandwidth_GBytes", "GB/s", real, -1, "LatencyBandwidth"},
    {"AvgPingPongBandwidth_GBytes", "GB/s", real, -1, "LatencyBandwidth"},
    {"NaturallyOrderedRingLatency_usec", "us", real, -1, "LatencyBandwidth"},
    {"FFTEnblk", "", count, -1, "FFT"},
    {"FFTEnp", "", count, -1, "FFT"},
    {"FFTEl2size", "", count, -1, "FFT"},
    {"MPIFFT_time0", "s", real, 0, "MPIFFT"},
    {"MPIFFT_time1", "s", real, 0, "MPIFFT"},
    {"MPIFFT_time2", "s", real, 0, "MPIFFT"},
    {"MPIFFT_time3", "s", real, 0, "MPIFFT"},
    {"MPIFFT_time4", "s", real, 0, "MPIFFT"},
    {"MPIFFT_time5", "s", real, 0, "MPIFFT"},
    {"MPIFFT_time6", "s", real, 0, "MPIFFT"},
});

}  // namespace

std::span<const SummaryKey> summary_keys() {
  return keys;
}

const SummaryKey* summary_key(std::string_view name) {
  const auto found = std::ranges::find(keys, name, &SummaryKey::name);
  return found == keys.end() ? nullptr : &*found;
}

}  // namespace steelyard::hpcc
