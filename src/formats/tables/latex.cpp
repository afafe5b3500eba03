// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "formats/tables/tables.hpp"
#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::formats {
namespace {

using Escape = std::pair<char, std::string_view>;
constexpr auto escapes = std::to_array<Escape>({{'#', "\\#"},
                                                {'_', "\\_"},
                                                {'%', "\\%"},
                                                {'&', "\\&"},
                                                {'$', "\\$"},
                                                {'{', "\\{"},
                                                {'}', "\\}"},
                                                {'~', "\\textasciitilde{}"},
                                                {'^', "\\textasciicircum{}"},
                                                {'\\', "\\textbackslash{}"},
                                                {'<', "\\textless{}"},
                                                {'>', "\\textgreater{}"},
                                                {'|', "\\textbar{}"},
                                                {'"', "{\\ttfamily\\char34}"},
                                                // Two in a row, or after ? and !, would become another sign;
                                                // brackets and stars may belong to a command before them.
                                                {'-', "{-}"},
                                                {'\'', "{'}"},
                                                {'`', "{`}"},
                                                {',', "{,}"},
                                                {'[', "{[}"},
                                                {']', "{]}"},
                                                {'*', "{*}"}});

using analysis::Cell;
using analysis::Column;
using analysis::ColumnKind;
using analysis::Section;
using analysis::Table;

/// Length of texts beyond which their column breaks its lines.
constexpr std::size_t longest_unbroken = 28;

/// Text in ASCII: some letters by their names, every other that is not ASCII by a question mark.
std::string ascii(std::string_view told) {
  const std::string escaped = units::controls_escaped(told);
  const std::string_view text = escaped;
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"\u00b5", "u"}, {"\u03bc", "u"}, {"\u00d7", "x"}, {"\u2013", "-"}, {"\u2014", "-"}, {"\u2019", "'"}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) {
      out += text[i++];
      continue;
    }
    std::size_t end = i + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) ++end;
    const std::string_view letter = text.substr(i, end - i);
    const auto* const found =
        std::ranges::find(known, letter, &std::pair<std::string_view, std::string_view>::first);
    out += found == std::end(known) ? "?" : found->second;
    i = end;
  }
  return out;
}

/// Text for LaTeX; long words, such as names of files, may break after a stroke.
std::string words(std::string_view text) {
  std::string out;
  std::string part;
  for (const char c : ascii(text)) {
    part += c;
    if (c != '/' && c != '_' && c != '=') continue;
    out += latex_text(part) + "\\allowbreak{}";
    part.clear();
  }
  return out + latex_text(part);
}

std::string eye(const Table& table, std::size_t row, std::size_t column) {
  return eye_text(table.rows[row][column], table.columns[column].kind);
}

bool is_long(const Table& table, std::size_t column) {
  return table.columns[column].kind == ColumnKind::text &&
         std::ranges::any_of(eye_rows(table), [&](std::size_t row) {
           return eye(table, row, column).size() > longest_unbroken;
         });
}

std::size_t longest(const Table& table, std::size_t column) {
  std::size_t most = heading(table.columns[column]).size();
  for (const std::size_t row : eye_rows(table)) most = std::max(most, eye(table, row, column).size());
  return most;
}

/// Letters of the longest word that does not break.
std::size_t longest_word(std::string_view text) {
  std::size_t most = 0, length = 0;
  for (const char c : text) {
    length = c == ' ' ? 0 : length + 1;
    most = std::max(most, length);
    if (c == '/' || c == '_' || c == '=') length = 0;
  }
  return most;
}

std::size_t longest_word(const Table& table, std::size_t column) {
  std::size_t most = longest_word(heading(table.columns[column]));
  for (const std::size_t row : eye_rows(table)) most = std::max(most, longest_word(eye(table, row, column)));
  return most;
}

constexpr double letters_between = 2;  // two columns
constexpr double least_of_long = 0.3;  // of a line, for all columns of long texts together
constexpr double most_of_long = 0.62;

/// A size of letters, and how many of them fill a line of the page that the preamble makes.
struct Letters {
  std::string_view command;
  double of_line;
};
constexpr Letters usual_letters{"", 96}, small_letters{"\\scriptsize", 118};

/// Columns of a table as wide as they are, but for those of long texts; and all of them narrowed where these do not fit
/// a line: columns that are wider than the rest break their lines then, none within a word.
class Widths {
 public:
  explicit Widths(const Table& table) {
    for (const std::size_t c : eye_columns(table)) {
      const bool is_long_text = is_long(table, c);
      columns_.push_back({table.columns[c].kind == ColumnKind::number, is_long_text,
                          static_cast<double>(longest(table, c)),
                          static_cast<double>(longest_word(table, c))});
      long_texts_ += is_long_text ? 1 : 0;
      others_ += letters_between + (is_long_text ? 0.0 : columns_.back().letters);
    }
    if (others_ > letters_.of_line * (1 - (long_texts_ > 0 ? least_of_long : 0))) narrow();
  }
  [[nodiscard]] std::string_view command() const { return letters_.command; }
  [[nodiscard]] std::string letters() const {
    const double rest = std::clamp(1 - others_ / letters_.of_line, least_of_long, most_of_long);
    std::string text;
    for (const Width& one : columns_)
      text += one.is_long       ? paragraph(rest / long_texts_, one.is_number)
              : one.is_narrowed ? paragraph(one.letters / letters_.of_line, one.is_number)
                                : (one.is_number ? "r" : "l");
    return text;
  }

 private:
  struct Width {
    bool is_number, is_long;
    double letters, word;
    bool is_narrowed = false;
  };

  /// Takes smaller letters, and the widest columns as narrow as it needs.
  void narrow() {
    letters_ = small_letters;
    const double room = letters_.of_line * (1 - (long_texts_ > 0 ? least_of_long : 0));
    for (double most = room; others_ > room && most >= 1; --most) {
      others_ = letters_between * static_cast<double>(columns_.size());
      for (Width& one : columns_) {
        if (one.is_long) continue;
        const double width = std::max(std::min(one.letters, most), one.word);
        one.is_narrowed |= width < one.letters;
        one.letters = width;
        others_ += width;
      }
    }
  }

  static std::string paragraph(double share, bool is_number) {
    return std::string(">{\\ragged") + (is_number ? "left" : "right") + "\\arraybackslash}p{" +
           units::format_fixed(share, 3) + "\\linewidth}";
  }

  std::vector<Width> columns_;
  double others_ = 0, long_texts_ = 0;  // letters of the columns without long texts; columns with them
  Letters letters_ = usual_letters;
};

std::string line(const std::vector<std::string>& cells) {
  std::string text;
  for (const std::string& cell : cells) text += (&cell == &cells.front() ? "" : " & ") + cell;
  return text + " \\\\\n";
}

std::string latex_table(const Table& table) {
  const auto columns = eye_columns(table);
  std::vector<std::string> titles;
  for (const std::size_t c : columns) titles.push_back(words(heading(table.columns[c])));
  const Widths widths(table);
  const std::string size(widths.command());
  std::string text = (size.empty() ? "" : '{' + size + '\n') + "\\begin{longtable}{@{}" + widths.letters() +
                     "@{}}\n\\toprule\n" + line(titles) + "\\midrule\n\\endhead\n";
  for (const std::size_t r : eye_rows(table)) {
    std::vector<std::string> cells;
    for (const std::size_t c : columns) cells.push_back(words(eye(table, r, c)));
    text += line(cells);
  }
  return text + "\\bottomrule\n\\end{longtable}\n" + (size.empty() ? "" : "}\n") + '\n';
}

constexpr std::string_view preamble = R"(\documentclass[10pt,a4paper]{article}
\usepackage[margin=2cm]{geometry}
\usepackage{array,longtable}
\IfFileExists{booktabs.sty}{\usepackage{booktabs}}{%
  \newcommand{\toprule}{\hline}\newcommand{\midrule}{\hline}\newcommand{\bottomrule}{\hline}}
\setlength{\LTleft}{0pt}
\setlength{\LTright}{\fill}
\setlength{\tabcolsep}{4pt}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.6ex}
\setcounter{secnumdepth}{0}
\begin{document}
\small
)";

/// Cell as one word for readers of columns.
std::string data_cell(const Cell& cell) {
  if (const auto* count = std::get_if<std::int64_t>(&cell.value)) return std::to_string(*count);
  if (const auto* real = std::get_if<double>(&cell.value))
    return std::isfinite(*real) ? record::Json(*real).dump() : "nan";
  const auto* text = std::get_if<std::string>(&cell.value);
  if (text == nullptr || text->empty()) return "nan";
  std::string word = ascii(*text);
  std::ranges::replace(word, ' ', '_');
  std::ranges::replace(word, '"', '_');
  return word;
}

std::string sections_latex(const analysis::Tables& tables) {
  std::string text;
  for (const Section& section : tables) {
    if (!section.title.empty()) text += "\\subsection{" + words(section.title) + "}\n";
    for (const std::string& sentence : section.text) text += words(sentence) + "\n\n";
    if (!section.table.columns.empty() && !eye_rows(section.table).empty())
      text += latex_table(section.table);
    for (const std::string& note : section.notes) text += "{\\footnotesize " + words(note) + "}\n\n";
  }
  return text;
}

constexpr std::size_t most_curves = 8;
using Curve = std::pair<std::string, std::vector<std::pair<double, double>>>;

std::optional<std::size_t> column(const Table& table, std::string_view key) {
  const auto found = std::ranges::find(table.columns, key, &Column::key);
  if (found == table.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.columns.begin());
}

std::optional<double> positive(const Cell& cell) {
  std::optional<double> value;
  if (const auto* count = std::get_if<std::int64_t>(&cell.value)) value = static_cast<double>(*count);
  if (const auto* real = std::get_if<double>(&cell.value)) value = *real;
  return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
}

/// Name of the curve of a row, as the eye reads it.
std::string curve_name(const Table& table, std::size_t row) {
  std::string name;
  for (const auto key : {"run", "processes", "variant"}) {
    const auto at = column(table, key);
    if (!at || table.columns[*at].shown == analysis::Audience::programs) continue;
    std::string word = eye(table, row, *at);
    if (word.empty()) continue;
    if (std::string_view(key) == "processes") word += word == "1" ? " process" : " processes";
    name += (name.empty() ? "" : ", ") + word;
  }
  return name;
}

/// Curves of positive values over positive lengths; curves of one point are left out.
std::vector<Curve> curves_of(const Table& table) {
  std::vector<Curve> curves;
  const auto length = column(table, "length_byte"), value = column(table, "median");
  if (!length || !value) return curves;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto x = positive(table.rows[row][*length]), y = positive(table.rows[row][*value]);
    if (!x || !y) continue;
    const std::string name = curve_name(table, row);
    auto curve = std::ranges::find(curves, name, &Curve::first);
    if (curve == curves.end()) curve = curves.insert(curves.end(), {name, {}});
    curve->second.emplace_back(*x, *y);
  }
  std::erase_if(curves, [](const Curve& curve) { return curve.second.size() < 2; });
  for (Curve& curve : curves) std::ranges::sort(curve.second);
  return curves;
}

}  // namespace

std::string latex_text(std::string_view ascii) {
  std::string text;
  for (const char c : ascii) {
    const auto* const found = std::ranges::find(escapes, c, &Escape::first);
    if (found == escapes.end())
      text += c;
    else
      text += found->second;
  }
  return text;
}

std::string tables_latex(const analysis::Tables& tables, std::string_view title) {
  return std::string(preamble) + "\\section*{" + words(title) + "}\n\n" + sections_latex(tables) +
         "\\end{document}\n";
}

std::string tables_latex_body(const analysis::Tables& tables) {
  return "% For \\input. Needs \\usepackage{array,longtable,booktabs}, and where there are figures\n"
         "% \\usepackage{pgfplots} with \\pgfplotsset{compat=1.16}.\n" +
         sections_latex(tables);
}

std::string latex_plot(const Section& section) {
  const auto curves = curves_of(section.table);
  if (curves.empty()) return {};
  const std::size_t shown = std::min(most_curves, curves.size());
  const Column &length = section.table.columns[*column(section.table, "length_byte")],
               &value = section.table.columns[*column(section.table, "median")];
  std::string text =
      "\\begin{tikzpicture}\n\\begin{axis}[width=\\linewidth, height=0.5\\linewidth, xmode=log, "
      "ymode=log, log basis x=2,\n  title={" +
      words(section.title) + "}, xlabel={" + words(heading(length)) + "}, ylabel={" + words(heading(value)) +
      "},\n  legend style={font=\\footnotesize, at={(0.5,-0.2)}, anchor=north}]\n";
  for (std::size_t i = 0; i < shown; ++i) {
    text += "\\addplot coordinates {";
    for (const auto& [x, y] : curves[i].second)
      text += " (" + record::Json(x).dump() + ',' + record::Json(y).dump() + ')';
    text += " };\n\\addlegendentry{" + words(curves[i].first) + "}\n";
  }
  text += "\\end{axis}\n\\end{tikzpicture}\n\n";
  if (shown < curves.size())
    text += "{\\footnotesize " + std::to_string(shown) + " of " + std::to_string(curves.size()) +
            " curves; length 0 is not on the axis.}\n\n";
  return text;
}

std::string table_columns(const Section& section) {
  std::string text = "# " + ascii(section.title) + '\n';
  std::string head;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < section.table.columns.size(); ++i) {
    const analysis::Column& column = section.table.columns[i];
    if (column.shown == analysis::Audience::readers) continue;
    shown.push_back(i);
    std::string name = ascii(column.key + (column.unit.empty() ? "" : "[" + column.unit + "]"));
    std::ranges::replace(name, ' ', '_');
    head += (head.empty() ? "" : " ") + name;
  }
  text += head + '\n';
  for (const auto& row : section.table.rows) {
    for (const std::size_t i : shown) text += (i == shown.front() ? "" : " ") + data_cell(row[i]);
    text += '\n';
  }
  return text;
}

}  // namespace steelyard::formats
