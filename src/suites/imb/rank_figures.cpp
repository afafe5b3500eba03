// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/rank_figures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "stats/splitmix.hpp"

namespace steelyard::imb {
namespace {

constexpr std::uint64_t part_seed = 20260520;

/// Equally likely numbers from 0 to below 1, the same on every machine.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    state_ += stats::splitmix_step;
    return static_cast<double>(stats::splitmix_number(state_) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

// A third of the noise as deviation; a piece does not become shorter.
double normal(Uniform& uniform) {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return std::max(0.0, radius * std::cos(2 * std::numbers::pi * uniform()) / 3);
}

}  // namespace

void OwnTimes::add_operation(double longest_s, double last_s) noexcept {
  if (samples_.empty()) return;
  ++samples_.back().computed;
  samples_.back().pieces_s += longest_s;
  samples_.back().lasts_s += last_s;
}

void OwnTimes::set_own(std::uint64_t operations, double seconds) noexcept {
  if (samples_.empty() || operations == 0) return;
  samples_.back().counts = true;
  samples_.back().figures.own_s = seconds / static_cast<double>(operations);
}

void OwnTimes::set_request(double making_s, double freeing_s) noexcept {
  making_s_ = making_s;
  freeing_s_ = freeing_s;
}

OwnFigures OwnTimes::Sample::whole() const {
  OwnFigures result = figures;
  if (computed == 0) return result;
  result.piece_s = pieces_s / static_cast<double>(computed);
  result.last_s = lasts_s / static_cast<double>(computed);
  return result;
}

OwnFigures OwnTimes::completed(OwnFigures figures) const {
  figures.making_s = making_s_;
  figures.freeing_s = freeing_s_;
  figures.exchanged = exchanged_ ? 1 : 0;
  figures.crowded = crowded_ ? 1 : 0;
  return figures;
}

OwnFigures OwnTimes::median() const {
  const bool all = std::ranges::none_of(samples_, &Sample::counts);
  const auto over_samples = [this, all](double OwnFigures::*figure) {
    std::vector<std::pair<double, std::uint64_t>> values;
    for (const Sample& sample : samples_)
      if (all || sample.counts) values.emplace_back(sample.whole().*figure, sample.operations);
    return weighted_median(std::move(values));
  };
  OwnFigures figures;
  for (const auto figure :
       {&OwnFigures::own_s, &OwnFigures::other_s, &OwnFigures::piece_s, &OwnFigures::bare_s,
        &OwnFigures::answer_s, &OwnFigures::last_s, &OwnFigures::early_share})
    figures.*figure = over_samples(figure);
  return completed(figures);
}

std::optional<std::int64_t> break_even(double request_s, double plain_s, double started_s) {
  // A hair above a whole number is that number: the quotient of two decimals.
  constexpr double hair = 1e-9;
  if (!(plain_s > started_s)) return std::nullopt;
  const double executions = request_s / (plain_s - started_s);
  if (!(executions < 1e15)) return std::nullopt;
  return static_cast<std::int64_t>(std::ceil(executions * (1 - hair)));
}

double saving_percent(double plain_s, double persistent_s) {
  return plain_s > 0 ? 100 * (plain_s - persistent_s) / plain_s : 0;
}

std::optional<double> availability(double left_s, double message_s) {
  if (!(message_s > 0)) return std::nullopt;
  return 1 - left_s / message_s;
}

std::optional<double> perceived_bandwidth(double bytes, double left_s) {
  if (!(left_s > 0)) return std::nullopt;
  return bytes / left_s;
}

double early_share(std::vector<Travel> travels, double join_s) {
  std::ranges::sort(travels, {}, &Travel::from_s);
  double all = 0, early = 0, reached = travels.empty() ? 0 : travels.front().from_s;
  for (const auto& [from, until] : travels) {
    const double begin = std::max(from, reached);
    if (until <= begin) continue;
    all += until - begin;
    early += std::max(0.0, std::min(until, join_s) - begin);
    reached = until;
  }
  return all > 0 ? early / all : 0;
}

double products_of_piece(double message_s, int threads, int pieces, double products_in_a_second) {
  return message_s * threads / pieces * products_in_a_second;
}

std::vector<double> piece_noise(const Settings& settings, int pieces, std::uint64_t repetition) {
  std::vector<double> noise(static_cast<std::size_t>(pieces));
  Uniform uniform(settings.seed + part_seed + repetition * static_cast<std::uint64_t>(pieces));
  switch (settings.noise_model) {
    case NoiseModel::single: noise.front() = settings.noise; break;
    case NoiseModel::uniform:
      for (double& one : noise) one = settings.noise * uniform();
      break;
    case NoiseModel::gauss:
      for (double& one : noise) one = settings.noise * normal(uniform);
      break;
  }
  return noise;
}

std::vector<int> part_order(PartOrder order, int parts) {
  std::vector<int> result(static_cast<std::size_t>(parts));
  std::iota(result.begin(), result.end(), 0);
  if (order == PartOrder::backward) std::ranges::reverse(result);
  if (order != PartOrder::random) return result;
  Uniform uniform(part_seed);
  for (std::size_t i = result.size(); i > 1; --i)
    std::swap(result[i - 1], result[static_cast<std::size_t>(uniform() * static_cast<double>(i))]);
  return result;
}

bool has_overlap_figures(const Definition& definition) {
  return definition.with_computation;
}

bool has_own_figures(const Definition& definition) {
  return definition.comparison != Comparison::none || definition.partitions;
}

std::vector<double> figures_of_rank(const Definition& definition, const OverlapFigures& overlap,
                                    const OwnFigures& own) {
  std::vector<double> figures;
  if (has_overlap_figures(definition)) figures = overlap.values();
  if (!has_own_figures(definition)) return figures;
  const auto values = own.values();
  figures.insert(figures.end(), values.begin(), values.end());
  return figures;
}

RankFigures::RankFigures(const Definition& definition, const std::vector<double>& figures)
    : figures_(&figures),
      overlap_(has_overlap_figures(definition) ? OverlapFigures::count : 0),
      own_(has_own_figures(definition) ? OwnFigures::count : 0) {}

int RankFigures::ranks() const noexcept {
  const auto of_one = overlap_ + own_;
  return of_one == 0 ? 0 : static_cast<int>(figures_->size() / of_one);
}

}  // namespace steelyard::imb
