// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include "analysis/history/collection.hpp"

/// Cache of the columns of result files, so that the next history need not read the files again. It may be
/// deleted at any moment; parts that are damaged, old or of another version are read anew. Threads have one
/// each, in the same directory.
namespace steelyard::cli {

class HistoryCache {
 public:
  /// An empty path: no cache. `verify`: digests of the files are compared as well as size and time of change.
  /// `memory`: of the columns that come from the cache; it has to outlive them.
  explicit HistoryCache(std::filesystem::path directory, bool verify = false, history::Followed followed = {},
                        std::pmr::memory_resource* memory = std::pmr::get_default_resource());

  /// Runs of a result file, from the cache or from the file. A file with lines that are left out is not kept, so that
  /// they are told each time. Throws record::ReadError.
  [[nodiscard]] history::FileColumns read(const std::string& file, history::Keys& keys);

  /// Notes for standard error, a line each; empty if there are none.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Stamp;
  [[nodiscard]] std::optional<std::vector<history::RunColumns>> load(const std::filesystem::path& place,
                                                                     const Stamp& stamp,
                                                                     const std::string& file,
                                                                     history::Keys& keys);
  void store(const std::filesystem::path& place, const Stamp& stamp,
             const std::vector<history::RunColumns>& runs, const history::Keys& keys);
  [[nodiscard]] const std::vector<std::uint32_t>* key_set(const std::string& digest, history::Keys& keys);
  void remember_set(const history::RunColumns& run, const history::Keys& keys);
  void note(const std::string& words) {
    if (std::ranges::find(notes_, words) == notes_.end()) notes_.push_back(words);
  }

  std::filesystem::path directory_;
  bool verify_;
  history::Followed followed_;  // metric of the cached values; each has files of its own
  std::pmr::memory_resource* memory_;
  std::string bytes_;  // content of the cached file that was read last
  std::vector<std::string> notes_;
  /// Keys of the run that was stored last, their order by text, and the digest of the ordered keys; an empty digest:
  /// the set could not be written.
  struct KeySet {
    std::vector<std::uint32_t> numbers;
    std::vector<std::size_t> order;
    std::string digest;
  } last_set_;
  /// Numbers of the keys in cached sets, by digest of the set.
  std::map<std::string, std::vector<std::uint32_t>> key_sets_;
};

/// Directory of the cache: --cache, else $XDG_CACHE_HOME/steelyard/history, else ~/.cache/steelyard/history;
/// empty if there is no home.
[[nodiscard]] std::filesystem::path history_cache_place(const std::optional<std::string>& said);

}  // namespace steelyard::cli
