// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "foreign/imb.hpp"
#include "foreign/text.hpp"

namespace steelyard::foreign {
namespace {

/// Words that change no key, with one dash; of the types the head tells.
constexpr std::string_view harmless[] = {"-npmin",
                                         "-time",
                                         "-mem",
                                         "-msglen",
                                         "-input",
                                         "-iter",
                                         "-iter_policy",
                                         "-msglog",
                                         "-warm_up",
                                         "-include",
                                         "-exclude",
                                         "-list",
                                         "-zero_size",
                                         "-imb_barrier",
                                         "-msg_pause",
                                         "-dumpfile",
                                         "-show_tail",
                                         "-check",
                                         "-help",
                                         "-file_name",
                                         "-window",
                                         "-o",
                                         "-f",
                                         "-out",
                                         "-label",
                                         "-imb-version",
                                         "-threads",
                                         "-count",
                                         "-repeat",
                                         "-warmup",
                                         "-malloc_align",
                                         "-noheader",
                                         "-n-warmup",
                                         "-n-barr",
                                         "-hint",
                                         "-io-dir",
                                         "-file-name",
                                         "-msgsize",
                                         "-mem_alloc_type",
                                         "-msgsz",
                                         "-pause",
                                         "-partitions",
                                         "-aggregate_mode",
                                         "-l",
                                         "-launch",
                                         "-n",
                                         "-launcher",
                                         "-allow-root",
                                         "-deadline",
                                         "-progress",
                                         "-q",
                                         "-quiet",
                                         "-v",
                                         "-verbose",
                                         "-V",
                                         "-version",
                                         "-h",
                                         "-target-cpu-secs",
                                         "-data_type",
                                         "-red_data_type"};

bool yes(std::string_view word) {
  return word == "1" || word == "on" || word == "enable" || word == "yes" || word == "true";
}

/// Place of a word in a list; its length if it is not there.
std::size_t place(std::string_view word, std::span<const std::string_view> list) {
  return static_cast<std::size_t>(std::ranges::find(list, word) - list.begin());
}

template <class T>
bool take_whole(std::string_view word, T& to) {
  const auto number = whole(word);
  if (!number || !std::in_range<T>(*number)) return false;
  to = static_cast<T>(*number);
  return true;
}

/// Takes the member of an enumeration whose members stand in the order of the list.
template <class T>
bool take_of(std::string_view word, std::span<const std::string_view> list, T& to) {
  const std::size_t at = place(word, list);
  if (at < list.size()) to = static_cast<T>(at);
  return at < list.size();
}

bool take_multi(std::string_view word, imb::Settings& to) {
  if (word != "0" && word != "1") return false;
  to.multi = word == "1" ? 1 : 0;
  return true;
}

bool take_map(std::string_view word, imb::Settings& to) {
  const auto sides = pair_at(word, 'x');
  const auto p = sides ? count(sides->first) : std::nullopt, q = sides ? count(sides->second) : std::nullopt;
  if (p && q) to.map = std::pair(*p, *q);
  return p && q;
}

/// Type of the elements of IMB-MT, which its head does not say.
bool take_datatype(std::string_view word, imb::Settings& to) {
  if (word != "int" && word != "char") return false;
  to.data_type = to.reduction_type = word == "int" ? imb::DataType::integer : imb::DataType::character;
  return true;
}

bool take_contiguous_type(std::string_view word, imb::Settings& to) {
  constexpr std::string_view types[] = {"base", "base_vec", "resize", "resize_vec"};
  return take_of(word, types, to.contiguous_type);
}

bool take_gap(std::string_view word, imb::Settings& to) {
  constexpr std::string_view barriers[] = {"on", "off", "special"};
  return take_of(word, barriers, to.gap);
}

bool take_allocation(std::string_view word, imb::Settings& to) {
  constexpr std::string_view allocations[] = {"serial", "continuous", "parallel"};
  return take_of(word, allocations, to.allocation);
}

bool take_noise(std::string_view word, imb::Settings& to) {
  const auto percent = number(word);
  if (percent) to.noise = percent->value * 0.01;
  return percent.has_value();
}

/// Reads "2" dimensions or the sides "3x2".
bool take_cart(std::string_view word, imb::Settings& to) {
  std::vector<int> sides;
  for (std::string_view rest = word; !rest.empty();) {
    const std::size_t end = std::min(rest.find('x'), rest.size());
    const auto side = count(rest.substr(0, end));
    if (!side) return false;
    sides.push_back(*side);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (sides.empty()) return false;
  to.cart = sides.size() == 1 ? imb::Cart{sides[0], {}} : imb::Cart{static_cast<int>(sides.size()), sides};
  return true;
}

constexpr int most_window = 1'000'000;

/// A word that changes a parameter of keys; `read` returns false for a value that it cannot read.
struct KeyWord {
  std::string_view word, parameter;
  bool (*read)(std::string_view value, imb::Settings& to);
};
constexpr KeyWord key_words[] = {
    {"-multi", "group", take_multi},
    {"-map", "map", take_map},
    {"-sync", "sync", [](std::string_view v, imb::Settings& to) { return to.sync = yes(v), true; }},
    {"-root_shift", "root",
     [](std::string_view v, imb::Settings& to) { return to.root_shift = yes(v), true; }},
    {"-off_cache", "off_cache_byte", [](std::string_view, imb::Settings&) { return false; }},
    {"-contig_type", "contiguous_type", take_contiguous_type},
    {"-window_size", "window",
     [](std::string_view v, imb::Settings& to) {
       return take_whole(v, to.window) && to.window <= most_window;
     }},
    {"-progress-calls", "progress_calls",
     [](std::string_view v, imb::Settings& to) { return take_whole(v, to.progress_calls); }},
    {"-outstanding", "outstanding",
     [](std::string_view v, imb::Settings& to) { return take_whole(v, to.outstanding.emplace()); }},
    {"-balance-overlap", "computation",
     [](std::string_view, imb::Settings& to) { return to.balance_overlap = true; }},
    {"-dropcache", "cache", [](std::string_view, imb::Settings& to) { return to.drop_cache = true; }},
    {"-seed", "seed", [](std::string_view v, imb::Settings& to) { return take_whole(v, to.seed); }},
    {"-msgwr", "msgwr", [](std::string_view v, imb::Settings& to) { return to.writes = yes(v), true; }},
    {"-msgrd", "msgrd", [](std::string_view v, imb::Settings& to) { return to.reads = yes(v), true; }},
    {"-stride", "stride", [](std::string_view v, imb::Settings& to) { return take_whole(v, to.stride); }},
    {"-datatype", "type", take_datatype},
    {"-barrier", "barrier", take_gap},
    {"-malloc_algo", "malloc_algo", take_allocation},
    {"-thread_level", "pready_by",  // of messages in parts alone
     [](std::string_view v, imb::Settings& to) { return to.part_threads = v == "multiple", true; }},
    {"-pready", "pready",
     [](std::string_view v, imb::Settings& to) { return take_of(v, imb::part_orders, to.part_order); }},
    {"-pready_call", "pready_call",
     [](std::string_view v, imb::Settings& to) { return take_of(v, imb::part_calls, to.part_call); }},
    {"-noise", "noise", take_noise},
    {"-noise_model", "noise_model",
     [](std::string_view v, imb::Settings& to) { return take_of(v, imb::noise_models, to.noise_model); }},
    {"-cart", "cart", take_cart}};

/// Name of an option with one dash: "-out" of "--out" and of "--out=d"; empty for other words.
std::string_view option_name(std::string_view word) {
  if (!word.starts_with("-") || number(word)) return {};
  if (word.starts_with("--")) word.remove_prefix(1);
  return word.substr(0, word.find('='));
}

}  // namespace

ImbCall imb_call(const std::vector<std::string_view>& words, imb::Settings defaults) {
  ImbCall call{std::move(defaults), {}, true};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view name = option_name(words[i]);
    if (name.empty() || std::ranges::find(harmless, name) != std::end(harmless)) continue;
    const auto joined = pair_at(words[i], '=');
    const std::string_view next = i + 1 < words.size() ? words[i + 1] : std::string_view();
    const auto known = std::ranges::find(key_words, name, &KeyWord::word);
    if (known == std::end(key_words))
      call.unknown.insert(call.unknown.end(), {"sync", "root", "off_cache_byte", "map"});
    else if (!known->read(joined ? joined->second : next, call.settings))
      call.unknown.emplace_back(known->parameter);
    call.allocation_said |= name == "-malloc_algo";
  }
  if (std::ranges::find(call.unknown, "off_cache_byte") != call.unknown.end())
    call.unknown.emplace_back("off_cache_line_byte");
  std::ranges::sort(call.unknown);
  call.unknown.erase(std::unique(call.unknown.begin(), call.unknown.end()), call.unknown.end());
  return call;
}

}  // namespace steelyard::foreign
