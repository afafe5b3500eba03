// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/pattern.hpp"
#include "campaign/survey.hpp"
#include "mpi/environment.hpp"
#include "record/json.hpp"

namespace steelyard::campaign {
namespace {

using record::Json;

// Names in Open MPI and in MPICH that decide how messages travel (methodology, "Environment record").
constexpr std::array<std::string_view, 17> wanted{"pml",
                                                  "btl",
                                                  "mtl",
                                                  "coll",
                                                  "osc",
                                                  "io",
                                                  "mpi_yield_when_idle",
                                                  "mpi_leave_pinned",
                                                  "btl_vader_single_copy_mechanism",
                                                  "btl_*_eager_limit",
                                                  "coll_tuned_use_dynamic_rules",
                                                  "hwloc_base_binding_policy",
                                                  "MPIR_CVAR_*EAGER*",
                                                  "MPIR_CVAR_*ALGORITHM*",
                                                  "MPIR_CVAR_*SHM*",
                                                  "MPIR_CVAR_*ODD_EVEN*",
                                                  "MPIR_CVAR_*CH4*"};

bool is_wanted(std::string_view name) {
  return std::ranges::any_of(wanted, [&](std::string_view glob) { return glob_matches(glob, name); });
}

/// How many control variables the library has. The tools interface stays initialised: MPICH 4.0 loses its
/// variables when it is finalised, and a second survey would crash there.
int variables() {
  int provided = 0;
  int n = 0;
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return 0;
  return MPI_T_cvar_get_num(&n) == MPI_SUCCESS ? n : 0;
}

struct Variable {
  int index = 0;
  std::string name;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int bind = 0;
};

std::optional<Variable> variable(int index) {
  std::array<char, 256> name{};
  std::array<char, 1> description{};
  int name_length = static_cast<int>(name.size());
  int description_length = static_cast<int>(description.size());
  int verbosity = 0;
  int scope = 0;
  MPI_T_enum words = MPI_T_ENUM_NULL;
  Variable found{index, {}, MPI_DATATYPE_NULL, 0};
  if (MPI_T_cvar_get_info(index, name.data(), &name_length, &verbosity, &found.type, &words,
                          description.data(), &description_length, &found.bind, &scope) != MPI_SUCCESS)
    return std::nullopt;
  found.name = name.data();
  return found;
}

/// A handle of one variable, freed at the end.
class Reading {
 public:
  explicit Reading(const Variable& variable) : type_(variable.type) {
    open_ = variable.bind == MPI_T_BIND_NO_OBJECT &&
            MPI_T_cvar_handle_alloc(variable.index, nullptr, &handle_, &count_) == MPI_SUCCESS;
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() {
    if (open_) MPI_T_cvar_handle_free(&handle_);
  }

  [[nodiscard]] std::optional<std::string> text() {
    if (!open_ || count_ < 1) return std::nullopt;
    if (type_ == MPI_CHAR) return characters();
    if (type_ == MPI_INT) return number<int>();
    if (type_ == MPI_UNSIGNED) return number<unsigned>();
    if (type_ == MPI_UNSIGNED_LONG) return number<unsigned long>();
    if (type_ == MPI_UNSIGNED_LONG_LONG) return number<unsigned long long>();
    if (type_ == MPI_COUNT) return number<MPI_Count>();
    return std::nullopt;
  }

 private:
  template <class T>
  std::optional<std::string> number() {
    std::vector<T> values(static_cast<std::size_t>(count_));
    if (MPI_T_cvar_read(handle_, values.data()) != MPI_SUCCESS) return std::nullopt;
    return std::to_string(values.front());
  }
  std::optional<std::string> characters() {
    // some libraries write a terminating zero beyond the length that they tell
    std::vector<char> values(static_cast<std::size_t>(count_) + 4096);
    if (MPI_T_cvar_read(handle_, values.data()) != MPI_SUCCESS) return std::nullopt;
    return record::valid_utf8(values.data());
  }

  MPI_Datatype type_;
  MPI_T_cvar_handle handle_ = MPI_T_CVAR_HANDLE_NULL;
  int count_ = 0;
  bool open_ = false;
};

Json settings() {
  Json found = Json::object();
  const int count = variables();
  for (int i = 0; i < count; ++i) {
    const auto one = variable(i);
    if (!one || !is_wanted(one->name)) continue;
    const auto value = Reading(*one).text();
    if (value) found[one->name] = *value;
  }
  return found;
}

std::string thread_level() {
  int level = MPI_THREAD_SINGLE;
  if (MPI_Query_thread(&level) != MPI_SUCCESS) return "single";
  if (level == MPI_THREAD_MULTIPLE) return "multiple";
  if (level == MPI_THREAD_SERIALIZED) return "serialized";
  return level == MPI_THREAD_FUNNELED ? "funneled" : "single";
}

}  // namespace

record::Document describe_mpi() {
  return Json{{"library", record::valid_utf8(mpi::library_version())},
              {"standard", mpi::standard_version()},
              {"thread_level", thread_level()},
              {"settings", settings()}};
}

}  // namespace steelyard::campaign
