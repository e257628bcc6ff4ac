// SPDX-License-Identifier: Apache-2.0
#include "tools/oclc/compiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "models/base/error.h"
#include "models/gpgpu/southern_islands/code_object.h"
#include "tools/kcc/front_end/child_process.h"
#include "tools/oclc/kernel_metadata.h"

namespace gvp::oclc {
namespace {

using Words = std::vector<std::string>;

std::string chosen(const char* variable, const char* usual) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' ? value : usual;
}

class Clang {
 public:
  Clang(std::string file, std::string source, const Options& options)
      : program_(chosen("OCLC_CLANG", "clang-14")),
        library_(chosen("OCLC_LIBCLC", "/usr/lib/clc") + "/tahiti-amdgcn--.bc"),
        file_(std::move(file)),
        source_(std::move(source)),
        options_(options) {
    std::error_code error;
    if (!std::filesystem::exists(library_, error))
      throw bad_input("OpenCL's functions for this GPU are missing", {library_},
                      "install the package libclc-14, or name their folder in OCLC_LIBCLC");
  }

  // The arguments' names and types are in what comes out of the front end.
  std::string intermediate() const {
    Words words = common();
    words.insert(words.end(), {"-cl-kernel-arg-info", "-emit-llvm", "-Xclang",
                               "-disable-llvm-passes", "-w", "-S", "-o", "-", file_});
    return run(words, source_);
  }
  std::string assembly() const {
    Words words = common();
    // -amdgpu-internalize-symbols: functions that all their users have inlined leave no code.
    words.insert(words.end(),
                 {"-mllvm", "-amdgpu-internalize-symbols", "-Xclang", "-mlink-builtin-bitcode",
                  "-Xclang", library_, "-S", "-o", "-", file_});
    return run(words, source_);
  }
  std::string object(const std::string& assembly) const {
    Words words = target();
    words.insert(words.end(), {"-x", "assembler", "-c", "-o", "-", "-"});
    return run(words, assembly);
  }

 private:
  static Words target() { return {"-target", "amdgcn--", "-mcpu=tahiti", "-fintegrated-as"}; }

  Words common() const {
    Words words = target();
    words.insert(words.end(), {"-nogpulib", "-x", "cl", "-cl-std=CL1.2", "-O" + options_.optimise,
                               "-ffp-contract=off", "-include", "clc/clc.h"});
    words.insert(words.end(), options_.arguments.begin(), options_.arguments.end());
    return words;
  }

  std::string run(Words words, const std::string& input) const {
    if (isatty(STDERR_FILENO) != 0) words.emplace_back("-fcolor-diagnostics");
    kcc::Outcome outcome = kcc::run(program_, std::move(words), input);
    if (!outcome.found())
      throw bad_input(fmt::format("cannot run {} to compile OpenCL C", program_), {file_},
                      "install the package clang-14, or name a clang in OCLC_CLANG");
    std::cerr << outcome.messages;
    if (outcome.messages.find("clc/clc.h' file not found") != std::string::npos)
      throw bad_input("OpenCL's headers are missing", {"clc/clc.h"},
                      "install the package libclc-14-dev, which libclc-14 brings");
    if (!outcome.good())
      throw bad_input("clang refuses this file", {file_}, "its messages are above");
    return std::move(outcome.output);
  }

  std::string program_;
  std::string library_;
  std::string file_;
  std::string source_;
  const Options& options_;
};

// As the assembler takes a text.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char each : text) {
    if (each == '\n')
      result += "\\n";
    else if (each == '"' || each == '\\')
      (result += '\\') += each;
    else
      result += each;
  }
  return '"' + result + '"';
}

}  // namespace

Compiled compile(const std::string& file, const std::string& source, const Options& options) {
  const Clang clang(file, source, options);
  Compiled compiled;
  compiled.assembly = clang.assembly();
  compiled.intermediate = clang.intermediate();
  const auto arguments = kernel_arguments(compiled.intermediate);
  if (arguments.empty())
    throw bad_input("no kernel in this file", {file},
                    "a kernel is a function with \"kernel\" before void");
  compiled.assembly += fmt::format("\t.section\t{},\"\",@progbits\n\t.ascii\t{}\n",
                                   gpgpu::southern_islands::kArgumentSection,
                                   quoted(gpgpu::southern_islands::to_text(arguments)));
  compiled.object = clang.object(compiled.assembly);
  gpgpu::southern_islands::read_code_object(compiled.object, file);  // can it be loaded?
  return compiled;
}

}  // namespace gvp::oclc
