// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <iostream>

#include "commands/commands.hpp"
#include "docs/batch.hpp"
#include "docs/pages.hpp"
#include "errors.hpp"
#include "words/resolve.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view usage =
    "docs: wants 'man DIR', 'markdown DIR', 'completion bash|zsh|fish', 'slurm' or 'pbs'";

void write_file(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw Refused("cannot write '" + file.string() + "'");
}

template <class Page>
void write_pages(const std::filesystem::path& directory, std::string_view suffix, Page page) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw Refused("cannot create '" + directory.string() + "': " + error.message());
  for (const Command* command : commands())
    if (command->visibility == Visibility::shown)
      write_file(directory / ("steelyard-" + std::string(command->name) + std::string(suffix)),
                 page(*command));
}

int print_completion(const std::string& shell) {
  static constexpr std::string_view shells[] = {"bash", "zsh", "fish"};
  try {
    const std::string known = units::parse_word(shell, shells);
    std::cout << completion(known == "bash" ? Shell::bash : known == "zsh" ? Shell::zsh : Shell::fish);
  } catch (const units::ParseError& error) {
    throw UsageError(std::string("docs completion: ") + error.what());
  }
  return exit_code::done;
}

int print_batch_script(const std::string& system) {
  std::cout << batch_script(system == "slurm" ? BatchSystem::slurm : BatchSystem::pbs) << std::flush;
  return exit_code::done;
}

int run_docs(const Invocation& invocation) {
  const std::vector<std::string> words = invocation.values.list("what");
  if (invocation.values.on("screen")) {
    if (words.size() != 1 || words[0] != "slurm") throw UsageError("--screen belongs to 'docs slurm'");
    std::cout << screening_script() << std::flush;
    return exit_code::done;
  }
  if (words.size() == 1 && (words[0] == "slurm" || words[0] == "pbs")) return print_batch_script(words[0]);
  if (words.size() != 2) throw UsageError(std::string(usage));
  if (words[0] == "completion") return print_completion(words[1]);
  if (words[0] == "man") {
    write_pages(words[1], ".1", man_page);
    write_file(std::filesystem::path(words[1]) / "steelyard.1", man_overview());
  } else if (words[0] == "markdown") {
    write_pages(words[1], ".md", markdown_page);
  } else {
    throw UsageError(std::string(usage));
  }
  return exit_code::done;
}

constexpr Option docs_words[] = {
    {.name = "screen", .help = "slurm: a job that compares the nodes of a machine with one another"},
};
constexpr Group docs_groups[] = {{"Job scripts", docs_words}};
constexpr std::string_view docs_examples[] = {
    "steelyard docs man man1", "steelyard docs markdown reference", "steelyard docs completion bash",
    "steelyard docs slurm > steelyard.sbatch", "steelyard docs slurm --screen > screen.sbatch"};
constexpr int docs_codes[] = {0, 2, 4};

}  // namespace

constinit const Command docs_command{
    .name = "docs",
    .section = "This machine",
    .summary = "manual pages, reference, shell completion and job scripts",
    .description =
        "Writes manual pages or a Markdown reference into a directory, or prints a completion script; all "
        "of it comes from the option tables of this program. Prints a job script for Slurm or PBS to start "
        "from: it ends in order before the time limit and goes on where it was when the job runs again.",
    .positional = {"WHAT", Kind::word, Repeat::many,
                   "man DIR, markdown DIR, completion bash|zsh|fish, slurm, or pbs"},
    .groups = docs_groups,
    .examples = docs_examples,
    .exit_codes = docs_codes,
    .see_also = "steelyard help",
    .run = run_docs};

}  // namespace steelyard::cli
