// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <filesystem>

#include "machine/build_info.hpp"
#include "machine/privacy.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

/// An object or function of whatever libraries this process has loaded; nullptr if none has it. Asking by
/// name keeps this room free of libraries that only some benchmarks need.
template <class T>
T* loaded(const char* name) {
  return reinterpret_cast<T*>(::dlsym(RTLD_DEFAULT, name));
}

std::string text_of(const char* function) {
  const auto call = loaded<const char*()>(function);
  const char* text = call == nullptr ? nullptr : call();
  return text == nullptr ? "" : text;
}

Json number_of(const char* function) {
  const auto call = loaded<int()>(function);
  return call == nullptr ? Json(nullptr) : Json(call());
}

Json open_blas() {
  const auto config = text_of("openblas_get_config");
  const auto parts = words(config);
  return {{"name", "OpenBLAS"},
          {"version", parts.size() > 1 ? Json(std::string(parts[1])) : Json(nullptr)},
          {"kernel", text_of("openblas_get_corename")},
          {"config", config},
          {"threads", number_of("openblas_get_num_threads")}};
}

Json blis() {
  const auto query = loaded<int()>("bli_arch_query_id");
  const auto name = loaded<const char*(int)>("bli_arch_string");
  return {{"name", "BLIS"},
          {"version", text_of("bli_info_get_version_str")},
          {"kernel", query != nullptr && name != nullptr ? Json(name(query())) : Json(nullptr)},
          {"threads", number_of("bli_thread_get_num_threads")}};
}

/// A BLAS of another make is known by its file only.
Json other_blas(void* symbol) {
  Dl_info info{};
  const bool found = ::dladdr(symbol, &info) != 0 && info.dli_fname != nullptr;
  const auto file = found ? std::filesystem::path(info.dli_fname).filename().string() : std::string();
  return {{"name", nullptr}, {"version", nullptr}, {"kernel", nullptr}, {"file", valid_utf8(file)}};
}

Json blas() {
  if (loaded<void>("openblas_get_corename") != nullptr) return open_blas();
  if (loaded<void>("bli_arch_query_id") != nullptr) return blis();
  auto* multiply = loaded<void>("cblas_dgemm");
  return multiply == nullptr ? Json(nullptr) : other_blas(multiply);
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
