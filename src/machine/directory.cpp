// SPDX-License-Identifier: Apache-2.0
#include "machine/directory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "machine/environment.hpp"
#include "machine/privacy.hpp"
#include "machine/scratch.hpp"
#include "machine/text.hpp"

namespace steelyard::machine {
namespace {

bool octal(std::string_view digits) {
  return digits.size() == 3 && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '7'; });
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || !octal(text.substr(i + 1, 3))) {
      result += text[i];
      continue;
    }
    result += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
    i += 3;
  }
  return result;
}

std::optional<Mount> parse(std::string_view line) {
  const auto parts = words(line);
  const auto dash = static_cast<std::size_t>(std::ranges::find(parts, "-") - parts.begin());
  if (dash < 6 || dash + 3 > parts.size()) return std::nullopt;
  const auto part = [&](std::size_t i) { return i < parts.size() ? unescaped(parts[i]) : std::string(); };
  return Mount{.root = part(3),
               .point = part(4),
               .options = part(5),
               .type = part(dash + 1),
               .source = part(dash + 2),
               .super_options = part(dash + 3)};
}

bool holds(std::string_view point, std::string_view path) {
  if (point == "/") return true;
  return path.starts_with(point) && (path.size() == point.size() || path[point.size()] == '/');
}

bool harmless(std::string_view option) {
  constexpr std::array<std::string_view, 14> private_keys{"user", "uid",    "gid",  "pass", "cred",
                                                          "name", "domain", "addr", "host", "secret",
                                                          "key",  "token",  "dir",  "label"};
  const auto equals = option.find('=');
  if (equals == std::string_view::npos) return option.find_first_of("/@:") == std::string_view::npos;
  const auto key = lower(option.substr(0, equals));
  if (std::ranges::any_of(private_keys, [&](auto word) { return key.find(word) != std::string::npos; }))
    return false;
  const auto value = option.substr(equals + 1);
  // Dots stay for protocol versions such as "4.2"; an address has three of them.
  return value.find_first_of("/@:\\") == std::string_view::npos && std::ranges::count(value, '.') < 2;
}

std::filesystem::path nearest_existing(const std::filesystem::path& directory) {
  std::error_code error;
  // A relative path of which nothing is there yet would stay relative, and lead to no directory at all.
  const auto absolute = std::filesystem::absolute(directory.empty() ? "." : directory, error);
  auto path = std::filesystem::weakly_canonical(absolute, error);
  if (error) path = absolute;
  while (path.has_relative_path() && !std::filesystem::is_directory(path, error)) path = path.parent_path();
  return path;
}

void add_sizes(DirectoryFacts& facts) {
  struct statvfs sizes {};
  if (::statvfs(facts.path.c_str(), &sizes) != 0) return;
  const auto unit = static_cast<std::int64_t>(sizes.f_frsize);
  facts.size_byte = unit * static_cast<std::int64_t>(sizes.f_blocks);
  facts.free_byte = unit * static_cast<std::int64_t>(sizes.f_bavail);
  facts.block_byte = static_cast<std::int64_t>(sizes.f_bsize);
  facts.files = static_cast<std::int64_t>(sizes.f_files);
  facts.free_files = static_cast<std::int64_t>(sizes.f_favail);
}

template <class T>
T value_at(std::string_view bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view medium_word(Medium medium) {
  switch (medium) {
    case Medium::local: return "local";
    case Medium::network: return "network";
    case Medium::memory: return "memory";
    case Medium::unknown: break;
  }
  return "";
}

std::optional<Stripes> lustre_stripes(const std::filesystem::path& directory) {
  std::array<char, 4096> bytes{};
  const auto length = ::getxattr(directory.c_str(), "lustre.lov", bytes.data(), bytes.size());
  if (length <= 0) return std::nullopt;
  return parse_lustre_layout({bytes.data(), static_cast<std::size_t>(length)});
}

}  // namespace

std::vector<Mount> mounts(Source& source) {
  std::vector<Mount> list;
  const auto text = source.text("/proc/self/mountinfo").value_or("");
  for (const auto line : split(text, '\n'))
    if (auto mount = parse(line)) list.push_back(std::move(*mount));
  return list;
}

std::optional<Mount> mount_of(Source& source, const std::string& path) {
  std::optional<Mount> best;
  for (auto& mount : mounts(source))
    if (holds(mount.point, path) && (!best || mount.point.size() >= best->point.size()))
      best = std::move(mount);
  return best;
}

std::string harmless_options(const Mount& mount) {
  std::vector<std::string> kept;
  for (const auto& list : {mount.options, mount.super_options})
    for (const auto option : split(list, ','))
      if (harmless(option) && std::ranges::find(kept, option) == kept.end()) kept.emplace_back(option);
  return join(kept, ",");
}

Medium medium(std::string_view type) {
  constexpr std::array<std::string_view, 18> network{"nfs",       "nfs4", "lustre", "gpfs",  "beegfs", "ceph",
                                                     "ceph-fuse", "cifs", "smb3",   "pvfs2", "panfs",  "afs",
                                                     "glusterfs", "daos", "wekafs", "dvs",   "sshfs",  "9p"};
  constexpr std::array<std::string_view, 12> local{"ext2", "ext3", "ext4", "xfs",   "btrfs",   "zfs",
                                                   "f2fs", "jfs",  "vfat", "exfat", "overlay", "bcachefs"};
  constexpr std::string_view of_user_space = "fuse.";
  if (type.starts_with(of_user_space)) type.remove_prefix(of_user_space.size());
  const auto in = [&](const auto& list) { return std::ranges::find(list, type) != list.end(); };
  if (in(network)) return Medium::network;
  if (in(local)) return Medium::local;
  return type == "tmpfs" || type == "ramfs" ? Medium::memory : Medium::unknown;
}

std::optional<Stripes> parse_lustre_layout(std::string_view bytes) {
  constexpr std::uint32_t version_1 = 0x0BD10BD0, version_3 = 0x0BD30BD0;
  constexpr std::size_t size_offset = 24, count_offset = 28;
  if (bytes.size() < count_offset + sizeof(std::uint16_t)) return std::nullopt;
  const auto magic = value_at<std::uint32_t>(bytes, 0);
  if (magic != version_1 && magic != version_3) return std::nullopt;
  return Stripes{.size_byte = value_at<std::uint32_t>(bytes, size_offset),
                 .count = value_at<std::int16_t>(bytes, count_offset)};
}

std::optional<std::int64_t> shared_memory_left() {
  DirectoryFacts facts;
  facts.path = shared_memory_directory;
  if (::access(facts.path.c_str(), W_OK) == 0) add_sizes(facts);
  return facts.free_byte;
}

DirectoryFacts directory_facts(Source& source, const std::filesystem::path& directory) {
  DirectoryFacts facts;
  facts.path = nearest_existing(directory);
  add_sizes(facts);
  facts.writable = ::access(facts.path.c_str(), W_OK | X_OK) == 0;
  if (const auto mount = mount_of(source, facts.path.string())) {
    facts.type = mount->type;
    facts.source = mount->source;
    facts.mount_point = mount->point;
    facts.options = harmless_options(*mount);
  }
  return facts;
}

record::Document describe_directory(const std::filesystem::path& directory, const Roots& roots) {
  Source source(roots);
  const auto facts = directory_facts(source, directory);
  const auto stripes = facts.type == "lustre" ? lustre_stripes(facts.path) : std::nullopt;
  const auto cached = bytes_of_kilobytes(source.text("/proc/meminfo").value_or(""), "Cached");
  Json io{{"path", without_private(facts.path.string())},
          {"type", text_or_null(facts.type)},
          {"source", text_or_null(without_private(facts.source))},
          {"mount_point", text_or_null(without_private(facts.mount_point))},
          {"medium", text_or_null(medium_word(medium(facts.type)))},
          {"options", text_or_null(without_private(facts.options))},
          {"block_byte", or_null(facts.block_byte)},
          {"size_byte", or_null(facts.size_byte)},
          {"free_byte", or_null(facts.free_byte)},
          {"files", or_null(facts.files)},
          {"free_files", or_null(facts.free_files)},
          {"stripe_byte", stripes ? Json(stripes->size_byte) : Json(nullptr)},
          {"stripe_count", stripes ? Json(stripes->count) : Json(nullptr)},
          {"page_cache_byte", or_null(cached)},
          {"writable", facts.writable}};
  io["missing"] = source.missing();
  return io;
}

std::string file_system_text(const record::Document& io) {
  const auto word = [&](const char* name) {
    return io.json().is_object() ? record::text_in(io.json(), name) : std::string();
  };
  std::string text = word("type").empty() ? "an unknown file system" : word("type");
  if (!word("medium").empty()) text += " (" + word("medium") + ")";
  if (!word("mount_point").empty()) text += " mounted at " + word("mount_point");
  return text;
}

// Pages of a file in memory.

namespace {

// 2 GiB at a time: the vector of mincore has one byte per page.
constexpr std::int64_t piece_byte = std::int64_t{1} << 31;

std::optional<std::int64_t> resident_pages(int file, std::int64_t start, std::int64_t length,
                                           std::int64_t page_byte) {
  const auto bytes = static_cast<std::size_t>(length);
  void* const place = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, start);
  if (place == MAP_FAILED) return std::nullopt;
  std::vector<unsigned char> present(static_cast<std::size_t>((length + page_byte - 1) / page_byte));
  const bool told = ::mincore(place, bytes, present.data()) == 0;
  ::munmap(place, bytes);
  if (!told) return std::nullopt;
  return std::ranges::count_if(present, [](unsigned char byte) { return (byte & 1) != 0; });
}

}  // namespace

std::optional<Residence> residence(const std::filesystem::path& path) {
  const scratch::Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat facts {};
  if (!file.valid() || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  const auto page_byte = static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
  Residence result{.resident_byte = 0, .size_byte = facts.st_size};
  for (std::int64_t start = 0; start < result.size_byte; start += piece_byte) {
    const auto pages =
        resident_pages(file.get(), start, std::min(piece_byte, result.size_byte - start), page_byte);
    if (!pages) return std::nullopt;
    result.resident_byte += *pages * page_byte;
  }
  result.resident_byte = std::min(result.resident_byte, result.size_byte);
  return result;
}

void drop_pages(const std::filesystem::path& path) {
  const scratch::Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file.valid()) scratch::fail("cannot open", path);
  if (::fsync(file.get()) != 0) scratch::fail("cannot write back", path);
  if (const int error = ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED); error != 0) {
    errno = error;
    scratch::fail("cannot advise the kernel about", path);
  }
}

std::filesystem::path cache_directory(std::string_view name) {
  const std::filesystem::path cache = variable("XDG_CACHE_HOME").value_or("");
  if (cache.is_absolute()) return cache / "steelyard" / name;
  const std::filesystem::path home = variable("HOME").value_or("");
  return home.is_absolute() ? home / ".cache" / "steelyard" / name : std::filesystem::path();
}

}  // namespace steelyard::machine
