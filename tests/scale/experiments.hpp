// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/scale/words.hpp"

/// What the simulated program can do. Collective over the world; rank 0 prints lines "name value".
namespace steelyard::scale {

/// b_eff. Words: polygons, repetitions, loop_s, longest, seed, method (Sndrcv, non-blk, both).
void effective_bandwidth(const Words& words);
/// A benchmark of a part of IMB on all processes. Words: part (imb-mpi1, imb-p2p), benchmark, size, operations.
void transfers(const Words& words);
/// The engine alone: messages and memory of its points. Words: schedule (fixed, adaptive), operations,
/// planted (gather).
void engine(const Words& words);
/// A screening whose nodes are the processes: rates of 1 % spread are made up, links are the machine's. Words: visits,
/// pairs (all, sample), rounds, pings, exchange_byte, slow (a node at 80 %), seed.
void screening(const Words& words);

}  // namespace steelyard::scale
