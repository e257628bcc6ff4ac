// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/clang.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

#include "models/base/error.h"

namespace gvp::kcc {
namespace {

namespace fs = std::filesystem;

// Empty headers stand in this folder, which exists in the file system that clang sees only: as deep
// as "../" in their names may lead up.
constexpr const char* kMissingFolder = "/kcc-missing/1/2/3/4/5/6/7/8";

// What `clang -E -v` prints between these lines is where it looks for headers.
std::vector<std::string> search_list(const std::string& messages) {
  std::vector<std::string> list;
  std::istringstream lines(messages);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("End of search list", 0) == 0) break;
    if (inside && !line.empty() && line[0] == ' ') list.push_back(line.substr(1));
    if (line.rfind("#include <...> search starts here", 0) == 0) inside = true;
  }
  return list;
}

// The folders of the host's headers: C++ before clang's own, which both kinds of compilation find
// by themselves, the rest behind them.
std::vector<std::string> system_headers(const std::string& messages) {
  std::vector<std::string> words;
  bool before = true;
  for (const std::string& folder : search_list(messages)) {
    std::error_code error;
    if (fs::exists(fs::path(folder) / "__clang_cuda_builtin_vars.h", error)) {
      before = false;
      continue;
    }
    words.emplace_back(before ? "-isystem" : "-idirafter");
    words.push_back(folder);
  }
  return words;
}

std::string overlay(const std::set<std::string>& names) {
  std::string text = R"({"version": 0, "fallthrough": true, "roots": [)";
  // The folder itself is there in any case.
  text += "{\"type\": \"directory\", \"name\": \"" + std::string(kMissingFolder) +
          "\", \"contents\": []}";
  const char* comma = ",";
  for (const std::string& name : names) {
    text += comma;
    const std::string own = Clang::own_header(name);
    // Clang looks for names without "..".
    text += "{\"type\": \"file\", \"name\": \"" +
            (fs::path(kMissingFolder) / name).lexically_normal().string() +
            "\", \"external-contents\": \"" + (own.empty() ? "/dev/null" : own) + "\"}";
    comma = ",";
  }
  return text + "]}";
}

// What both steps are told.  There are no generic addresses, so variables must not stay in memory
// as they do at -O0.
void add_level(std::vector<std::string>& words, unsigned optimise) {
  words.emplace_back(optimise >= 2 ? "-O2" : "-O1");
}

// Clang would look into a folder that is named twice where it is named last, and take what is in
// there for a system's.
bool is_among_folders(const std::vector<std::string>& arguments, const fs::path& folder) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
    std::error_code error;
    return argument.rfind("-I", 0) == 0 && fs::equivalent(argument.substr(2), folder, error);
  });
}

}  // namespace

std::string Clang::header_folder() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (error) throw model_error("cannot find the folder of this executable", "", error.message());
  for (fs::path base = executable.parent_path(); base.has_relative_path();
       base = base.parent_path()) {
    for (const char* folder : {"share/gpgpu-vp/kcc/include", "tools/kcc/include"}) {
      if (fs::exists(base / folder / "kcc_cuda.h")) return (base / folder).string();
    }
  }
  throw bad_input("kcc_cuda.h is not beside " + executable.string(), {},
                  "run kcc from the build or install tree");
}

std::string Clang::own_header(const std::string& name) {
  const fs::path path = fs::path(header_folder()) / "sdk" / fs::path(name).filename();
  std::error_code error;
  return fs::is_regular_file(path, error) ? path.string() : "";
}

Clang::Clang(const std::string& file, unsigned optimise, bool fast_math,
             std::vector<std::string> arguments)
    : file_(file), optimise_(optimise), fast_math_(fast_math), arguments_(std::move(arguments)) {
  const char* chosen = std::getenv("KCC_CLANG");
  std::vector<std::string> candidates{"clang-14", "clang"};
  if (chosen != nullptr && *chosen != '\0') candidates = {chosen};
  for (const std::string& candidate : candidates) {
    const Outcome outcome = run(candidate, {"-x", "c++", "-E", "-v", "-o", "-", "-"}, "");
    if (!outcome.found()) continue;
    clang_ = candidate;
    system_ = system_headers(outcome.messages);
    return;
  }
  throw bad_input("cannot run clang to compile CUDA C", {file},
                  "install clang-14, or name a clang in KCC_CLANG; PTX needs none");
}

// Of all steps that read CUDA C.  -m32: 32-bit addresses, as the machine has.  sm_20: the oldest
// target clang knows.
std::vector<std::string> Clang::common() const {
  std::vector<std::string> words{
      "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_20", "-nocudainc", "-nocudalib",
      "-nostdlibinc", "-m32",
      // Eight bytes are aligned to eight, as the device's memory and 64-bit hosts have it.
      "-Xclang", "-malign-double", "-Qunused-arguments", "-Wno-unknown-cuda-version",
      "-ferror-limit=0",
      // typeof
      "-fgnu-keywords",
      // Compilers of that time knew of a place what was stored there, as whatever type.
      "-fno-strict-aliasing",
      // What old sources do and this compiler would rather not see in new ones.
      "-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal", "-Wno-writable-strings",
      "-Wno-c++17-extensions", "-Wno-enum-compare", "-Wno-static-float-init",
      "-Wno-deprecated-register", "-Wno-deprecated-declarations", "-Wno-shift-op-parentheses",
      "-Wno-bitwise-op-parentheses", "-Wno-logical-op-parentheses", "-Wno-dangling-else",
      // What another compiler would not take.
      "-Wno-cuda-compat",
      // Formats are the host's, whose sizes are not those of this target.
      "-Wno-format", "-ffp-contract=off"};
  words.emplace_back(lines_ ? "-gline-tables-only" : "-g0");
  if (returns_from_ends_) words.emplace_back("-fno-strict-return");
  // A block's end is where its variables' lives end.
  if (leaves_directly_) words.insert(words.end(), {"-Xclang", "-disable-lifetime-markers"});
  return words;
}

std::vector<std::string> Clang::headers() const {
  const std::string folder = header_folder();
  std::vector<std::string> words{"-include", "kcc_cuda.h"};
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  words.insert(words.end(), {"-isystem", folder, "-isystem", folder + "/sdk"});
  words.insert(words.end(), system_.begin(), system_.end());
  // Programs of one folder were compiled with -I. and say <kernel.h> of a file beside the source.
  fs::path folder_of_source = fs::path(file_).parent_path();
  if (folder_of_source.empty()) folder_of_source = ".";
  if (!is_among_folders(arguments_, folder_of_source))
    words.insert(words.end(), {"-idirafter", folder_of_source});
  words.insert(words.end(), {"-idirafter", kMissingFolder});
  return words;
}

Outcome Clang::run_clang(std::vector<std::string> words, const std::string& input) const {
  if (isatty(STDERR_FILENO) != 0) words.emplace_back("-fcolor-diagnostics");
  return run(clang_, std::move(words), input);
}

Outcome Clang::parse(bool check) const {
  std::vector<std::string> words = common();
  const auto more = headers();
  words.insert(words.end(), more.begin(), more.end());
  if (check) {
    words.insert(words.end(), {"-w", "-fsyntax-only", "-Xclang", "-print-stats", file_});
  } else {
    words.insert(words.end(),
                 {"-emit-llvm", "-Xclang", "-disable-llvm-passes", "-S", "-o", "-", file_});
  }
  add_level(words, optimise_);
  const MemoryFile missing(overlay(missing_));
  words.insert(words.begin(), {"-ivfsoverlay", missing.path()});
  return run_clang(std::move(words), "");
}

Outcome Clang::preprocess() const {
  std::vector<std::string> words = common();
  const auto more = headers();
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"-E", "-dD", "-o", "-", file_});
  add_level(words, optimise_);
  const MemoryFile missing(overlay(missing_));
  words.insert(words.begin(), {"-ivfsoverlay", missing.path()});
  return run_clang(std::move(words), "");
}

Outcome Clang::parse_preprocessed(const std::string& text, bool check) const {
  std::vector<std::string> words = common();
  if (check) {
    words.insert(words.end(),
                 {"-w", "-fsyntax-only", "-fno-caret-diagnostics", "-Xclang", "-print-stats"});
  } else {
    // What is left of launches has no effect.
    words.insert(words.end(),
                 {"-Wno-unused-value", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-S"});
  }
  if (late_)
    words.insert(words.end(), {"-fdelayed-template-parsing", "-fms-compatibility",
                               "-fms-compatibility-version=19", "-Wno-microsoft"});
  words.insert(words.end(), {"-o", "-", "-"});
  add_level(words, optimise_);
  if (check) return run(clang_, std::move(words), text);  // without colours
  return run_clang(std::move(words), text);
}

// A step on intermediate code, which it reads from its input.
std::vector<std::string> Clang::of_intermediate_code() const {
  // -replexitval=never: the sum of a loop stays a loop; its closed form takes 64-bit products.
  std::vector<std::string> words{
      "-x", "ir", "--target=nvptx-nvidia-cuda", "-Xclang", "-target-cpu", "-Xclang", "sm_20",
      // "#pragma unroll" is a wish.
      "-Wno-pass-failed", "-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize", "-mllvm",
      "-replexitval=never", "-S", "-o", "-", "-"};
  if (fast_math_) {
    // Division and root as the special function unit computes them, without corrections.
    words.insert(words.begin(),
                 {"-mllvm", "-nvptx-prec-divf32=0", "-mllvm", "-nvptx-prec-sqrtf32=0"});
  }
  add_level(words, optimise_);
  if (optimise_ == 0) words.emplace_back("-fno-inline");
  return words;
}

Outcome Clang::optimise(const std::string& intermediate_code) const {
  std::vector<std::string> words = of_intermediate_code();
  // Arms of more than two instructions stay behind their branches (LLVM's own limit is seven): in
  // front of them all warps pay, and the back end moves what it is worth moving, by its cost.
  words.insert(words.end(), {"-mllvm", "-spec-exec-max-speculation-cost=2"});
  // What is inlined later, in PTX, has its structures in local memory by then.  Asked for are
  // functions of up to some 5000 instructions: one counts as five, and the target takes five times
  // the number.
  if (inlines_large_) words.insert(words.end(), {"-mllvm", "-inline-threshold=5000"});
  words.insert(words.end(), {"-emit-llvm", "-Xclang", "-emit-llvm-uselists"});
  return run_clang(std::move(words), intermediate_code);
}

Outcome Clang::simplify(const std::string& intermediate_code) const {
  std::vector<std::string> words = of_intermediate_code();
  words.insert(words.end(), {"-O1", "-mllvm", "-disable-licm-promotion", "-emit-llvm", "-Xclang",
                             "-emit-llvm-uselists"});
  return run_clang(std::move(words), intermediate_code);
}

Outcome Clang::generate(const std::string& intermediate_code) const {
  std::vector<std::string> words = of_intermediate_code();
  words.insert(words.end(), {"-Xclang", "-disable-llvm-passes"});
  return run_clang(std::move(words), intermediate_code);
}

}  // namespace gvp::kcc
