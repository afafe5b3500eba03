// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/gathered.hpp"

#include "analysis/parallel.hpp"

namespace steelyard::history {
namespace {

constexpr std::uint32_t series_at_once = 256;  // their newest cells stay in the first-level cache

std::uint32_t entry_in(const LaunchValue& cell) {
  return cell.entry;
}

}  // namespace

Gatherer::Gatherer(std::vector<RunColumns>& runs, const std::vector<std::size_t>& entry_of, const Keys& keys,
                   const std::vector<Entry>& entries, const std::vector<bool>& wanted)
    : runs_(runs),
      entry_of_(entry_of),
      entries_(entries),
      wanted_(wanted),
      continued_(keys, runs),
      keys_(keys.size()) {}

std::vector<Gathered> Gatherer::gather() {
  find_layouts();
  const auto count = static_cast<std::uint32_t>(gathered_.size());
  analysis::share_work((count + series_at_once - 1) / series_at_once, [&](std::size_t i, std::size_t) {
    const auto first = static_cast<std::uint32_t>(i) * series_at_once;
    take_series(first, std::min(first + series_at_once, count));
  });
  for (RunColumns& run : runs_) run.columns = {};
  return std::move(gathered_);
}

/// Finds the layout of each run. Most runs are as the one before; others may take turns.
void Gatherer::find_layouts() {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const std::size_t context = context_of(entries_[entry_of_[i]].context);
    std::size_t place = layouts_.size();
    while (place > 0 && !(layouts_[place - 1].context == context && fits(layouts_[place - 1], runs_[i])))
      --place;
    if (place == 0) {
      layouts_.push_back(layout_of(runs_[i], context));
      place = layouts_.size();
    }
    layout_of_run_.push_back(place - 1);
    ++layouts_[place - 1].runs;
  }
}

std::size_t Gatherer::context_of(const std::string& words) {
  const auto [found, is_new] = contexts_.try_emplace(words, contexts_.size());
  if (is_new) place_of_.emplace_back(keys_, 0U);
  return found->second;
}

bool Gatherer::fits(const Layout& layout, const RunColumns& run) {
  return layout.of_import == !run.head.imported.empty() &&
         std::ranges::equal(layout.keys, run.columns, {}, {}, [](const Column& one) { return one.key; });
}

Gatherer::Layout Gatherer::layout_of(const RunColumns& run, std::size_t context) {
  Layout layout;
  layout.context = context;
  layout.of_import = !run.head.imported.empty();
  for (const Column& recorded : run.columns) {
    layout.keys.push_back(recorded.key);
    if (!wanted_[recorded.key]) continue;
    const std::uint32_t key = continued_.in_definition(recorded).key;
    auto& place = place_of_[context][key];
    if (place == 0) {
      gathered_.push_back({key, context, recorded.lower_is_better, continued_.statistic(key),
                           LaunchValues(run.columns.get_allocator())});
      place = static_cast<std::uint32_t>(gathered_.size());
    }
    layout.places.emplace_back(place - 1, static_cast<std::uint32_t>(layout.keys.size() - 1));
  }
  std::ranges::sort(layout.places);
  return layout;
}

void Gatherer::reserve(std::uint32_t first, std::uint32_t last) {
  std::vector<std::size_t> counts(last - first);
  for (const Layout& layout : layouts_)
    each_place(layout, first, last,
               [&](std::uint32_t series, std::uint32_t) { counts[series - first] += layout.runs; });
  for (std::uint32_t series = first; series < last; ++series)
    gathered_[series].cells.reserve(counts[series - first]);
}

void Gatherer::take_series(std::uint32_t first, std::uint32_t last) {
  reserve(first, last);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    each_place(layouts_[layout_of_run_[i]], first, last, [&](std::uint32_t series, std::uint32_t place) {
      gathered_[series].cells.emplace_back(entry_of_[i], continued_.in_definition(runs_[i].columns[place]));
    });
  }
  for (std::uint32_t series = first; series < last; ++series)  // an entry's launches may lie apart
    if (auto& cells = gathered_[series].cells; !std::ranges::is_sorted(cells, {}, entry_in))
      std::ranges::stable_sort(cells, {}, entry_in);
}

}  // namespace steelyard::history
