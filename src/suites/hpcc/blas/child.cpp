// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <sstream>

#include "record/json.hpp"
#include "record/value.hpp"
#include "suites/hpcc/blas/blas.hpp"

namespace steelyard::hpcc {
namespace {

using record::Json;

constexpr std::string_view find_word = "find", try_word = "try", linked_word = "linked";
// What a line of an answer begins with: libraries print what they like.
constexpr std::string_view begun = "steelyard-blas-child ";

/// Lines to standard output as it was when the process began; what others print goes nowhere.
class Answer {
 public:
  Answer() : to_(dup(STDOUT_FILENO)) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
    line({{"begun", true}});
  }
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;
  ~Answer() { close(to_); }

  void line(const Json& json) const {
    const auto dumped = json.dump();
    const auto text = '\n' + std::string(begun) + dumped + '\n';
    for (std::size_t done = 0; done < text.size();) {
      const auto written = write(to_, text.data() + done, text.size() - done);
      if (written <= 0) return;  // nobody listens
      done += static_cast<std::size_t>(written);
    }
  }

 private:
  int to_;
};

std::vector<Json> lines_of(const std::string& answer) {
  std::vector<Json> all;
  std::istringstream lines(answer);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(begun)) continue;
    auto json = Json::parse_or_null(line.substr(begun.size()));
    if (json.is_object()) all.push_back(std::move(json));
  }
  return all;
}

Json json_of(const machine::BlasIdentity& blas) {
  return {{"name", record::valid_utf8(blas.name)},
          {"version", record::valid_utf8(blas.version)},
          {"kernel", record::valid_utf8(blas.kernel)},
          {"config", record::valid_utf8(blas.config)},
          {"file", record::valid_utf8(blas.file)},
          {"path", blas.path},
          {"kernels", blas.kernels}};
}

machine::BlasIdentity identity_of(const Json& json) {
  machine::BlasIdentity blas;
  blas.name = record::text_in(json, "name");
  blas.version = record::text_in(json, "version");
  blas.kernel = record::text_in(json, "kernel");
  blas.config = record::text_in(json, "config");
  blas.file = record::text_in(json, "file");
  blas.path = record::text_in(json, "path");
  if (json.contains("kernels"))
    for (const auto& kernel : json["kernels"])
      if (kernel.is_string()) blas.kernels.push_back(kernel.get<std::string>());
  return blas;
}

class Finder {
 public:
  void linked() const {
    if (blas::available()) tell(BlasLibrary::linked().identity(), true);
  }
  void file(const std::string& file) const {
    answer_.line({{"loading", file}});
    const auto library = BlasLibrary::open(file);
    if (library) tell(library->identity(), false);
  }
  void end() const { answer_.line({{"complete", true}}); }

 private:
  void tell(const machine::BlasIdentity& identity, bool linked) const {
    auto json = json_of(identity);
    json["linked"] = linked;
    answer_.line(json);
  }
  Answer answer_;
};

int find(std::span<const std::string> files) {
  const Finder finder;
  finder.linked();
  for (const auto& file : files) finder.file(file);
  finder.end();
  return 0;
}

int try_out(const std::string& file, int threads) {
  const Answer answer;
  const auto library = file == linked_word ? std::optional(BlasLibrary::linked()) : BlasLibrary::open(file);
  if (!library) return 1;
  const auto rate = checked_rate(*library, threads);
  auto json = json_of(library->identity());
  json["flop_s"] = rate.flop_s;
  json["order"] = rate.order;
  json["wrong"] = rate.wrong;
  answer.line(json);
  return 0;
}

}  // namespace

int answer_as_child(std::span<const std::string> words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (words.size() > 1 && words[0] == find_word) return find(words.subspan(1));
  if (words.size() == 3 && words[0] == try_word)
    return try_out(words[1], std::max(1, std::atoi(words[2].c_str())));
  return 2;
}

std::vector<std::string> words_to_find(const std::vector<std::string>& files) {
  std::vector<std::string> words{std::string(find_word)};
  words.insert(words.end(), files.begin(), files.end());
  return words;
}

Installation read_installation(const std::string& answer) {
  Installation installation;
  for (const auto& json : lines_of(answer)) {
    if (json.contains("loading")) installation.loading = record::text_in(json, "loading");
    if (json.contains("complete")) installation.complete = true;
    if (!json.contains("linked")) continue;
    auto identity = identity_of(json);
    auto file = identity.path;
    installation.found.push_back({std::move(identity), std::move(file), json["linked"] == true});
  }
  return installation;
}

std::vector<std::string> words_to_try(const BlasCandidate& candidate, int threads) {
  return {std::string(try_word), candidate.linked ? std::string(linked_word) : candidate.file,
          std::to_string(threads)};
}

std::optional<ChildRate> read_rate(const std::string& answer) {
  const auto lines = lines_of(answer);
  if (lines.empty() || !lines.back().contains("flop_s")) return std::nullopt;
  const auto& json = lines.back();
  const auto flop_s = record::number_in(json, "flop_s"), order = record::number_in(json, "order");
  if (!flop_s || !order || !std::isfinite(*flop_s)) return std::nullopt;
  return ChildRate{identity_of(json),
                   {*flop_s, static_cast<std::int64_t>(*order), record::text_in(json, "wrong")}};
}

bool has_begun(const std::string& answer) {
  return answer.find(begun) != answer.npos;
}

}  // namespace steelyard::hpcc
