// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/record.hpp"

#include "record/codec.hpp"

namespace steelyard::beff {
namespace {

using record::held;
using Figures = LoopFigures;

constexpr record::Codec repetitions(held("repetition", &Figures::repetition));
constexpr record::Codec figures_of_pattern(held("pattern_name", &Figures::pattern_name),
                                           held("set", &Figures::set), held("slots", &Figures::slots),
                                           held("messages", &Figures::messages),
                                           held("used", &Figures::used));
constexpr record::Codec figures_of_loops(held("looplength", &Figures::looplength),
                                         held("repeats_s", &Figures::repeats_s),
                                         held("min_byte_s", &Figures::min_byte_s),
                                         held("avg_byte_s", &Figures::avg_byte_s),
                                         held("max_byte_s", &Figures::max_byte_s),
                                         held("best_s", &Figures::best_s),
                                         held("bandwidth_byte_s", &Figures::bandwidth_byte_s));

}  // namespace

void put_figures(const LoopFigures& figures, record::PointRecord& record) {
  figures_of_pattern.write(figures, record.classic);
  repetitions.write(figures, record.classic);
  figures_of_loops.write(figures, record.classic);
}

LoopFigures figures_of(const record::PointRecord& point) {
  LoopFigures figures;
  figures_of_pattern.read(point, figures);
  repetitions.read(point, figures);
  figures_of_loops.read(point, figures);
  return figures;
}

bool has_figures(const record::PointRecord& point) {
  LoopFigures figures;
  repetitions.read(point, figures);
  return measured(point) && !figures.repetition.empty();
}

}  // namespace steelyard::beff
