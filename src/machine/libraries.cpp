// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include "machine/blas.hpp"
#include "machine/build_info.hpp"
#include "machine/environment.hpp"
#include "machine/source.hpp"

namespace steelyard::machine {

namespace {

/// An object or function of whatever libraries this process has loaded; nullptr if none has it. Asking by
/// name keeps this room free of libraries that only some benchmarks need.
template <class T>
T* loaded(const char* name) {
  return reinterpret_cast<T*>(::dlsym(RTLD_DEFAULT, name));
}

Json blas() {
  const auto found = identify_blas();
  if (!found) return nullptr;
  Json blas{{"name", text_or_null(found->name)},
            {"version", text_or_null(found->version)},
            {"kernel", text_or_null(found->kernel)}};
  if (found->name.empty()) blas["file"] = found->file;
  if (!found->config.empty()) blas["config"] = found->config;
  if (found->threads) blas["threads"] = *found->threads;
  return blas;
}

Json fft() {
  const auto* text = loaded<const char>("fftw_version");
  return text == nullptr ? Json(nullptr) : Json{{"name", "FFTW"}, {"version", text}};
}

}  // namespace

record::Document describe_libraries() {
  Json list = Json::object();
  for (const auto& [name, version] : build_info().libraries) list[name] = version;
  list["blas"] = blas();
  list["fft"] = fft();
  return list;
}

}  // namespace steelyard::machine
