// SPDX-License-Identifier: Apache-2.0
#include "imb/dump.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "errors.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

class Dump final : public formats::Writer {
 public:
  explicit Dump(const std::string& file) : out_(file, std::ios::binary | std::ios::trunc) {
    if (!out_)
      throw Refused("-dumpfile: cannot write '" + file + "': " + std::generic_category().message(errno));
  }

  void run(const record::RunRecord&) override {}
  void end(const record::EndRecord&) override { out_.flush(); }

  void point(const record::PointRecord& point) override {
    const record::Value* times = record::find(point.classic, "single_times_s");
    const auto* list = times == nullptr ? nullptr : std::get_if<std::vector<double>>(times);
    if (list == nullptr) return;
    const record::Value* size = record::find(point.params, "message_byte");
    const std::string bytes = size == nullptr ? "0" : std::to_string(std::get<std::int64_t>(*size));
    for (const double time : *list) out_ << bytes << ' ' << units::format_fixed(time * 1e6, 3) << '\n';
  }

 private:
  std::ofstream out_;
};

}  // namespace

std::unique_ptr<formats::Writer> imb_dump(const std::string& file) {
  return std::make_unique<Dump>(file);
}

}  // namespace steelyard::cli
