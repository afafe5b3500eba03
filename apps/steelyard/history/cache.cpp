// SPDX-License-Identifier: Apache-2.0
#include "history/cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <numeric>
#include <thread>

#include "input/text_file.hpp"
#include "machine/directory.hpp"
#include "record/value.hpp"

namespace steelyard::cli {
namespace {

using history::Column;
using history::Keys;
using history::RunColumns;

constexpr std::string_view cache_magic = "steelyard-history-8\n";
constexpr std::size_t digest_size = 64;

std::string hex_digest(std::string_view text) {
  const std::string digest = record::sha256(text);
  return digest.substr(digest.find(':') + 1);
}

/// Checksum over eight bytes at a time; finds torn and overwritten files, not forged ones.
std::uint64_t check_sum(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325ULL;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof(word));
    sum = (sum ^ word) * 0x100000001b3ULL;
    sum ^= sum >> 29U;
  }
  for (; at < bytes.size(); ++at) sum = (sum ^ static_cast<unsigned char>(bytes[at])) * 0x100000001b3ULL;
  return sum;
}

/// Stored form of a value, with a column for each of its parts; its key is in the key set.
struct StoredValue {
  static constexpr std::size_t bytes = sizeof(double) + 4 * sizeof(float) + 1;
  static constexpr std::uint8_t most_state = static_cast<std::uint8_t>(history::ValueState::wrong);
  static constexpr std::uint8_t lower_bit = 8;
  static constexpr unsigned statistic_shift = 4;
  static constexpr std::uint8_t most_statistic = static_cast<std::uint8_t>(history::Statistic::other);

  static std::uint8_t signs(const Column& column) {
    const auto statistic = static_cast<unsigned>(column.statistic) << statistic_shift;
    return static_cast<std::uint8_t>(static_cast<unsigned>(column.state) |
                                     (column.lower_is_better ? lower_bit : 0U) | statistic);
  }
  static void take_signs(std::uint8_t signs, Column& column) {
    column.state = static_cast<history::ValueState>(std::min<std::uint8_t>(signs % lower_bit, most_state));
    column.lower_is_better = (signs & lower_bit) != 0;
    column.statistic = static_cast<history::Statistic>(
        std::min(static_cast<std::uint8_t>(signs >> statistic_shift), most_statistic));
  }
};

class Packer {
 public:
  template <class T>
  void put(const T& value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void put_text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    out_ += text;
  }
  void put_plain(std::string_view text) { out_ += text; }
  [[nodiscard]] std::string& bytes() { return out_; }

 private:
  std::string out_;
};

/// Reader of packed bytes. Throws std::out_of_range if they end too early.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string_view get_text() { return take(get<std::uint32_t>()); }
  std::string_view take(std::size_t size) {
    if (size > bytes_.size() - at_) throw std::out_of_range("cut off");
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

std::filesystem::path records_file(const std::string& file) {
  const std::filesystem::path path(file);
  if (!std::filesystem::is_directory(path)) return path;
  return std::filesystem::exists(path / "result.jsonl") ? path / "result.jsonl" : path / "result.jsonl.gz";
}

/// Reads a whole file into `bytes`, whose memory is used again; leaves it empty if the file cannot be read.
void read_bytes(const std::filesystem::path& file, std::string& bytes) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
    if (descriptor >= 0) ::close(descriptor);
    return bytes.clear();
  }
  bytes.resize(static_cast<std::size_t>(status.st_size));
  std::size_t at = 0;
  ssize_t count = 0;
  while (at < bytes.size() && (count = ::read(descriptor, bytes.data() + at, bytes.size() - at)) > 0)
    at += static_cast<std::size_t>(count);
  ::close(descriptor);
  bytes.resize(at);
}

bool write_beside(const std::filesystem::path& place, std::string_view bytes) {
  const auto thread = std::hash<std::thread::id>()(std::this_thread::get_id());
  const std::filesystem::path fresh =
      place.string() + ".new" + std::to_string(getpid()) + '-' + std::to_string(thread);
  std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(fresh, place, error);
  if (out && !error) return true;
  std::filesystem::remove(fresh, error);
  return false;
}

/// Values from columns that lie one behind the other: one of 8-byte numbers, four of 4-byte numbers, one of bytes.
history::Columns columns_in(std::string_view bytes, const std::vector<std::uint32_t>& set,
                            std::pmr::memory_resource* memory) {
  const std::size_t count = set.size();
  const char *values = bytes.data(), *lows = values + count * sizeof(double),
             *highs = lows + count * sizeof(float), *slowest = highs + count * sizeof(float),
             *average = slowest + count * sizeof(float), *signs = average + count * sizeof(float);
  history::Columns columns(count, memory);
  for (std::size_t i = 0; i < count; ++i) {
    Column& column = columns[i];
    column.key = set[i] % history::most_keys;
    std::memcpy(&column.value, values + i * sizeof(double), sizeof(double));
    std::memcpy(&column.ends.low, lows + i * sizeof(float), sizeof(float));
    std::memcpy(&column.ends.high, highs + i * sizeof(float), sizeof(float));
    std::memcpy(&column.slowest_mean, slowest + i * sizeof(float), sizeof(float));
    std::memcpy(&column.average_mean, average + i * sizeof(float), sizeof(float));
    StoredValue::take_signs(static_cast<std::uint8_t>(signs[i]), column);
  }
  return columns;
}

/// Writes the nodes that a screening has named. Their number is stored plus one: 0 means no screening.
void put_named(const RunColumns& run, Packer& out) {
  out.put(run.named ? static_cast<std::uint32_t>(run.named->size()) + 1 : std::uint32_t{0});
  if (!run.named) return;
  for (const history::NamedNode& one : *run.named) {
    for (const std::string* word : {&one.host, &one.other, &one.quantity, &one.verdict}) out.put_text(*word);
    out.put(one.percent);
  }
  out.put(static_cast<std::uint32_t>(run.screened_hosts.size()));
  for (const std::string& host : run.screened_hosts) out.put_text(host);
}
void take_named(Unpacker& in, RunColumns& run) {
  const auto count = in.get<std::uint32_t>();
  if (count == 0) return;
  auto& named = run.named.emplace();
  for (std::uint32_t left = count - 1; left > 0; --left) {
    history::NamedNode one;
    for (std::string* word : {&one.host, &one.other, &one.quantity, &one.verdict}) *word = in.get_text();
    one.percent = in.get<double>();
    named.push_back(std::move(one));
  }
  for (auto left = in.get<std::uint32_t>(); left > 0; --left) run.screened_hosts.emplace_back(in.get_text());
}

/// Words of the metric in the name of a cached file; empty for the primary metric.
std::string words_of(const history::Followed& followed) {
  return followed.is_primary() ? "" : '\n' + followed.metric + '.' + followed.statistic;
}

/// A run record without its plan, as a line.
std::string head_line(const RunColumns& run) {
  record::RunRecord head = run.head;
  head.plan_inputs = {};
  head.plan_sequence.clear();
  return record::to_line({{run.id, 1, 0, 0}, std::move(head)});
}

}  // namespace

struct HistoryCache::Stamp {
  std::uint64_t size = 0;
  std::int64_t changed_ns = 0;
  std::string digest;  // of the contents; empty unless they are verified
};

HistoryCache::HistoryCache(std::filesystem::path directory, bool verify, history::Followed followed,
                           std::pmr::memory_resource* memory)
    : directory_(std::move(directory)), verify_(verify), followed_(std::move(followed)), memory_(memory) {
  if (directory_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (access(directory_.c_str(), W_OK) == 0) return;
  note("the cache " + directory_.string() + " cannot be written: every file is read");
  directory_.clear();
}

history::FileColumns HistoryCache::read(const std::string& file, Keys& keys) {
  const auto path = std::filesystem::absolute(records_file(file)).lexically_normal();
  struct stat known {};
  if (directory_.empty() || stat(path.c_str(), &known) != 0 || !S_ISREG(known.st_mode))
    return history::read_columns(file, keys, followed_);
  const Stamp stamp{static_cast<std::uint64_t>(known.st_size),
                    std::int64_t{known.st_mtim.tv_sec} * 1000000000 + known.st_mtim.tv_nsec,
                    verify_ ? hex_digest(text_of_file(path.string())) : std::string()};
  const auto place = directory_ / hex_digest(path.string() + words_of(followed_));
  if (auto held = load(place, stamp, file, keys)) return {std::move(*held), {}};
  auto found = history::read_columns(file, keys, followed_);
  if (found.told.damaged_lines == 0 && found.told.torn_bytes == 0) store(place, stamp, found.runs, keys);
  return found;
}

const std::vector<std::uint32_t>* HistoryCache::key_set(const std::string& digest, Keys& keys) {
  if (const auto found = key_sets_.find(digest); found != key_sets_.end()) return &found->second;
  std::string text;
  read_bytes(directory_ / ("keys-" + digest), text);
  if (hex_digest(text) != digest) return nullptr;
  std::vector<std::uint32_t> numbers;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    numbers.push_back(keys.number(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return &key_sets_.emplace(digest, std::move(numbers)).first->second;
}

std::optional<std::vector<RunColumns>> HistoryCache::load(const std::filesystem::path& place,
                                                          const Stamp& stamp, const std::string& file,
                                                          Keys& keys) {
  read_bytes(place, bytes_);
  if (bytes_.empty()) return std::nullopt;
  try {
    Unpacker in(bytes_);
    if (in.take(cache_magic.size()) != cache_magic) return std::nullopt;
    const auto sum = in.get<std::uint64_t>();
    if (sum != check_sum(std::string_view(bytes_).substr(cache_magic.size() + sizeof(sum)))) {
      note("a damaged file of the cache is ignored and written anew");
      return std::nullopt;
    }
    const bool same = in.get<std::uint64_t>() == stamp.size && in.get<std::int64_t>() == stamp.changed_ns;
    if (!same || (in.get_text() != stamp.digest && verify_)) return std::nullopt;
    std::vector<RunColumns> runs;
    for (auto left = in.get<std::uint32_t>(); left > 0; --left) {
      auto head = record::from_line(in.get_text());
      const auto* set = key_set(std::string(in.take(digest_size)), keys);
      if (!head || set == nullptr) return std::nullopt;
      const auto count = in.get<std::uint32_t>();
      if (count != set->size()) return std::nullopt;
      RunColumns run{head->envelope.run, file, std::get<record::RunRecord>(std::move(head->body)),
                     columns_in(in.take(count * StoredValue::bytes), *set, memory_)};
      take_named(in, run);
      runs.push_back(std::move(run));
    }
    return runs;
  } catch (const std::out_of_range&) {
    note("a damaged file of the cache is ignored and written anew");
  } catch (const record::ReadError&) {
    note("a damaged file of the cache is ignored and written anew");
  } catch (const std::bad_variant_access&) {
    note("a damaged file of the cache is ignored and written anew");
  }
  return std::nullopt;
}

/// Writes the key set of a run. Most runs have the keys of the one before, in the same order: then it is there.
void HistoryCache::remember_set(const RunColumns& run, const Keys& keys) {
  std::vector<std::uint32_t> numbers;
  for (const Column& column : run.columns) numbers.push_back(column.key);
  if (!last_set_.digest.empty() && numbers == last_set_.numbers) return;
  last_set_ = {numbers, std::vector<std::size_t>(numbers.size()), {}};
  std::iota(last_set_.order.begin(), last_set_.order.end(), std::size_t{0});
  std::ranges::sort(last_set_.order, {},
                    [&](std::size_t i) -> const std::string& { return keys.text(numbers[i]); });
  std::string set;
  for (const std::size_t i : last_set_.order) set.append(keys.text(numbers[i])).push_back('\n');
  const std::string digest = hex_digest(set);
  const auto place = directory_ / ("keys-" + digest);
  if (std::filesystem::exists(place) || write_beside(place, set)) last_set_.digest = digest;
}

void HistoryCache::store(const std::filesystem::path& place, const Stamp& stamp,
                         const std::vector<RunColumns>& runs, const Keys& keys) {
  Packer out;
  out.put(stamp.size);
  out.put(stamp.changed_ns);
  out.put_text(stamp.digest);
  out.put(static_cast<std::uint32_t>(runs.size()));
  for (const RunColumns& run : runs) {
    remember_set(run, keys);
    if (last_set_.digest.empty()) return note("the cache cannot be written");
    out.put_text(head_line(run));
    out.put_plain(last_set_.digest);
    out.put(static_cast<std::uint32_t>(last_set_.order.size()));
    const auto put_each = [&](const auto& of) {
      for (const std::size_t i : last_set_.order) out.put(of(run.columns[i]));
    };
    put_each([](const Column& column) { return column.value; });
    put_each([](const Column& column) { return column.ends.low; });
    put_each([](const Column& column) { return column.ends.high; });
    put_each([](const Column& column) { return column.slowest_mean; });
    put_each([](const Column& column) { return column.average_mean; });
    put_each(&StoredValue::signs);
    put_named(run, out);
  }
  const std::uint64_t sum = check_sum(out.bytes());
  Packer whole;
  whole.put_plain(cache_magic);
  whole.put(sum);
  whole.put_plain(out.bytes());
  if (!write_beside(place, whole.bytes())) note("the cache cannot be written");
}

std::filesystem::path history_cache_place(const std::optional<std::string>& said) {
  return said ? std::filesystem::path(*said) : machine::cache_directory("history");
}

}  // namespace steelyard::cli
