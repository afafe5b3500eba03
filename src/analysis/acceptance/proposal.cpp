// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "analysis/acceptance/judge.hpp"
#include "analysis/acceptance/limits.hpp"
#include "analysis/balance/merits.hpp"
#include "units/text.hpp"

namespace steelyard::acceptance {
namespace {

constexpr double level = 0.95, spreads_away = 3, least_distance = 0.05;
constexpr double large_spread = 0.1;  // a limit behind three of them says little

/// Launches that the file asks for: as many as the reference has, three at most.
std::size_t asked_for(std::size_t launches) {
  return std::min<std::size_t>(3, launches);
}

/// A string of TOML.
std::string toml_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

/// Words on one line, for a comment: words of a record may hold anything.
std::string one_line(std::string words) {
  std::ranges::replace_if(
      words, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return words;
}

/// Three digits, rounded to the side on which the reference itself passes.
double rounded_away(double value, bool up) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  return unit * (up ? std::ceil(value / unit) : std::floor(value / unit));
}

std::string id_of(std::string name) {
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

/// How far in ln the limit lies from the reference: its launches and those that will be judged scatter, and the interval
/// of these has to stay on the good side; so has the reference's own.
double distance_of(const Item& item, const Estimate& found, std::size_t min_launches) {
  const double later = half_of_launches(item, found, level, min_launches);
  const Reach reach = reach_of(found);
  return std::max({least_distance, spreads_away * seen_spread(item) + later,
                   item.lower_is_better ? reach.above : reach.below});
}

std::string entry(const std::string& id, const std::string& what, const Item& item, const Estimate& found,
                  std::size_t min_launches) {
  const double seen = seen_spread(item);
  const double distance = distance_of(item, found, min_launches);
  const double limit = rounded_away(
      item.lower_is_better ? found.value * std::exp(distance) : found.value * std::exp(-distance),
      item.lower_is_better);
  const std::string spread = found.launches > 1
                                 ? "spread of launches " + units::format_significant(100 * seen, 2) + " %"
                                 : "single launch, spread of 2 % assumed";
  return "\n[[criterion]]\nid = " + toml_text(id) + "\n# reference " +
         units::format_amount(found.value, item.unit, 4) + ", " + units::counted(found.launches, "launch") +
         ", " + spread + '\n' + (item.doubt.empty() ? "" : "# in doubt: " + one_line(item.doubt) + '\n') +
         (seen > large_spread
              ? "# the launches differ so much that this limit says little: measure on a quiet machine\n"
              : "") +
         what + (item.lower_is_better ? "at_most = " : "at_least = ") +
         toml_text(units::format_amount(limit, item.unit, 3)) + '\n';
}

std::string head(std::span<const Launch> launches) {
  const auto& run = launches.front().run.head;
  const std::string machine = run.name.empty() ? launches.front().system.name : run.name;
  return "# Proposed from " + launches.front().source +
         (launches.size() > 1 ? " and " + units::counted(launches.size() - 1, "more launch") : "") +
         ": limits lie three spreads of its launches and the interval\n# of as many as min_launches away, 5 % at least. Read each before it goes into a contract.\n"
         "format = 1\ntitle = " +
         toml_text("As " + machine + " was measured " + run.started_utc.substr(0, 10)) +
         "\nconfidence = \"95%\"\nmin_launches = " + std::to_string(asked_for(launches.size())) +
         "\n\n[require]\n" +
         (run.name.empty() || launches.front().foreign ? "" : "machine = " + toml_text(run.name) + "\n") +
         (run.nodes > 0 ? "nodes = " + std::to_string(run.nodes) + '\n' : std::string()) +
         "processes = " + std::to_string(run.processes) + '\n';
}

}  // namespace

std::string proposal(std::span<const Launch> launches, const std::vector<std::string>& select_words) {
  std::vector<const Launch*> all;
  for (const Launch& launch : launches) all.push_back(&launch);
  std::string out = head(launches);
  const auto add = [&](const Criterion& criterion, const std::string& what) {
    const Selection selection = select(criterion, all);
    const std::size_t before = out.size();
    for (const Item& item : selection.items) {
      if (item.readings.empty() || item.wrong) continue;
      const Estimate found = estimate(item, Combine::median, level, pool_of(criterion, item, selection, all));
      const bool is_figure = !criterion.figure.empty();
      out += entry(is_figure ? id_of(item.name) : item.name,
                   is_figure ? what : "select = " + toml_text(item.name) + '\n', item, found,
                   asked_for(all.size()));
    }
    return out.size() > before;
  };
  for (const auto& figure : balance::merit_figures()) {
    Criterion criterion;
    criterion.figure = figure.key;
    add(criterion, "text = " + toml_text(std::string(figure.title)) +
                       "\nfigure = " + toml_text(criterion.figure) + '\n');
  }
  for (const std::string& words : select_words) {
    Criterion criterion;
    criterion.select = words;
    criterion.place = "--select " + words;
    if (!add(criterion, {}))
      throw BadCriteria(criterion.place + ": the reference has no value of such a point");
  }
  return out;
}

}  // namespace steelyard::acceptance
