// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/solver_progress.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "units/text.hpp"

namespace steelyard::hpcc {
namespace {

using hpl::Phase;
using hpl::Span;

constexpr int told_processes = 16;

std::string with_zeros(std::int64_t number, std::size_t digits) {
  const auto word = std::to_string(number);
  return std::string(digits - std::min(digits, word.size()), '0') + word;
}

/// The number with three decimals and an exponent, in every locale.
std::string scientific(double value) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, 3).ptr;
  return {text.data(), end};
}

/// Progress in the words of the published solver's line.
std::string words(const hpl::Variant& variant, std::int64_t columns, double seconds) {
  const auto n = static_cast<double>(variant.n), done = static_cast<double>(columns);
  const double share = hpl::done_share(variant.n, columns);
  const double gflops = seconds > 0 ? 2 * n * n * n * share / (3 * seconds * 1e9) : 0;
  return hpl::tv_code(variant) + " Column=" + with_zeros(columns, 9) +
         " Fraction=" + units::format_fixed(100 * done / n, 1) + "% Gflops=" + scientific(gflops);
}

std::string packed(const std::vector<Span>& spans) {
  std::string bytes(spans.size() * sizeof(Span), '\0');
  if (!spans.empty()) std::memcpy(bytes.data(), spans.data(), bytes.size());
  return bytes;
}

std::vector<Span> unpacked(const std::string& bytes) {
  std::vector<Span> spans(bytes.size() / sizeof(Span));
  if (!spans.empty()) std::memcpy(spans.data(), bytes.data(), spans.size() * sizeof(Span));
  return spans;
}

struct DetailFigure {
  const char* name;
  Phase phase;
};
constexpr std::array detail_figures = {
    DetailFigure{"detail_rfact_s", Phase::eliminate},   DetailFigure{"detail_pfact_s", Phase::columns},
    DetailFigure{"detail_mxswp_s", Phase::pivot},       DetailFigure{"detail_update_s", Phase::update},
    DetailFigure{"detail_laswp_s", Phase::interchange}, DetailFigure{"detail_solve_s", Phase::solve},
    DetailFigure{"detail_multiply_s", Phase::multiply}, DetailFigure{"detail_wait_s", Phase::wait},
    DetailFigure{"detail_uptrsv_s", Phase::substitute}};

}  // namespace

void Advance::look(std::int64_t columns) {
  now_s_ = MPI_Wtime();
  if (columns == 0) start_s_ = now_s_;
  columns_ = columns;
}

std::optional<suites::BlockProgress> Advance::stage(const hpl::Variant& variant) const {
  if (!columns_) return std::nullopt;
  return suites::BlockProgress{hpl::done_share(variant.n, *columns_),
                               words(variant, *columns_, now_s_ - start_s_)};
}

std::int64_t told_iteration(const hpl::Variant& variant) {
  return variant.nb > 0 ? (variant.n + variant.nb - 1) / variant.nb / 3 : 0;
}

Phases::Phases(const mpi::Communicator& world, const hpl::Timeline* own) {
  for (const auto& [name, phase] : detail_figures)
    longest_s_.push_back(world.max(own != nullptr ? own->seconds(phase) : 0));
  looks_ = world.sum(own != nullptr ? own->looks.all : 0);
  between_slices_ = world.sum(own != nullptr ? own->looks.between_slices : 0);
  const bool tells = own != nullptr && world.rank() < told_processes;
  const auto all = world.gather(tells ? packed(own->spans()) : std::string());
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (const auto& span : unpacked(all[rank])) {
      rank_.push_back(static_cast<double>(rank));
      phase_.push_back(static_cast<double>(span.phase));
      panel_.push_back(static_cast<double>(span.panel));
      begin_s_.push_back(span.begin_s);
      end_s_.push_back(span.end_s);
    }
}

void Phases::put_detail(const std::optional<hpl::SolveParts>& expected, record::PointRecord& record) const {
  for (std::size_t i = 0; i < detail_figures.size(); ++i)
    record.classic.emplace_back(detail_figures[i].name, longest_s_[i]);
  record.classic.emplace_back("detail_looks", looks_);
  record.classic.emplace_back("detail_looks_between_slices", between_slices_);
  if (!expected) return;
  const auto& parts = *expected;
  const auto put = [&](const char* name, double s) { record.classic.emplace_back(name, s); };
  put("expected_s", parts.all_s);
  put("expected_rfact_s", parts.panels_s + parts.pivots_s);
  put("expected_mxswp_s", parts.pivots_s);
  put("expected_update_s", parts.interchange_s + parts.solve_s + parts.multiply_s);
  put("expected_laswp_s", parts.interchange_s);
  put("expected_solve_s", parts.solve_s);
  put("expected_multiply_s", parts.multiply_s);
  put("expected_wait_s", parts.wait_s);
  put("expected_uptrsv_s", parts.substitute_s);
}

void Phases::put_timeline(record::PointRecord& record) const {
  record.classic.emplace_back("timeline_rank", rank_);
  record.classic.emplace_back("timeline_phase", phase_);
  record.classic.emplace_back("timeline_panel", panel_);
  record.classic.emplace_back("timeline_begin_s", begin_s_);
  record.classic.emplace_back("timeline_end_s", end_s_);
}

}  // namespace steelyard::hpcc
