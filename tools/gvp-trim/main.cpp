// SPDX-License-Identifier: Apache-2.0
// gvp-trim: what kernels for Southern Islands need of MIAOW, and what is left when the rest is not
// built.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/base/hex_words.h"
#include "models/gpgpu/southern_islands/assembler.h"
#include "models/gpgpu/southern_islands/code_object.h"
#include "tools/console.h"
#include "tools/gvp-trim/outputs.h"

namespace {

namespace po = boost::program_options;
namespace si = gvp::gpgpu::southern_islands;
using Texts = std::vector<std::string>;

constexpr const char* kHelp =
    "usage: gvp-trim [options] FILE.o|FILE.s|FILE.hex...\n\n"
    "Tells what kernels need of MIAOW: instructions, formats, units and their parts,\n"
    "registers, by all paths through their code; what leaving out the rest saves,\n"
    "and how many compute units then fit (docs/gvp-trim.md).  Exit code 0, or 126\n"
    "when an input or the command line is at fault.\n\n";

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// By word of the code, from the table that gpgpu-run --kernel-profile writes.
std::vector<uint64_t> read_profile(const std::string& file) {
  std::vector<uint64_t> executed;
  std::istringstream lines(gvp::tools::read_input(file));
  std::string line;
  std::getline(lines, line);
  if (line.rfind("pc,executed,", 0) != 0)
    throw gvp::bad_input("no profile of gpgpu-run --device miaow", {file, 1, 1},
                         "write one with --kernel-profile FILE.csv");
  constexpr unsigned long long kMostWords = 4u << 20;
  for (uint32_t number = 2; std::getline(lines, line); ++number) {
    char* end = nullptr;
    const unsigned long long pc = std::strtoull(line.c_str(), &end, 16);
    char* behind = nullptr;
    const unsigned long long count = *end == ',' ? std::strtoull(end + 1, &behind, 10) : 0;
    if (behind == nullptr || *behind != ',' || pc % 4 != 0 || pc / 4 >= kMostWords)
      throw gvp::bad_input("cannot read this line of a profile", {file, number, 1});
    if (pc / 4 >= executed.size()) executed.resize(pc / 4 + 1);
    executed[pc / 4] = count;
  }
  return executed;
}

void add_file(gvp::trim::Needs& needs, const std::string& file, const Texts& kernels,
              const std::vector<uint64_t>& executed, bool only_executed) {
  const std::string contents = gvp::tools::read_input(file);
  if (si::is_elf(contents)) {
    const si::CodeObject object = si::read_code_object(contents, file);
    std::vector<const si::ObjectKernel*> chosen;
    for (const std::string& name : kernels) chosen.push_back(&object.kernel(name, file));
    if (kernels.empty())
      for (const si::ObjectKernel& kernel : object.kernels) chosen.push_back(&kernel);
    for (const si::ObjectKernel* kernel : chosen)
      gvp::trim::add_reachable(needs, object.code, kernel->entry, executed, only_executed);
    return;
  }
  if (!kernels.empty()) throw gvp::bad_input("--kernel is for objects", {file, 0, 0});
  const std::vector<uint32_t> code =
      ends_with(file, ".hex") ? gvp::parse_hex(contents, file) : si::assemble(contents, file).words;
  if (code.empty()) throw gvp::bad_input("no code", {file, 0, 0});
  gvp::trim::add_reachable(needs, code, 0, executed, only_executed);
}

int run(int argc, char** argv) {
  po::options_description options = gvp::tools::common_options();
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  options.add_options()("kernel,k", po::value<Texts>()->value_name("NAME")->composing(),
                        "of an object: this kernel; default: all")(
      "ran", text("FILE.csv"),
      "only what ran: a profile of gpgpu-run --kernel-profile (of one file)")(
      "json", text("FILE"),
      "write what is needed, and the estimates, as JSON; - for standard output")(
      "trimmed", text("FILE"), "write the list of instructions that gpgpu-run --trimmed reads")(
      "codexl", text("FILE.csv"), "write the listing that the published Trimming-Tool reads")(
      "fit", "show the fit to the paper's figures, too")("quiet,q", "no report");
  const auto parsed = gvp::tools::parse_command_line(argc, argv, "gvp-trim", kHelp, options, true);
  if (!parsed) return 0;
  const po::variables_map& values = *parsed;
  if (values.count("input") == 0)
    throw gvp::bad_input("no file", {}, "gvp-trim FILE.o; --help explains");
  const auto files = values["input"].as<Texts>();
  std::vector<gvp::FileUse> inputs;
  std::vector<gvp::FileUse> outputs;
  inputs.reserve(files.size());
  for (const std::string& file : files) inputs.push_back({"an input", file});
  for (const char* option : {"json", "trimmed", "codexl"})
    if (values.count(option) != 0)
      outputs.push_back({std::string("--") + option, values[option].as<std::string>()});
  std::vector<uint64_t> executed;
  const bool only_executed = values.count("ran") != 0;
  if (only_executed) {
    if (files.size() != 1)
      throw gvp::bad_input("--ran is the profile of one file", {"command line"});
    inputs.push_back({"--ran", values["ran"].as<std::string>()});
    executed = read_profile(values["ran"].as<std::string>());
  }
  gvp::check_file_uses(inputs, outputs);
  const Texts kernels = values.count("kernel") != 0 ? values["kernel"].as<Texts>() : Texts();
  gvp::trim::Needs needs;
  for (const std::string& file : files) add_file(needs, file, kernels, executed, only_executed);
  if (needs.entries.empty())
    throw gvp::bad_input(only_executed ? "nothing of this file ran, says the profile"
                                       : "no instruction can be reached",
                         {files.front(), 0, 0});
  if (values.count("json") != 0)
    gvp::tools::write_output(values["json"].as<std::string>(), gvp::trim::to_json(needs));
  if (values.count("trimmed") != 0)
    gvp::tools::write_output(values["trimmed"].as<std::string>(),
                             gvp::trim::to_instruction_list(needs));
  if (values.count("codexl") != 0)
    gvp::tools::write_output(values["codexl"].as<std::string>(), gvp::trim::to_listing_file(needs));
  if (values.count("quiet") == 0) std::cout << gvp::trim::report(needs, values.count("fit") != 0);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return gvp::tools::run_guarded("gvp-trim", [&] { return run(argc, argv); });
}
