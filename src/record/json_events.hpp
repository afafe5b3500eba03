// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace steelyard::record {

/// Receiver of the values of a text of JSON, in its order, for readers that need no tree of them. Its
/// exceptions pass through.
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
  virtual void name(std::string_view name) = 0;  // name of the member whose value follows
  virtual void end() = 0;                        // of a list or an object

 protected:
  JsonEvents() = default;
  JsonEvents(const JsonEvents&) = default;
  JsonEvents& operator=(const JsonEvents&) = default;
  ~JsonEvents() = default;
};

/// Reads a text. Throws JsonSyntaxError; earlier events then mean nothing.
void read_json(std::string_view text, JsonEvents& events);

}  // namespace steelyard::record

/// Internal to this folder.
namespace steelyard::record::detail {

/// Reader of texts as read_json reads them, by a faster library if the build has one. Keeps its memory for the next text.
class FastJson {
 public:
  FastJson();
  FastJson(const FastJson&) = delete;
  FastJson& operator=(const FastJson&) = delete;
  ~FastJson();

  /// Returns false for a text that it does not read, and without such a library: read_json then reads the text or
  /// reports its fault. Events before a return of false mean nothing. Names and texts live until the next call.
  [[nodiscard]] bool read(std::string_view text, JsonEvents& events);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace steelyard::record::detail
