// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>
#include <utility>

#include "mpi/environment.hpp"

namespace steelyard::mpi {

/// Owner of one MPI handle: moves by leaving the null handle behind, frees itself, and does nothing after
/// finalisation. Policy: value_type, null(), release(value_type*).
template <class Policy>
class Handle {
 public:
  using value_type = typename Policy::value_type;

  Handle() : value_(Policy::null()) {}
  explicit Handle(value_type value) : value_(value) {}
  Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, Policy::null())) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Handle() {
    if (value_ != Policy::null() && active()) Policy::release(&value_);
  }
  [[nodiscard]] value_type get() const { return value_; }
  [[nodiscard]] value_type* put() { return &value_; }
  /// Gives the handle up, so that nobody frees it.
  void leave() { value_ = Policy::null(); }

 private:
  value_type value_;
};

struct CommPolicy {
  using value_type = MPI_Comm;
  static value_type null() { return MPI_COMM_NULL; }
  static void release(value_type* v) { MPI_Comm_free(v); }
};
struct DatatypePolicy {
  using value_type = MPI_Datatype;
  static value_type null() { return MPI_DATATYPE_NULL; }
  static void release(value_type* v) { MPI_Type_free(v); }
};
struct OpPolicy {
  using value_type = MPI_Op;
  static value_type null() { return MPI_OP_NULL; }
  static void release(value_type* v) { MPI_Op_free(v); }
};
struct InfoPolicy {
  using value_type = MPI_Info;
  static value_type null() { return MPI_INFO_NULL; }
  static void release(value_type* v) { MPI_Info_free(v); }
};
struct WindowPolicy {
  using value_type = MPI_Win;
  static value_type null() { return MPI_WIN_NULL; }
  static void release(value_type* v) { MPI_Win_free(v); }
};
struct FilePolicy {
  using value_type = MPI_File;
  static value_type null() { return MPI_FILE_NULL; }
  static void release(value_type* v) { MPI_File_close(v); }
};

using CommHandle = Handle<CommPolicy>;
using DatatypeHandle = Handle<DatatypePolicy>;
using OpHandle = Handle<OpPolicy>;
using InfoHandle = Handle<InfoPolicy>;
using WindowHandle = Handle<WindowPolicy>;
using FileHandle = Handle<FilePolicy>;

/// Lets errors of calls on this window come back as codes, as those of communicators do: windows are made with the
/// handler that ends the program. On every rank that made the window; throws Error.
void return_errors(MPI_Win window);

struct RequestPolicy {
  using value_type = MPI_Request;
  static value_type null() { return MPI_REQUEST_NULL; }
  static void release(value_type* v) { MPI_Request_free(v); }
};
using RequestHandle = Handle<RequestPolicy>;

/// Narrows to MPI's int. Throws std::overflow_error that names both numbers.
[[nodiscard]] int to_int(std::int64_t value);

/// Arguments of an MPI call for `elements` of a type: count and datatype. Up to `longest` elements, 2^31 - 1 but
/// in tests, it is (elements, type) itself; beyond, one element of a committed type of blocks of 2^20 elements,
/// or of `longest` if that is less, and a remainder.
class Transfer {
 public:
  Transfer() = default;
  Transfer(std::int64_t elements, MPI_Datatype type, std::int64_t longest = std::numeric_limits<int>::max());
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return owned_.get() != MPI_DATATYPE_NULL ? owned_.get() : type_; }
  [[nodiscard]] bool derived() const { return owned_.get() != MPI_DATATYPE_NULL; }

 private:
  int count_ = 0;
  MPI_Datatype type_ = MPI_BYTE;
  DatatypeHandle owned_;
};

}  // namespace steelyard::mpi
