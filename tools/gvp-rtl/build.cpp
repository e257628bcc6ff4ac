// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-rtl/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "models/base/error.h"
#include "tools/gvp-rtl/processes.h"
#include "tools/gvp-rtl/roles.h"
#include "tools/gvp-rtl/source.h"
#include "tools/gvp-rtl/split.h"

namespace gvp::tools::rtl {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int kNotFound = 127;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Runs a step; what it writes goes into the error where it fails.
std::string step(const Words& command, const std::string& what, const std::string& package) {
  const Finished finished = run(command);
  if (finished.exit_code == kNotFound && finished.output.empty())
    throw bad_input(fmt::format("there is no {}, which {}", command.front(), what), {},
                    fmt::format("install the Debian package {}", package));
  if (finished.exit_code != 0)
    throw bad_input(fmt::format("{} failed ({}):\n{}", command.front(), what, finished.output));
  return finished.output;
}

bool is_vhdl(const std::string& file) {
  const std::string suffix = fs::path(file).extension().string();
  return suffix == ".vhd" || suffix == ".vhdl";
}

bool is_vhdl(const Description& description) {
  return std::all_of(description.sources.begin(), description.sources.end(),
                     [](const std::string& file) { return is_vhdl(file); });
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// VHDL's names have no case, the modules that GHDL makes of them do.
std::string module_named(const std::string& name, const std::string& verilog) {
  static const std::regex module(R"((^|\n)module (\S+))");
  for (std::sregex_iterator each(verilog.begin(), verilog.end(), module), end; each != end; ++each)
    if (lower_case((*each)[2]) == lower_case(name)) return (*each)[2];
  return name;
}

// All VHDL sources together become one Verilog file, with the module `top`: those before it first.
void synthesize_vhdl(const Description& description, const fs::path& directory, Words& sources,
                     std::string& top) {
  Words vhdl;
  const auto is_one = [](const std::string& file) { return is_vhdl(file); };
  std::copy_if(sources.begin(), sources.end(), std::back_inserter(vhdl), is_one);
  if (vhdl.empty()) return;
  if (vhdl.size() != sources.size())
    throw bad_input("VHDL and Verilog in one block", {description.file},
                    "GHDL makes Verilog of a whole block: let `ghdl --synth --std=08 "
                    "--out=verilog FILES -e ENTITY` write a file, and name that");
  sources.erase(std::remove_if(sources.begin(), sources.end(), is_one), sources.end());
  Words command = {"ghdl", "--synth", "--std=08", "--out=verilog",
                   "--workdir=" + directory.string()};
  for (const Parameter& parameter : description.parameters)
    command.push_back(fmt::format("-g{}={}", parameter.name, parameter.vhdl));
  append(command, vhdl);
  append(command, {"-e", top});
  const std::string verilog = step(command, "makes Verilog of the VHDL sources", "ghdl-mcode");
  const fs::path file = directory / (description.name + "_vhdl.v");
  // Its messages come first; the Verilog begins with a module.  What it calls non-blocking in
  // combinational logic is as it means it.
  const size_t begin = verilog.rfind("module ", 0) == 0 ? 0 : verilog.find("\nmodule ");
  std::ofstream(file) << "/* verilator lint_off COMBDLY */\n"
                      << (begin == std::string::npos ? verilog : verilog.substr(begin));
  sources.push_back(file.string());
  top = module_named(top, verilog);
}

// Verilator's first error, as an error at its place in the RTL.
[[noreturn]] void refuse(const Description& description, const std::string& output) {
  static const std::regex error(R"(%Error[^:\n]*: (?:([^:\n]+):(\d+):(\d+): )?([^\n]*))");
  std::smatch found;
  if (!std::regex_search(output, found, error))
    throw bad_input(fmt::format("Verilator failed:\n{}", output), {description.file});
  SourceLocation where{description.file, 0, 0};
  if (found[1].matched)
    where = {found[1], static_cast<uint32_t>(std::stoul(found[2])),
             static_cast<uint32_t>(std::stoul(found[3]))};
  const std::string text = found[4];
  std::string remedy = "correct the RTL";
  if (text.find("--top-module") != std::string::npos)
    remedy = "top = \"...\" names the module whose ports are the block's";
  else if (text.find("Parameters from the command line") != std::string::npos)
    remedy = "[parameters] names those of the top module";
  else if (text.find("syntax error") != std::string::npos && description.language.empty())
    remedy = "where this is no SystemVerilog: language = \"1364-2005\"";
  else if (text.find("Cannot find file containing module") != std::string::npos)
    remedy = "add its file to sources";
  else if (text.find("Cannot find include file") != std::string::npos)
    remedy = "add its folder to includes";
  throw bad_input(fmt::format("Verilator refuses RTL block {}: {}", description.name, text), where,
                  remedy);
}

// Says that the folder is of gvp-rtl's making; without it, files of Verilator's names do.
constexpr const char* kMark = "made_by_gvp_rtl";

void make_empty(const fs::path& directory, const std::string& prefix) {
  const auto made_by_verilator = [&](const fs::directory_entry& entry) {
    return entry.is_regular_file() && entry.path().filename().string().rfind(prefix, 0) == 0;
  };
  if (fs::exists(directory)) {
    const bool ours = fs::is_directory(directory) &&
                      (fs::exists(directory / kMark) ||
                       std::all_of(fs::directory_iterator(directory), {}, made_by_verilator));
    if (!ours)
      throw bad_input("gvp-rtl works here, and this is not of its making", {directory.string()},
                      "name another directory, --work DIRECTORY, or take this away");
    fs::remove_all(directory);
  }
  fs::create_directory(directory);
  std::ofstream(directory / kMark) << "gvp-rtl empties this folder.\n";
}

std::string verilate(const Description& description, const Words& sources,
                     const std::string& directory) {
  make_empty(directory, 'V' + description.name);
  Words command = {"verilator", "--cc", "-O3", "--flatten", "--assert", "--trace-fst", "--x-assign",
                   "unique", "--x-initial", "unique", "--no-timing", "--timescale", "1ns/1ps",
                   // others' RTL: what cannot work is an error, what can is theirs to judge
                   "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-TIMESCALEMOD", "-Wno-STMTDLY",
                   "-Wno-INITIALDLY", "-Wno-SYMRSVDWORD", "--prefix", 'V' + description.name,
                   "--top-module", description.top, "--Mdir", directory};
  if (!description.language.empty()) append(command, {"--default-language", description.language});
  if (!is_vhdl(description))
    for (const Parameter& parameter : description.parameters)
      command.push_back(fmt::format("-G{}={}", parameter.name, parameter.verilog));
  for (const std::string& folder : description.includes) command.push_back("-I" + folder);
  for (const std::string& define : description.defines) command.push_back("-D" + define);
  append(command, description.verilator_options);
  append(command, sources);
  const Finished finished = run(command);
  if (finished.exit_code != 0) refuse(description, finished.output);
  return finished.output;
}

// $CXX may have options, or a launcher, before or behind it, as in a makefile.
Words compiler() {
  const char* named = std::getenv("CXX");
  if (named == nullptr) return {"c++"};
  if (fs::exists(named)) return {named};  // with blanks in its path
  std::istringstream text(named);
  Words words{std::istream_iterator<std::string>(text), {}};
  return words.empty() ? Words{"c++"} : words;
}

// What blocks are compiled with: ../share/gpgpu-vp/rtl beside the program.
fs::path support_of(const std::string& program) {
  fs::path folder = fs::path(program).parent_path().parent_path() / "share/gpgpu-vp/rtl";
  if (!fs::exists(folder / "models/rtl/block_interface.h"))
    throw bad_input("gvp-rtl does not find what it compiles blocks with", {folder.string()},
                    "install gpgpu-vp again: cmake --install BUILD --prefix DIRECTORY");
  return folder;
}

// Verilator's runtime, compiled when gpgpu-vp was, where it is of the same version.
std::string compiled_runtime(const std::string& program, const std::string& version) {
#ifdef GVP_VERILATOR_RUNTIME_VERSION
  const fs::path archive = fs::path(program).parent_path().parent_path() / GVP_VERILATOR_RUNTIME;
  if (version == GVP_VERILATOR_RUNTIME_VERSION && fs::exists(archive)) return archive.string();
#endif
  static_cast<void>(program);
  static_cast<void>(version);
  return "";
}

void compile(const std::string& source, const std::string& output, const std::string& version,
             const std::string& program) {
  const fs::path support = support_of(program);
  const std::string root =
      first_line(step({"verilator", "--getenv", "VERILATOR_ROOT"}, "compiles RTL", "verilator"));
  Words command = compiler();
  append(command, {"-std=c++17",
                   "-O2",
                   "-w",
                   "-shared",
                   "-fPIC",
                   "-fvisibility=hidden",
                   "-fno-strict-aliasing",
                   "-ffp-contract=off",
                   "-DVL_TIME_CONTEXT",
                   "-DVM_TRACE=1",
                   "-DVM_TRACE_FST=1",
                   "-DVM_COVERAGE=0",
                   "-DVM_SC=0",
                   "-DGVP_RTL_WAVES",
                   "-DGVP_RTL_PLUGIN",
                   "-DVL_USER_FINISH",
                   "-DVL_USER_STOP",
                   "-DVL_USER_FATAL",
                   "-DVL_PRINTF=gvp::rtl::verilated_printf",
                   "-I" + support.string(),
                   "-isystem",
                   root + "/include",
                   "-isystem",
                   root + "/include/vltstd",
                   "-include",
                   (support / "models/rtl/verilated_output.h").string(),
                   source});
  if (const std::string runtime = compiled_runtime(program, version); !runtime.empty())
    command.push_back(runtime);
  else
    append(command,
           {(support / "models/rtl/verilated_output.cpp").string(), root + "/include/verilated.cpp",
            root + "/include/verilated_fst_c.cpp", root + "/include/verilated_threads.cpp"});
  // Its copy of Verilator's runtime is its own, whatever the program has.
  append(command, {"-o", output, "-Wl,--exclude-libs,ALL", "-Wl,-Bsymbolic", "-pthread", "-lz"});
  step(command, "compiles what Verilator made", "g++ (and zlib1g-dev)");
}

// What Verilator has read, and what the plug-in is compiled with, for make and ninja.
void write_depfile(const Description& description, const Verilated& block,
                   const std::string& output, const BuildOptions& options) {
  std::string files = read_by_verilator(block);
  for (const std::string& source : description.sources)
    if (is_vhdl(source)) files += ' ' + source;
  for (const auto& each : fs::directory_iterator(support_of(options.program) / "models/rtl"))
    files += ' ' + each.path().string();
  if (const std::string runtime = compiled_runtime(options.program, block.compiled_with);
      !runtime.empty())
    files += ' ' + runtime;
  if (!(std::ofstream(options.depfile) << output << ':' << files << '\n').flush())
    throw bad_input("cannot write", {options.depfile});
}

}  // namespace

std::string verilator_version() {
  const std::string text = step({"verilator", "--version"}, "compiles RTL", "verilator");
  static const std::regex version("^Verilator [0-9.]+");
  std::smatch found;
  return std::regex_search(text, found, version) ? found[0].str() : first_line(text);
}

Built build(const Description& description, const BuildOptions& options) {
  Built built;
  built.compiled_with = verilator_version();
  built.output = options.output.empty() ? description.name + ".so" : options.output;
  const fs::path directory =
      fs::absolute(options.directory.empty() ? built.output + ".build" : options.directory);
  std::error_code error;
  fs::create_directories(directory, error);
  if (error)
    throw bad_input(fmt::format("cannot make the directory: {}", error.message()),
                    {directory.string()});
  Words sources = description.sources;
  Description described = description;
  synthesize_vhdl(description, directory, sources, described.top);
  const Verilated verilated{description.name, (directory / "verilated").string(),
                            built.compiled_with};
  built.warnings = verilate(described, sources, verilated.directory);
  built.pins = read_pins(header_of(verilated), description.name);
  Mapping mapping = description.mapping;
  if (has_parts(mapping)) {  // once more, with a module around it
    const Split parts = split(described, built.pins, !is_vhdl(description));
    Description around = described;
    around.top = parts.top;
    around.parameters.clear();
    mapping = parts.mapping;
    sources.push_back((directory / (parts.top + ".v")).string());
    if (!(std::ofstream(sources.back()) << parts.text).flush())
      throw bad_input("cannot write", {sources.back()});
    built.warnings = verilate(around, sources, verilated.directory);
    built.pins = read_pins(header_of(verilated), description.name);
  }
  assign_roles(built.pins, mapping, description.name);
  const std::string source = (directory / (description.name + ".cpp")).string();
  if (!(std::ofstream(source) << source_text(verilated, built.pins)).flush())
    throw bad_input("cannot write", {source});
  compile(source, built.output, built.compiled_with, options.program);
  if (!options.depfile.empty()) write_depfile(description, verilated, built.output, options);
  return built;
}

}  // namespace gvp::tools::rtl
