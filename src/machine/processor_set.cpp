// SPDX-License-Identifier: Apache-2.0
#include "machine/processor_set.hpp"

#include <sched.h>

#include <bit>
#include <cerrno>
#include <limits>

namespace steelyard::machine {
namespace {

constexpr std::size_t bits_of_word = std::numeric_limits<ProcessorSet::Word>::digits;
// Most kernels are built for 8192 processors at most: one that wants more words than this has another fault.
constexpr std::size_t first_words = 1024 / bits_of_word, most_words = first_words << 10U;

ProcessorSet::Word bit_of(std::size_t processor) {
  return ProcessorSet::Word{1} << processor % bits_of_word;
}

}  // namespace

ProcessorSet::ProcessorSet(std::span<const int> processors) {
  for (const int processor : processors) add(processor);
}

void ProcessorSet::add(int processor) {
  if (processor < 0) return;
  const auto n = static_cast<std::size_t>(processor);
  if (words_.size() <= n / bits_of_word) words_.resize(n / bits_of_word + 1);
  words_[n / bits_of_word] |= bit_of(n);
}

bool ProcessorSet::contains(int processor) const {
  const auto n = static_cast<std::size_t>(processor);
  return processor >= 0 && n / bits_of_word < words_.size() && (words_[n / bits_of_word] & bit_of(n)) != 0;
}

int ProcessorSet::count() const {
  int count = 0;
  for (const Word word : words_) count += std::popcount(word);
  return count;
}

std::vector<int> ProcessorSet::list() const {
  std::vector<int> list;
  for (std::size_t w = 0; w < words_.size(); ++w)
    for (Word left = words_[w]; left != 0; left &= left - 1)
      list.push_back(static_cast<int>(w * bits_of_word) + std::countr_zero(left));
  return list;
}

int read_own_mask(std::span<ProcessorSet::Word> words) {
  return sched_getaffinity(0, words.size_bytes(), reinterpret_cast<cpu_set_t*>(words.data())) == 0 ? 0
                                                                                                   : errno;
}

std::optional<ProcessorSet> processors_of_thread(const ReadMask& read) {
  ProcessorSet found;
  for (std::size_t words = first_words; words <= most_words; words *= 2) {
    found.words().assign(words, 0);
    const int error = read(found.words());
    if (error == 0) return found;
    if (error != EINVAL) return std::nullopt;
  }
  return std::nullopt;
}

bool keep_thread_to(const ProcessorSet& processors) noexcept {
  const auto& words = processors.words();
  const auto* mask = reinterpret_cast<const cpu_set_t*>(words.data());
  return sched_setaffinity(0, words.size() * sizeof(ProcessorSet::Word), mask) == 0;
}

}  // namespace steelyard::machine
