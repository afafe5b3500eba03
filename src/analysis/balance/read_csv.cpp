// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <stdexcept>

#include "analysis/balance/balance.hpp"
#include "units/text.hpp"

namespace steelyard::balance {
namespace {

constexpr std::string_view beginning =
    "system,source,run_type,nodes,processes,threads,hpl_flop_s,ratio,value,unit,flags";
// Columns of that line.
namespace column {
enum : std::size_t {
  name,
  source,
  run_type,
  nodes,
  processes,
  threads,
  hpl,
  ratio,
  value,
  unit,
  flags,
  least
};
}

using Fields = std::vector<std::string>;

/// RFC 4180: quoted fields may hold separators, line ends and doubled quotes.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  [[nodiscard]] bool more() const { return at_ < text_.size(); }
  Fields next() {
    Fields fields(1);
    bool quoted = false;
    for (; more(); ++at_) {
      const char c = text_[at_];
      if (c == '"' && quoted && text_.substr(at_ + 1).starts_with('"')) {
        fields.back() += text_[++at_];
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        fields.emplace_back();
      } else if (c == '\n' && !quoted) {
        ++at_;
        break;
      } else if (c != '\r' || quoted) {
        fields.back() += c;
      }
    }
    return fields;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<double> number(const std::string& field) {
  if (field.empty()) return std::nullopt;
  return units::parse_number(field);
}

/// Values that shared memory, the page cache or a failed verification made are no reference.
bool counts(const Fields& line) {
  constexpr std::array<std::string_view, 3> left_out = {"V1", "V8", "V15"};
  const std::string list = '+' + line[column::flags] + '+';
  return std::ranges::none_of(left_out, [&](std::string_view one) {
    return list.find('+' + std::string(one) + '+') != std::string::npos;
  });
}

System head(const Fields& line) {
  System system;
  system.name = system.curve = line[column::name];
  system.source = line[column::source];
  system.run_type = line[column::run_type];
  system.inputs.set(Quantity::nodes, number(line[column::nodes]));
  system.inputs.set(Quantity::processes, number(line[column::processes]));
  system.inputs.set(Quantity::threads_per_process, number(line[column::threads]));
  system.inputs.set(Quantity::hpl_flop_s, number(line[column::hpl]));
  return system;
}

bool continues(const System& system, const Fields& line) {
  return system.name == line[column::name] && system.source == line[column::source] &&
         system.inputs.get(Quantity::processes) == number(line[column::processes]) &&
         system.inputs.get(Quantity::threads_per_process) == number(line[column::threads]);
}

void add(const Fields& line, std::vector<System>& list) {
  if (line.size() < column::least) throw std::invalid_argument("a line of the balance has too few fields");
  if (list.empty() || !continues(list.back(), line)) list.push_back(head(line));
  const auto held = number(line[column::value]);
  if (held && counts(line)) list.back().told_ratios[line[column::ratio]] = *held;
}

}  // namespace

bool is_balance_csv(std::string_view text) {
  return text.starts_with(beginning);
}

std::vector<System> systems_of_csv(std::string_view text) {
  if (!is_balance_csv(text)) throw std::invalid_argument("not the CSV form of a balance");
  Lines lines(text);
  static_cast<void>(lines.next());
  std::vector<System> list;
  try {
    while (lines.more())
      if (const Fields line = lines.next(); line != Fields{""}) add(line, list);
  } catch (const units::ParseError& error) {
    throw std::invalid_argument(std::string("balance: ") + error.what());
  }
  return list;
}

}  // namespace steelyard::balance
