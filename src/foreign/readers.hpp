// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "foreign/foreign.hpp"
#include "foreign/piece.hpp"
#include "record/value.hpp"

/// Readers, one for each family of programs: the pieces of one block. What a line cannot tell is left
/// unknown, what it tells wrongly becomes a remark or a failed point with its line. Each throws Refusal if
/// nothing in a block can be read. Internal to this folder.
namespace steelyard::foreign {

using Reader = void (*)(const Block& block, const Description& told, Pieces& pieces);

void read_imb(const Block& block, const Description& told, Pieces& pieces);
void read_osu(const Block& block, const Description& told, Pieces& pieces);
void read_hpl(const Block& block, const Description& told, Pieces& pieces);
/// Reads points of the section of HPL, and the figures of every complete Summary.
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

/// Reads the rows of HPL in some lines, of whatever program.
void read_hpl_rows(std::span<const Line> lines, Piece& piece, int minutes_before_utc);

// From pieces to runs.

/// Adds runs in the order of the text; a key that repeats begins another one. Pieces whose number of
/// processes is unknown are added to the refused ones. Throws Contradiction.
void add_runs(Pieces pieces, const Source& source, const Description& told, Reading& reading);

}  // namespace steelyard::foreign
