// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/summary_keys.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "units/quantity.hpp"

namespace steelyard::hpcc {
namespace {

using enum KeyFormat;

constexpr auto keys = std::to_array<SummaryKey>({
    {"VersionMajor", "", count, 0, ""},
    {"VersionMinor", "", count, 0, ""},
    {"VersionMicro", "", count, 0, ""},
    {"VersionRelease", "", word, 0, "", "f"},
    {"LANG", "", word, 0, "", "C++"},
    {"Success", "", count, 0, ""},
    {"sizeof_char", "byte", count, 0, ""},
    {"sizeof_short", "byte", count, 0, ""},
    {"sizeof_int", "byte", count, 0, ""},
    {"sizeof_long", "byte", count, 0, ""},
    {"sizeof_void_ptr", "byte", count, 0, ""},
    {"sizeof_size_t", "byte", count, 0, ""},
    {"sizeof_float", "byte", count, 0, ""},
    {"sizeof_double", "byte", count, 0, ""},
    {"sizeof_s64Int", "byte", count, 0, ""},
    {"sizeof_u64Int", "byte", count, 0, ""},
    {"sizeof_struct_double_double", "byte", count, 0, ""},
    {"CommWorldProcs", "", count, 0, ""},
    {"MPI_Wtick", "s", scientific, -1, ""},
    {"HPL_Tflops", "Tflop/s", rate, -1, "HPL"},
    {"HPL_time", "s", real, -1, "HPL"},
    {"HPL_eps", "", real, -1, "HPL"},
    {"HPL_RnormI", "", real, -1, "HPL"},
    {"HPL_Anorm1", "", real, -1, "HPL"},
    {"HPL_AnormI", "", real, -1, "HPL"},
    {"HPL_Xnorm1", "", real, -1, "HPL"},
    {"HPL_XnormI", "", real, -1, "HPL"},
    {"HPL_BnormI", "", real, -1, "HPL"},
    {"HPL_N", "", count, -1, "HPL"},
    {"HPL_NB", "", count, -1, "HPL"},
    {"HPL_nprow", "", count, -1, "HPL"},
    {"HPL_npcol", "", count, -1, "HPL"},
    {"HPL_depth", "", count, -1, "HPL"},
    {"HPL_nbdiv", "", count, -1, "HPL"},
    {"HPL_nbmin", "", count, -1, "HPL"},
    {"HPL_cpfact", "", word, 0, "HPL", "-"},
    {"HPL_crfact", "", word, 0, "HPL", "-"},
    {"HPL_ctop", "", word, 0, "HPL", "-"},
    {"HPL_order", "", word, 0, "HPL", "-"},
    {"HPL_dMACH_EPS", "", scientific, 0, ""},
    {"HPL_dMACH_SFMIN", "", scientific, 0, ""},
    {"HPL_dMACH_BASE", "", scientific, 0, ""},
    {"HPL_dMACH_PREC", "", scientific, 0, ""},
    {"HPL_dMACH_MLEN", "", scientific, 0, ""},
    {"HPL_dMACH_RND", "", scientific, 0, ""},
    {"HPL_dMACH_EMIN", "", scientific, 0, ""},
    {"HPL_dMACH_RMIN", "", scientific, 0, ""},
    {"HPL_dMACH_EMAX", "", scientific, 0, ""},
    {"HPL_dMACH_RMAX", "", scientific, 0, ""},
    {"HPL_sMACH_EPS", "", scientific, 0, ""},
    {"HPL_sMACH_SFMIN", "", scientific, 0, ""},
    {"HPL_sMACH_BASE", "", scientific, 0, ""},
    {"HPL_sMACH_PREC", "", scientific, 0, ""},
    {"HPL_sMACH_MLEN", "", scientific, 0, ""},
    {"HPL_sMACH_RND", "", scientific, 0, ""},
    {"HPL_sMACH_EMIN", "", scientific, 0, ""},
    {"HPL_sMACH_RMIN", "", scientific, 0, ""},
    {"HPL_sMACH_EMAX", "", scientific, 0, ""},
    {"HPL_sMACH_RMAX", "", scientific, 0, ""},
    {"dweps", "", scientific, 0, ""},
    {"sweps", "", scientific, 0, ""},
    {"HPLMaxProcs", "", count, -1, ""},
    {"HPLMinProcs", "", count, -1, ""},
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
    {"FFT_API", "", word, 0, "", "-"},
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
    {"M_OPENMP", "", count, -1, ""},
    {"omp_get_num_threads", "", count, 0, ""},
    {"omp_get_max_threads", "", count, 0, ""},
    {"omp_get_num_procs", "", count, 0, ""},
    {"MemProc", "MiB", real, -1, ""},
    {"MemSpec", "", count, -1, ""},
    {"MemVal", "MiB", real, -1, ""},
    {"MPIFFT_time0", "s", real, 0, "MPIFFT"},
    {"MPIFFT_time1", "s", real, 0, "MPIFFT"},
    {"MPIFFT_time2", "s", real, 0, "MPIFFT"},
    {"MPIFFT_time3", "s", real, 0, "MPIFFT"},
    {"MPIFFT_time4", "s", real, 0, "MPIFFT"},
    {"MPIFFT_time5", "s", real, 0, "MPIFFT"},
    {"MPIFFT_time6", "s", real, 0, "MPIFFT"},
    {"CPS_HPCC_FFT_235", "", count, 0, ""},
    {"CPS_HPCC_FFTW_ESTIMATE", "", count, 0, ""},
    {"CPS_HPCC_MEMALLCTR", "", count, 0, ""},
    {"CPS_HPL_USE_GETPROCESSTIMES", "", count, 0, ""},
    {"CPS_RA_SANDIA_NOPT", "", count, 0, ""},
    {"CPS_RA_SANDIA_OPT2", "", count, 0, ""},
    {"CPS_USING_FFTW", "", count, 0, ""},
});

/// Keys of this program's own with a unit.
constexpr auto own_keys =
    std::to_array<SummaryKey>({{"Sy_core_peak_Gflops", "Gflop/s", real, -1, "StarDGEMM"}});

struct ScaledUnit {
  std::string_view name;
  KeyUnit unit;
};
constexpr auto scaled_units = std::to_array<ScaledUnit>({
    {"Tflop/s", {prefix::tera, "flop/s"}},
    {"Gflop/s", {prefix::giga, "flop/s"}},
    {"GB/s", {prefix::giga, "byte/s"}},
    {"GUP/s", {prefix::giga, "update/s"}},
    {"us", {prefix::micro, "s"}},
    {"MiB", {prefix::mebi, "byte"}},
});

constexpr auto endings = std::to_array<std::pair<std::string_view, std::string_view>>({{"_Tflops", "Tflop/s"},
                                                                                       {"_Gflops", "Gflop/s"},
                                                                                       {"_GBs", "GB/s"},
                                                                                       {"_GBytes", "GB/s"},
                                                                                       {"_GUPs", "GUP/s"},
                                                                                       {"_usec", "us"}});

KeyUnit unit_named(std::string_view name) {
  const auto scaled = std::ranges::find(scaled_units, name, &ScaledUnit::name);
  return scaled == scaled_units.end() ? KeyUnit{1, name} : scaled->unit;
}

double size_of(std::string_view key) {
  const auto unit = key_unit(key);
  if (!unit) throw std::out_of_range("no key of the Summary: " + std::string(key));
  return unit->size;
}

}  // namespace

std::span<const SummaryKey> summary_keys() {
  return keys;
}

const SummaryKey* summary_key(std::string_view name) {
  const auto found = std::ranges::find(keys, name, &SummaryKey::name);
  return found == keys.end() ? nullptr : &*found;
}

std::optional<KeyUnit> key_unit(std::string_view key) {
  const auto* found = summary_key(key);
  if (found == nullptr) {
    const auto own = std::ranges::find(own_keys, key, &SummaryKey::name);
    if (own == own_keys.end()) return std::nullopt;
    found = &*own;
  }
  return unit_named(found->unit);
}

std::optional<KeyUnit> unit_by_ending(std::string_view key) {
  for (const auto& [ending, unit] : endings)
    if (key.ends_with(ending)) return unit_named(unit);
  return std::nullopt;
}

double in_base_units(std::string_view key, double value) {
  return value * size_of(key);
}

void put_figure(record::PointRecord& record, std::string_view key, double base) {
  record.classic.emplace_back(key, base / size_of(key));
}

}  // namespace steelyard::hpcc
