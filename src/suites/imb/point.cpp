// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/point.hpp"

#include <climits>

#include "mpi/error.hpp"

namespace steelyard::imb {
namespace {

bool is_vector(ContiguousType layout) {
  return layout == ContiguousType::base_vector || layout == ContiguousType::resize_vector;
}

mpi::DatatypeHandle vector_of(int elements, MPI_Datatype element) {
  mpi::DatatypeHandle type;
  mpi::check(MPI_Type_vector(elements, 1, 1, element, type.put()), "MPI_Type_vector");
  return type;
}

mpi::DatatypeHandle doubled(MPI_Datatype type, std::int64_t size) {
  mpi::DatatypeHandle result;
  mpi::check(MPI_Type_create_resized(type, 0, static_cast<MPI_Aint>(2 * size), result.put()),
             "MPI_Type_create_resized");
  return result;
}

void commit(mpi::DatatypeHandle& type) {
  mpi::check(MPI_Type_commit(type.put()), "MPI_Type_commit");
}

// The type says how many elements there are and how far apart they stand.
template <class T>
void add(void* in, void* inout, int* length, MPI_Datatype* type) {
  MPI_Count size = 0;  // an int does not hold that of a vector of 2 GiB
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_size_x(*type, &size);
  MPI_Type_get_extent(*type, &lower, &extent);
  if (size == 0) return;
  const auto step = extent / static_cast<MPI_Aint>(size);
  const auto elements = *length * static_cast<MPI_Aint>(size) / static_cast<MPI_Aint>(sizeof(T));
  const auto* from = static_cast<const T*>(in);
  auto* to = static_cast<T*>(inout);
  for (MPI_Aint k = 0; k < elements; ++k) to[k * step] = static_cast<T>(to[k * step] + from[k * step]);
}

MPI_User_function* adder(DataType type) {
  switch (type) {
    case DataType::integer: return add<int>;
    case DataType::single: return add<float>;
    case DataType::real: return add<double>;
    default: return add<signed char>;
  }
}

/// The predefined MPI type; `reduction` chooses those that MPI can add.
MPI_Datatype mpi_type(DataType type, bool reduction) {
  switch (type) {
    case DataType::byte: return MPI_BYTE;
    case DataType::character: return reduction ? MPI_SIGNED_CHAR : MPI_CHAR;
    case DataType::integer: return MPI_INT;
    case DataType::single: return MPI_FLOAT;
    case DataType::real: return MPI_DOUBLE;
  }
  return MPI_BYTE;
}

}  // namespace

Message::Message(DataType type, bool reduction, ContiguousType layout, std::int64_t elements, Packing packing)
    : type_(mpi_type(type, reduction)) {
  if (stride(layout) == 2) {
    element_ = doubled(type_, size_of(type));
    commit(element_);
    type_ = element_.get();
  }
  if (elements > INT_MAX) {
    large_ = mpi::Transfer(elements, type_);
    count_ = large_.count();
    type_ = large_.type();
    return;
  }
  count_ = mpi::to_int(elements);
  if (elements == 0 || (packing == Packing::free && !is_vector(layout))) return;
  whole_ = vector_of(count_, type_);
  commit(whole_);
  type_ = whole_.get();
  count_ = 1;
}

Sum::Sum(DataType type, ContiguousType layout) {
  if (layout == ContiguousType::base) return;
  mpi::check(MPI_Op_create(adder(type), 1, own_.put()), "MPI_Op_create");
  op_ = own_.get();
}

Vector::Vector(DataType type, ContiguousType layout, std::int64_t elements, std::int64_t longest,
               std::int64_t piece) {
  const auto whole = stride(layout) * size_of(type);
  const auto once = elements > longest ? piece : elements;
  bytes_ = whole * elements;
  step_ = whole * (once > 0 ? once : 1);
  first_ = Message(type, true, layout, once);
  if (once > 0 && elements % once != 0) last_ = Message(type, true, layout, elements % once);
}

}  // namespace steelyard::imb
