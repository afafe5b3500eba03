// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "units/quantity.hpp"

/// Definition of the IMB suites: catalogues, process numbers, groups, sizes, repetitions, memory, throughput.
/// Pure. Source: IMB 3.1 User's Guide, sections as noted, and, under Version::v2021, the later releases;
/// docs/suites/imb-mpi1.md and its neighbours list the differences.
namespace steelyard::imb {

enum class Version { v31, v2021 };
[[nodiscard]] std::string_view text(Version version);  // "3.1", "2021"

enum class Class {
  single_transfer,
  parallel_transfer,
  collective,
  sync,
  message_rate,
  multiple_passive,  // the first process works on all others: X counts once for each of them
  single_element,    // a single transfer of one element, the only size
  pattern,           // all processes, as imb-p2p has them
  threads            // several of every process
};

/// Layout of a table of the text output. Letters as in docs/suites/imb-mpi1.md, "Tables".
enum class Table { a, b, c, d, e, f, g, h, patterns, bands, j, j_unsized, k, l };

/// Memory that one side needs, in max(X, 4) bytes: constant, times Q, ...
enum class Side { none, one, two, four, six, sections, per_rank, reduce_scatter_piece, window, portion };

/// Completion of transfers: after all of a sample, or after each. Every operation of a benchmark without
/// modes is complete when it returns [4.2.2.2].
enum class Mode { none, aggregate, non_aggregate };
[[nodiscard]] std::string_view text(Mode mode);  // "", "aggregate", "non_aggregate"

/// Modes of a benchmark. `only_aggregate`: one way of measuring, which the text calls AGGREGATE.
enum class Modes { none, both, only_aggregate };

/// Places of transfers through a window that are complete together: sections of their own on both sides (3.1;
/// later releases leave that out), one place but for what they bring back, or one place.
enum class Together { sections, results, one_place };

/// Operation that is measured in the same row to compare a benchmark with: the same messages without
/// requests that were made before, the blocking collective, one message in place of parts, messages to
/// the same neighbours.
enum class Comparison { none, messages, collective, whole_message, halo };

/// Functions of the MPI library that a benchmark needs and not every library has.
enum class Family { usual, persistent_collectives, partitioned, persistent_neighbours };

/// Sizes 2^low .. 2^high byte, each 2^step times as large as the one before; with 0 in front unless
/// the user forbids it.
struct SizeSteps {
  int low = 0, high = 22, step = 1;
  bool zero = true;
};

/// Bound of the repetitions: MSGSPERSAMPLE (in non-aggregate mode MSGS_NONAGGR), or MSGS_NONAGGR always.
enum class Bound { of_mode, non_aggregate };

struct Definition {
  std::string_view name;
  Class kind = Class::collective;
  std::string_view classification = {};  // in words, where `kind` does not say it
  bool in_seed = true;                   // default set under 3.1
  bool in_2021 = true;                   // default set under 2021
  bool reduction = false;                // element = reduction type, sizes in its steps
  bool rooted = false;                   // root i mod Q under 3.1
  bool one_sided = false;                // through a window: aggregate transfers have a section each
  bool passive = false;                  // one-sided, and its targets make no call that belongs to it
  bool mutual = false;                   // passive: every process works on others, not the first one alone
  Together together = Together::sections;
  bool completed_at_end = false;  // without modes, but all repetitions are complete together
  int team = 2;                   // processes of a single transfer
  int fewest = 1;                 // processes of the others
  bool integers = false;          // element = int, whatever types were chosen
  bool pairs = false;             // pattern: rank r and rank r + Q / 2, Q even; threads: with a partner
  bool random_pairs = false;      // pattern: pairs are drawn
  int dimensions = 0;             // pattern: a grid of so many
  std::int64_t step = 1;          // sizes are multiples of it, whatever the element
  Modes modes = Modes::none;
  Bound bound = Bound::of_mode;
  Side send = Side::one;
  Side receive = Side::one;
  int messages = 0;                 // counted messages: 1 PingPong, 2 Sendrecv, 4 Exchange; 0 = no throughput
  double time_divisor = 1;          // PingPong: 2
  std::optional<Table> table = {};  // where the class does not say it
  bool shows_defects = true;        // has the column with results checking
  bool overlapped = false;          // transfers beside a computation, whose time bounds the repetitions
  bool with_computation = false;    // started, computed beside, waited for; before, as often without
  bool rows_at_once = false;        // all repetitions are one operation of other schedules, whatever the mode
  Family family = Family::usual;
  Comparison comparison = Comparison::none;
  bool partitions = false;                    // messages in parts: a row for each number of them
  bool neighbours = false;                    // in a Cartesian topology
  std::optional<SizeSteps> usual_sizes = {};  // where the user names none and the suite's are not meant
  std::int64_t most_repetitions = 0;          // whatever the user asks for; 0: as many as that
  std::string_view remarks = {};              // lines below its name in lists, told apart by line ends
  std::string_view source = {};
};

/// Program of IMB.
struct Part {
  std::string_view name;                           // of the suite: "imb-mpi1"
  std::string_view title;                          // in the first line of the text: "MPI-1 part"
  std::span<const Definition> benchmarks;          // in the order of the definition
  bool blanks_in_head = false;                     // at the ends of some lines
  bool blank_after_type = true;                    // if so, also at the end of that of reductions
  std::string_view size_name = "message_byte";     // parameter of a point
  std::string_view size_words = "message length";  // in the text's head
  bool files = false;                              // its sessions make files
  bool started = false;                            // its operations are started and waited for
  bool types_shown = true;                         // in the text's head
  bool later_only = false;                         // never existed under the rules of 3.1
  int rule_width = 0;                              // of all tables of the text; 0: as wide as their rows
};
[[nodiscard]] const Part& mpi1();
[[nodiscard]] const Part& io();
[[nodiscard]] const Part& ext();
[[nodiscard]] const Part& nbc();
[[nodiscard]] const Part& mpi4();
[[nodiscard]] const Part& rma();
[[nodiscard]] const Part& p2p();
[[nodiscard]] const Part& mt();
[[nodiscard]] const Part& own_mpi4();
/// All parts, in the order in which suites are listed.
[[nodiscard]] std::span<const Part* const> parts();
/// Part of the suite of this name; nullptr if it is none of IMB's.
[[nodiscard]] const Part* find_part(std::string_view suite);

/// Benchmark of this name in any case; nullptr if there is none.
[[nodiscard]] const Definition* find(const Part& part, std::string_view name);
/// Names of the default set.
[[nodiscard]] std::vector<std::string> default_set(const Part& part, Version version);

/// 1 Mbyte of the throughput column: 2^20 (3.1) or 10^6 (2021).
[[nodiscard]] double mbyte(Version version);

/// Kind of table for a class, and for a definition, under -multi (nullopt: without; 0, 1).
[[nodiscard]] Table table_of(Class kind, std::optional<int> multi);
[[nodiscard]] Table table_of(const Definition& definition, std::optional<int> multi);

/// Process numbers Q = m, 2m, 4m, ... while < P, then P; m > P counts as P [5.1.2.2].
[[nodiscard]] std::vector<int> process_series(int world, int npmin);
/// Whether so many processes form the pairs or the grid of a pattern, which needs two of them at least.
[[nodiscard]] bool possible(const Definition& definition, int processes);
/// Process numbers of one benchmark: single transfer 2, message rate even numbers, never fewer than it needs;
/// empty if P is too small.
[[nodiscard]] std::vector<int> process_series(const Definition& definition, int world, int npmin);

/// World rank of each new rank under -map p x q: world rank i + j p gets new rank i q + j [5.1.2.10].
[[nodiscard]] std::vector<int> rank_order(int p, int q);
/// World ranks of each of the floor(P / Q) groups, or of the one group without -multi [3.2].
[[nodiscard]] std::vector<std::vector<int>> groups(int world, int processes, bool multi,
                                                   std::span<const int> rank_order);

struct SizeRule {
  int low_exponent = 0, high_exponent = 22;  // -msglog
  bool zero = true;                          // -zero_size
  std::optional<std::vector<Bytes>> listed;  // -msglen, -msgsize: given order, repeated ones kept
};
/// Sizes of a benchmark whose element has `unit` bytes [5.2.1]; listed sizes are rounded up
/// to a multiple of it.
[[nodiscard]] std::vector<Bytes> sizes(const SizeRule& rule, std::int64_t unit);

/// Sizes of a benchmark that has its own, with 0 in front where it begins with 0 and `zero` allows it.
[[nodiscard]] std::vector<Bytes> sizes(const SizeSteps& steps, bool zero);

struct IterationRule {
  std::int64_t per_sample = 1000;        // MSGSPERSAMPLE
  Bytes volume{std::int64_t{40} << 20};  // OVERALL_VOL
  std::int64_t non_aggregate = 100;      // MSGS_NONAGGR
  bool nearest = false;                  // IMB-P2P: V / X rounded, and warm-up is a tenth
};
/// Number of repetitions n = max(1, min(R, V div X)), R for X = 0 [5.2.8].
[[nodiscard]] std::uint64_t repetitions(const IterationRule& rule, Bytes size);
/// Rule whose R is the bound of a benchmark in a mode.
[[nodiscard]] IterationRule bounded(const IterationRule& rule, const Definition& definition, Mode mode);
/// Number of repetitions by `multiple_np`: a multiple of Q, S = largest default size.
[[nodiscard]] std::uint64_t repetitions_multiple_np(std::int64_t per_sample, Bytes size, Bytes largest,
                                                    int processes);

/// Bytes of the windows of Uniband and Biband up to which each receive has a section of its own.
inline constexpr Bytes separate_receives_limit{std::int64_t{64} << 20};

/// The product of a count and bytes, or `most` where it is larger.
[[nodiscard]] constexpr std::int64_t at_most(std::int64_t most, std::int64_t count, std::int64_t bytes) {
  return count > 0 && bytes > most / count ? most : count * bytes;
}
/// Bytes for records: at most 2^62.
[[nodiscard]] constexpr std::int64_t countable(std::int64_t count, std::int64_t bytes) {
  return at_most(std::int64_t{1} << 62, count, bytes);
}
/// Bytes of memory for plans: no process can address 2^50, so that what would be more is left out for it.
[[nodiscard]] constexpr std::int64_t in_memory(std::int64_t count, std::int64_t bytes) {
  return at_most(std::int64_t{1} << 50, count, bytes);
}

/// Send and receive bytes of one process for size X without cache avoidance [Table 20]; `unit` is the
/// element's size.
struct BufferNeed {
  std::int64_t send = 0, receive = 0;
};
[[nodiscard]] BufferNeed buffer_need(const Definition& definition, Version version, Bytes size, int processes,
                                     int window, std::int64_t unit = 4);

/// Elements of a vector of `elements` that rank i of Q keeps in Reduce_scatter: floor(L / Q) +
/// (1 if i < L mod Q).
[[nodiscard]] constexpr std::int64_t reduce_scatter_share(std::int64_t elements, int processes, int rank) {
  return elements / processes + (rank < elements % processes ? 1 : 0);
}

/// Bytes that the throughput counts for one repetition: nmsg X, for message rates nmsg (Q / 2) W X,
/// for several targets nmsg (Q - 1) X, for patterns what all processes send in the time that is told;
/// 0 if none are counted.
[[nodiscard]] std::int64_t counted_byte(const Definition& definition, Bytes size, int processes, int window);

/// Messages of one repetition: nmsg (Q / 2) W for a message rate benchmark, nmsg Q over the divisor of its
/// time for a pattern; 0 for other classes.
[[nodiscard]] std::int64_t counted_messages(const Definition& definition, int processes, int window);

}  // namespace steelyard::imb
