// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/compiler.h"

#include <algorithm>
#include <array>
#include <future>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "models/base/error.h"
#include "tools/kcc/g80/constant_memory.h"
#include "tools/kcc/g80/doubles.h"
#include "tools/kcc/g80/kernel_compiler.h"
#include "tools/kcc/g80/layout.h"
#include "tools/kcc/g80/library.h"
#include "tools/kcc/g80/sm_limits.h"
#include "tools/ptx/kept_functions.h"
#include "tools/ptx/parser.h"
#include "tools/ptx/shown_names.h"
#include "tools/ptx/uncalled.h"

namespace gvp::kcc::g80 {
namespace {

namespace isa = gpgpu::g80;

// Instructions of PTX beyond which it is not worth trying whether the code is too large.
constexpr uint64_t kMostInlined = 100000;
// Sizes of functions that are called where the code does not fit else, one after the other; smaller
// ones take no more code than the moves around their calls.
constexpr std::array<uint32_t, 3> kCalledFrom{kLargeFunction, 50, 12};

// Kernels of a file from which on they are compiled at the same time.
constexpr size_t kManyKernels = 32;
constexpr unsigned kMostThreads = 8;

bool fits(const CompiledKernel& compiled) {
  return 4 * compiled.kernel.code.size() <= kMostCodeBytes;
}
bool is_too_deep(const CompiledKernel& compiled) {
  return compiled.has_calls && compiled.stack_entries > kStackEntries;
}

[[noreturn]] void refuse_depth(const ptx::Module& module, const ptx::Function& entry,
                               const CompiledKernel& compiled) {
  throw bad_input("kernel \"" + ptx::readable_name(entry.name) +
                      "\": calls and branches are nested so deeply that they take " +
                      std::to_string(compiled.stack_entries) +
                      " entries of the stack of a warp, which has " + std::to_string(kStackEntries),
                  {module.source.name()}, "nest fewer of them, or split it");
}

// Calls of the functions that want it, as long as these are not nested too deeply for the stack;
// of others, too, where the code would not fit else: the fewer the better.
CompiledKernel compile_one(ptx::Module& module, const ptx::Function& entry,
                           const Options& options) {
  const auto size = [&](const std::set<std::string>& kept) {
    return ptx::inlined_size(module, entry, kept);
  };
  std::optional<CompiledKernel> compiled;
  std::set<std::string> tried = ptx::kept_functions(module, entry, {true, 0});
  if (options.call_from == 0 && size(tried) <= kMostInlined) {
    compiled = compile_kernel(module, entry, options, {true, 0});
    if (is_too_deep(*compiled) && size({}) <= kMostInlined) {
      compiled = compile_kernel(module, entry, options, {false, 0});
      tried.clear();
    }
    if (fits(*compiled) && !is_too_deep(*compiled)) return std::move(*compiled);
  }
  for (const uint32_t least : kCalledFrom) {
    const bool last = least == kCalledFrom.back();
    if (!last && options.call_from != 0 && least > options.call_from) continue;
    const auto kept = ptx::kept_functions(module, entry, {true, least});
    const bool is_new = !compiled || kept != tried;
    if (!is_new || (!last && size(kept) > kMostInlined)) continue;
    compiled = compile_kernel(module, entry, options, {true, least});
    tried = kept;
    if (is_too_deep(*compiled) || fits(*compiled)) break;
  }
  if (is_too_deep(*compiled)) refuse_depth(module, entry, *compiled);
  return std::move(*compiled);
}

// In their order.  Very many at the same time, some by each thread; a thread has a module of its
// own, to which kernels add variables.
std::vector<std::future<CompiledKernel>> compile_all(ptx::Module& module,
                                                     const std::vector<size_t>& entries,
                                                     const Options& options) {
  std::vector<std::packaged_task<CompiledKernel(ptx::Module&)>> tasks;
  std::vector<std::future<CompiledKernel>> results;
  for (const size_t entry : entries) {
    tasks.emplace_back([entry, &options](ptx::Module& own) {
      return compile_one(own, own.functions[entry], options);
    });
    results.push_back(tasks.back().get_future());
  }
  const size_t threads = entries.size() < kManyKernels
                             ? 1
                             : std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
  std::vector<std::future<void>> others;  // each waits for its thread in the end
  for (size_t first = 1; first < threads; ++first) {
    others.push_back(
        std::async(std::launch::async, [first, threads, &tasks, own = module]() mutable {
          for (size_t i = first; i < tasks.size(); i += threads) tasks[i](own);
        }));
  }
  for (size_t i = 0; i < tasks.size(); i += threads) tasks[i](module);
  others.clear();
  return results;
}

// "add" for "_Z3addPii": what a launch would rather say.  Empty for anything more than a plain
// function of C++.
std::string plain_name(const std::string& name) {
  if (name.compare(0, 2, "_Z") != 0) return "";
  size_t at = name.compare(2, 1, "L") == 0 ? 3 : 2;  // L: static
  size_t length = 0;
  for (; at < name.size() && name[at] >= '0' && name[at] <= '9'; ++at) {
    length = 10 * length + static_cast<size_t>(name[at] - '0');
    if (length > name.size()) return "";
  }
  if (length == 0 || at + length > name.size()) return "";
  return name.substr(at, length);
}

// Variables of a file that are static have a name for the compiler only; the launch knows them by
// the one in the source.
void use_plain_variable_names(isa::Module& module) {
  std::map<std::string, unsigned> count;
  const auto each = [&](const auto& visit) {
    for (auto& variable : module.constants) visit(variable.name);
    for (auto& variable : module.relocations) visit(variable.name);
  };
  each([&](const std::string& name) {
    ++count[name];
    ++count[plain_name(name)];
  });
  each([&](std::string& name) {
    const std::string plain = plain_name(name);
    if (!plain.empty() && count[plain] == 1) name = plain;
  });
}

void use_plain_names(Result& result) {
  use_plain_variable_names(result.module);
  std::map<std::string, unsigned> count;
  for (const auto& kernel : result.module.kernels) {
    ++count[kernel.name];
    ++count[plain_name(kernel.name)];
  }
  for (size_t i = 0; i < result.kernels.size(); ++i) {
    const std::string plain = plain_name(result.kernels[i].name);
    if (plain.empty() || count[plain] != 1) continue;
    result.kernels[i].name = plain;
    result.module.kernels[i].name = plain;
  }
}

}  // namespace

Result compile(const std::string& file_name, const std::string& text, const Options& options) {
  ptx::Module module = ptx::parse(ptx::Source(file_name, text, options.generated));
  ptx::leave_out_uncalled(module);
  Result result;
  if (options.generated) result.warnings = demote_doubles(module, options.double_arrays);
  add_library(module);
  for (ptx::Function& function : module.functions) call_library(function);
  add_module_data(module, result.module);
  std::vector<size_t> entries;
  for (size_t i = 0; i < module.functions.size(); ++i)
    if (module.functions[i].entry) entries.push_back(i);
  for (std::future<CompiledKernel>& kernel : compile_all(module, entries, options)) {
    try {
      CompiledKernel compiled = kernel.get();
      const size_t number = result.kernels.size() + result.errors.size();
      check_constant_memory(module, module.functions[entries[number]], result.module,
                            compiled.kernel);
      result.module.kernels.push_back(std::move(compiled.kernel));
      result.kernels.push_back(std::move(compiled.report));
    } catch (const Error& error) {
      if (!options.keep_going || error.code() != ExitCode::kBadInput) throw;
      result.errors.emplace_back(error.what());
    }
  }
  if (result.module.kernels.empty() && result.errors.empty()) {
    // Of a program's sources some are all the host's.
    if (!options.generated)
      throw bad_input("there is no kernel (.entry) in this file", {file_name});
    result.warnings.push_back(file_name +
                              ": warning: there is no kernel in this file (of a template there is "
                              "one where a launch in the file, or an explicit instance, asks)");
  }
  use_plain_names(result);
  return result;
}

}  // namespace gvp::kcc::g80
