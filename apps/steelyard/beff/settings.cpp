// SPDX-License-Identifier: Apache-2.0
#include "beff/words.hpp"
#include "errors.hpp"
#include "units/prefixes.hpp"
#include "units/text.hpp"
#include "words/checks.hpp"

namespace steelyard::cli {
namespace {

using prefix::giga;

// Either schedule, both, or neither; what a single option says comes after them.
beff::Settings schedule(const Values& values) {
  beff::Settings settings;
  if (values.on("short")) settings = beff::shortened(settings);
  if (!values.on("test")) return settings;
  const std::string mark = settings.mark.empty() ? "" : settings.mark + "&";
  settings = beff::tested(settings);
  settings.mark.insert(0, mark);
  return settings;
}

void set_control(const Values& values, beff::Settings& settings) {
  if (const auto n = values.count("reps")) settings.repetitions = static_cast<int>(*n);
  if (const auto time = values.duration("looptime")) settings.loop_time_s = time->value();
  if (const auto limit = values.duration("lasttwo")) settings.last_two_limit_s = limit->value();
  settings.shorten_last_two = !values.on("noshortlasttwo");
}

beff::Method method(std::string_view word) {
  const bool alltoall = word == "alltoallv" || word == beff::text(beff::Method::alltoallv);
  return alltoall ? beff::Method::alltoallv : beff::Method::nonblocking;
}

// The table's spelling of words that were checked before; each once.
template <class Add>
void for_each_choice(const Values& values, std::string_view name, Add add) {
  const Group* const end = beff_options().data() + beff_options().size();
  for (const Group* group = beff_options().data(); group != end; ++group)
    for (const Option& option : group->options)
      if (option.name == name)
        for (const std::string& word : values.list(name)) add(units::parse_word(word, words_of(option)));
}

template <class T>
void add_once(std::vector<T>& list, T one) {
  if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(std::move(one));
}

}  // namespace

beff::Settings beff_settings(const Values& values, std::int64_t found_mebibyte) {
  beff::Settings settings = schedule(values);
  set_control(values, settings);
  settings.memory_mebibyte = values.count("mem").value_or(found_mebibyte);
  settings.longest = values.size("lmax");
  settings.seed = static_cast<std::uint64_t>(*values.count("seed"));
  if (const auto word = values.word("rmax")) settings.rmax_flop_s = parse_positive(*word) * giga;
  for_each_choice(values, "nomethod",
                  [&](const std::string& word) { add_once(settings.without_methods, method(word)); });
  for_each_choice(values, "nopattern",
                  [&](const std::string& word) { add_once(settings.without_patterns, word); });
  return settings;
}

std::filesystem::path beff_prefix(const Values& values) {
  const auto bare = values.word("result");
  if (!bare) return parse_prefix(values.need("prefix"));
  if (values.said("prefix"))
    throw UsageError("'" + *bare + "': -f has named the files '" + values.need("prefix") + "' already");
  try {
    return parse_prefix(*bare);
  } catch (const units::ParseError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace steelyard::cli
