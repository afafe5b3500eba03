// SPDX-License-Identifier: Apache-2.0
#include "foreign/blocks.hpp"

#include <algorithm>
#include <utility>

#include "foreign/piece.hpp"

namespace steelyard::foreign {
namespace {

/// Condition under which a mark opens a block. always: a title. outside: a sign that may also stand inside a
/// block of its format opens one only if none of that format is open. alone: only if no block is open.
/// in_turn: one of several signs above one table, whose order releases change; opens a block only if the open
/// one has such a line already, or a row.
enum class Opens { always, outside, alone, in_turn };

struct Mark {
  Format format;
  std::string_view begin, later = {};
  Opens opens = Opens::always;
  bool whole = false;                               // nothing else stands in the line
  bool (*is_its_form)(std::string_view) = nullptr;  // for a begin that tells too little alone
};

/// True for the name that a vendor's build of HPCG gives itself, as in "n104-96p-1t": points a side,
/// processes, threads.
bool is_vendor_hpcg(std::string_view text) {
  const auto takes_number = [&](std::string_view behind) {
    const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
    if (end == 0 || !text.substr(end).starts_with(behind)) return false;
    text.remove_prefix(end + behind.size());
    return true;
  };
  text.remove_prefix(1);
  return takes_number("-") && takes_number("p-") && takes_number("t") &&
         (trimmed(text).empty() || text.starts_with(" version: "));
}

/// True for the heading of a table of IMB, which is of one benchmark; prose that begins alike is not.
bool is_imb_table(std::string_view text) {
  return words_of(text).size() == 3;
}

/// True for the head of HPL's output; its input file, which often lies beside it or stands in front of it,
/// begins with the same word.
bool is_hpl_head(std::string_view text) {
  return !holds(text, " input file");
}

constexpr auto marks = std::to_array<Mark>({
    {Format::imb, "# Intel (R) MPI Benchmark"},
    {Format::imb, "# Intel(R) MPI Benchmark"},
    {Format::imb, "# PALLAS MPI Benchmark Suite"},
    {Format::imb, "# steelyard ", " rules)"},
    {Format::imb, "# Benchmarking ", {}, Opens::outside, false, is_imb_table},
    {Format::osu, "# OSU ", " Test v"},
    {Format::hpl, "HPLinpack ", {}, Opens::always, false, is_hpl_head},
    {Format::hpl, "T/V ", "Gflops", Opens::outside},
    {Format::hpcc, "This is ", "HPC Challenge Benchmark version"},
    {Format::hpcc, "Begin of Summary section.", {}, Opens::outside},
    {Format::hpcc, "Hostname: '", {}, Opens::alone},
    {Format::stream, "STREAM version $Revision:"},
    {Format::stream, "STREAM Version $Revision:"},
    {Format::babelstream, "BabelStream", {}, Opens::always, true},
    {Format::babelstream, "GPU-STREAM", {}, Opens::always, true},
    {Format::babelstream, "function,num_times,n_elements,sizeof,"},
    {Format::ior, "IOR-", "MPI Coordinated Test of Parallel I/O"},
    {Format::ior, "access,bw(MiB/s),IOPS,"},
    {Format::mdtest, "-- started at "},
    {Format::mdtest, "mdtest-", " was launched with", Opens::outside},
    {Format::b_eff, "SECTION-HEAD-BEGIN"},
    {Format::b_eff, "b_eff", "PEs with", Opens::outside},
    {Format::b_eff_io, "b_eff_io.c, Revision"},
    {Format::b_eff_io, "b_eff_io, by the rules of b_eff_io "},
    {Format::b_eff_io, "b_eff_io =", {}, Opens::outside},
    {Format::hpcg, "HPCG-Benchmark"},
    {Format::hpcg, "n", "p-", Opens::always, false, is_vendor_hpcg},
    {Format::graph500, "SCALE:"},
    {Format::nccl, "# nccl-tests version ", {}, Opens::in_turn},
    {Format::nccl, "# Collective test starting:", {}, Opens::in_turn},
    {Format::nccl, "# nThread ", " minBytes ", Opens::in_turn},
    {Format::nccl, "nThread ", " minBytes ", Opens::in_turn},
});

struct End {
  Format format;
  std::string_view begin, anywhere = {};
};
constexpr auto ends = std::to_array<End>({
    {Format::imb, "# All processes entering MPI_Finalize"},
    {Format::imb, "# Ended with failures"},
    {Format::imb, "# Ended by "},
    {Format::hpl, "End of Tests."},
    {Format::hpcc, "End of HPC Challenge tests."},
    {Format::stream, "", "Solution Validates"},
    {Format::stream, "", "Failed Validation"},
    {Format::ior, "Finished"},
    {Format::mdtest, "-- finished at "},
    {Format::b_eff_io, "b_eff_io ="},
    {Format::nccl, "# Avg bus bandwidth"},
});

constexpr auto names = std::to_array<FormatName>({
    {Format::imb, "imb", "IMB", "# All processes entering MPI_Finalize"},
    {Format::osu, "osu", "OSU micro-benchmarks", ""},
    {Format::hpl, "hpl", "HPL", "End of Tests."},
    {Format::hpcc, "hpcc", "HPC Challenge", "End of Summary section."},
    {Format::stream, "stream", "STREAM", "Solution Validates"},
    {Format::babelstream, "babelstream", "BabelStream", ""},
    {Format::ior, "ior", "IOR", "Finished"},
    {Format::mdtest, "mdtest", "mdtest", "-- finished at"},
    {Format::fio, "fio", "fio", "}"},
    {Format::b_eff, "b-eff", "b_eff", "b_eff ="},
    {Format::b_eff_io, "b-eff-io", "b_eff_io", "b_eff_io ="},
    {Format::hpcg, "hpcg", "HPCG", ""},
    {Format::graph500, "graph500", "Graph500", "harmonic_stddev_TEPS"},
    {Format::nccl, "nccl", "NCCL-tests", "# Avg bus bandwidth"},
});

constexpr std::string_view first_letters = "#HTBSGfaIm-bn";

const Mark* mark_at(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  if (text.empty() || first_letters.find(text[0]) == std::string_view::npos) return nullptr;
  for (const Mark& mark : marks)
    if (begins(text, mark.begin) && (mark.later.empty() || holds(text, mark.later)) &&
        (!mark.whole || trimmed(text) == mark.begin) &&
        (mark.is_its_form == nullptr || mark.is_its_form(text)))
      return &mark;
  return nullptr;
}

/// Length of what launchers, terminals and lists of comments put before lines: an alphabet that no title begins with.
std::size_t prefix_length(std::string_view text) {
  constexpr std::string_view letters = "0123456789.:,-+TZ/[]<>| \t";
  constexpr std::string_view word = "stdout";
  constexpr std::size_t longest = 80;
  std::size_t at = 0;
  while (at < text.size() && at < longest) {
    if (text.substr(at).starts_with(word))
      at += word.size();
    else if (letters.find(text[at]) != std::string_view::npos)
      ++at;
    else
      break;
  }
  return at;
}

bool is_number_sign(char c) {
  return c >= '0' && c <= '9';
}

/// Class of a prefix: every run of digits as one 9.
std::string class_of(std::string_view prefix) {
  std::string found;
  for (const char c : prefix) {
    const char sign = is_number_sign(c) ? '9' : c;
    if (sign != '9' || found.empty() || found.back() != '9') found += sign;
  }
  return found;
}

/// Length of a line's prefix of that class; nullopt if it has another.
std::optional<std::size_t> length_of_class(std::string_view text, std::string_view prefix) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    if (at == text.size())
      return prefix.find_first_not_of(" \t", i) == std::string_view::npos ? std::optional(at) : std::nullopt;
    if (prefix[i] == '9') {
      if (!is_number_sign(text[at])) return std::nullopt;
      while (at < text.size() && is_number_sign(text[at])) ++at;
    } else if (text[at++] != prefix[i]) {
      return std::nullopt;
    }
  }
  return at;
}

struct Found {
  const Mark* mark = nullptr;
  std::string prefix;  // its class
};

Found find_mark(std::string_view text, std::string_view open_class) {
  if (const Mark* mark = mark_at(text)) return {mark, {}};
  if (!open_class.empty())
    if (const auto length = length_of_class(text, open_class))
      if (const Mark* mark = mark_at(text.substr(*length))) return {mark, std::string(open_class)};
  const std::size_t longest = prefix_length(text);
  for (std::size_t at = 1; at <= longest && at < text.size(); ++at) {
    if (text[at] == ' ' || text[at] == '\t' || text[at - 1] == '\t') continue;
    if (const Mark* mark = mark_at(text.substr(at))) {
      if (text.substr(0, at).find_first_not_of(" \t") == std::string_view::npos) return {mark, {}};
      return {mark, class_of(text.substr(0, at))};
    }
  }
  return {};
}

bool is_launcher_call(std::string_view text) {
  for (const std::string_view word : {"mpirun", "mpiexec", "srun", "aprun", "jsrun", "orterun"})
    if (const std::size_t at = text.find(word); at != std::string_view::npos)
      for (const std::string_view number : {" -n ", " -np ", " --np ", " --ntasks", " -N "})
        if (text.find(number, at) != std::string_view::npos) return true;
  return false;
}

bool is_end(Format format, std::string_view text) {
  return std::ranges::any_of(ends, [&](const End& end) {
    return end.format == format &&
           (end.anywhere.empty() ? begins(text, end.begin) : holds(text, end.anywhere));
  });
}

/// Cutter of lines into blocks, one after another.
class Cutter {
 public:
  explicit Cutter(std::span<Line> lines) : lines_(lines) {}

  std::vector<Block> cut() {
    for (std::size_t i = 0; i < lines_.size(); ++i) i = take(i);
    close(lines_.size());
    return std::move(blocks_);
  }

 private:
  /// Looks at line i. Returns the index of the last line that was looked at.
  std::size_t take(std::size_t i) {
    Line& line = lines_[i];
    const Found found = find_mark(line.text, class_);
    if (found.mark != nullptr && opens(*found.mark, i)) open(i, found);
    // A format without an end mark takes the lines behind it, with the call of the program that follows.
    if (is_launcher_call(line.text)) launcher_ = std::string(trimmed(line.text.substr(0, 200)));
    if (const auto last = document(i)) return *last;
    if (!open_) {
      if (is_warning(line.text)) warned_ = line;
      if (!blocks_.empty() && blocks_.back().format == Format::stream && is_end(Format::stream, line.text))
        blocks_.back().ended_again = true;
      return i;
    }
    strip(line);
    if (is_end(format_, line.text)) {
      ended_ = true;
      close(i + 1);
    }
    return i;
  }

  [[nodiscard]] bool opens(const Mark& mark, std::size_t i) const {
    if (mark.format == Format::graph500) {
      if (open_ && format_ == Format::graph500 && i <= first_ + 2) return false;
      // The form for one process, without MPI, has "nvtx:" in between.
      const std::size_t next = i + 1 < lines_.size() && holds(lines_[i + 1].text, "nvtx:") ? i + 2 : i + 1;
      return next < lines_.size() && holds(lines_[next].text, "edgefactor:");
    }
    if (!open_) return true;
    if (mark.opens == Opens::alone) return false;
    if (format_ == mark.format)
      return mark.opens == Opens::always || (mark.opens == Opens::in_turn && goes_beyond(mark, i));
    // HPC Challenge holds the whole text of HPL, and tests of its own with other names.
    if (format_ == Format::hpcc) return mark.format != Format::hpl;
    return true;
  }

  /// True if the open block has such a line already, or a row.
  [[nodiscard]] bool goes_beyond(const Mark& mark, std::size_t i) const {
    return std::ranges::any_of(lines_.subspan(first_, i - first_), [&](const Line& line) {
      const auto text = trimmed(line.text);
      return (!text.empty() && is_number_sign(text[0])) || begins(text, mark.begin);
    });
  }

  void open(std::size_t i, const Found& found) {
    close(i);
    launcher_of_block_ = std::exchange(launcher_, {});
    open_ = true;
    ended_ = false;
    first_ = i;
    warned_.reset();
    format_ = found.mark->format;
    class_ = found.prefix;
    strange_ = 0;
  }

  void strip(Line& line) {
    if (class_.empty()) return;
    if (const auto length = length_of_class(line.text, class_))
      line.text.remove_prefix(*length);
    else
      ++strange_;
  }

  void close(std::size_t end) {
    if (open_ && end > first_)
      blocks_.push_back(
          {format_, lines_.subspan(first_, end - first_), ended_, launcher_of_block_, strange_});
    open_ = false;
  }

  /// Takes a JSON document of a known program; returns the index of its last line.
  std::optional<std::size_t> document(std::size_t i) {
    const auto text = trimmed(lines_[i].text);
    if (endless_) return std::nullopt;
    if (text != "{" && !text.starts_with("{\"") && !text.starts_with("{ \"")) return std::nullopt;
    int depth = 0;
    bool inside = false, escaped = false, whole = false;
    std::size_t last = i;
    for (std::size_t at = i; at < lines_.size() && !whole; ++at) {
      last = at;
      for (const char c : lines_[at].text) {
        if (inside) {
          inside = escaped || c != '"';
          escaped = !escaped && c == '\\';
          continue;
        }
        inside = c == '"';
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        if (depth == 0) {
          whole = true;
          break;
        }
      }
    }
    const auto format = document_format(i, last);
    endless_ = !whole;  // every brace behind it would lead to the end again
    if (!format) return whole && !open_ ? std::optional(last) : std::nullopt;
    close(i);
    std::size_t before = 0;
    const bool goes_on = *format == Format::fio && !blocks_.empty() && blocks_.back().format == *format &&
                         blocks_.back().ended && whole && launcher_.empty() &&
                         fio_jobs(blocks_.back().lines) == fio_jobs(lines_.subspan(i, last - i + 1));
    if (goes_on) {  // fio's status interval: each document tells all since the start
      before = blocks_.back().before + 1;
      blocks_.pop_back();
    }
    blocks_.push_back({*format, lines_.subspan(i, last - i + 1), whole, std::exchange(launcher_, {}), 0,
                       std::exchange(warned_, {}), before});
    return last;
  }

  /// Names and options of the jobs of a document of fio, as it writes them: of another run they differ, unless that
  /// repeats it.
  static std::string fio_jobs(std::span<const Line> lines) {
    std::string text, jobs;
    for (const Line& line : lines) text += line.text;
    for (const auto& [name, end] : {std::pair<std::string_view, char>{"\"jobname\"", ','},
                                    {"\"job options\"", '}'},
                                    {"\"global options\"", '}'}})
      for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
        jobs += text.substr(at, std::min(text.find(end, at), text.size()) - at);
    std::erase_if(jobs, [](char c) { return c == ' ' || c == '\t'; });
    return jobs;
  }

  [[nodiscard]] std::optional<Format> document_format(std::size_t first, std::size_t last) const {
    const auto has = [&](std::string_view name) {
      const auto lines = lines_.subspan(first, last - first + 1);
      return std::ranges::any_of(lines, [&](const Line& line) { return holds(line.text, name); });
    };
    if (has("\"fio version\"")) return Format::fio;
    if (has("\"nccl_version\"") && (has("\"results\"") || has("\"config\""))) return Format::nccl;
    if (has("\"Version\"") && has("\"tests\"")) return Format::ior;
    return std::nullopt;
  }

  std::span<Line> lines_;
  std::vector<Block> blocks_;
  bool open_ = false, ended_ = false, endless_ = false;
  Format format_ = Format::imb;
  std::size_t first_ = 0, strange_ = 0;
  std::string class_, launcher_, launcher_of_block_;
  std::optional<Line> warned_;
};

}  // namespace

std::span<const FormatName> formats() {
  return names;
}

const FormatName& name_of(Format format) {
  return names.at(static_cast<std::size_t>(format));
}

std::optional<Format> format_named(std::string_view word) {
  const auto found = std::ranges::find(names, word, &FormatName::word);
  return found == names.end() ? std::nullopt : std::optional(found->format);
}

std::string known_formats() {
  std::string list;
  for (const FormatName& name : names) list += (list.empty() ? "" : ", ") + std::string(name.word);
  return list;
}

std::vector<Block> blocks_of(std::span<Line> lines) {
  return Cutter(lines).cut();
}

std::string_view refused_form(std::string_view line) {
  struct Form {
    std::string_view begin, later, instead;
  };
  static constexpr Form forms[] = {
      {"Run status group ", ":", "fio's own text is not read: --output-format=json makes it write what is"},
      {"3;fio-", ";", "fio's terse form is not read: --output-format=json makes it write what is"},
      {"IO500 version", "", "texts of IO500 are not read; those of its IOR and mdtest are"},
      {"[RESULT]", "ior-", "texts of IO500 are not read; those of its IOR and mdtest are"}};
  const auto text = trimmed(line);
  for (const Form& form : forms)
    if (text.starts_with(form.begin) && holds(text, form.later)) return form.instead;
  return {};
}

bool has_mark(std::string_view text) {
  constexpr std::string_view documents[] = {"\"fio version\"", "\"nccl_version\"", "\"tests\""};
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    if (line.size() <= (line.starts_with('{') ? Text::longest_document : Text::longest_line)) {
      std::string_view plain = line;
      if (plain.starts_with("\xef\xbb\xbf")) plain.remove_prefix(3);
      while (plain.ends_with('\r')) plain.remove_suffix(1);
      if (find_mark(plain, {}).mark != nullptr || !refused_form(plain).empty()) return true;
      if (std::ranges::any_of(documents, [&](std::string_view name) { return holds(line, name); }))
        return true;
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace steelyard::foreign
