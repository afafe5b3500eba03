// SPDX-License-Identifier: Apache-2.0
#include "measuring/scratch_place.hpp"

#include <algorithm>

#include "errors.hpp"
#include "measuring/agreement.hpp"
#include "mpi/file.hpp"
#include "record/json.hpp"

namespace steelyard::cli {
namespace {

constexpr const char* trial_name = "trial";

// A file system that refuses is the machine's state, not an error of this program.
void or_refuse(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::filesystem::filesystem_error& error) {
    throw Refused(std::string("--io-dir: ") + error.what());
  } catch (const mpi::Error& error) {
    throw Refused(std::string("--io-dir: ") + error.what());
  }
}

// What MPI makes of a file here: which implementation it takes, and the hints that it then has.
record::Json describe_file(const std::filesystem::path& name, const mpi::Hints& hints) {
  mpi::File file(mpi::Communicator::self(), name.string(), MPI_MODE_CREATE | MPI_MODE_RDWR, hints);
  record::Json in_force = record::Json::object();
  for (const auto& [key, value] : file.hints()) in_force[key] = value;
  const auto implementation = mpi::io_implementation(file);
  file.close();
  mpi::delete_file(name.string());
  return {{"mpi_io", implementation}, {"hints_in_force", std::move(in_force)}};
}

}  // namespace

bool makes_files(const campaign::Plan& plan) {
  return std::ranges::any_of(plan.blocks, [](const auto& block) { return block.files; });
}

ScratchPlace::ScratchPlace(const mpi::Communicator& world, const std::string& help_of,
                           const FileWishes& wishes, const std::filesystem::path& manifest)
    : hints_(wishes.hints) {
  agreed_on_root(world, help_of, [&] {
    or_refuse([&] {
      scratch_.emplace(wishes.parent, manifest);
      scratch_->claim(trial_name);
    });
  });
  directory_ = world.broadcast(scratch_ ? scratch_->path().string() : std::string());
  const auto token = world.broadcast(scratch_ ? scratch_->token() : std::string());
  const bool leads = world.split_shared().is_root();
  agreed(world, help_of, [&] {
    or_refuse([&] {
      machine::look_at_scratch(directory_, token);
      if (leads) machine::try_to_write(directory_, trial_name);
    });
  });
  agreed_on_root(world, help_of,
                 [&] { or_refuse([&] { mpi_io_ = describe_file(directory_ / trial_name, hints_); }); });
}

suites::FilePlace ScratchPlace::place() {
  suites::FilePlace place{.directory = directory_, .hints = hints_, .claim = {}};
  if (scratch_) place.claim = [this](const std::string& name) { scratch_->claim(name); };
  return place;
}

std::vector<machine::LeftBehind> ScratchPlace::remove() {
  if (!scratch_) return {};
  return scratch_->remove().left;
}

}  // namespace steelyard::cli
