// SPDX-License-Identifier: Apache-2.0
// The programs of IMB. A new one is a catalogue and a line in `all_parts`.
#include "suites/imb/ext/catalogue.hpp"
#include "suites/imb/io/catalogue.hpp"
#include "suites/imb/mpi1/catalogue.hpp"
#include "suites/imb/mpi4/catalogue.hpp"
#include "suites/imb/mt/catalogue.hpp"
#include "suites/imb/nbc/catalogue.hpp"
#include "suites/imb/own/catalogue.hpp"
#include "suites/imb/p2p/catalogue.hpp"
#include "suites/imb/rma/catalogue.hpp"

namespace steelyard::imb {
namespace {

constexpr Part mpi1_part{
    .name = "imb-mpi1", .title = "MPI-1 part", .benchmarks = mpi1_benchmarks, .blanks_in_head = true};

constexpr Part ext_part{.name = "imb-ext", .title = "MPI-2 part", .benchmarks = ext_benchmarks};

constexpr Part rma_part{.name = "imb-rma",
                        .title = "MPI-RMA part",
                        .benchmarks = rma_benchmarks,
                        .blanks_in_head = true,
                        .blank_after_type = false};

constexpr Part io_part{.name = "imb-io",
                       .title = "MPI-IO part",
                       .benchmarks = io_benchmarks,
                       .size_name = "chunk_byte",
                       .size_words = "io portion",
                       .files = true,
                       .types_shown = false};

constexpr Part nbc_part{
    .name = "imb-nbc", .title = "MPI-NBC part", .benchmarks = nbc_benchmarks, .started = true};

constexpr Part mpi4_part{.name = "imb-mpi4",
                         .title = "MPI-4 part",
                         .benchmarks = mpi4_benchmarks,
                         .blanks_in_head = true,
                         .blank_after_type = false,
                         .started = true};

constexpr Part p2p_part{.name = "imb-p2p",
                        .title = "IMB-P2P part",
                        .benchmarks = p2p_benchmarks,
                        .types_shown = false,
                        .later_only = true};

constexpr Part mt_part{.name = "imb-mt",
                       .title = "MT part",
                       .benchmarks = mt_benchmarks,
                       .types_shown = false,
                       .later_only = true,
                       .rule_width = 78};

constexpr Part own_mpi4_part{.name = "mpi4",
                             .title = "MPI-4 part, steelyard's own",
                             .benchmarks = own_mpi4_benchmarks,
                             .started = true};

constexpr const Part* all_parts[] = {&mpi1_part, &ext_part, &io_part, &nbc_part,     &mpi4_part,
                                     &rma_part,  &p2p_part, &mt_part, &own_mpi4_part};

}  // namespace

const Part& mpi1() {
  return mpi1_part;
}

const Part& ext() {
  return ext_part;
}

const Part& rma() {
  return rma_part;
}

const Part& io() {
  return io_part;
}

const Part& nbc() {
  return nbc_part;
}

const Part& mpi4() {
  return mpi4_part;
}

const Part& p2p() {
  return p2p_part;
}

const Part& mt() {
  return mt_part;
}

const Part& own_mpi4() {
  return own_mpi4_part;
}

std::span<const Part* const> parts() {
  return all_parts;
}

}  // namespace steelyard::imb
