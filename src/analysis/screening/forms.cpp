// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "analysis/screening/screening.hpp"
#include "record/json.hpp"
#include "stats/compare.hpp"
#include "stats/order.hpp"
#include "suites/screen/quantities.hpp"
#include "units/amount.hpp"
#include "units/text.hpp"

namespace steelyard::screening {
namespace {

/// "lion017" = lion, 017
struct NumberedName {
  std::string before, digits;
};

constexpr std::size_t most_digits = 15;

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Slurm takes nothing behind a bracket, so only a number at the end is one; not that of an address or in a domain.
NumberedName parts_of(const std::string& name) {
  std::size_t begin = name.size();
  if (name.find('.') == std::string::npos)
    while (begin > 0 && is_digit(name[begin - 1]) && name.size() - begin < most_digits) --begin;
  return {name.substr(0, begin), name.substr(begin)};
}

std::string padded(std::uint64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width > digits.size() ? width - digits.size() : 0, '0') + digits;
}

std::string joined_ranges(const std::vector<std::uint64_t>& numbers, std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + padded(numbers[i], width);
    if (last > i) text += "-" + padded(numbers[last], width);
    i = last + 1;
  }
  return text;
}

bool is_number(const std::string& word) {
  return std::ranges::all_of(word, is_digit);
}

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using record::Json;

std::string padded_to(std::string word, std::size_t width) {
  if (word.size() < width) word.append(width - word.size(), ' ');
  return word;
}

std::string head_line(const Screening& screening) {
  const auto& measured = screening.measured;
  const std::string what =
      measured.nodes.empty() ? "their links" : units::counted(measured.nodes.size(), "test");
  return units::counted(measured.hosts.size(), "node") + ", " + what + ", " +
         units::counted(measured.visits, "visit") +
         (measured.alone ? ", one node after the other" : ", all at once");
}

std::string value_words(double value, std::string_view unit) {
  if (unit == "s") return units::format_amount(value, unit, 3);
  constexpr std::pair<double, const char*> scales[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1, " "}};
  for (const auto& [scale, prefix] : scales)
    if (value >= scale || scale == 1)
      return units::format_fixed(value / scale, 2) + prefix + std::string(unit);
  return "";
}

bool is_of_pairs(const std::string& name) {
  const auto* what = screen::quantity(name);
  return what != nullptr && what->of_pairs;
}

/// Sizes and medians of two groups.
std::string sizes_and_medians(const std::vector<std::pair<std::size_t, double>>& groups,
                              std::string_view between, std::string_view unit) {
  std::string words;
  for (const auto& [size, median] : groups)
    words +=
        (words.empty() ? "" : ", ") + std::to_string(size) + std::string(between) + value_words(median, unit);
  return words;
}

/// The nodes of the worse of two groups as a list of hosts; empty if there are not two.
std::string worse_group(const Overview& one, const Screening& screening) {
  std::vector<std::string> names;
  for (const std::size_t host : one.members[1]) names.push_back(screening.measured.hosts[host]);
  return names.empty() ? "" : hostlist(std::move(names));
}

/// ", too few to compare" of a kind of nodes that are too few.
std::string few_words(std::size_t count) {
  return count < stats::fewest_alike ? ", too few to compare" : "";
}

/// "two groups: 28 at 10.00 Gbyte/s, 92 at 5.00 Gbyte/s" of links; empty if they are not of two groups.
std::string link_group_words(const Overview& one) {
  if (one.link_groups.empty()) return "";
  return "two groups: " + sizes_and_medians(one.link_groups, " at ", one.unit);
}

std::string overview_line(const Overview& one, const Screening& screening) {
  std::string line = "  " + padded_to(one.quantity, 14) + padded_to(value_words(one.median, one.unit), 18);
  line += "median of " + units::counted(one.count, is_of_pairs(one.quantity) ? "link" : "node");
  line += one.judged ? ", limit " + units::format_fixed(one.limit_percent, 1) + " %"
                     : ", too few to say that one stands out";
  if (!one.groups.empty())
    line += (is_of_pairs(one.quantity) ? "; nodes of two groups: " : "; two groups: ") +
            group_words(one, screening);
  if (!one.link_groups.empty()) line += "; links of " + link_group_words(one);
  for (std::size_t k = 0; k < one.kinds.size(); ++k)
    line += (k > 0 ? ", " : "; apart: ") + units::counted(one.kinds[k].count, "node") + " of " +
            (one.kinds[k].processor.empty() ? "an unknown processor" : one.kinds[k].processor) + " at " +
            value_words(one.kinds[k].median, one.unit) + few_words(one.kinds[k].count);
  for (const auto& of : one.classes)
    line += (&of == &one.classes.front() ? "; " : ", ") + class_words(of.level, one.classes.size()) + ' ' +
            std::to_string(of.count) + " at " + value_words(of.median, one.unit);
  return line + '\n';
}

constexpr std::size_t most_lines = 40;

std::string finding_lines(const Screening& screening) {
  std::string text;
  std::size_t width = 0;
  for (const auto& one : screening.findings) width = std::max(width, who(one, screening).size());
  for (std::size_t k = 0; k < std::min(screening.findings.size(), most_lines); ++k) {
    const auto& one = screening.findings[k];
    text += "  " + padded_to(who(one, screening), width + 2) +
            padded_to(std::string(screening::text(one.verdict)), 10) + sentence(one) + '\n';
  }
  if (screening.findings.size() > most_lines)
    text += "  and " + std::to_string(screening.findings.size() - most_lines) + " more\n";
  return text;
}

/// "3 of them not compared: too few nodes"; "in two groups by triad": what an ok does not say.
std::string reservations(const Screening& screening) {
  std::string words, groups;
  if (const std::size_t count = screening.not_compared(); count > 0)
    words = std::to_string(count) + " of them not compared: too few of their kind, and no reference";
  for (const auto& one : screening.overviews)
    if (!one.groups.empty()) groups += (groups.empty() ? "in two groups by " : ", ") + one.quantity;
  return words + (words.empty() || groups.empty() ? "" : "; ") + groups;
}

std::string counts_line(const Screening& screening) {
  std::string line;
  const auto add = [&](std::string_view word, Verdict verdict) {
    if (const auto names = screening.names({verdict}); !names.empty())
      line += (line.empty() ? "" : "   ") + std::string(word) + ": " + hostlist(names);
  };
  add("Slow", Verdict::slow);
  if (const auto n = screening.links(Verdict::slow); n > 0)
    line += (line.empty() ? "" : "   ") + std::string("slow links: ") + std::to_string(n);
  add("Wrong", Verdict::wrong);
  add("Missing", Verdict::missing);
  add("Unstable", Verdict::unstable);
  add("Fast", Verdict::fast);
  line += (line.empty() ? "" : "   ") + std::string("ok: ") + std::to_string(screening.count(Verdict::ok));
  if (const std::string words = reservations(screening); !words.empty()) line += ", " + words;
  return line + '\n';
}

std::string drain_line(const Screening& screening) {
  const auto names = screening.names({Verdict::slow, Verdict::wrong, Verdict::missing});
  if (names.empty() || names.size() == screening.hosts.size()) return "";
  return "scontrol update nodename=" + nodes_to_drain(screening) + " state=drain reason=\"steelyard" +
         (screening.measured.run.empty() ? "" : " " + screening.measured.run) +
         "\"     (a suggestion, not executed)\n";
}

Section findings_section(const Screening& screening) {
  Section section =
      analysis::table_section("screen_findings", "Nodes and links that are not like the others");
  section.text.push_back(head_line(screening) + ".");
  section.table.columns = {{"who", "node or link", "", ColumnKind::text},
                           {"quantity", "quantity", "", ColumnKind::text},
                           {"verdict", "verdict", "", ColumnKind::text},
                           {"percent", "beside the usual", "percent", ColumnKind::number},
                           {"limit_percent", "limit", "percent", ColumnKind::number},
                           {"again_percent", "measured again", "percent", ColumnKind::number},
                           {"note", "", "", ColumnKind::text}};
  for (const auto& one : screening.findings) {
    const auto shown = [](std::optional<double> value) {
      Cell cell(value);
      cell.decimals = 1;
      return cell;
    };
    section.table.rows.push_back(
        {who(one, screening), one.quantity, std::string(text(one.verdict)), shown(one.percent),
         shown(one.limit_percent > 0 ? std::optional(one.limit_percent) : std::nullopt),
         shown(one.again_percent), one.note});
  }
  if (screening.findings.empty()) section.text.emplace_back("None.");
  if (const std::string words = reservations(screening); !words.empty())
    section.text.push_back(units::counted(screening.count(Verdict::ok), "node is", "nodes are") + " ok, " +
                           words + '.');
  for (const auto& doubt : screening.measured.doubts) section.notes.push_back(doubt);
  return section;
}

Section tests_section(const Screening& screening) {
  Section section = analysis::table_section("screen_tests", "What was compared");
  section.table.columns = {{"quantity", "quantity", "", ColumnKind::text},
                           {"count", "nodes or links", "", ColumnKind::number},
                           {"median_words", "median", "", ColumnKind::text, analysis::Audience::readers},
                           {"median", "median", "", ColumnKind::number, analysis::Audience::programs},
                           {"unit", "unit", "", ColumnKind::text, analysis::Audience::programs},
                           {"limit_percent", "limit", "percent", ColumnKind::number},
                           {"groups", "groups", "", ColumnKind::text}};
  for (const auto& one : screening.overviews) {
    std::string groups =
        one.link_groups.empty() ? group_words(one, screening) : "links of " + link_group_words(one);
    for (const auto& kind : one.kinds)
      groups += (groups.empty() ? "" : ", ") + kind.processor + ": " + std::to_string(kind.count) + " at " +
                value_words(kind.median, one.unit) + few_words(kind.count);
    for (const auto& of : one.classes)
      groups += (groups.empty() ? "" : ", ") + class_words(of.level, one.classes.size()) + ": " +
                std::to_string(of.count) + " at " + value_words(of.median, one.unit);
    Cell limit(one.judged ? std::optional(one.limit_percent) : std::nullopt);
    limit.decimals = 1;
    section.table.rows.push_back({one.quantity, static_cast<std::int64_t>(one.count),
                                  value_words(one.median, one.unit), one.median, one.unit, limit, groups});
  }
  return section;
}

Json or_null(std::optional<double> value) {
  return value ? Json(*value) : Json();
}

std::string event_code(const Finding& finding) {
  if (finding.verdict == Verdict::wrong) return "wrong_data_node";
  return finding.other ? "slow_link" : "slow_node";
}

// Links as a picture of letters.

constexpr std::size_t most_rows = 32;
constexpr char not_measured = ' ', usual = '.', beyond = 'o', half = '#';

/// Letter for a link by its ratio to the median of its class.
char letter_of(double ratio, bool lower_is_better, double limit_percent) {
  constexpr double half_rate = 0.55;
  if ((lower_is_better ? 1 / ratio : ratio) <= half_rate) return half;
  const double worse = lower_is_better ? ratio - 1 : 1 - ratio;
  return 100 * worse > limit_percent ? beyond : usual;
}

/// Medians of the classes of pairs.
std::map<std::size_t, double> class_medians(const LinkTest& test) {
  std::map<std::size_t, std::vector<double>> values;
  for (const auto& link : test.links)
    for (const double value : link.visits)
      if (value > 0) values[link.kind].push_back(value);
  std::map<std::size_t, double> medians;
  for (auto& [kind, all] : values) medians[kind] = stats::median(std::move(all));
  return medians;
}

/// Square of letters with a block of hosts per row and column; hosts of a switch stand together.
class LinkMap {
 public:
  explicit LinkMap(const Measured& measured)
      : measured_(measured),
        block_((measured.hosts.size() + most_rows - 1) / most_rows),
        order_(measured.hosts.size()),
        place_(measured.hosts.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (measured.switches.size() == order_.size())
      std::ranges::stable_sort(order_, {}, [&](std::size_t host) { return measured.switches[host]; });
    for (std::size_t place = 0; place < order_.size(); ++place) place_[order_[place]] = place;
    const std::size_t rows = (order_.size() + block_ - 1) / block_;
    rows_.assign(rows, std::string(rows, not_measured));
  }
  /// Draws a link that was named slow as such, also where it is by what its ends let expect, or by a reference.
  void draw(const Finding& named) {
    if (named.other && named.verdict == Verdict::slow)
      put(place_[named.host] / block_, place_[*named.other] / block_, beyond);
  }
  void draw(const LinkTest& test, double limit_percent) {
    const auto medians = class_medians(test);
    const bool lower = screen::quantity(test.name)->lower_is_better;
    for (const auto& link : test.links) {
      std::vector<double> known;
      std::ranges::copy_if(link.visits, std::back_inserter(known), [](double value) { return value > 0; });
      if (known.empty()) continue;
      const double ratio = stats::median(known) / medians.at(link.kind);
      put(place_[link.a] / block_, place_[link.b] / block_, letter_of(ratio, lower, limit_percent));
    }
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const std::size_t host = order_[row * block_];
      text += "    " + rows_[row] + "  " + measured_.hosts[host];
      if (host < measured_.switches.size() && !measured_.switches[host].empty())
        text += "  at " + measured_.switches[host];
      text += '\n';
    }
    return text;
  }
  [[nodiscard]] std::size_t block() const { return block_; }

 private:
  /// Draws a letter; of two in one place the worse stays.
  void put(std::size_t a, std::size_t b, char letter) {
    constexpr std::string_view order{" .o#"};
    for (char* place : {&rows_[a][b], &rows_[b][a]})
      if (order.find(letter) > order.find(*place)) *place = letter;
  }
  const Measured& measured_;
  std::size_t block_;
  std::vector<std::size_t> order_, place_;  // host at a place, place of a host
  std::vector<std::string> rows_;
};

}  // namespace

std::vector<std::string> node_names(const std::vector<std::string>& hosts) {
  std::vector<std::string> names;
  for (const std::string& host : hosts) names.push_back(host.substr(0, host.find('.')));
  const bool all_differ = std::set(names.begin(), names.end()).size() == names.size();
  // An address has no name in front.
  return all_differ && std::ranges::none_of(names, is_number) ? names : hosts;
}

std::string hostlist(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  // Numbers with zeros in front have a width; without, every width is that of one family.
  struct Family {
    std::size_t width = 0;
    std::vector<std::uint64_t> numbers;
  };
  std::map<std::pair<std::string, std::size_t>, Family> families;
  std::vector<std::string> words;
  for (const std::string& name : names) {
    const auto [before, digits] = parts_of(name);
    if (digits.empty()) {
      words.push_back(name);
      continue;
    }
    const std::size_t width = digits.size() > 1 && digits.front() == '0' ? digits.size() : 0;
    // 017 and 912 are of one width where any of that width has a zero in front.
    auto padded_family = families.find({before, digits.size()});
    auto& family = width == 0 && padded_family == families.end() ? families[{before, 0}]
                                                                 : families[{before, digits.size()}];
    family.width = std::max(family.width, width);
    family.numbers.push_back(std::stoull(digits));
  }
  for (auto& [name, family] : families) {
    std::ranges::sort(family.numbers);
    const std::string ranges = joined_ranges(family.numbers, family.width);
    const bool one = family.numbers.size() == 1;
    words.push_back(name.first + (one ? ranges : "[" + ranges + "]"));
  }
  return units::joined(words, ",");
}

std::string link_map(const Screening& screening) {
  const auto& measured = screening.measured;
  const bool told = std::ranges::any_of(screening.findings, [](const Finding& one) {
    return is_of_pairs(one.quantity) && (one.verdict == Verdict::slow || one.verdict == Verdict::unstable);
  });
  if (!told) return "";
  LinkMap map(measured);
  std::string limits;
  for (const auto& test : measured.links) {
    const auto overview = std::ranges::find(screening.overviews, test.name, &Overview::quantity);
    if (overview == screening.overviews.end()) continue;
    map.draw(test, overview->limit_percent);
    limits += (limits.empty() ? "" : ", ") + test.name + " " +
              units::format_fixed(overview->limit_percent, 0) + " %";
  }
  for (const auto& one : screening.findings) map.draw(one);
  return "  links of " +
         (map.block() > 1 ? "blocks of " + std::to_string(map.block()) + " hosts, the worst of each"
                          : std::string("every host with every other")) +
         ": . usual, o slow or off by more than the limit (" + limits + "), # half or less\n" + map.text();
}

std::string who(const Finding& finding, const Screening& screening) {
  const auto& hosts = screening.measured.hosts;
  return hosts[finding.host] + (finding.other ? " - " + hosts[*finding.other] : "");
}

std::string nodes_to_drain(const Screening& screening) {
  const auto names = node_names(screening.measured.hosts);
  std::vector<std::string> found;
  for (std::size_t host = 0; host < screening.hosts.size(); ++host)
    if (const Verdict is = screening.hosts[host];
        is == Verdict::slow || is == Verdict::wrong || is == Verdict::missing)
      found.push_back(names[host]);
  return hostlist(std::move(found));
}

std::string group_words(const Overview& one, const Screening& screening) {
  const std::string worse = worse_group(one, screening);
  return sizes_and_medians(one.groups, is_of_pairs(one.quantity) ? " with links of " : " at ", one.unit) +
         (one.groups_differ.empty() ? "" : "; " + one.groups_differ) +
         (worse.empty() ? "" : "; the worse: " + worse);
}

std::string signed_percent(double percent) {
  return (percent < 0 ? "" : "+") + units::format_fixed(percent, 1) + " %";
}

std::string sentence(const Finding& finding) {
  std::string line = padded_to(finding.quantity, 14);
  if (finding.percent) line += padded_to(signed_percent(*finding.percent), 10);
  if (finding.again_percent) line += "again " + padded_to(signed_percent(*finding.again_percent), 10);
  line += finding.note;
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string report(const Screening& screening) {
  std::string text = "Screening: " + head_line(screening) + '\n';
  for (const auto& one : screening.overviews) text += overview_line(one, screening);
  if (const auto& rounds = screening.measured.round_byte_s; rounds.size() >= 2)
    text += "  all links of a round together: " + value_words(rounds[0], "byte/s") + " at least, " +
            value_words(rounds[1], "byte/s") + " in the median\n";
  text += finding_lines(screening) + link_map(screening) + counts_line(screening) + drain_line(screening);
  for (const auto& doubt : screening.measured.doubts) text += "note: " + doubt + '\n';
  return text;
}

analysis::Tables tables(const Screening& screening) {
  return {findings_section(screening), tests_section(screening)};
}

record::Json document(const Screening& screening) {
  Json findings = Json::array(), tests = Json::array(), counts = Json::object();
  for (const auto& one : screening.findings) {
    Json finding{{"host", screening.measured.hosts[one.host]},
                 {"quantity", one.quantity},
                 {"verdict", std::string(text(one.verdict))},
                 {"percent", or_null(one.percent)},
                 {"limit_percent", one.limit_percent},
                 {"again_percent", or_null(one.again_percent)},
                 {"note", one.note}};
    finding["other"] = one.other ? Json(screening.measured.hosts[*one.other]) : Json();
    findings.push_back(std::move(finding));
  }
  for (const auto& one : screening.overviews) {
    Json groups = Json::array();
    for (const auto& [size, median] : one.groups)
      groups.push_back(Json::object({{"nodes", static_cast<std::int64_t>(size)}, {"median", median}}));
    Json link_groups = Json::array();
    for (const auto& [size, median] : one.link_groups)
      link_groups.push_back(Json::object({{"links", static_cast<std::int64_t>(size)}, {"median", median}}));
    Json classes = Json::array();
    for (const auto& of : one.classes)
      classes.push_back(Json::object({{"level", static_cast<std::int64_t>(of.level)},
                                      {"links", static_cast<std::int64_t>(of.count)},
                                      {"median", of.median}}));
    tests.push_back(Json::object({{"quantity", one.quantity},
                                  {"unit", one.unit},
                                  {"count", static_cast<std::int64_t>(one.count)},
                                  {"median", one.median},
                                  {"limit_percent", one.judged ? Json(one.limit_percent) : Json()},
                                  {"groups", std::move(groups)},
                                  {"worse_group", worse_group(one, screening)},
                                  {"link_groups", std::move(link_groups)},
                                  {"classes", std::move(classes)}}));
  }
  Json link_counts = Json::object();  // of links that are ok there are no findings
  for (const auto& [word, verdict] : verdict_words) {
    counts[word] = static_cast<std::int64_t>(screening.count(verdict));
    if (verdict != Verdict::ok) link_counts[word] = static_cast<std::int64_t>(screening.links(verdict));
  }
  Json all = Json::object();
  all["nodes"] = static_cast<std::int64_t>(screening.measured.hosts.size());
  all["visits"] = static_cast<std::int64_t>(screening.measured.visits);
  all["alone"] = screening.measured.alone;
  all["counts"] = std::move(counts);
  all["link_counts"] = std::move(link_counts);
  all["slow_links"] = static_cast<std::int64_t>(screening.links(Verdict::slow));
  all["not_compared"] = static_cast<std::int64_t>(screening.not_compared());
  all["hostlist"] = nodes_to_drain(screening);
  all["findings"] = std::move(findings);
  all["tests"] = std::move(tests);
  all["doubts"] = screening.measured.doubts;
  return all;
}

record::TableRecord verdicts(const Screening& screening) {
  Json columns = Json::object();
  const char* names[] = {"host",    "other",         "quantity",      "verdict",
                         "percent", "limit_percent", "again_percent", "note"};
  for (const char* name : names) columns[name] = Json::array();
  for (const auto& one : screening.findings) {
    columns["host"].push_back(static_cast<std::int64_t>(one.host));
    columns["other"].push_back(one.other ? Json(static_cast<std::int64_t>(*one.other)) : Json());
    columns["quantity"].push_back(one.quantity);
    columns["verdict"].push_back(std::string(text(one.verdict)));
    columns["percent"].push_back(or_null(one.percent));
    columns["limit_percent"].push_back(one.limit_percent);
    columns["again_percent"].push_back(or_null(one.again_percent));
    columns["note"].push_back(one.note);
  }
  return {std::string(screen::verdict_table), std::string(screen::suite_name), {}, 1, 1, columns};
}

std::vector<record::EventRecord> events(const Screening& screening) {
  std::vector<record::EventRecord> list;
  for (const auto& one : screening.findings) {
    if (one.verdict != Verdict::slow && one.verdict != Verdict::wrong) continue;
    list.push_back({one.verdict == Verdict::wrong ? record::Severity::error : record::Severity::warning,
                    event_code(one),
                    who(one, screening) + ": " + std::string(text(one.verdict)) + ", " + sentence(one)});
  }
  for (const auto& one : screening.overviews) {
    if (!one.groups.empty())
      list.push_back({record::Severity::warning, "two_groups",
                      "nodes are of two groups in " + one.quantity + ": " + group_words(one, screening)});
    if (!one.link_groups.empty())
      list.push_back({record::Severity::warning, "two_groups",
                      "links are of " + link_group_words(one) + " in " + one.quantity});
  }
  return list;
}

record::SummaryRecord summary(const Screening& screening) {
  record::SummaryRecord record;
  record.name = std::string(screen::suite_name);
  record.suite = std::string(screen::suite_name);
  record.classic.emplace_back("nodes", static_cast<std::int64_t>(screening.measured.hosts.size()));
  record.classic.emplace_back("visits", static_cast<std::int64_t>(screening.measured.visits));
  for (const auto& [word, verdict] : verdict_words)
    record.classic.emplace_back(std::string(word) + "_nodes",
                                static_cast<std::int64_t>(screening.count(verdict)));
  record.classic.emplace_back("slow_links", static_cast<std::int64_t>(screening.links(Verdict::slow)));
  for (const auto& one : screening.overviews) {
    record.classic.emplace_back(one.quantity + "_median", one.median);
    if (one.judged) record.classic.emplace_back(one.quantity + "_limit_percent", one.limit_percent);
  }
  const auto& rounds = screening.measured.round_byte_s;
  if (rounds.size() >= 2) {
    record.classic.emplace_back("bisection_least_byte_s", rounds[0]);
    record.classic.emplace_back("bisection_median_byte_s", rounds[1]);
    if (rounds.size() >= 3) record.classic.emplace_back("bisection_most_byte_s", rounds[2]);
  }
  record.classic.emplace_back("hostlist", nodes_to_drain(screening));
  record.verified = std::ranges::none_of(screening.findings,
                                         [](const Finding& one) { return one.verdict == Verdict::wrong; });
  return record;
}

}  // namespace steelyard::screening
