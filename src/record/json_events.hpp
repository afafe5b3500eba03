// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace steelyard::record {

/// Is told what a text of JSON holds, in its order, for those who need no tree of it. What it throws passes through.
class JsonEvents {
 public:
  virtual void null() = 0;
  virtual void boolean(bool value) = 0;
  virtual void integer(std::int64_t value) = 0;   // below 0
  virtual void natural(std::uint64_t value) = 0;  // not below 0
  virtual void real(double value) = 0;
  virtual void text(std::string_view value) = 0;
  virtual void begin_list() = 0;
  virtual void begin_object() = 0;
  virtual void name(std::string_view name) = 0;  // of the member whose value follows
  virtual void end() = 0;                        // of a list or an object

 protected:
  JsonEvents() = default;
  JsonEvents(const JsonEvents&) = default;
  JsonEvents& operator=(const JsonEvents&) = default;
  ~JsonEvents() = default;
};

/// Throws JsonSyntaxError; what was told before it then means nothing.
void read_json(std::string_view text, JsonEvents& events);

}  // namespace steelyard::record

/// Of this room alone.
namespace steelyard::record::detail {

/// read_json by a faster library, if the build has one. False for a text that it does not read and without one: read_json
/// then reads the text or says what is wrong with it. Events that were told before false mean nothing.
[[nodiscard]] bool read_json_fast(std::string_view text, JsonEvents& events);

}  // namespace steelyard::record::detail
