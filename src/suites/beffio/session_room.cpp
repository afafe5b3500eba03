// SPDX-License-Identifier: Apache-2.0
// What there is room for, and files that are written again.
#include <algorithm>
#include <filesystem>
#include <limits>

#include "measure/failure.hpp"
#include "suites/beffio/session.hpp"

namespace steelyard::beffio {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

Space space_of(const std::filesystem::path& directory) {
  std::error_code failed;
  const auto found = std::filesystem::space(directory, failed);
  if (failed) return {unlimited, 0};
  return {static_cast<std::int64_t>(found.available), static_cast<std::int64_t>(found.capacity)};
}

[[noreturn]] void refuse_for_space(const std::string& text) {
  record::Reason reason;
  reason.code = record::ReasonCode::space;
  reason.text = text;
  throw measure::SharedFailure(std::move(reason));
}

/// Bytes that one process has written to its file of type 2 so far.
std::int64_t separated_byte(const PatternTable& table, const Repetitions& calls) {
  const Span span = patterns_of(PatternType::separated);
  std::int64_t sum = 0;
  for (std::size_t p = span.first; p <= span.last(); ++p) sum += bytes_of(table[p], calls[p]);
  return sum;
}

}  // namespace

/// U of this pattern and of all initial writes that follow it.
int BeffioSession::units_left(const Pattern& pattern) const {
  int left = 0;
  for (std::size_t p = static_cast<std::size_t>(pattern.number); p < pattern_count; ++p)
    left += table_[p].units;
  int whole = 0;
  for (const auto& row : table_) whole += row.units;
  const auto sizes = partitions(settings_, mpi::Communicator::world().size());
  return left + whole * static_cast<int>(sizes.size() - 1 - site_.partition);
}

/// On process 0. A byte of type 2 is followed by one of each segmented type.
Length::Room BeffioSession::room(const Pattern& pattern, std::uint64_t done) const {
  const std::int64_t call_byte = pattern.memory.count() * team().size();
  const std::int64_t done_byte = static_cast<std::int64_t>(done) * call_byte;
  const bool separated = pattern.type == PatternType::separated;
  const std::int64_t own_byte = separated ? done_byte : 0;
  const std::int64_t reserve =
      segmented_types(settings_) * (separated_byte(table_, files_.calls) * team().size() + own_byte);
  std::int64_t more = VolumeGuard::within_space(space_of(site_.course->directory()), reserve);
  if (separated) more /= 1 + segmented_types(settings_);
  Length::Room room{done + static_cast<std::uint64_t>(more / call_byte), Cut::space};
  const auto share = guard_.share({site_.course->written_byte(), units_left(pattern)}, pattern.units);
  if (!share || static_cast<std::uint64_t>(*share / call_byte) >= room.calls) return room;
  return {static_cast<std::uint64_t>(*share / call_byte), Cut::volume};
}

/// Every pattern is measured at least once, if it can be.
void BeffioSession::refuse_without_room(const Pattern& pattern) const {
  if (access_ != Access::write || size_driven(pattern.type)) return;
  bool enough = true;
  if (team().is_root()) {
    const std::int64_t once = pattern.memory.count() * team().size();
    const auto left = guard_.left({site_.course->written_byte(), 0});
    enough = once <= VolumeGuard::within_space(space_of(site_.course->directory()), 0) &&
             once <= left.value_or(once);
  }
  if (team().broadcast(enough)) return;
  refuse_for_space("pattern " + std::to_string(pattern.number) + " does not fit even once into the space");
}

// ROMIO keeps the shared pointer in a file of its own beside the other: where it cannot be written, ordered
// calls never return.
void BeffioSession::refuse_without_pointer() const {
  constexpr std::int64_t pointer_byte = 65536;
  if (site_.course->pointer() != Pointer::shared) return;
  const bool enough = !team().is_root() || space_of(site_.course->directory()).free_byte >= pointer_byte;
  if (!team().broadcast(enough)) refuse_for_space("no space for a shared file pointer");
}

void BeffioSession::determine_segment() {
  std::int64_t most = unlimited;
  Cut because = Cut::space;
  if (team().is_root()) {
    const std::int64_t shares = segmented_types(settings_) * team().size();
    most = VolumeGuard::within_space(space_of(site_.course->directory()), 0) / shares;
    const auto first = patterns_of(PatternType::segmented).first;
    const int units = units_of(PatternType::segmented) + units_of(PatternType::segmented_collective);
    const auto share = guard_.share({site_.course->written_byte(), units_left(table_[first])}, units);
    if (share && *share / shares < most) because = Cut::volume;
    if (share) most = std::min(most, *share / shares);
  }
  most = team().broadcast(most);
  files_.segment = segment(table_, files_.calls, settings_.align, Bytes{most});
  if (!files_.segment) refuse_for_space("the segments of types 3 and 4 do not fit into the space");
  segment_cut_ = files_.segment->reduced ? because : Cut::none;
  table_ = filled_up(table_, *files_.segment);
}

void BeffioSession::restore() {
  site_.course->remember(team(), context_.earlier);
  if (files_.segment) table_ = filled_up(table_, *files_.segment);
  for (const auto type : pattern_types)
    if (files_.complete[index(type)]) restore(type);
  files_.here = true;
}

/// As the last access method that was complete has left it. Not timed.
void BeffioSession::restore(PatternType type) {
  TypeFile file(site_, type, Access::write);
  const Layout layout(table_, type, files_.calls, team().size(),
                      files_.segment ? files_.segment->length : Bytes{0});
  const Span span = patterns_of(type);
  Mismatches nothing;
  for (std::size_t p = span.first; p <= span.last(); ++p) {
    const Origin origin{team().rank(), static_cast<int>(p), files_.generation[index(type)]};
    const auto content = memory().first(static_cast<std::size_t>(table_[p].memory.count() / element_byte));
    Body(origin).fill(content);
    TypeFile::View(file, table_[p], layout.begin(static_cast<int>(p)), p - span.first,
                   layout.segment_begin(team().rank()))
        .set(file);
    const auto loop = open_loop(call_of(type, site_.course->pointer()), Direction::out,
                                {file.get(), table_[p], origin, content,
                                 places(table_[p], layout.begin(static_cast<int>(p)), files_.calls[p])},
                                nothing);
    const int ran = loop->run(0, files_.calls[p]);
    const int moved = loop->complete();
    const int code = ran == MPI_SUCCESS ? moved : ran;
    measure::all_or_none(team(), [&] { mpi::check(code, "writing files again"); });
  }
  file.sync();
  static_cast<void>(file.close());
  if (!team().is_root()) return;
  for (std::size_t p = span.first; p <= span.last(); ++p)
    site_.course->add_written(bytes_of(table_[p], files_.calls[p]) * team().size());
}

}  // namespace steelyard::beffio
