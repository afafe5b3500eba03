// SPDX-License-Identifier: Apache-2.0
#include "formats/ftio/text.hpp"

#include <vector>

#include "formats/ftio/sections.hpp"

namespace steelyard::formats {
namespace {

class FtioText final : public Writer {
 public:
  explicit FtioText(std::ostream& out) : out_(out) {}

  void run(const record::RunRecord& run) override { out_ << ftio::head(run) << std::flush; }

  void point(const record::PointRecord& point) override {
    if (point.suite != "ftio") return;
    points_.push_back(point);
    out_ << '\n';
    if (!analysis::ftio_has_result(point)) {
      out_ << ftio::failure(point) << std::flush;
      return;
    }
    const auto run = analysis::ftio_run(point);
    out_ << ftio::phase_table(run) << ftio::result_lines(run) << std::flush;
  }

  void end(const record::EndRecord&) override {
    if (points_.empty()) return;
    std::string text;
    const analysis::FtioRuns runs(points_);
    for (const auto& size : runs.sizes()) text += ftio::means(size);
    out_ << (text.empty() ? "" : "\n") << text << std::flush;
  }

 private:
  std::ostream& out_;
  std::vector<record::PointRecord> points_;
};

}  // namespace

std::unique_ptr<Writer> ftio_text(std::ostream& out) {
  return std::make_unique<FtioText>(out);
}

}  // namespace steelyard::formats
