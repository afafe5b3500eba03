// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "foreign/foreign.hpp"
#include "foreign/piece.hpp"

/// A reader for each family of programs: the pieces of one block. What a line cannot tell is left unknown, what
/// it tells wrongly becomes a remark or a failed point with its line. Each throws Refusal where a block has nothing that
/// can be read. Of this room alone.
namespace steelyard::foreign {

using Reader = void (*)(const Block& block, const Description& told, Pieces& pieces);

void read_imb(const Block& block, const Description& told, Pieces& pieces);
void read_osu(const Block& block, const Description& told, Pieces& pieces);
void read_hpl(const Block& block, const Description& told, Pieces& pieces);
/// Points of the section of HPL, and of every complete Summary the figures.
void read_hpcc(const Block& block, const Description& told, Pieces& pieces);
void read_stream(const Block& block, const Description& told, Pieces& pieces);
void read_babelstream(const Block& block, const Description& told, Pieces& pieces);
void read_ior(const Block& block, const Description& told, Pieces& pieces);
void read_mdtest(const Block& block, const Description& told, Pieces& pieces);
void read_fio(const Block& block, const Description& told, Pieces& pieces);
void read_beff(const Block& block, const Description& told, Pieces& pieces);
void read_beffio(const Block& block, const Description& told, Pieces& pieces);
void read_hpcg(const Block& block, const Description& told, Pieces& pieces);
void read_graph500(const Block& block, const Description& told, Pieces& pieces);
void read_nccl(const Block& block, const Description& told, Pieces& pieces);

/// The rows of HPL in some lines, of whatever program.
void read_hpl_rows(std::span<const Line> lines, Piece& piece);

// What becomes of the pieces.

/// Runs in the order of the text; a key that repeats begins another one. Pieces whose number of processes nobody tells
/// are added to those that were refused. Throws Contradiction.
void add_runs(Pieces pieces, const Source& source, const Description& told, Reading& reading);

}  // namespace steelyard::foreign
