// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/in_use.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "machine/text.hpp"
#include "record/value.hpp"
#include "suites/hpcc/blas/blas.hpp"
#include "suites/hpcc/definition.hpp"
#include "units/text.hpp"

namespace steelyard::hpcc {
namespace {

using record::Json;

constexpr std::array<std::string_view, 3> choices{"environment", "own", "told"};
constexpr std::string_view as_linked_word = "as linked";

std::string word_of(const BlasCandidate& candidate) {
  return std::string(candidate.as_linked() ? as_linked_word
                                           : choices.at(static_cast<std::size_t>(candidate.choice)));
}

Json or_null(const std::string& text) {
  return text.empty() ? Json() : Json(record::valid_utf8(text));
}

Json json_of(const BlasCandidate& candidate) {
  Json json{{"library", record::valid_utf8(candidate.make)},
            {"version", or_null(candidate.version)},
            {"kernel", or_null(candidate.kernel)},
            {"linked", candidate.linked},
            {"choice", word_of(candidate)}};
  if (!candidate.file.empty())
    json["file"] = record::valid_utf8(std::filesystem::path(candidate.file).filename().string());
  if (candidate.choice == KernelChoice::told)
    json["variable"] = std::string(machine::kernel_variables(candidate.make).front()) + "=" + candidate.word;
  return json;
}

Json json_of(const TriedBlas& tried) {
  auto json = json_of(tried.candidate);
  if (!tried.kernel.empty()) json["kernel"] = record::valid_utf8(tried.kernel);
  if (!tried.refused.empty()) {
    json["why"] = record::valid_utf8(tried.refused);
    return json;
  }
  json["flop_s"] = tried.flop_s;
  json["order"] = tried.order;
  if (tried.least_flop_s < tried.flop_s) json["least_flop_s"] = tried.least_flop_s;
  return json;
}

Json json_of(const TriedBlas* tried) {
  return tried == nullptr ? Json() : json_of(*tried);
}

/// "5.7 times faster", "12 % faster", "3 % slower"
std::string faster(double factor) {
  const double ratio = std::max(factor, 1 / factor);
  const auto amount = ratio >= 1.5 ? units::format_significant(ratio, 2) + " times "
                                   : units::format_fixed(100 * (ratio - 1), 0) + " % ";
  return amount + (factor < 1 ? "slower" : "faster");
}

std::string tried_in(const BlasFindings& findings) {
  return std::to_string(findings.tried.size()) + " tried in " + units::format_fixed(findings.trial_s, 2) +
         " s";
}

/// Whether the library takes a kernel that was tried under its own name when told to take this one: libraries
/// without the kernels of the newest processors have another for these names, which is no fault.
bool is_another_name(const TriedBlas& one, const BlasFindings& findings) {
  const auto kernel = machine::lower(one.kernel);
  if (kernel.empty() || one.refused != takes_another(one.kernel, one.candidate.kernel)) return false;
  return std::ranges::any_of(findings.tried, [&](const TriedBlas& other) {
    return other.refused.empty() && other.candidate.linked == one.candidate.linked &&
           other.candidate.file == one.candidate.file && machine::lower(other.kernel) == kernel;
  });
}

/// Remarks on the trial that a reader must know beside the rates.
std::string remarks(const BlasFindings& findings) {
  std::string text;
  for (const auto& one : findings.tried)
    if (!one.refused.empty() && !is_another_name(one, findings))
      text += "; left out: " + described(one) + " (" + one.refused + ")";
  if (!findings.not_tried.empty())
    text += "; no time to try " + std::to_string(findings.not_tried.size()) + " more";
  return text;
}

std::string sentence_of_others(const BlasFindings& findings, const TriedBlas& used) {
  const auto* linked = findings.as_linked();
  if (linked == nullptr || linked->flop_s <= 0 || &used == linked) return described(used);
  return described(used) + ", " + faster(used.flop_s / linked->flop_s) + " than " + described(*linked) +
         ", as linked";
}

std::string sentence_of_linked(const BlasFindings& findings, const TriedBlas& used) {
  const auto* fastest = findings.fastest();
  const double factor = fastest == nullptr || used.flop_s <= 0 ? 1 : fastest->flop_s / used.flop_s;
  if (factor < worth_a_change) return described(used) + ", as linked: no other is faster";
  if (findings.wish.kind == BlasWish::Kind::fastest) return described(used) + ", as linked";
  return described(used) + ", as linked; --blas fastest: " + described(*fastest) + ", would be " +
         faster(factor);
}

}  // namespace

std::string takes_another(const std::string& kernel, const std::string& told) {
  return "takes its kernel " + kernel + " when told to take " + told;
}

std::string described(const TriedBlas& tried) {
  const auto& kernel = tried.kernel.empty() ? tried.candidate.kernel : tried.kernel;
  return library_of(tried.candidate) + (kernel.empty() ? "" : ", kernel " + kernel);
}

const TriedBlas* BlasFindings::as_linked() const {
  const auto found = std::ranges::find_if(tried, [](const auto& one) { return one.candidate.as_linked(); });
  return found == tried.end() ? nullptr : &*found;
}

const TriedBlas* BlasFindings::fastest() const {
  const TriedBlas* best = nullptr;
  for (const auto& one : tried)
    if (one.refused.empty() && (best == nullptr || one.flop_s > best->flop_s)) best = &one;
  return best;
}

std::optional<std::size_t> choice(const BlasFindings& findings) {
  const auto place = [&](const TriedBlas* one) -> std::optional<std::size_t> {
    if (one == nullptr) return std::nullopt;
    return static_cast<std::size_t>(one - findings.tried.data());
  };
  const auto* linked = findings.as_linked();
  if (findings.wish.kind == BlasWish::Kind::as_linked) return place(linked);
  if (findings.wish.kind == BlasWish::Kind::named) {
    const auto named = std::ranges::find_if(findings.tried, [](const TriedBlas& one) {
      return !one.candidate.as_linked() && one.refused.empty();
    });
    return named == findings.tried.end() ? std::nullopt : place(&*named);
  }
  const auto* fastest = findings.fastest();
  if (fastest == nullptr) return std::nullopt;
  const bool keep =
      linked != nullptr && linked->refused.empty() && fastest->flop_s < worth_a_change * linked->flop_s;
  return place(keep ? linked : fastest);
}

std::string sentence(const BlasFindings& findings) {
  if (!findings.unusable.empty())
    return "BLAS: none can work: " + findings.unusable +
           (findings.failure.empty() ? "" : "; " + findings.failure);
  const auto* used = findings.in_use();
  if (used == nullptr) return "BLAS: as linked: " + findings.failure;
  if (findings.resumed) return "BLAS: " + described(*used) + ", as chosen before";
  const auto what =
      used->candidate.as_linked() ? sentence_of_linked(findings, *used) : sentence_of_others(findings, *used);
  return "BLAS: " + what + " (" + tried_in(findings) + remarks(findings) + ")" +
         (findings.failure.empty() ? "" : "; " + findings.failure);
}

record::Document document(const BlasFindings& findings) {
  const auto* used = findings.in_use();
  const auto* linked = findings.as_linked();
  BlasWish wish = findings.wish;
  wish.file = std::filesystem::path(wish.file).filename().string();
  Json json{{"wish", record::valid_utf8(text(wish))},
            {"used", json_of(used)},
            {"as_linked", json_of(linked)},
            {"fastest", json_of(findings.fastest())},
            {"factor", Json()},
            {"tried", Json::array()},
            {"refused", Json::array()},
            {"not_tried", Json::array()},
            {"nodes", findings.nodes},
            {"threads", findings.threads},
            {"trial_s", findings.trial_s},
            {"load_s", findings.load_s},
            {"resumed", findings.resumed}};
  if (used != nullptr && linked != nullptr && linked->flop_s > 0)
    json["factor"] = used->flop_s / linked->flop_s;
  for (const auto& one : findings.tried)
    json[one.refused.empty() ? "tried" : "refused"].push_back(json_of(one));
  for (const auto& one : findings.not_tried) json["not_tried"].push_back(json_of(one));
  if (!findings.narrower.empty()) json["narrower_kernels"] = findings.narrower;
  if (!findings.unusable.empty()) json["unusable"] = record::valid_utf8(findings.unusable);
  if (!findings.failure.empty()) json["failure"] = record::valid_utf8(findings.failure);
  return json;
}

std::string trial_rates(const BlasFindings& findings) {
  std::string all;
  for (const auto& one : findings.tried)
    if (one.refused.empty())
      all += (all.empty() ? "" : "; ") + described(one) + ": " + units::format_fixed(one.flop_s / 1e9, 1) +
             " Gflop/s";
  return all;
}

std::optional<BlasCandidate> used_candidate(const record::Document& blas,
                                            std::span<const InstalledBlas> installed) {
  const Json used = blas.json().is_object() ? blas.json().value("used", Json()) : Json();
  if (!used.is_object()) return std::nullopt;
  const auto word = record::text_in(used, "choice"), kernel = record::text_in(used, "kernel");
  const bool linked = used.contains("linked") && used["linked"] == true;
  auto kind = KernelChoice::environment;
  if (word == choices[1]) kind = KernelChoice::own;
  if (word == choices[2]) kind = KernelChoice::told;
  for (const auto& one : installed) {
    const auto candidate =
        candidate_of(one, kind, kind == KernelChoice::told ? std::string_view(kernel) : std::string_view());
    const bool same = candidate.linked == linked && candidate.make == record::text_in(used, "library") &&
                      candidate.version == record::text_in(used, "version");
    if (same && (kind != KernelChoice::told || !candidate.word.empty())) return candidate;
  }
  return std::nullopt;
}

std::string used_name(const record::Document& blas) {
  const Json used = blas.json().is_object() ? blas.json().value("used", Json()) : Json();
  if (!used.is_object()) return "";
  const auto version = record::text_in(used, "version"), kernel = record::text_in(used, "kernel");
  return record::text_in(used, "library") + (version.empty() ? "" : " " + version) +
         (kernel.empty() ? "" : ", kernel " + kernel);
}

std::optional<std::string> blas_complaint(const machine::BlasIdentity& blas,
                                          const machine::VectorUnits& units, BlasChosen chosen,
                                          const PeakShares& shares, std::int64_t n) {
  if (shares.best >= least_peak_share * (1 - shares.waited)) return std::nullopt;
  const auto reaches = "DGEMM of order " + std::to_string(n) + " by " + machine::described(blas) +
                       " reaches " + units::format_fixed(100 * shares.shown, 0) +
                       " % of what the core's multiply-adds reach. ";
  const bool is_untried = chosen == BlasChosen::linked;
  const auto advice =
      chosen == BlasChosen::other ? machine::BlasAdvice{} : machine::advise_on_blas(blas, units);
  if (!advice.text.empty())
    return reaches + advice.text + " Cure: " + advice.cure + (is_untried ? ", or --blas fastest." : ".");
  return reaches + "Cure: a larger problem, or " +
         (is_untried ? "the fastest of those installed (--blas fastest)." : "another library (--blas FILE).");
}

std::optional<BlasLibrary> usable_blas(const BlasInUse* chosen) {
  if (chosen != nullptr && !chosen->findings.unusable.empty()) return std::nullopt;
  if (chosen != nullptr && !chosen->library.is_linked()) return chosen->library;
  return blas::available() ? std::optional(BlasLibrary::linked()) : std::nullopt;
}

Settings as_built(Settings settings) {
  settings.blas = usable_blas(settings.blas_in_use.get()).has_value();
  if (settings.blas_in_use) settings.blas_lack = settings.blas_in_use->findings.unusable;
  return settings;
}

}  // namespace steelyard::hpcc
